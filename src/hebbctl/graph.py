"""Memories used together: how strong an edge is now, and what it adds to a recall."""

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TypeVar

DAY = 86_400_000  # milliseconds
HALF_LIFE_DAYS = 30  # a true one. Source: cortexgraph, layer 2
# What edges of this weight in all add is half of the most they can: one common use is much, a
# tenth hardly more than a ninth.
HALF_SATURATED = 1.0
T = TypeVar("T")


def effective(weight: float, age: float) -> float:
    """Return what is left of an edge's weight after an age in milliseconds. Source: cortexgraph."""
    return float(weight * 2.0 ** (-max(0.0, age) / DAY / HALF_LIFE_DAYS))


def pairs(ranked: Sequence[T], most: int) -> Iterator[tuple[T, T]]:
    """Yield the pairs of the first of a ranking, as many of them as have ``most`` pairs or less."""
    # n of them have n * (n - 1) / 2 pairs
    first = int((1 + math.sqrt(1 + 8 * most)) / 2)
    return combinations(ranked[:first], 2)


def damped(weight: float, degree: int) -> float:
    """Return what an edge counts for whose other end has so many: a hub says little of each."""
    return weight / math.sqrt(max(1, degree))


def co_occurrence(weight: float) -> float:
    """Return 0..1 for the weight of all edges between a memory and the context together."""
    return weight / (weight + HALF_SATURATED)
