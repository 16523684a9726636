"""The rules of the source tree: layers, owners, holders of outside things, small commands."""

import ast
import re
import sqlite3
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
import typer

from hebbctl.cli import app
from hebbctl.cli.commands import ENTRIES
from hebbctl.migrations import schema_sql
from hebbctl.models import Policy
from hebbctl.store.functions import register

SOURCE = Path(__file__).parents[1] / "src" / "hebbctl"

# Top row first. A module imports only from rows below its own; modules of one row do not know
# each other. A new module is first added here.
LAYERS = [
    ["__main__"],
    ["cli"],
    ["servers"],
    ["render"],
    ["session"],
    ["editing", "programs", "standby"],
    ["usecases"],
    ["store", "documents", "embeddings"],
    ["migrations", "records", "fields", "promotion"],
    ["policies", "presets", "ranking", "blocks", "similarity"],
    ["dates", "graph", "text", "times", "tokens", "secrets"],
    ["config"],
    ["settings"],
    ["setting"],
    ["curves"],
    ["places"],
    ["environment"],
    ["reports"],
    ["models"],
    ["errors"],
]
RANK = {name: rank for rank, row in enumerate(LAYERS) for name in row}
# The only ones allowed to import each of these at all.
OWNERS = {"sqlite3": {"store", "migrations"}, "typer": {"cli"}, "rich": {"render"}}
# Slow to load: imported inside a function, or by a module that is itself imported there.
LAZY = {"rich", "fastapi", "uvicorn", "mcp", "numpy", "ruamel"}
# Values in, values out: these may import nothing but the following.
PURE = {
    *("blocks", "curves", "dates", "documents", "fields", "graph", "models", "policies"),
    *(
        "presets",
        "promotion",
        "ranking",
        "records",
        "secrets",
        "similarity",
        "setting",
        "settings",
        "text",
    ),
    *("times", "tokens"),
}
PURE_IMPORTS = {
    *("bisect", "collections", "collections.abc", "datetime", "functools", "hashlib", "itertools"),
    *("json", "math", "re"),
    *("typing", "unicodedata"),
    *(f"hebbctl.{name}" for name in PURE | {"errors"}),
    *(f"hebbctl.documents.{name}" for name in ("jsonl", "locomo")),
}
# The only one that may mention each of these names.
HOLDERS = {
    "time.time": "session",
    "time.time_ns": "session",
    "datetime.now": "session",
    "datetime.utcnow": "session",
    "date.today": "session",
    "os.environ": "environment",
    "os.getenv": "environment",
    "Path.home": "environment",
    "Path.cwd": "environment",
    "os.getcwd": "environment",
    "sys.stdin": "session",
    "sys.stdout": "render",
    "sys.stderr": "render",
    "print": "render",
    "typer.echo": "render",
}
LONGEST_MODULE = 500  # lines
LONGEST_SUMMARY = 60  # characters
MOST_STATEMENTS = 8  # in a command

FILES = sorted(SOURCE.rglob("*.py"))
each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))


def unit(path: Path) -> str:
    """Return the entry of LAYERS a file belongs to: its top-level module or package."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def dotted(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


MODULES = {dotted(path) for path in FILES}


def imports(path: Path) -> list[tuple[str, int, bool]]:
    """List (module, line, at top level) for every import in a file, also inside functions."""
    tree = parsed(path)
    found = []
    for node in ast.walk(tree):
        at_top = node in tree.body
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno, at_top) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            base = node.module or ""
            for alias in node.names:
                full = f"{base}.{alias.name}"
                found.append((full if full in MODULES else base, node.lineno, at_top))
    return found


def local_names(path: Path) -> list[tuple[str, int]]:
    """List every dotted name a file mentions or imports from a module, each with its line."""
    found = []
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ImportFrom):
            found += [(f"{node.module}.{alias.name}", node.lineno) for alias in node.names]
        elif isinstance(node, ast.Attribute | ast.Name):
            found.append((ast.unparse(node), node.lineno))
    return found


@each_file
def test_imports_point_down(path: Path) -> None:
    here = unit(path)
    assert here == "__init__" or here in RANK, f"{here} is in no layer: add it to LAYERS"
    for name, line, _ in imports(path):
        package, *rest = name.split(".")
        if package == "hebbctl" and rest and rest[0] != here:
            assert RANK[rest[0]] > RANK[here], f"{path.name}:{line} imports {name}: upwards"


@each_file
def test_outside_packages_have_one_owner(path: Path) -> None:
    for name, line, _ in imports(path):
        owners = OWNERS.get(name.partition(".")[0], {unit(path)})
        assert unit(path) in owners, f"{path.name}:{line} imports {name}: only {owners} may"


def test_slow_packages_load_late() -> None:
    early = {name for path in FILES for name, _, at_top in imports(path) if at_top} | {"hebbctl"}
    for path in FILES:
        for name, line, at_top in imports(path):
            slow = name.partition(".")[0] in LAZY
            assert not (slow and at_top and dotted(path) in early), f"{path}:{line} imports {name}"


@pytest.mark.parametrize(
    "path", [path for path in FILES if unit(path) in PURE], ids=lambda path: path.stem
)
def test_pure_modules_import_nothing_that_acts(path: Path) -> None:
    found = {name for name, _, _ in imports(path)} - {"hebbctl"}
    assert found <= PURE_IMPORTS
    assert not {"open", "input"} & {name for name, _ in local_names(path)}


@each_file
def test_clock_environment_and_streams_have_one_holder(path: Path) -> None:
    for name, line in local_names(path):
        holder = HOLDERS.get(name, unit(path))
        assert holder == unit(path), f"{path.name}:{line}: {name} belongs to {holder}"


def test_no_two_modules_need_each_other() -> None:
    graph = {dotted(path): {name for name, _, _ in imports(path)} & MODULES for path in FILES}
    graph["hebbctl"] = set()
    TopologicalSorter(graph).prepare()


@each_file
def test_module_opens_with_one_sentence_and_is_short(path: Path) -> None:
    docstring = ast.get_docstring(parsed(path)) or ""
    assert re.fullmatch(r"(?:[^.!?]|[.!?](?! [A-Z]))+\.", docstring), docstring
    assert len(path.read_text("utf-8").splitlines()) <= LONGEST_MODULE


def commands() -> list[ast.FunctionDef]:
    """List the functions that are commands, by their decorator."""
    return [
        node
        for path in sorted((SOURCE / "cli").glob("*.py"))
        for node in parsed(path).body
        if isinstance(node, ast.FunctionDef)
        and any("command" in ast.unparse(decorator) for decorator in node.decorator_list)
    ]


@pytest.mark.parametrize("command", commands(), ids=lambda command: command.name)
def test_command_only_parses_calls_and_shows(command: ast.FunctionDef) -> None:
    logic = (ast.For, ast.While, ast.Try, ast.With, ast.ListComp)
    assert not [node for node in ast.walk(command) if isinstance(node, logic)]
    assert len(command.body) <= MOST_STATEMENTS
    summary = (ast.get_docstring(command) or "").partition("\n")[0]
    assert 0 < len(summary) < LONGEST_SUMMARY


@pytest.mark.parametrize("name", ENTRIES)
def test_summary_in_the_root_help_is_the_commands_own(name: str) -> None:
    command = typer.main.get_command(app.app).get_command(None, name)
    assert command.help.partition("\n")[0] == ENTRIES[name].summary


def test_every_command_is_in_the_root_help() -> None:
    root = typer.main.get_command(app.app)
    for name in ENTRIES:
        root.get_command(None, name)
    assert set(root.commands) == set(ENTRIES)


@pytest.fixture
def schema():
    db = sqlite3.connect(":memory:")
    db.executescript(schema_sql())
    yield db
    db.close()


def test_every_table_is_strict(schema: sqlite3.Connection) -> None:
    tables = schema.execute(
        """
        SELECT name
        FROM pragma_table_list
        WHERE schema = 'main'
          AND type = 'table'
          AND strict = 0
          AND name NOT LIKE 'sqlite_%'
        """
    )
    assert tables.fetchall() == []


def test_schema_calls_no_function_of_ours(schema: sqlite3.Connection) -> None:
    names = "SELECT DISTINCT name FROM pragma_function_list"
    plain = set(schema.execute(names))
    register(schema, lambda _: Policy(60, 2, 1.5, 0.3, 1), now=0, key=lambda: b"")
    ours = {name for (name,) in set(schema.execute(names)) - plain}
    assert {"retention", "lifetime_ms"} <= ours
    called = set(re.findall(r"(\w+)\s*\(", re.sub("--.*", "", schema_sql())))
    assert not ours & called
