"""Dates and durations in options, and names found however they are written."""

import json

import pytest


def test_date_alone_is_the_day_where_the_user_is(process) -> None:
    line = {"content": "late on the fourth in London", "created_at": "2026-01-04T15:30:00Z"}
    process("import", "-", stdin=json.dumps(line).encode())
    day = ("list", "--since", "2026-01-05", "--until", "2026-01-05")
    assert process(*day, TZ="Asia/Tokyo").out != ""
    assert process(*day, TZ="Europe/London").out == ""
    assert process("list", "--now", "2026-01-05", TZ="Asia/Tokyo").code == 0


def test_duration_looks_back_and_now_looks_ahead(hebb, at) -> None:
    hebb("add", "old")
    at(10)
    hebb("add", "new")
    assert hebb.ids("list", "--since", "7d") == [2]
    assert hebb.ids("list", "--until", "1w") == [1]
    assert hebb.ids("recall", "--peek", "--since", "9天") == [2]
    ahead = hebb.json("show", 2, "--now", "60d")
    assert ahead["retention"] == pytest.approx(hebb.json("explain", 2, "--now", "60d")["retention"])
    assert ahead["retention"] < 0.9


@pytest.mark.parametrize("value", ["-7d", "soon", "7", "0d", "99999999d", "2026-02-30", ""])
@pytest.mark.parametrize("option", ["--since", "--until", "--now"])
def test_absurd_time_is_refused_by_its_option(option: str, value: str, hebb) -> None:
    error = hebb.error("list", option, value)
    assert error["code"] == 2
    assert error["message"].startswith(option)
    assert "7d" in error["hint"]


def test_names_are_found_whatever_their_case_and_spaces(hebb) -> None:
    hebb("add", "one", "--scope", "Café Work", "--tag", "Deep Work", "--kind", "Idea")
    for words in (["list"], ["recall", "one", "--peek"]):
        assert hebb.ids(*words, "--scope", " CAFE\u0301  work ") == [1]
        assert hebb.ids(*words, "--scope", "cafe work") == []
        assert hebb.ids(*words, "--tag", "deep work") == [1]
        assert hebb.ids(*words, "--kind", "IDEA") == [1]
        assert hebb.ids(*words, "--scope", "caféwork") == []


def test_new_memory_takes_the_spelling_that_is_there(hebb) -> None:
    hebb("add", "one", "--scope", "Work", "--tag", "Ann")
    added = hebb.json("add", "two", "--scope", "WORK", "--tag", "ann", "--tag", "new")
    assert (added["scope"], added["tags"]) == ("Work", ["Ann", "new"])
    assert hebb.json("add", "one", "--scope", "work")["existing"]


def test_several_spellings_from_a_file_are_all_found(hebb) -> None:
    hebb.bring(
        {"content": "a", "scope": "Work", "tags": ["X", "y"]},
        {"content": "b", "scope": "work", "tags": ["x"]},
        {"content": "c", "scope": "home", "tags": ["X"]},
    )
    assert sorted(hebb.ids("list", "--scope", "WORK")) == [1, 2]
    assert sorted(hebb.ids("list", "--tag", "x")) == [1, 2, 3]
    assert hebb.ids("list", "--tag", "x", "--tag", "Y") == [1]


@pytest.mark.parametrize(
    ("option", "typed", "meant"),
    [
        ("--scope", "wrok", "work"),
        ("--tag", "fod", "food"),
        ("--kind", "evnt", "event"),
        ("--partition", "mem_fact", "mem_facts"),
    ],
)
def test_name_nobody_bears_is_said_with_the_closest(option, typed, meant, hebb) -> None:
    hebb(
        "add",
        "x",
        "--scope",
        "work",
        "--tag",
        "food",
        "--kind",
        "event",
        "--partition",
        "mem_facts",
    )
    done = hebb("list", option, typed)
    assert (done.code, done.out) == (0, "")
    assert repr(typed) in done.err
    assert f"did you mean {meant!r}?" in done.err
    assert hebb("list", option, meant).err == ""
    assert hebb("list", option, typed, "--quiet").err == ""


def test_filters_come_before_the_limit(hebb) -> None:
    hebb.bring(*({"content": f"tea {n}", "scope": "home"} for n in range(60)))
    hebb.bring({"content": "tea at work", "scope": "work", "created_at": "2020-01-01T00:00:00Z"})
    for words in (["list"], ["recall", "tea", "--peek"]):
        assert hebb.ids(*words, "--scope", "work", "-n", 1) == [61]


def test_empty_name_is_refused(hebb) -> None:
    for option in ("--scope", "--tag", "--kind"):
        assert hebb.error("list", option, " ")["code"] == 2


@pytest.mark.parametrize(
    "words",
    [
        ["gc", "--partition"],
        ["gc", "--dry-run", "--partition"],
        ["forecast", "--partition"],
        ["curve", "--partition"],
        ["matrix", "--partition"],
        ["policy", "show"],
        ["policy", "set", "--k-access", 2],
        ["policy", "clear"],
        ["policy", "preview"],
    ],
)
def test_misspelled_partition_is_said_wherever_one_is_named(hebb, words) -> None:
    hebb("add", "x", "--partition", "mem_recipes")
    said = "no memory has the partition 'mem_recipe': did you mean 'mem_recipes'?"
    assert said in hebb(*words, "mem_recipe").err.split("\n")
    for fine in ("mem_recipes", "mem_semantic"):
        assert "no memory has" not in hebb(*words, fine).err
