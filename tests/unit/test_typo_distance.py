"""How far two words are apart, and which one a typo most likely was."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebbctl.usecases.typos import distance, nearest

WORDS = st.text("abc", max_size=7)


@pytest.mark.parametrize(
    ("word", "other", "typos"),
    [
        ("deploymnt", "deployment", 1),
        ("deplyoment", "deployment", 1),
        ("depoymnt", "deployment", 2),
        ("kitten", "sitting", 3),
        ("", "abc", 3),
        ("same", "same", 0),
        ("ca", "abc", 3),  # a letter that was swapped is not changed again
    ],
)
def test_typos_are_counted_as_published(word, other, typos) -> None:
    assert distance(word, other) == typos


@given(WORDS, WORDS)
def test_distance_is_the_same_both_ways_and_zero_for_equal_words_only(word, other) -> None:
    assert distance(word, other) == distance(other, word)
    assert (distance(word, other) == 0) == (word == other)
    assert abs(len(word) - len(other)) <= distance(word, other) <= max(len(word), len(other))


@given(st.lists(st.text("abcd", min_size=4, max_size=7), max_size=8), st.text("abcd", min_size=4))
def test_what_is_cheaply_left_out_was_too_far(words, word) -> None:
    most = 2 if len(word) >= 6 else 1
    near = [one for one in words if 0 < distance(word, one) <= most]
    assert bool(nearest(word, Counter(words))) == bool(near)


def test_nearer_word_wins_then_the_more_frequent_then_the_first() -> None:
    assert nearest("lantrn", Counter({"lantern": 1, "lanturn": 9, "lancet": 99})) == "lanturn"
    assert nearest("lanturns", Counter({"lantern": 99, "lanturn": 1})) == "lanturn"
    assert nearest("boat", Counter({"bolt": 2, "boot": 2})) == "bolt"
    assert nearest("boat", Counter({"blot": 5})) == ""
