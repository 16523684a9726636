"""What a sweep selects under every system: exactly what the definition of each says."""

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stores import DAY, NOW, plain_sqlite, using

from hebbctl import policies
from hebbctl.models import Settings
from hebbctl.presets import PRESETS
from hebbctl.settings import defaults
from hebbctl.store import Store
from hebbctl.store.sweeps import Due

SHARED = [HealthCheck.function_scoped_fixture]
few = settings(suppress_health_check=SHARED, max_examples=15)  # for each of the presets
some = settings(suppress_health_check=SHARED, max_examples=40)
Row = dict[str, Any]


# The definitions, written out as SYSTEMS has them: idle days and a memory -> what is compared.
def hebb(days: float, row: Row) -> float:
    figures = {
        "mem_episodic": (30, 1, 1),
        "mem_semantic": (90, 3, 1.5),
        "mem_procedural": (90, 3, 1.5),
        "mem_preference": (180, 4, 1.5),
    }
    half_life_days, k_importance, k_access = figures.get(row["partition"], (60, 2, 1.5))
    stretched = 1 + k_importance * row["importance"] / 10 + k_access * row["access_count"] / 10
    return math.exp(-days / (half_life_days * stretched))


def level(row: Row) -> float:
    return 30 * (3 if row["importance"] >= 7 else 1 if row["importance"] >= 4 else 0.5)


def jarvis(days: float, row: Row) -> float:
    return 2 ** -(days / level(row))


def jarvis_exp(days: float, row: Row) -> float:
    return math.exp(-(days / level(row)))


def weight(row: Row) -> float:
    return (row["access_count"] + 1) ** 0.6 * row["strength"]


def cortexgraph(days: float, row: Row) -> float:
    return weight(row) * 2 ** -(days / 3)


def cortexgraph_power(days: float, row: Row) -> float:
    return weight(row) * (1 + days / (3 / (2 ** (1 / 1.1) - 1))) ** -1.1


def cortexgraph_two(days: float, row: Row) -> float:
    return weight(row) * (0.7 * 2 ** -(days / 0.5) + 0.3 * 2 ** -(days / 7))


def memorybank(days: float, row: Row) -> float:
    return math.exp(-days / (row["strength"] + row["access_count"]))


def amnesia(days: float, row: Row) -> float:
    return math.exp(-3 * days / ((row["ttl_ms"] or 30 * DAY) / DAY))


class System:
    """One system's rules: its definition, threshold, floor, and its limits where it has some."""

    def __init__(
        self,
        worth: Callable[[float, Row], float],
        threshold: float,
        *,
        floor: int = 0,
        kept: tuple[str, ...] = (),
        ttl: int | None = None,
        longest: int | None = None,
        ends_at: bool = False,
    ) -> None:
        self.worth, self.threshold, self.floor = worth, threshold, floor
        self.kept = (policies.INBOX, *kept)
        self.ttl, self.longest, self.ends_at = ttl, longest, ends_at

    def ending(self, row: Row) -> str | None:
        """Say what ends a memory: the first reason that holds, or None."""
        if row["expires_at"] is not None and row["expires_at"] <= NOW:
            return "expired"
        if row["pinned"] or row["partition"] in self.kept:
            return None
        clock, anchor = row["last_accessed_at"], 1.0
        if row["anchor_at"] is not None:
            clock, anchor = row["anchor_at"], row["anchor_value"]
        idle = max(0, NOW - max(clock, row["renewed_at"] or 0))
        if row["promoted_at"] is None:
            if self.longest is not None and NOW - row["created_at"] >= self.longest:
                return "lifetime"
            ttl = row["ttl_ms"] or self.ttl
            if ttl is not None and idle >= ttl:
                return "ttl"
        left = anchor * self.worth(idle / DAY, row)
        below = left <= self.threshold if self.ends_at else left < self.threshold
        return "faded" if below and idle > self.floor else None

    def is_close(self, row: Row) -> bool:
        """Say whether the definition's last bits decide: no arithmetic can be held to them."""
        clock, anchor = row["last_accessed_at"], 1.0
        if row["anchor_at"] is not None:
            clock, anchor = row["anchor_at"], row["anchor_value"]
        idle = max(0, NOW - max(clock, row["renewed_at"] or 0))
        return math.isclose(anchor * self.worth(idle / DAY, row), self.threshold, rel_tol=1e-12)


LONG_TERM = ("mem_semantic", "mem_procedural", "mem_preference")
SYSTEMS = {
    "default": System(hebb, 0.3, floor=DAY),
    "hebb-mind": System(hebb, 0.3, floor=DAY),
    "jarvis": System(jarvis, 0.2),
    "jarvis-exp": System(jarvis_exp, 0.2),
    "cortexgraph": System(cortexgraph, 0.05, kept=LONG_TERM),
    "cortexgraph-power": System(cortexgraph_power, 0.05, kept=LONG_TERM),
    "cortexgraph-two": System(cortexgraph_two, 0.05, kept=LONG_TERM),
    "memorybank": System(memorybank, 0.1),
    "amnesia": System(amnesia, 0.05, ttl=30 * DAY, longest=90 * DAY, ends_at=True),
}


def rarely(values: st.SearchStrategy) -> st.SearchStrategy:
    return st.integers(0, 3).flatmap(lambda chance: values if chance == 3 else st.none())


STEPS = st.integers(-2, 2)
# Ends of some life under one system or another, in days, and times between them.
IDLE = st.sampled_from([1, 2.302585, 12.0397, 12.9658, 29.957323, 30, 69.6578, 72.238, 90])
IDLE_MS = st.builds(lambda days, step: round(days * DAY) + step, IDLE, STEPS)
IDLE_MS |= st.integers(-DAY, 200 * DAY)
MEMORIES = st.fixed_dictionaries(
    {
        "partition": st.sampled_from([*policies.KNOWN, "mem_facts"]),
        "importance": st.sampled_from([0.0, 3.99, 4.0, 5.0, 7.0, 10.0]) | st.floats(0, 10),
        "access_count": st.integers(0, 4) | st.integers(0, 10**6),
        "strength": st.sampled_from([1.0, 1.5, 2.0]) | st.floats(0.01, 5),
        "last_accessed_at": IDLE_MS.map(lambda idle: NOW - idle),
        "created_at": IDLE_MS.map(lambda idle: NOW - abs(idle)),
        "renewed_at": rarely(IDLE_MS.map(lambda idle: NOW - idle)),
        "promoted_at": rarely(st.just(5)),
        "pinned": rarely(st.just(1)).map(bool),
        "ttl_ms": rarely(st.integers(1, 200 * DAY) | IDLE_MS.map(lambda idle: abs(idle) + 1)),
        "expires_at": rarely(STEPS.map(lambda step: NOW + step)),
        "anchor_at": rarely(IDLE_MS.map(lambda idle: NOW - idle)),
        "anchor_value": st.sampled_from([0.8, 0.1, 1.0, 0.0]) | st.floats(0, 1),
    }
).map(lambda row: row if row["anchor_at"] is not None else row | {"anchor_value": None})


def fill(path, rows: list[Row]) -> None:
    """Make these the only memories, with ids from 1, all their fields as given."""
    with plain_sqlite(path) as db:
        db.execute("BEGIN")
        db.execute("DELETE FROM memory")
        db.executemany(
            """
            INSERT INTO memory (
                id, uid, partition, importance, access_count, strength, created_at,
                last_accessed_at, renewed_at, promoted_at, pinned, ttl_ms, expires_at,
                anchor_at, anchor_value, content_digest, content
            )
            VALUES (
                :id, 'uid ' || :id, :partition, :importance, :access_count, :strength, :created_at,
                :last_accessed_at, :renewed_at, :promoted_at, :pinned, :ttl_ms, :expires_at,
                :anchor_at, :anchor_value, 0, 'x'
            )
            """,
            [row | {"id": number} for number, row in enumerate(rows, start=1)],
        )
        db.execute("COMMIT")


def under(*presets: str) -> policies.PolicyOf:
    """Return the policies of a preset, or, of several, each in its own share of the partitions."""
    each = [settings_of(preset) for preset in presets]
    return lambda partition: policies.effective(partition, each[len(partition) % len(each)])


def settings_of(preset: str) -> Settings:
    chosen = dict(PRESETS[preset].settings)
    overrides = chosen.pop("forgetting_overrides", {})
    return Settings(defaults().values | chosen, overrides, ())


def selected(store: Store) -> list[tuple[int, str]]:
    return [(one.id, one.reason) for one in store.sweeps.due()]


def expected(rows: list[Row], system_of: Callable[[Row], System]) -> list[tuple[int, str]]:
    found = ((number, system_of(row).ending(row)) for number, row in enumerate(rows, start=1))
    return [(number, reason) for number, reason in found if reason]


@pytest.mark.parametrize("preset", PRESETS)
@given(rows=st.lists(MEMORIES, max_size=15))
@few
def test_sweep_takes_exactly_what_the_system_ends(path, preset, rows) -> None:
    system = SYSTEMS[preset]
    rows = [row for row in rows if not system.is_close(row)]
    with using(path, under=under(preset)) as store:
        fill(path, rows)
        assert selected(store) == expected(rows, lambda row: system)


@given(
    rows=st.lists(MEMORIES, max_size=15),
    presets=st.lists(st.sampled_from(list(PRESETS)), min_size=2, max_size=3, unique=True),
)
@some
def test_partitions_of_different_systems_are_swept_each_by_its_own(path, presets, rows) -> None:
    def system_of(row: Row) -> System:
        return SYSTEMS[presets[len(row["partition"]) % len(presets)]]

    rows = [row for row in rows if not system_of(row).is_close(row)]
    with using(path, under=under(*presets)) as store:
        fill(path, rows)
        assert selected(store) == expected(rows, system_of)


@given(
    preset=st.sampled_from(list(PRESETS)),
    rows=st.lists(MEMORIES, max_size=15),
    threshold=st.none() | st.floats(0, 1),
)
@some
def test_walk_by_groups_finds_what_asking_each_memory_finds(path, preset, rows, threshold) -> None:
    """Here to the last bit: both ask the same function."""
    with using(path, under=under(preset)) as store:
        fill(path, rows)
        walked = [one for one in store.sweeps.due(threshold=threshold) if one.reason in UNUSED]
        ended = {one.id for one in store.sweeps.due(threshold=threshold)} - {
            one.id for one in walked
        }
        asked = store.sweeps._unused_of_all(threshold)
        assert walked == sorted((one for one in asked if one.id not in ended), key=by_id)


UNUSED = ("ttl", "faded")


def by_id(due: Due) -> int:
    return due.id


@given(
    preset=st.sampled_from(list(PRESETS)),
    rows=st.lists(MEMORIES, min_size=1, max_size=8),
    idle=st.integers(0, 400 * DAY),
)
@some
def test_retention_and_vitality_are_the_same_in_sql_and_in_python(path, preset, rows, idle) -> None:
    policy_of, now = under(preset), NOW + idle
    with using(path, under=policy_of, now=now) as store:
        fill(path, rows)
        found = store._database.rows(
            """
            SELECT
                retention(
                    partition, importance, access_count, strength, ttl_ms, last_accessed_at,
                    renewed_at, anchor_value, anchor_at
                ),
                vitality(
                    partition, importance, access_count, strength, ttl_ms, last_accessed_at,
                    renewed_at, anchor_value, anchor_at
                )
            FROM memory
            ORDER BY id
            """
        )
        for memory, row in zip(
            store.memories.get_all([*range(1, len(rows) + 1)]), found, strict=True
        ):
            start, anchor = policies.clock_of(memory)
            policy, traits = policy_of(memory.partition), policies.traits_of(memory)
            clocked = {"idle": max(0, now - start), "anchor": anchor}
            assert tuple(row) == (
                policies.retention(policy, traits, **clocked),
                policies.vitality(policy, traits, **clocked),
            )
            assert row[0] == memory.retention


@pytest.mark.parametrize("preset", PRESETS)
def test_table_here_agrees_with_the_presets(preset) -> None:
    """The definitions above are written out; what they are fed must be what a preset sets."""
    policy, system = under(preset)("mem_notes"), SYSTEMS[preset]
    assert (policy.threshold, policy.min_retention_days * DAY) == (system.threshold, system.floor)
    assert policies.ttl_ms(policy, None) == system.ttl
    assert policies.max_lifetime(policy) == system.longest
    assert policy.curve == system.worth.__name__.replace("_", "-")
