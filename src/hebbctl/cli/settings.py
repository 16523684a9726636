"""hebb config."""

from typing import Annotated

import typer

from hebbctl import config
from hebbctl.cli.app import Shell
from hebbctl.records import record
from hebbctl.usecases import settings

app = typer.Typer(rich_markup_mode=None)
group = typer.Typer(help="Read and change settings.", rich_markup_mode=None)
app.add_typer(group, name="config")
VALUE = ("name", "value", "origin")
LISTED = ("name", "value", "origin", "default", "help")
# A negative number as a value is out of range, not an unknown option.
NUMBERS_ARE_VALUES = {"ignore_unknown_options": True}
Name = Annotated[str, typer.Argument(metavar="NAME", help="A setting; see 'hebb config list'.")]


@group.command("get")
def get(ctx: typer.Context, name: Name) -> None:
    """Show one setting and where its value comes from."""
    shell: Shell = ctx.obj
    found = record(config.value(shell.session.settings_path, name))
    shell.output.answer(found, VALUE, [found])


@group.command("set", context_settings=NUMBERS_ARE_VALUES)
def set_(
    ctx: typer.Context,
    name: Name,
    value: Annotated[str, typer.Argument(metavar="VALUE", help="Its new value.")],
) -> None:
    """Change one setting and say what it reaches."""
    shell: Shell = ctx.obj
    path = shell.session.changeable_settings
    changed = settings.change(path, name, value, shell.session.writer_without_settings)
    shell.output.answer(record(changed), VALUE, [record(changed)])
    shell.output.note(settings.reach(path, changed))


@group.command("unset")
def unset(ctx: typer.Context, name: Name) -> None:
    """Take one setting out of the file."""
    shell: Shell = ctx.obj
    path = shell.session.changeable_settings
    left = record(settings.remove(path, name, shell.session.writer_without_settings))
    shell.output.answer(left, VALUE, [left])


@group.command("list")
def list_(ctx: typer.Context) -> None:
    """List every setting with its value and origin."""
    shell: Shell = ctx.obj
    shell.output.answers(map(record, config.listing(shell.session.settings_path)), LISTED)


@group.command("path")
def path(ctx: typer.Context) -> None:
    """Print where the settings file is."""
    shell: Shell = ctx.obj
    found = {"path": str(shell.session.settings_path)}
    shell.output.fact(found, found["path"])
