"""Print whether forgetting helps: what a store shows of facts that change, under several rules.

A seeded stream (facts_stream.py) is played day by day into real stores: in the morning a sweep and
what is noted, in the evening the questions. The answerer is mechanical. It looks at the first
``--shown`` results of a recall, as ``recall --peek`` gives them, those from the archive included;
an arm with trust leaves out what is labelled as quarantined. It then uses the first of them that is
about what was asked, whether that is right or not: it touches it, and first restores it if it
was archived.

*Right* is the value that holds on that day, *stale* another true value of the same fact, from
before or from a time that is over, and *poison* a value that was never true. Of all questions:
*clean* is the share for which the right value is shown and neither a stale nor a poisoned one
anywhere among the results; *stale* and *poison* that for which one is shown; *old found* is the
share of the questions about old facts for which the right value is shown. *live* counts the
memories that are live at the end.
"""

import argparse
import math
import random
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import cache
from itertools import groupby
from pathlib import Path
from statistics import fmean
from types import MappingProxyType
from typing import Any, NamedTuple

from facts_stream import FULL_DAYS, Question, Statement, Stream, stream

from hebbctl import policies, settings
from hebbctl.errors import Refused
from hebbctl.models import Filters, Hit, Memory, Settings
from hebbctl.policies import DAY
from hebbctl.presets import PRESETS
from hebbctl.ranking import weights_of
from hebbctl.store import Store
from hebbctl.usecases import adding, changing, forgetting, memories, recall
from hebbctl.usecases.candidates import Cues

START = 1_767_225_600_000  # 2026-01-01
MORNING, EVENING = (int(hour / 24 * DAY) for hour in (6, 18))
SHOWN = 5
NEVER = {name: {"enabled": False} for name in policies.KNOWN}
COLUMNS = ("clean", "stale", "poison", "live", "old found")


class Arm(NamedTuple):
    """One way to keep memories: settings, and what of the stream its writer makes use of."""

    settings: Mapping[str, Any] = MappingProxyType({})  # besides the defaults
    remembers: bool = True
    keys: bool = False
    trust: bool = False
    expiry: bool = False
    shelves: str = ""  # random or lru: archive down to the live size of the arm "all"


class Figures(NamedTuple):
    """What came of one arm; shares but for ``live``."""

    clean: float
    stale: float
    poison: float
    live: float
    old_found: float


FULL = {"forgetting_overrides": NEVER, "decay_floor": 1.0}
SYSTEMS = ("hebb-mind", "jarvis", "cortexgraph", "memorybank", "amnesia")
ARMS = {
    "no memory": Arm(remembers=False),
    "full memory": Arm(FULL),
    "all": Arm(keys=True, trust=True, expiry=True),
    "all but keys, trust, expiry": Arm(),
    "all but keys": Arm(trust=True, expiry=True),
    "keys, trust, no decay": Arm(FULL, keys=True, trust=True),
    "keys, trust, expiry, no decay": Arm(FULL, keys=True, trust=True, expiry=True),
    **{f"preset {name}": Arm(PRESETS[name].settings) for name in SYSTEMS},
    "random, size of all": Arm(FULL, shelves="random"),
    "lru, size of all": Arm(FULL, shelves="lru"),
    "keys, trust, expiry, random": Arm(FULL, keys=True, trust=True, expiry=True, shelves="random"),
    "keys, trust, expiry, lru": Arm(FULL, keys=True, trust=True, expiry=True, shelves="lru"),
}


class Answer(NamedTuple):
    """What was shown to a question."""

    question: Question
    right: bool
    stale: bool
    poison: bool


class Run:
    """One arm in one store, once.

    ``sizes`` are the live memories that an arm which shelves keeps, day by day; ``live`` grows by
    the number after each day.
    """

    def __init__(
        self, folder: Path, arm: Arm, told: Stream, *, seed: int, shown: int, sizes: Sequence[int]
    ) -> None:
        self._path = folder / "hebb.db"
        self._arm = arm
        self._told = told
        self._shown = shown
        self._sizes = sizes
        self._chance = random.Random(seed)
        self._settings = settings_of(arm.settings)
        self._policy_of = cache(lambda name: policies.effective(name, self._settings))
        self._noted: dict[int, Statement] = {}  # memory id -> what it says
        self.live: list[int] = []

    def answers(self) -> Iterator[Answer]:
        noted = by_day(self._told.statements)
        asked = by_day(self._told.questions)
        for day in range(self._told.days):
            with closing(self._store(day, MORNING)) as store, store.bulk():
                self._sweep(store)
                for statement in noted.get(day, []) if self._arm.remembers else []:
                    self._note(store, statement)
                self._shelve(store, day)
            with closing(self._store(day, EVENING)) as store, store.bulk():
                for question in asked.get(day, []):
                    yield self._answer(store, question)
                self.live.append(store.sweeps.live_count())

    def _store(self, day: int, hour: int) -> Store:
        return Store(self._path, self._policy_of, now=START + day * DAY + hour, writable=True)

    def _sweep(self, store: Store) -> None:
        forgetting.sweep(
            store,
            self._settings,
            self._policy_of,
            threshold=None,
            partition=None,
            purge=False,
            dry_run=False,
            confirm=lambda question: True,
            progress=lambda done, total: None,
        )

    def _note(self, store: Store, said: Statement) -> None:
        ends = said.until if self._arm.expiry else None
        added = adding.add(
            store,
            said.content,
            kind=said.kind,
            importance=said.importance,
            key=said.key if self._arm.keys and said.keyed else None,
            expires_at=None if ends is None else START + (ends + 1) * DAY,
            source="web" if said.poison else None,
            trusted=not (self._arm.trust and said.poison),
        )
        self._noted[added.memory.id] = said

    def _shelve(self, store: Store, day: int) -> None:
        """Archive what another rule than hebb's gives up, so that as many are live as in "all"."""
        if not self._arm.shelves:
            return
        live = store.memories.chosen(Filters(), sort="accessed")
        if self._arm.shelves == "random":
            self._chance.shuffle(live)
        if surplus := live[self._sizes[day] :]:
            memories.archive(store, [str(one) for one in surplus], force=False)

    def _answer(self, store: Store, question: Question) -> Answer:
        found = [hit.memory for hit in self._recall(store, question)]
        shown = [one for one in found if one.trusted or not self._arm.trust]
        said = [(one, self._noted[one.id]) for one in shown]
        fitting = [(one, it) for one, it in said if it.key == question.key]
        if fitting:
            self._use(store, fitting[0][0])
        return Answer(
            question,
            right=any(it.value == question.value for _, it in fitting),
            stale=any(it.value != question.value and not it.poison for _, it in fitting),
            poison=any(it.poison for _, it in fitting),
        )

    def _recall(self, store: Store, question: Question) -> list[Hit]:
        weights = weights_of(self._settings)
        last_used = weights.ranking == "cortexgraph"
        return recall.recall(
            store,
            question.text,
            filters=Filters(),
            limit=self._shown,
            min_score=0.0,
            weights=weights,
            fallback=True,
            cues=Cues(context=recall.context_of(store, [], last_used=last_used)),
        )

    def _use(self, store: Store, memory: Memory) -> None:
        if memory.state == "archived":
            try:
                anchor = self._settings.values["restore_anchor"]
                memories.restore(store, [str(memory.id)], sweep=None, anchor=anchor)
            except Refused:  # another one is about this key by now
                return
        changing.touch(store, [str(memory.id)], self._settings)


def settings_of(changes: Mapping[str, Any]) -> Settings:
    """Return what a settings file of these changes would mean."""
    found = settings.defaults()
    values = found.values | {
        name: one for name, one in changes.items() if name != "forgetting_overrides"
    }
    return found._replace(values=values, overrides=changes.get("forgetting_overrides", {}))


def by_day(events: Sequence[Any]) -> dict[int, list[Any]]:
    return {day: list(ones) for day, ones in groupby(events, key=lambda one: one.day)}


def figures_of(answers: Sequence[Answer], live: int) -> Figures:
    old = [one.right for one in answers if one.question.kind == "old"]
    return Figures(
        clean=fmean(one.right and not one.stale and not one.poison for one in answers),
        stale=fmean(one.stale for one in answers),
        poison=fmean(one.poison for one in answers),
        live=live,
        old_found=fmean(old) if old else math.nan,
    )


def measure(
    seed: int, names: Sequence[str], *, days: int, shown: int
) -> Iterator[tuple[str, Figures]]:
    """Yield the figures of each arm; "all" runs first where another one takes its size."""
    told = stream(seed, days)
    sizes: list[int] = []
    follows = any(ARMS[name].shelves for name in names)
    for name in sorted({*names, "all"} if follows else names, key=order):
        with tempfile.TemporaryDirectory() as folder:
            run = Run(Path(folder), ARMS[name], told, seed=seed, shown=shown, sizes=sizes)
            answers = list(run.answers())
        if name == "all":
            sizes = run.live
        yield name, figures_of(answers, run.live[-1])


def order(name: str) -> int:
    return list(ARMS).index(name)


def heading(title: str) -> str:
    return f"{title:32}" + "".join(f"{column:>10}" for column in COLUMNS)


def row(name: str, figures: Figures) -> str:
    cells = (
        f"{cell:>10.0f}" if column == "live" else f"{cell:>10.3f}"
        for column, cell in zip(COLUMNS, figures, strict=True)
    )
    return f"{name:32}" + "".join(cells)


def mean(runs: Sequence[dict[str, Figures]]) -> dict[str, Figures]:
    return {
        name: Figures(*(fmean(column) for column in zip(*(run[name] for run in runs), strict=True)))
        for name in runs[0]
    }


def main() -> None:
    first = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(description=first)
    parser.add_argument("--seeds", type=int, nargs="+", default=[100, 101, 102])
    parser.add_argument("--arms", nargs="+", default=list(ARMS), choices=list(ARMS), metavar="ARM")
    parser.add_argument("--days", type=int, default=FULL_DAYS)
    parser.add_argument("--shown", type=int, default=SHOWN, help="results looked at [5]")
    options = parser.parse_args()
    print(" ".join(["python", *sys.argv]))
    runs: list[dict[str, Figures]] = []
    for seed in options.seeds:
        print(heading(f"seed {seed}"), flush=True)
        runs.append({})
        for name, figures in measure(seed, options.arms, days=options.days, shown=options.shown):
            runs[-1][name] = figures
            print(row(name, figures), flush=True)
    print(heading(f"mean of {len(runs)}"))
    for name, figures in mean(runs).items():
        print(row(name, figures))


if __name__ == "__main__":
    main()
