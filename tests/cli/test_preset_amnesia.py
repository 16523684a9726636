"""Preset amnesia: shelf life, stale and dead, the hard cap, pins, audit and sizes."""

import pytest


@pytest.fixture(autouse=True)
def chosen(hebb) -> None:
    assert hebb("config", "preset", "amnesia").code == 0


def test_strength_falls_to_a_twentieth_within_the_shelf_life(hebb, at) -> None:
    hebb("add", "x")
    found = []
    for days in (0, 10, 20, 29.95):
        at(days)
        found.append(round(hebb.json("explain", 1)["retention"], 3))
    assert found == [1, 0.368, 0.135, 0.05]


def test_memory_turns_stale_and_ends_when_explain_says(hebb, at, day) -> None:
    hebb("add", "x")
    found = hebb.json("explain", 1)
    assert found["lifetime_days"] == pytest.approx(29.9573, abs=1e-4)
    assert (found["stale_at"][:13], found["forgotten_at"][:13]) == (
        "2026-01-13T00",
        "2026-01-30T22",
    )
    states = {}
    for days in (12.03, 12.05, 29.95):
        at(day(days))
        states[days] = hebb.json("show", 1)["state"]
        assert hebb.ids("gc", "--dry-run") == []
    assert states == {12.03: "live", 12.05: "stale", 29.95: "stale"}
    at(day(29.96))
    assert hebb.json("gc")["erased"] == 1
    assert hebb.error("show", 1)["code"] == 3


def test_memory_ends_at_exactly_the_threshold(hebb, at, day) -> None:
    hebb("add", "x", "--ttl", "30d")
    at(day(10))
    left = hebb.json("explain", 1)["retention"]
    assert hebb.ids("gc", "--dry-run", "--threshold", 0.367) == []
    assert left == pytest.approx(0.367879441)
    assert hebb.ids("gc", "--dry-run", "--threshold", repr(2.718281828459045**-1)) == [1]


@pytest.mark.parametrize(("ttl", "seconds"), [("60s", 60), ("10d", 864_000)])
def test_own_shelf_life_scales_all_of_it(hebb, at, day, ttl, seconds) -> None:
    hebb("add", "x", "--ttl", ttl)
    assert hebb.json("explain", 1)["lifetime_days"] * 86_400 == pytest.approx(
        0.998577 * seconds, rel=1e-5, abs=0.001
    )
    for share, state in ((0.4, "live"), (0.402, "stale")):
        at(day(share * seconds / 86_400))
        assert hebb.json("show", 1)["state"] == state


def test_shelf_life_ends_a_memory_whatever_the_threshold(hebb, at) -> None:
    hebb("config", "set", "forget_threshold", 0.001)
    hebb("add", "x")
    at(29.99)
    assert hebb.ids("gc") == []
    at(30)
    found = hebb.json("gc", "--dry-run")["memories"]
    assert [(one["id"], one["reason"]) for one in found] == [(1, "ttl")]


@pytest.mark.parametrize("use", [["touch", "1"], ["recall", "note"]])
def test_use_renews_the_shelf_life_also_of_what_is_stale(hebb, at, use) -> None:
    hebb("add", "a note")
    at(20)
    assert hebb.json("show", 1)["state"] == "stale"
    hebb(*use)
    found = hebb.json("show", 1)
    assert (found["state"], found["retention"], found["access_count"]) == ("live", 1, 1)
    at(49)
    assert hebb.ids("gc") == []
    at(50)
    assert hebb.ids("gc") == [1]


def test_no_use_carries_a_memory_beyond_ninety_days(hebb, at) -> None:
    hebb("add", "x")
    for days in range(10, 90, 10):
        at(days)
        hebb("touch", 1)
    at(89.99)
    assert hebb.ids("gc") == []
    at(90)
    found = hebb.json("gc", "--dry-run")["memories"]
    assert [(one["id"], one["reason"]) for one in found] == [(1, "lifetime")]
    assert "max_lifetime_days" in hebb.json("explain", 1)["verdict"]


def test_pinned_memory_is_never_stale_never_forgotten_and_has_no_cap(hebb, at) -> None:
    hebb("add", "x", "--pin")
    at(4000)
    assert hebb.json("show", 1)["state"] == "live"
    assert hebb.ids("gc") == []
    hebb("unpin", 1)
    assert hebb.ids("gc", "--dry-run") == [1]


def test_promoted_memory_has_no_cap_and_no_ttl(hebb, at) -> None:
    hebb("add", "x")
    hebb("promote", 1)
    for days in range(20, 200, 20):
        at(days)
        hebb("touch", 1)
        assert hebb.ids("gc") == []


def test_erased_content_is_found_in_the_audit_by_its_hash_alone(hebb, home, at) -> None:
    hebb("add", "validation drink is lapsang")
    at(31)
    hebb("gc")
    [erased] = hebb.json("audit", "--text", "validation drink is lapsang", "--action", "erase")
    assert (erased["memory_id"], erased["reason"]) == (1, "ttl")
    assert erased["content_hash"]
    assert b"lapsang" not in b"".join(one.read_bytes() for one in home.glob("hebb.db*"))


def test_stats_count_what_is_live_stale_and_dead(hebb, at) -> None:
    hebb.bring(
        {"content": "dead", "created_at": "2025-12-01"},
        {"content": "stale", "created_at": "2025-12-15"},
        {"content": "live"},
        {"content": "pinned", "created_at": "2025-12-01", "pinned": True},
    )
    found = hebb.json("stats")
    assert found["by_state"] == {"live": 2, "stale": 2, "expired": 0, "archived": 0}
    assert (found["due"], found["total"]) == (1, 4)


def test_sessions_memories_end_with_it(hebb) -> None:
    hebb.bring({"content": "a", "session": "s1"}, {"content": "b", "session": "s2"})
    hebb("forget", "--session", "s1", "--yes")
    assert [one["content"] for one in hebb.json("list")] == ["b"]


def test_item_is_two_kilobytes_of_utf_8_at_most(hebb) -> None:
    assert hebb("add", "x" * 2048).code == 0
    assert hebb.error("add", "x" * 2049)["code"] == 2
    assert hebb("add", "好" * 682).code == 0
    assert "2,049 bytes" in hebb.error("add", "好" * 683)["message"]


def test_restored_memory_gets_a_fresh_shelf_life_and_keeps_its_id(hebb, at) -> None:
    hebb("add", "x")
    hebb("archive", 1)
    at(25)
    hebb("restore", 1)
    found = hebb.json("show", 1)
    assert (found["id"], found["retention"], found["anchor_value"]) == (1, 1, None)
    at(54)
    assert hebb.ids("gc") == []


def test_totals_tell_tokens_the_next_expiry_and_the_latest_audit(hebb) -> None:
    empty = hebb.json("stats")
    assert (empty["tokens"], empty["next_expiry_at"], empty["last_audit"]) == (0, None, None)
    hebb("add", "four words of text", "--expires", "3d")
    hebb("add", "later", "--expires", "9d")
    hebb("add", "shelved")
    hebb("archive", 3)
    found = hebb.json("stats")
    assert found["next_expiry_at"] == "2026-01-04T00:00:00Z"
    assert found["last_audit"] == hebb.json("audit")[0]["id"]
    assert 4 <= found["tokens"] <= 10
