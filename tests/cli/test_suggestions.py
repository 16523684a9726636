"""hebb add: which older memory a new one may bring up to date."""

import pytest


def suggested(hebb, old: str, new: str, *options) -> list[int]:
    hebb("add", old)
    return [one["id"] for one in hebb.json("add", new, *options)["similar"]]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Ann lives in Oslo", "Ann lives in Rome"),
        ("the deploy key lives in vault/ci", "The deploy key lives in vault/prod"),
        ("the server db1 listens on port 5432", "the server db1 listens on port 5433"),
        ("the wifi password is tulip42", "the wifi password is rose7"),
        ("我住在北京的东城区", "我住在北京的西城区"),
    ],
)
def test_likely_update_is_suggested(hebb, old, new) -> None:
    assert suggested(hebb, old, new) == [1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Ann lives in Oslo", "Bob lives in Oslo"),
        ("the server db1 listens on port 5432", "the server db2 listens on port 5432"),
        ("Ann Smith works in the office", "Ann Jones works in the office"),
        ("Ann lives in Oslo", "Ann paid for the hotel and three trains"),
        ("小王住在北京的东城区", "小李住在北京的东城区"),
        ("buy milk", "water the flowers"),
        ("use", "use"),
    ],
)
def test_other_name_or_other_matter_is_not(hebb, old, new) -> None:
    assert suggested(hebb, old, new) == []


def test_suggestion_says_how_much_and_how_to_go_on(hebb) -> None:
    hebb("add", "Ann lives in Oslo")
    [similar] = hebb.json("add", "Ann lives in Rome")["similar"]
    assert similar == {
        "id": 1,
        "uid": hebb.json("show", 1)["uid"],
        "overlap": 0.5,
        "content": "Ann lives in Oslo",
    }
    done = hebb("add", "Ann lives in Paris")
    assert (done.out, done.err) == (
        "3\n",
        "if it brings 2 up to date: hebb edit 3 --replaces 2\n",
    )
    assert hebb("edit", 3, "--replaces", 2).code == 0
    assert sorted(hebb.ids("list")) == [1, 3]


@pytest.mark.parametrize(
    "options", [["--key", "home"], ["--scope", "elsewhere"], ["--untrusted"], ["--replaces", "1"]]
)
def test_nothing_is_suggested_where_it_is_said_or_cannot_be(hebb, options) -> None:
    assert suggested(hebb, "Ann lives in Oslo", "Ann lives in Rome", *options) == []


@pytest.mark.parametrize("command", [("archive", 1), ("forget", 1), ("trust", 1, "--revoke")])
def test_only_what_is_live_and_trusted_is_suggested(hebb, command) -> None:
    hebb("add", "Ann lives in Oslo")
    hebb(*command)
    assert hebb.json("add", "Ann lives in Rome")["similar"] == []


def test_text_is_no_query(hebb) -> None:
    hebb("add", 'say "AND" OR (NOT x* NEAR:y)')
    assert hebb.json("add", 'say "AND" OR (NOT x* NEAR:z)')["similar"][0]["id"] == 1
