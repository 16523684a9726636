"""What a sweep selects: exactly what the definition says, at the cost of what is due."""

import math
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stores import DAY, NOW, ROW, fill, plain_sqlite, policy_of, using

from hebbctl.store.sweeps import Due

one_store = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
# The published figures, written out: half_life_days, k_importance, k_access.
FIGURES = {
    "mem_notes": (60, 2, 1.5),
    "mem_facts": (60, 2, 1.5),
    "mem_episodic": (30, 1, 1),
    "mem_semantic": (90, 3, 1.5),
    "mem_procedural": (90, 3, 1.5),
    "mem_preference": (180, 4, 1.5),
}
INBOX = "mem_hippocampus"
THRESHOLD = 0.3
FLOOR = DAY  # milliseconds
LAST_TIME = 253_402_300_799_999


def time_constant(partition: str, importance: float, count: int) -> float:
    half_life_days, k_importance, k_access = FIGURES[partition]
    return half_life_days * (1 + k_importance * importance / 10 + k_access * count / 10)


def ending(row: dict[str, Any], threshold: float | None) -> str | None:
    """Say by the plain definition what ends a memory: the first reason that holds, or None."""
    clock = max(row["last_accessed_at"], row["renewed_at"] or 0)
    idle = max(0, NOW - clock)
    if row["archived_at"] is not None:
        return None
    if row["expires_at"] is not None and row["expires_at"] <= NOW:
        return "expired"
    if row["pinned"] or row["partition"] == INBOX:
        return None
    if row["ttl_ms"] and row["promoted_at"] is None and NOW - clock >= row["ttl_ms"]:
        return "ttl"
    constant = time_constant(row["partition"], row["importance"], row["access_count"])
    retention = math.exp(-(idle / DAY) / constant)
    below = retention < (THRESHOLD if threshold is None else threshold)
    return "faded" if below and idle > FLOOR else None


THRESHOLDS = st.none() | st.sampled_from([0.0, 1.0]) | st.floats(0, 1)
STEPS = st.integers(-2, 2)


def rarely(values: st.SearchStrategy) -> st.SearchStrategy:
    """Draw None three times out of four, so that one end does not hide the others."""
    return st.integers(0, 3).flatmap(lambda chance: values if chance == 3 else st.none())


@st.composite
def memories(draw: st.DrawFn, threshold: float | None) -> dict[str, Any]:
    """Draw a memory within two milliseconds of an end of its life, or at any other time."""
    partition = draw(st.sampled_from([*FIGURES, INBOX]))
    importance = draw(st.integers(0, 10).map(float) | st.floats(0, 10))
    count = draw(st.integers(0, 3) | st.integers(0, 10**9))
    share = THRESHOLD if threshold is None else threshold
    fading = 0.0
    if partition != INBOX and share > 0:
        fading = -math.log(share) * time_constant(partition, importance, count) * DAY
    ttl_ms = draw(st.none() | st.integers(1, 10 * DAY))
    edges = [int(min(max(fading, FLOOR), NOW)), FLOOR, ttl_ms or 0]
    idle = draw(st.sampled_from(edges)) + draw(STEPS)
    idle = draw(st.just(idle) | st.integers(-DAY, NOW))
    return ROW | {
        "partition": partition,
        "importance": importance,
        "access_count": count,
        "last_accessed_at": min(max(NOW - idle, 0), LAST_TIME),
        "ttl_ms": ttl_ms,
        "renewed_at": draw(st.none() | STEPS.map(lambda step: NOW - (ttl_ms or 0) + step)),
        "promoted_at": draw(rarely(st.just(5))),
        "pinned": draw(rarely(st.just(1))) or 0,
        "expires_at": draw(rarely(STEPS.map(lambda step: NOW + step))),
        "archived_at": draw(rarely(st.just(NOW - 5))),
    }


@st.composite
def stores_with_threshold(draw: st.DrawFn) -> tuple[list[dict[str, Any]], float | None]:
    threshold = draw(THRESHOLDS)
    return draw(st.lists(memories(threshold), max_size=25)), threshold


@given(stores_with_threshold())
@one_store
def test_sweep_takes_exactly_what_the_definition_ends(store, plain, drawn) -> None:
    rows, threshold = drawn
    fill(plain, rows)
    expected = [
        Due(number, row["partition"], reason, row["last_accessed_at"])
        for number, row in enumerate(rows, start=1)
        if (reason := ending(row, threshold))
    ]
    assert store.sweeps.due(threshold=threshold) == expected
    for partition in ("mem_episodic", INBOX):
        within = [due for due in expected if rows[due.id - 1]["partition"] == partition]
        assert store.sweeps.due(threshold=threshold, partition=partition) == within


OLD = {"last_accessed_at": 0}
SHELF = {"ttl_ms": 5, "last_accessed_at": NOW - 5}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({}, None),
        (OLD, "faded"),
        (OLD | {"archived_at": 5}, None),
        (OLD | {"pinned": 1}, None),
        (OLD | {"partition": INBOX}, None),
        ({"expires_at": NOW}, "expired"),
        ({"expires_at": NOW + 1}, None),
        (OLD | {"expires_at": NOW}, "expired"),
        ({"expires_at": NOW, "pinned": 1}, "expired"),
        ({"expires_at": NOW, "partition": INBOX}, "expired"),
        (SHELF, "ttl"),
        (SHELF | {"last_accessed_at": NOW - 4}, None),
        (SHELF | {"renewed_at": NOW - 4}, None),
        (SHELF | {"renewed_at": NOW - 5}, "ttl"),
        (SHELF | {"promoted_at": 5}, None),
        (SHELF | {"pinned": 1}, None),
        (SHELF | {"partition": INBOX}, None),
        (SHELF | OLD, "ttl"),
        (SHELF | OLD | {"promoted_at": 5}, "faded"),
    ],
)
def test_first_reason_that_holds_ends_a_memory(store, plain, row, reason) -> None:
    fill(plain, [row])
    assert [due.reason for due in store.sweeps.due()] == ([reason] if reason else [])
    assert ending(ROW | row, None) == reason


def test_each_memory_of_a_group_ends_for_itself(store, plain) -> None:
    others = [{"pinned": 1}, {"archived_at": 5}, {"last_accessed_at": NOW}]
    fill(plain, [OLD, *(OLD | other for other in others), OLD])
    assert [due.id for due in store.sweeps.due()] == [1, 5]


def test_disabled_partition_is_ended_by_a_fixed_expiry_only(path) -> None:
    def disabled(partition: str):
        return policy_of(partition)._replace(enabled=False)

    with using(path, under=disabled) as store, plain_sqlite(path) as plain:
        fill(plain, [OLD, SHELF, {"expires_at": NOW}])
        assert [due.id for due in store.sweeps.due(threshold=1.0)] == [3]


@pytest.mark.parametrize("threshold", [None, 0.3, 0.05])
def test_boundary_is_strict_at_the_last_millisecond(store, plain, threshold) -> None:
    constant = time_constant("mem_notes", 5, 2) * DAY
    life = int(-math.log(threshold or 0.3) * constant)
    aged = [{"access_count": 2, "last_accessed_at": NOW - life + step} for step in range(-2, 3)]
    fill(plain, aged)
    due = [one.id for one in store.sweeps.due(threshold=threshold)]
    assert due == [n for n, row in enumerate(aged, start=1) if ending(ROW | row, threshold)]
    assert 0 < len(due) < len(aged)


def grouped(size: int) -> list[dict[str, Any]]:
    """Make fresh memories in 20 groups, and some that are pinned or archived."""
    return [
        {
            "importance": float(number % 10),
            "access_count": number % 4,
            "last_accessed_at": NOW - number,
            "pinned": int(number % 50 == 1),
            "archived_at": 5 if number % 50 == 2 else None,
        }
        for number in range(size)
    ]


def plan_of_due(store) -> list[str]:
    """Return the steps of SQLite's plan for every statement the selection runs."""
    db = store._database.connection
    ran: list[str] = []
    db.set_trace_callback(ran.append)
    store.sweeps.due()
    db.set_trace_callback(None)
    return [row["detail"] for one in ran for row in db.execute(f"EXPLAIN QUERY PLAN {one}")]


def test_sweep_seeks_groups_and_ranges_by_the_covering_index(store, plain) -> None:
    fill(plain, grouped(1000))
    plan = plan_of_due(store)
    group = "(partition,importance,access_count,strength,last_accessed_at)>(?,?,?,?,?)"
    aged = "partition=? AND importance=? AND access_count=? AND strength=? AND last_accessed_at<?"
    assert f"SEARCH later USING COVERING INDEX memory_sweep ({group})" in plan
    assert f"SEARCH old USING COVERING INDEX memory_sweep ({aged})" in plan
    assert "SCAN memory USING COVERING INDEX memory_own_clock" in plan  # hardly any have one
    assert not [step for step in plan if step in ("SCAN memory", "SCAN later", "SCAN old")]


def test_lifetime_is_computed_once_for_each_group(path) -> None:
    asked: list[str] = []

    def counting(partition: str):
        asked.append(partition)
        return policy_of(partition)

    with using(path, under=counting) as store, plain_sqlite(path) as plain:
        rows = grouped(1000)
        fill(plain, rows)
        asked.clear()
        store.sweeps.due()
    live = [row for row in rows if not row["pinned"] and row["archived_at"] is None]
    groups = len({(row["importance"], row["access_count"]) for row in live})
    # Once for what fades, once for the policy's ttl; and once for the partition's oldest.
    assert (len(asked), groups) == (2 * groups + 1, 20)


def test_store_in_which_no_two_are_alike_is_asked_one_by_one(path, monkeypatch) -> None:
    rows = [OLD | {"importance": number / 100} for number in range(300)]
    with using(path) as store, plain_sqlite(path) as plain:
        fill(plain, rows)
        walked = store.sweeps.due()
        monkeypatch.setattr("hebbctl.store.sweeps.MOST_GROUPS", 299)
        assert store.sweeps.due() == walked
        assert len(walked) == 300
        monkeypatch.setattr(store.sweeps, "_unused_of_all", lambda threshold: [])
        assert store.sweeps.due() == []


def steps_of(store, select) -> int:
    """Count the steps SQLite takes to find that nothing is due."""
    steps = [0]
    db = store._database.connection
    db.set_progress_handler(lambda: steps.append(steps.pop() + 1), 1)
    assert select() == []
    db.set_progress_handler(None, 1)
    return steps[0]


def test_sweep_costs_no_more_in_a_larger_store_with_nothing_due(store, plain) -> None:
    """The plan alone can hide a walk through every row, so this counts SQLite's steps."""
    steps: list[int] = []
    for size in (1_000, 10_000):
        fill(plain, grouped(size))
        steps.append(steps_of(store, store.sweeps.due))
    assert steps[0] == steps[1] > 0


@pytest.mark.parametrize("index", ["memory_expiry", "memory_own_clock", "memory_lifetime"])
def test_other_ends_are_found_by_their_own_index(store, plain, index) -> None:
    fill(plain, grouped(100))
    assert [step for step in plan_of_due(store) if index in step]


def archived(days: float, **fields: Any) -> dict[str, Any]:
    return {"archived_at": NOW - round(days * DAY)} | fields


def test_archive_ends_strictly_after_its_days(store, plain) -> None:
    fill(plain, [archived(30), archived(30 + 1 / DAY), archived(29), {}])
    assert store.sweeps.archive_due(archive_days=30) == [Due(2, "mem_notes", "archive", NOW)]


def test_archive_of_no_days_ends_with_the_next_millisecond(store, plain) -> None:
    fill(plain, [archived(0), archived(1 / DAY)])
    assert [one.id for one in store.sweeps.archive_due(archive_days=0)] == [2]


def test_archive_of_very_many_days_never_ends(store, plain) -> None:
    fill(plain, [{"archived_at": 0}])
    assert store.sweeps.archive_due(archive_days=1e300) == []


def test_archives_end_costs_no_more_in_a_larger_archive_with_nothing_due(store, plain) -> None:
    steps: list[int] = []
    for size in (10, 1_000):
        fill(plain, [archived(1)] * size)
        steps.append(steps_of(store, lambda: store.sweeps.archive_due(archive_days=30)))
    assert steps[0] == steps[1] > 0


def test_purge_ends_the_whole_archive_but_what_is_pinned(store, plain) -> None:
    fill(plain, [archived(0), archived(40), archived(40, pinned=1), {}])
    assert [one.id for one in store.sweeps.archive_due(archive_days=None)] == [1, 2]


def test_purge_ends_also_what_another_clock_archived_later_than_now(store, plain) -> None:
    fill(plain, [archived(-1)])
    assert [one.id for one in store.sweeps.archive_due(archive_days=None)] == [1]


def test_archive_ends_in_the_asked_partition_only(store, plain) -> None:
    fill(plain, [archived(40), archived(40, partition="mem_facts")])
    found = store.sweeps.archive_due(archive_days=30, partition="mem_facts")
    assert [one.id for one in found] == [2]


@pytest.mark.parametrize("archive_days", [30, None])
def test_what_a_temporary_memory_superseded_stays_until_it_is_current_again(
    store, plain, archive_days
) -> None:
    successors = [
        {"expires_at": NOW + 1},
        {"expires_at": NOW},
        {},
        {"expires_at": NOW + 1, "archived_at": NOW},
    ]
    fill(plain, [*(archived(40) for _ in successors), *successors])
    plain.execute(
        """
        UPDATE memory SET superseded_by = id + 4, archived_reason = 'superseded' WHERE id <= 4
        """
    )
    found = [one.id for one in store.sweeps.archive_due(archive_days=archive_days)]
    assert [number for number in found if number <= 4] == [3, 4]
