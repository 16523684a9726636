"""Completion in the real shells: everything at its place, and typed text is only text."""

import importlib.util
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st
from shells import COMPLETIONS, FILES, SHELLS, Fish, Zsh, environment, program, workplace
from typer.core import TyperGroup, TyperOption

from hebbctl import policies
from hebbctl.cli.app import app
from hebbctl.settings import OVERRIDE_FIELDS, SETTINGS

ROOT = COMPLETIONS.parent
SCRIPTS = ("hebb.bash", "_hebb", "hebb.fish")
PARTITIONS = set(policies.KNOWN)
KINDS = set(policies.PARTITION_OF_KIND)
SETTING_NAMES = set(SETTINGS)
POLICY_FIELDS = {*OVERRIDE_FIELDS, "enabled"}


def load_generator() -> Any:
    spec = importlib.util.spec_from_file_location("generate", COMPLETIONS / "generate.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


generate = load_generator()


def walk(command: Any, path: str = "hebb") -> Iterator[tuple[str, Any]]:
    yield path, command
    for name in subcommands(command):
        yield from walk(command.get_command(None, name), f"{path} {name}")


def subcommands(command: Any) -> list[str]:
    return list(command.list_commands(None)) if isinstance(command, TyperGroup) else []


def spellings(command: Any) -> set[str]:
    options = [param for param in command.params if isinstance(param, TyperOption)]
    return {word for one in options for word in (*one.opts, *one.secondary_opts)} | {"--help"}


TREE = dict(walk(typer.main.get_command(app)))


@pytest.fixture(scope="module", params=SHELLS)
def shell(request, tmp_path_factory) -> Iterator[Any]:
    with SHELLS[request.param](tmp_path_factory.mktemp(request.param)) as found:
        yield found


@pytest.fixture(autouse=True)
def only_text_was_completed(request) -> Iterator[None]:
    """After each test: no program ran, no typed text was run, and stderr stayed empty."""
    yield
    if "shell" in request.fixturenames:
        work = request.getfixturevalue("shell").work
        assert (work / "errors").read_text() == ""
        left = {path.name for path in work.iterdir()}
        (work / "ran").unlink(missing_ok=True)  # the next test starts clean
        assert left == {*FILES, "sub", "errors"}


def test_scripts_are_those_that_the_generator_writes(tmp_path) -> None:
    shutil.copytree(COMPLETIONS / "engines", tmp_path / "engines")
    shutil.copy(COMPLETIONS / "generate.py", tmp_path)
    done = subprocess.run([sys.executable, tmp_path / "generate.py"], capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    for name in SCRIPTS:
        stale = f"run 'python completions/generate.py': {name} is stale"
        assert (tmp_path / name).read_bytes() == (COMPLETIONS / name).read_bytes(), stale


@pytest.mark.parametrize("path", TREE)
def test_every_option_of_a_command_is_offered(shell, path) -> None:
    assert shell.offers(f"{path} -") == spellings(TREE[path]) | spellings(TREE["hebb"])


@pytest.mark.parametrize("path", [path for path in TREE if subcommands(TREE[path])])
def test_every_command_is_offered(shell, path) -> None:
    assert shell.offers(f"{path} ") == set(subcommands(TREE[path]))


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("hebb conf", {"config"}),
        ("hebb config set ", SETTING_NAMES),
        ("hebb config get half", {"half_life_days"}),
        ("hebb config unset k_", {"k_importance", "k_access"}),
        ("hebb config set on_forget ", {"archive", "erase"}),
        ("hebb config set archive_days ", set()),
        ("hebb config set on_forget erase ", set()),
        ("hebb config list ", set()),
        ("hebb add --part", {"--partition"}),
        ("hebb add --partition ", PARTITIONS),
        ("hebb add --partition=", PARTITIONS),
        ("hebb add --partition=mem_s", {"mem_semantic"}),
        ("hebb add --kind ", KINDS),
        ("hebb add --source ", set()),
        ("hebb add ", set()),
        ("hebb list --sort ", {"created", "accessed", "retention", "importance"}),
        ("hebb list --sort=c", {"created"}),
        ("hebb list -n 5 --sort c", {"created"}),
        ("hebb list -n5 --sort c", {"created"}),
        ("hebb list -qn 5 --sort c", {"created"}),
        ("hebb list -qn5 --sort c", {"created"}),
        ("hebb list -n ", set()),
        ("hebb list -qn ", set()),
        ("hebb policy show ", PARTITIONS),
        ("hebb policy set mem_notes --enab", {"--enabled"}),
        ("hebb policy clear mem_notes ", POLICY_FIELDS),
        ("hebb policy clear mem_notes enabled k_", {"k_importance", "k_access"}),
    ],
)
def test_what_fits_is_offered(shell, line, offered) -> None:
    assert shell.offers(line) == offered


@pytest.mark.parametrize(
    "line",
    [
        "hebb --db x conf",
        "hebb --db=x conf",
        "hebb --db add conf",
        "hebb --db=a:b=c conf",
        "hebb --json -qv --no-color conf",
        "hebb --now 2026-01-01T00:00:00Z conf",
        "hebb --now '2026-01-01 00:00' conf",
        "hebb   --quiet   conf",
    ],
)
def test_options_before_the_command_are_passed_over(shell, line) -> None:
    assert shell.offers(line) == {"config"}


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("hebb gc --db x --part", {"--partition"}),
        ("hebb config --json set --config x on_fo", {"on_forget"}),
        ("hebb config --json set on_forget --quiet e", {"erase"}),
        ("hebb policy --db=a:b show mem_n", {"mem_notes"}),
        ("hebb add 答复 --kind f", {"fact"}),
        ("hebb add --source --json --kind f", {"fact"}),
        ("hebb add --source config --kin", {"--kind"}),
        ("hebb add - --kin", {"--kind"}),
        ("hebb add 'two words' --kin", {"--kind"}),
    ],
)
def test_options_and_arguments_between_are_passed_over(shell, line, offered) -> None:
    assert shell.offers(line) == offered


@pytest.mark.parametrize(
    "line",
    [
        "hebb nonsense ",
        "hebb nonsense conf",
        "hebb -- ",
        "hebb -- -",
        "hebb config set -- ",
        "hebb add -- --",
        "hebb config set --nonsense=",
    ],
)
def test_nothing_is_offered_where_nothing_is_known(shell, line) -> None:
    assert shell.offers(line) == set()


HOSTILE = [
    "$(: >ran)",
    "`: >ran`",
    "${x:-$(: >ran)}",
    "$x[$(: >ran)]",
    "*",
    '"$(: >ran)"',
    "(: >ran)",
]
HOSTILE += ["a[$(: >ran)]", "$((a[`: >ran`]))", "%s%n", "\\", ";", "config set", "~root", "{a,b}"]


@pytest.mark.parametrize("word", HOSTILE)
def test_typed_text_is_never_run(shell, word) -> None:
    before = ["hebb {} conf", "hebb --db {} conf", "hebb config {} conf", "hebb config set {} "]
    at_cursor = ["hebb {}", "hebb config set {}", "hebb add --kind {}", "hebb add --kind={}"]
    at_cursor += ["hebb -{}", "hebb --{}", "hebb --{}=", "hebb show {}"]
    at_path = [
        "hebb import {}",
        "hebb import {}/",
        "hebb --db {}/x",
        "hebb --db={}/",
        "hebb -- {}/",
    ]
    for line in (*before, *at_cursor, *at_path):
        shell.offers(line.format(word))


@pytest.mark.parametrize("name", ["bash", "zsh"])
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("hebb conf", ["config"]),
        ("hebb add --parti", ["add", "--partition"]),
        ("hebb add --partition=mem_n", ["add", "--partition=mem_notes"]),
        ("hebb add --partition mem_n", ["add", "--partition", "mem_notes"]),
        ('hebb "conf', ["config"]),
        ("hebb import no", ["import", "notes.jsonl"]),
        ("hebb import my", ["import", "my file.jsonl"]),
        ("hebb import -- no", ["import", "--", "notes.jsonl"]),
        ("hebb --db no", ["--db", "notes.jsonl"]),
        ("hebb --db=no", ["--db=notes.jsonl"]),
        ("hebb list --config no", ["list", "--config", "notes.jsonl"]),
        ("hebb import ev", ["import", FILES[0]]),
        ("hebb show no", ["show", "no"]),
        ("hebb import notes.jsonl no", ["import", "notes.jsonl", "no"]),
        ("hebb -- no", ["--", "no"]),
        ("hebb no", ["no"]),
        ("FOO=1 hebb conf", ["config"]),
        (": con; hebb conf", ["config"]),
    ],
)
def test_tab_completes_the_word_that_enter_then_runs(name, line, words, tmp_path) -> None:
    with SHELLS[name](tmp_path) as shell:
        assert shell.run(line) == words
    assert not (shell.work / "ran").exists()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("hebb import ", {*FILES, "sub/"}),
        ("hebb import -- n", {"notes.jsonl"}),
        ("hebb --db my", {"my file.jsonl"}),
        ("hebb --db=my", {"--db=my file.jsonl"}),
        ("hebb show ", set()),
        ("hebb -- ", set()),
        ("hebb nonsense ", set()),
    ],
)
def test_fish_offers_files_only_for_paths(line, offered, tmp_path) -> None:
    assert set(Fish(tmp_path).described(line)) == offered


def test_fish_describes_what_it_offers(tmp_path) -> None:
    fish = Fish(tmp_path)
    assert fish.described("hebb conf") == {"config": "Read and change settings."}
    assert fish.described("hebb gc --purge") == {"--purge": "Also erase the whole archive."}
    settings_offered = fish.described("hebb config set ")
    assert settings_offered == {name: row.help for name, row in SETTINGS.items()}


def test_zsh_describes_what_it_offers(tmp_path) -> None:
    with Zsh(tmp_path) as zsh:
        zsh.type(b"hebb config \t")
        for summary in ("Show one setting and where its value comes from.", "Take one setting out"):
            zsh.wait_for(summary)


BASH_CALL = """
source "$SCRIPTS/hebb.bash"
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*"
IFS=:
_hebb hebb "${COMP_WORDS[COMP_CWORD]}"
printf '%s\n' "${COMPREPLY[@]}"
"""


@pytest.mark.parametrize("options", ["-eu", "-euf", "-euo pipefail", "-o posix", "-O nocasematch"])
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["hebb", "conf"], ["config"]),
        (["hebb", "--db", "x", "-q", "config", "set", "on_forget", "er"], ["erase"]),
        (["hebb", "add", "--partition=mem_n"], ["--partition=mem_notes"]),  # no = in WORDBREAKS
        (["hebb", "nonsense", ""], [""]),
    ],
)
def test_bash_function_works_under_strict_options(options, words, offered, tmp_path) -> None:
    done = subprocess.run(
        [program("bash"), *options.split(), "-c", BASH_CALL, "hebb", *words],
        cwd=workplace(tmp_path),
        env=environment(tmp_path),
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr, done.stdout.splitlines()) == (0, "", offered)


HELP = """it's $(: >ran) `: >ran` [x]: "50 %s" \\n \\ *
    and more"""
ONE_LINE = """it's $(: >ran) `: >ran` [x]: "50 %s" \\n \\ * and more"""


class Speed(Enum):
    FAST = "fast"
    SLOW = "slow"


def made_up(ctx: typer.Context, force: bool = False) -> None: ...


def restore(
    file: Path,
    mode: Annotated[str, typer.Option("--mode", "-m", metavar="[full|partial]", help=HELP)] = "",
    speed: Speed = Speed.FAST,
    secret: Annotated[str, typer.Option(hidden=True)] = "",
    into: Path | None = None,
) -> None:
    """Bring a copy back."""


def link(
    memory_id: str, kinds: Annotated[list[str], typer.Argument(metavar="event|fact...")]
) -> None: ...


NEW_LINES = {
    "hebb ": {"backup"},
    "hebb backup ": {"restore", "link"},
    "hebb backup restore --m": {"--mode"},
    "hebb backup restore --secret": set(),
    "hebb backup restore x -m ": {"full", "partial"},
    "hebb backup restore --speed=": {"fast", "slow"},
    "hebb backup link ": set(),
    "hebb backup link 1 ": {"event", "fact"},
    "hebb backup link 1 event f": {"fact"},
}


@pytest.fixture
def other_tree() -> Any:
    """A tree that the generator has never seen: two levels, choices, paths, what is hidden."""
    root, backup = typer.Typer(callback=made_up, add_completion=False), typer.Typer(help=HELP)
    backup.command()(restore)
    backup.command()(link)
    backup.command(hidden=True)(made_up)
    root.add_typer(backup, name="backup")
    return typer.main.get_command(root)


@pytest.mark.parametrize("name", SHELLS)
def test_new_commands_and_options_need_no_change(name, other_tree, tmp_path) -> None:
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    for script, text in generate.scripts(other_tree).items():
        (scripts / script).write_text(text, "utf-8")
    with SHELLS[name](tmp_path, scripts) as shell:
        for line, offered in NEW_LINES.items():
            assert shell.offers(line) == offered, line
    assert not (shell.work / "ran").exists()


def test_help_texts_are_shown_as_they_stand(other_tree, tmp_path) -> None:
    for script, text in generate.scripts(other_tree).items():
        (tmp_path / script).write_text(text, "utf-8")
    assert Fish(tmp_path, tmp_path).described("hebb backup restore --mo") == {"--mode": ONE_LINE}
    with Zsh(tmp_path, tmp_path) as zsh:
        zsh.type(b"hebb backup restore -\t")
        zsh.wait_for(ONE_LINE)
    assert not (zsh.work / "ran").exists()


def test_word_that_would_need_quoting_is_refused() -> None:
    root = typer.Typer(callback=made_up)
    root.command("$(reboot)")(restore)
    with pytest.raises(ValueError, match="quoting"):
        generate.scripts(typer.main.get_command(root))


TEXTS = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0")), max_size=20)


@pytest.mark.parametrize(
    ("name", "quoted"),
    [("bash", "quoted"), ("zsh", "quoted"), ("fish", "fish_quoted")],
)
@settings(max_examples=25)
@given(texts=TEXTS)
def test_quoted_text_is_what_the_shell_reads(name, quoted, texts) -> None:
    words = " ".join(getattr(generate, quoted)(text) for text in texts)
    bare = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[name]
    done = subprocess.run(
        [program(name), *bare, "-c", f"printf '%s\\0' {words}"],
        env={"LC_ALL": "C.UTF-8", "HOME": "/dev/null/home"},
        capture_output=True,
    )
    assert (done.stdout.decode(), done.stderr) == ("".join(f"{t}\0" for t in texts or [""]), b"")


GUIDE = (ROOT / "docs" / "completion.md").read_text("utf-8")
REGISTERED = {"bash": "complete -p hebb", "zsh": "print $_comps[hebb]", "fish": "complete hebb"}


@pytest.fixture
def installed(tmp_path) -> Path:
    """A prefix laid out as the wheel does it, with a link to its hebb such as pipx makes."""
    prefix = tmp_path / "a prefix"
    for source, target in shared_files().items():
        (prefix / target).parent.mkdir(parents=True)
        shutil.copy(ROOT / source, prefix / target)
    (prefix / "bin").mkdir()
    (prefix / "bin" / "hebb").touch(0o700)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "hebb").symlink_to(prefix / "bin" / "hebb")
    return tmp_path


def shared_files() -> dict[str, str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    found: dict[str, str] = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    return found


def test_wheel_holds_every_script_where_its_shell_looks() -> None:
    assert shared_files() == {
        "completions/hebb.bash": "share/bash-completion/completions/hebb",
        "completions/_hebb": "share/zsh/site-functions/_hebb",
        "completions/hebb.fish": "share/fish/vendor_completions.d/hebb.fish",
    }


@pytest.mark.parametrize("name", SHELLS)
def test_lines_of_the_guide_load_the_completion(name, installed) -> None:
    blocks = re.findall(rf"^```{name}\n(.*?)^```", GUIDE, re.M | re.S)
    assert len(blocks) == 1
    bare = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[name]
    done = subprocess.run(
        [program(name), *bare, "-c", f"{blocks[0]}\n{REGISTERED[name]}"],
        env={"PATH": f"{installed / 'bin'}:/usr/bin:/bin", "HOME": str(installed)},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "_hebb" in done.stdout


@pytest.mark.parametrize(("name", "script"), [*zip(SHELLS, SCRIPTS, strict=True)])
def test_script_can_be_sourced_from_a_checkout(name, script) -> None:
    assert f"source completions/{script}" in GUIDE
    bare = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[name]
    first = "autoload -Uz compinit && compinit -u -D; " if name == "zsh" else ""
    command = f"{first}source completions/{script}; {REGISTERED[name]}"
    done = subprocess.run([program(name), *bare, "-c", command], cwd=ROOT, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"_hebb" in done.stdout
