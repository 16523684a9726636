"""hebb init, path."""

from pathlib import Path
from typing import Annotated

import typer

from hebbctl.cli.app import Shell
from hebbctl.records import record, report
from hebbctl.usecases import projects

app = typer.Typer(rich_markup_mode=None)
PLACES = ("name", "path", "exists", "origin")


@app.command()
def init(
    ctx: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="[FOLDER]", help="Of the project.")] = Path(),
) -> None:
    """Give a project a store of its own.

    It is .hebb/hebb.db in the working directory, or in FOLDER, and serves everything below it. In a
    linked git worktree it is made in the repository's main one, which all of its worktrees use. The
    settings of that store are .hebb/hebb.json; git ignores the folder.
    """
    shell: Shell = ctx.obj
    session = shell.session
    made = projects.make(folder, session.make_store, db=session.db)
    shell.output.answer(report(made), ("path",), [record(made)])
    shell.output.note_if(made.existing, "there already: nothing was changed")
    note = f"{made.in_use} is in use here all the same, because of {made.origin}"
    shell.output.note_if(made.in_use != made.path, note)


@app.command("path")
def path(ctx: typer.Context) -> None:
    """Print where everything is, and why there."""
    shell: Shell = ctx.obj
    session = shell.session
    scope, _ = session.scope(None)
    found = projects.overview(session.store_place, session.settings_place, scope=scope)
    shell.output.answer(report(found), PLACES, map(record, found.places))
