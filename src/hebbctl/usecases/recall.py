"""Find memories by their text, ordered by how well they match and how well they are retained."""

from heapq import heappop, heappush
from typing import NamedTuple

from hebbctl import ranking
from hebbctl.errors import WrongUsage
from hebbctl.models import Filters, Hit
from hebbctl.store import Store

# The texts that match best lend to their neighbours, and so many good scores end the looking,
# whatever the limit is: a shorter answer is the beginning of a longer one.
ENOUGH = 50
# Where many texts match alike, only retention tells them apart: so many of them, or as many as
# are wanted, are asked for it.
MOST_LOOKED_AT = 100
# To rank a text costs a microsecond or two, so a common word would cost a second in a store of a
# million: of the texts that match alike, no more than this are ranked as long as they are enough.
MOST_RANKED = 10_000
NAMED = 5  # words that a sentence about this names


class Look(NamedTuple):
    """One look into the index. ``newest`` of what fits the expression are ranked, -1 for all."""

    match: str
    expression: str
    newest: int = -1
    bound: str | None = None  # why that is not all, in words


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
    hits = _ranked(store, query, filters, limit, min_score, decay_floor)
    if fallback and not filters.archived and len(hits) < limit:
        shelf = filters._replace(archived=True, superseded=False)
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
            bound=one.bound,
        )
        for one in best
        if one.id in memories  # erased by another process since it was found
    ]


class _Candidate:
    """A memory on its way to a score. ``lent`` is the weight its neighbours add."""

    __slots__ = (
        "bm25",
        "bound",
        "decay_factor",
        "id",
        "lent",
        "match",
        "relevance",
        "score",
        "weight",
        "words",
    )

    def __init__(
        self, memory_id: int, match: str, bm25: float, decay_factor: float, words: float = 0.0
    ) -> None:
        self.id = memory_id
        self.match = match
        self.bm25 = bm25
        self.decay_factor = decay_factor
        self.words = words
        self.bound: str | None = None
        self.weight = ranking.weight(bm25, match)
        self.lent = 0.0
        self.relevance = ranking.relevance(self.weight)
        self.score = self.relevance * decay_factor


class _Found:
    """What the looks into the index have found so far, until there is enough of it."""

    def __init__(self, store: Store, filters: Filters, enough: int, decay_floor: float) -> None:
        self._store = store
        self._filters = filters
        self._enough = enough
        self._decay_floor = decay_floor
        self._best: list[float] = []  # a heap of the best scores, as many as are enough
        self.candidates: dict[int, _Candidate] = {}

    @property
    def is_enough(self) -> bool:
        return len(self.candidates) >= self._enough

    def look(self, one: Look) -> None:
        most = max(MOST_LOOKED_AT, self._enough)
        hits = self._store.search.matches(
            one.expression, self._filters, limit=most, newest=one.newest
        )
        for hit in hits:
            if hit.id in self.candidates:
                continue
            factor = ranking.decay_factor(hit.retention, self._decay_floor)
            candidate = _Candidate(hit.id, one.match, hit.bm25, factor, hit.words)
            candidate.bound = one.bound
            self.candidates[hit.id] = candidate
            heappush(self._best, candidate.score)
            if len(self._best) > self._enough and heappop(self._best) >= candidate.relevance:
                break  # what follows matches no better, and retention adds nothing to that

    def lend(self) -> None:
        """Let the best lend to their neighbours in their sessions, which are then found, too."""
        by_weight = sorted(self.candidates.values(), key=lambda one: one.weight, reverse=True)
        lenders = [one.id for one in by_weight[:ENOUGH]]
        near = self._store.search.neighbours(lenders, self._filters, reach=ranking.REACH)
        for lender, neighbour, distance, retention in near:
            factor = ranking.decay_factor(retention, self._decay_floor)
            receiver = self.candidates.setdefault(
                neighbour, _Candidate(neighbour, "neighbour", 0.0, factor)
            )
            given = self.candidates[lender]
            receiver.lent += ranking.lent(given.weight, words=given.words, distance=distance)


def _candidates(
    store: Store, query: str, filters: Filters, enough: int, decay_floor: float
) -> dict[int, _Candidate]:
    """Return what holds the query's words, and the neighbours of the best in their sessions."""
    found = _Found(store, filters, enough, decay_floor)
    again = []
    for match, expression in ranking.expressions(query):
        if found.is_enough:
            break
        for look in _looks(store, query, match, expression):
            found.look(look)
            if look.bound:
                again.append(Look(match, expression))
    for look in again:  # the filters let too little of it through
        if found.is_enough:
            break
        found.look(look)
    found.lend()
    return found.candidates


def _looks(store: Store, query: str, match: str, expression: str) -> list[Look]:
    """Return the looks for what an expression fits; bounded ones where that is much."""
    if match == "some":
        return _looks_for_some(store, query, expression)
    count = store.search.count(expression)
    if count <= MOST_RANKED:
        return [Look(match, expression)] if count else []
    bound = f"{count} texts hold the query: only the newest {MOST_RANKED} were ranked"
    return [Look(match, expression, MOST_RANKED, bound)]


def _looks_for_some(store: Store, query: str, expression: str) -> list[Look]:
    """Look for the rarest words alone where all are in too many texts: they decide the order.

    A text that holds one of them gets its score from all of its words.
    """
    counts = {word: store.search.count(word) for word in ranking.words(query)}
    if sum(counts.values()) <= MOST_RANKED:
        return [Look("some", expression)]
    chosen = ranking.rarest({word: count for word, count in counts.items() if count}, MOST_RANKED)
    named = ", ".join(chosen[:NAMED]) + ", …" * (len(chosen) > NAMED)
    bound = f"common words: only texts with {named} were ranked, the newest {MOST_RANKED} at most"
    looks = ranking.with_any_of(chosen, list(counts))
    return [Look("some", look, MOST_RANKED, bound) for look in looks]
