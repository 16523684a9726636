"""Sweeps that cron starts: named so in the audit, and never erasing much of a store."""

import pytest

OLD = {"created_at": "2020-01-01T00:00:00Z"}


def actors(hebb) -> list[str]:
    return [entry["actor"] for entry in hebb.json("audit")]


@pytest.fixture
def erasing(hebb):
    """A store of 30 memories that an erasing sweep would take, and 10 that it would not."""
    hebb.bring(*({"content": f"old {number}", **OLD} for number in range(30)))
    hebb.bring(*({"content": f"new {number}"} for number in range(10)))
    hebb("config", "set", "on_forget", "erase")


def test_audit_names_cron_where_its_line_says_so(hebb, monkeypatch) -> None:
    hebb.bring({"content": "by hand", **OLD})
    hebb("gc")
    monkeypatch.setenv("HEBB_ACTOR", "cron")
    hebb.bring({"content": "by cron", **OLD})
    hebb("gc")
    assert actors(hebb) == ["cron", "cli"]


def test_unknown_actor_is_refused_with_those_that_are_known(hebb, monkeypatch) -> None:
    monkeypatch.setenv("HEBB_ACTOR", "root")
    error = hebb.error("gc")
    assert error["code"] == 2
    assert error["message"] == "HEBB_ACTOR must be one of cli, cron, mcp, rest, not 'root'"


@pytest.mark.usefixtures("erasing")
def test_sweep_of_cron_archives_what_it_would_have_to_ask_for(hebb, monkeypatch) -> None:
    assert hebb.error("gc")["code"] == 4
    monkeypatch.setenv("HEBB_ACTOR", "cron")
    dry = hebb.json("gc", "--dry-run")
    done = hebb.json("gc")
    assert dry["memories"] == done["memories"]
    assert (dry["needs_yes"], dry["spared"]) == (False, 30)
    assert (done["archived"], done["erased"], done["spared"]) == (30, 0, 30)
    assert hebb.json("gc")["spared"] == 0
    assert len(hebb.json("restore", "--sweep", done["sweep"])["changed"]) == 30


@pytest.mark.usefixtures("erasing")
def test_archiving_instead_is_said_even_quietly(hebb, monkeypatch) -> None:
    monkeypatch.setenv("HEBB_ACTOR", "cron")
    done = hebb("gc", "--quiet")
    assert (done.code, done.out) == (0, "")
    assert done.err.startswith("hebb: 30 memories archived, not erased: more than gc_max_share")
    assert hebb("gc", "--quiet") == (0, "", "")


@pytest.mark.usefixtures("erasing")
def test_cron_erases_much_where_its_line_says_yes_and_never_purges_without(
    hebb, monkeypatch
) -> None:
    monkeypatch.setenv("HEBB_ACTOR", "cron")
    assert hebb.error("gc", "--purge")["code"] == 4
    assert hebb.json("gc", "--yes")["erased"] == 30


def test_end_of_the_archive_is_erased_also_where_the_rest_is_spared(hebb, monkeypatch) -> None:
    hebb.bring(*({"content": f"old {number}", **OLD} for number in range(30)))
    hebb.bring({"content": "long shelved", "archived_at": "2025-01-01", **OLD})
    hebb("config", "set", "on_forget", "erase")
    monkeypatch.setenv("HEBB_ACTOR", "cron")
    done = hebb.json("gc")
    assert (done["archived"], done["erased"], done["spared"]) == (30, 1, 30)
