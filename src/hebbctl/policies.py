"""Which policy governs a partition, and what it means for one memory."""

import re
from bisect import bisect_left
from collections.abc import Callable

from hebbctl import curves
from hebbctl.models import PARTITION_NAME, Policy, Settings

PolicyOf = Callable[[str], Policy]  # partition -> what governs it now

DAY = 86_400_000  # milliseconds
FOREVER = 253_402_300_800_000  # milliseconds: longer than from 1970 to the end of the year 9999

NOTES = "mem_notes"
INBOX = "mem_hippocampus"
FIELDS = ("half_life_days", "k_importance", "k_access", "threshold")
BUILT_IN = {  # source: hebb-mind
    partition: dict(zip(FIELDS, row, strict=True))
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
    everywhere = {
        "half_life_days": settings.values["half_life_days"],
        "k_importance": settings.values["k_importance"],
        "k_access": settings.values["k_access"],
        "threshold": settings.values["forget_threshold"],
    }
    return Policy(
        **everywhere | BUILT_IN.get(partition, {}),
        min_retention_days=settings.values["forget_min_retention_days"],
        enabled=partition != INBOX,
    )


def effective(partition: str, settings: Settings) -> Policy:
    """Resolve each field: override, else the built-in partition's default, else global setting."""
    override = settings.overrides.get(partition)
    below = inherited(partition, settings)
    # Not even an override makes the sweep empty the inbox.
    return below._replace(**override) if override and partition != INBOX else below


def origins(partition: str, settings: Settings) -> dict[str, str]:
    """Say for each field of a policy where it comes from: override, built-in or global."""
    override = settings.overrides.get(partition, {}) if partition != INBOX else {}
    below = "built-in" if partition in BUILT_IN else "global"
    found = {field: "override" if field in override else below for field in FIELDS}
    found["min_retention_days"] = "global"
    found["enabled"] = "override" if "enabled" in override else "built-in"
    return found


def factors(policy: Policy, importance: float, access_count: float) -> tuple[float, float]:
    """Return by how much importance and use lengthen the time constant, as shares of it."""
    return policy.k_importance * importance / 10, policy.k_access * access_count / 10


def time_constant_days(policy: Policy, importance: float, access_count: float) -> float:
    by_importance, by_access = factors(policy, importance, access_count)
    return curves.time_constant_days(policy.half_life_days, by_importance, by_access)


def retention(policy: Policy, importance: float, access_count: float, *, idle: float) -> float:
    return curves.retention(idle / DAY, time_constant_days(policy, importance, access_count))


def is_forgotten(policy: Policy, importance: float, access_count: float, *, idle: float) -> bool:
    """Say whether a memory idle that long is due. At exactly the threshold it stays."""
    return _forgotten_at(policy, time_constant_days(policy, importance, access_count))(idle)


def _forgotten_at(policy: Policy, constant_days: float) -> Callable[[float], bool]:
    """Return the rule of one policy and time constant: idle time -> whether it is forgotten."""

    def forgotten(idle: float) -> bool:
        return (
            policy.enabled
            and idle > policy.min_retention_days * DAY
            and curves.retention(idle / DAY, constant_days) < policy.threshold
        )

    return forgotten


def lifetime(policy: Policy, importance: float, access_count: float) -> int | None:
    """Return the longest idle time a memory survives, or None where nothing ends it.

    Exact for every curve: it is the last millisecond for which ``is_forgotten`` says no. The
    closed form is rounded, so it only says where to look.
    """
    if not policy.enabled or policy.threshold <= 0:
        return None
    constant = time_constant_days(policy, importance, access_count)
    forgotten = _forgotten_at(policy, constant)
    days = max(curves.idle_days_at(policy.threshold, constant), policy.min_retention_days)
    guess = int(min(days * DAY, FOREVER - 1))
    if forgotten(guess + 1) and not forgotten(guess):  # nearly always: the sweep asks 5,000 times
        return guess
    if not forgotten(FOREVER):
        return None
    return bisect_left(range(FOREVER), True, key=forgotten) - 1


def floor_applies(policy: Policy, importance: float, access_count: float) -> bool:
    """Say whether the floor, not the threshold, decides how long a memory lives."""
    constant = time_constant_days(policy, importance, access_count)
    return curves.idle_days_at(policy.threshold, constant) < policy.min_retention_days
