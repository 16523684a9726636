"""The arithmetic of edges: exact, bounded, and no stronger than it should be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebbctl import graph

DAY = 86_400_000


@pytest.mark.parametrize(("days", "left"), [(0, 1), (30, 0.5), (60, 0.25), (15, 0.5**0.5)])
def test_weight_halves_every_thirty_days(days: float, left: float) -> None:
    assert graph.effective(1, days * DAY) == pytest.approx(left)


def test_edge_of_tomorrow_is_no_stronger_than_now() -> None:
    assert graph.effective(2, -DAY) == 2


@given(st.lists(st.integers(), unique=True, max_size=60), st.integers(0, 500))
def test_pairs_are_those_of_the_best_and_no_more_than_allowed(ranked, most) -> None:
    found = list(graph.pairs(ranked, most))
    assert len(found) <= most
    first = [one for pair in found for one in pair]
    assert not found or set(first) == set(ranked[: len(set(first))])
    longer = len(set(first)) + 1 if found else 2
    assert len(ranked) < longer or longer * (longer - 1) / 2 > most


@given(st.lists(st.floats(0, 1e9), min_size=2))
def test_co_occurrence_is_a_share_that_grows_with_weight(weights) -> None:
    found = [graph.co_occurrence(weight) for weight in sorted(weights)]
    assert found == sorted(found)
    assert all(0 <= one <= 1 for one in found)


@given(st.floats(0, 1e9), st.integers(0, 10**6))
def test_hub_lends_each_of_its_edges_less(weight, degree) -> None:
    assert graph.damped(weight, degree + 1) <= graph.damped(weight, degree) <= weight
