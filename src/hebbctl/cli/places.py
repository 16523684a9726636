"""hebb init, path."""

from pathlib import Path
from typing import Annotated, Any

import typer

from hebbctl.cli.app import Shell
from hebbctl.records import record, report
from hebbctl.usecases import projects
from hebbctl.usecases.projects import PlacesReport, Project

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
    made = projects.make(folder, session.store_maker, db=session.db)
    shell.output.fact(report(made), made.path)
    shell.output.note(_said(made))


@app.command("path")
def path(ctx: typer.Context) -> None:
    """Print where everything is, and why there."""
    shell: Shell = ctx.obj
    session = shell.session
    found = projects.overview(
        session.store_place,
        session.settings_place,
        scope=session.scope(None)[0],
        scope_origin=session.scope_origin,
    )
    shell.output.answer(report(found), PLACES, _rows(found))


def _rows(found: PlacesReport) -> list[dict[str, Any]]:
    scope = {"name": "scope", "path": found.scope, "exists": None, "origin": found.scope_origin}
    return [*map(record, found.places), scope]


def _said(made: Project) -> str:
    if made.in_use != made.path:
        return f"from here hebb still uses {made.in_use} ({made.origin})"
    if made.existing:
        return "there already: nothing was changed"
    return (
        "commands here and below now use it, not your own store;"
        f" a crontab sweeps it with 'hebb gc --quiet --db {made.path}'"
    )
