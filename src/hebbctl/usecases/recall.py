"""Find memories by their text, ordered by how well they match and how well they are retained."""

from dataclasses import replace

from hebbctl import ranking
from hebbctl.errors import WrongUsage
from hebbctl.models import Filters, Hit
from hebbctl.store import Store
from hebbctl.store.search import Match

# How many of the best by text are looked at for each result that is shown. Retention moves a
# score by a fifth at most, so what lies further down cannot come up.
LOOKED_AT = 5
LOOKED_AT_LEAST = 50


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
        return [Hit(memory, None, None, None, "newest", None, None) for memory in newest]
    if not query.strip():
        raise WrongUsage("the query is empty", hint="'hebb recall' alone shows the newest")
    hits = _ranked(store, query, filters, limit=limit, decay_floor=decay_floor)
    if fallback and not filters.archived and len(hits) < limit:
        shelf = replace(filters, archived=True)
        hits += _ranked(store, query, shelf, limit=limit - len(hits), decay_floor=decay_floor)
    return [hit for hit in hits if hit.score is not None and hit.score >= min_score]


def _ranked(
    store: Store, query: str, filters: Filters, *, limit: int, decay_floor: float
) -> list[Hit]:
    looked_at = max(LOOKED_AT_LEAST, LOOKED_AT * limit)
    found: dict[int, tuple[Match, str]] = {}
    for match, expression in ranking.expressions(query):
        if len(found) >= looked_at:
            break
        for one in store.search.matches(expression, filters, limit=looked_at):
            found.setdefault(one.id, (one, match))

    def score(one: Match, match: str) -> float:
        factor = ranking.decay_factor(one.retention, decay_floor)
        return ranking.relevance(one.bm25, match) * factor

    best = sorted(found.values(), key=lambda pair: (score(*pair), pair[0].id), reverse=True)[:limit]
    memories = {one.id: one for one in store.memories.get_all([one.id for one, _ in best])}
    return [
        Hit(
            memories[one.id],
            score(one, match),
            ranking.relevance(one.bm25, match),
            one.bm25,
            match,
            ranking.BONUS[match],
            ranking.decay_factor(one.retention, decay_floor),
        )
        for one, match in best
        if one.id in memories  # erased by another process since it was found
    ]
