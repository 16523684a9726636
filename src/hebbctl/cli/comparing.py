"""hebb compare."""

import typer

from hebbctl.cli import values
from hebbctl.cli.app import Shell
from hebbctl.records import report
from hebbctl.render.views import COMPARED, compared
from hebbctl.usecases import comparing

app = typer.Typer(rich_markup_mode=None)


@app.command()
def compare(ctx: typer.Context, memory_id: values.Id) -> None:
    """Show one memory under every preset.

    What is retained of it now, and in how many days it is stale, archived and gone for good if
    nobody uses it: under the settings as they are saved, and as each preset would set them.
    """
    shell: Shell = ctx.obj
    session = shell.session
    found = comparing.compare(session.reader, memory_id, session.settings_path, session.settings)
    shell.output.answer(report(found), COMPARED, compared(found, ascii_only=shell.output.plain))
