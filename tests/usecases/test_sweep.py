"""The sweep as a use case: in batches under one number, next to others at work, or not at all."""

import sqlite3
from typing import Any

import pytest

from hebbctl import policies
from hebbctl.errors import Refused
from hebbctl.models import Policy
from hebbctl.usecases import forgetting, insight, memories
from hebbctl.usecases.asking import MOST_SHOWN

MANY = 1_200  # more than two batches


@pytest.fixture
def sweep(settings):
    """Sweeps a store with everything at its default but what is given."""

    def run(store, **given: Any):
        arguments: dict[str, Any] = {
            "threshold": None,
            "partition": None,
            "purge": False,
            "dry_run": False,
            "confirm": lambda _: False,
            "progress": lambda _done, _total: None,
        }
        chosen = settings._replace(values=settings.values | given.pop("values", {}))

        def policy_of(partition: str) -> Policy:
            return policies.effective(partition, chosen)

        return forgetting.sweep(store, chosen, policy_of, **arguments | given)

    return run


@pytest.fixture
def plain(home):
    """Asks the file itself."""

    def ask(query: str) -> list[tuple]:
        db = sqlite3.connect(home / "hebb.db")
        try:
            return db.execute(query).fetchall()
        finally:
            db.close()

    return ask


def ids(report) -> list[int]:
    return [ending.memory.id for ending in report.memories]


def notes(count: int, **fields: Any) -> list[dict]:
    return [{"content": f"note {number}", "importance": 0.0} | fields for number in range(count)]


def test_sweep_of_several_batches_has_one_number_and_an_audit_row_each(
    fill, store_at, sweep, plain
) -> None:
    fill(*notes(MANY), "stays")
    steps = []
    report = sweep(store_at(80), progress=lambda done, total: steps.append((done, total)))
    assert (report.sweep, report.archived, report.erased) == (1, MANY, 0)
    assert ids(report) == list(range(1, MANY + 1))
    assert steps[-1] == (MANY, MANY)
    assert len(steps) > 2
    assert plain("SELECT id, archived, erased FROM sweep") == [(1, MANY, 0)]
    assert plain("SELECT count(*), count(DISTINCT memory_id), min(sweep_id) FROM audit") == [
        (MANY, MANY, 1)
    ]
    assert plain("SELECT count(*) FROM memory WHERE sweep_id = 1 AND archived_at IS NOT NULL") == [
        (MANY,)
    ]
    back = memories.restore(store_at(80), (), sweep=1)
    assert len(back.changed) == MANY
    assert sweep(store_at(80)).sweep is None


def test_erasing_sweep_of_several_batches_leaves_no_row(fill, store_at, sweep, plain) -> None:
    fill(*notes(MANY), "stays")
    asked = []

    def confirm(question: str) -> bool:
        asked.append(question)
        return True

    report = sweep(store_at(80), values={"on_forget": "erase"}, confirm=confirm)
    assert [f"erase {MANY:,} memories" in question for question in asked] == [True]
    assert [f"  and {MANY - MOST_SHOWN:,} more\n" in question for question in asked] == [True]
    assert (report.archived, report.erased, report.erasure_pending) == (0, MANY, False)
    assert plain("SELECT count(*) FROM memory") == [(1,)]
    assert plain("SELECT count(*) FROM tombstone") == [(MANY,)]
    assert plain("SELECT count(*) FROM audit WHERE action = 'erase' AND sweep_id = 1") == [(MANY,)]


def test_dry_run_of_many_is_the_run_without_its_number(fill, store_at, sweep) -> None:
    fill(*notes(MANY))
    dry = sweep(store_at(80), dry_run=True)
    run = sweep(store_at(80))
    assert dry._replace(sweep=1, dry_run=False) == run


def test_refused_sweep_has_no_number_and_changes_nothing(fill, store_at, sweep, plain) -> None:
    fill(*notes(30), *(f"stays {number}" for number in range(29)))
    with pytest.raises(Refused, match="30 memories of 59 live ones"):
        sweep(store_at(80), values={"on_forget": "erase"})
    assert plain("SELECT count(*) FROM sweep") == plain("SELECT count(*) FROM audit") == [(0,)]
    report = sweep(store_at(80), values={"on_forget": "erase", "gc_max_share": 0.6})
    assert (report.sweep, report.erased) == (1, 30)


@pytest.mark.parametrize(
    "meanwhile",
    [
        "UPDATE memory SET last_accessed_at = last_accessed_at + 1 WHERE id = 900",
        "UPDATE memory SET pinned = 1 WHERE id = 900",
        "UPDATE memory SET archived_at = 1, archived_reason = 'by hand' WHERE id = 900",
        "DELETE FROM memory WHERE id = 900",
    ],
)
def test_memory_that_somebody_used_pinned_or_ended_meanwhile_is_left(
    fill, store_at, sweep, home, meanwhile
) -> None:
    fill(*notes(1_000))

    def interfere(done: int, _total: int) -> None:
        if done == forgetting.BATCH:
            other = sqlite3.connect(home / "hebb.db", isolation_level=None)
            other.execute(meanwhile)
            other.close()

    report = sweep(store_at(80), progress=interfere)
    assert set(range(1, 1_001)) - set(ids(report)) == {900}
    assert (report.archived, report.forgotten) == (999, 999)


def test_writer_between_two_batches_never_waits_for_the_whole_sweep(
    fill, store_at, sweep, home
) -> None:
    fill(*notes(1_000))
    added = []

    def write(_done: int, _total: int) -> None:
        other = sqlite3.connect(home / "hebb.db", isolation_level=None, timeout=0)
        other.execute("BEGIN IMMEDIATE")
        added.append(other.execute("INSERT INTO state VALUES (?, '')", (str(_done),)).rowcount)
        other.execute("COMMIT")
        other.close()

    sweep(store_at(80), progress=write)
    assert added == [1, 1]


def test_sweep_of_one_partition_leaves_the_others(fill, store_at, sweep, plain) -> None:
    over = {"archived_at": 0, "archived_reason": "by hand"}
    fill(
        *notes(3, partition="mem_a"),
        *notes(2, partition="mem_b"),
        {"content": "x", "partition": "mem_a"} | over,
        {"content": "y", "partition": "mem_b"} | over,
    )
    report = sweep(store_at(80), partition="mem_b")
    assert [(one.memory.id, one.outcome) for one in report.memories] == [
        (4, "archived"),
        (5, "archived"),
        (7, "erased"),
    ]
    assert plain("SELECT partition FROM sweep") == [("mem_b",)]
    assert ids(sweep(store_at(80), partition="mem_none")) == []
    assert ids(sweep(store_at(80))) == [1, 2, 3, 6]


def test_threshold_of_a_run_replaces_that_of_every_policy_but_not_the_inbox(
    fill, store_at, sweep
) -> None:
    partitions = ["mem_notes", *policies.BUILT_IN, policies.INBOX]
    fill(*({"content": "x", "partition": one} for one in partitions))
    assert ids(sweep(store_at(2), threshold=1.0, dry_run=True)) == [1, 2, 3, 4, 5]
    assert ids(sweep(store_at(2), threshold=0.0, dry_run=True)) == []
    report = sweep(store_at(2), threshold=1.0)
    assert {one.threshold for one in report.memories} == {1.0}


def test_each_ending_names_the_first_reason_that_fits(fill, store_at, sweep) -> None:
    day = policies.DAY
    soon = {"expires_at": 1_767_225_600_000 + day}
    fill(
        {"content": "expired, ttl over and faded", "ttl_ms": day} | soon,
        {"content": "ttl over and faded", "ttl_ms": day},
        {"content": "ttl over but promoted", "ttl_ms": day, "promoted_at": 5, "importance": 10.0},
        {"content": "pinned, but expired", "pinned": True} | soon,
        {"content": "disabled, but expired", "partition": policies.INBOX} | soon,
        {"content": "disabled, ttl over", "partition": policies.INBOX, "ttl_ms": day},
        {
            "content": "renewed",
            "ttl_ms": 200 * day,
            "renewed_at": 1_767_225_600_000,
            "importance": 10.0,
        },
    )
    report = sweep(store_at(150))
    assert {one.memory.id: one.reason for one in report.memories} == {
        1: "expired",
        2: "ttl",
        4: "expired",
        5: "expired",
    }


def test_stats_count_as_due_what_the_sweep_takes(fill, store_at, policy_of, sweep) -> None:
    fill(*notes(30), *notes(10, importance=10.0, partition="mem_semantic"))
    for days in (10, 73, 400):
        due = insight.stats(store_at(days), policy_of).due
        assert due == sweep(store_at(days), dry_run=True).forgotten


def test_predecessor_of_a_temporary_successor_outlives_the_archive_s_days(
    fill, store_at, sweep
) -> None:
    end = 1_767_225_600_000 + 100 * policies.DAY
    fill(
        {"content": "usual", "uid": "old", "archived_at": 0, "archived_reason": "superseded"},
        {"content": "this quarter", "uid": "new", "expires_at": end, "importance": 10.0},
    )
    store_at(0).imports.link_successors({"old": "new"})
    assert ids(sweep(store_at(99))) == []
    assert 1 not in ids(sweep(store_at(99), purge=True, dry_run=True))
