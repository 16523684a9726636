"""How near memories are in meaning to a query, by vectors that were made before."""

from collections.abc import Callable, Collection
from functools import lru_cache
from heapq import nlargest
from itertools import combinations
from operator import mul

from hebbctl import embeddings
from hebbctl.embeddings import Embedder, int8
from hebbctl.errors import EmbedderError, HebbError
from hebbctl.models import Filters
from hebbctl.store import Store
from hebbctl.usecases.candidates import Nearness

LONGEST_TEXT = 8000  # characters; a model blurs what is longer, at a cost that grows with it
# Source: LoCoMo and BEAM, a vector averaged with those of the turns beside it, these x .5.
NEIGHBOUR_SHARE = 0.5
# So many that are near by themselves are looked at again together with their neighbours.
LOOKED_AT_AGAIN = 200


def nearness(store: Store, embedder: Embedder, *, failed: Callable[[HebbError], None]) -> Nearness:
    """Return how a recall asks for what is near. It goes on without where that fails, told once.

    The query is embedded once, however many shelves are looked at.
    """
    broken = False

    @lru_cache(1)
    def vector_of(query: str) -> list[float]:
        return _vector(query, embedder)

    def near(query: str, filters: Filters, limit: int, also: Collection[int]) -> dict[int, float]:
        nonlocal broken
        if broken:
            return {}
        try:
            return similar(
                store,
                query,
                embedder,
                filters=filters,
                limit=limit,
                also=also,
                vector_of=vector_of,
            )
        except EmbedderError as error:
            broken = True
            failed(error)
            return {}

    return near


def similar(
    store: Store,
    query: str,
    embedder: Embedder,
    *,
    filters: Filters,
    limit: int,
    also: Collection[int] = (),
    vector_of: Callable[[str], list[float]] | None = None,
) -> dict[int, float]:
    """Return how near memories are to a query, 0..1, by id: the nearest first, ``limit`` at most.

    ``also`` are memories to be told of in any case, such as those found by words. A memory counts
    together with the turns beside it in its session. Only memories that pass the filters and have
    a vector of this embedder's model take part; without any, nothing is loaded. ``vector_of``
    embeds the query where the embedder itself is not to be asked.

    Raises:
        EmbedderError: the embedder is missing, fails, is too slow, or its vectors have another
            size than those that are kept.
    """
    if not store.vectors.has(embedder.name):
        return {}
    answer = vector_of(query) if vector_of else _vector(query, embedder)
    wanted = int8.direction(answer)
    alone = _alone(store, embedder, wanted, filters)
    if not alone:
        _refuse_other_size(store, embedder, len(answer))
    first = [*_nearest(alone, max(limit, LOOKED_AT_AGAIN)), *(one for one in also if one in alone)]
    together = _together(store, embedder, len(wanted), alone, first)
    best = {*_nearest(together, limit), *(one for one in also if one in alone)}
    chosen = _nearest({one: together[one] for one in best}, len(best))
    return {one: min(max(together[one], 0.0), 1.0) for one in chosen}


def _vector(query: str, embedder: Embedder) -> list[float]:
    [answer] = embeddings.encode(embedder, [query[:LONGEST_TEXT]])
    return answer


def _nearest(cosines: dict[int, float], limit: int) -> list[int]:
    """Return the ids with the greatest cosines; of equal ones the newest comes first."""
    pairs = nlargest(limit, zip(cosines.values(), cosines, strict=True))
    return [one for _, one in pairs]


def _refuse_other_size(store: Store, embedder: Embedder, size: int) -> None:
    kept = store.vectors.sizes(embedder.name)
    if kept and size not in kept:
        raise EmbedderError(
            f"the embedder {embedder.name!r} answers {size} numbers, its kept vectors have"
            f" {kept[0]}",
            hint="'hebb embed --all' makes them anew",
        )


def _alone(
    store: Store, embedder: Embedder, wanted: list[float], filters: Filters
) -> dict[int, float]:
    """Return the cosine of every memory's own vector with the query's."""
    cosines: dict[int, float] = {}
    for block in store.vectors.blocks(embedder.name, len(wanted), filters):
        products = int8.products(wanted, block.numbers)
        cosines.update(zip(block.ids, map(mul, products, block.scales), strict=True))
    return cosines


def _together(
    store: Store, embedder: Embedder, size: int, alone: dict[int, float], first: list[int]
) -> dict[int, float]:
    """Return the cosines with the averaged vectors of the first, and of the turns beside them.

    (v + s n1 + s n2) q / |v + s n1 + s n2| needs no averaged vector: the products are enough.
    """
    beside = store.vectors.turns_beside(first)
    lifted = {turn for turns in beside.values() for turn in turns if turn in alone}
    beside = store.vectors.turns_beside({*first, *lifted})
    near = {one: [turn for turn in turns if turn in alone] for one, turns in beside.items()}
    groups = {one: [one, *near.get(one, ())] for one in {*first, *lifted}}
    squares = _squares(store, embedder, size, groups)
    found = {}
    for one, (_, *turns) in groups.items():
        total = alone[one] + NEIGHBOUR_SHARE * sum(alone[turn] for turn in turns)
        found[one] = total / squares[one] ** 0.5 if squares[one] > 0 else 0.0
    return found


def _squares(
    store: Store, embedder: Embedder, size: int, groups: dict[int, list[int]]
) -> dict[int, float]:
    """Return the squared length of each group's sum, its first vector in full."""
    ids = {one for group in groups.values() for one in group}
    vectors = store.vectors.of(ids, embedder.name, size)
    # A vector times itself is 1, or 0 where it has no direction: only the pairs are reckoned.
    lengths = {
        one: sum(_share(one, a) ** 2 for a in group if a in vectors and vectors[a].scale)
        for one, group in groups.items()
    }
    pairs = [
        (one, a, b)
        for one, group in groups.items()
        for a, b in combinations(group, 2)
        if a in vectors and b in vectors
    ]
    if not pairs:
        return lengths
    left, right = ([vectors[pair[side]].numbers for pair in pairs] for side in (1, 2))
    for (one, a, b), product in zip(pairs, int8.paired(left, right), strict=True):
        cosine = product * vectors[a].scale * vectors[b].scale
        lengths[one] += 2 * _share(one, a) * _share(one, b) * cosine
    return lengths


def _share(centre: int, turn: int) -> float:
    return 1.0 if turn == centre else NEIGHBOUR_SHARE
