"""Which policy governs a partition, and what it means for one memory."""

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import Any

from hebbctl import curves, models
from hebbctl.models import PARTITION_NAME, Memory, Policy, Settings, Traits
from hebbctl.settings import SETTING_OF_FIELD

PolicyOf = Callable[[str], Policy]  # partition -> what governs it now

DAY = 86_400_000  # milliseconds
FOREVER = 253_402_300_800_000  # milliseconds: longer than from 1970 to the end of the year 9999

NOTES = "mem_notes"
INBOX = models.INBOX
BUILT_IN_FIELDS = ("half_life_days", "k_importance", "k_access", "threshold")
BUILT_IN = {  # source: hebb-mind; of its curve only
    partition: dict(zip(BUILT_IN_FIELDS, row, strict=True))
    for partition, row in {
        "mem_episodic": (30, 1.0, 1.0, 0.3),
        "mem_semantic": (90, 3.0, 1.5, 0.3),
        "mem_procedural": (90, 3.0, 1.5, 0.3),
        "mem_preference": (180, 4.0, 1.5, 0.3),
    }.items()
}
PARTITION_OF_KIND = {
    "event": "mem_episodic",
    "fact": "mem_semantic",
    "howto": "mem_procedural",
    "preference": "mem_preference",
}
# What has been used often enough moves up. Source: hebb-mind, move_after_accesses.
PROMOTED_FROM = (NOTES, "mem_episodic")
PROMOTED_TO = "mem_semantic"
KNOWN = (NOTES, *BUILT_IN, INBOX)


def is_partition(name: str) -> bool:
    return re.fullmatch(PARTITION_NAME, name) is not None


def inherited(partition: str, settings: Settings) -> Policy:
    """Return the policy without the partition's override."""
    return _policy(partition, settings, {})


def effective(partition: str, settings: Settings) -> Policy:
    """Resolve each field: override, else the built-in partition's default, else global setting."""
    return _policy(partition, settings, _override(partition, settings))


def _policy(partition: str, settings: Settings, override: dict[str, Any]) -> Policy:
    everywhere = {
        field: settings.values[SETTING_OF_FIELD.get(field, field)]
        for field in Policy._fields
        if field != "enabled"
    }
    curve = override.get("curve", settings.values["curve"])
    own = {"enabled": partition != INBOX, **override}
    return Policy(**everywhere | _built_in(partition, curve) | own)


def _override(partition: str, settings: Settings) -> dict[str, Any]:
    # Not even an override makes the sweep empty the inbox.
    return {} if partition == INBOX else settings.overrides.get(partition, {})


def _built_in(partition: str, curve: str) -> dict[str, float]:
    """Return what hebb-mind says of a partition: it means nothing to another system's curve."""
    return BUILT_IN.get(partition, {}) if curve == "hebb" else {}


def origins(partition: str, settings: Settings) -> dict[str, str]:
    """Say for each field of a policy where it comes from: override, built-in or global."""
    override = _override(partition, settings)
    built_in = _built_in(partition, override.get("curve", settings.values["curve"]))
    found = {
        field: "override" if field in override else "built-in" if field in built_in else "global"
        for field in Policy._fields
    }
    return found | {"enabled": "override" if "enabled" in override else "built-in"}


def traits_of(memory: Memory) -> Traits:
    return Traits(memory.importance, memory.access_count, memory.strength, memory.ttl_ms)


def clock_of(memory: Memory) -> tuple[int, float]:
    """Return the moment from which a memory's idle time counts, and what was retained then."""
    if memory.anchor_at is not None and memory.anchor_value is not None:
        return max(memory.anchor_at, memory.renewed_at or 0), memory.anchor_value
    return max(memory.last_accessed_at, memory.renewed_at or 0), 1.0


def retention(policy: Policy, traits: Traits, *, idle: float, anchor: float = 1.0) -> float:
    """Return the share retained, 0..1, after an idle time. ``anchor`` is where it began."""
    return anchor * curves.retention(policy, traits, idle / DAY)


def vitality(policy: Policy, traits: Traits, *, idle: float, anchor: float = 1.0) -> float:
    """Return what the policy compares with its threshold: retention, weighed by its curve's gain.

    Only cortexgraph's curves weigh it; it has no upper bound there.
    """
    return curves.gain(policy, traits) * retention(policy, traits, idle=idle, anchor=anchor)


def is_forgotten(policy: Policy, traits: Traits, *, idle: float, anchor: float = 1.0) -> bool:
    """Say whether a memory idle that long has faded.

    At exactly the threshold it stays, except under a curve that ends there.
    """
    return _forgotten(policy, traits, anchor)(idle)


def _forgotten(policy: Policy, traits: Traits, anchor: float) -> Callable[[float], bool]:
    """Return the rule for one policy and traits: idle time -> whether it is forgotten."""
    curve, threshold = curves.CURVES[policy.curve], policy.threshold
    scale, weight = curves.scale_days(policy, traits), curves.gain(policy, traits) * anchor
    shape, ends_at = curve.shape.retention, curve.ends_at
    floor = policy.min_retention_days * DAY
    if not policy.enabled or threshold <= 0:
        return lambda idle: False

    def forgotten(idle: float) -> bool:
        if idle <= floor:
            return False
        left = weight * shape(idle / DAY / scale)
        return left < threshold or (ends_at and left == threshold)

    return forgotten


def lifetime(policy: Policy, traits: Traits, *, anchor: float = 1.0) -> int | None:
    """Return the longest idle time a memory survives its fading, or None where it never fades.

    Exact for every curve: it is the last millisecond for which ``is_forgotten`` says no. The
    closed form is rounded, so it only says where to look.
    """
    days = max(threshold_days(policy, traits, anchor), policy.min_retention_days)
    return _last_before(_forgotten(policy, traits, anchor), days)


def freshness(policy: Policy, traits: Traits, *, anchor: float = 1.0) -> int | None:
    """Return the longest idle time before a memory turns stale, or None where it never does."""
    if not policy.enabled or policy.stale_threshold <= 0:
        return None
    left = curves.fading(policy, traits)
    share = policy.stale_threshold / anchor if anchor > policy.stale_threshold else 1.0
    days = curves.idle_days_at(policy, traits, share)
    return _last_before(lambda idle: anchor * left(idle / DAY) < policy.stale_threshold, days)


def _last_before(ended: Callable[[float], bool], days: float) -> int | None:
    """Return the last idle time for which ``ended`` says no, near ``days``; None for ever.

    -1 where it says yes from the beginning.
    """
    guess = int(min(days * DAY, FOREVER - 1))
    if ended(guess + 1) and not ended(guess):  # nearly always: the sweep asks 5,000 times
        return guess
    if not ended(FOREVER):
        return None
    return bisect_left(range(FOREVER), True, key=ended) - 1


def threshold_days(policy: Policy, traits: Traits, anchor: float = 1.0) -> float:
    """Return the idle days at which the threshold is reached, whatever the floor says."""
    weight = curves.gain(policy, traits) * anchor
    if policy.threshold <= 0:
        return math.inf
    return (
        curves.idle_days_at(policy, traits, policy.threshold / weight)
        if weight > policy.threshold
        else 0.0
    )


def floor_applies(policy: Policy, traits: Traits, anchor: float = 1.0) -> bool:
    """Say whether the floor, not the threshold, decides how long a memory lives."""
    return threshold_days(policy, traits, anchor) < policy.min_retention_days


def ttl_ms(policy: Policy, own: int | None) -> int | None:
    """Return the sliding time to live: the memory's own, else the policy's, else None."""
    if own is not None:
        return own
    days = policy.default_ttl_days
    return int(min(days * DAY, FOREVER)) if days else None


def max_lifetime(policy: Policy) -> int | None:
    """Return how long after its creation a memory that earned no more ends, or None."""
    days = policy.max_lifetime_days
    return int(min(days * DAY, FOREVER)) if policy.enabled and days else None


def set_ends(policy: Policy, memory: Memory) -> Iterator[tuple[str, int]]:
    """Yield what ends a memory that earned no more, besides fading: why, and from when on."""
    longest, sliding = max_lifetime(policy), ttl_ms(policy, memory.ttl_ms)
    if longest is not None:
        yield "lifetime", memory.created_at + longest
    if sliding is not None:
        yield "ttl", clock_of(memory)[0] + sliding


def is_stale(policy: Policy, retention: float, *, pinned: bool) -> bool:
    """Say whether a live memory is recalled but no longer offered. What cannot fade is not."""
    return policy.enabled and not pinned and retention < policy.stale_threshold
