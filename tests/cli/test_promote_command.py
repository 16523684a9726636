"""hebb promote and reinforce: what earned it lives longer, by the rule of each preset."""

import pytest

USED_5 = {"access_count": 5}


@pytest.fixture
def preset(hebb):
    return lambda name: hebb.json("config", "preset", name)


def test_what_was_used_often_enough_is_promoted(hebb, at) -> None:
    hebb.bring(
        {"content": "often", "access_count": 5},
        {"content": "seldom", "access_count": 4},
        {"content": "event", "kind": "event", "access_count": 9},
        {"content": "habit", "partition": "mem_procedural", "access_count": 9},
        {"content": "shelved", "access_count": 9, "archived_at": "2026-01-01"},
        {"content": "over", "access_count": 9, "expires_at": "2026-01-01"},
    )
    assert hebb.ids("promote", "--dry-run") == [1, 3]
    assert hebb.json("show", 1)["partition"] == "mem_notes"
    now = at(1)
    assert hebb.ids("promote") == [1, 3]
    moved = hebb.json("show", 1)
    assert (moved["partition"], moved["promoted_at"]) == ("mem_semantic", now)
    assert moved["access_count"] == 5
    assert hebb.ids("promote") == []


def test_promotion_by_hand_needs_no_use(hebb) -> None:
    hebb("add", "one")
    assert hebb.ids("promote", 1) == [1]
    assert hebb("promote", 1).err == "0 promoted, 1 already promoted\n"


def test_promotion_by_use_can_be_off(hebb) -> None:
    hebb.bring({"content": "often", "access_count": 50})
    hebb("config", "set", "move_after_accesses", 0)
    done = hebb("promote")
    assert (done.code, done.out) == (0, "")
    assert "move_after_accesses is 0" in done.err


def test_no_time_to_live_ends_a_promoted_memory(hebb, at) -> None:
    hebb("add", "one", "--ttl", "7d")
    hebb("promote", 1)
    at(20)
    assert hebb.ids("gc", "--dry-run") == []


def test_promotion_leaves_a_row_with_the_rule_for_each(hebb) -> None:
    hebb.bring({"content": "often"} | USED_5, {"content": "by hand"})
    hebb("promote")
    hebb("promote", 2)
    found = [(one["memory_id"], one["reason"]) for one in hebb.json("audit")]
    assert found == [(2, "by hand"), (1, "used 5 times")]


def test_stale_memory_is_promoted_by_hand_only(hebb, at) -> None:
    hebb.bring({"content": "often"} | USED_5)
    hebb("config", "set", "stale_threshold", 0.99)
    at(300)
    assert hebb.json("show", 1)["state"] == "stale"
    assert hebb.ids("promote") == []
    assert hebb.ids("promote", 1) == [1]


def test_cortexgraph_promotes_the_vital_that_were_used(hebb, preset, at) -> None:
    preset("cortexgraph")
    hebb.bring(
        {"content": "new, vitality 2, never used", "strength": 2},
        {"content": "used once", "access_count": 1},
        {"content": "kept long already", "access_count": 9, "partition": "mem_preference"},
        {"content": "faint", "access_count": 1, "last_accessed_at": "2025-12-20T00:00:00Z"},
    )
    assert hebb.ids("promote") == [2]
    assert hebb.json("show", 2)["partition"] == "mem_semantic"
    assert hebb.json("audit", 2)[0]["reason"] == "vitality of 0.65"


@pytest.mark.parametrize(("days", "promoted"), [(3.65, []), (3.63, [1])])
def test_vitality_is_compared_at_the_moment(hebb, preset, at, days, promoted) -> None:
    preset("cortexgraph")  # 2^0.6 * 2^(-t/3) = 0.65 at t = 3 * (0.6 + log2(1 / 0.65)) = 3.6645
    hebb.bring({"content": "once", "access_count": 1})
    at(days + 0.03)
    assert hebb.ids("promote", "--dry-run") == promoted


@pytest.mark.parametrize(
    ("uses", "last", "promoted"),
    [(5, "2026-01-15", [1]), (4, "2026-01-15", []), (5, "2026-01-15T00:00:00.001Z", [])],
)
def test_cortexgraph_promotes_what_was_used_5_times_in_its_first_14_days(
    hebb, preset, at, uses, last, promoted
) -> None:
    preset("cortexgraph")
    hebb("config", "set", "promote_at_vitality", 0)
    hebb.bring(
        {
            "content": "x",
            "access_count": uses,
            "created_at": "2026-01-01",
            "last_accessed_at": last,
        }
    )
    at(40)
    assert hebb.ids("promote", "--dry-run") == promoted


def test_amnesia_gives_what_is_used_a_year_and_no_hard_end(hebb, preset, at) -> None:
    preset("amnesia")
    hebb("config", "set", "promote_after_accesses", 3)
    hebb.bring(
        {"content": "used", "access_count": 3},
        {"content": "own", "access_count": 3, "ttl_ms": 400 * 86_400_000},
        {"content": "seldom", "access_count": 2},
    )
    now = at(1)
    assert hebb.ids("promote") == [1, 2]
    used, own = hebb.json("show", 1), hebb.json("show", 2)
    assert (used["ttl_ms"], used["promoted_at"]) == (365 * 86_400_000, now)
    assert (used["partition"], own["ttl_ms"]) == ("mem_notes", 400 * 86_400_000)
    assert hebb.ids("promote") == []
    at(364)
    assert [one["reason"] for one in hebb.json("gc", "--yes")["memories"]] == ["lifetime"]
    at(366)
    assert hebb.ids("gc", "--yes") == [1]


def test_amnesia_promotes_by_hand_with_a_longer_ttl(hebb, preset) -> None:
    preset("amnesia")
    hebb("add", "one")
    assert hebb.ids("promote", 1) == [1]
    found = hebb.json("show", 1)
    assert (found["ttl_ms"], found["partition"]) == (365 * 86_400_000, "mem_notes")
    assert hebb("promote", 1).err == "0 promoted, 1 already promoted\n"


@pytest.mark.parametrize("name", ["jarvis", "jarvis-exp", "memorybank", "hebb-mind", "amnesia"])
def test_preset_without_promotion_says_so(hebb, preset, name) -> None:
    preset(name)
    hebb.bring({"content": "often", "access_count": 50})
    done = hebb("promote")
    assert (done.code, done.out) == (0, "")
    assert "nothing is promoted by use" in done.err


def test_reinforcing_raises_the_frequency_of_what_matters_and_nothing_else(hebb) -> None:
    hebb.bring(
        {"content": "high", "importance": 7, "frequency": 5},
        {"content": "medium", "importance": 6.9, "frequency": 5},
        {"content": "near the top", "importance": 9, "frequency": 9.5},
        {"content": "above it", "importance": 9, "frequency": 12},
        {"content": "never used", "importance": 9},
        {"content": "shelved", "importance": 9, "frequency": 5, "archived_at": "2026-01-01"},
    )
    before = hebb.json("show", 1)
    assert hebb.ids("reinforce", "--dry-run") == [1, 3]
    assert hebb.json("show", 1) == before
    done = hebb("reinforce")
    assert done.rows == [["1", "5.5", "7", "high"], ["3", "10", "9", "near the top"]]
    assert "no effect on retention" in done.err
    assert hebb.json("show", 1) == before | {"frequency": 5.5}
    assert [hebb.json("show", number)["frequency"] for number in (2, 4, 5, 6)] == [5, 12, 0, 5]


def test_reinforcing_leaves_one_row_for_all(hebb) -> None:
    assert hebb.ids("reinforce") == []
    assert hebb.json("audit") == []
    hebb.bring(*({"content": f"{n}", "importance": 9, "frequency": 1} for n in range(3)))
    hebb("reinforce")
    [row] = hebb.json("audit", "--action", "reinforce")
    assert (row["memory_id"], row["reason"]) == (None, "frequency of 3 memories x 1.1")
