"""hebb audit."""

from typing import Annotated, Any

import typer

from hebbctl import fields
from hebbctl.cli import values
from hebbctl.cli.app import Shell
from hebbctl.records import record
from hebbctl.usecases import auditing

app = typer.Typer(rich_markup_mode=None)
ACTIONS = (
    *("archive", "consolidate", "edit", "erase", "fix", "promote", "reinforce", "restore"),
    "setting",
)
DONE = ("done_at", "action", "memory_id", "uid", "actor", "reason")


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
