"""The demonstration: forgetting at work on real notes, with a clock that moves."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from hebbctl import policies, times
from hebbctl.models import Filters, Hit, Memory, Settings
from hebbctl.ranking import weights_of
from hebbctl.records import record
from hebbctl.store import Store
from hebbctl.usecases import adding, exchange, forgetting, insight, memories
from hebbctl.usecases.recall import recall

NOTES = Path(__file__).parents[1] / "demo" / "dialogues.jsonl"
DAY_0 = times.parse_time("2023-05-07T09:00:00Z")  # the day after the last dialogue
USED_ON = (0, 45, 90)  # days on which the same question is asked
LAST_DAY = 120
SHOWN = 3

StoreAt = Callable[[int], Store]  # Unix milliseconds -> the store, opened at that moment
FOUND = ("id", "score", "retention", "content")
SWEPT = ("id", "outcome", "retention", "threshold", "content")
EXPLAINED = (
    "verdict",
    "importance",
    "access_count",
    "idle_days",
    "time_constant_days",
    "true_half_life_days",
    "retention",
    "threshold",
    "forgotten_at",
    "erased_at",
)


class Step(NamedTuple):
    """One thing shown: the day, what is done as a command, what it gives, what to see in it."""

    day: int
    heading: str
    command: str
    columns: tuple[str, ...]
    records: list[dict[str, Any]]
    remark: str


def demonstrate(
    store_at: StoreAt, settings: Settings, policy_of: policies.PolicyOf
) -> Iterator[Step]:
    """Run the main job of hebb step by step; the steps are its own use cases."""
    story = _Story(store_at, settings, policy_of)
    yield story.fill()
    yield story.keep_a_fact()
    yield story.ask("love movie", 0)
    yield story.ask("爱情电影", 0)
    yield story.fade()
    for day in USED_ON[1:]:
        yield story.ask("爱情电影", day)
    yield story.preview()
    yield story.sweep()
    yield story.explain(story.used, "One that stayed: it was used")
    yield story.explain(story.faded, "One that went: it was not")
    yield story.restore()


class _Story:
    """What the steps hand to each other: the notes that are followed through them."""

    def __init__(self, store_at: StoreAt, settings: Settings, policy_of: policies.PolicyOf) -> None:
        self._store_at = store_at
        self._settings = settings
        self._policy_of = policy_of
        self.fact = self.used = self.faded = 0  # ids

    def _store(self, day: float) -> Store:
        return self._store_at(DAY_0 + int(day * policies.DAY))

    def fill(self) -> Step:
        with NOTES.open("rb") as lines:
            imported = exchange.import_lines(
                self._store(0),
                lines,
                strict=True,
                restore_deleted=False,
                most_bytes=self._settings.values["max_item_bytes"],
                progress=_silent,
            )
        return Step(
            0,
            "Notes go in: dialogues of two people, in English and in Chinese",
            "hebb import dialogues.jsonl",
            ("stored", "existing"),
            [{"stored": imported.stored, "existing": imported.existing}],
            'Each is an "event": such notes live in the partition mem_episodic and fade in weeks.',
        )

    def keep_a_fact(self) -> Step:
        words = "The spare key hangs behind the door"
        added = adding.add(self._store(0), words, kind="fact", importance=8)
        self.fact = added.memory.id
        return Step(
            0,
            "A fact that matters",
            f'hebb add --kind fact --importance 8 "{words}"',
            ("id", "partition", "importance"),
            [record(added)],
            "Facts live in mem_semantic and fade in months; importance makes it longer.",
        )

    def ask(self, query: str, day: int) -> Step:
        found = recall(
            self._store(day),
            query,
            filters=Filters(),
            limit=SHOWN,
            min_score=0.0,
            weights=weights_of(self._settings),
            fallback=True,
        )
        memories.strengthen(self._store(day), [hit.memory for hit in found], self._settings)
        self.used = found[0].memory.id
        return Step(
            day,
            "Found again" if day == 0 else "The same question some weeks later",
            f'hebb recall -n {SHOWN} "{query}"',
            FOUND,
            [_shortened(hit) for hit in found],
            "What a recall shows counts as used: its clock starts anew.",
        )

    def fade(self) -> Step:
        days = (1, 30, LAST_DAY)
        followed = {self.fact: "the fact", self.used: "used today", 1: "never used"}
        shares = {
            day: {one.id: one.retention for one in self._get(list(followed), day)} for day in days
        }
        rows = [
            {"id": one, "note": note, **{f"day {day}": shares[day][one] for day in days}}
            for one, note in followed.items()
        ]
        return Step(
            0,
            "How much will be retained of three notes if nobody uses them",
            "hebb show ID --now DAY",
            ("id", "note", *(f"day {day}" for day in days)),
            rows,
            "1 is all, 0 nothing; the notes are up to ten days old today. Below 0.3, the threshold,"
            " a note is forgotten.",
        )

    def _get(self, ids: list[int], day: float) -> list[Memory]:
        return self._store(day).memories.get_all(ids)

    def preview(self) -> Step:
        swept = self._sweep(dry_run=True)
        return Step(
            LAST_DAY,
            "What would go now",
            "hebb gc --dry-run",
            SWEPT,
            [_short(record(ending)) for ending in swept.memories[:SHOWN]],
            f"... and {swept.forgotten - SHOWN} more. Nothing has happened yet.",
        )

    def sweep(self) -> Step:
        swept = self._sweep(dry_run=False)
        self.faded = swept.memories[0].memory.id
        row = {"sweep": swept.sweep, "archived": swept.archived, "erased": swept.erased}
        return Step(
            LAST_DAY,
            "The sweep",
            "hebb gc",
            tuple(row),
            [row],
            "Archived notes are out of the way for 30 days, then erased for good.",
        )

    def _sweep(self, *, dry_run: bool) -> Any:
        return forgetting.sweep(
            self._store(LAST_DAY),
            self._settings,
            self._policy_of,
            threshold=None,
            partition=None,
            purge=False,
            dry_run=dry_run,
            confirm=lambda _: False,
            progress=_silent,
        )

    def explain(self, memory_id: int, heading: str) -> Step:
        found = insight.explain(self._store(LAST_DAY), str(memory_id), self._settings)
        return Step(
            LAST_DAY,
            heading,
            f"hebb explain {memory_id}",
            ("field", "value"),
            [{"field": name, "value": record(found)[name]} for name in EXPLAINED],
            "37 % is left after the time constant, half after the true half-life.",
        )

    def restore(self) -> Step:
        memories.restore(self._store(LAST_DAY), [str(self.faded)], sweep=None)
        back = memories.show(self._store(LAST_DAY), str(self.faded))
        return Step(
            LAST_DAY,
            "It was wanted after all",
            f"hebb restore {self.faded}",
            ("id", "state", "retention", "content"),
            [_short(record(back))],
            "The same id, the same text; the clock starts anew.",
        )


def _silent(_done: int, _total: int) -> None:
    return None


def _shortened(hit: Hit) -> dict[str, Any]:
    return _short(record(hit))


def _short(fields: dict[str, Any]) -> dict[str, Any]:
    """Cut the content, so that one note stays one line."""
    words = fields["content"].replace("\n", " ")
    return fields | {"content": words if len(words) <= 48 else f"{words[:47]}…"}
