"""hebb forecast: what it lists for a day is what the sweep of that day takes."""

import random
from datetime import UTC, datetime, timedelta

import pytest

START = datetime(2026, 1, 1, 12, 34, 56, 789000, tzinfo=UTC)
PARTITIONS = ("mem_notes", "mem_episodic", "mem_semantic", "mem_hippocampus", "mem_own")


def moment(days: float) -> str:
    return (START + timedelta(days=days)).isoformat()


def some_memories(seed: int, count: int) -> list[dict]:
    """Return memories of every kind of end, most of them near it."""
    chance = random.Random(seed)
    made = []
    for number in range(count):
        idle = chance.uniform(0, 260)
        one = {
            "content": f"note {number}",
            "partition": chance.choice(PARTITIONS),
            "importance": chance.choice((0, 2.5, 5, 10)),
            "access_count": chance.choice((0, 0, 1, 4)),
            "created_at": moment(-idle),
            "pinned": chance.random() < 0.1,
        }
        if chance.random() < 0.2:
            one["ttl_ms"] = chance.choice((3, 20, 300)) * 86_400_000 + chance.randrange(10)
        if chance.random() < 0.2:
            one["expires_at"] = moment(chance.choice((-3, 0, 1, 7.25, 20)))
        if chance.random() < 0.3:
            one["archived_at"] = moment(-chance.choice((0, 1, 12, 25, 30, 31, 40.5)))
        if chance.random() < 0.1:
            one["promoted_at"] = moment(-idle)
        made.append(one)
    return made


def taken(swept: list[dict]) -> set[tuple]:
    return {(one["id"], one["outcome"], one["reason"]) for one in swept}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"archive_days": "4.5"},
        {"archive_days": "0"},
        {"archive_days": "1e300"},
        {"on_forget": "erase", "gc_max_share": "1"},
        {"forget_min_retention_days": "100", "half_life_days": "20"},
    ],
    ids=str,
)
def test_sweeps_run_day_by_day_take_exactly_what_was_listed(hebb, at, seed, settings) -> None:
    at(moment(0))
    for name, value in settings.items():
        hebb("config", "set", name, value)
    hebb.bring(*some_memories(seed, 60))
    days = 45
    found = hebb.json("forecast", "--days", days)
    listed: dict[int, list[dict]] = {day: [] for day in range(days + 1)}
    for one in found["memories"]:
        listed[one["day"]].append(one)
    for day in range(days + 1):
        at(moment(day))
        swept = hebb.json("gc")["memories"]
        assert taken(swept) == taken(listed[day]), day
        for one in swept:
            [expected] = [two for two in listed[day] if two["id"] == one["id"]]
            assert expected["retention"] == one["retention"]
            assert expected["threshold"] == one["threshold"]
    assert sum(len(one) for one in listed.values()) > 10


def test_forecast_counts_each_sweep_and_dates_it(hebb, at) -> None:
    at("2026-01-01T08:00:00Z")
    hebb("add", "a day", "--ttl", "36h")
    hebb("add", "a week", "--expires", "2026-01-07T08:00:00Z")
    hebb("add", "for long", "--pin")
    found = hebb.json("forecast")
    assert [(one["day"], one["sweep_at"], one["archived"]) for one in found["sweeps"]] == [
        (2, "2026-01-03T08:00:00Z", 1),
        (6, "2026-01-07T08:00:00Z", 1),
    ]
    assert [(one["id"], one["reason"]) for one in found["memories"]] == [(1, "ttl"), (2, "expired")]
    done = hebb("forecast", "--days", 40)
    assert [row[:3] for row in done.rows] == [
        ["2026-01-03T08:00:00Z", "1", "archived"],
        ["2026-01-07T08:00:00Z", "2", "archived"],
        ["2026-02-03T08:00:00Z", "1", "erased"],
        ["2026-02-07T08:00:00Z", "2", "erased"],
    ]
    assert done.err == "within 40 days 2 archived, 2 erased\n"


def test_sweep_that_will_refuse_is_named(hebb, at) -> None:
    hebb("config", "set", "on_forget", "erase")
    hebb.bring(*({"content": f"note {number}", "importance": 0} for number in range(25)))
    done = hebb("forecast", "--days", 100)
    assert "the sweep of 2026-03-15 needs --yes" in done.err
    at(73)
    assert hebb.error("gc")["code"] == 4


def test_forecast_of_a_partition_or_of_nothing(hebb) -> None:
    assert hebb.json("forecast")["memories"] == []
    hebb("add", "one", "--ttl", "1d")
    hebb("add", "two", "--ttl", "1d", "--partition", "mem_other")
    assert hebb.ids("forecast", "--partition", "mem_other") == [2]
    assert hebb.ids("forecast", "--days", 0) == []


@pytest.mark.parametrize("days", [-1, 1.5, 3651, "nan", "soon", "1e99"])
def test_absurd_horizon_is_refused(hebb, days) -> None:
    assert hebb.error("forecast", "--days", days)["code"] == 2
