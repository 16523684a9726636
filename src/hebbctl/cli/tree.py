"""The command tree: which module holds which command, loaded on demand, global options anywhere."""

from collections.abc import Sequence
from importlib import import_module
from itertools import chain
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from hebbctl.cli.commands import COMMANDS, ENTRIES, SYNONYMS
from hebbctl.errors import WrongUsage, did_you_mean

EXIT_CODES = """\
Exit codes: 0 done, 1 failure, 2 wrong usage or value, 3 no such memory, 4 refused,
5 store unusable, 6 bad input file, 7 an optional part is missing.
"""
GLOBAL_OPTIONS = """\
Every command also takes --json, --db PATH, --config PATH, --now WHEN, --quiet, --verbose and
--color/--no-color: see 'hebb --help'.
"""


class SignedWords(TyperCommand):
    """A command whose arguments may begin with one dash: ``-y`` is a value, whatever it means."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.ignore_unknown_options = True


class Tree(TyperGroup):
    """The root command. It imports a module only when one of its commands is asked for.

    Typer keeps its context and command types private, hence ``Any``.
    """

    def list_commands(self, ctx: Any) -> list[str]:
        return list(ENTRIES)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in ENTRIES and cmd_name not in self.commands:
            module = import_module(f"hebbctl.cli.{ENTRIES[cmd_name].module}")
            self.commands.update(typer.main.get_group(_only(module.app, cmd_name)).commands)
            _complete_help(self.commands[cmd_name], ENTRIES[cmd_name].examples)
        return self.commands.get(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in ENTRIES:
            meant = SYNONYMS.get(args[0])
            hint = f"did you mean {meant!r}?" if meant else did_you_mean(args[0], ENTRIES)
            raise WrongUsage(f"no such command: {args[0]!r}", hint=hint or "see 'hebb --help'")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        width = max(map(len, ENTRIES))
        for heading, entries in COMMANDS.items():
            formatter.write(f"\n{heading}:\n")
            for name, entry in entries.items():
                formatter.write(f"  {name:{width}}  {entry.summary}\n")
        formatter.write_paragraph()
        formatter.write_text("'hebb COMMAND --help' explains a command and shows examples.")
        formatter.write_paragraph()
        formatter.write_text(EXIT_CODES)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        # Known before anything is parsed, so that a usage error can be JSON as well.
        ctx.obj.output.as_json = "--json" in args
        options, rest = hoist(self, args)
        ctx.obj.output.as_json = ["--json"] in options
        return super().parse_args(ctx, [*chain(*options), *rest])


def _only(app: typer.Typer, name: str) -> typer.Typer:
    """Return an app with one of its commands or groups: to build the others would take 2 ms."""
    alone = typer.Typer(rich_markup_mode=None)
    alone.registered_commands = [
        one
        for one in app.registered_commands
        if name == (one.name or getattr(one.callback, "__name__", None))
    ]
    alone.registered_groups = [one for one in app.registered_groups if one.name == name]
    return alone


def _complete_help(command: Any, examples: Sequence[str]) -> None:
    """End the help of a command, and of those below it, as a manual page ends."""
    command.epilog = _epilog(examples)
    if isinstance(command, TyperGroup):
        for name, below in command.commands.items():
            beginning = f"hebb {command.name} {name}"
            below.epilog = _epilog([one for one in examples if one.startswith(beginning)])


def _epilog(examples: Sequence[str]) -> str:
    lines = "\n".join(f"  {example}" for example in examples)
    # "\b" keeps a paragraph as it is.
    return (f"\b\nExamples:\n{lines}\n\n" if lines else "") + GLOBAL_OPTIONS


def hoist(root: Tree, arguments: list[str]) -> tuple[list[list[str]], list[str]]:
    """Split a command line into global options, each with its value, and everything else.

    They count wherever they stand before ``--``, except where another option expects its value:
    in ``add x --source --json`` the text ``--json`` is a source. So each word is read the way the
    parser will, by the options of the command it belongs to.
    """
    hoisted: list[list[str]] = []
    rest: list[str] = []
    shared = _options(root)
    flags = {spelling for spelling, option in shared.items() if option.is_flag}
    command: Any = root
    waiting = list(arguments)
    while waiting and waiting[0] != "--":
        word = waiting.pop(0)
        if word == "-" or not word.startswith("-"):
            rest.append(word)
            if isinstance(command, TyperGroup):
                command = command.get_command(None, word) or command  # type: ignore[arg-type]
            continue
        if isinstance(command, SignedWords):
            if not word.startswith("--"):
                rest.append(word)
                continue
            if word not in (*shared, *_options(command), "--help"):
                raise WrongUsage(
                    f"no such option: {word}", hint="write it like this: hebb tag 1 +work -home"
                )
        if word[1] != "-" and len(word) > 2 and word[:2] in flags:  # -qn5: -q and -n5
            hoisted.append([word[:2]])
            waiting.insert(0, f"-{word[2:]}")
            continue
        if " " in word.partition("=")[0]:  # no option but a text: "- buy milk"
            raise WrongUsage(
                f"{word!r} begins like an option",
                hint="put -- before a text that begins with a dash, or send it to -",
            )
        count = _values_wanted(shared | _options(command), word)
        if len(waiting) < count:  # put in front, it would swallow the command
            raise WrongUsage(f"option {word!r} needs a value", hint="see 'hebb --help'")
        option = [word, *waiting[:count]]
        del waiting[:count]
        if word.partition("=")[0] in shared:
            hoisted.append(option)
        else:
            rest += option
    return hoisted, rest + waiting


def _options(command: Any) -> dict[str, TyperOption]:
    return {
        spelling: option
        for option in command.params
        if isinstance(option, TyperOption)
        for spelling in (*option.opts, *option.secondary_opts)
    }


def _values_wanted(options: dict[str, TyperOption], word: str) -> int:
    """Return how many of the following words are values: none after ``--limit=5`` or ``-n5``."""
    spellings = [word] if word.startswith("--") else [f"-{letter}" for letter in word[1:]]
    for position, spelling in enumerate(spellings, start=1):
        name, attached, _ = spelling.partition("=")
        option = options.get(name)
        if option and not (option.is_flag or option.count):
            return 0 if attached or position < len(spellings) else option.nargs
    return 0
