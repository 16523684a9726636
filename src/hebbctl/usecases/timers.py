"""The schedule as others keep it: lines of a crontab, and units of systemd."""

import re
import shlex
from collections.abc import Callable, Sequence
from typing import NamedTuple

from hebbctl.errors import WrongUsage
from hebbctl.models import Settings, SettingValue
from hebbctl.usecases.scheduling import SWEEP, Job, interval, wanted

MINUTE, HOUR, DAY = 60, 3_600, 86_400  # seconds
# What cron can say: an interval in seconds -> when. It has no interval that does not divide an
# hour or a day: */45 means the minutes 0 and 45.
EVERY = {
    MINUTE: "* * * * *",
    **{minutes * MINUTE: f"*/{minutes} * * * *" for minutes in (2, 3, 4, 5, 6, 10, 12, 15, 20, 30)},
    HOUR: "0 * * * *",
    **{hours * HOUR: f"0 */{hours} * * *" for hours in (2, 3, 4, 6, 8, 12)},
    DAY: "0 3 * * *",
    7 * DAY: "0 3 * * 1",
}
LONGEST = 36_500 * DAY  # of a timer of systemd's, which counts microseconds in 64 bits
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
UNWRITABLE = "[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]"  # lines would end; not UTF-8
BARE = r"[A-Za-z0-9_/.:=@+-]+"  # needs no quotes in a unit
UNITS = "~/.config/systemd/user"
SERVICE = """\
[Unit]
Description=hebb {command}

[Service]
Type=oneshot
ExecStart={line}
"""
TIMER = """\
[Unit]
Description=hebb {command}, regularly

[Timer]
{triggers}

[Install]
WantedBy=timers.target
"""
HOW_CRON = (
    "add these lines with 'crontab -e', or: (crontab -l; hebb schedule cron) | crontab -;"
    " 'hebb schedule cron | crontab -' alone would drop the lines you have"
)

Words = Callable[[str], Sequence[str]]  # the command line that runs a command from anywhere


class Crontab(NamedTuple):
    """Lines for a crontab, and what to know about them."""

    lines: tuple[str, ...]
    notes: tuple[str, ...]


class Unit(NamedTuple):
    """A file of systemd's, and where it belongs."""

    path: str
    text: str


class Units(NamedTuple):
    """Units of systemd's for the user's own manager, and what to know about them."""

    files: tuple[Unit, ...]
    notes: tuple[str, ...]


def crontab(settings: Settings, words: Words, values: Sequence[SettingValue]) -> Crontab:
    """Write the lines that do what 'schedule run' does under these settings.

    Raises:
        WrongUsage: a path holds what no crontab can.
    """
    seconds = interval(settings)
    said = max((every for every in EVERY if every <= seconds), default=MINUTE)
    times = [(EVERY[said], SWEEP), *((_cron_time(job), job.command) for job in wanted(settings))]
    lines = [f"{when} HEBB_ACTOR=cron {_cron_line(words(what))}" for when, what in times]
    rounded = (
        f"forget_interval_seconds is {seconds:g}, which cron cannot say:"
        f" this is every {said:g} seconds"
    )
    notes = [HOW_CRON, *([rounded] if said != seconds else []), *_left_behind(values)]
    return Crontab(tuple(dict.fromkeys(lines)), tuple(notes))


def units(settings: Settings, words: Words, values: Sequence[SettingValue]) -> Units:
    """Write a service and a timer for each command that is due regularly.

    Raises:
        WrongUsage: a path holds what is better not written into a unit.
    """
    triggers = {SWEEP: [*_every(interval(settings))]}
    for job in wanted(settings):
        triggers.setdefault(job.command, []).append(_on_calendar(job))
    files: list[Unit] = []
    for command, lines in triggers.items():
        line = _unit_line(["/usr/bin/env", "HEBB_ACTOR=cron", *words(command)])
        service = SERVICE.format(command=command, line=line)
        # Persistent is for the calendar: what fell due while the machine was off.
        timer = TIMER.format(command=command, triggers="\n".join([*lines, "Persistent=true"]))
        files.append(Unit(f"{UNITS}/hebb-{command}.service", service))
        files.append(Unit(f"{UNITS}/hebb-{command}.timer", timer))
    timers = " ".join(f"hebb-{command}.timer" for command in triggers)
    how = (
        "write each part to the file it names, then: systemctl --user daemon-reload &&"
        f" systemctl --user enable --now {timers}; for a second store choose other names;"
        " 'loginctl enable-linger' keeps them while you are logged out"
    )
    return Units(tuple(files), (how, *_left_behind(values)))


def _every(seconds: float) -> list[str]:
    """Return a timer's lines for an interval, the first time soon after the user's login.

    AccuracySec is a minute otherwise.
    """
    span = f"{min(seconds, LONGEST):.3f}".rstrip("0").rstrip(".")
    return ["OnStartupSec=1min", f"OnUnitActiveSec={span}s", "AccuracySec=1s"]


def _on_calendar(job: Job) -> str:
    day = "" if job.weekday is None else f"{WEEKDAYS[job.weekday]} "
    return f"OnCalendar={day}*-*-* {job.hour:02}:00:00"


def _cron_time(job: Job) -> str:
    day = "*" if job.weekday is None else (job.weekday + 1) % 7  # Sunday is 0 there
    return f"0 {job.hour} * * {day}"


def _left_behind(values: Sequence[SettingValue]) -> list[str]:
    """Return a note for each setting of this shell's that no timer will know."""
    return [
        f"HEBB_{one.name.upper()} counts in this shell only:"
        f" 'hebb config set {one.name}' writes it where the schedule reads it"
        for one in values
        if one.origin == "environment"
    ]


def _cron_line(words: Sequence[str]) -> str:
    """Quote words for the shell that cron starts."""
    return " ".join(map(_cron_word, _writable(words)))


def _cron_word(word: str) -> str:
    r"""Quote a word for cron and then for the shell.

    To most crons % ends the command and \% means it; to a shell outside quotes \% means it, too,
    so that also a cron that knows nothing of it is served. Some crons halve two backslashes: they
    are kept apart by quotes.
    """
    pieces = re.split(r"(%)|(?<=\\)(?=\\)", word)
    quoted = [r"\%" if piece == "%" else shlex.quote(piece) for piece in pieces if piece]
    return "".join(quoted) or "''"


def _unit_line(words: Sequence[str]) -> str:
    """Quote words for ExecStart=. Source: systemd.service(5), systemd.syntax(7)."""
    return " ".join(map(_unit_word, _writable(words)))


def _unit_word(word: str) -> str:
    if re.fullmatch(BARE, word):
        return word
    doubled = re.sub(r"[%$]", lambda sign: sign[0] * 2, word)
    escaped = re.sub(r'["\\]', lambda sign: f"\\{sign[0]}", doubled)
    return f'"{escaped}"'


def _writable(words: Sequence[str]) -> Sequence[str]:
    for word in words:
        if re.search(UNWRITABLE, word):
            raise WrongUsage(
                f"{word!r} cannot stand in a schedule: it holds a character that no line can",
                hint="give the file or folder another name, or a link to it",
            )
    return words
