"""The published systems, each as the settings that make hebb behave like it."""

from typing import Any, NamedTuple

FOR_EVER_DAYS = 10_000_000  # of archive_days: beyond the last date there is
# What decides of a memory's life. A preset sets all of it: what it does not name is the default.
GOVERNED = (
    *("curve", "half_life_days", "k_importance", "k_access", "beta", "growth", "growth_factor"),
    *("time_unit", "forget_threshold", "stale_threshold", "stale_last"),
    *("forget_min_retention_days", "default_ttl_days", "max_lifetime_days", "on_forget"),
    *("archive_days", "restore_anchor", "move_after_accesses", "promote_at_vitality"),
    *("promote_uses", "promote_within_days", "promote_after_accesses"),
    *("inject_renewal_cooldown_hours", "ranking", "session_edge_weight"),
    "forgetting_overrides",
)


class Preset(NamedTuple):
    """One system: a sentence about it, and its settings. Source: its published original."""

    name: str
    summary: str
    settings: dict[str, Any]


JARVIS = {
    "half_life_days": 30,
    "forget_threshold": 0.2,
    "stale_threshold": 0.5,
    "stale_last": True,
    "forget_min_retention_days": 0,
    "archive_days": FOR_EVER_DAYS,
    "restore_anchor": 0.8,
    "move_after_accesses": 0,
}
LONG_TERM = ("mem_semantic", "mem_procedural", "mem_preference")  # in cortexgraph's words
CORTEXGRAPH = {
    "half_life_days": 3,
    "forget_threshold": 0.05,
    "forget_min_retention_days": 0,
    "on_forget": "erase",
    "move_after_accesses": 0,
    "promote_at_vitality": 0.65,
    "promote_uses": 5,
    "ranking": "cortexgraph",
    "session_edge_weight": 0,
    "forgetting_overrides": {name: {"half_life_days": 30, "enabled": False} for name in LONG_TERM},
}
PRESETS = {
    preset.name: preset
    for preset in (
        Preset("default", "hebb's own: fade by importance and use, archive for 30 days", {}),
        Preset(
            "hebb-mind",
            "the same curve; what has faded is erased at once",
            {"on_forget": "erase", "move_after_accesses": 0},
        ),
        Preset(
            "jarvis",
            "half is left after 30 days (90 of high importance); archive, never erase",
            {"curve": "jarvis", **JARVIS},
        ),
        Preset(
            "jarvis-exp",
            "the same by its written formula: 37 % is left after 30 days",
            {"curve": "jarvis-exp", **JARVIS},
        ),
        Preset(
            "cortexgraph",
            "vitality by use, half-life 3 days; the long-term partitions are for ever",
            {"curve": "cortexgraph", **CORTEXGRAPH},
        ),
        Preset(
            "cortexgraph-power",
            "the same, falling by a power law",
            {"curve": "cortexgraph-power", **CORTEXGRAPH},
        ),
        Preset(
            "cortexgraph-two",
            "the same, falling first fast, then slowly",
            {"curve": "cortexgraph-two", **CORTEXGRAPH},
        ),
        Preset(
            "memorybank",
            "a day for each recall and one more; forgotten below 10 %",
            {
                "curve": "memorybank",
                "forget_threshold": 0.1,
                "forget_min_retention_days": 0,
                "on_forget": "erase",
                "move_after_accesses": 0,
            },
        ),
        Preset(
            "amnesia",
            "a shelf life of 30 days that use renews, 90 days at most; erased",
            {
                "curve": "amnesia",
                "default_ttl_days": 30,
                "max_lifetime_days": 90,
                "forget_threshold": 0.05,
                "stale_threshold": 0.3,
                "forget_min_retention_days": 0,
                "on_forget": "erase",
                "move_after_accesses": 0,
                "max_item_bytes": 2048,
                "max_store_bytes": 262_144,
                "inject_max_tokens": 2000,
                "inject_renewal_cooldown_hours": 6,
            },
        ),
    )
}
