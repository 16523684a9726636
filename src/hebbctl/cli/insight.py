"""hebb explain, stats."""

import typer

from hebbctl.cli import values
from hebbctl.cli.app import Shell
from hebbctl.records import record, report
from hebbctl.render.views import FIELD_VALUE, explanation, pairs
from hebbctl.usecases import insight

app = typer.Typer(rich_markup_mode=None)


@app.command()
def explain(ctx: typer.Context, memory_id: values.Id, preset: values.Preset = None) -> None:
    """Show why a memory stays or goes.

    The formula with its numbers, the time constant and the true half-life, and the days on which
    it will be forgotten and erased if nobody uses it.
    """
    shell: Shell = ctx.obj
    shell.suppose(preset)
    found = insight.explain(shell.session.reader, memory_id, shell.session.settings)
    shell.output.answer(report(found), FIELD_VALUE, explanation(found))


@app.command()
def stats(ctx: typer.Context) -> None:
    """Count memories by state and retention."""
    shell: Shell = ctx.obj
    found = insight.stats(shell.session.reader, shell.session.policy_of)
    shell.output.answer(report(found), FIELD_VALUE, pairs(record(found)))
