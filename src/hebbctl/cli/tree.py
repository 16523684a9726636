"""The command tree: which module holds which command, loaded on demand, global options anywhere."""

from importlib import import_module
from itertools import chain
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from hebbctl.errors import WrongUsage, did_you_mean


class Entry(NamedTuple):
    """One command: its module in this folder, its help's first line, and one example."""

    module: str
    summary: str
    example: str


# Heading of the help -> command -> entry. Kept here so that help loads no command's module.
COMMANDS = {
    "Everyday": {
        "add": Entry("memories", "Store one memory and print its id.", 'hebb add "use tabs"'),
        "recall": Entry("recall", "Find memories; what is shown is used.", "hebb recall tabs"),
        "list": Entry("memories", "List memories, the newest first.", "hebb list --sort retention"),
        "show": Entry("memories", "Show one memory with all its fields.", "hebb show 1"),
        "edit": Entry("changing", "Change the text or fields of a memory.", "hebb edit 1"),
        "touch": Entry("changing", "Count a use of memories, as a recall does.", "hebb touch 1"),
        "pin": Entry("changing", "Keep memories whatever their retention.", "hebb pin 1"),
        "unpin": Entry("changing", "Let pinned memories fade again.", "hebb unpin 1"),
        "tag": Entry(
            "changing", "Add tags to a memory and take others away.", "hebb tag 1 +work -draft"
        ),
        "forget": Entry("memories", "Erase memories now and for good.", "hebb forget 1"),
    },
    "Forgetting": {
        "gc": Entry("forgetting", "Sweep: shelve what has faded.", "hebb gc --dry-run"),
        "archive": Entry("forgetting", "Shelve memories by hand.", "hebb archive 1"),
        "restore": Entry("forgetting", "Bring archived memories back.", "hebb restore --sweep 3"),
        "promote": Entry(
            "changing", "Move up what earned it: it lives longer there.", "hebb promote --dry-run"
        ),
    },
    "Insight": {
        "explain": Entry("insight", "Show why a memory stays or goes.", "hebb explain 1"),
        "forecast": Entry(
            "insight", "Show what coming sweeps take if nothing is used.", "hebb forecast --days 90"
        ),
        "stats": Entry("insight", "Count memories by state and retention.", "hebb stats --json"),
        "audit": Entry("insight", "Show what was done to memories and why.", "hebb audit 1"),
        "curve": Entry("charts", "Draw how retention falls, or what keeps it.", "hebb curve 1"),
        "matrix": Entry(
            "charts", "Show days to forget by importance and use.", "hebb matrix --threshold 0.2"
        ),
    },
    "In and out": {
        "import": Entry("exchange", "Store memories from a JSONL file.", "hebb import notes.jsonl"),
        "export": Entry("exchange", "Print every memory as JSONL.", "hebb export > notes.jsonl"),
    },
    "Settings": {
        "config": Entry(
            "settings", "Read and change settings.", "hebb config set half_life_days 120"
        ),
        "policy": Entry(
            "policies",
            "Read and change how a partition forgets.",
            "hebb policy set mem_facts --half-life-days 365",
        ),
        "init": Entry("places", "Give a project a store of its own.", "hebb init"),
        "path": Entry("places", "Print where everything is, and why there.", "hebb path"),
        "doctor": Entry("doctor", "Check the store; --fix mends it.", "hebb doctor --fix"),
        "backup": Entry("backups", "Copy the store, and put a copy in its place.", "hebb backup"),
        "demo": Entry("demo", "Show forgetting on real notes.", "hebb demo"),
    },
}
ENTRIES = {name: entry for section in COMMANDS.values() for name, entry in section.items()}


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
            self.commands.update(typer.main.get_group(module.app).commands)
            self.commands[cmd_name].epilog = f"Example: {ENTRIES[cmd_name].example}"
        return self.commands.get(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in ENTRIES:
            raise WrongUsage(
                f"no such command: {args[0]!r}",
                hint=did_you_mean(args[0], ENTRIES) or "see 'hebb --help'",
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        width = max(map(len, ENTRIES))
        for heading, entries in COMMANDS.items():
            formatter.write(f"\n{heading}:\n")
            for name, entry in entries.items():
                formatter.write(f"  {name:{width}}  {entry.summary}\n")
                formatter.write(f"  {'':{width}}    {entry.example}\n")

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        # Known before anything is parsed, so that a usage error can be JSON as well.
        ctx.obj.output.as_json = "--json" in args
        options, rest = hoist(self, args)
        ctx.obj.output.as_json = ["--json"] in options
        return super().parse_args(ctx, [*chain(*options), *rest])


def hoist(root: Tree, arguments: list[str]) -> tuple[list[list[str]], list[str]]:
    """Split a command line into global options, each with its value, and everything else.

    They count wherever they stand before ``--``, except where another option expects its value:
    in ``add x --source --json`` the text ``--json`` is a source. So each word is read the way the
    parser will, by the options of the command it belongs to.
    """
    hoisted: list[list[str]] = []
    rest: list[str] = []
    shared = _options(root)
    command: Any = root
    waiting = list(arguments)
    while waiting and waiting[0] != "--":
        word = waiting.pop(0)
        if word == "-" or not word.startswith("-"):
            rest.append(word)
            if isinstance(command, TyperGroup):
                command = command.get_command(None, word) or command  # type: ignore[arg-type]
            continue
        if isinstance(command, SignedWords) and not word.startswith("--"):
            rest.append(word)
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
