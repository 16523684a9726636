"""hebb embed."""

from typing import Annotated

import typer

from hebbctl.cli.app import Shell
from hebbctl.errors import WrongUsage
from hebbctl.records import report
from hebbctl.render.views import FIELD_VALUE, pairs
from hebbctl.reports import EmbedReport
from hebbctl.usecases import embedding

app = typer.Typer(rich_markup_mode=None)


@app.command()
def embed(
    ctx: typer.Context,
    everything: Annotated[
        bool, typer.Option("--all", help="Also of memories that have one: all anew.")
    ] = False,
    remove: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="Drop its vectors; others: all but the one in use; all"),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count; write nothing.")] = False,
) -> None:
    """Make vectors, so that recall finds meaning.

    One for each memory without one, archived ones too, by the model that the setting embedder
    chooses. It may be stopped at any time and goes on where it was. Vectors go with their memory,
    and with a text that is edited. Without vectors recall finds by words alone.
    """
    shell: Shell = ctx.obj
    done = _removed(shell, remove, everything, dry_run) if remove else None
    _show(shell, done or _embedded(shell, everything, dry_run))


def _removed(shell: Shell, which: str, everything: bool, dry_run: bool) -> EmbedReport:
    if everything:
        raise WrongUsage("--all and --remove together", hint="give one of them")
    store = shell.session.reader if dry_run else shell.session.changer
    return embedding.remove(store, shell.session.embedder, which, dry_run=dry_run)


def _embedded(shell: Shell, everything: bool, dry_run: bool) -> EmbedReport:
    embedder = embedding.needed(shell.session.embedder)
    if dry_run:
        if obstacle := embedder.obstacle():
            shell.output.note(f"not yet: {obstacle} ({obstacle.hint})")
        return embedding.preview(shell.session.reader, embedder, everything=everything)
    if obstacle := embedder.obstacle():
        raise obstacle  # before a store is made for nothing
    return embedding.embed(
        shell.session.changer, embedder, everything=everything, progress=shell.output.progress
    )


def _show(shell: Shell, done: EmbedReport) -> None:
    shell.output.answer(report(done), FIELD_VALUE, pairs(done._asdict()))
