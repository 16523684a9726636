"""What coming sweeps take if nothing is used: asked of the sweep's own code, day by day."""

import math
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache

from hebbctl.models import Ending, Settings
from hebbctl.policies import DAY, PolicyOf
from hebbctl.reports import Forecast, Forecasted, ForecastedSweep
from hebbctl.store import Store
from hebbctl.store.sweeps import Due
from hebbctl.usecases.forgetting import may_erase

Plan = dict[int, list[tuple[Due, str]]]  # day -> what its sweep takes, and the outcome


def forecast(
    store_at: Callable[[int], Store],
    settings: Settings,
    policy_of: PolicyOf,
    *,
    now: int,
    days: int,
    partition: str | None,
) -> Forecast:
    """Return what a sweep now takes, and one at the same time on each of the next days.

    ``store_at`` opens the store as it is read at a moment; it is closed here.
    """
    coming = _Sweeps(store_at, settings, now=now, partition=partition)
    ending = list(_each(coming.live, days))
    with closing(store_at(now)) as store:
        live = store.sweeps.live_count()
        pinned = set(store.memories.pinned([due.id for _, due in ending]))
    plan = _plan(ending, pinned, settings, days)
    for day, due in _each(coming.archived, days):
        plan.setdefault(day, []).append((due, "erased"))
    sweeps: list[ForecastedSweep] = []
    memories: list[Forecasted] = []
    for day in sorted(plan):
        sweeps.append(_sweep(day, now + day * DAY, plan[day], live, settings))
        live -= sum(due.reason != "archive" for due, _ in plan[day])
        with closing(store_at(now + day * DAY)) as store:
            memories += _endings(store, day, plan[day], policy_of)
    return Forecast(now, days, partition, tuple(sweeps), tuple(memories))


class _Sweeps:
    """What is due by each day, as long as nothing is used and nothing was swept."""

    def __init__(
        self,
        store_at: Callable[[int], Store],
        settings: Settings,
        *,
        now: int,
        partition: str | None,
    ) -> None:
        def live(day: int) -> dict[int, Due]:
            with closing(store_at(now + day * DAY)) as store:
                return {due.id: due for due in store.sweeps.due(partition=partition)}

        def archived(day: int) -> dict[int, Due]:
            archive_days = settings.values["archive_days"]
            with closing(store_at(now + day * DAY)) as store:
                found = store.sweeps.archive_due(archive_days=archive_days, partition=partition)
                return {due.id: due for due in found}

        self.live = cache(live)
        self.archived = cache(archived)


def _plan(ending: list[tuple[int, Due]], pinned: set[int], settings: Settings, days: int) -> Plan:
    """Return when what is live now ends, and its archive's end, which nothing pinned has."""
    erasing = settings.values["on_forget"] == "erase"
    after = math.floor(settings.values["archive_days"]) + 1  # in days: the boundary is strict
    plan: Plan = {}
    for day, due in ending:
        plan.setdefault(day, []).append((due, "erased" if erasing else "archived"))
        if not erasing and due.id not in pinned and day + after <= days:
            over = Due(due.id, "archive", due.last_accessed_at)
            plan.setdefault(day + after, []).append((over, "erased"))
    return plan


def _each(due_by: Callable[[int], dict[int, Due]], days: int) -> Iterator[tuple[int, Due]]:
    """Yield what is due, with its first day. What is due stays due, so most days need no look."""
    yield from ((0, due) for due in due_by(0).values())
    waiting = [(0, days)] if days else []
    while waiting:
        early, late = waiting.pop()
        before, by_then = due_by(early), due_by(late)
        if len(before) == len(by_then):
            continue
        if late - early == 1:
            yield from ((late, due) for due in by_then.values() if due.id not in before)
        else:
            middle = (early + late) // 2
            waiting += [(middle, late), (early, middle)]


def _sweep(
    day: int, at: int, taken: list[tuple[Due, str]], live: int, settings: Settings
) -> ForecastedSweep:
    outcomes = Counter(outcome for _, outcome in taken)
    doomed = sum(outcome == "erased" and due.reason != "archive" for due, outcome in taken)
    refused = not may_erase(doomed, live, settings)
    return ForecastedSweep(day, at, outcomes["archived"], outcomes["erased"], refused)


def _endings(
    store: Store, day: int, taken: list[tuple[Due, str]], policy_of: PolicyOf
) -> Iterator[Forecasted]:
    found = {one.id: one for one in store.memories.get_all([due.id for due, _ in taken])}
    for due, outcome in sorted(taken, key=lambda pair: (pair[0].reason == "archive", pair[0].id)):
        if memory := found.get(due.id):
            threshold = policy_of(memory.partition).threshold if due.reason == "faded" else None
            yield Forecasted(day, store.now, Ending(memory, due.reason, threshold, outcome))
