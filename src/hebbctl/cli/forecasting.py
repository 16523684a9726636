"""hebb forecast."""

from typing import Annotated, Any

import typer

from hebbctl import fields
from hebbctl.cli import values
from hebbctl.cli.app import Shell
from hebbctl.records import record, report
from hebbctl.times import format_time
from hebbctl.usecases import forecasting

app = typer.Typer(rich_markup_mode=None)
LONGEST_FORECAST = 3650  # days
COMING = ("sweep_at", "id", "outcome", "reason", "retention", "partition", "content")


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
    preset: values.Preset = None,
) -> None:
    """Show what coming sweeps take if nothing is used.

    One sweep now and one at the same time of each coming day, by the sweep's own code: what is
    listed for a day is what 'hebb gc' takes on it.
    """
    shell: Shell = ctx.obj
    shell.suppose(preset)
    shell.note_unused(partition)
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


def _coming(found: forecasting.Forecast) -> str:
    archived, erased, restored = (
        sum(getattr(one, name) for one in found.sweeps)
        for name in ("archived", "erased", "restored")
    )
    back = f", {restored} restored" if restored else ""
    refused = [format_time(one.sweep_at)[:10] for one in found.sweeps if one.needs_yes]
    asks = f"; the sweep of {refused[0]} needs --yes, as it erases so much" if refused else ""
    return f"within {found.days} days {archived} archived, {erased} erased{back}{asks}"
