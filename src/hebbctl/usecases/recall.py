"""Find memories by their text, ordered by how well they match and how well they are retained."""

from collections.abc import Sequence

from hebbctl import text
from hebbctl.errors import WrongUsage
from hebbctl.models import Filters, Hit
from hebbctl.ranking import DEFAULT_WEIGHTS, Weights
from hebbctl.store import Store
from hebbctl.usecases.candidates import NO_CUES, Candidate, Candidates, Cues

LAST_USED = 5  # memories that are the context where none is given. Source: cortexgraph
MOST_COMPARED = 100  # hits, each with each
HOLDING = ("phrase", "all", "some")  # the matches of what holds a word of the query
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
    cues: Cues = NO_CUES,
) -> list[Hit]:
    """Return the memories that fit a query, best first; without a query the newest.

    What the ``cues`` speak for scores more, and is found without its words. With ``fallback`` the
    places that live memories leave free go to archived ones, after them.
    """
    if query is None and not cues.context:
        newest = store.memories.listing(filters, limit=limit)
        return [Hit(memory, "newest") for memory in newest]
    if query is not None and not query.strip():
        raise WrongUsage("the query is empty", hint="'hebb recall' alone shows the newest")
    look = _Recall(store, query or "", min_score, weights, cues)
    hits: list[Hit] = []
    for shelf in _shelves(filters, stale_last=weights.stale_last, fallback=fallback):
        if len(hits) < limit:
            hits += look.ranked(shelf, limit - len(hits))
    return newer_marked(hits)


def _shelves(filters: Filters, *, stale_last: bool, fallback: bool) -> list[Filters]:
    """Return what is looked at in turn: what comes later only fills the places that are left."""
    if filters.archived:
        return [filters]
    live = [filters]
    if stale_last:
        live = [filters._replace(stale=False), filters._replace(stale=True)]
    return [*live, filters._replace(archived=True, superseded=False)] if fallback else live


class _Recall:
    """One question to a store, asked of what is live and then of the archive."""

    def __init__(
        self, store: Store, query: str, min_score: float, weights: Weights, cues: Cues
    ) -> None:
        self._store = store
        self._query = query
        self._min_score = min_score
        self._weights = weights
        self._cues = cues

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
        if self._cues.spans:
            found.by_date(self._query, self._cues.spans)
        if self._weights.neighbour_weight:
            found.lend()
        if self._cues.context:
            found.by_use(self._cues.context)
        if self._query and self._cues.nearness:
            found.by_meaning(self._query, self._cues.nearness)
        return list(found.found.values())


def newer_marked(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits, the first of them with those that say nearly the same and are older."""
    first = hits[:MOST_COMPARED]
    words = [text.content_words(hit.memory.content) for hit in first]
    marked = [
        hit._replace(
            newer_than=tuple(
                other.memory.id
                for other, theirs in zip(first, words, strict=True)
                if _is_newer(hit, other) and text.overlap(own, theirs) >= NEARLY_THE_SAME
            )
        )
        for hit, own in zip(first, words, strict=True)
    ]
    return [*marked, *hits[MOST_COMPARED:]]


def _is_newer(hit: Hit, other: Hit) -> bool:
    one, two = hit.memory, other.memory
    return (one.created_at, one.id) > (two.created_at, two.id)


def by_time(hits: Sequence[Hit]) -> list[Hit]:
    """Return what was found with the newest first, as a reader of changing facts needs it."""
    return sorted(hits, key=lambda hit: (hit.memory.created_at, hit.memory.id), reverse=True)


def is_in_vain(hits: Sequence[Hit], filters: Filters) -> bool:
    """Say whether no hit holds a word of the query, but for those out of the archive."""
    wanted = [hit for hit in hits if filters.archived or hit.memory.archived_at is None]
    return not any(hit.match in HOLDING for hit in wanted)


def context_of(store: Store, references: Sequence[str], *, last_used: bool) -> list[int]:
    """Return the memories that a recall goes out from: those named, else the last used ones."""
    if references:
        return [store.memories.resolve(reference) for reference in references]
    return store.graph.last_used(count=LAST_USED) if last_used else []
