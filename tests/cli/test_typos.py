"""A query that finds nothing for a typo: a word is suggested on stderr, and nothing else done."""

import pytest


@pytest.fixture
def notes(hebb):
    hebb.bring(
        {"content": "the deployment runs at night", "scope": "ops"},
        {"content": "Zürich is on the Limmat"},
        {"content": "the old lighthouse", "archived_at": "2025-12-01"},
        {"content": "部署在晚上"},
    )
    return hebb


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("deploymnt", "deployment"),
        ("What is the DEPLYOMENT?", "deployment"),
        ("zurihc deploiment", "zurich deployment"),
        ("nihgt", "night"),
    ],
)
def test_word_that_was_likely_meant_is_suggested(notes, query, meant) -> None:
    assert notes("recall", query)[:] == (0, "", f'did you mean "{meant}"?\n')
    assert notes.json("recall", query) == []
    assert notes.json("show", 1)["access_count"] == 0


@pytest.mark.parametrize(
    "query",
    [
        "deployment",  # found
        "deployment zurihc",  # one word is found
        "deploy",  # found by its stem
        "nite",  # two of four letters
        "xylophone",  # nothing near
        "lighthuose",  # only in the archive
        "部暑",  # not Latin
        "runz42",  # not a word
        "what where",  # only asks
    ],
)
def test_nothing_is_suggested_where_nothing_is_near_or_something_was_found(notes, query) -> None:
    assert "did you mean" not in notes("recall", query, "--peek").err


def test_word_of_the_archive_is_suggested_to_who_looks_there(notes) -> None:
    assert 'did you mean "lighthouse"?' in notes("recall", "lighthuose", "--archived").err


def test_word_that_only_an_archived_hit_holds_has_a_suggestion_beside_it(notes) -> None:
    notes("add", "the lighthorse rides")
    done = notes("recall", "lighthouse", "--peek")
    assert [row[0] for row in done.rows] == ["3"]
    assert done.err == 'did you mean "lighthorse"?\n'


def test_no_word_from_beyond_the_filters_is_suggested(notes) -> None:
    assert notes("recall", "deploymnt", "--scope", "global").err == ""
    assert "deployment" in notes("recall", "deploymnt", "--scope", "ops").err


def test_looking_for_it_changes_no_byte(notes, contents) -> None:
    before = contents()
    notes("recall", "deploymnt")
    assert contents() == before


def test_quiet_and_an_empty_store_suggest_nothing(hebb) -> None:
    assert hebb("recall", "deploymnt").err == ""
    hebb("add", "deployment")
    assert hebb("recall", "deploymnt", "--quiet").err == ""
