"""Why a memory is still here, until when, and what the whole store holds."""

from typing import NamedTuple

from hebbctl import curves, policies, times
from hebbctl.models import Memory, Policy, Settings
from hebbctl.reports import Explanation, Stats
from hebbctl.store import Store

FORMULA = "retention = exp(-idle_days / (half_life_days * (1 + k_importance * importance/10"
FORMULA += " + k_access * access_count/10)))"
BANDS = ((1, "below 0.1"), (3, "0.1 to 0.3"), (5, "0.3 to 0.5"), (8, "0.5 to 0.8"), (11, "0.8 up"))


class End(NamedTuple):
    """When a memory ends, Unix milliseconds or None for never, and what decides that."""

    at: int | None
    decided_by: str


def explain(store: Store, reference: str, settings: Settings) -> Explanation:
    memory = store.memories.get(store.memories.resolve(reference))
    policy = policies.effective(memory.partition, settings)
    by_importance, by_access = policies.factors(policy, memory.importance, memory.access_count)
    constant = policies.time_constant_days(policy, memory.importance, memory.access_count)
    lifetime = policies.lifetime(policy, memory.importance, memory.access_count)
    end = _end(memory, policy, lifetime)
    due = memory.id in {one.id for one in store.sweeps.due()}
    return Explanation(
        id=memory.id,
        uid=memory.uid,
        content=memory.content,
        state=memory.state,
        verdict=_verdict(memory, policy, end, due=due),
        partition=memory.partition,
        curve="hebb",
        formula=FORMULA,
        half_life_days=policy.half_life_days,
        importance=memory.importance,
        k_importance=policy.k_importance,
        importance_factor=by_importance,
        access_count=memory.access_count,
        k_access=policy.k_access,
        access_factor=by_access,
        time_constant_days=constant,
        true_half_life_days=curves.true_half_life_days(constant),
        last_accessed_at=memory.last_accessed_at,
        last_access_in_future=memory.last_accessed_at > store.now,
        idle_days=max(0, store.now - memory.last_accessed_at) / policies.DAY,
        retention=memory.retention,
        threshold=policy.threshold,
        min_retention_days=policy.min_retention_days,
        lifetime_days=None if lifetime is None else lifetime / policies.DAY,
        decided_by=end.decided_by,
        due=due,
        forgotten_at=_in_range(end.at),
        erased_at=_in_range(_erased_at(memory, settings, end, now=store.now)),
        origins=policies.origins(memory.partition, settings),
    )


def _end(memory: Memory, policy: Policy, lifetime: int | None) -> End:
    """Return what ends a live memory first, in the order of precedence."""
    if memory.archived_at is not None:
        return End(memory.archived_at, "archived")
    ends = [End(memory.expires_at, "expires_at")] if memory.expires_at is not None else []
    if memory.pinned:
        return ends[0] if ends else End(None, "pinned")
    if not policy.enabled:
        return ends[0] if ends else End(None, "disabled")
    if memory.ttl_ms is not None and memory.promoted_at is None:
        renewed_at = max(memory.last_accessed_at, memory.renewed_at or 0)
        ends.append(End(renewed_at + memory.ttl_ms, "ttl"))
    if lifetime is not None:
        floor = policies.floor_applies(policy, memory.importance, memory.access_count)
        last = memory.last_accessed_at + lifetime  # the last millisecond it survives
        ends.append(End(last + 1, "floor" if floor else "threshold"))
    return min(ends, key=lambda end: end.at or 0) if ends else End(None, "nothing")


def _erased_at(memory: Memory, settings: Settings, end: End, *, now: int) -> int | None:
    """Return when the last copy goes, if sweeps run on time and nothing is used until then."""
    erasing = memory.archived_at is None and settings.values["on_forget"] == "erase"
    if end.at is None or (memory.pinned and not erasing):
        return None
    # What is overdue is archived now at the earliest.
    shelved_at = memory.archived_at or max(end.at, now)
    if erasing:
        return shelved_at
    # A float: the setting has no upper bound.
    erased_at = shelved_at + settings.values["archive_days"] * policies.DAY
    return int(erased_at) if erased_at < policies.FOREVER else None


def _in_range(time: int | None) -> int | None:
    return time if time is not None and time < policies.FOREVER else None


def _verdict(memory: Memory, policy: Policy, end: End, *, due: bool) -> str:
    compared = f"retention {memory.retention:.4g}, threshold {policy.threshold:g}"
    if memory.archived_at is not None:
        by = f"sweep {memory.sweep_id}" if memory.sweep_id else memory.archived_reason
        return f"in the archive since {times.to_the_second(memory.archived_at)} ({by})"
    if due:
        why = {"expires_at": "expired", "ttl": "its time to live is over"}
        return f"goes at the next sweep: {why.get(end.decided_by, compared)}"
    if end.decided_by == "pinned":
        return "never forgotten: pinned"
    if end.decided_by == "disabled":
        return f"never forgotten: {memory.partition} is not swept"
    if _in_range(end.at) is None or end.at is None:
        return f"stays beyond the year 9999: {compared}"
    if end.decided_by == "expires_at":
        return f"stays until {times.to_the_second(end.at)}: then it expires, used or not"
    why = {"ttl": "its time to live ends", "floor": "the floor"}
    reason = why.get(end.decided_by, compared)
    return f"stays until {times.to_the_second(end.at)} if it is not used: {reason}"


def stats(store: Store) -> Stats:
    counts = store.statistics.counts()
    by_state = {"live": 0, "stale": 0, "expired": 0, "archived": 0}
    by_partition = dict.fromkeys(sorted({row[0] for row in counts}), 0)
    by_retention = {band: 0 for _, band in BANDS}
    pinned = 0
    for partition, state, tenth, memories, pins in counts:
        by_state[state] += memories
        if state == "live":
            by_partition[partition] += memories
            by_retention[next(band for below, band in BANDS if tenth < below)] += memories
            pinned += pins
    return Stats(
        total=sum(by_state.values()),
        by_state=by_state,
        by_partition=by_partition,
        by_retention=by_retention,
        pinned=pinned,
        due=len(store.sweeps.due()),
        **store.statistics.history(),
    )
