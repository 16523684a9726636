"""Nearness in meaning: who takes part, with which neighbours, and in what order."""

import math
import random
from operator import mul
from typing import Any

import embedders
import pytest
from embedders import Hashing, hashed

from hebbctl import embeddings
from hebbctl.embeddings import int8
from hebbctl.errors import EmbedderError
from hebbctl.models import Filters
from hebbctl.usecases import embedding, meaning


@pytest.fixture
def similar(store_at):
    """Makes the vectors that are missing, then asks how near all is to a query."""

    def ask(query: str, *, embedder: Any = None, limit: int = 10, **filters: Any):
        chosen = embedder or Hashing()
        embedding.embed(store_at(0), chosen)
        return meaning.similar(store_at(0), query, chosen, filters=Filters(**filters), limit=limit)

    return ask


def cosine(a: list[float], b: list[float]) -> float:
    return sum(map(mul, a, b)) / math.sqrt(sum(map(mul, a, a)) * sum(map(mul, b, b)))


def test_nearest_comes_first_with_its_cosine(fill, similar) -> None:
    fill("red lantern", "red boat", "green meadow")
    found = similar("red lantern")
    assert list(found)[:2] == [1, 2]
    assert found == pytest.approx({1: 1.0, 2: 0.5, 3: 0.0}, abs=0.002)


def test_limit_keeps_the_nearest(fill, similar) -> None:
    fill("green meadow", "red boat", "red lantern")
    assert list(similar("red lantern", limit=1)) == [3]


def test_memories_found_otherwise_are_told_of_in_any_case(fill, similar, store_at) -> None:
    fill("green meadow", "red boat", "red lantern", {"content": "red", "expires_at": 1})
    similar("red")
    found = meaning.similar(
        store_at(0), "red lantern", Hashing(), filters=Filters(), limit=1, also=[1, 4, 99]
    )
    assert found == pytest.approx({3: 1.0, 1: 0.0}, abs=0.002)
    assert list(found) == [3, 1]


def test_only_what_passes_the_filters_takes_part(fill, similar) -> None:
    fill(
        {"content": "red lantern", "tags": ("home",)},
        {"content": "red lantern of Ann", "partition": "mem_semantic"},
        {"content": "red lantern, shelved", "archived_at": 1, "archived_reason": "by hand"},
        {"content": "red lantern, expired", "expires_at": 1},
        {"content": "red lantern, doubtful", "trusted": False},
    )
    assert set(similar("red")) == {1, 2, 5}
    assert set(similar("red", archived=True)) == {3}
    assert set(similar("red", tags=(("home",),))) == {1}
    assert set(similar("red", partition="mem_semantic")) == {2}
    assert set(similar("red", trusted=False)) == {5}
    assert set(similar("red", stale=True)) == set()


def test_opposite_meaning_is_nearness_zero(fill, similar) -> None:
    class Signed(Hashing):
        def encode(self, texts):
            return [[-1.0 if "not" in text else 1.0] * 4 for text in texts]

    fill("not so")
    assert similar("so", embedder=Signed()) == {1: 0.0}


def test_nothing_is_asked_of_the_embedder_where_no_vector_of_it_is(fill, store_at) -> None:
    fill("red lantern")
    embedding.embed(store_at(0), Hashing("first"))
    second = Hashing("second")
    found = meaning.similar(store_at(0), "red", second, filters=Filters(), limit=5)
    assert (found, second.asked) == ({}, [])


def test_vectors_of_two_models_are_never_mixed(fill, similar, store_at) -> None:
    fill("red lantern")
    similar("red", embedder=Hashing("first"))
    found = similar("red", embedder=Hashing("second", size=32))
    assert found == pytest.approx({1: 0.5**0.5}, abs=0.01)
    assert [one[:2] for one in store_at(0).vectors.held()] == [("first", 64), ("second", 32)]


def test_query_vector_of_another_size_is_refused(fill, store_at) -> None:
    fill("red lantern")
    embedding.embed(store_at(0), Hashing())
    changed = Hashing(size=32)
    with pytest.raises(EmbedderError, match="32 numbers, its kept vectors have 64"):
        meaning.similar(store_at(0), "red", changed, filters=Filters(), limit=5)


def test_memory_counts_with_the_turns_beside_it_by_half(fill, similar) -> None:
    rng = random.Random(6)
    words = ["red", "boat", "lantern", "meadow", "rain", "ann"]
    texts = [" ".join(rng.choices(words, k=3)) for _ in range(12)]
    fill(*({"content": f"{one} {n}", "session": "talk"} for n, one in enumerate(texts)), "red boat")
    vectors = [hashed(f"{one} {n}") for n, one in enumerate(texts)]
    expected = {13: cosine(hashed("red lantern"), hashed("red boat"))}
    for here, vector in enumerate(vectors):
        # Each as a direction first: a long text does not count more than a short one.
        mixed = int8.direction(vector)
        for beside in (here - 1, here + 1):
            if 0 <= beside < len(vectors):
                near = int8.direction(vectors[beside])
                mixed = [one + 0.5 * other for one, other in zip(mixed, near, strict=True)]
        expected[here + 1] = cosine(hashed("red lantern"), mixed)
    assert similar("red lantern", limit=20) == pytest.approx(expected, abs=0.003)


def test_neighbour_of_a_near_turn_is_found_though_its_own_words_say_nothing(fill, similar) -> None:
    talk = [
        {"content": "shall we buy the red lantern", "session": "talk"},
        {"content": "yes", "session": "talk"},
    ]
    fill(*talk, *(f"lantern number {n}" for n in range(300)))
    assert similar("red lantern", limit=400)[2] > 0.2


def test_text_without_direction_is_near_to_nothing(fill, similar) -> None:
    class Silent(Hashing):
        def encode(self, texts):
            return [[0.0] * 8 for _ in texts]

    fill("red lantern")
    assert similar("red", embedder=Silent()) == {1: 0.0}


@pytest.mark.parametrize(
    "answer",
    [
        [],
        [[1.0], [1.0]],
        [[]],
        ["red"],
        [None],
        [{"0": 1}],
        [["red"]],
        [[True]],
        [[math.nan]],
        [[math.inf]],
        [[10**400]],
        [[1.0] * 70_000],
    ],
    ids=lambda answer: repr(answer)[:20],
)
def test_nonsense_of_an_embedder_is_refused(answer) -> None:
    class Nonsense(Hashing):
        def encode(self, texts):
            return answer

    with pytest.raises(EmbedderError, match="the embedder 'hashing' answered"):
        embeddings.encode(Nonsense(), ["red"])


def test_vectors_of_several_sizes_in_one_answer_are_refused() -> None:
    class Uneven(Hashing):
        def encode(self, texts):
            return [[1.0] * (2 + len(text)) for text in texts]

    with pytest.raises(EmbedderError, match="vectors of 5 and of 7 numbers"):
        embeddings.encode(Uneven(), ["red", "green"])


def test_hashing_is_what_these_tests_take_it_for() -> None:
    assert sum(embedders.hashed("red boat")) == 2
    assert embedders.hashed("red boat") != embedders.hashed("red lantern")
