"""hebb config."""

from typing import Annotated, Any

import typer

from hebbctl import config
from hebbctl.cli.app import Shell
from hebbctl.errors import WrongUsage
from hebbctl.records import record, report
from hebbctl.setting import written
from hebbctl.text import counted
from hebbctl.usecases import presets, settings

app = typer.Typer(rich_markup_mode=None)
group = typer.Typer(help="Read and change settings.", rich_markup_mode=None)
app.add_typer(group, name="config")
VALUE = ("name", "value", "origin")
PRESETS = ("name", "chosen", "summary")
CHANGED = ("name", "before", "after")
LISTED = ("name", "value", "origin", "default", "help")
# A negative number as a value is out of range, not an unknown option.
NUMBERS_ARE_VALUES = {"ignore_unknown_options": True}
Name = Annotated[str, typer.Argument(metavar="NAME", help="A setting; see 'hebb config list'.")]


@group.command("get")
def get(ctx: typer.Context, name: Name) -> None:
    """Show one setting and where its value comes from."""
    shell: Shell = ctx.obj
    found = record(config.value(shell.session.settings_path, name))
    shell.output.answer(found, VALUE, [_typed(found)])


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
    shell.output.answer(record(changed), VALUE, [_typed(record(changed))])
    shell.output.note(settings.reach(path, changed))


@group.command("unset")
def unset(ctx: typer.Context, name: Name) -> None:
    """Take one setting out of the file."""
    shell: Shell = ctx.obj
    path = shell.session.changeable_settings
    left = record(settings.remove(path, name, shell.session.writer_without_settings))
    shell.output.answer(left, VALUE, [_typed(left)])


@group.command("list")
def list_(ctx: typer.Context) -> None:
    """List every setting with its value and origin."""
    shell: Shell = ctx.obj
    found = map(record, config.listing(shell.session.settings_path))
    shell.output.answers(found if shell.output.as_json else map(_typed, found), LISTED)


@group.command("preset")
def preset(
    ctx: typer.Context,
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A system; without one they are listed.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what it changes.")] = False,
    undo: Annotated[
        bool, typer.Option("--undo", help="Take back what the last preset wrote.")
    ] = False,
) -> None:
    """Behave like one of the systems hebb unifies.

    A preset writes the settings of that system into the settings file, and takes those away that
    another one wrote; --undo brings back what was there before.
    """
    shell: Shell = ctx.obj
    if name is None and not undo:
        found = map(record, presets.listing(shell.session.settings_path))
        return shell.output.answers(found, PRESETS)
    _refuse_name(name, undo=undo)
    _show(shell, _changed(shell, name, dry_run=dry_run))


def _changed(shell: Shell, name: str | None, *, dry_run: bool) -> presets.PresetChange:
    session = shell.session
    return presets.change(
        session.settings_path if dry_run else session.changeable_settings,
        name,
        dry_run=dry_run,
        audit=None if dry_run else session.writer_without_settings,
        due_under=lambda settings: len(session.reader_under(settings).sweeps.due()),
    )


def _refuse_name(name: str | None, *, undo: bool) -> None:
    if name is not None and undo:
        raise WrongUsage(f"--undo takes no name, and {name!r} is one", hint="leave one of them out")


def _show(shell: Shell, found: presets.PresetChange) -> None:
    shell.output.answer(report(found), CHANGED, map(record, found.changes))
    would = "would be " if found.dry_run else ""
    due = f"the next sweep takes {counted(found.due_after, 'memory')}, {found.due_before} before"
    shell.output.note(
        f"preset {found.preset}: {counted(len(found.changes), 'setting')} {would}changed; {due}"
    )
    kept = f"kept, for they were changed since: {', '.join(found.kept)}"
    shell.output.note_if(bool(found.kept), kept)


def _typed(found: dict[str, Any]) -> dict[str, Any]:
    """Return a setting whose values are shown as they are typed."""
    return found | {name: written(found[name]) for name in ("value", "default") if name in found}


@group.command("path")
def path(ctx: typer.Context) -> None:
    """Print where the settings file is."""
    shell: Shell = ctx.obj
    found = {"path": str(shell.session.settings_path)}
    shell.output.fact(found, found["path"])
