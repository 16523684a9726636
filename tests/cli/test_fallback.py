"""Archived memories that a recall finds: offered, or restored by their use."""

import sqlite3

import pytest


@pytest.fixture
def shelved(hebb, at) -> None:
    hebb.bring(
        {"content": "red fox"},
        {"content": "red wolf", "archived_at": "2025-12-20", "archived_reason": "swept"},
        {"content": "red owl", "archived_at": "2025-12-20", "archived_reason": "superseded"},
    )
    at(5)


@pytest.mark.usefixtures("shelved")
def test_archived_hit_is_offered_with_the_command_that_restores_it(hebb) -> None:
    done = hebb("recall", "red")
    assert [row[0] for row in done.rows] == ["1", "2"]
    assert done.err == "archived: 'hebb restore 2'\n"
    assert hebb.json("show", 2)["state"] == "archived"
    for quiet in (["--peek"], ["--now", "1d"], ["--no-fallback"], ["--archived"], ["--quiet"]):
        assert hebb("recall", "red", *quiet).err == ""


@pytest.mark.usefixtures("shelved")
def test_use_restores_an_archived_hit_where_that_is_set(hebb) -> None:
    hebb("config", "set", "on_fallback", "restore")
    hebb("config", "set", "restore_anchor", 0.8)
    for looking in (["--peek"], ["--now", "1d"], ["--no-fallback"], ["--archived"]):
        hebb("recall", "red", *looking)
        assert hebb.json("show", 2)["state"] == "archived"
    done = hebb("recall", "red")
    assert (done.rows[1][3], done.err) == ("archived", "")
    found = hebb.json("show", 2)
    assert (found["state"], found["anchor_value"], found["access_count"]) == ("live", 0.8, 0)
    assert found["last_accessed_at"] == "2026-01-06T00:00:00Z"
    assert hebb.json("show", 3)["state"] == "archived"
    [row] = hebb.json("audit")[:1]
    assert (row["action"], row["memory_id"], row["reason"]) == ("restore", 2, "used")


@pytest.mark.usefixtures("shelved")
def test_restoring_by_use_can_fail_without_failing_the_recall(hebb, home) -> None:
    hebb("config", "set", "on_fallback", "restore")
    writer = sqlite3.connect(home / "hebb.db", isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    done = hebb("recall", "red")
    writer.close()
    assert (done.code, len(done.rows), done.err) == (0, 2, "")
    assert hebb.json("show", 2)["state"] == "archived"


def test_hit_whose_key_is_taken_stays_archived(hebb) -> None:
    hebb.bring(
        {"content": "red fox", "key": "animal"},
        {"content": "red wolf", "key": "animal", "archived_at": "2026-01-01"},
        {"content": "red owl", "archived_at": "2026-01-01"},
    )
    hebb("config", "set", "on_fallback", "restore")
    assert hebb("recall", "red").code == 0
    states = [hebb.json("show", number)["state"] for number in (1, 2, 3)]
    assert states == ["live", "archived", "live"]
    assert hebb.json("show", 1)["access_count"] == 1


@pytest.mark.usefixtures("shelved")
def test_touch_refuses_what_is_archived_or_restores_it(hebb) -> None:
    error = hebb.error("touch", 1, 2)
    assert (error["code"], "hebb restore 2" in error["hint"]) == (4, True)
    hebb("config", "set", "on_fallback", "restore")
    assert hebb.error("touch", 1, 2, 3)["code"] == 4
    assert hebb.json("show", 2)["state"] == "archived"
    assert hebb.ids("touch", 1, 2) == [1, 2]
    assert [hebb.json("show", one)["access_count"] for one in (1, 2)] == [1, 0]
    assert hebb.json("show", 2)["state"] == "live"
