"""The root command: global options, the session, and the one error boundary."""

import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from hebbctl import __version__, environment
from hebbctl.cli.tree import Tree
from hebbctl.errors import (
    EmbedderError,
    ExitCode,
    HebbError,
    Interrupted,
    Refused,
    StoreError,
    WrongUsage,
    did_you_mean,
)
from hebbctl.models import PRESENT, Filters, Memory
from hebbctl.render import Output
from hebbctl.session import Session, standard_text
from hebbctl.text import cleaned, counted

if TYPE_CHECKING:
    from hebbctl.store import Store
    from hebbctl.usecases.candidates import Cues, Nearness


class Shell:
    """What a command gets: a session to work on and one way to print."""

    def __init__(self, output: Output) -> None:
        self.output = output
        self.session = Session()

    def text_of(self, written: str) -> str:
        """Return a text argument, or what is on stdin for ``-``, fit for every door."""
        return self._cleaned(standard_text() if written == "-" else written)

    def _cleaned(self, written: str) -> str:
        clean, replaced = cleaned(written)
        if replaced:
            self.output.note(f"replaced: {counted(replaced, 'character')} that no text can hold")
        return clean

    def text_given(self, argument: str | None, literal: str | None) -> str:
        """Return the text of an argument or of ``--text``, whichever was given."""
        if (argument is None) == (literal is None):
            raise WrongUsage("add what?", hint='give one text: hebb add "use tabs", or - for stdin')
        return self.text_of(argument) if argument is not None else self._cleaned(literal or "")

    def edited(self, before: str, folder: Callable[[], Path]) -> str:
        """Return a text as the user's editor left it; ``folder`` makes one for the draft."""
        return self._cleaned(self.session.edit(before, folder))

    def expiry(self, written: str) -> int:
        """Return the time an ``--expires`` means: a time, the end of a day, a duration from now.

        Raises:
            WrongUsage: it has passed.
        """
        found = self.session.moment("--expires", written, ahead=True, end_of_day=True)
        assert found is not None
        if found <= self.session.now:
            raise WrongUsage(f"--expires {written} has passed", hint="give a time to come, or 7d")
        return found

    def filters(
        self,
        store: "Store",
        *,
        partition: str | None,
        scope: str | None,
        tags: list[str] | None,
        archived: bool | None,
        kind: str | None = None,
        since: str | None = None,
        until: str | None = None,
        usual_scope: bool = True,
    ) -> Filters:
        """Return what a command is to look at; names that nobody bears are said on stderr.

        Without a scope that is what HEBB_SCOPE names, unless only what is typed is to count.
        """
        from hebbctl.usecases import names

        scope = scope or (self.session.usual_scope if usual_scope else None)
        typed = Filters(
            partition=partition,
            kinds=(kind,) if kind else (),
            scopes=(self.session.scope(scope)[0],) if scope else (),
            tags=tuple((tag,) for tag in tags or ()),
            since=self.session.moment("--since", since),
            until=self.session.moment("--until", until, end_of_day=True),
            archived=archived,
        )
        found, hints = names.filters(store, typed)
        for hint in hints:
            self.output.note(hint)
        return found

    def note_unused(self, partition: str | None, *, although_set: bool = False) -> None:
        """Say on stderr that a partition has neither memories nor a policy: is it misspelled?

        A policy does not speak for it ``although_set``, where it was just made.
        """
        known = () if although_set else self.session.settings.overrides
        if partition is None or partition in known:
            return
        from hebbctl.usecases import names

        if hint := names.unused_partition(self.session.reader, partition):
            self.output.note(hint)

    def suppose(self, preset: str | None) -> None:
        """Look at everything as if a preset had been chosen; nothing of it is saved."""
        if preset is not None:
            from hebbctl.usecases import presets

            self.session.suppose(presets.supposed(self.session.settings_path, preset))

    def confirm(self, yes: bool) -> Callable[[str], bool]:
        """Return how to ask before something is erased: on a terminal only, on stderr."""

        def ask(question: str) -> bool:
            if yes or self.output.as_json or not self.session.interactive:
                return yes
            self.output.question(f"{question} [y/N] ")
            answer = self.session.answer()
            if not answer.endswith("\n"):  # Ctrl-D leaves the cursor behind the question
                self.output.question("\n")
            if answer.strip().lower() not in ("y", "yes"):
                raise Refused("not confirmed: nothing was changed")
            return True

        return ask

    def cues(self, query: str | None) -> "Cues":
        """Return the days that a query names, and how near in meaning memories are to it."""
        from hebbctl.usecases.candidates import NO_CUES, Cues

        if query is None:
            return NO_CUES
        return Cues(spans=self.session.days_named(query), nearness=self._nearness())

    def _nearness(self) -> "Nearness | None":
        """Return how to tell what is near in meaning; None where there are no vectors to go by.

        Where it cannot be told, that is said once, and the recall goes by words alone.
        """
        store = self.session.reader
        if not store.has_vectors() or (embedder := self.session.embedder) is None:
            return None
        from hebbctl.usecases.meaning import nearness

        return nearness(store, embedder, failed=self._without_meaning)

    def _without_meaning(self, error: HebbError) -> None:
        hint = f" ({error.hint})" if error.hint else ""
        self.output.note(f"by words alone: {error}{hint}")

    def strengthen(self, shown: Sequence[Memory], *, peek: bool, browsing: bool = False) -> None:
        """Count as used what was shown. It comes last and cannot fail: the answer is out.

        Archived ones are offered, or restored, as ``on_fallback`` says; not while somebody is
        ``browsing`` the archive.
        """
        live = [memory for memory in shown if memory.state in PRESENT]
        fallen = [memory for memory in shown if memory.state == "archived" and not browsing]
        if peek or not (live or fallen) or self.session.imagined_now is not None:
            return
        from hebbctl.usecases import memories

        anchor = self.restoring_anchor
        try:
            memories.strengthen(self.session.strengthener, live, self.session.settings)
            if anchor is not None:
                memories.restore_used(self.session.strengthener, fallen, anchor=anchor)
        except StoreError as error:
            self.output.detail(f"not strengthened: {error}")
        ids = " ".join(str(memory.id) for memory in fallen)
        self.output.note_if(bool(ids) and anchor is None, f"archived: 'hebb restore {ids}'")

    @property
    def restoring_anchor(self) -> float | None:
        """What is retained of an archived memory that use restores; None where it does not."""
        values = self.session.settings.values
        return values["restore_anchor"] if values["on_fallback"] == "restore" else None

    def embed(self, written: Sequence[int] | None) -> None:
        """Make the vectors of what was just written, all that lack one for None, if so set.

        It comes last and cannot fail: what was written is stored.
        """
        settings = self.session.settings.values
        if not settings["embed_on_write"] or settings["embedder"] == "none":
            return
        from hebbctl.usecases import embedding

        try:
            embedder = embedding.needed(self.session.embedder)
            embedding.embed(self.session.writer, embedder, ids=written)
        except (EmbedderError, StoreError) as error:
            self.output.note(f"no vector was made: {error}; 'hebb embed' tries again")


# Typer's own completion is off: its zsh script evaluates what it completes.
app = typer.Typer(cls=Tree, add_completion=False, rich_markup_mode=None)


def _print_version(ctx: typer.Context, wanted: bool) -> None:
    if wanted:
        ctx.obj.output.text(__version__)
        raise typer.Exit


@app.callback(invoke_without_command=True)
def root(
    ctx: typer.Context,
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON value, and failures as one.")
    ] = False,
    db: Annotated[
        Path | None, typer.Option(metavar="PATH", help="The store to use; see 'hebb path'.")
    ] = None,
    config_path: Annotated[
        Path | None,
        typer.Option("--config", metavar="PATH", help="The settings file to use."),
    ] = None,
    now: Annotated[
        str | None,
        typer.Option(
            metavar="WHEN", help="Look from another time, or 30d ahead; only to read or --dry-run."
        ),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No notes on stderr; gc prints no line either.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Say more; gc lists what it takes.")
    ] = False,
    color: Annotated[
        bool | None, typer.Option(help="Force or forbid colour; a terminal has it.")
    ] = None,
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_print_version, help="Print the version."
        ),
    ] = False,
) -> None:
    """A command-line memory that forgets."""
    shell: Shell = ctx.obj
    color = environment.color_forced() if color is None else color
    shell.output = Output(
        as_json=json,
        quiet=quiet,
        verbose=verbose,
        color=color,
        plain=environment.ascii_wanted(),
    )
    shell.session = Session(db=db, config=config_path, imagined_now=now)
    ctx.call_on_close(lambda: shell.session.close())
    if environment.crash_wanted():
        raise RuntimeError("HEBB_TEST_CRASH is set")
    if ctx.invoked_subcommand is None:
        raise WrongUsage("no command given", hint="see 'hebb --help'; 'hebb demo' shows it at work")


def main(arguments: list[str]) -> int:
    """Run one command line as this process. Returns its exit code."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup, or with & in a script
            signal.signal(number, _stop)
    signal.signal(signal.SIGALRM, _stop)
    sys.unraisablehook = _raise_later
    return run(arguments)


_received: list[int] = []


def _stop(number: int, _frame: object) -> NoReturn:
    # Noted, as sqlite3 turns an exception inside an SQL function into an error of its own.
    _received.append(number)
    raise KeyboardInterrupt


def _raise_later(unraisable: Any) -> None:
    """Deliver an interrupt once more that came inside a callback, where Python drops exceptions."""
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        signal.setitimer(signal.ITIMER_REAL, 0.001)
    else:
        sys.__unraisablehook__(unraisable)


def run(arguments: list[str]) -> int:
    """Run one command line and return its exit code. The one error boundary."""
    shell = Shell(Output())
    try:
        return _dispatch(arguments, shell)
    except (Exception, KeyboardInterrupt) as error:
        shell.output.discard()
        if _received or isinstance(error, KeyboardInterrupt | typer.Abort):
            if draft := shell.session.kept_draft():
                shell.output.note(f"your text is in {draft}")
            number = (_received or [signal.SIGINT])[0]
            if done := _done_before(error):
                shell.output.error(Interrupted(number, done))
            return 128 + number
        if isinstance(error, BrokenPipeError):
            return ExitCode.OK
        failure = failure_of(error)
        if environment.debugging() and failure.kind == "failure":
            raise
        if draft := shell.session.kept_draft():
            failure.hint = f"{failure.hint or 'try again'}; your text is in {draft}"
        shell.output.error(failure)
        return failure.code


def _done_before(error: BaseException) -> str:
    """Return what a use case had done before an error ended it; nothing where it did nothing."""
    return "; ".join(getattr(error, "__notes__", ()))


def _dispatch(arguments: list[str], shell: Shell) -> int:
    # Not app(): its own boundary would turn a closed pipe into exit code 1.
    command = typer.main.get_command(app)
    code: int = ExitCode.OK
    try:
        with command.make_context("hebb", arguments, obj=shell) as context:
            command.invoke(context)
            for key in shell.session.unknown_settings:
                shell.output.note(f"{shell.session.settings_path}: unknown key {key!r} is ignored")
            if absent := shell.session.missing_store:
                shell.output.note(f"there is no store {absent} yet: 'hebb add' makes it")
            if other := shell.session.overlooked_store:
                shell.output.note(f"this is not the store {other}: what that one holds is not here")
            if missing := shell.session.missing_settings:
                shell.output.note(f"there is no {missing}: every setting has its default")
    except typer.Exit as done:  # of --help and --version
        code = done.exit_code
    shell.session.drop_draft()
    shell.output.flush()
    return code


def failure_of(error: BaseException) -> HebbError:
    """Return any exception as a failure to report in one line."""
    if done := _done_before(error):
        failure = _failure_itself(error)
        failure.args = (f"{failure}; {done}",)
        return failure
    return _failure_itself(error)


def _failure_itself(error: BaseException) -> HebbError:
    if isinstance(error, HebbError):
        return error
    if isinstance(error, OSError):
        what = f"cannot use {error.filename}" if error.filename else "input or output failed"
        return HebbError(f"{what}: {error.strerror or error}")
    if format_message := getattr(error, "format_message", None):
        # A usage error of Typer's. Its base class is public only from 0.27.3 on.
        said, hint = format_message(), _usage_hint(error)
        if hint and hint.startswith("did you mean"):  # it lists the possible options, too
            said = said.partition(" (Possible options")[0]
        return WrongUsage(said, hint=hint)
    return HebbError(
        f"internal error: {type(error).__name__}",
        hint="HEBB_DEBUG=1 shows where; please report it",
    )


def _usage_hint(error: Any) -> str | None:
    """Return the next step after a usage error of Typer's."""
    context = getattr(error, "ctx", None)
    if context is None:
        return None
    arguments = [one for one in context.command.params if one.param_type_name == "argument"]
    takes_text = {"TEXT", "[TEXT]", "[QUERY]"} & {one.metavar for one in arguments}
    if "unexpected extra argument" in error.message:
        return "quote a text of several words" if takes_text else "give it once"
    if option := getattr(error, "option_name", None):
        known = [*_spellings(context.command), *_spellings(context.find_root().command)]
        dashed = "put -- before a text that begins with a dash" if takes_text else None
        return (
            did_you_mean(option, known, cutoff=0.8)
            or dashed
            or f"see '{context.command_path} --help'"
        )
    return f"see '{context.command_path} --help'"


def _spellings(command: Any) -> list[str]:
    return [spelling for one in command.params for spelling in (*one.opts, *one.secondary_opts)]
