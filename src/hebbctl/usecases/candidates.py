"""What a recall finds on its way to a ranking: by words, by date, beside each other, by use."""

from collections.abc import Callable, Collection, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from hebbctl import graph, ranking
from hebbctl.models import Filters, Parts
from hebbctl.ranking import Weights
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
MOST_DATED = 500  # of what was created on the days that a query names, the newest
Spans = Sequence[tuple[int, int]]  # of time: from, until
# Of a query, filters, how many and some ids in any case: id -> nearness, 0..1.
Nearness = Callable[[str, Filters, int, Collection[int]], dict[int, float]]
NAMED = 5  # words that a sentence about this names


class Cues(NamedTuple):
    """What a recall goes by besides the words of its query.

    ``context`` are memories that what is wanted was used with, ``spans`` the times that the query
    names, ``nearness`` tells how near memories are to it in meaning.
    """

    context: Sequence[int] = ()
    spans: Spans = ()
    nearness: Nearness | None = None


NO_CUES = Cues()


class Candidate:
    """A memory on its way to a score, with what speaks for it."""

    __slots__ = (
        *("bm25", "bound", "co_occurrence", "dated", "id", "lent", "match", "retention"),
        *("similarity", "words"),
    )

    def __init__(
        self, memory_id: int, match: str, retention: float, words: float, bm25: float = 0.0
    ) -> None:
        self.id = memory_id
        self.match = match
        self.retention = retention
        self.words = words
        self.bm25 = bm25
        self.bound: str | None = None
        self.dated = False
        self.lent = 0.0
        self.co_occurrence = 0.0
        self.similarity: float | None = None  # None: nobody looked

    @property
    def weight(self) -> float:
        """How much the text itself speaks for it; that is what it lends to its neighbours."""
        return ranking.weight(self.bm25, self.match)

    @property
    def lexical(self) -> float:
        dated = ranking.DATE_BONUS if self.dated else 0.0
        return ranking.relevance(self.weight + dated + self.lent)

    def relevance(self, weights: Weights) -> float:
        return ranking.with_meaning(self.lexical, self.similarity, weights)

    def score(self, weights: Weights) -> float:
        relevance = self.relevance(weights)
        return ranking.score(relevance, self.co_occurrence, self.retention, weights)

    def parts(self, weights: Weights) -> Parts:
        return Parts(
            bm25=max(0.0, self.bm25),
            match_bonus=ranking.BONUS[self.match],
            date_bonus=ranking.DATE_BONUS if self.dated else 0.0,
            lent=self.lent,
            half_relevant=ranking.HALF_RELEVANT,
            lexical=self.lexical,
            semantic_weight=weights.semantic_weight,
            similarity=self.similarity,
            relevance=self.relevance(weights),
            co_occurrence_boost=weights.co_occurrence_boost,
            co_occurrence=self.co_occurrence,
            divisor=ranking.divisor(weights),
            retention=self.retention,
            decay_floor=ranking.decay_floor(weights),
            decay_factor=ranking.decay_factor(self.retention, weights),
            score=self.score(weights),
        )


class Look(NamedTuple):
    """One look into the index. ``newest`` of what fits the expression are ranked, -1 for all."""

    match: str
    expression: str
    newest: int = -1
    bound: str | None = None  # why that is not all, in words


class Candidates:
    """What the looks into a store have found so far."""

    def __init__(self, store: Store, filters: Filters, enough: int, weights: Weights) -> None:
        self._store = store
        self._filters = filters
        self._enough = max(ENOUGH, enough)
        self._weights = weights
        self._best: list[float] = []  # a heap of the best scores, as many as are enough
        self.found: dict[int, Candidate] = {}

    @property
    def is_enough(self) -> bool:
        return len(self.found) >= self._enough

    def by_words(self, query: str) -> None:
        """Look for the words of a query, the strictest way first, until there is enough."""
        again = []
        for match, expression in ranking.expressions(query):
            if self.is_enough:
                break
            for look in _looks(self._store, query, match, expression):
                self._look(look)
                if look.bound:
                    again.append(Look(match, expression))
        for look in again:  # the filters let too little of it through
            if self.is_enough:
                break
            self._look(look)

    def _look(self, look: Look, spans: Spans = ()) -> None:
        most = max(MOST_LOOKED_AT, self._enough)
        hits = self._store.search.matches(
            look.expression, self._filters, limit=most, newest=look.newest, spans=spans
        )
        for hit in hits:
            if hit.id in self.found:
                continue
            one = Candidate(hit.id, look.match, hit.retention, hit.words, hit.bm25)
            one.bound = look.bound
            self.found[hit.id] = one
            heappush(self._best, one.score(self._weights))
            best_of_its_kind = ranking.score(one.relevance(self._weights), 0.0, 1.0, self._weights)
            if len(self._best) > self._enough and heappop(self._best) >= best_of_its_kind:
                break  # what follows matches no better, and retention adds nothing to that

    def by_date(self, query: str, spans: Spans) -> None:
        """Mark what was created on the days that a query names, and find more of it.

        First what holds one of the words, then the newest.
        """
        for match, expression in ranking.expressions(query)[-1:]:
            for look in _looks(self._store, query, match, expression):
                self._look(look, spans)
        self._add(self._store.search.dated(spans, limit=MOST_DATED), "date")
        created = self._store.search.created(list(self.found))
        for memory_id, at in created.items():
            self.found[memory_id].dated = any(since <= at < until for since, until in spans)

    def by_use(self, context: Sequence[int]) -> None:
        """Find what was used together with a context, and how much."""
        around = self._store.graph.around(context, limit=MOST_LOOKED_AT)
        self._add([one for one in around if one not in context], "related")
        for memory_id, edges in around.items():
            if memory_id in self.found:
                damped = self._weights.ranking != "cortexgraph"
                total = sum(
                    graph.damped(weight, degree) if damped else weight for weight, degree in edges
                )
                self.found[memory_id].co_occurrence = graph.co_occurrence(total)

    def by_meaning(self, query: str, nearness: Nearness) -> None:
        """Find what is near in meaning, and how near the others are, as far as vectors tell."""
        near = nearness(query, self._filters, ENOUGH, list(self.found))
        self._add(list(near), "similar")
        for memory_id, similarity in near.items():
            if memory_id in self.found:
                self.found[memory_id].similarity = similarity

    def lend(self) -> None:
        """Let the best lend to their neighbours in their sessions, which are then found, too."""
        by_weight = sorted(self.found.values(), key=lambda one: one.weight, reverse=True)
        lenders = [one.id for one in by_weight[:ENOUGH] if one.weight > 0]
        near = self._store.search.neighbours(lenders, reach=ranking.REACH)
        self._add([neighbour for _, neighbour, _ in near], "neighbour")
        for lender, neighbour, distance in near:
            if neighbour in self.found:
                one = self.found[lender]
                self.found[neighbour].lent += ranking.lent(
                    one.weight, self._weights, words=one.words, distance=distance
                )

    def _add(self, ids: Sequence[int], match: str) -> None:
        """Take in memories that were found without their words, as far as the filters allow."""
        new = [memory_id for memory_id in ids if memory_id not in self.found]
        for memory_id, passing in self._store.search.passing(new, self._filters).items():
            self.found[memory_id] = Candidate(memory_id, match, passing.retention, passing.words)


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
