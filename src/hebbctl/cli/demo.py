"""hebb demo."""

import typer

from hebbctl.cli.app import Shell
from hebbctl.settings import defaults
from hebbctl.usecases.demo import demonstrate

app = typer.Typer(rich_markup_mode=None)
NEXT = """\
That was a throw-away store; yours is untouched. Try next:
  hebb add "the deploy key lives in vault/ci"
  hebb recall deploy
  hebb explain 1"""


@app.command()
def demo(ctx: typer.Context) -> None:
    """Show forgetting on real notes.

    In a throw-away store with a clock that moves: notes go in, are found, fade, are swept,
    explained and brought back. Your own store is not touched.
    """
    shell: Shell = ctx.obj
    settings = defaults()
    store_at, policy_of = shell.session.scratch(settings)
    steps = demonstrate(store_at, settings, policy_of)
    shell.output.story((step._asdict() for step in steps), NEXT)
