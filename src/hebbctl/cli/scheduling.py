"""hebb schedule."""

from collections.abc import Callable
from typing import Annotated, Any, NoReturn

import typer

from hebbctl import config, environment, standby
from hebbctl.cli import forgetting
from hebbctl.cli.app import Shell, failure_of
from hebbctl.errors import HebbError
from hebbctl.models import Change, SettingValue
from hebbctl.records import SCHEMA, report
from hebbctl.reports import SweepReport
from hebbctl.session import Session
from hebbctl.times import format_time, to_the_second
from hebbctl.usecases import scheduling, timers
from hebbctl.usecases.scheduling import Scheduler
from hebbctl.usecases.timers import Crontab, Units, Words

SUMMARY = "Sweep regularly: here, by cron or by systemd."
ACTOR = "cron"  # in the audit, of everything that nobody watches
app = typer.Typer(rich_markup_mode=None)
group = typer.Typer(help=SUMMARY, rich_markup_mode=None)
app.add_typer(group, name="schedule")


@group.command("run")
def run(
    ctx: typer.Context,
    once: Annotated[bool, typer.Option("--once", help="Sweep now, then end.")] = False,
) -> None:
    """Sweep now and every forget_interval_seconds.

    It stays until Ctrl-C or SIGTERM, and prints one line for each sweep that took something. The
    settings are read anew each time. A sweep that would erase more than gc_max_share of what is
    live archives it instead. A second one on the same store ends at once.
    """
    shell: Shell = ctx.obj
    scheduler = _scheduler(shell, problem=_raise if once else _teller(shell))
    _alone(shell, scheduler, once=once)


@group.command("cron")
def cron(ctx: typer.Context) -> None:
    """Print the lines of a crontab that sweep this store.

    They name hebb, the store and its settings by their whole paths, and print nothing unless there
    is a problem.
    """
    shell: Shell = ctx.obj
    session = shell.session
    made = timers.crontab(session.settings, _from_anywhere(session), _values(session))
    _print(shell, made, "\n".join(made.lines))


@group.command("systemd")
def systemd(ctx: typer.Context) -> None:
    """Print systemd units that sweep this store.

    Each part begins with the file it belongs into. They are for the user's own manager.
    """
    shell: Shell = ctx.obj
    session = shell.session
    made = timers.units(session.settings, _from_anywhere(session), _values(session))
    _print(shell, made, "\n".join(f"# {file.path}\n{file.text}" for file in made.files).rstrip())


def _print(shell: Shell, made: Crontab | Units, text: str) -> None:
    shell.output.document(report(made), text)
    for note in made.notes:
        shell.output.note(note)


def _from_anywhere(session: Session) -> Words:
    """Return how to run a command on this store, whatever the folder and the environment."""
    return lambda command: [*environment.program(), "--quiet", command, *session.options]


def _values(session: Session) -> list[SettingValue]:
    return config.listing(session.settings_path)


def _alone(shell: Shell, scheduler: Scheduler, *, once: bool) -> None:
    try:
        with standby.alone(shell.session.store_path):
            if once:
                scheduler.look()
            else:
                _stay(shell, scheduler)
    except standby.AlreadyRunning as other:
        said = f"already running, pid {other.pid}" if other.pid else "already running"
        shell.output.summary({"schema": SCHEMA, "already_running": other.pid}, said)


def _stay(shell: Shell, scheduler: Scheduler) -> NoReturn:
    shell.output.note(f"sweeping {shell.session.store_path}: Ctrl-C ends it")
    while True:
        seconds = scheduler.look()
        shell.output.flush()  # under --json notes would be kept for an end that may never come
        standby.wait(seconds)


def _teller(shell: Shell) -> Callable[[HebbError], None]:
    return lambda error: shell.output.error(failure_of(error))


def _raise(error: HebbError) -> NoReturn:
    raise error


def _scheduler(shell: Shell, *, problem: Callable[[HebbError], None]) -> Scheduler:
    return Scheduler(
        lambda settings: shell.session.another(settings, actor=ACTOR),
        done=lambda command, at, found: _say(shell, command, at, found),
        problem=problem,
        note=shell.output.note,
    )


def _say(shell: Shell, command: str, at: int, found: Any) -> None:
    """Print what was done, if anything was; a program is told each time."""
    line = LINES[command](shell, found)
    if line or shell.output.as_json:
        whole = {**report(found), "command": command, "done_at": format_time(at)}
        shell.output.summary(whole, f"{to_the_second(at)} {line}")


def _swept(shell: Shell, swept: SweepReport) -> str:
    forgetting.warn_of_spared(shell, swept)
    return forgetting.summary(swept) if swept.memories else ""


def _reinforced(shell: Shell, change: Change) -> str:
    return f"{len(change.changed)} reinforced" if change.changed else ""


LINES: dict[str, Callable[[Shell, Any], str]] = {
    scheduling.SWEEP: _swept,
    scheduling.REINFORCE: _reinforced,
}
