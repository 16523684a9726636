"""hebb explain, stats, audit."""

from typing import Annotated, Any

import typer

from hebbctl.cli import values
from hebbctl.cli.app import Shell
from hebbctl.records import record, report
from hebbctl.render.views import FIELD_VALUE, explanation, pairs
from hebbctl.usecases import auditing, insight

app = typer.Typer(rich_markup_mode=None)
DONE = ("done_at", "action", "memory_id", "uid", "actor", "reason")


@app.command()
def explain(ctx: typer.Context, memory_id: values.Id) -> None:
    """Show why a memory stays or goes.

    The formula with its numbers, the time constant and the true half-life, and the days on which
    it will be forgotten and erased if nobody uses it.
    """
    shell: Shell = ctx.obj
    found = insight.explain(shell.session.reader, memory_id, shell.session.settings)
    shell.output.answer(report(found), FIELD_VALUE, explanation(found))


@app.command()
def stats(ctx: typer.Context) -> None:
    """Count memories by state and retention."""
    shell: Shell = ctx.obj
    found = insight.stats(shell.session.reader)
    shell.output.answer(report(found), FIELD_VALUE, pairs(record(found)))


@app.command()
def audit(
    ctx: typer.Context,
    memory_id: Annotated[
        str | None,
        typer.Argument(metavar="[ID]", help="An id or uid, also of what is erased; all without."),
    ] = None,
    action: Annotated[
        str | None,
        typer.Option(metavar="WORD", help="erase, archive, restore, promote, edit or setting."),
    ] = None,
    text: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What was done to exactly this text.")
    ] = None,
    since: Annotated[
        str | None, typer.Option(metavar="WHEN", help="Done since: a time, a date or 7d ago.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="WHEN", help="Done until then, that day included.")
    ] = None,
    limit: Annotated[
        Any,
        typer.Option(
            "--limit", "-n", parser=values.count("--limit"), metavar="N", help="How many at most."
        ),
    ] = None,
) -> None:
    """Show what was done to memories and why.

    Erasing, shelving, restoring, promoting, editing, and changes of settings, the newest first. It
    keeps no text: --text finds a text by its hash, which nobody can test without hebb.key.
    """
    shell: Shell = ctx.obj
    found = auditing.entries(
        shell.session.reader,
        reference=memory_id,
        action=action,
        content=None if text is None else shell.text_of(text),
        since=shell.session.moment("--since", since),
        until=shell.session.moment("--until", until, end_of_day=True),
        limit=limit,
    )
    shell.output.answers(map(record, found), DONE)
