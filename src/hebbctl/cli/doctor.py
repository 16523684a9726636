"""hebb doctor."""

from collections.abc import Callable
from typing import Annotated

import typer

from hebbctl.cli.app import Shell
from hebbctl.records import record, report
from hebbctl.settings import defaults
from hebbctl.store import Store
from hebbctl.usecases import doctor as care
from hebbctl.usecases.doctor import DoctorReport

app = typer.Typer(rich_markup_mode=None)
CHECKED = ("name", "status", "count", "message", "hint")


@app.command()
def doctor(
    ctx: typer.Context,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Make the index and the vectors anew first.")
    ] = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Mend first what can be mended; no memory is lost.")
    ] = False,
) -> None:
    """Check the store; --fix mends it.

    Without options it only reads. It ends with 1 where a problem is left; a note is none. --rebuild
    makes vectors only where there are some of the chosen embedder; if it fails, the others stay,
    and the next --rebuild goes on there.
    """
    shell: Shell = ctx.obj
    found = _examined(shell)
    if rebuild or fix:
        found = _treated(shell, found, rebuild=rebuild, fix=fix)
    _show(shell, found)


def _examined(shell: Shell) -> DoctorReport:
    return care.examine(
        shell.session.store_path,
        shell.session.settings_path,
        _reader(shell),
        progress=shell.output.progress,
    )


def _treated(shell: Shell, found: DoctorReport, *, rebuild: bool, fix: bool) -> DoctorReport:
    return care.treat(
        found,
        shell.session.settings_path,
        _reader(shell),
        lambda: shell.session.writer_without_settings,
        rebuild=rebuild,
        fix=fix,
        progress=shell.output.progress,
    )


def _reader(shell: Shell) -> Callable[[], Store]:
    """Return how to open the store without the settings: they may be what is broken."""
    return lambda: shell.session.reader_under(defaults())


def _show(shell: Shell, found: DoctorReport) -> None:
    shell.output.answer(report(found), CHECKED, map(record, found.checks))
    if not shell.output.as_json:
        for done in found.fixed:
            shell.output.note(f"fixed: {done}")
        for left in found.kept:
            shell.output.note(f"kept: {left}")
    if failure := care.failure(found):
        raise failure
