"""Retention over idle days, days until memories are forgotten, and what keeps one that long."""

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from hebbctl import curves, fields, policies
from hebbctl.errors import WrongUsage
from hebbctl.models import Memory, Policy, Settings, Traits
from hebbctl.reports import Explanation
from hebbctl.settings import OVERRIDE_FIELDS
from hebbctl.store import Store
from hebbctl.usecases import insight

TYPICAL = ((2, 1), (5, 1), (8, 5))  # importance and access count of three memories
IMPORTANCES = (10, 8, 5, 2, 0)
ACCESS_COUNTS = (0, 1, 2, 5, 10, 25, 50, 100)
FEW_ACCESS_COUNTS = ACCESS_COUNTS[:5]
SET_ENDS = ("expires_at", "ttl", "lifetime")  # what ends a memory whatever is retained of it
NEUTRAL = Traits(importance=0, access_count=0)
SHORTEST, LONGEST = 0.01, 36_500  # days that can be asked for
STEPS = 50  # between the points of a curve: what is round in days stays round in steps
ROUND = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
HUNDREDTHS = range(1001)  # of the importance, 0 to 10
HIGHEST_HALF_LIFE = OVERRIDE_FIELDS["half_life_days"].highest
THOUSANDTHS = {  # of a day, of what a policy can set
    "half_life_days": range(1, int(HIGHEST_HALF_LIFE) * 1000 + 1),
    "default_ttl_days": range(1, LONGEST * 10_000 + 1),
}


class Curve(NamedTuple):
    """Retention over idle days of one memory, or of a typical one (``name``, no ``id``).

    ``forgotten_after_days`` says when it ends, by what ``decided_by`` names; None is never.
    ``points`` are (day, retention) from day 0 on, evenly spaced.
    """

    name: str | None
    id: int | None
    importance: float
    access_count: int
    time_constant_days: float
    true_half_life_days: float
    forgotten_after_days: float | None
    decided_by: str  # as in an Explanation
    idle_days: float | None
    retention: float | None
    points: tuple[tuple[float, float], ...]


class Curves(NamedTuple):
    """Curves under one policy, over the same ``days``. ``verdict`` is that of the one memory."""

    partition: str
    policy: dict[str, Any]
    threshold: float
    days: float
    verdict: str | None
    curves: tuple[Curve, ...]


class Need(NamedTuple):
    """The smallest value of one field that is enough, the others being given.

    ``smallest`` is None where no value that the field may have is enough.
    """

    given: dict[str, float]
    needs: str
    smallest: float | None


class Needs(NamedTuple):
    """What it takes under one policy to survive so many idle days."""

    partition: str
    policy: dict[str, Any]
    threshold: float
    keep_days: float
    needs: tuple[Need, ...]


class Matrix(NamedTuple):
    """Days until a memory is forgotten: a row for each importance, a column for each access count.

    None is never.
    """

    partition: str
    policy: dict[str, Any]
    importances: tuple[float, ...]
    access_counts: tuple[int, ...]
    days: tuple[tuple[float | None, ...], ...]


def partition_of(memory: Memory | None, asked: str | None) -> str:
    """Return the partition whose policy is meant: the memory's own, or the one asked for.

    Raises:
        WrongUsage: a memory and another partition.
    """
    if memory and asked and memory.partition != asked:
        raise WrongUsage(
            f"memory {memory.id} is in {memory.partition}, not in {asked}",
            hint="give an ID or --partition, not both",
        )
    return memory.partition if memory else asked or policies.NOTES


def typical(settings: Settings, partition: str, *, days: float | None) -> Curves:
    """Return the curves of three typical memories, to beyond the last one's end without days."""
    policy = policies.effective(partition, settings)
    ends = [_expected_days(policy, Traits(*one)) for one in TYPICAL]
    days = _range(days, 1.2 * max(ends))
    lines = tuple(
        _curve(policy, Traits(importance, count), days)._replace(name=f"{importance}/{count}")
        for importance, count in TYPICAL
    )
    return Curves(partition, policy._asdict(), policy.threshold, days, None, lines)


def of_memory(store: Store, reference: str, settings: Settings, *, days: float | None) -> Curves:
    """Return the curve of one memory and where it is on it now."""
    explained = insight.explain(store, reference, settings)
    policy = policies.effective(explained.partition, settings)
    memory = store.memories.get(explained.id)
    traits, (_, anchor) = policies.traits_of(memory), policies.clock_of(memory)
    set_end, idle_days = _set_end(explained), explained.idle_days
    end = _expected_days(policy, traits, anchor) if set_end is None else set_end
    days = _range(days, max(1.2 * end, 1.1 * idle_days))
    line = _curve(policy, traits, days, anchor)._replace(
        id=explained.id,
        decided_by=explained.decided_by,
        idle_days=idle_days,
        retention=explained.retention,
    )
    if memory.pinned or set_end is not None:
        line = line._replace(forgotten_after_days=set_end)
    return Curves(
        explained.partition, policy._asdict(), policy.threshold, days, explained.verdict, (line,)
    )


def _set_end(explained: Explanation) -> float | None:
    """Return the idle day on which something ends a memory before it fades, None where not."""
    if explained.decided_by not in SET_ENDS or explained.forgotten_at is None:
        return None
    return max(explained.forgotten_at - explained.idle_since_at, 0) / policies.DAY


def matrix(settings: Settings, partition: str) -> Matrix:
    """Return the days to forget; what the curve does not read has one row or column, of 0."""
    policy = policies.effective(partition, settings)
    reads = curves.CURVES[policy.curve].reads
    importances = IMPORTANCES if "importance" in reads else IMPORTANCES[-1:]
    counts = ACCESS_COUNTS if "access_count" in reads else ACCESS_COUNTS[:1]
    rows = [[Traits(importance, count) for count in counts] for importance in importances]
    days = tuple(tuple(_days(policies.lifetime(policy, one)) for one in row) for row in rows)
    return Matrix(partition, policy._asdict(), importances, counts, days)


def needs(settings: Settings, partition: str, memory: Memory | None, *, keep_days: float) -> Needs:
    """Return what it takes to survive: the access count for some importances, the importance for
    some access counts, and the parameters for a neutral memory; or all of it for one memory.

    What the curve does not read is neither given nor needed.
    """
    policy = policies.effective(partition, settings)
    like, idle = policies.traits_of(memory) if memory else NEUTRAL, keep_days * policies.DAY
    reads = curves.CURVES[policy.curve].reads
    importances = [memory.importance] if memory else IMPORTANCES
    counts = [memory.access_count] if memory else FEW_ACCESS_COUNTS
    found: list[Need] = []
    if "access_count" in reads:
        given = _given("importance", importances, reads)
        found += (_access_count_needed(policy, like, one, idle) for one in given)
    if "importance" in reads:
        given = _given("access_count", counts, reads)
        found += (_importance_needed(policy, like, one, idle) for one in given)
    for name in ("half_life_days", "default_ttl_days"):
        if name in reads:
            found.append(_parameter_needed(name, policy, like, idle))
    if policy.curve == "memorybank":
        found.append(_strength_needed(policy, keep_days))
    return Needs(partition, policy._asdict(), policy.threshold, keep_days, tuple(found))


def _given(name: str, values: Sequence[float], reads: Sequence[str]) -> list[dict[str, Any]]:
    return [{name: value} for value in values] if name in reads else [{}]


def _curve(policy: Policy, traits: Traits, days: float, anchor: float = 1.0) -> Curve:
    forgotten_after = _days(policies.lifetime(policy, traits, anchor=anchor))
    left = curves.fading(policy, traits)
    sampled = (days * step / STEPS for step in range(STEPS + 1))
    return Curve(
        name=None,
        id=None,
        importance=traits.importance,
        access_count=int(traits.access_count),
        time_constant_days=curves.time_constant_days(policy, traits),
        true_half_life_days=curves.true_half_life_days(policy, traits),
        forgotten_after_days=forgotten_after,
        decided_by=_decided_by(policy, traits, anchor, forgotten_after),
        idle_days=None,
        retention=None,
        points=tuple((day, anchor * left(day)) for day in sampled),
    )


def _decided_by(
    policy: Policy, traits: Traits, anchor: float, forgotten_after: float | None
) -> str:
    if not policy.enabled:
        return "disabled"
    if forgotten_after is None:
        return "nothing"
    return "floor" if policies.floor_applies(policy, traits, anchor) else "threshold"


def _expected_days(policy: Policy, traits: Traits, anchor: float = 1.0) -> float:
    """Return when it would be forgotten, also where nothing is: how far a chart must reach."""
    return max(policies.threshold_days(policy, traits, anchor), policy.min_retention_days)


def _range(asked: float | None, wanted: float) -> float:
    """Return the days a chart covers: those asked for, or a round number of at least ``wanted``."""
    if asked is not None:
        return asked
    wanted = min(max(wanted, SHORTEST), LONGEST)
    scale = 10.0 ** math.floor(math.log10(wanted))
    return min(next(scale * one for one in ROUND if wanted <= scale * one), LONGEST)


def _days(lifetime: int | None) -> float | None:
    return None if lifetime is None else lifetime / policies.DAY


def _access_count_needed(policy: Policy, like: Traits, given: dict[str, Any], idle: float) -> Need:
    def survives(count: int) -> bool:
        traits = like._replace(access_count=count, **given)
        return not policies.is_forgotten(policy, traits, idle=idle)

    return Need(given, "access_count", _smallest(range(fields.MOST_ACCESSES + 1), survives))


def _importance_needed(policy: Policy, like: Traits, given: dict[str, Any], idle: float) -> Need:
    def survives(step: int) -> bool:
        traits = like._replace(importance=step / 100, **given)
        return not policies.is_forgotten(policy, traits, idle=idle)

    smallest = _smallest(HUNDREDTHS, survives)
    return Need(given, "importance", None if smallest is None else smallest / 100)


def _parameter_needed(name: str, policy: Policy, traits: Traits, idle: float) -> Need:
    """Return the days to set; a ttl ends a memory in its own right, too."""

    def survives(step: int) -> bool:
        tried = Policy(**policy._asdict() | {name: step / 1000})
        outlived = name == "default_ttl_days" and idle >= step / 1000 * policies.DAY
        return not outlived and not policies.is_forgotten(tried, traits, idle=idle)

    if name == "default_ttl_days":  # a memory's own goes before
        traits = traits._replace(ttl_ms=None)
    reads = curves.CURVES[policy.curve].reads
    counting = [one for one in ("importance", "access_count") if one in reads]
    smallest = _smallest(THOUSANDTHS[name], survives)
    return Need(
        {one: getattr(traits, one) for one in counting},
        name,
        None if smallest is None else smallest / 1000,
    )


def _strength_needed(policy: Policy, keep_days: float) -> Need:
    """Return S itself, whatever made it so large. Source: MemoryBank, the question reversed."""
    days_for_each = curves.idle_days_at(policy, NEUTRAL, policy.threshold)
    kept = not policy.enabled or keep_days <= policy.min_retention_days
    return Need({}, "S", 0.0 if kept else keep_days / days_for_each)


def _smallest(values: Sequence[int], survives: Callable[[int], bool]) -> int | None:
    """Return the first value that survives, as all after it do; None where none does."""
    place = bisect_left(values, True, key=survives)
    return values[place] if place < len(values) else None
