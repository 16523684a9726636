"""Find memories by their text, ordered by how well they match and how well they are retained."""

from hebbctl import ranking
from hebbctl.errors import WrongUsage
from hebbctl.models import Filters, Hit
from hebbctl.store import Store

# How many of the best by text are looked at for each result that is shown. Retention moves a
# score by a fifth at most, so what lies further down cannot come up.
LOOKED_AT = 5
LEAST_LOOKED_AT = 50


def recall(
    store: Store,
    query: str | None,
    *,
    filters: Filters,
    limit: int,
    min_score: float,
    decay_floor: float,
    fallback: bool,
) -> list[Hit]:
    """Return the memories that fit a query, best first; without a query the newest.

    With ``fallback`` the places that live memories leave free go to archived ones, after them.
    """
    if query is None:
        newest = store.memories.listing(filters, limit=limit)
        return [Hit(memory, None, None, None, "newest", None, None, None) for memory in newest]
    if not query.strip():
        raise WrongUsage("the query is empty", hint="'hebb recall' alone shows the newest")
    hits = _ranked(store, query, filters, limit=limit, decay_floor=decay_floor)
    if fallback and not filters.archived and len(hits) < limit:
        shelf = filters._replace(archived=True)
        hits += _ranked(store, query, shelf, limit=limit - len(hits), decay_floor=decay_floor)
    return [hit for hit in hits if hit.score is not None and hit.score >= min_score]


def _ranked(
    store: Store, query: str, filters: Filters, *, limit: int, decay_floor: float
) -> list[Hit]:
    candidates = _candidates(
        store, query, filters, looked_at=max(LEAST_LOOKED_AT, LOOKED_AT * limit)
    )
    for one in candidates.values():
        one.relevance = ranking.relevance(one.weight + one.lent)
        one.decay_factor = ranking.decay_factor(one.retention, decay_floor)
        one.score = one.relevance * one.decay_factor
    best = sorted(candidates.values(), key=lambda one: (one.score, one.id), reverse=True)[:limit]
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

    def __init__(
        self, memory_id: int, retention: float, match: str = "neighbour", bm25: float = 0.0
    ) -> None:
        self.id = memory_id
        self.retention = retention
        self.match = match
        self.bm25 = bm25
        self.weight = ranking.weight(bm25, match)
        self.lent = self.relevance = self.decay_factor = self.score = 0.0


def _candidates(
    store: Store, query: str, filters: Filters, *, looked_at: int
) -> dict[int, _Candidate]:
    """Return what holds the query's words, and its neighbours in their sessions."""
    words: dict[int, float] = {}
    found: dict[int, _Candidate] = {}
    for match, expression in ranking.expressions(query):
        if len(found) >= looked_at:
            break
        for hit in store.search.matches(expression, filters, limit=looked_at):
            if hit.id not in found:
                found[hit.id] = _Candidate(hit.id, hit.retention, match, hit.bm25)
                words[hit.id] = hit.words
    near = store.search.neighbours(list(found), filters, reach=ranking.REACH)
    for lender, neighbour, distance, retention in near:
        receiver = found.setdefault(neighbour, _Candidate(neighbour, retention))
        receiver.lent += ranking.lent(found[lender].weight, words=words[lender], distance=distance)
    return found
