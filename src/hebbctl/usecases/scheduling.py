"""The schedule: which of hebb's work is due when, done for as long as a process stays."""

import gc
import math
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from hebbctl import environment
from hebbctl.errors import BadFile, HebbError
from hebbctl.models import Change, Settings
from hebbctl.policies import PolicyOf
from hebbctl.reports import SweepReport
from hebbctl.store import Store
from hebbctl.usecases import forgetting, lifecycle

SECOND = 1_000  # milliseconds
SHORTEST_INTERVAL = 1.0  # seconds, whatever the setting says
# Seconds. The timers of a suspended machine stand still, and a clock may be set: it is looked at
# so often, at least.
LONGEST_WAIT = 300.0
LAST_DAY = date(9999, 1, 1).toordinal()  # later ones cannot be told in every time zone
SWEEP, REINFORCE = "gc", "reinforce"  # commands


class Run(Protocol):
    """What a look needs of a session: its one moment, and settings and store when asked for."""

    @property
    def now(self) -> int: ...
    @property
    def settings(self) -> Settings: ...
    @property
    def policy_of(self) -> PolicyOf: ...
    @property
    def changer(self) -> Store: ...
    @property
    def missing_store(self) -> Path | None: ...
    def close(self) -> None: ...


class Job(NamedTuple):
    """Work at an hour of the user's clock, each day or on one ``weekday`` (Monday is 0)."""

    command: str
    curves: tuple[str, ...]  # the settings that want it
    hour: int
    weekday: int | None = None


# Source: jarvis, a check each day at 03:00, and each Monday at 04:00 a light strengthening.
JARVIS = ("jarvis", "jarvis-exp")
JOBS = (Job(SWEEP, JARVIS, hour=3), Job(REINFORCE, JARVIS, hour=4, weekday=0))

Begin = Callable[[Settings | None], Run]  # a new run; under these settings, if there are any
Done = Callable[[str, int, Any], None]  # the command, the moment, its report


def wanted(settings: Settings) -> list[Job]:
    """Return the jobs of the day and the week that these settings have."""
    return [job for job in JOBS if settings.values["curve"] in job.curves]


def interval(settings: Settings) -> float:
    """Return the seconds from one sweep to the next."""
    return max(SHORTEST_INTERVAL, float(settings.values["forget_interval_seconds"]))


def slots(job: Job, now: int) -> tuple[float, float]:
    """Return when a job last was due, at ``now`` or before, and when it is next; inf for never."""
    today = environment.local_day(now).toordinal()
    days = [date.fromordinal(min(today + days, LAST_DAY)) for days in range(-7, 9)]
    times = [
        environment.local_hour(day, job.hour)
        for day in days
        if job.weekday in (None, day.weekday())
    ]
    last = max((time for time in times if time <= now), default=-math.inf)
    return last, min((time for time in times if time > now), default=math.inf)


class Scheduler:
    """Looks at the clock, does what is due, and says when to look again.

    Each look is a run of its own: it reads the settings, and opens and closes the store, anew.
    """

    def __init__(
        self,
        begin: Begin,
        *,
        done: Done,
        problem: Callable[[HebbError], None],
        note: Callable[[str], None],
    ) -> None:
        """Raises: HebbError: the settings are broken, and there are no earlier ones to keep."""
        self._begin = begin
        self._done = done
        self._problem = problem
        self._note = note
        self._said: dict[str, str] = {}  # by what it is about: nothing is said twice
        self._swept_at: int | None = None
        run = begin(None)
        self._settings = run.settings
        self._looked_at = run.now

    def look(self) -> float:
        """Do what is due, each thing once however long ago it fell due.

        Returns the seconds until the next look.
        """
        run = self._run()
        try:
            for command in self._due(run.now):
                self._do(command, run)
            self._looked_at = run.now
            return self._seconds_from(run.now)
        finally:
            run.close()
            gc.collect()  # a run leaves cycles, 3 KB; too few a day for Python to look for them

    def _run(self) -> Run:
        """Begin a run under the settings as they are now, or the last good ones."""
        run = self._begin(None)
        try:
            self._settings = run.settings
        except BadFile as error:
            self._fail("settings", error)
            return self._begin(self._settings)
        self._mend("settings", "the settings can be read again")
        return run

    def _due(self, now: int) -> list[str]:
        """Return the commands that are due. A clock that was set back puts nothing off."""
        looked_at = min(self._looked_at, now)
        due = {job.command for job in wanted(self._settings) if slots(job, now)[0] > looked_at}
        if self._swept_at is not None:
            self._swept_at = min(self._swept_at, now)
        if now >= self._next_sweep(now):
            due.add(SWEEP)
        return [command for command in WORK if command in due]

    def _next_sweep(self, now: int) -> float:
        return now if self._swept_at is None else self._swept_at + self._interval()

    def _interval(self) -> float:
        return interval(self._settings) * SECOND

    def _seconds_from(self, now: int) -> float:
        times = [self._next_sweep(now), *(slots(job, now)[1] for job in wanted(self._settings))]
        return min(LONGEST_WAIT, (min(times) - now) / SECOND)

    def _do(self, command: str, run: Run) -> None:
        if command == SWEEP:
            self._swept_at = run.now  # also one that fails: the next one tries again
        try:
            report = WORK[command](run)
        except HebbError as error:
            self._fail(command, error)
            return
        self._mend(command, f"{command} is possible again")
        self._note_missing(run.missing_store)
        self._done(command, run.now, report)

    def _note_missing(self, store: Path | None) -> None:
        text = f"there is no store {store} yet: 'hebb add' makes it" if store else ""
        if text and self._said.get("store") != text:
            self._note(text)
        self._said["store"] = text

    def _fail(self, what: str, error: HebbError) -> None:
        if self._said.get(what) != str(error):
            self._said[what] = str(error)
            self._problem(error)

    def _mend(self, what: str, text: str) -> None:
        if self._said.pop(what, None):
            self._note(text)


def _sweep(run: Run) -> SweepReport:
    return forgetting.sweep(
        run.changer,
        run.settings,
        run.policy_of,
        threshold=None,
        partition=None,
        purge=False,
        dry_run=False,
        confirm=lambda question: False,
        progress=lambda done, total: None,
        spare=True,
    )


def _reinforce(run: Run) -> Change:
    return lifecycle.reinforce(run.changer)


WORK: dict[str, Callable[[Run], Any]] = {SWEEP: _sweep, REINFORCE: _reinforce}
