"""HEBB_SCOPE: what is meant where no scope is typed; it never chooses what is erased."""

import pytest


@pytest.fixture
def usual(monkeypatch):
    return lambda name: monkeypatch.setenv("HEBB_SCOPE", name)


@pytest.fixture
def two(hebb):
    """A memory of one scope and a global one."""
    hebb("add", "tea of foo", "--scope", "Foo Bar")
    hebb("add", "tea of all")
    return hebb


@pytest.mark.parametrize("spelling", ["Foo Bar", "foo bar", " FOO  bar "])
def test_commands_that_look_see_that_scope_alone_in_any_spelling(two, usual, spelling) -> None:
    usual(spelling)
    assert two.ids("recall", "tea", "--peek") == two.ids("recall", "--peek") == [1]
    assert two.ids("list") == [1]
    assert [one["id"] for one in two.json("inject", "tea")["items"]] == [1]
    assert two.json("add", "coffee")["scope"] == "Foo Bar"


def test_scope_that_is_typed_counts_more(two, usual) -> None:
    usual("Foo Bar")
    assert two.ids("list", "--scope", "global") == [2]
    assert two.json("add", "x", "--scope", "other")["scope"] == "other"


def test_empty_variable_is_none(two, usual) -> None:
    usual("")
    assert two.ids("list") == [2, 1]
    assert two.json("add", "x")["scope"] == "global"


def test_scope_of_a_session_is_still_its_own(two, usual) -> None:
    usual("Foo Bar")
    found = two.json("add", "x", "--session", "s", "--scope-kind", "session")
    assert (found["scope"], found["scope_kind"]) == ("s", "session")


def test_close_name_is_suggested_where_nobody_bears_it(two, usual) -> None:
    usual("Foo Bra")
    done = two("recall", "tea", "--peek")
    assert (done.out, done.code) == ("", 0)
    assert "no memory has the scope 'Foo Bra': did you mean 'Foo Bar'?" in done.err


def test_what_is_erased_is_chosen_by_what_is_typed_alone(two, usual) -> None:
    usual("Foo Bar")
    assert two.ids("forget", "--query", "tea", "--dry-run") == [1, 2]
    assert two.ids("forget", "--query", "tea", "--scope", "global", "--yes") == [2]
    assert two.error("forget")["code"] == 2


def test_blank_variable_is_refused_by_name(two, usual) -> None:
    usual("  ")
    for command in (["list"], ["add", "x"], ["path"]):
        error = two.error(*command)
        assert (error["code"], "HEBB_SCOPE" in error["message"]) == (2, True)


def test_path_says_what_the_scope_is_and_why(hebb, usual) -> None:
    assert hebb("path").rows[-1] == ["scope", "global", "", "default"]
    usual("Foo")
    assert hebb("path").rows[-1] == ["scope", "Foo", "", "HEBB_SCOPE"]
    found = hebb.json("path")
    assert (found["scope"], found["scope_origin"]) == ("Foo", "HEBB_SCOPE")
    assert "scope" not in [place["name"] for place in found["places"]]
