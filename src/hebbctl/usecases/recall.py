"""Find memories by their text, ordered by how well they match and how well they are retained."""

from collections.abc import Sequence

from hebbctl import text
from hebbctl.errors import WrongUsage
from hebbctl.models import Filters, Hit
from hebbctl.ranking import DEFAULT_WEIGHTS, Weights
from hebbctl.store import Store
from hebbctl.usecases.candidates import Candidate, Candidates, Spans

LAST_USED = 5  # memories that are the context where none is given. Source: cortexgraph
NEARLY_THE_SAME = 0.5  # of the words of two texts: the later may bring the earlier up to date


def recall(
    store: Store,
    query: str | None,
    *,
    filters: Filters,
    limit: int,
    min_score: float,
    weights: Weights = DEFAULT_WEIGHTS,
    fallback: bool,
    context: Sequence[int] = (),
    spans: Spans = (),
) -> list[Hit]:
    """Return the memories that fit a query, best first; without a query the newest.

    What was used together with the ``context`` scores more, and is found without its words. What
    was created in one of the ``spans`` of time, which the query names, does, too. With ``fallback``
    the places that live memories leave free go to archived ones, after them.
    """
    if query is None and not context:
        newest = store.memories.listing(filters, limit=limit)
        return [Hit(memory, "newest") for memory in newest]
    if query is not None and not query.strip():
        raise WrongUsage("the query is empty", hint="'hebb recall' alone shows the newest")
    look = _Recall(store, query or "", min_score, weights, context, spans)
    hits = look.ranked(filters, limit)
    if fallback and not filters.archived and len(hits) < limit:
        shelf = filters._replace(archived=True, superseded=False)
        hits += look.ranked(shelf, limit - len(hits))
    return newer_marked(hits)


class _Recall:
    """One question to a store, asked of what is live and then of the archive."""

    def __init__(
        self,
        store: Store,
        query: str,
        min_score: float,
        weights: Weights,
        context: Sequence[int],
        spans: Spans,
    ) -> None:
        self._store = store
        self._query = query
        self._min_score = min_score
        self._weights = weights
        self._context = context
        self._spans = spans

    def ranked(self, filters: Filters, limit: int) -> list[Hit]:
        found = self._candidates(filters, limit)
        if self._weights.ranking == "cortexgraph":  # its own: twice as many, by relevance
            found = sorted(found, key=lambda one: one.relevance(self._weights), reverse=True)
            found = found[: 2 * limit]
        scored = [(one.score(self._weights), one.id, one) for one in found]
        good = [one for one in scored if one[0] >= self._min_score]
        best = [one for _, _, one in sorted(good, reverse=True)[:limit]]
        memories = {one.id: one for one in self._store.memories.get_all([one.id for one in best])}
        # One that is missing was erased by another process since it was found.
        return [
            Hit(memories[one.id], one.match, one.parts(self._weights), one.bound)
            for one in best
            if one.id in memories
        ]

    def _candidates(self, filters: Filters, limit: int) -> list[Candidate]:
        found = Candidates(self._store, filters, limit, self._weights)
        found.by_words(self._query)
        if self._spans:
            found.by_date(self._query, self._spans)
        if self._weights.neighbour_weight:
            found.lend()
        if self._context:
            found.by_use(self._context)
        return list(found.found.values())


def newer_marked(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits, each with those that say nearly the same and are older."""
    words = [text.content_words(hit.memory.content) for hit in hits]
    return [
        hit._replace(
            newer_than=tuple(
                other.memory.id
                for other, theirs in zip(hits, words, strict=True)
                if _is_newer(hit, other) and text.overlap(own, theirs) >= NEARLY_THE_SAME
            )
        )
        for hit, own in zip(hits, words, strict=True)
    ]


def _is_newer(hit: Hit, other: Hit) -> bool:
    one, two = hit.memory, other.memory
    return (one.created_at, one.id) > (two.created_at, two.id)


def by_time(hits: Sequence[Hit]) -> list[Hit]:
    """Return what was found with the newest first, as a reader of changing facts needs it."""
    return sorted(hits, key=lambda hit: (hit.memory.created_at, hit.memory.id), reverse=True)


def context_of(store: Store, references: Sequence[str], *, last_used: bool) -> list[int]:
    """Return the memories that a recall goes out from: those named, else the last used ones."""
    if references:
        return [store.memories.resolve(reference) for reference in references]
    return store.graph.last_used(count=LAST_USED) if last_used else []
