"""hebb trust, and what is untrusted: found and labelled, but never in the place of the trusted."""

import json

import pytest

KEYED = ("add", "--key", "office")
LINE = {"content": "the wifi is open", "key": "office", "uid": "u-1"}


def poison(hebb) -> None:
    hebb(*KEYED, "room 4")
    hebb(*KEYED, "the cellar", "--untrusted")


def test_untrusted_memory_supersedes_nothing_and_is_stored_beside(hebb) -> None:
    hebb(*KEYED, "room 4")
    added = hebb.json(*KEYED, "the cellar", "--untrusted")
    assert (added["trusted"], added["key"], added["superseded"]) == (False, "office", [])
    assert sorted(hebb.ids("list")) == [1, 2]
    refused = hebb.error("add", "x", "--replaces", 1, "--untrusted")
    assert (refused["code"], "--key" in refused["hint"]) == (4, True)
    assert hebb.json("add", "attic", "--replaces", 2, "--untrusted")["superseded"][0]["id"] == 2


def test_untrusted_memory_is_labelled_wherever_it_is_shown(hebb) -> None:
    poison(hebb)
    assert hebb("recall", "cellar").rows[0][3] == "live, untrusted"
    assert hebb("list").rows[0][3] == "(untrusted) the cellar"
    assert hebb("list", "--untrusted").rows == [
        ["2", "1", "live, untrusted", "mem_notes", "the cellar"]
    ]
    assert ["trusted", "no"] in hebb("show", 2).rows
    assert hebb.json("recall", "cellar")[0]["trusted"] is False
    assert [one["trusted"] for one in hebb.json("list")] == [False, True]


def test_released_memory_takes_the_place_its_key_asks_for(hebb) -> None:
    poison(hebb)
    change = hebb.json("trust", 2)
    assert [one["id"] for one in change["superseded"]] == [1]
    assert (hebb.ids("list"), hebb.ids("show", 1, "--history")) == ([2], [1, 2])
    rows = [(one["action"], one["memory_id"], one["reason"]) for one in hebb.json("audit")]
    assert rows == [("archive", 1, "superseded"), ("trust", 2, "released")]
    again = hebb.json("trust", 2)
    assert (again["changed"], [one["id"] for one in again["unchanged"]]) == ([], [2])


def test_released_memory_that_is_older_than_the_current_one_is_superseded_by_it(hebb, at) -> None:
    hebb(*KEYED, "the cellar", "--untrusted")
    at(1)
    hebb(*KEYED, "room 4")
    assert [one["id"] for one in hebb.json("trust", 1)["superseded"]] == [1]
    assert hebb.ids("list") == [2]
    assert hebb.json("show", 1)["superseded_by"] == hebb.json("show", 2)["uid"]


def test_release_over_a_pinned_memory_is_refused(hebb) -> None:
    hebb(*KEYED, "room 4", "--pin")
    hebb(*KEYED, "the cellar", "--untrusted")
    assert hebb.error("trust", 2)["code"] == 4
    assert hebb.json("show", 2)["trusted"] is False


def test_revoked_memory_gives_its_place_back(hebb) -> None:
    hebb(*KEYED, "room 4")
    hebb(*KEYED, "the cellar")
    change = hebb.json("trust", 2, "--revoke")
    assert (change["action"], [one["id"] for one in change["returned"]]) == ("quarantined", [1])
    assert hebb.ids("list", "--untrusted") == [2]
    assert hebb.json("show", 1)["state"] == "live"
    hebb("trust", 2)
    assert hebb.ids("list") == [2]


def test_two_releases_about_one_key_leave_the_newer(hebb, at) -> None:
    hebb(*KEYED, "one", "--untrusted")
    at(1)
    hebb(*KEYED, "two", "--untrusted")
    assert hebb("trust", 2, 1).code == 0
    assert hebb.ids("list") == [2]
    assert hebb("doctor").code == 0


def test_expired_or_shelved_memory_can_be_released(hebb, at) -> None:
    poison(hebb)
    hebb(*KEYED, "expired", "--untrusted", "--expires", "1d")
    hebb("archive", 2)
    at(2)
    assert hebb("trust", 2, 3).code == 0
    assert hebb.ids("list") == [1]
    assert hebb("doctor").code == 0


def test_unknown_id_is_named(hebb) -> None:
    assert hebb.error("trust", 9)["code"] == 3


def test_own_text_is_not_taken_for_the_untrusted_one_that_says_the_same(hebb) -> None:
    hebb("add", "room 4", "--untrusted")
    assert hebb.json("add", "room 4")["existing"] is False
    assert hebb.json("add", "room 4", "--untrusted")["existing"] is True


@pytest.mark.parametrize("by", ["option", "setting", "environment", "json"])
def test_imports_can_be_quarantined(hebb, home, monkeypatch, by) -> None:
    hebb(*KEYED, "room 4")
    if by == "setting":
        hebb("config", "set", "trust_imports", "false")
    elif by == "environment":
        monkeypatch.setenv("HEBB_TRUST_IMPORTS", "false")
    elif by == "json":
        (home / "hebb.json").write_text('{"trust_imports": false}')
    hebb("import", "-", *(["--untrusted"] if by == "option" else []), stdin=json.dumps(LINE))
    assert hebb.ids("list", "--untrusted") == [2]
    assert hebb.json("show", 1)["state"] == "live"


def test_imports_are_as_their_lines_say_unless_told_otherwise(hebb) -> None:
    hebb.bring(LINE, LINE | {"uid": "u-2", "trusted": False})
    assert [one["trusted"] for one in hebb.json("list")] == [False, True]


@pytest.mark.parametrize("value", ["yes", "1", ""])
def test_setting_is_true_or_false(hebb, value) -> None:
    assert hebb.error("config", "set", "trust_imports", value)["code"] == 2


def test_untrusted_import_overwrites_no_trusted_memory(hebb) -> None:
    hebb.bring(LINE)
    line = json.dumps(LINE | {"content": "poison"})
    done = hebb("import", "-", "--replace", "--untrusted", stdin=line)
    assert (done.code, "u-1 is trusted" in done.err) == (6, True)
    assert hebb.json("show", 1)["content"] == LINE["content"]


def test_untrusted_memory_does_not_come_back_in_the_place_of_a_trusted_one(hebb) -> None:
    hebb(*KEYED, "the cellar")
    hebb(*KEYED, "room 4")
    hebb("trust", 1, "--revoke")
    for force in ((), ("--force",)):
        refused = hebb.error("restore", 1, *force)
        assert (refused["code"], refused["hint"]) == (4, "'hebb trust 1' first, if that is right")
        assert hebb.ids("list") == [2]
    hebb("trust", 1)
    assert [one["id"] for one in hebb.json("restore", 1, "--force")["superseded"]] == [2]


def test_untrusted_memory_comes_back_beside_the_current_one_about_its_key(hebb) -> None:
    hebb(*KEYED, "the cellar", "--untrusted")
    hebb("archive", 1)
    hebb(*KEYED, "room 4")
    assert hebb("restore", 1).code == 0
    assert sorted(hebb.ids("list")) == [1, 2]
