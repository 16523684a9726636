"""Promotion: by which rule a memory has earned a longer life, and what it then gets."""

from typing import Any, NamedTuple

from hebbctl import curves, policies
from hebbctl.models import Memory, Policy

LONG_TTL = 365 * policies.DAY  # milliseconds; source: amnesia's public code
RULES = ("move_after_accesses", "promote_at_vitality", "promote_uses", "promote_after_accesses")


class Promotion(NamedTuple):
    """Where a memory lives from now on, its time to live then, and why: the rule and its number."""

    memory_id: int
    partition: str
    ttl_ms: int | None
    reason: str


def fewest_accesses(rules: dict[str, Any]) -> float | None:
    """Return how many uses a memory needs at least to be promoted; None where no rule is on."""
    needed = [rules[name] for name in RULES if name != "promote_at_vitality" and rules[name]]
    if rules["promote_at_vitality"]:
        needed.append(1)  # a new memory is vital, too, but nobody has used it
    return min(needed, default=None)


def earned(rules: dict[str, Any], policy: Policy, memory: Memory, *, now: int) -> Promotion | None:
    """Return what a memory has earned by use, or None. Only what is live and not stale earns it.

    ``rules`` are the settings by name. One rule is enough; what several give is given together.
    """
    if memory.state != "live":
        return None
    moved = _moved(rules, policy, memory, now=now)
    raised = _raised(rules, memory)
    if not (moved or raised):
        return None
    partition = policies.PROMOTED_TO if moved else memory.partition
    ttl = longer_ttl(policy, memory) if raised else memory.ttl_ms
    return Promotion(memory.id, partition, ttl, moved or raised or "")


def by_hand(policy: Policy, memory: Memory) -> Promotion | None:
    """Return what a memory gets at a user's wish: a longer ttl where that is its life, else a move.

    None where it has that already.
    """
    if "ttl_ms" in curves.CURVES[policy.curve].reads:
        ttl = longer_ttl(policy, memory)
        raised = Promotion(memory.id, memory.partition, ttl, "by hand")
        return raised if memory.promoted_at is None or ttl != memory.ttl_ms else None
    if memory.partition == policies.PROMOTED_TO:
        return None
    return Promotion(memory.id, policies.PROMOTED_TO, memory.ttl_ms, "by hand")


def longer_ttl(policy: Policy, memory: Memory) -> int:
    """Return a memory's time to live, its own or its policy's, but a year at least."""
    shelf = int(curves.SHELF_DAYS * policies.DAY)
    return max(policies.ttl_ms(policy, memory.ttl_ms) or shelf, LONG_TTL)


def _moved(rules: dict[str, Any], policy: Policy, memory: Memory, *, now: int) -> str | None:
    """Return why a memory moves up. Source: hebb-mind by accesses; cortexgraph by the other two."""
    if memory.partition not in policies.PROMOTED_FROM:
        return None
    used, least = memory.access_count, rules["promote_at_vitality"]
    if (accesses := rules["move_after_accesses"]) and used >= accesses:
        return f"used {accesses:g} times"
    if least and used and _vitality(policy, memory, now) >= least:
        return f"vitality of {least:g}"
    days = rules["promote_within_days"]
    # The last use is what is known: not later than so many days, none of them was.
    within = memory.last_accessed_at <= memory.created_at + days * policies.DAY
    if (uses := rules["promote_uses"]) and used >= uses and within:
        return f"used {uses:g} times in its first {days:g} days"
    return None


def _raised(rules: dict[str, Any], memory: Memory) -> str | None:
    """Return why a memory's time to live is raised, once. Source: amnesia."""
    accesses = rules["promote_after_accesses"]
    if not accesses or memory.access_count < accesses or memory.promoted_at is not None:
        return None
    return f"used {accesses:g} times"


def _vitality(policy: Policy, memory: Memory, now: int) -> float:
    start, anchor = policies.clock_of(memory)
    idle = max(0, now - start)
    return policies.vitality(policy, policies.traits_of(memory), idle=idle, anchor=anchor)
