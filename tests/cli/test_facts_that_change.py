"""hebb add --key and --replaces, what they supersede, and when that is current again."""

import json
import random
from itertools import permutations

import pytest

KEYED = ("add", "--key", "office")


def live(hebb, *options) -> list[int]:
    return sorted(hebb.ids("list", *options))


def chain(hebb, memory_id) -> list[int]:
    return hebb.ids("show", memory_id, "--history")


def actions(hebb) -> list[tuple]:
    """Return what the audit says, the oldest first."""
    return [
        (one["action"], one["memory_id"], one["reason"]) for one in reversed(hebb.json("audit"))
    ]


def test_new_memory_about_a_key_supersedes_the_current_one(hebb) -> None:
    first = hebb.json(*KEYED, "room 4")
    second = hebb.json(*KEYED, "room 5")
    assert second["superseded"] == [{"id": 1, "uid": first["uid"]}]
    old = hebb.json("show", 1)
    assert (old["state"], old["archived_reason"]) == ("archived", "superseded")
    assert old["superseded_by"] == second["uid"]
    assert live(hebb) == [2]
    assert actions(hebb) == [("archive", 1, "superseded")]
    assert hebb(*KEYED, "room 6")[:] == (0, "3\n", "superseded: 2\n")


def test_key_is_current_once_in_each_scope(hebb) -> None:
    hebb(*KEYED, "room 4", "--scope", "here")
    assert hebb.json(*KEYED, "room 5", "--scope", "there")["superseded"] == []
    assert live(hebb) == [1, 2]


def test_same_text_about_the_same_key_is_there_already_and_changes_nothing(hebb) -> None:
    hebb(*KEYED, "room 4")
    before = hebb.json("show", 1)
    again = hebb.json(*KEYED, "room 4")
    assert (again["id"], again["existing"], again["superseded"]) == (1, True, [])
    assert hebb.json("show", 1) == before
    assert actions(hebb) == []


def test_fact_may_change_back(hebb) -> None:
    for text in ("room 4", "room 5", "room 4"):
        hebb(*KEYED, text)
    assert live(hebb) == [3]
    assert chain(hebb, 2) == [1, 2, 3]


def test_live_text_without_a_key_becomes_the_current_one_itself(hebb) -> None:
    hebb("add", "room 5")
    hebb(*KEYED, "room 4")
    added = hebb.json(*KEYED, "room 5")
    assert (added["id"], added["existing"]) == (1, True)
    assert [one["id"] for one in added["superseded"]] == [2]
    assert hebb.json("show", 1)["key"] == "office"


def test_same_text_may_be_about_two_keys(hebb) -> None:
    hebb("add", "--key", "wall", "blue")
    assert hebb.json("add", "--key", "door", "blue")["existing"] is False
    assert live(hebb) == [1, 2]


def test_named_memory_is_replaced_and_its_key_taken_over(hebb) -> None:
    hebb(*KEYED, "room 4")
    added = hebb.json("add", "--replaces", 1, "room 5")
    assert (added["key"], [one["id"] for one in added["superseded"]]) == ("office", [1])
    hebb("add", "plain")
    added = hebb.json("add", "--replaces", 3, "plainer")
    assert (added["key"], live(hebb)) == (None, [2, 4])


def test_memory_may_replace_one_and_be_current_about_the_key_of_another(hebb) -> None:
    hebb("add", "--key", "a", "one")
    hebb("add", "--key", "b", "two")
    added = hebb.json("add", "--key", "a", "--replaces", 2, "both")
    assert [one["id"] for one in added["superseded"]] == [1, 2]
    assert chain(hebb, 3) == [1, 2, 3]


@pytest.mark.parametrize("options", [["--key", "office"], ["--replaces", "1"]])
def test_pinned_memory_is_superseded_only_by_force(hebb, options) -> None:
    hebb(*KEYED, "room 4", "--pin")
    refused = hebb.error("add", "room 5", *options)
    assert refused["code"] == 4
    assert "1 is pinned" in refused["message"]
    assert live(hebb) == [1]
    assert hebb("add", "room 5", *options, "--force").code == 0
    assert live(hebb) == [2]


def test_what_is_gone_or_shelved_is_not_replaced(hebb) -> None:
    hebb(*KEYED, "room 4")
    hebb(*KEYED, "room 5")
    hebb("add", "shelved")
    hebb("archive", 3)
    assert hebb.error("add", "x", "--replaces", 99)["code"] == 3
    superseded = hebb.error("add", "x", "--replaces", 1)
    assert (superseded["code"], superseded["hint"]) == (4, "replace 2 instead")
    shelved = hebb.error("add", "x", "--replaces", 3)
    assert (shelved["code"], "hebb restore 3" in shelved["hint"]) == (4, True)
    assert live(hebb) == [2]


def test_history_is_a_table_lines_or_json_oldest_first(hebb) -> None:
    for text in ("room 4", "room 5", "room 6"):
        hebb(*KEYED, text)
    for memory_id in (1, 2, 3):
        assert chain(hebb, memory_id) == [1, 2, 3]
    rows = hebb("show", 2, "--history").rows
    assert [(row[0], row[1], row[4]) for row in rows] == [
        ("1", "archived, superseded", "room 4"),
        ("2", "archived, superseded", "room 5"),
        ("3", "live", "room 6"),
    ]
    hebb("add", "alone")
    assert chain(hebb, 4) == [4]
    assert "room 4" in hebb("--color", "show", 2, "--history").out


def test_superseded_memory_never_falls_back_but_is_found_in_the_archive_marked(hebb) -> None:
    hebb(*KEYED, "room 4")
    hebb(*KEYED, "cellar")
    assert hebb.ids("recall", "room") == []
    assert hebb("recall", "room", "--archived").rows[0][3] == "archived, superseded"
    assert hebb("list", "--archived").rows[0][2] == "archived, superseded"


def test_superseded_memory_is_restored_only_where_its_place_is_free(hebb) -> None:
    hebb(*KEYED, "room 4")
    hebb(*KEYED, "room 5")
    refused = hebb.error("restore", 1)
    assert (refused["code"], "--force" in refused["hint"]) == (4, True)
    swapped = hebb.json("restore", 1, "--force")
    assert [one["id"] for one in swapped["superseded"]] == [2]
    assert (live(hebb), chain(hebb, 1)) == ([1], [2, 1])
    hebb("archive", 1)
    assert hebb("restore", 2).code == 0
    assert live(hebb) == [2]


def test_replaced_memory_without_a_key_is_restored_by_force_as_well(hebb) -> None:
    hebb("add", "old")
    hebb("add", "--replaces", 1, "new")
    assert hebb("restore", 1).code == 4
    assert hebb("restore", 1, "--force").code == 0
    assert live(hebb) == [1]


def test_key_is_set_and_cleared_by_an_edit(hebb) -> None:
    hebb("add", "room 4")
    hebb("add", "room 5")
    assert hebb.json("edit", 1, "--key", "office")["changed"][0]["key"] == "office"
    refused = hebb.error("edit", 2, "--key", "office")
    assert (refused["code"], "--replaces 1" in refused["hint"]) == (4, True)
    assert hebb.json("edit", 1, "--no-key")["changed"][0]["key"] is None
    assert hebb("edit", 2, "--key", "office").code == 0
    assert hebb.error("edit", 2, "--key", "x", "--no-key")["code"] == 2


def test_edit_lets_a_memory_replace_an_older_one(hebb) -> None:
    hebb(*KEYED, "room 4")
    hebb("add", "room 5")
    change = hebb.json("edit", 2, "--replaces", 1)
    assert [one["id"] for one in change["superseded"]] == [1]
    assert (hebb.json("show", 2)["key"], live(hebb)) == ("office", [2])
    assert hebb.error("edit", 2, "--replaces", 2)["code"] == 2
    assert hebb.error("edit", 2, "--replaces", 1)["code"] == 4


# A temporary successor.


def temporary(hebb) -> None:
    hebb(*KEYED, "room 4")
    hebb(*KEYED, "canteen", "--expires", "2d")


def test_memory_is_current_again_for_every_reader_once_its_successor_has_expired(
    hebb, at, contents
) -> None:
    temporary(hebb)
    assert live(hebb) == [2]
    at(3)
    before = contents()
    shown = hebb.json("show", 1)
    assert (shown["state"], shown["archived_at"], shown["superseded_by"]) == ("live", None, None)
    assert (shown["retention"], shown["last_accessed_at"]) == (1, "2026-01-04T00:00:00Z")
    assert live(hebb) == [1]
    assert live(hebb, "--archived") == []
    [found] = hebb.json("recall", "room", "--peek")
    assert (found["state"], found["archived"], found["retention"]) == ("live", False, 1)
    assert hebb.json("stats")["by_state"] == {"live": 1, "stale": 0, "expired": 1, "archived": 0}
    assert hebb.json("explain", 1)["state"] == "live"
    assert contents() == before


def test_sweep_its_preview_and_forecast_agree_on_what_comes_back(hebb, at) -> None:
    temporary(hebb)
    [coming] = [one for one in hebb.json("forecast")["sweeps"] if one["restored"]]
    assert (coming["day"], coming["archived"]) == (2, 1)
    at(2)
    keys = ("id", "outcome", "reason")
    planned = hebb.json("gc", "--dry-run")
    done = hebb.json("gc")
    found = [
        [tuple(one[key] for key in keys) for one in each["memories"]] for each in (planned, done)
    ]
    assert found[0] == found[1] == [(2, "archived", "expired"), (1, "restored", "successor")]
    assert (planned["restored"], done["restored"], done["forgotten"]) == (1, 1, 1)
    assert ("restore", 1, "its successor ended") in actions(hebb)
    assert hebb.json("show", 1)["archived_at"] is None
    assert chain(hebb, 1) == [2, 1]


@pytest.mark.parametrize("command", [("archive", 2), ("forget", 2)])
def test_memory_comes_back_at_once_when_its_temporary_successor_is_taken_away(
    hebb, command
) -> None:
    temporary(hebb)
    change = hebb.json(*command)
    assert [one["id"] for one in change["returned"]] == [1]
    assert live(hebb) == [1]
    assert ("restore", 1, "its successor ended") in actions(hebb)


@pytest.mark.parametrize("command", [("archive", 2), ("forget", 2)])
def test_memory_stays_superseded_when_a_lasting_successor_is_taken_away(hebb, command) -> None:
    hebb(*KEYED, "room 4")
    hebb(*KEYED, "room 5")
    assert hebb.json(*command)["returned"] == []
    assert live(hebb) == []


def test_erasing_sweep_brings_it_back_as_well(hebb, at) -> None:
    temporary(hebb)
    hebb("config", "set", "on_forget", "erase")
    at(3)
    assert [one["outcome"] for one in hebb.json("gc")["memories"]] == ["erased", "restored"]
    assert live(hebb) == [1]


def test_no_sweep_erases_what_waits_for_its_successor_to_end(hebb, at) -> None:
    hebb(*KEYED, "room 4")
    hebb(*KEYED, "canteen", "--expires", "90d", "--pin")
    at(60)
    hebb("gc", "--purge", "--yes")
    assert hebb.json("explain", 1)["returns_at"] == "2026-04-01T00:00:00Z"
    assert hebb.json("explain", 1)["erased_at"] is None
    at(91)
    hebb("gc")
    assert live(hebb) == [1]


def test_temporary_over_temporary_over_lasting_unwinds_in_turn(hebb, at) -> None:
    hebb(*KEYED, "for ever")
    hebb(*KEYED, "six days", "--expires", "6d")
    hebb(*KEYED, "two days", "--expires", "2d")
    seen = []
    for days in (1, 3, 7):
        at(days)
        seen.append(live(hebb))
    assert seen == [[3], [2], [1]]
    at(0)
    assert hebb.json("explain", 1)["returns_at"] == "2026-01-07T00:00:00Z"
    swept = []
    for days in (2, 6):
        at(days)
        hebb("gc")
        swept.append(live(hebb))
    assert swept == [[2], [1]]


def test_one_that_expired_while_it_was_superseded_is_skipped(hebb, at) -> None:
    hebb(*KEYED, "for ever")
    hebb(*KEYED, "two days", "--expires", "2d")
    hebb(*KEYED, "six days", "--expires", "6d")
    at(4)
    assert live(hebb) == [3]
    at(7)
    assert live(hebb) == [1]
    hebb("gc")
    assert live(hebb) == [1]


def test_lasting_memory_over_a_temporary_one_ends_the_waiting(hebb, at) -> None:
    temporary(hebb)
    hebb(*KEYED, "room 6")
    assert hebb.json("explain", 1)["returns_at"] is None
    at(3)
    assert live(hebb) == [3]
    at(32)
    assert {one["id"] for one in hebb.json("gc")["memories"]} == {1, 2}


@pytest.mark.parametrize(
    ("command", "after"),
    [
        (("add", "--key", "office", "room 6"), [3]),
        (("add", "--replaces", "1", "room 6"), [3]),
        (("add", "--key", "office", "room 4"), [1]),
        (("edit", "1", "room 44"), [1]),
        (("edit", "1", "--no-key"), [1]),
        (("touch", "1"), [1]),
        (("restore", "1"), [1]),
        (("archive", "1"), []),
        (("forget", "1"), []),
    ],
)
def test_what_is_current_again_only_to_readers_can_be_changed_at_once(
    hebb, at, command, after
) -> None:
    temporary(hebb)
    at(3)
    assert hebb(*command).code == 0
    assert live(hebb) == after
    hebb("gc")
    assert live(hebb) == after
    assert hebb("doctor").code == 0


def test_recall_of_what_is_current_again_counts_as_use(hebb, at) -> None:
    temporary(hebb)
    at(3)
    hebb("recall", "room")
    hebb("gc")
    assert hebb.json("show", 1)["access_count"] == 1


def test_place_that_somebody_else_has_taken_meanwhile_is_not_taken_back(hebb, at) -> None:
    hebb("add", "--key", "a", "first")
    hebb("add", "--key", "b", "--replaces", 1, "second", "--expires", "2d")
    hebb("add", "--key", "a", "third")
    at(3)
    assert live(hebb) == [3]
    hebb("gc")
    assert live(hebb) == [3]


def test_erasing_the_middle_of_a_chain_keeps_its_ends_together(hebb) -> None:
    for text in ("one", "two", "three", "four"):
        hebb(*KEYED, text)
    hebb("forget", 2, 3, "--yes")
    assert chain(hebb, 4) == [1, 4]


@pytest.mark.parametrize("seed", range(4))
def test_forecast_of_many_changing_facts_is_what_daily_sweeps_do(hebb, at, seed) -> None:
    chance = random.Random(seed)
    for number in range(40):
        options = ["--key", f"key {chance.randrange(6)}", "--importance", chance.choice((0, 5))]
        if chance.random() < 0.6:
            options += ["--expires", f"{chance.randrange(1, 90)}d"]
        hebb("add", f"fact {number}", *options)
    hebb("config", "set", "half_life_days", "20")
    listed = {}
    for one in hebb.json("forecast", "--days", 60)["memories"]:
        listed.setdefault(one["day"], set()).add((one["id"], one["outcome"], one["reason"]))
    for days in range(61):
        at(days)
        swept = {(one["id"], one["outcome"], one["reason"]) for one in hebb.json("gc")["memories"]}
        assert swept == listed.get(days, set()), days


# Import and export.

LINES = [
    {"content": f"room {number}", "key": "office", "created_at": f"2026-01-0{number}", "uid": uid}
    for number, uid in ((1, "a"), (2, "b"), (3, "c"), (4, "d"))
]


def imported(hebb, lines) -> None:
    written = "".join(json.dumps(line) + "\n" for line in lines)
    assert hebb.json("import", "-", "--strict", stdin=written)["stored"] == len(lines)


@pytest.mark.parametrize("order", list(permutations(range(4))))
@pytest.mark.parametrize("at_once", [True, False])
def test_newest_of_the_imported_about_a_key_is_current_in_whatever_order(
    hebb, at, order, at_once
) -> None:
    at(30)
    lines = [LINES[number] for number in order]
    for part in [lines] if at_once else [[line] for line in lines]:
        imported(hebb, part)
    [current] = hebb.ids("list")
    history = hebb.json("show", current, "--history")
    found = {one["uid"]: one["superseded_by"] for one in history}
    assert found == {"a": "b", "b": "c", "c": "d", "d": None}


def test_older_import_does_not_replace_what_is_current(hebb, at) -> None:
    at(90)
    hebb(*KEYED, "room 9")
    imported(hebb, LINES)
    assert (live(hebb), chain(hebb, 1)[-1]) == ([1], 1)
    at(92)
    imported(hebb, [LINES[0] | {"uid": "z", "created_at": "2026-04-02"}])
    assert [one["uid"] for one in hebb.json("list")] == ["z"]
    assert hebb("doctor").code == 0


def test_chain_of_facts_survives_export_and_import(hebb, at, tmp_path) -> None:
    temporary(hebb)
    hebb("add", "--untrusted", *KEYED[1:], "hell")
    hebb("add", "--key", "door", "red")
    hebb("add", "--key", "door", "blue")
    written = hebb("export").out
    other = ("--db", tmp_path / "other.db")
    assert hebb(*other, "import", "-", "--strict", stdin=written).code == 0
    assert hebb(*other, "export").out == written
    at(3)
    found = [{one["content"] for one in hebb.json(*db, "list")} for db in ((), other)]
    assert found == [{"room 4", "hell", "blue"}] * 2


def test_overwriting_import_keeps_one_current_about_a_key(hebb, at) -> None:
    at(30)
    imported(hebb, [{"content": "x", "uid": "x", "created_at": "2026-01-01"}, *LINES])
    line = {"content": "y", "uid": "x", "key": "office", "created_at": "2026-01-20"}
    done = hebb.json("import", "-", "--replace", stdin=json.dumps(line))
    assert done["replaced"] == 1
    assert [one["uid"] for one in hebb.json("list")] == ["x"]


def test_shelved_memory_is_no_fallback_once_another_is_current_about_its_key(hebb, at) -> None:
    hebb("add", "--key", "office", "--kind", "event", "we meet in room 4")
    at(68)
    hebb("gc")
    assert [one["archived"] for one in hebb.json("recall", "meet", "--peek")] == [True]
    hebb("add", "--key", "office", "we meet in the canteen")
    assert [one["id"] for one in hebb.json("recall", "meet", "--peek")] == [2]
    assert [one["id"] for one in hebb.json("recall", "meet", "--archived", "--peek")] == [1]
