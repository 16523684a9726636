"""hebb explain: the arithmetic with known numbers, and dates that the sweep then keeps."""

import json
import math

import pytest

WORKED = [
    {
        "content": "worked out",
        "partition": "mem_semantic",
        "importance": 8,
        "access_count": 10,
        "created_at": "2025-06-01",
        "last_accessed_at": "2025-12-30T00:00:00Z",
    },
    {
        "content": "worn out",
        "partition": "mem_episodic",
        "importance": 3,
        "access_count": 1,
        "created_at": "2025-09-03T00:00:00Z",
    },
]
NUMBERS = [  # id, idle days, time constant, retention, lifetime
    (1, 2, 441, 0.99548, 530.95),
    (2, 120, 42, 0.0574, 50.57),
]


@pytest.mark.parametrize(("memory", "idle", "constant", "retention", "lifetime"), NUMBERS)
def test_worked_examples_come_out_as_on_paper(
    hebb, memory, idle, constant, retention, lifetime
) -> None:
    hebb.bring(*WORKED)
    found = hebb.json("explain", memory)
    assert found["idle_days"] == idle
    assert found["time_constant_days"] == pytest.approx(constant, abs=1e-9)
    assert found["true_half_life_days"] == pytest.approx(constant * math.log(2), rel=1e-8)
    assert found["retention"] == pytest.approx(retention, abs=5e-5)
    assert found["lifetime_days"] == pytest.approx(lifetime, abs=5e-3)
    assert found["retention"] == hebb.json("show", memory)["retention"]
    assert found["time_constant_days"] == pytest.approx(
        found["half_life_days"] * (1 + found["importance_factor"] + found["access_factor"])
    )


def test_next_sweep_takes_the_worn_one_and_not_the_worked_one(hebb) -> None:
    hebb.bring(*WORKED)
    assert [hebb.json("explain", number)["due"] for number in (1, 2)] == [False, True]
    assert hebb("explain", 2).rows[2][1].startswith("goes at the next sweep: retention 0.0574")
    assert hebb.ids("gc", "--dry-run") == hebb.ids("gc") == [2]
    assert "sweep 1" in hebb.json("explain", 2)["verdict"]


def test_explanation_in_words_has_formula_both_half_lives_and_the_date(hebb) -> None:
    hebb.bring(*WORKED)
    rows = dict(hebb("explain", 1).rows)
    assert rows["formula"].startswith("retention = exp(-idle_days / (half_life_days * (1 + k_imp")
    assert rows["time constant"].startswith("441 d = 90 * (1 + 3 * 8/10 + 1.5 * 10/10)")
    assert rows["true half-life"].startswith("305.678 d")
    assert rows["retention"] == "0.995475 = exp(-2 / 441)"
    assert rows["lifetime"] == "530.952 d without use"
    assert rows["forgotten"].startswith("will be forgotten on 2027-06-13T")
    assert rows["erased"].startswith("will be erased on 2027-07-13T")
    assert rows["decided by"] == "threshold"
    assert "threshold built-in" in rows["settings"]


def test_one_use_moves_the_date(hebb, at) -> None:
    hebb("add", "x", "--importance", 0)
    before = hebb.json("explain", 1)
    at(10)
    hebb("recall", "x")
    after = hebb.json("explain", 1)
    assert after["time_constant_days"] == pytest.approx(60 * 1.15)
    assert after["forgotten_at"] > before["forgotten_at"]


def just(time: str, step: int) -> str:
    """Move a time with milliseconds by some of them."""
    head, _, tail = time.removesuffix("Z").rpartition(".")
    return f"{head}.{int(tail) + step:03d}Z"


def test_sweep_takes_a_memory_when_explain_says_and_no_sooner(hebb, at) -> None:
    hebb.bring({"content": "a", "importance": 1.5, "access_count": 3, "kind": "event"})
    found = hebb.json("explain", 1)
    at(just(found["forgotten_at"], -1))
    assert hebb.ids("gc") == []
    at(just(found["forgotten_at"], 1))
    assert hebb.ids("gc") == [1]
    erased_at = hebb.json("explain", 1)["erased_at"]
    at(just(erased_at, -1))
    assert hebb.ids("gc") == []
    at(just(erased_at, 1))
    assert hebb.ids("gc") == [1]
    assert hebb.error("explain", 1)["code"] == 3


def test_floor_is_named_where_it_and_not_the_threshold_decides(hebb, home) -> None:
    (home / "hebb.json").write_text('{"forget_min_retention_days": 100}')
    hebb.bring({"content": "short", "importance": 0}, {"content": "long", "importance": 10})
    short, long = hebb.json("explain", 1), hebb.json("explain", 2)
    assert (short["decided_by"], long["decided_by"]) == ("floor", "threshold")
    assert (short["lifetime_days"], short["forgotten_at"][:10]) == (100, "2026-04-11")
    assert "(it applies here)" in dict(hebb("explain", 1).rows)["floor"]
    assert "(it applies here)" not in dict(hebb("explain", 2).rows)["floor"]


@pytest.mark.parametrize(
    ("fields", "decided_by", "forgotten_at"),
    [
        ({"pinned": True}, "pinned", None),
        ({"partition": "mem_hippocampus"}, "disabled", None),
        ({"partition": "mem_kept"}, "disabled", None),
        ({"expires_at": "2026-01-05"}, "expires_at", "2026-01-05T00:00:00Z"),
        ({"expires_at": "2026-01-05", "pinned": True}, "expires_at", "2026-01-05T00:00:00Z"),
        ({"ttl_ms": 86_400_000}, "ttl", "2026-01-02T00:00:00Z"),
    ],
)
def test_what_decides_is_named(hebb, home, at, fields, decided_by, forgotten_at) -> None:
    (home / "hebb.json").write_text('{"forgetting_overrides": {"mem_kept": {"enabled": false}}}')
    hebb.bring({"content": "x"} | fields)
    found = hebb.json("explain", 1)
    assert (found["decided_by"], found["forgotten_at"]) == (decided_by, forgotten_at)
    if forgotten_at is None:
        assert "never forgotten" in found["verdict"]
        assert dict(hebb("explain", 1).rows)["forgotten"] == "never"
        at("9000-01-01")
        assert hebb.ids("gc", "--threshold", 1) == []
    else:
        at(forgotten_at)
        assert hebb.ids("gc", "--dry-run") == [1]


def test_memory_from_the_future_is_wholly_retained(hebb) -> None:
    hebb.bring({"content": "x", "created_at": "2027-01-01"})
    found = hebb.json("explain", 1)
    assert (found["retention"], found["idle_days"], found["last_access_in_future"]) == (1, 0, True)
    assert hebb.json("show", 1)["retention"] == hebb.json("list")[0]["retention"] == 1
    assert hebb.ids("gc", "--threshold", 1) == []
    assert "lies in the future" in dict(hebb("explain", 1).rows)["idle"]
    hebb("recall", "x")
    assert hebb.json("show", 1)["last_accessed_at"] == "2027-01-01T00:00:00Z"


LONGEST = 9 * 10**18  # milliseconds: about what 63 bits hold
EXTREMES = [
    {"half_life_days": 3650, "k_importance": 10, "k_access": 10},
    {"half_life_days": 1e-300, "k_importance": 0, "k_access": 0},
    {"forget_min_retention_days": 1e300, "archive_days": 1e300, "half_life_days": 3650},
    {"forget_threshold": 5e-324, "half_life_days": 3650, "k_access": 10},
    {"forget_threshold": 0.9999999999999999, "forget_min_retention_days": 0},
    {"archive_days": 0, "forget_min_retention_days": 0, "half_life_days": 5e-324},
    {"forget_interval_seconds": 1e300, "gc_max_share": 0, "decay_floor": 0},
]


@pytest.mark.parametrize("extreme", EXTREMES, ids=lambda extreme: " ".join(extreme))
@pytest.mark.parametrize("now", ["2026-01-01", "9999-12-31T23:59:59.999Z"])
def test_no_setting_that_is_accepted_overflows(hebb, home, at, extreme, now) -> None:
    memory = {"importance": 10, "access_count": 10**15, "created_at": "1970-01-01"}
    hebb.bring(
        {"content": "a"} | memory,
        {"content": "b", "importance": 0},
        {"content": "c", "archived_at": "9999-12-31", "ttl_ms": LONGEST} | memory,
        {"content": "d", "ttl_ms": LONGEST, "expires_at": "9999-12-31T23:59:59.999Z"},
    )
    for name, value in extreme.items():
        assert hebb("config", "set", name, repr(value)).code == 0
    (home / "hebb.json").write_text(
        json.dumps(extreme | {"forgetting_overrides": {"mem_facts": {"half_life_days": 5e-324}}})
    )
    at(now)
    for memory_id in (1, 2, 3, 4):
        for form in ([], ["--json"]):
            assert hebb("explain", memory_id, *form).code == 0
    for words in (
        ["list"],
        ["stats"],
        ["policy", "list"],
        ["policy", "show", "mem_facts"],
        ["policy", "preview", "mem_notes", "--half-life-days", "3650"],
        ["recall", "a"],
        ["recall", "a", "--explain"],
        ["archive", "1"],
        ["restore", "1"],
        ["gc", "--dry-run"],
        ["gc", "--dry-run", "--threshold", "1"],
        ["gc", "--dry-run", "--threshold", "0"],
        ["gc", "--yes"],
        ["export"],
    ):
        done = hebb(*words)
        assert done.code == 0, (words, done.err)


def test_explanation_of_an_archived_memory_says_since_when_and_until_when(hebb, at) -> None:
    hebb("add", "x")
    at(5)
    hebb("archive", 1)
    found = hebb.json("explain", 1)
    assert found["verdict"] == "in the archive since 2026-01-06T00:00:00Z (by hand)"
    assert (found["state"], found["erased_at"]) == ("archived", "2026-02-05T00:00:00Z")
