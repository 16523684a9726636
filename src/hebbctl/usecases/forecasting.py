"""What coming sweeps take if nothing is used."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from itertools import groupby
from typing import NamedTuple

from hebbctl import policies
from hebbctl.models import Ending, Memory, Settings
from hebbctl.policies import DAY, PolicyOf
from hebbctl.store import Store
from hebbctl.usecases.forgetting import may_erase

ORDER = {"archive": 1, "successor": 2}  # what a sweep lists after the rest


class ForecastedSweep(NamedTuple):
    """What one coming sweep takes. ``needs_yes``: it refuses to erase so much unasked."""

    day: int  # 0 is now
    sweep_at: int
    archived: int
    erased: int
    needs_yes: bool
    restored: int = 0


class Forecasted(NamedTuple):
    """A memory as the sweep that takes it will see it."""

    day: int
    sweep_at: int
    ending: Ending


class Forecast(NamedTuple):
    """The coming sweeps that take something, and what they take, in their order."""

    from_at: int
    days: int
    partition: str | None
    sweeps: tuple[ForecastedSweep, ...]
    memories: tuple[Forecasted, ...]


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

    ``store_at`` opens the store as it is read at a moment; it is closed here. What is listed is
    what the sweep's own selection holds on the last day; its first day follows from the lifetime.
    """
    coming = _Coming(settings, policy_of, now=now, days=days)
    with closing(store_at(now + days * DAY)) as store:
        ending = [due.id for due in store.sweeps.due(partition=partition)]
        archive_days = settings.values["archive_days"]
        over = store.sweeps.archive_due(archive_days=archive_days, partition=partition)
        found: list[Forecasted] = []
        for memory in store.memories.get_all(ending):
            found += coming.course(memory, store)
        shelved = [due.id for due in over if due.id not in coming.returned]
        for memory in store.memories.get_all(shelved):
            waits_until = store.successions.waits_until(memory.id)
            found.append(coming.archive_end(memory, waits_until=waits_until or 0))
        live = store.sweeps.live_count()
    found.sort(key=lambda one: (one.day, ORDER.get(one.ending.reason, 0), one.ending.memory.id))
    return Forecast(now, days, partition, tuple(_sweeps(found, live, settings)), tuple(found))


class _Coming:
    """Tells on which day a memory is taken by one daily sweep after the other."""

    def __init__(self, settings: Settings, policy_of: PolicyOf, *, now: int, days: int) -> None:
        self._archive_days: float = settings.values["archive_days"]
        self._policy_of = policy_of
        self._now = now
        self._days = days
        self.returned: set[int] = set()  # live again, one after the other
        self._lifetime = cache(
            lambda partition, traits, anchor: policies.lifetime(
                policy_of(partition), traits, anchor=anchor
            )
        )

    def course(
        self, memory: Memory, store: Store, earliest: int = 0, before: tuple[int, ...] = ()
    ) -> Iterator[Forecasted]:
        """Yield how a live memory ends, and what comes of those that are live again after it.

        ``before`` are those that ended before it in the same place.
        """
        [end, *rest] = self.ends(memory, earliest)
        if end.day > self._days:
            return
        yield from (end, *rest)
        if memory.expires_at is None:
            return
        ended = (*before, memory.id)
        behind = store.successions.behind(ended, at=end.sweep_at)
        for back in store.memories.get_all([one for one in behind if one not in self.returned]):
            self.returned.add(back.id)
            returned = back._replace(
                archived_at=None,
                last_accessed_at=end.sweep_at,
                anchor_value=None,
                anchor_at=None,
            )
            yield self._on(end.day, returned, "successor", None, "restored")
            yield from self.course(returned, store, end.day + 1, ended)

    def ends(self, memory: Memory, earliest: int = 0) -> Iterator[Forecasted]:
        """Yield how a live memory ends, and, if it comes to that, how its archive does."""
        # The first of equal ones is the one that a sweep names.
        never = ("nothing", policies.FOREVER)
        reason, at = min((*self._reasons(memory), never), key=lambda one: self._day(one[1]))
        day = max(earliest, self._day(at))
        threshold = self._policy_of(memory.partition).threshold if reason == "faded" else None
        erasing = self._policy_of(memory.partition).on_forget == "erase"
        yield self._on(day, memory, reason, threshold, "erased" if erasing else "archived")
        if not erasing and not memory.pinned:
            shelved = memory._replace(archived_at=self._now + day * DAY)
            last = self.archive_end(shelved)
            if last.day <= self._days:
                yield last

    def archive_end(self, memory: Memory, *, waits_until: int = 0) -> Forecasted:
        """Return when an archived memory is erased: the boundary is strict."""
        assert memory.archived_at is not None
        ahead = (memory.archived_at - self._now) / DAY + self._archive_days
        day = max(0, int(min(ahead, self._days + 1)) - 1, self._day(waits_until))
        while day <= self._days and not self._is_over(memory.archived_at, day):
            day += 1
        return self._on(day, memory, "archive", None, "erased")

    def _is_over(self, archived_at: int, day: int) -> bool:
        return archived_at < self._now + day * DAY - self._archive_days * DAY

    def _reasons(self, memory: Memory) -> Iterator[tuple[str, int]]:
        """Yield what ends a live memory and from which moment on, in the sweep's precedence."""
        if memory.expires_at is not None:
            yield "expired", memory.expires_at
        policy = self._policy_of(memory.partition)
        if memory.pinned or not policy.enabled:
            return
        if memory.promoted_at is None:
            yield from policies.set_ends(policy, memory)
        start, anchor = policies.clock_of(memory)
        lifetime = self._lifetime(memory.partition, policies.traits_of(memory), anchor)
        if lifetime is not None:
            yield "faded", start + lifetime + 1

    def _day(self, at: int) -> int:
        """Return the first daily sweep at or after a moment: 0 is now."""
        return max(0, -((self._now - at) // DAY))

    def _on(
        self, day: int, memory: Memory, reason: str, threshold: float | None, outcome: str
    ) -> Forecasted:
        at = self._now + day * DAY
        start, anchor = policies.clock_of(memory)
        retention = policies.retention(
            self._policy_of(memory.partition),
            policies.traits_of(memory),
            idle=max(0, at - start),
            anchor=anchor,
        )
        seen = memory._replace(retention=retention)
        return Forecasted(day, at, Ending(seen, reason, threshold, outcome))


def _sweeps(found: list[Forecasted], live: int, settings: Settings) -> Iterator[ForecastedSweep]:
    for (day, at), taken in groupby(found, key=lambda one: (one.day, one.sweep_at)):
        endings = [one.ending for one in taken]
        outcomes = Counter(one.outcome for one in endings)
        ended = [one for one in endings if one.reason not in ORDER]
        doomed = sum(one.outcome == "erased" for one in ended)
        refused = not may_erase(doomed, live, settings)
        restored = outcomes["restored"]
        yield ForecastedSweep(day, at, outcomes["archived"], outcomes["erased"], refused, restored)
        live += restored - len(ended)
