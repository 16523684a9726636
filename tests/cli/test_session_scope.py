"""What is meant for one session ends with it, and nothing else does."""

import pytest


@pytest.fixture
def talk(hebb) -> None:
    for text, *options in (
        ("1 passing", "--scope-kind", "session"),
        ("2 said in it", "--importance", 5),
        ("3 promoted since", "--scope-kind", "session"),
        ("4 pinned since", "--scope-kind", "session"),
        ("5 moved since", "--scope-kind", "session"),
        ("6 archived since", "--scope-kind", "session"),
    ):
        hebb("add", text, "--session", "talk", *options)
    hebb("add", "7 of another", "--session", "other", "--scope-kind", "session")
    hebb("promote", 3)
    hebb("pin", 4)
    hebb("edit", 5, "--scope", "global")
    hebb("archive", 6)


@pytest.mark.usefixtures("talk")
def test_session_takes_with_it_only_what_was_meant_for_it(hebb) -> None:
    assert hebb.ids("forget", "--session", "talk", "--ended", "--dry-run") == [1, 6]
    assert hebb.ids("forget", "--session", "talk", "--ended", "--yes") == [1, 6]
    assert sorted(hebb.ids("list")) == [2, 3, 4, 5, 7]
    assert hebb.json("audit", 1)[0]["reason"] == "by session, ended"
    assert hebb.ids("forget", "--session", "talk", "--ended") == []


@pytest.mark.usefixtures("talk")
def test_session_without_ended_is_all_that_was_said_in_it(hebb) -> None:
    assert hebb.ids("forget", "--session", "talk", "--yes", "--force") == [1, 2, 3, 4, 5, 6]
    assert hebb.ids("list") == [7]


def test_scope_of_a_session_bears_its_name_or_one_of_its_own(hebb) -> None:
    hebb("add", "x", "--session", "talk", "--scope-kind", "session")
    hebb("add", "y", "--session", "talk", "--scope-kind", "session", "--scope", "draft")
    hebb("add", "z", "--scope", "zoo", "--scope-kind", "project")
    found = [hebb.json("show", number) for number in (1, 2, 3)]
    assert [(one["scope"], one["scope_kind"]) for one in found] == [
        ("talk", "session"),
        ("draft", "session"),
        ("zoo", "project"),
    ]


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["add", "x", "--scope-kind", "session"], "--session NAME"),
        (["add", "x", "--scope-kind", "talk"], None),
        (["forget", "--ended", "--yes"], "--session NAME"),
        (["forget", "--ended", "--tag", "x"], "--session NAME"),
    ],
)
def test_what_is_unclear_is_refused(hebb, words, hint) -> None:
    error = hebb.error(*words)
    assert error["code"] == 2
    assert hint is None or hint in error["hint"]
