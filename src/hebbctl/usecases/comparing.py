"""One memory under every preset: what each system makes of it if nobody uses it."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from hebbctl import policies
from hebbctl.models import Memory, Settings
from hebbctl.presets import PRESETS
from hebbctl.store import Store
from hebbctl.usecases import insight, presets

SAVED = "saved"  # the settings as they are


class Course(NamedTuple):
    """How one preset treats a memory: retention now, and days from now; 0 is over, None never.

    ``end_days`` is when the last copy goes.
    """

    preset: str
    curve: str
    retention: float
    vitality: float
    erases: bool  # at once, without the archive
    stale_days: float | None
    archive_days: float | None
    end_days: float | None
    decided_by: str  # as in an Explanation


class Comparison(NamedTuple):
    """A memory, and what becomes of it under the saved settings and under each preset."""

    id: int
    uid: str
    content: str
    state: str
    partition: str
    presets: tuple[Course, ...]


def compare(store: Store, reference: str, path: Path, saved: Settings) -> Comparison:
    """Return what becomes of a memory, by the code that ``explain`` and the sweep go by."""
    memory = store.memories.get(store.memories.resolve(reference))
    now, returns_at = store.now, insight.returning_at(store, memory)
    courses = (
        _course(name, memory, settings, now=now, returns_at=returns_at)
        for name, settings in _all(path, saved)
    )
    return Comparison(
        memory.id, memory.uid, memory.content, memory.state, memory.partition, tuple(courses)
    )


def _all(path: Path, saved: Settings) -> Iterator[tuple[str, Settings]]:
    yield SAVED, saved
    for name in PRESETS:
        yield name, presets.supposed(path, name)


def _course(
    preset: str, memory: Memory, settings: Settings, *, now: int, returns_at: int | None
) -> Course:
    policy = policies.effective(memory.partition, settings)
    traits, (start, anchor) = policies.traits_of(memory), policies.clock_of(memory)
    idle = max(0, now - start)
    course = insight.course_of(memory, policy, settings, now=now, returns_at=returns_at)
    shelved = policy.on_forget == "archive" or memory.archived_at is not None
    return Course(
        preset=preset,
        curve=policy.curve,
        retention=policies.retention(policy, traits, idle=idle, anchor=anchor),
        vitality=policies.vitality(policy, traits, idle=idle, anchor=anchor),
        erases=not shelved,
        stale_days=_days_until(course.stale_at, now),
        archive_days=_days_until(course.forgotten_at, now) if shelved else None,
        end_days=_days_until(course.erased_at, now),
        decided_by=course.decided_by,
    )


def _days_until(moment: int | None, now: int) -> float | None:
    return None if moment is None else max(0.0, (moment - now) / policies.DAY)
