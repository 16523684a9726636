"""Killed processes and many at once, a few of each: the benchmarks of these names try hundreds."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from crashes import Bench, Blow, Moment, hebb_at, start_at
from parallel import trial
from soundness import Case, Snapshot, State, findings
from writes import NOW, WRITES, Answer

SIZE = 60
# Kind of write -> the change of a file at which it is killed. Each kind makes so many or more.
KILLED_AT = {
    "first add": 4,
    "add": 3,
    "edit": 6,
    "import --strict": 3,
    "import --replace": 6,
    "gc": 4,
    "schedule run": 4,
    "gc --purge": 5,
    "forget": 7,
    "add --key": 4,
    "consolidate": 4,
    "embed": 3,
    "restore of copies": 4,
    "preset": 3,
    "config set": 4,
    "backup": 5,
    "backup restore": 9,
    "restore, damaged": 7,
    "migration": 4,
}
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGKILL, signal.SIGINT)


@pytest.fixture
def bench(hebb, home: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """A home that is killed in by real processes, and looked at in this one."""
    monkeypatch.setenv("HEBB_HOME", str(home / "home"))
    monkeypatch.setenv("HEBB_NOW", NOW)
    return Bench(home, lambda words: Answer(*hebb(*words)), start_at(home), SIZE)


@pytest.mark.parametrize("kind", KILLED_AT)
def test_killed_write_is_done_or_not_done_and_the_next_run_finishes_it(
    bench: Bench, kind: str
) -> None:
    number = SIGNALS[list(KILLED_AT).index(kind) % len(SIGNALS)]
    moment = Moment(KILLED_AT[kind], 0)
    bench.set_up(WRITES[kind])
    outcome = bench.trial(
        Blow(moment, number, watched=number != signal.SIGKILL),
        Blow(Moment(2, 0), signal.SIGKILL, watched=False),
    )
    assert outcome.wrong == []


ROW = {"archived_at": None, "promoted_at": None, "partition": "mem_x", "trusted": 1}
SOUND = State(
    rows={"note-1": ROW | {"content": "one", "vectors": '["m 1 00"]'}},
    audit=(),
    sweeps=(),
    tombstones=frozenset({"note-2"}),
    edges={("note-1", "note-3"): (1.0, 0)},
    marks={"injections": "1"},
    kept=frozenset({"two"}),
)


@pytest.mark.parametrize(
    ("broken", "found"),
    [
        ({}, []),
        ({"rows": {"note-1": ROW | {"content": "one", "vectors": "[]"}}}, ["note-1 is neither"]),
        ({"edges": {}}, ["('note-1', 'note-3') is neither"]),
        ({"edges": {("note-1", "note-3"): (2.0, 0)}}, ["('note-1', 'note-3') is neither"]),
        ({"marks": {"injections": "2"}}, ["injections is neither"]),
        ({"kept": frozenset({"two", "three"})}, ["a copy is kept of three"]),
        ({"kept": frozenset({"two", "one"})}, ["a copy is kept of one"]),
    ],
)
def test_judges_see_what_is_half_done(broken: dict[str, Any], found: list[str]) -> None:
    before = Snapshot(SOUND, "", {}, ())
    case = Case(before, before, before, batch=500, replaces=False)
    now = before._replace(state=SOUND._replace(**broken))
    wrong = findings(case, now, answered=False)
    assert [one for one, told in zip(wrong, found, strict=True) if told not in one] == []


def mountable(folder: Path) -> bool:
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder / "inputs")]
    done = subprocess.run(mount, capture_output=True).returncode == 0
    return done and subprocess.run(["umount", str(folder / "inputs")]).returncode == 0


@pytest.mark.parametrize("kind", ["add", "gc, erasing", "config set", "restore, damaged"])
def test_write_on_a_disk_that_fills_up_is_done_or_not_done(
    bench: Bench, home: Path, kind: str
) -> None:
    if os.geteuid() or not mountable(home):
        pytest.skip("file systems cannot be mounted here")
    bench.set_up(WRITES[kind])
    outcome = bench.fill(40_000)
    assert outcome.wrong == []


@pytest.mark.parametrize("other", [None, "gc"])
def test_notes_stored_by_several_processes_at_once_are_all_there(
    home: Path, other: str | None
) -> None:
    line, _ = trial(hebb_at(home), home, 3, 2, other)
    assert line.endswith(": 0 lost, 0 locked, 0 failed")
