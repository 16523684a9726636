"""hebb backup."""

from pathlib import Path
from typing import Annotated

import typer

from hebbctl.cli import values
from hebbctl.cli.app import Shell
from hebbctl.records import record, report
from hebbctl.render.views import FIELD_VALUE, pairs
from hebbctl.usecases import backups

SUMMARY = "Copy the store, and put a copy in its place."
app = typer.Typer(rich_markup_mode=None)
group = typer.Typer(help=SUMMARY, rich_markup_mode=None)
app.add_typer(group, name="backup")
LISTED = ("path", "made_at", "memories", "size_bytes")


@group.callback(invoke_without_command=True)
def backup(ctx: typer.Context) -> None:
    """Copy the store, and put a copy in its place.

    Without a further word it makes a copy in the folder 'backups' beside the store, named by time.
    """
    if ctx.invoked_subcommand is None:
        _create(ctx.obj, None)


@group.command("create")
def create(
    ctx: typer.Context,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="A new file. [default: backups/ beside the store]"),
    ] = None,
) -> None:
    """Copy the store as it is now, and print where.

    Other processes go on writing meanwhile. No file is written over. What 'hebb forget' and sweeps
    erase later is erased from the copy as well.
    """
    _create(ctx.obj, file)


@group.command("list")
def list_(ctx: typer.Context) -> None:
    """List the copies that hebb made, the newest first."""
    shell: Shell = ctx.obj
    session = shell.session
    found = backups.listing(session.store_path, lambda: session.reader)
    shell.output.answers(map(record, found), LISTED)


@group.command("restore")
def restore(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="See 'hebb backup list'.")],
    with_erased: Annotated[
        bool,
        typer.Option("--with-erased", help="Also what was erased here since, if the copy has it."),
    ] = False,
    yes: values.Yes = False,
) -> None:
    """Put a copy in the place of the store.

    The store is copied first, or set aside where it is damaged. What was erased since the copy was
    made stays erased: it is gone from every copy that hebb knew and could reach, too.
    """
    shell: Shell = ctx.obj
    session = shell.session
    restored = backups.restore(
        session.store_path,
        file,
        lambda: session.writer,
        now=session.now,
        with_erased=with_erased,
        confirm=shell.confirm(yes),
    )
    fields = {name: value for name, value in record(restored).items() if value is not None}
    shell.output.answer(report(restored), FIELD_VALUE, pairs(fields))
    shell.output.note_if(
        restored.stayed_erased > 0,
        f"{restored.stayed_erased} stayed erased: --with-erased brings them back",
    )


def _create(shell: Shell, file: Path | None) -> None:
    made = backups.create(shell.session.writer_without_settings, file, say=shell.output.note)
    shell.output.fact(report(made), made.path)
