"""Global options: anywhere in the line, each with its effect; help and version need no store."""

import json

import pytest
import typer

from hebbctl import __version__
from hebbctl.cli import app, tree
from hebbctl.cli.commands import ENTRIES


@pytest.mark.parametrize(
    "line",
    [
        "--json show 1",
        "show --json 1",
        "show 1 --json",
        "show 1 --json --quiet --db {home}/hebb.db",
        "--db={home}/hebb.db show --now 2026-01-01 1 --json",
        "-qv show 1 --json",
    ],
)
def test_global_options_go_before_and_after_the_command(hebb, home, line) -> None:
    hebb("add", "x")
    assert json.loads(hebb(*line.format(home=home).split()).out)["content"] == "x"


def test_global_options_go_after_a_command_of_a_group(hebb) -> None:
    assert hebb.json("config", "get", "k_access")["value"] == 1.5
    assert hebb("config", "get", "k_access").out == hebb("config", "-q", "get", "k_access").out


@pytest.mark.parametrize(
    ("words", "stays"),
    [
        ("add x --source --json", "add x --source --json"),
        ("add x --source=--json --json", "add x --source=--json"),
        ("recall -n --json", "recall -n --json"),
        ("recall -n5 --json", "recall -n5"),
        ("recall --limit 5 --json", "recall --limit 5"),
        ("--db --json recall", "recall"),
        ("add --quiet -- --json", "add -- --json"),
        ("add - --json", "add -"),
        ("config --json set k_access 1", "config set k_access 1"),
        ("nonsense --json", "nonsense"),
        ("recall --bogus --json", "recall --bogus"),
    ],
)
def test_only_global_options_are_hoisted(words, stays) -> None:
    root = typer.main.get_command(app.app)
    assert tree.hoist(root, words.split())[1] == stays.split()


def test_value_that_looks_like_a_global_option_is_kept(hebb) -> None:
    hebb("add", "x", "--source", "--json")
    assert hebb.json("show", 1)["source"] == "--json"


@pytest.mark.parametrize("option", ["--db", "--config", "--now"])
def test_global_option_without_its_value_is_wrong_usage(hebb, option) -> None:
    assert hebb.error("list", option)["code"] == 2


def test_db_names_the_store_and_wins_over_the_environment(hebb, home, monkeypatch) -> None:
    monkeypatch.setenv("HEBB_DB", str(home / "variable.db"))
    hebb("add", "x", "--db", home / "option.db")
    assert {path.name for path in home.glob("*.db")} == {"option.db"}
    hebb("add", "x")
    assert {path.name for path in home.glob("*.db")} == {"option.db", "variable.db"}


def test_config_names_the_settings_file_and_wins_over_the_environment(
    hebb, home, monkeypatch
) -> None:
    monkeypatch.setenv("HEBB_CONFIG", str(home / "variable.json"))
    hebb("config", "set", "k_access", 3, "--config", home / "option.json")
    assert {path.name for path in home.glob("*.json")} == {"option.json"}
    assert hebb.json("config", "get", "k_access")["origin"] == "default"
    assert hebb("config", "path").out == f"{home}/variable.json\n"


def test_now_looks_from_another_time_and_counts_nothing_as_use(hebb) -> None:
    hebb("add", "tea")
    [seen] = hebb.json("recall", "tea", "--now", "2027-01-01")
    assert seen["retention"] < 0.1
    assert hebb.json("show", 1)["access_count"] == 0
    assert hebb.ids("gc", "--dry-run", "--now", "2027-01-01") == [1]
    assert hebb.ids("gc", "--dry-run") == []


@pytest.mark.parametrize(
    "line",
    [
        "add y",
        "forget 1",
        "gc",
        "archive 1",
        "restore 1",
        "import lines.jsonl",
        "config set k_access 1",
        "config unset k_access",
        "policy set mem_facts --k-access 1",
        "policy clear mem_facts",
    ],
)
def test_now_is_refused_where_something_would_be_written(hebb, home, contents, line) -> None:
    hebb("add", "x")
    (home / "lines.jsonl").write_text('{"content": "y"}\n')
    before = contents()
    words = line.replace("lines.jsonl", str(home / "lines.jsonl")).split()
    error = hebb.error(*words, "--now", "2027-01-01")
    assert (error["code"], error["kind"]) == (2, "usage")
    assert "--now" in error["message"]
    assert contents() == before


@pytest.mark.parametrize("now", ["tomorrow", "2026-13-01", "1969-12-31", "0000-01-01", "12:30"])
def test_time_that_is_none_is_named(hebb, monkeypatch, now) -> None:
    hebb("add", "x")
    assert now in hebb.error("list", "--now", now)["message"]
    monkeypatch.setenv("HEBB_NOW", now)
    assert now in hebb.error("list")["message"]


def test_quiet_leaves_only_results(hebb) -> None:
    hebb("add", "x")
    assert hebb("add", "x").err == "already there as 1: not stored again, nor changed\n"
    assert hebb("add", "x", "--quiet")[:] == (0, "1\n", "")
    assert hebb("gc", "--quiet")[:] == (0, "", "")
    assert hebb("gc", "--dry-run", "-q")[:] == (0, "", "")


def test_verbose_names_each_memory_a_sweep_takes(hebb, at) -> None:
    hebb("add", "x")
    at(365)
    assert hebb("gc", "--verbose").rows[0][:3] == ["1", "archived", "faded"]


def test_version_and_help_need_neither_store_nor_settings(hebb, home) -> None:
    (home / "hebb.json").write_text("damaged")
    (home / "hebb.db").write_text("damaged")
    assert hebb("--version")[:] == (0, f"{__version__}\n", "")
    for words in (["--help"], ["add", "--help"], ["config", "--help"], ["policy", "set", "--help"]):
        done = hebb(*words)
        assert (done.code, done.err) == (0, "")
        assert done.out.startswith("Usage: hebb ")


@pytest.mark.parametrize("name", [name for name in ENTRIES if name not in ("config", "policy")])
def test_help_of_each_command_begins_with_its_summary_and_ends_with_an_example(hebb, name) -> None:
    out = hebb(name, "--help").out
    assert ENTRIES[name].summary in out
    for example in ENTRIES[name].examples:
        assert f"\n    {example}\n" in out


@pytest.mark.parametrize("line", ["add gc --db", "recall export --config", "list -n"])
def test_option_without_its_value_is_refused_and_swallows_no_word(hebb, home, line) -> None:
    hebb("add", "x")
    assert hebb.error(*line.split())["code"] == 2
    assert not (home / "add").exists()


def test_short_options_may_be_joined(hebb) -> None:
    hebb.bring(*({"content": f"note {number}"} for number in range(5)))
    for words in (["-qn2"], ["-qn", "2"], ["-vqn2"]):
        done = hebb("list", *words)
        assert (done.code, len(done.rows), done.err) == (0, 2, ""), words
    assert hebb("list", "-qx").code == 2
