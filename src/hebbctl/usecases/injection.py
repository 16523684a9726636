"""Choose memories for a prompt within a hard budget, and renew what was offered, passively."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hebbctl import blocks, text, tokens
from hebbctl.errors import WrongUsage
from hebbctl.models import Filters, Memory
from hebbctl.ranking import DEFAULT_WEIGHTS, Weights
from hebbctl.store import Store
from hebbctl.usecases.candidates import NO_CUES, Cues
from hebbctl.usecases.recall import recall

HOUR = 3_600_000  # milliseconds
BATCH = 100  # memories looked up at once: few budgets hold more
# So many of the best answers to a query are tried: those behind them hardly fit it.
MOST_TRIED = 200
# No memory takes less, with its labels: with less than that left, none is looked up.
LEAST_TOKENS = 10
CLOSING = " .!。…！;；,"  # what may end one of two texts that say the same


class Injected(NamedTuple):
    """A memory in the block. ``tokens`` are its own with its labels; ``score`` is a query's."""

    id: int
    uid: str
    tokens: int
    score: float | None
    retention: float
    pinned: bool
    created_at: int
    source: str | None
    trusted: bool
    kind: str | None
    tags: tuple[str, ...]
    scope: str
    content: str


class Skipped(NamedTuple):
    """A memory that was looked at and left out, and why.

    ``reason`` is stale, due (the next sweep takes it), duplicate of one in the block, or budget: it
    did not fit. ``tokens`` is what it would have taken, where that was asked.
    """

    id: int
    reason: str
    tokens: int | None


class Injection(NamedTuple):
    """A block for a prompt and its ledger. Nothing to offer is an empty ``text``.

    ``more`` says that the block was full before every memory had been looked at.
    """

    format: str
    budget: int
    tokens: int
    text: str
    items: tuple[Injected, ...]
    skipped: tuple[Skipped, ...]
    more: bool


class Candidate(NamedTuple):
    memory: Memory
    score: float | None


def inject(
    store: Store,
    query: str | None,
    *,
    filters: Filters,
    budget: int,
    form: str,
    limit: int | None = None,
    min_score: float = 0.0,
    weights: Weights = DEFAULT_WEIGHTS,
    cues: Cues = NO_CUES,
) -> Injection:
    """Return the block of the best memories whose own estimate is at most ``budget`` tokens.

    Pinned ones come first, then what is retained best or answers a query best, then the newest.
    Whole memories only: of one that does not fit nothing is taken, and smaller ones after it may
    still fit. Nothing is written.

    Raises:
        WrongUsage: the query is empty.
    """
    # Not even looked at: many in quarantine could else crowd out what answers a query.
    filters = filters._replace(trusted=True)
    due = {one.id for one in store.sweeps.due()}
    packing = _Packing(form, budget, limit, due)
    if query is None:
        return packing.pack(_retained(store, filters))
    if not query.strip():
        raise WrongUsage(
            "the query is empty", hint="'hebb inject' alone offers what is retained best"
        )
    hits = recall(
        store,
        query,
        filters=filters,
        limit=MOST_TRIED,
        min_score=min_score,
        weights=weights,
        fallback=False,
        cues=cues,
    )
    pinned_first = sorted(hits, key=lambda one: not one.memory.pinned)
    return packing.pack(
        Candidate(one.memory, one.parts and one.parts.score) for one in pinned_first
    )


def _retained(store: Store, filters: Filters) -> Iterator[Candidate]:
    ids = store.memories.chosen(filters, sort="retention")
    pinned = set(store.memories.pinned(ids))
    ids.sort(key=lambda one: one not in pinned)
    for start in range(0, len(ids), BATCH):
        for memory in store.memories.get_all(ids[start : start + BATCH]):
            yield Candidate(memory, None)


class _Packing:
    """One block on its way, with what was taken into it and what was left out."""

    def __init__(self, form: str, budget: int, limit: int | None, due: set[int]) -> None:
        self._form = form
        self._budget = budget
        self._limit = limit
        self._due = due
        self._block = blocks.Block(form)
        self._items: list[Injected] = []
        self._skipped: list[Skipped] = []
        self._said: set[str] = set()

    def pack(self, candidates: Iterator[Candidate]) -> Injection:
        more = False
        for candidate in candidates:
            if more := self._is_full():
                break
            self._try(candidate)
        written = self._block.text()
        return Injection(
            format=self._form,
            budget=self._budget,
            tokens=tokens.estimate(written),
            text=written,
            items=tuple(self._items),
            skipped=tuple(self._skipped),
            more=more,
        )

    def _is_full(self) -> bool:
        return len(self._items) == self._limit or self._budget - self._block.tokens < LEAST_TOKENS

    def _try(self, candidate: Candidate) -> None:
        memory = candidate.memory
        if reason := self._unfit(memory):
            self._skipped.append(Skipped(memory.id, reason, None))
            return
        item = blocks.item(memory, self._form)
        if self._block.tokens_with(item) > self._budget:
            self._skipped.append(Skipped(memory.id, "budget", item.tokens))
            return
        self._block.add(item)
        self._said.add(_gist(memory.content))
        self._items.append(_injected(candidate, item.tokens))

    def _unfit(self, memory: Memory) -> str | None:
        if memory.state != "live":
            return memory.state
        if memory.id in self._due:
            return "due"
        return "duplicate" if _gist(memory.content) in self._said else None


def _gist(content: str) -> str:
    """Return what two texts have in common that say the same: not case, spaces or a full stop."""
    return text.name_key(content).rstrip(CLOSING) or content


def _injected(candidate: Candidate, size: int) -> Injected:
    memory = candidate.memory
    own = {name: getattr(memory, name) for name in Injected._fields if hasattr(memory, name)}
    return Injected(**own, tokens=size, score=candidate.score)


def renew(store: Store, offered: Sequence[Injected], *, cooldown_hours: float, size: int) -> None:
    """Start the clocks of what was offered anew, each once in a cooldown, and note the ledger.

    This is no use: no access is counted. ``size`` is the tokens of the whole block.

    Raises:
        StoreError: at once, where another process is writing.
    """
    store.injections.note(
        [one.id for one in offered], cooldown_ms=cooldown_hours * HOUR, tokens=size
    )
