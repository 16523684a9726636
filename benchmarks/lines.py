"""Command lines for the fuzzer, made from the real command tree."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, NamedTuple

import hostile
import typer

from hebbctl.cli import app
from hebbctl.cli.commands import ENTRIES

READERS = {
    *("list", "show", "explain", "forecast", "stats", "audit", "curve", "matrix", "export", "path"),
    *("config get", "config list", "config path", "policy list", "policy show", "policy preview"),
    *("backup list", "demo", "bench recall", "schedule cron", "schedule systemd"),
    *("compare", "related", "graph"),
}
# Reading, if one of these is among its options.
READ_WITH = {
    "recall": {"--peek"},
    "inject": {"--peek", "--dry-run"},
    "consolidate": {"--dry-run", "--similar"},
    **{name: {"--dry-run"} for name in ("forget", "gc", "restore", "promote", "reinforce")},
    **{name: {"--dry-run"} for name in ("embed", "config preset")},
}
KINDS = {
    **dict.fromkeys(("TEXT", "[TEXT]", "[QUERY]"), "text"),
    **dict.fromkeys(("0..10", "0..1", "N", "DAYS", "K", "S", "SHARE", "W"), "number"),
    **dict.fromkeys(("WHEN", "DURATION", "TIME"), "when"),
    **dict.fromkeys(("ID", "[ID]", "ID...", "[ID...]", "OTHER"), "id"),
    **dict.fromkeys(("FILE", "FILE...", "[FILE]", "[FOLDER]", "PATH"), "path"),
    **dict.fromkeys(("KIND", "TAG", "NAME", "KEY"), "label"),
    "+TAG|-TAG...": "signed",
    "PARTITION": "partition",
    "[FIELD...]": "setting",
    "VALUE": "value",
    "FIELD=VALUE": "assignment",
    "MODEL": "model",
    "[NAME]": "preset",
}
# Where a word says less than this about what belongs there.
KINDS_BY_NAME = {"partition": "partition", "preset": "preset"}
EDITORS = ("true", "false", "no-such-editor", "'unclosed", "sh -c 'echo new >>\"$0\"'")
VARIABLES = {
    "HEBB_DB": hostile.PATHS,
    "HEBB_CONFIG": hostile.PATHS,
    "HEBB_HOME": ("", "missing", "folder", "notes.jsonl"),
    "HEBB_NOW": hostile.WHENS,
    "VISUAL": EDITORS,
    "TZ": ("Asia/Shanghai", "America/Los_Angeles", "nonsense", ":/dev/null", "UTC-99", "<\udcff>0"),
    "COLUMNS": ("0", "-5", "1", "20", "200", "9999", "x"),
    "LC_ALL": ("C", "POSIX"),
    "TERM": ("dumb", "", "no-such-terminal"),
    **dict.fromkeys(("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"), ("1", "0", "x")),
    **{f"HEBB_{name.upper()}": values for name, values in hostile.VALUES.items()},
}
VECTORS = (("HEBB_EMBEDDER", "command"), ("HEBB_EMBED_COMMAND", hostile.EMBEDDER))
# Without these a command gets no further than its first line, or does the same as others.
GETS_FURTHER = {
    **dict.fromkeys(("embed", "recall", "inject"), VECTORS),
    **dict.fromkeys(("add", "edit", "import"), (*VECTORS, ("HEBB_EMBED_ON_WRITE", "true"))),
    **dict.fromkeys(("forget", "gc", "restore"), (("HEBB_RESTORABLE", "true"),)),
    "consolidate": (("HEBB_CONSOLIDATE_COMMAND", hostile.MOVER),),
}
ENDLESS = "schedule run"  # but not with --once, so these words stay together
STDOUTS = (
    "utf-8",
    "utf-8",
    "utf-8",
    "utf-8",
    "ascii",
    "latin-1",
    "terminal",
    "full",
    "closed",
    "none",
)

Part = tuple[str, ...]  # words that belong together: an option and its value


class Line(NamedTuple):
    """One run: its words and all that it meets.

    ``sure`` says that no word can be taken for something else, so that what it asks for is known.
    """

    command: str
    parts: tuple[Part, ...]
    sure: bool
    stdin: bytes | None = b""
    terminal: bool = False  # stdin
    stdout: str = "utf-8"
    variables: tuple[tuple[str, str], ...] = ()

    @property
    def words(self) -> list[str]:
        return [word for part in self.parts for word in part]

    @property
    def as_json(self) -> bool:
        end = self.parts.index(("--",)) if ("--",) in self.parts else None
        return ("--json",) in self.parts[:end]

    @property
    def reads(self) -> bool:
        """Say whether it is certain to be a command that only reads."""
        options = {part[0] for part in self.parts}
        if self.command == "doctor":
            return self.sure and not options & {"--rebuild", "--fix"}
        reading = self.command in READERS or READ_WITH.get(self.command, set()) & options
        return self.sure and bool(reading or {"--now", "--help"} & options)


@cache
def leaves() -> list[tuple[str, Any]]:
    """Return every command of the tree, and its full name.

    Typer keeps its types private.
    """
    root: Any = typer.main.get_command(app.app)
    return [one for name in ENTRIES for one in _below(name, root.get_command(None, name))]


def _below(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    yield name, command
    for word, below in getattr(command, "commands", {}).items():
        yield from _below(f"{name} {word}", below)


class Lines:
    """Draws command lines from one source of chance."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.values = hostile.Values(random)
        self.leaves = leaves()
        self.shared: list[Any] = typer.main.get_command(app.app).params

    def draw(self) -> Line:
        name, command = self.random.choice(self.leaves)
        while name == "demo" and self.random.random() < 0.9:  # it is slow, and takes nothing
            name, command = self.random.choice(self.leaves)
        parts, sure = self._parts(name, command)
        if name != ENDLESS and self.random.random() < 0.1:
            parts, sure = self._mutilated(parts), False
        return Line(
            name,
            tuple(tuple(map(possible, part)) for part in parts),
            sure,
            stdin=None if self.random.random() < 0.02 else self.values.stdin(),
            terminal=self.random.random() < 0.05,
            stdout=self.random.choice(STDOUTS),
            variables=self._variables(name),
        )

    def _parts(self, name: str, command: Any) -> tuple[list[Part], bool]:
        options = [one for one in command.params if one.param_type_name == "option"]
        chosen = [one for one in options if self.random.random() < 0.2]
        if name in READ_WITH and self.random.random() < 0.4:
            chosen += [one for one in options if READ_WITH[name] & {*one.opts}]
        given = [self._option(one) for one in chosen]
        loose = [word for one in command.params for word in self._argument(name, one)]
        if (
            name == "config set"
            and loose
            and loose[0] in hostile.VALUES
            and self.random.random() < 0.7
        ):
            loose[1:] = [self.random.choice(hostile.VALUES[loose[0]])]
        dashed = self.random.random() < 0.3 and not getattr(command, "commands", {})
        sure = dashed or not any(word.startswith("-") for word in loose)
        parts = given if dashed else self._mixed(given, [(word,) for word in loose])
        for one in self.shared:
            if self.random.random() < (0.5 if one.name == "json" else 0.05):
                for _ in range(self.random.choice((1, 1, 1, 2))):
                    self._insert(parts, self._option(one))
        if self.random.random() < 0.01:
            self._insert(parts, ("--help",))
        words = [(*name.split(), "--once")] if name == ENDLESS else [(one,) for one in name.split()]
        parts = [*words, *parts]
        if self.random.random() < 0.3:  # global options before the command
            parts = self._hoisted(parts)
        return parts + [("--",), *((word,) for word in loose)] * dashed, sure

    def _hoisted(self, parts: list[Part]) -> list[Part]:
        shared = {spelling for one in self.shared for spelling in (*one.opts, *one.secondary_opts)}
        first = [part for part in parts if part[0].partition("=")[0] in shared]
        return first + [part for part in parts if part not in first]

    def _argument(self, name: str, one: Any) -> list[str]:
        if one.param_type_name != "argument":
            return []
        if self.random.random() < (0.05 if one.required else 0.4):
            return []
        count = 1 if one.nargs == 1 else self.random.choice((1, 1, 2, 4))
        kind = "setting" if name.startswith("config") and one.metavar == "NAME" else kind_of(one)
        if name in ("import", "backup create") and self.random.random() < 0.05:
            return ["/dev/null" if name == "import" else "/dev/full"]
        return [self.values.of(kind) for _ in range(count)]

    def _option(self, one: Any) -> Part:
        spelling = self.random.choice([*one.opts, *one.secondary_opts])
        if one.is_flag:
            return (spelling,)
        if "|" in one.metavar and self.random.random() < 0.8:
            value = self.random.choice(one.metavar.split("|"))
        else:
            value = self.values.of(kind_of(one))
        joined = spelling.startswith("--") and self.random.random() < 0.3
        return (f"{spelling}={value}",) if joined else (spelling, value)

    def _mixed(self, one: list[Part], other: list[Part]) -> list[Part]:
        mixed = list(other)
        for part in one:
            self._insert(mixed, part)
        return mixed

    def _insert(self, parts: list[Part], part: Part) -> None:
        parts.insert(self.random.randrange(len(parts) + 1), part)

    def _mutilated(self, parts: list[Part]) -> list[Part]:
        """Return the words with one too few, one too many, or one in a wrong place."""
        words: list[Part] = [(word,) for part in parts for word in part]
        if any(word.startswith("/dev/") for (word,) in words):  # only where it is harmless
            return words
        place = self.random.randrange(len(words))
        match self.random.randrange(4):
            case 0:
                del words[place]
            case 1:
                words.insert(place, (self.values.of("text"),))
            case 2:
                self._insert(words, words.pop(place))
            case _:
                words[place] = (words[place][0][:-1],)
        return words

    def _variables(self, command: str) -> tuple[tuple[str, str], ...]:
        further = GETS_FURTHER.get(command, ()) if self.random.random() < 0.4 else ()
        if self.random.random() < 0.8:
            return further
        names = self.random.sample(sorted(VARIABLES), self.random.choice((1, 1, 3)))
        drawn = ((name, possible(self.random.choice(VARIABLES[name]))) for name in names)
        return (*further, *drawn)


def kind_of(word: Any) -> str:
    """Return which values belong where an argument or the value of an option stands.

    Raises:
        KeyError: it is of a form that no other has, and needs a row in KINDS.
    """
    choices = "|" in word.metavar and word.metavar not in KINDS
    return KINDS_BY_NAME.get(word.name) or ("label" if choices else KINDS[word.metavar])


def possible(word: str) -> str:
    """Return a word as a process can be given it: without NUL, and made of bytes."""
    return (
        word.replace("\0", "").encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
    )
