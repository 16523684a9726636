"""hebb gc: what a sweep takes and leaves, dry runs that tell the truth, and erasing with care."""

import math
import sqlite3

import pytest

OLD = {"created_at": "2020-01-01T00:00:00Z"}


def fading(count: int, **fields) -> list[dict]:
    return [{"content": f"old {number}", **OLD, **fields} for number in range(count)]


def fresh(count: int) -> list[dict]:
    return [{"content": f"new {number}"} for number in range(count)]


def test_dry_run_names_exactly_what_the_run_takes_and_writes_nothing(hebb, contents) -> None:
    expired = {"content": "ends", "expires_at": "2025-12-31"}
    ttl = {"content": "slides", "created_at": "2025-12-01", "ttl_ms": 1000}
    gone = {"content": "shelved", "archived_at": "2025-01-01"}
    hebb.bring(*fading(12), *fresh(36), expired, ttl, gone)
    before = contents()
    dry = hebb.json("gc", "--dry-run")
    assert contents() == before
    run = hebb.json("gc")
    assert (dry["sweep"], run["sweep"], dry["dry_run"], run["dry_run"]) == (None, 1, True, False)
    assert dry["memories"] == run["memories"]
    assert [one["reason"] for one in run["memories"]] == ["faded"] * 12 + [
        "expired",
        "ttl",
        "archive",
    ]
    assert {key: run[key] for key in ("forgotten", "archived", "erased")} == {
        "forgotten": 14,
        "archived": 14,
        "erased": 1,
    }
    assert len(hebb.ids("list")) == 36
    assert hebb.json("gc") == run | {"sweep": None, "forgotten": 0, "archived": 0, "erased": 0} | {
        "memories": []
    }


def test_sweep_says_in_one_line_what_it_did(hebb) -> None:
    hebb.bring(*fading(3), *fresh(1))
    assert [row[:3] for row in hebb("gc", "--dry-run").rows] == [
        [str(number), "archived", "faded"] for number in (1, 2, 3)
    ]
    assert hebb("gc", "--dry-run").err == "3 would be archived, 0 would be erased\n"
    assert hebb("gc")[:] == (0, "sweep 1: 3 archived, 0 erased\n", "")
    assert hebb("gc")[:] == (0, "0 archived, 0 erased\n", "")


def test_retention_does_not_depend_on_how_often_anybody_looked(hebb, at) -> None:
    hebb("add", "x")
    at(31)
    before = hebb.json("show", 1)
    for _ in range(100):
        hebb("gc", "--dry-run")
        hebb("stats")
    hebb("gc", "--threshold", 0)
    assert hebb.json("show", 1) == before


def test_pinned_memory_is_taken_at_no_threshold(hebb) -> None:
    hebb.bring(
        {"content": "pinned", "pinned": True, "importance": 0, **OLD},
        {"content": "important", "importance": 10, **OLD},
        {"content": "neutral", "importance": 0, **OLD},
        {"content": "pinned and expired", "pinned": True, "expires_at": "2021-01-01", **OLD},
    )
    assert hebb.ids("gc", "--threshold", 1, "--yes") == [2, 3, 4]
    assert hebb.ids("list") == [1]
    error = hebb.error("forget", 1)
    assert (error["code"], "--force" in error["hint"]) == (4, True)
    assert hebb.error("forget", 1, "--yes")["code"] == 4
    assert hebb.ids("list") == [1]
    assert hebb("forget", 1, "--force").code == 0


def test_importance_and_use_only_lengthen_a_life(hebb, home, at) -> None:
    (home / "hebb.json").write_text('{"archive_days": 9999}')
    hebb.bring(
        {"content": "a", "importance": 0},
        {"content": "b", "importance": 5},
        {"content": "c", "importance": 0, "access_count": 9},
    )
    taken = []
    for days in (72.2, 72.3, 144.4, 144.5, 169.7, 169.9):
        at(days)
        taken.append(hebb.ids("gc"))
    assert taken == [[], [1], [], [2], [], [3]]


@pytest.mark.parametrize(
    ("threshold", "taken"),
    [
        (math.exp(-1), []),
        (math.nextafter(math.exp(-1), 1), [1]),
        (math.nextafter(math.exp(-1), 0), []),
    ],
)
def test_memory_exactly_at_the_threshold_stays(hebb, at, threshold, taken) -> None:
    hebb.bring({"content": "x", "importance": 0})
    at(60)  # the time constant
    assert hebb.json("show", 1)["retention"] == 0.367879441
    assert hebb.ids("gc", "--threshold", repr(threshold), "--dry-run") == taken


def test_memory_goes_in_the_millisecond_in_which_it_falls_below(hebb, home, at) -> None:
    (home / "hebb.json").write_text('{"half_life_days": 120, "forget_threshold": 0.5}')
    hebb.bring({"content": "x", "importance": 0})
    at("2026-03-25T04:15:49.968Z")  # 120 ln 2 = 83.177 661 667 days
    assert hebb.json("show", 1)["retention"] == 0.5
    assert hebb.ids("gc", "--dry-run") == []
    at("2026-03-25T04:15:49.969Z")
    assert hebb.ids("gc", "--dry-run") == [1]


def test_nothing_is_taken_before_the_floor_of_a_day(hebb, at) -> None:
    hebb("add", "x", "--importance", 0)
    at(1)
    assert hebb.ids("gc", "--threshold", 1, "--dry-run") == []
    at("2026-01-02T00:00:00.001Z")
    assert hebb.ids("gc", "--threshold", 1, "--dry-run") == [1]


def test_partition_limits_a_sweep(hebb) -> None:
    hebb.bring(*fading(2), *fading(2, partition="mem_other"))
    assert hebb.ids("gc", "--partition", "mem_other") == [3, 4]
    assert hebb.ids("gc", "--partition", "mem_nobody") == []
    assert hebb.ids("list") == [2, 1]


def test_inbox_is_never_swept(hebb) -> None:
    hebb.bring(*fading(2, partition="mem_hippocampus"))
    assert hebb.ids("gc", "--threshold", 1) == []
    assert hebb.ids("gc", "--threshold", 1, "--partition", "mem_hippocampus") == []


@pytest.mark.parametrize("moment", ["2026-01-01T00:00:00Z", "2025-12-31"])
def test_expired_memory_is_invisible_at_once_swept_or_not(hebb, moment) -> None:
    hebb.bring({"content": "quokka", "expires_at": moment, "created_at": "2025-01-01"})
    for _ in range(2):
        assert hebb.ids("list") == hebb.ids("recall", "quokka") == hebb.ids("recall") == []
        hebb("gc")
    assert hebb.json("show", 1)["state"] == "archived"


def test_memory_that_expires_later_is_there_until_then(hebb, at) -> None:
    hebb.bring({"content": "quokka", "expires_at": "2026-01-02"})
    at("2026-01-01T23:59:59.999Z")
    assert hebb.ids("recall", "quokka") == [1]
    at("2026-01-02")
    assert hebb.ids("recall", "quokka") == []
    assert hebb.json("stats")["by_state"]["expired"] == 1


def test_use_starts_a_sliding_time_to_live_anew(hebb, at) -> None:
    hebb.bring({"content": "quokka", "ttl_ms": 10 * 86_400_000})
    at(9)
    assert hebb.ids("recall", "quokka") == [1]
    at(18.9)
    assert hebb.ids("gc") == []
    at(19)
    assert hebb.json("gc")["memories"][0]["reason"] == "ttl"


def test_idle_user_loses_nothing_and_gets_all_back(hebb, at) -> None:
    hebb.bring(*({"content": f"note {number}", "importance": 0} for number in range(200)))
    before = hebb.json("list")
    at(80)
    assert hebb.json("gc")["archived"] == 200
    assert {one["state"] for one in hebb.json("recall", "note", "-n", 300)} == {"archived"}
    error = hebb.error("gc", "--purge")
    assert (error["code"], "200" in error["message"], "--yes" in error["hint"]) == (4, True, True)
    assert hebb("restore", "--sweep", 1).code == 0
    after = hebb.json("list")
    clock = {"retention": 1.0, "last_accessed_at": "2026-03-22T00:00:00Z"}
    assert after == [one | clock for one in before]
    assert hebb.ids("gc") == []


def test_archive_is_erased_after_its_days(hebb, at) -> None:
    hebb.bring(*fading(1), *fresh(1), {"content": "kept", "pinned": True})
    hebb("gc")
    hebb("archive", 3, "--force")
    at(30)
    assert hebb.ids("gc", "--dry-run") == []
    at("2026-01-31T00:00:00.001Z")
    dry, run = hebb.json("gc", "--dry-run"), hebb.json("gc")
    assert [(one["id"], one["outcome"], one["reason"]) for one in run["memories"]] == [
        (1, "erased", "archive")
    ]
    assert dry["memories"] == run["memories"]
    assert (run["forgotten"], run["erased"]) == (0, 1)
    assert hebb.error("show", 1)["code"] == 3
    assert hebb.json("show", 3)["state"] == "archived"  # pinned


def erasing(home) -> None:
    (home / "hebb.json").write_text('{"on_forget": "erase"}')


def test_erasing_sweep_of_a_large_share_refuses_and_changes_nothing(hebb, home, contents) -> None:
    erasing(home)
    hebb.bring(*fading(21), *fresh(20))
    before = contents()["hebb.db"]
    error = hebb.error("gc")
    assert error["code"] == 4
    assert all(words in error["message"] for words in ("21", "41", "gc_max_share 0.5"))
    assert "--yes" in error["hint"]
    assert contents()["hebb.db"] == before
    assert hebb.json("gc", "--dry-run")["erased"] == 21
    assert hebb.json("gc", "--yes")["erased"] == 21
    assert len(hebb.ids("list")) == 20
    assert hebb.error("show", 1)["code"] == 3


@pytest.mark.parametrize(("old", "new"), [(20, 0), (21, 21), (1, 0), (60, 60)])
def test_erasing_sweep_of_a_small_share_or_number_asks_for_nothing(hebb, home, old, new) -> None:
    erasing(home)
    hebb.bring(*fading(old), *fresh(new))
    assert hebb.json("gc")["erased"] == old


def test_archiving_sweep_of_any_share_asks_for_nothing(hebb) -> None:
    hebb.bring(*fading(50))
    assert hebb.json("gc")["archived"] == 50


@pytest.mark.parametrize("stdin", [b"", b"y\n"])
def test_purge_needs_yes_where_nobody_can_be_asked(hebb, contents, stdin) -> None:
    hebb.bring(*fading(2), {"content": "a", "archived_at": "2025-12-31"}, *fresh(1))
    before = contents()["hebb.db"]
    for words in ([], ["--json"], ["--partition", "mem_notes"]):
        done = hebb("gc", "--purge", *words, stdin=stdin)
        assert (done.code, done.out) == (4, "")
        assert "--yes" in done.err
    assert contents()["hebb.db"] == before
    assert hebb.ids("gc", "--purge", "--dry-run") == [1, 2, 3]
    run = hebb.json("gc", "--purge", "--yes")
    assert (run["erased"], run["archived"]) == (3, 0)
    assert hebb.json("stats")["by_state"] == {"live": 1, "stale": 0, "expired": 0, "archived": 0}


def test_purge_of_nothing_needs_no_confirmation(hebb) -> None:
    hebb.bring(*fresh(3))
    assert hebb("gc", "--purge").code == 0


def test_each_memory_taken_has_its_audit_row_with_the_sweep_s_number(hebb, home) -> None:
    hebb.bring(*fading(3), {"content": "a", "archived_at": "2025-01-01"})
    hebb("gc")
    db = sqlite3.connect(home / "hebb.db")
    rows = db.execute("SELECT memory_id, action, reason, sweep_id, actor FROM audit ORDER BY 1")
    assert rows.fetchall() == [
        *((number, "archive", "faded", 1, "cli") for number in (1, 2, 3)),
        (4, "erase", "archive", 1, "cli"),
    ]
    db.close()


@pytest.mark.parametrize("threshold", ["-0.1", "1.1", "nan", "inf", "half", ""])
@pytest.mark.parametrize("form", ["--threshold {}", "--threshold={}"])
def test_threshold_out_of_range_names_the_range(hebb, form, threshold) -> None:
    error = hebb.error("gc", *form.format(threshold).split(" "))
    assert error["code"] == 2
    assert "from 0 to 1" in error["message"]


def test_erased_text_is_in_no_file(hebb, home, contents, at) -> None:
    erasing(home)
    hebb.bring(*fading(30), {"content": "canaryxyzzy 金丝雀", **OLD}, *fresh(40))
    assert hebb.json("gc", "--yes")["erased"] == 31
    every = b"".join(contents().values()).lower()
    assert b"canaryxyzzy" not in every
    assert "金丝".encode() not in every
    assert hebb.json("recall", "canaryxyzzy") == []


def test_dry_run_says_that_the_sweep_will_refuse(hebb, at) -> None:
    hebb.bring(*({"content": f"note {number}"} for number in range(30)))
    hebb("config", "set", "on_forget", "erase")
    at(1000)
    assert (
        hebb("gc", "--dry-run").err == "0 would be archived, 30 would be erased; it needs --yes\n"
    )
    assert hebb.json("gc", "--dry-run")["needs_yes"]
    assert hebb("gc").code == 4
    hebb("config", "set", "gc_max_share", 1)
    assert not hebb.json("gc", "--dry-run")["needs_yes"]
