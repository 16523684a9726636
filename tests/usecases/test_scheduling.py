"""The scheduler under a clock that is moved: what is due when, and what it survives."""

import gc
import os
import sqlite3
import time
import tracemalloc
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebbctl.errors import BadFile, HebbError
from hebbctl.session import Session
from hebbctl.usecases.scheduling import LONGEST_WAIT, Job, Scheduler, slots

MINUTE = 1 / 1440  # days
OLD = {"created_at": "2020-01-01T00:00:00Z"}
CENTURY = 4_102_444_800_000  # 2100-01-01, in milliseconds


class Watched:
    """A scheduler, and all that it told."""

    def __init__(self) -> None:
        self.done: list[tuple[str, Any]] = []
        self.problems: list[HebbError] = []
        self.notes: list[str] = []
        self._scheduler = Scheduler(
            lambda settings: Session().another(settings, actor="cron"),
            done=lambda command, at, report: self.done.append((command, report)),
            problem=self.problems.append,
            note=self.notes.append,
        )

    def look(self) -> float:
        return self._scheduler.look()

    def sweeps(self) -> int:
        """Look once, and return how many sweeps there were."""
        return self.counted("gc")

    def counted(self, command: str) -> int:
        """Look once, and return how often a command was run."""
        before = len(self.done)
        self.look()
        return [done for done, _ in self.done[before:]].count(command)


@pytest.fixture
def zone(monkeypatch):
    """Sets the user's time zone."""

    def set_zone(name: str) -> None:
        monkeypatch.setenv("TZ", name)
        time.tzset()

    yield set_zone
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def configured(home: Path) -> Callable[[str], None]:
    """Writes the settings file as an editor would."""
    return lambda text: (home / "hebb.json").write_text(text) and None


def test_first_sweep_is_at_once_and_then_one_for_each_interval(hebb, at) -> None:
    hebb("add", "x")
    watched = Watched()
    found = []
    for minutes in (0, 10, 29.9, 30, 31, 59, 60.5):
        at(minutes * MINUTE)
        found.append(watched.sweeps())
    assert found == [1, 0, 0, 1, 0, 0, 1]


def test_it_waits_until_the_next_sweep_but_looks_at_the_clock_meanwhile(hebb, at) -> None:
    hebb("add", "x")
    watched = Watched()
    assert watched.look() == LONGEST_WAIT
    at(29 * MINUTE)
    assert watched.look() == pytest.approx(60)


def test_change_of_the_interval_counts_from_the_next_look(hebb, at, configured) -> None:
    hebb("add", "x")
    watched = Watched()
    watched.look()
    configured('{"forget_interval_seconds": 60}')
    at(5 * MINUTE)
    assert watched.sweeps() == 1
    assert watched.look() == pytest.approx(60)


@pytest.mark.parametrize("seconds", ["1e-300", "0.5"])
def test_tiny_interval_is_one_sweep_a_second(hebb, at, configured, seconds) -> None:
    hebb("add", "x")
    configured(f'{{"forget_interval_seconds": {seconds}}}')
    assert Watched().look() == 1


def test_change_of_a_policy_counts_from_the_next_sweep(hebb, at, configured) -> None:
    hebb("add", "x")
    at(100)
    watched = Watched()
    watched.look()
    configured('{"half_life_days": 14}')
    at(100 + 31 * MINUTE)
    watched.look()
    assert [report.archived for _, report in watched.done] == [0, 1]


def test_broken_settings_are_told_once_and_the_last_good_ones_kept(hebb, at, configured) -> None:
    hebb("add", "x")
    configured('{"half_life_days": 3650}')
    at(1000)  # under the defaults it would be gone
    watched = Watched()
    watched.look()
    for minutes, text in ((30, '{"half_life'), (60, '{"half_life'), (90, '{"half_life_days": 0}')):
        configured(text)
        at(1000 + minutes * MINUTE)
        watched.look()
    assert [report.archived for _, report in watched.done] == [0, 0, 0, 0]
    assert [type(problem) for problem in watched.problems] == [BadFile, BadFile]  # two different
    configured("{}")
    at(1000 + 120 * MINUTE)
    watched.look()
    assert watched.done[-1][1].archived == 1
    assert watched.notes == ["the settings can be read again"]


def test_settings_broken_from_the_start_are_a_failure(configured) -> None:
    configured("{")
    with pytest.raises(BadFile):
        Watched()


def test_locked_store_is_told_once_and_swept_by_the_next_tick(hebb, home, at, monkeypatch) -> None:
    hebb.bring({"content": "old", **OLD})
    monkeypatch.setenv("HEBB_BUSY_TIMEOUT", "0")
    watched = Watched()
    with closing(sqlite3.connect(home / "hebb.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        watched.look()
        at(30 * MINUTE)
        watched.look()
    assert [problem.code for problem in watched.problems] == [5]
    assert watched.done == []
    at(60 * MINUTE)
    watched.look()
    assert watched.done[0][1].archived == 1
    assert watched.notes == ["gc is possible again"]


def test_damaged_store_ends_nothing(hebb, home, at) -> None:
    watched = Watched()
    (home / "hebb.db").write_bytes(b"no store at all" * 100)
    watched.look()
    (home / "hebb.db").unlink()
    hebb.bring({"content": "old", **OLD})
    at(30 * MINUTE)
    watched.look()
    assert ([problem.code for problem in watched.problems], len(watched.done)) == ([5], 1)


def test_missing_store_is_told_once_and_not_made(hebb, home, at) -> None:
    watched = Watched()
    for minutes in (0, 30, 60):
        at(minutes * MINUTE)
        watched.look()
    assert watched.notes == [f"there is no store {home / 'hebb.db'} yet: 'hebb add' makes it"]
    assert not (home / "hebb.db").exists()
    hebb.bring({"content": "old", **OLD})
    at(90 * MINUTE)
    watched.look()
    assert watched.done[-1][1].archived == 1


def test_machine_that_slept_for_weeks_sweeps_once(hebb, at, configured) -> None:
    configured('{"curve": "jarvis"}')
    hebb("add", "x")
    watched = Watched()
    found = []
    for days in (0, 60, 60 + MINUTE, 60 + 29 * MINUTE, 60 + 30 * MINUTE):
        at(days)
        found.append(watched.sweeps())
    assert found == [1, 1, 0, 0, 1]


@pytest.mark.parametrize("back", [1 * MINUTE, 1, 300])
def test_clock_set_back_neither_floods_nor_stalls(hebb, at, back) -> None:
    at(400)
    hebb("add", "x")
    watched = Watched()
    assert watched.sweeps() == 1
    found = []
    for minutes in (0, 10, 20, 30, 40):
        at(400 - back + minutes * MINUTE)
        found.append(watched.sweeps())
    assert found == [0, 0, 0, 1, 0]


@pytest.mark.parametrize(
    ("name", "first"), [("UTC", 3.0), ("Asia/Shanghai", 19.0), ("America/New_York", 8.0)]
)
def test_daily_check_of_jarvis_is_at_three_where_the_user_is(
    hebb, at, configured, zone, name, first
) -> None:
    zone(name)
    configured('{"curve": "jarvis", "forget_interval_seconds": 8640000}')
    hebb("add", "x")
    watched = Watched()
    assert watched.sweeps() == 1
    found = []
    for hours in (first - 0.1, first, first + 0.1, first + 23.9, first + 24):
        at(hours / 24)
        found.append(watched.sweeps())
    assert found == [0, 1, 0, 0, 1]


def test_jarvis_strengthens_what_is_important_on_monday_at_four(hebb, at, configured) -> None:
    configured('{"curve": "jarvis"}')
    hebb("add", "x", "--importance", 8)
    hebb("touch", 1)
    watched = Watched()
    found = []
    for days in (0, 4 + 3.9 / 24, 4 + 4 / 24, 4.5, 5, 11.5):  # the fifth of January is a Monday
        at(days)
        found.append(watched.counted("reinforce"))
    assert found == [0, 0, 1, 0, 0, 1]
    assert hebb.json("show", 1)["frequency"] == pytest.approx(1.21)


def test_other_presets_have_no_daily_check(hebb, at, configured) -> None:
    configured('{"forget_interval_seconds": 8640000}')
    hebb("add", "x")
    watched = Watched()
    watched.look()
    at(3)
    assert watched.sweeps() == 0


@given(now=st.integers(0, CENTURY), weekday=st.none() | st.integers(0, 6), hour=st.integers(0, 23))
def test_slot_before_and_slot_after_enclose_the_moment(now, weekday, hour) -> None:
    last, following = slots(Job("gc", (), hour, weekday), now)
    days = 1 if weekday is None else 7
    assert last <= now < following
    assert following - last == pytest.approx(days * 86_400_000, abs=7_200_000)  # summer time


def test_last_days_of_the_calendar_have_no_slot_and_no_error() -> None:
    assert slots(Job("gc", (), 3), 253_402_300_799_000)[1] == float("inf")


def test_sweep_that_would_erase_much_archives_instead(hebb, configured) -> None:
    hebb.bring(*({"content": f"old {number}", **OLD} for number in range(30)))
    configured('{"on_forget": "erase"}')
    watched = Watched()
    watched.look()
    [(_, report)] = watched.done
    assert (report.archived, report.erased, report.spared) == (30, 0, 30)
    assert hebb.json("stats")["by_state"]["archived"] == 30


def test_audit_names_cron(hebb) -> None:
    hebb.bring({"content": "old", **OLD})
    Watched().look()
    assert [entry["actor"] for entry in hebb.json("audit")] == ["cron"]


def test_many_ticks_keep_no_memory_and_no_files(hebb, at) -> None:
    hebb("add", "x")
    watched = Watched()

    def tick(numbers: range) -> tuple[int, int]:
        for number in numbers:
            at(number * 30 * MINUTE)
            assert watched.sweeps() == 1
            watched.done.clear()
        return tracemalloc.get_traced_memory()[0], len(os.listdir("/dev/fd"))

    gc.freeze()  # what the tests themselves hold need not be searched at each tick
    tracemalloc.start()
    try:
        tick(range(20))
        memory, files = tick(range(20, 40))
        later_memory, later_files = tick(range(40, 140))
    finally:
        tracemalloc.stop()
        gc.unfreeze()
    assert later_files == files
    assert later_memory - memory < 100 * 500  # bytes: the cycles of a tick are 3,000
