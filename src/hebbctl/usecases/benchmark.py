"""Measure a recall on a labelled set: fill throw-away stores, ask each question, see what comes."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain, groupby, islice
from typing import Any, NamedTuple

from hebbctl.documents import labelled
from hebbctl.documents.labelled import Entry
from hebbctl.embeddings import Embedder
from hebbctl.errors import BadFile
from hebbctl.models import Draft, Filters, Question, Settings
from hebbctl.ranking import weights_of
from hebbctl.store import Store
from hebbctl.times import DAY, LAST_TIME
from hebbctl.usecases import embedding, evidence, meaning
from hebbctl.usecases.candidates import Cues, Nearness, Spans
from hebbctl.usecases.evidence import DEEPEST, Answer, Measures
from hebbctl.usecases.recall import recall

BATCH = 5000  # memories in one transaction


# What a run can go without, and the settings by which it does. Without "dates" no question names
# a day.
ABLATIONS: dict[str, dict[str, Any]] = {
    "decay": {"decay_floor": 1.0},
    "neighbours": {"neighbour_weight": 0.0},
    "dates": {},
    "graph": {"co_occurrence_boost": 0.0},
}

StoreAt = Callable[[int], Store]  # Unix milliseconds -> the store, opened at that moment
Tell = Callable[[Answer], None]


class RecallReport(NamedTuple):
    """How well a recall finds what answers questions: see ``evidence.measures``."""

    stores: int
    memories: int
    questions: int  # measured
    left_out: dict[str, int]  # no_gold: it names none; gold_not_there: none of the memories
    gold_missing: int  # uids that no memory has, of the questions that are measured
    together: bool
    without: tuple[str, ...]
    asked_at: int | None  # None: a day after the last use of a memory of each store
    decay_floor: float
    overall: Measures
    categories: dict[str, Measures]


class Conditions(NamedTuple):
    """What a set is measured under. Each call of ``scratch`` gives a new empty store."""

    files: tuple[str, ...]  # their names, for whoever has to correct them
    scratch: Callable[[Settings], StoreAt]
    settings: Settings
    without: tuple[str, ...]  # names of ABLATIONS
    together: bool  # one store for all samples
    filled_at: int  # when a memory without a time was made
    asked_at: int | None
    stopwatch: Callable[[], float]  # seconds
    days_named: Callable[[str, int], Spans]  # what a question names, asked at a moment
    embedder: Embedder | None  # makes vectors of the memories; None: by words alone


def entries(files: Sequence[tuple[str, Iterable[bytes]]]) -> Iterator[Entry]:
    """Return what labelled files hold, as it comes; each is a name and its lines."""
    return chain.from_iterable(
        labelled.read(lines, file=name, number=number)
        for number, (name, lines) in enumerate(files, start=1)
    )


def measure(found: Iterable[Entry], under: Conditions, tell: Tell) -> RecallReport:
    """Ask every question of a set and say how well it was answered; ``tell`` hears of each.

    Raises:
        BadFile: a memory cannot be stored, or there is no question that can be measured.
    """
    settings = _ablated(under.settings, under.without)
    run = _Run(under._replace(settings=settings), tell)
    for _, members in groupby(found, key=lambda one: under.together or one.sample):
        run.measure(members)
    run.refuse_nothing()
    return RecallReport(
        stores=run.stores,
        memories=run.memories,
        questions=len(run.answers),
        left_out={reason: run.left_out[reason] for reason in ("no_gold", "gold_not_there")},
        gold_missing=run.gold_missing,
        together=under.together,
        without=under.without,
        asked_at=under.asked_at,
        decay_floor=settings.values["decay_floor"],
        overall=evidence.measures(run.answers),
        categories=evidence.by_category(run.answers),
    )


def _ablated(settings: Settings, without: Iterable[str]) -> Settings:
    changed = dict(settings.values)
    for name in without:
        changed |= ABLATIONS[name]
    return settings._replace(values=changed)


class _Run:
    """Measures one store after the other, and counts."""

    def __init__(self, under: Conditions, tell: Tell) -> None:
        self._under = under
        self._tell = tell
        self._weights = weights_of(under.settings)
        self.stores = self.memories = self.gold_missing = 0
        self.left_out: Counter[str] = Counter()
        self.answers: list[Answer] = []

    def measure(self, members: Iterator[Entry]) -> None:
        """Fill a store with the memories of a sample, whatever their order, and ask it."""
        store_at = self._under.scratch(self._under.settings)
        filling = _Filling(self._under.filled_at)
        with closing(store_at(self._under.filled_at)) as filled:
            self.memories += filling.fill(filled, members)
            now = self._under.asked_at
            if self._under.embedder:
                embedding.embed(filled, self._under.embedder)
            with closing(store_at(filling.day_after() if now is None else now)) as asked:
                nearness = self._nearness(asked)
                for question in filling.questions:
                    self._ask(asked, question, filling.uids, nearness)
        self.stores += 1

    def _nearness(self, store: Store) -> Nearness | None:
        if self._under.embedder is None:
            return None
        embedder = self._under.embedder
        return lambda query, filters, limit, also: meaning.similar(
            store, query, embedder, filters=filters, limit=limit, also=also
        )

    def _ask(
        self, store: Store, question: Question, uids: set[str], nearness: Nearness | None
    ) -> None:
        gold = uids.intersection(question.gold)
        if not gold:
            self.left_out["gold_not_there" if question.gold else "no_gold"] += 1
            return
        began = self._under.stopwatch()
        hits = recall(
            store,
            question.text,
            filters=Filters(scopes=(question.scope,) if question.scope else ()),
            limit=DEEPEST,
            min_score=0.0,
            weights=self._weights,
            fallback=True,
            cues=Cues(spans=self._spans(question, store.now), nearness=nearness),
        )
        spent = (self._under.stopwatch() - began) * 1000
        ranks = [rank for rank, hit in enumerate(hits, start=1) if hit.memory.uid in gold]
        answer = Answer(question.text, question.category, len(gold), tuple(ranks), spent)
        self.answers.append(answer)
        self.gold_missing += len(question.gold) - len(gold)
        self._tell(answer)

    def _spans(self, question: Question, now: int) -> Spans:
        if "dates" in self._under.without:
            return ()
        return self._under.days_named(question.text, now)

    def refuse_nothing(self) -> None:
        if self.answers:
            return
        names = ", ".join(self._under.files)
        lacking = "no question names a memory that is there" if self.left_out else "no question"
        raise BadFile(
            f"{names}: {lacking}",
            hint='a question is a line {"question": "...", "gold": ["uid", ...]}; it may be in a'
            " file of its own",
        )


class _Filling:
    """What is learnt of a sample while its memories are stored."""

    def __init__(self, filled_at: int) -> None:
        self._filled_at = filled_at
        self._last = 0  # use of a memory
        self.uids: set[str] = set()
        self.questions: list[Question] = []

    def fill(self, store: Store, members: Iterator[Entry]) -> int:
        """Store the memories in batches, and keep the questions. Returns how many were stored."""
        stored = 0
        drafts = self._drafts(members)
        with store.bulk():
            while batch := list(islice(drafts, BATCH)):
                results = store.imports.add_all(
                    [draft for _, draft in batch], restore_deleted=False
                )
                stored += results.count("stored")
                for (place, _), result in zip(batch, results, strict=True):
                    if result not in ("stored", "existing"):
                        raise BadFile(f"{place}: {result}")
        return stored

    def _drafts(self, members: Iterator[Entry]) -> Iterator[tuple[str, Draft]]:
        for _, place, value in members:
            if isinstance(value, Question):
                self.questions.append(value)
                continue
            if value.uid in self.uids:
                raise BadFile(f"{place}: the uid {value.uid!r} is there twice")
            if value.uid:
                self.uids.add(value.uid)
            times = (value.created_at, value.last_accessed_at)
            known = [time for time in times if time is not None]
            self._last = max(self._last, *(known or [self._filled_at]))
            yield place, value

    def day_after(self) -> int:
        """Return a moment at which all of the memories lie in the past."""
        return min(self._last + DAY, LAST_TIME)
