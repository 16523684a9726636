"""hebb trust."""

from typing import Annotated

import typer

from hebbctl.cli import values
from hebbctl.cli.app import Shell
from hebbctl.cli.memories import show_change
from hebbctl.usecases import succession

app = typer.Typer(rich_markup_mode=None)


@app.command()
def trust(
    ctx: typer.Context,
    memory_ids: values.Ids,
    revoke: Annotated[
        bool, typer.Option("--revoke", help="The other way: into quarantine again.")
    ] = False,
) -> None:
    """Release memories from quarantine.

    What is untrusted is found, but never injected, and supersedes nothing that is trusted. Once
    released, a memory with a key supersedes the current one about it, unless that one is newer.
    With --revoke what the memory had superseded is live again.
    """
    shell: Shell = ctx.obj
    show_change(shell, succession.trust(shell.session.changer, memory_ids, revoke=revoke))
