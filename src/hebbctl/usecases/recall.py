"""Find memories by their text, ordered by how well they match and how well they are retained."""

from heapq import heappop, heappush

from hebbctl import ranking
from hebbctl.errors import WrongUsage
from hebbctl.models import Filters, Hit
from hebbctl.store import Store

# The texts that match best lend to their neighbours, and so many good scores end the looking,
# whatever the limit is: a shorter answer is the beginning of a longer one.
ENOUGH = 50
# Where many texts match alike, only retention tells them apart: so many of them, or as many as
# are wanted, are asked for it.
MOST_LOOKED_AT = 500


def recall(
    store: Store,
    query: str | None,
    *,
    filters: Filters,
    limit: int,
    min_score: float,
    decay_floor: float,
    fallback: bool,
    stale_last: bool = False,
) -> list[Hit]:
    """Return the memories that fit a query, best first; without a query the newest.

    With ``stale_last`` the stale ones come after all others. With ``fallback`` the places that
    live memories leave free go to archived ones, after them.
    """
    if query is None:
        newest = store.memories.listing(filters, limit=limit)
        return [Hit(memory, None, None, None, "newest", None, None, None) for memory in newest]
    if not query.strip():
        raise WrongUsage("the query is empty", hint="'hebb recall' alone shows the newest")
    shelves = [filters]
    if stale_last and not filters.archived:
        shelves = [filters._replace(stale=False), filters._replace(stale=True)]
    if fallback and not filters.archived:
        shelves.append(filters._replace(archived=True))
    hits: list[Hit] = []
    for shelf in shelves:
        if len(hits) < limit:
            hits += _ranked(store, query, shelf, limit - len(hits), min_score, decay_floor)
    return hits


def _ranked(
    store: Store, query: str, filters: Filters, limit: int, min_score: float, decay_floor: float
) -> list[Hit]:
    candidates = _candidates(store, query, filters, max(ENOUGH, limit), decay_floor)
    for one in candidates.values():
        one.relevance = ranking.relevance(one.weight + one.lent)
        one.score = one.relevance * one.decay_factor
    good = [one for one in candidates.values() if one.score >= min_score]
    best = sorted(good, key=lambda one: (one.score, one.id), reverse=True)[:limit]
    memories = {one.id: one for one in store.memories.get_all([one.id for one in best])}
    return [
        Hit(
            memory=memories[one.id],
            score=one.score,
            relevance=one.relevance,
            bm25=one.bm25,
            match=one.match,
            match_bonus=ranking.BONUS[one.match],
            lent=one.lent,
            decay_factor=one.decay_factor,
        )
        for one in best
        if one.id in memories  # erased by another process since it was found
    ]


class _Candidate:
    """A memory on its way to a score. ``lent`` is the weight its neighbours add."""

    def __init__(self, memory_id: int, match: str, bm25: float, decay_factor: float) -> None:
        self.id = memory_id
        self.match = match
        self.bm25 = bm25
        self.decay_factor = decay_factor
        self.weight = ranking.weight(bm25, match)
        self.lent = 0.0
        self.relevance = ranking.relevance(self.weight)
        self.score = self.relevance * decay_factor


def _candidates(
    store: Store, query: str, filters: Filters, enough: int, decay_floor: float
) -> dict[int, _Candidate]:
    """Return what holds the query's words, and the neighbours of the best in their sessions."""
    found: dict[int, _Candidate] = {}
    words: dict[int, float] = {}
    best: list[float] = []  # a heap of the best scores so far, as many as are enough
    for match, expression in ranking.expressions(query):
        if len(found) >= enough:
            break
        for hit in store.search.matches(expression, filters, limit=max(MOST_LOOKED_AT, enough)):
            if hit.id in found:
                continue
            factor = ranking.decay_factor(hit.retention, decay_floor)
            one = found[hit.id] = _Candidate(hit.id, match, hit.bm25, factor)
            words[hit.id] = hit.words
            heappush(best, one.score)
            if len(best) > enough and heappop(best) >= one.relevance:
                break  # what follows matches no better, and retention adds nothing to that
    lenders = list(found)[:ENOUGH]
    near = store.search.neighbours(lenders, filters, reach=ranking.REACH)
    for lender, neighbour, distance, retention in near:
        factor = ranking.decay_factor(retention, decay_floor)
        receiver = found.setdefault(neighbour, _Candidate(neighbour, "neighbour", 0.0, factor))
        receiver.lent += ranking.lent(found[lender].weight, words=words[lender], distance=distance)
    return found
