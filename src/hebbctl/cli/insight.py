"""hebb explain, forecast, stats, audit."""

from typing import Annotated, Any

import typer

from hebbctl import fields
from hebbctl.cli import values
from hebbctl.cli.app import Shell
from hebbctl.records import record, report
from hebbctl.render.views import FIELD_VALUE, explanation, pairs
from hebbctl.reports import Forecast
from hebbctl.times import format_time
from hebbctl.usecases import auditing, forecasting, insight

app = typer.Typer(rich_markup_mode=None)
LONGEST_FORECAST = 3650  # days
COMING = ("sweep_at", "id", "outcome", "reason", "retention", "partition", "content")
ACTIONS = ("archive", "edit", "erase", "fix", "promote", "restore", "setting")
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
def forecast(
    ctx: typer.Context,
    days: Annotated[
        Any,
        typer.Option(
            parser=lambda written: fields.whole("--days", written, 0, LONGEST_FORECAST),
            metavar="N",
            help="How far to look. [default: 30]",
        ),
    ] = None,
    partition: values.Partition = None,
) -> None:
    """Show what coming sweeps take if nothing is used.

    One sweep now and one at the same time of each coming day, by the sweep's own code: what is
    listed for a day is what 'hebb gc' takes on it.
    """
    shell: Shell = ctx.obj
    found = forecasting.forecast(
        shell.session.reader_at,
        shell.session.settings,
        shell.session.policy_of,
        now=shell.session.now,
        days=30 if days is None else days,
        partition=partition,
    )
    shell.output.answer(report(found), COMING, map(record, found.memories))
    shell.output.note(_coming(found))


def _coming(found: Forecast) -> str:
    counts = [sum(getattr(one, name) for one in found.sweeps) for name in ("archived", "erased")]
    refused = [format_time(one.sweep_at)[:10] for one in found.sweeps if one.needs_yes]
    asks = f"; the sweep of {refused[0]} needs --yes, as it erases so much" if refused else ""
    return f"within {found.days} days {counts[0]} archived, {counts[1]} erased{asks}"


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
        str | None, typer.Option(metavar="|".join(ACTIONS), help="Only this.")
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
        reference=None if memory_id is None else fields.words("ID", memory_id),
        action=action and values.choice("--action", action, ACTIONS),
        content=None if text is None else shell.text_of(text),
        since=shell.session.moment("--since", since),
        until=shell.session.moment("--until", until, end_of_day=True),
        limit=limit,
    )
    shell.output.answers(map(record, found), DONE)
