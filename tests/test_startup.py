"""Fast commands must not load slow packages, nor the modules of other commands."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SLOW = {
    *("asyncio", "importlib.metadata", "importlib.resources", "mcp", "numpy", "pydantic", "rich"),
    *("starlette", "uvicorn", "yaml"),
}
ALWAYS = {"app", "commands", "tree"}
PROGRAM = """\
import sys
from hebbctl.cli.app import main
code = main(sys.argv[1:])
print(*sys.modules, sep="\\n", file=sys.stderr)
sys.exit(code)
"""
# Prints in their order the statements and the imports from the first lock to its end.
TRACE = """\
import sqlite3, sys
steps, connect = [], sqlite3.connect
def traced(*arguments, **options):
    db = connect(*arguments, **options)
    db.set_trace_callback(steps.append)
    return db
sqlite3.connect = traced
sys.addaudithook(lambda event, given: steps.append(given[0]) if event == "import" else None)
from hebbctl.cli.app import main
main(sys.argv[1:])
print(*steps[steps.index("BEGIN IMMEDIATE"):steps.index("COMMIT")], sep="\\n", file=sys.stderr)
"""
COMMANDS = [
    (("recall", "--json"), {"recall", "values"}),
    (("recall", "--json", "tabs"), {"recall", "values"}),
    (("stats", "--json"), {"insight", "values"}),
    (("inject", "tabs"), {"injection", "values"}),
    (("curve", "--json"), {"charts", "values"}),
    (("matrix",), {"charts", "values"}),
    (("add", "use tabs"), {"memories", "values"}),
    (("embed", "--dry-run"), {"embedding"}),
    (("--version",), set()),
    (("--help",), set()),
]
each_command = pytest.mark.parametrize(
    ("arguments", "own"), COMMANDS, ids=[" ".join(arguments) for arguments, _ in COMMANDS]
)


def loaded(folder: Path, arguments: tuple[str, ...]) -> set[str]:
    """Return the names of all modules that a real process has loaded when the command is done."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        env={**os.environ, "HEBB_HOME": str(folder)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


@each_command
def test_command_loads_no_slow_package_and_only_its_own_module(
    arguments: tuple[str, ...], own: set[str], tmp_path: Path
) -> None:
    found = loaded(tmp_path, arguments)
    beginning = "hebbctl.cli."
    ours = {name.removeprefix(beginning) for name in found if name.startswith(beginning)}
    assert found & SLOW == set()
    assert ours == ALWAYS | own


@pytest.mark.parametrize("arguments", [("recall", "--json", "tabs"), ("list",), ("add", "x")])
def test_everyday_command_loads_nothing_of_the_rare_ones(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    rare = {"reports", "store.backups", "store.changing", "store.health", "usecases.insight"}
    assert loaded(tmp_path, arguments) & {f"hebbctl.{name}" for name in rare} == set()


def test_version_and_help_touch_no_store(tmp_path: Path) -> None:
    for option in ("--version", "--help"):
        loaded(tmp_path, (option,))
    assert list(tmp_path.iterdir()) == []


def test_adding_loads_nothing_while_other_writers_wait(tmp_path: Path) -> None:
    loaded(tmp_path, ("add", "this makes the store"))
    done = subprocess.run(
        [sys.executable, "-c", TRACE, "add", "use tabs"],
        env={**os.environ, "HEBB_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    steps = done.stderr.splitlines()
    assert steps[0] == "BEGIN IMMEDIATE"
    assert not {"hashlib", "json", "unicodedata"} & set(steps)
