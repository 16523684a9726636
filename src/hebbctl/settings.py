"""The settings: what each is called, may be, is by default, and what a change of it reaches."""

import math

from hebbctl.curves import CURVES, UNIT_DAYS
from hebbctl.errors import WrongUsage, did_you_mean
from hebbctl.models import Settings
from hebbctl.setting import FLAG, NONE, Setting

USER_PARTITIONS = (
    "reaches mem_notes and other user partitions at the next sweep; mem_episodic, mem_semantic,"
    " mem_procedural and mem_preference keep their own: change those with 'hebb policy set'"
)
EVERYWHERE = "reaches every partition at the next sweep"
SETTINGS = {
    setting.name: setting
    for setting in (
        Setting(
            "half_life_days",
            60,
            "days after which 37 % of a neutral memory is retained (time constant)",
            USER_PARTITIONS,
            0,
            3650,
            "(]",
        ),
        Setting(
            "k_importance", 2, "how much importance lengthens it", USER_PARTITIONS, 0, 10, "[]"
        ),
        Setting("k_access", 1.5, "how much each use lengthens it", USER_PARTITIONS, 0, 10, "[]"),
        Setting(
            "forget_threshold",
            0.3,
            "a memory whose retention is below it is forgotten",
            USER_PARTITIONS,
            0,
            1,
            "()",
        ),
        Setting(
            "forget_min_retention_days",
            1,
            "idle days that every memory survives, whatever its policy",
            EVERYWHERE,
        ),
        Setting(
            "curve",
            "hebb",
            "how retention falls with idle time; see 'hebb curve' and the README",
            "reaches every partition whose override names no other, at the next look",
            choices=tuple(CURVES),
        ),
        Setting(
            "stale_threshold",
            0,
            "retention below which a live memory is stale: recalled, never injected; 0 is none",
            "reaches every partition at the next look",
            0,
            1,
        ),
        Setting(
            "stale_last",
            False,
            "whether a recall shows what is stale after all that is not, however well it matches",
            "reaches the next recall",
            choices=FLAG,
        ),
        Setting(
            "default_ttl_days",
            0,
            "days without use after which a memory ends, unless it has a ttl of its own; 0 is none",
            EVERYWHERE,
        ),
        Setting(
            "max_lifetime_days",
            0,
            "days from creation after which a memory ends, unless pinned or promoted; 0 is none",
            EVERYWHERE,
        ),
        Setting(
            "beta",
            0.6,
            "curves cortexgraph: the power of the uses in a memory's vitality",
            "reaches the partitions under such a curve at the next look",
            0,
            2,
            "[]",
        ),
        Setting(
            "growth",
            "linear",
            "curve memorybank: a recall adds to strength S 1, 1/ln(S + 1) or growth_factor^n",
            "reaches the partitions under that curve at the next look",
            choices=("linear", "log", "decay"),
        ),
        Setting(
            "growth_factor",
            0.5,
            "curve memorybank, growth decay: the n-th recall adds this to the power of n",
            "reaches the partitions under that curve at the next look",
            0,
            1,
            "(]",
        ),
        Setting(
            "time_unit",
            "days",
            "curve memorybank: the unit of idle time and strength",
            "reaches the partitions under that curve at the next look",
            choices=tuple(UNIT_DAYS),
        ),
        Setting(
            "restore_anchor",
            1,
            "what is retained of a memory that is restored; it fades from there until it is used",
            "reaches what is restored from now on",
            0,
            1,
            "(]",
        ),
        Setting(
            "inject_max_tokens",
            2000,
            "tokens, as estimated, that 'hebb inject' prints at most, and unless --budget is less",
            "reaches the next inject",
            0,
            1e9,
            "[]",
        ),
        Setting(
            "inject_renewal_cooldown_hours",
            0,
            "hours since its last use or renewal after which inject renews a memory; 0 is never",
            "reaches the next inject",
        ),
        Setting(
            "forget_interval_seconds",
            1800,
            "seconds between sweeps of a scheduler; under cron the crontab line decides",
            "reaches schedulers that read it; a crontab line keeps its own times",
            0,
            math.inf,
            "()",
        ),
        Setting(
            "on_forget",
            "archive",
            "what a sweep does: shelve for archive_days, or erase at once",
            EVERYWHERE,
            choices=("archive", "erase"),
        ),
        Setting(
            "archive_days",
            30,
            "days a memory stays in the archive before it is erased",
            "reaches the whole archive at the next sweep",
        ),
        Setting(
            "move_after_accesses",
            5,
            "uses after which 'hebb promote' moves a memory to mem_semantic; 0 is never",
            "reaches mem_notes and mem_episodic at the next 'hebb promote'",
        ),
        Setting(
            "promote_at_vitality",
            0,
            "vitality from which a memory in use moves to mem_semantic; 0 is never",
            "reaches mem_notes and mem_episodic at the next 'hebb promote'",
            0,
            1e6,
        ),
        Setting(
            "promote_uses",
            0,
            "uses in its first promote_within_days that move it there; 0 is never",
            "reaches mem_notes and mem_episodic at the next 'hebb promote'",
        ),
        Setting(
            "promote_within_days",
            14,
            "days from creation in which promote_uses are counted",
            "reaches mem_notes and mem_episodic at the next 'hebb promote'",
        ),
        Setting(
            "promote_after_accesses",
            0,
            "uses after which 'hebb promote' gives a memory a ttl of a year at least; 0 is never",
            "reaches every partition at the next 'hebb promote'",
        ),
        Setting(
            "consolidation_rules",
            {},
            "where 'hebb consolidate' moves a memory by its tag or kind, the first that fits",
            "reaches the inbox mem_hippocampus at the next 'hebb consolidate'",
        ),
        Setting(
            "consolidate_command",
            NONE,
            "a program of yours that decides instead; it is given every text in the inbox",
            "reaches the inbox mem_hippocampus at the next 'hebb consolidate'",
        ),
        Setting(
            "consolidate_timeout_seconds",
            60,
            "seconds that program may take for the whole inbox",
            "reaches the next 'hebb consolidate'",
            0,
            86_400,
            "(]",
        ),
        Setting(
            "on_fallback",
            "offer",
            "use of an archived memory, by recall or touch: offer to restore it, or do it",
            "reaches the next recall or touch",
            choices=("offer", "restore"),
        ),
        Setting(
            "restorable",
            False,
            "whether erasing keeps a copy in the audit, so that 'hebb restore' brings it back",
            "reaches what is erased from now on; 'hebb forget --copies' erases the copies kept",
            choices=FLAG,
        ),
        Setting(
            "max_store_bytes",
            0,
            "the most that all texts together may have, in UTF-8 bytes; 0 is no limit",
            "reaches what is added, edited or imported from now on",
        ),
        Setting(
            "max_item_bytes",
            65_536,
            "the longest text of one memory, in UTF-8 bytes",
            "reaches what is added, edited or imported from now on",
            1,
            1e9,
            "[]",
        ),
        Setting(
            "trust_imports",
            True,
            "whether what is imported is trusted, as its lines say; false: into quarantine",
            "reaches the next import; 'hebb trust' releases what is in quarantine",
            choices=FLAG,
        ),
        Setting(
            "audit_max_rows",
            100_000,
            "how many rows of the audit a sweep keeps, the newest; 0 is all",
            "reaches the audit at the next sweep; what was erased stays noted",
        ),
        Setting(
            "gc_max_share",
            0.5,
            "share of the live memories an erasing sweep may take without --yes (20 it always may)",
            EVERYWHERE,
            0,
            1,
            "[]",
        ),
        Setting(
            "neighbour_weight",
            0.7,
            "share of its relevance that a hit lends to its neighbours in the session",
            "reaches the next recall",  # LoCoMo @10 .632 -> .719, BEAM .647 -> .667
            0,
            1,
            "[]",
        ),
        Setting(
            "semantic_weight",
            0.35,
            "share of the relevance that similar meaning has, where there are vectors",
            "reaches the next recall",  # LoCoMo @10 .747 -> .767, BEAM .647 -> .681
            0,
            1,
            "[]",
        ),
        Setting(
            "ranking",
            "hebb",
            "how recall weighs relevance, common use and retention: hebb's way or cortexgraph's",
            "reaches the next recall",
            choices=("hebb", "cortexgraph"),
        ),
        Setting(
            "co_occurrence_boost",
            0.3,
            "how much being used together with the context adds to a recall's relevance",
            "reaches the next recall with a context",
            0,
            10,
            "[]",
        ),
        Setting(
            "graph_pairs_per_recall",
            45,
            "how many pairs of what a recall shows it strengthens, those of the best",
            "reaches the next recall",
            0,
            10_000,
            "[]",
        ),
        Setting(
            "graph_edges_per_memory",
            50,
            "how many edges a memory has at most, the strongest",
            "reaches each memory when it is used next",
            1,
            10_000,
            "[]",
        ),
        Setting(
            "session_edge_weight",
            0.1,
            "weight of the edge from a new memory to the one before it in its session; 0 is none",
            "reaches what is added from now on",
            0,
            1,
            "[]",
        ),
        Setting(
            "decay_floor",
            0.8,
            "share of a recall's score that does not depend on retention",
            "reaches the next recall",
            0,
            1,
            "[]",
        ),
        Setting(
            "embedder",
            "packaged",
            "what makes vectors: the model of hebbctl[semantic], a program, a server, or nothing",
            "reaches the next 'hebb embed' and recall; vectors of each model are kept apart",
            choices=("none", "packaged", "command", "url"),
        ),
        Setting(
            "embed_command",
            NONE,
            'a program that reads {"text": ...} lines and prints a {"vector": [...]} line for each',
            "reaches the next 'hebb embed' and recall, where embedder is command",
        ),
        Setting(
            "embed_url",
            NONE,
            "a server that answers POST /v1/embeddings as OpenAI's does; HEBB_EMBED_KEY is its key",
            "reaches the next 'hebb embed' and recall, where embedder is url",
        ),
        Setting(
            "embed_model",
            NONE,
            "the name of the model behind embed_command or embed_url: a new name, new vectors",
            "reaches the next 'hebb embed' and recall",
        ),
        Setting(
            "embed_on_write",
            False,
            "whether add, edit and import make vectors at once, as far as that works",
            "reaches what is added, edited or imported from now on",
            choices=FLAG,
        ),
        Setting(
            "embed_timeout_seconds",
            10,
            "seconds that embed_command or embed_url may take for one text; 600 for any batch",
            "reaches the next 'hebb embed' and recall",
            0,
            600,
            "(]",
        ),
    )
}
SETTING_OF_FIELD = {  # where a field of a policy has another name than its setting
    "threshold": "forget_threshold",
    "min_retention_days": "forget_min_retention_days",
}
# Field of an override -> the row whose range it shares.
OVERRIDE_FIELDS = {
    "half_life_days": SETTINGS["half_life_days"],
    "k_importance": SETTINGS["k_importance"],
    "k_access": SETTINGS["k_access"],
    "threshold": SETTINGS["forget_threshold"],
    **{
        name: SETTINGS[name]
        for name in (
            *("curve", "stale_threshold", "on_forget", "default_ttl_days", "max_lifetime_days"),
            *("beta", "growth", "growth_factor", "time_unit"),
        )
    },
}


def setting(name: str) -> Setting:
    """Return a row by its name. Hyphens and upper case are accepted: ``HALF-LIFE-DAYS``.

    Raises:
        WrongUsage: there is none of that name.
    """
    canonical = name.lower().replace("-", "_")
    if canonical not in SETTINGS:
        close = SETTING_OF_FIELD.get(canonical, canonical)
        hint = did_you_mean(close, SETTINGS) or "see 'hebb config list'"
        raise WrongUsage(f"no setting {name!r}", hint=hint)
    return SETTINGS[canonical]


def defaults() -> Settings:
    """Return the settings as they are where nobody set any."""
    return Settings({name: row.default for name, row in SETTINGS.items()}, {}, ())
