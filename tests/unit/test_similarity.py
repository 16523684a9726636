"""Similar texts: every pair is found, as by looking at all of them."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebbctl import similarity, text

WORDS = st.frozensets(st.sampled_from("abcdefghij"), max_size=8)


@given(st.lists(WORDS, max_size=12), st.sampled_from([0.1, 1 / 3, 0.5, 2 / 3, 0.9, 1.0]))
def test_pairs_are_those_of_looking_at_all(texts, least) -> None:
    numbered = dict(enumerate(texts))
    expected = [
        (one, other, text.overlap(numbered[one], numbered[other]))
        for one, other in combinations(numbered, 2)
        if text.overlap(numbered[one], numbered[other]) >= least
    ]
    assert sorted(similarity.pairs(numbered, least=least)) == sorted(expected)


@pytest.mark.parametrize(
    ("one", "other", "overlap"),
    [("the red fox", "The red FOX!", 1), ("red fox", "red owl", 1 / 3), ("部署密钥", "部署", 0.25)],
)
def test_words_are_compared_as_they_are_found(one, other, overlap) -> None:
    found = text.overlap(similarity.words(one), similarity.words(other))
    assert found == pytest.approx(overlap, abs=0.09)
