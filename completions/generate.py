"""Write the completion scripts of Bash, zsh and fish beside this file: ``python generate.py``.

Each is an engine from ``engines/``, written by hand, with tables made from the command tree. They
hold only words of our own, which are checked here: none of them needs quoting.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import typer
from typer.core import TyperOption

from hebbctl import policies
from hebbctl.cli.app import app
from hebbctl.settings import OVERRIDE_FIELDS, SETTINGS

HERE = Path(__file__).parent
# Name of a parameter, in the singular, or of its parser -> what it may be, among other words.
KNOWN = {
    "partition": policies.KNOWN,
    "kind": policies.PARTITION_OF_KIND,
    "field": (*OVERRIDE_FIELDS, "enabled"),
}
PATHS = {"path", "file", "directory", "filename"}  # what Typer calls the types of paths
CHOICES = r"[a-z0-9_-]+(\|[a-z0-9_-]+)+"  # such as created|accessed in a metavar
SAFE = r"[A-Za-z0-9_-][A-Za-z0-9_.-]*"  # needs no quoting in any shell


class Offer(NamedTuple):
    """A word that is offered, and what it is about."""

    word: str
    help: str = ""


class Place(NamedTuple):
    """A command: its options, and which of them want a value."""

    path: str
    options: list[Offer]
    valued: list[str]


class Row(NamedTuple):
    """What is offered for one value or argument.

    ``start`` is how an engine calls it: ``hebb add --kind``, or ``hebb config set #2 on_forget``
    for a second argument after that one. If it is ``open``, it only begins so.
    """

    start: str
    offers: list[Offer]
    wants_path: bool = False
    open: bool = False


def scripts(root: Any) -> dict[str, str]:
    """Return the text of each script, by file name, for a command tree.

    Raises:
        ValueError: a word would need quoting, or an option wants several values.
    """
    commands = list(_commands(root, "hebb"))
    places = [_place(path, command) for path, command in commands]
    rows = [row for path, command in commands for row in _rows(path, command)]
    _check(offer for place in places for offer in place.options)
    _check(offer for row in rows for offer in row.offers)
    tables = {
        "hebb.bash": bash(places, rows),
        "_hebb": zsh(places, rows),
        "hebb.fish": fish(places, rows),
    }
    return {
        name: (HERE / "engines" / name).read_text("utf-8").replace("# TABLES\n", table)
        for name, table in tables.items()
    }


def _check(offers: Iterable[Offer]) -> None:
    for offer in offers:
        if not re.fullmatch(SAFE, offer.word):
            raise ValueError(f"{offer.word!r} would need quoting")


def _commands(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    yield path, command
    for name, below in _below(command):
        yield from _commands(below, f"{path} {name}")


def _below(command: Any) -> list[tuple[str, Any]]:
    if not hasattr(command, "list_commands"):
        return []
    found = [(name, command.get_command(None, name)) for name in command.list_commands(None)]
    return [(name, below) for name, below in found if not below.hidden]


def _place(path: str, command: Any) -> Place:
    options = [offer for option in _options(command) for offer in _spellings(option)]
    if path == "hebb":  # whose options are offered everywhere
        options.append(Offer("--help", "Show how it is used."))
    return Place(path, options, [spelling for spelling, _ in _valued(command)])


def _spellings(option: TyperOption) -> Iterator[Offer]:
    """Yield each spelling with its help; ``--no-x`` of a pair says the opposite."""
    told = option.help or ""
    yield from (Offer(spelling, told) for spelling in option.opts)
    yield from (Offer(spelling, f"Not: {told}") for spelling in option.secondary_opts)


def _options(command: Any) -> list[TyperOption]:
    return [
        param for param in command.params if isinstance(param, TyperOption) and not param.hidden
    ]


def _valued(command: Any) -> list[tuple[str, TyperOption]]:
    """List the options that want a value, under each spelling."""
    found = [option for option in _options(command) if not (option.is_flag or option.count)]
    for option in found:
        if option.nargs != 1:
            raise ValueError(f"{option.opts[0]}: the engines know options of one value only")
    return [(spelling, option) for option in found for spelling in option.opts]


def _rows(path: str, command: Any) -> Iterator[Row]:
    """Yield a row for each value and argument of which something is known."""
    for spelling, option in _valued(command):
        row = Row(f"{path} {spelling}", _known(path, option), _wants_path(option))
        if row.offers or row.wants_path:
            yield row
    below = [Offer(name, _summary(one)) for name, one in _below(command)]
    arguments = [Row(f"{path} #1 ", below, open=True)] if below else list(_arguments(path, command))
    while arguments and not (arguments[-1].offers or arguments[-1].wants_path):
        arguments.pop()  # one with nothing to offer only keeps its place before another
    yield from arguments


def _arguments(path: str, command: Any) -> Iterator[Row]:
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    for number, argument in enumerate(arguments, start=1):
        start = f"{path} #{number} "
        if path.startswith("hebb config ") and argument.name == "value":
            for setting in SETTINGS.values():
                if setting.choices:
                    yield Row(start + setting.name, [Offer(word) for word in setting.choices])
        if argument.nargs != 1:
            start = f"{path} #"
        yield Row(start, _known(path, argument), _wants_path(argument), open=True)


def _wants_path(param: Any) -> bool:
    return param.type.name in PATHS


def _known(path: str, param: Any) -> list[Offer]:
    """Return the words that are known to fit an option or argument."""
    if path.startswith("hebb config ") and param.name == "name":
        return [Offer(setting.name, setting.help) for setting in SETTINGS.values()]
    metavar = (param.metavar or "").strip("[].")
    if re.fullmatch(CHOICES, metavar):
        return [Offer(word) for word in metavar.split("|")]
    if choices := getattr(param.type, "choices", None):
        return [Offer(str(choice)) for choice in choices]
    return [
        Offer(word)
        for word in KNOWN.get(param.name.removesuffix("s")) or KNOWN.get(param.type.name) or ()
    ]


def _summary(command: Any) -> str:
    return (command.help or "").partition("\n")[0]


def bash(places: list[Place], rows: list[Row]) -> str:
    """Return the tables of Bash: words alone, as it shows nothing else."""

    def words(offers: list[Offer]) -> str:
        return f"'{' '.join(offer.word for offer in offers)}'"

    return _posix(places, rows, words)


def zsh(places: list[Place], rows: list[Row]) -> str:
    """Return the tables of zsh: arrays of ``word:help``."""

    def described(offers: list[Offer]) -> str:
        lines = [quoted(offer.word + _after_colon(offer.help)) for offer in offers]
        return "(\n            " + "\n            ".join(lines) + ")"

    return _posix(places, rows, described)


def _after_colon(help: str) -> str:
    line = _line(help).replace("\\", r"\\")  # a backslash escapes within _describe
    return f":{line}" if line else ""


def _posix(places: list[Place], rows: list[Row], written: Callable[[list[Offer]], str]) -> str:
    """Return the functions that Bash and zsh share; they fail where they know nothing."""
    commands = [
        f"{quoted(place.path)}) options={written(place.options)}"
        f" valued='{' '.join(place.valued)}' ;;"
        for place in places
    ]
    values = [
        f"{quoted(row.start)}{'*' * row.open}) "
        + ("files=yes ;;" if row.wants_path else f"offers={written(row.offers)} ;;")
        for row in rows
    ]
    return _case("_hebb_command", commands) + "\n" + _case("_hebb_values", values)


def _case(name: str, cases: list[str]) -> str:
    lines = "".join(f"        {case}\n" for case in [*cases, "*) return 1 ;;"])
    return f'{name}() {{\n    case "$1" in\n{lines}    esac\n}}\n'


def quoted(text: str) -> str:
    """Quote a text for Bash and zsh."""
    return "'" + text.replace("'", r"'\''") + "'"


def fish(places: list[Place], rows: list[Row]) -> str:
    """Return the tables of fish: functions that print lines of word, tab and help."""
    paths = " ".join(fish_quoted(place.path) for place in places)
    known = f"function __hebb_is_command\n    contains -- $argv[1] {paths}\nend\n"
    valued = [
        (fish_quoted(place.path), f"string join \\n -- {' '.join(place.valued)}")
        for place in places
        if place.valued
    ]
    options = [Row(f"{place.path} -", place.options) for place in places if place.options]
    values = [
        (fish_quoted(row.start + "*" * row.open), _fish_action(row)) for row in (*options, *rows)
    ]
    return "\n".join([known, _switch("__hebb_valued", valued), _switch("__hebb_values", values)])


def _fish_action(row: Row) -> str:
    if row.wants_path:
        return "echo /"
    pairs = [f"{offer.word} {fish_quoted(_line(offer.help))}" for offer in row.offers]
    return "printf '%s\\t%s\\n' " + " \\\n                ".join(pairs) if pairs else "return"


def _switch(name: str, cases: list[tuple[str, str]]) -> str:
    lines = [line for case, action in cases for line in (f"    case {case}", f"        {action}")]
    body = "".join(f"    {line}\n" for line in ["switch $argv[1]", *lines, "end"])
    return f"function {name}\n{body}end\n"


def fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", r"\\").replace("'", r"\'") + "'"


def _line(text: str) -> str:
    """Return a text in one line, without what a terminal would act on."""
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())


def main() -> None:
    for name, text in scripts(typer.main.get_command(app)).items():
        (HERE / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
