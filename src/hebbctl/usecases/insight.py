"""Why a memory is still here, until when, and what the whole store holds."""

from itertools import pairwise
from typing import NamedTuple

from hebbctl import curves, policies, times
from hebbctl.models import Memory, Policy, Settings
from hebbctl.presets import LONG_TERM
from hebbctl.reports import Explanation, Stats
from hebbctl.store import Store

MOST_ESTIMATED = 2_000  # live texts, of which stats estimates the tokens: some 30 ms
BANDS = ("below 0.1", "0.1 to 0.3", "0.3 to 0.5", "0.5 to 0.8", "0.8 up")

VITALITY_BANDS = ("below 0.15", "danger", "healthy", "strong")  # source: cortexgraph


class End(NamedTuple):
    """When a memory ends, Unix milliseconds or None for never, and what decides that."""

    at: int | None
    decided_by: str


class Course(NamedTuple):
    """What becomes of a memory that nobody uses: from when on it is stale, ended, erased.

    Unix milliseconds; None is never.
    """

    stale_at: int | None
    forgotten_at: int | None
    erased_at: int | None
    decided_by: str


def explain(store: Store, reference: str, settings: Settings) -> Explanation:
    memory = store.memories.get(store.memories.resolve(reference))
    policy = policies.effective(memory.partition, settings)
    traits, (start, anchor) = policies.traits_of(memory), policies.clock_of(memory)
    by_importance, by_access = curves.factors(policy, traits)
    lifetime = policies.lifetime(policy, traits, anchor=anchor)
    returns_at = returning_at(store, memory)
    course = course_of(memory, policy, settings, now=store.now, returns_at=returns_at)
    due = memory.id in {one.id for one in store.sweeps.due()}
    idle = max(0, store.now - start)
    curve = curves.CURVES[policy.curve]
    return Explanation(
        id=memory.id,
        uid=memory.uid,
        content=memory.content,
        state=memory.state,
        verdict=_verdict(memory, policy, course, due=due) + _returning(returns_at),
        partition=memory.partition,
        curve=policy.curve,
        formula=f"retention = {curve.formula}",
        source=curve.source,
        half_life_days=policy.half_life_days,
        importance=memory.importance,
        k_importance=policy.k_importance,
        importance_factor=by_importance,
        access_count=memory.access_count,
        k_access=policy.k_access,
        access_factor=by_access,
        strength=memory.strength,
        frequency=memory.frequency,
        time_constant_days=curves.time_constant_days(policy, traits),
        true_half_life_days=curves.true_half_life_days(policy, traits),
        last_accessed_at=memory.last_accessed_at,
        last_access_in_future=memory.last_accessed_at > store.now,
        idle_since_at=start,
        idle_days=idle / policies.DAY,
        anchor=anchor,
        arithmetic=curves.arithmetic(policy, traits, idle / policies.DAY),
        retention=memory.retention,
        gain=curves.gain(policy, traits),
        vitality=policies.vitality(policy, traits, idle=idle, anchor=anchor),
        threshold=policy.threshold,
        stale_threshold=policy.stale_threshold,
        min_retention_days=policy.min_retention_days,
        lifetime_days=None if lifetime is None else lifetime / policies.DAY,
        due=due,
        **course._asdict(),
        origins=policies.origins(memory.partition, settings),
        returns_at=returns_at,
    )


def returning_at(store: Store, memory: Memory) -> int | None:
    """Return when a superseded memory is live again, if its successor gives way."""
    superseded = memory.archived_reason == "superseded"
    return store.successions.gives_way_at(memory.id) if superseded else None


def course_of(
    memory: Memory, policy: Policy, settings: Settings, *, now: int, returns_at: int | None
) -> Course:
    end = _end(memory, policy)
    erased_at = None
    if returns_at is None:
        erased_at = _erased_at(memory, policy, settings, end, now=now)
    return Course(
        _in_range(_stale_at(memory, policy)),
        _in_range(end.at),
        _in_range(erased_at),
        end.decided_by,
    )


def _end(memory: Memory, policy: Policy) -> End:
    """Return what ends a live memory first, in the order of precedence."""
    if memory.archived_at is not None:
        return End(memory.archived_at, "archived")
    ends = [End(memory.expires_at, "expires_at")] if memory.expires_at is not None else []
    if memory.pinned:
        return ends[0] if ends else End(None, "pinned")
    if not policy.enabled:
        return ends[0] if ends else End(None, "disabled")
    if memory.promoted_at is None:
        ends += [End(at, reason) for reason, at in policies.set_ends(policy, memory)]
    traits, (start, anchor) = policies.traits_of(memory), policies.clock_of(memory)
    lifetime = policies.lifetime(policy, traits, anchor=anchor)
    if lifetime is not None:
        floor = policies.floor_applies(policy, traits, anchor)
        # After the last millisecond it survives.
        ends.append(End(start + lifetime + 1, "floor" if floor else "threshold"))
    return min(ends, key=lambda end: end.at or 0) if ends else End(None, "nothing")


def _stale_at(memory: Memory, policy: Policy) -> int | None:
    """Return from when on a memory is stale, if it is not used until then."""
    start, anchor = policies.clock_of(memory)
    fresh = policies.freshness(policy, policies.traits_of(memory), anchor=anchor)
    if fresh is None or memory.pinned or memory.archived_at is not None:
        return None
    return start + fresh + 1


def _erased_at(
    memory: Memory, policy: Policy, settings: Settings, end: End, *, now: int
) -> int | None:
    """Return when the last copy goes, if sweeps run on time and nothing is used until then."""
    erasing = memory.archived_at is None and policy.on_forget == "erase"
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


def _verdict(memory: Memory, policy: Policy, course: Course, *, due: bool) -> str:
    gain = curves.gain(policy, policies.traits_of(memory))
    name = "vitality" if curves.CURVES[policy.curve].gain else "retention"
    compared = f"{name} {gain * memory.retention:.4g}, threshold {policy.threshold:g}"
    if memory.archived_at is not None:
        by = f"sweep {memory.sweep_id}" if memory.sweep_id else str(memory.archived_reason)
        by += f" by {memory.superseded_by}" if memory.superseded_by else ""
        return f"in the archive since {times.to_the_second(memory.archived_at)} ({by})"
    if due:
        why = {
            "expires_at": "expired",
            "ttl": "its time to live is over",
            "lifetime": "it is older than max_lifetime_days",
        }
        return f"goes at the next sweep: {why.get(course.decided_by, compared)}"
    if course.decided_by == "pinned":
        return "never forgotten: pinned"
    if course.decided_by == "disabled":
        return f"never forgotten: {memory.partition} is not swept"
    if course.forgotten_at is None:
        return f"stays beyond the year 9999: {compared}"
    until = times.to_the_second(course.forgotten_at)
    if course.decided_by == "expires_at":
        return f"stays until {until}: then it expires, used or not"
    if course.decided_by == "lifetime":
        return f"stays until {until}, used or not: max_lifetime_days"
    why = {"ttl": "its time to live ends", "floor": "the floor"}
    reason = why.get(course.decided_by, compared)
    return f"stays until {until} if it is not used: {reason}"


def _returning(returns_at: int | None) -> str:
    if returns_at is None:
        return ""
    return f"; live again on {times.to_the_second(returns_at)}, when that one has expired"


def stats(store: Store, policy_of: policies.PolicyOf) -> Stats:
    statistics = store.statistics
    pinned = dict(statistics.pinned())
    counts = statistics.counts()
    counts += [(partition, "live", below[-1]) for partition, below in pinned.items()]
    by_state = {"live": 0, "stale": 0, "expired": 0, "archived": 0}
    by_partition = dict.fromkeys(sorted({row[0] for row in counts}), 0)
    for partition, state, memories in counts:
        by_state[state] += memories
        if state == "live":
            by_partition[partition] += memories
    governing = [policy_of(partition) for partition in by_partition]
    if any(policy.stale_threshold for policy in governing):
        by_state["stale"] = statistics.stale_count()
        by_state["live"] -= by_state["stale"]
    weighed = any(curves.CURVES[policy.curve].gain for policy in governing)
    vitality = statistics.vitality_counts() if weighed else {}
    below = list(map(sum, zip(statistics.retained(), *pinned.values(), strict=True)))
    in_bands = (upper - lower for lower, upper in pairwise([0, *below]))
    return Stats(
        total=sum(by_state.values()),
        by_state=by_state,
        by_partition=by_partition,
        by_retention=dict(zip(BANDS, in_bands, strict=True)),
        by_term=_by_term(by_partition) if weighed else {},
        by_vitality=dict.fromkeys(VITALITY_BANDS, 0) | vitality if weighed else {},
        pinned=sum(below[-1] for below in pinned.values()),
        due=len(store.sweeps.due()),
        **statistics.history(),
        tokens=_tokens(store),
        graph=_graph(store, by_state["live"] + by_state["stale"]),
        injections=store.injections.ledger(),
    )


def _tokens(store: Store) -> int | None:
    texts = store.statistics.live_texts(most=MOST_ESTIMATED)
    if texts is None:
        return None
    from hebbctl.tokens import estimate

    return sum(map(estimate, texts))


def _by_term(by_partition: dict[str, int]) -> dict[str, float]:
    """Return how many memories are short- and long-term ones, and their shares of all."""
    total = sum(by_partition.values())
    long = sum(by_partition.get(partition, 0) for partition in LONG_TERM)
    shares = {"short_share": (total - long) / total, "long_share": long / total} if total else {}
    return {"short": total - long, "long": long, **shares}


def _graph(store: Store, live: int) -> dict[str, float]:
    """Return the figures of the graph of live memories, each with a name of its own."""
    edges, connected = store.graph.counts()
    return {
        "edges": edges,
        "connected": connected,
        "mean_degree": 2 * edges / connected if connected else 0.0,
        "edges_per_connected": edges / connected if connected else 0.0,
        "edges_per_memory": edges / live if live else 0.0,
    }
