"""Vectors as bytes: what rounding costs, and that NumPy changes nothing."""

import importlib.util
import math
import random
from operator import mul

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hebbctl.embeddings import int8

finite = st.floats(-1e300, 1e300, allow_nan=False)
vectors = st.lists(finite, min_size=1, max_size=20)


def cosine(a: list[float], b: list[float]) -> float:
    a, b = int8.direction(a), int8.direction(b)
    return sum(map(mul, a, b))


def lengths(row: int8.Packed) -> float:
    [square] = int8.paired([row.numbers], [row.numbers])
    return math.sqrt(square) * row.scale


@pytest.mark.parametrize("size", [256, 512, 1024])
def test_rounding_costs_less_than_a_thousandth_of_a_cosine(size: int) -> None:
    rng = random.Random(6)
    common = [rng.gauss(0, 1) for _ in range(size)]
    query, *others = ([one + rng.gauss(0, 1) for one in common] for _ in range(100))
    rows = [int8.packed(one) for one in others]
    sums = int8.products(int8.direction(query), [row.numbers for row in rows])
    found = [one * row.scale for one, row in zip(sums, rows, strict=True)]
    losses = [abs(one - cosine(query, other)) for one, other in zip(found, others, strict=True)]
    assert sum(losses) / len(losses) < 0.001
    assert max(losses) < 0.002


@given(vectors)
def test_packed_vector_has_length_one_or_no_direction(vector: list[float]) -> None:
    row = int8.packed(vector)
    assert len(row.numbers) == len(vector)
    assert lengths(row) == pytest.approx(1.0 if any(vector) else 0.0, abs=1e-6)


@given(vectors, st.sampled_from([1e-3, 2.0, 1e5]))
def test_length_of_a_vector_does_not_count(vector: list[float], factor: float) -> None:
    assume(any(abs(one) > 1e-290 for one in vector) and all(abs(one) < 1e290 for one in vector))
    assert int8.direction([one * factor for one in vector]) == pytest.approx(
        int8.direction(vector), abs=1e-9
    )


@pytest.mark.skipif(importlib.util.find_spec("numpy") is None, reason="NumPy is in an extra")
def test_without_numpy_the_products_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(6)
    query, *others = ([rng.gauss(0, 1) for _ in range(64)] for _ in range(20))
    rows = [int8.packed(one).numbers for one in others]
    fast = int8.products(query, rows), int8.paired(rows, rows[::-1])
    monkeypatch.setattr(int8, "find_spec", lambda name: None)
    plain = int8.products(query, rows), int8.paired(rows, rows[::-1])
    assert plain[0] == pytest.approx(fast[0], rel=1e-4, abs=1e-2)
    assert plain[1] == fast[1]
