"""Values passed between layers: frozen, typed, without behaviour.

Named tuples: eighteen frozen dataclasses cost 17 ms at every start, these 3.
"""

from typing import Any, NamedTuple

PARTITION_NAME = "mem_[a-z0-9_]+"  # a regular expression
INBOX = "mem_hippocampus"  # the partition that is never swept, only emptied


class Memory(NamedTuple):
    """One note as the store sees it now. ``retention`` and ``state`` are computed, never stored."""

    id: int
    uid: str
    state: str  # live, stale, expired, archived
    retention: float
    partition: str
    content: str
    kind: str | None
    importance: float
    strength: float
    access_count: int
    frequency: float
    created_at: int
    last_accessed_at: int
    renewed_at: int | None
    tags: tuple[str, ...]
    source: str | None
    scope: str
    scope_kind: str
    session: str | None
    key: str | None
    trusted: bool
    pinned: bool
    ttl_ms: int | None
    expires_at: int | None
    promoted_at: int | None
    archived_at: int | None
    archived_reason: str | None
    sweep_id: int | None
    superseded_by: str | None  # the successor's uid
    anchor_value: float | None
    anchor_at: int | None
    metadata: dict[str, Any]


PRESENT = ("live", "stale")  # the states of what is neither expired nor archived


class Draft(NamedTuple):
    """A memory to store. None leaves a field to its default; ``uid`` is made when None."""

    content: str
    partition: str
    uid: str | None = None
    kind: str | None = None
    importance: float = 5.0
    strength: float = 1.0
    access_count: int = 0
    frequency: float = 0.0
    created_at: int | None = None
    last_accessed_at: int | None = None
    renewed_at: int | None = None
    tags: tuple[str, ...] = ()
    source: str | None = None
    scope: str = "global"
    scope_kind: str = "global"
    session: str | None = None
    key: str | None = None
    trusted: bool = True
    pinned: bool = False
    ttl_ms: int | None = None
    expires_at: int | None = None
    promoted_at: int | None = None
    archived_at: int | None = None
    archived_reason: str | None = None
    superseded_by: str | None = None
    anchor_value: float | None = None
    anchor_at: int | None = None
    metadata: str = "{}"  # a JSON object


class EdgeTo(NamedTuple):
    """An edge as seen from one of its ends: the other one, and the weight it had at that time."""

    uid: str
    weight: float
    last_updated_at: int


class Filters(NamedTuple):
    """Which memories a command looks at. None and () let everything through."""

    partition: str | None = None
    kinds: tuple[str, ...] = ()  # any of these, as spelled
    scopes: tuple[str, ...] = ()  # any of these
    tags: tuple[tuple[str, ...], ...] = ()  # of every group at least one
    since: int | None = None  # created at or after
    until: int | None = None  # created before
    archived: bool | None = False  # the archive instead of what is live; None: both, and expired
    superseded: bool = False  # a search of the archive finds these, too
    trusted: bool | None = None  # only those that are, or are not
    source: str | None = None
    session: str | None = None
    stale: bool | None = None  # of a recall: only what is stale, or what is not
    pinned: bool | None = None  # of a list: only those that are, or are not


class Policy(NamedTuple):
    """How one partition forgets. Nothing is forgotten while ``enabled`` is false.

    Not every curve reads every parameter: see ``hebbctl.curves``. 0 days are none.
    """

    half_life_days: float
    k_importance: float
    k_access: float
    threshold: float
    min_retention_days: float
    enabled: bool = True
    curve: str = "hebb"
    stale_threshold: float = 0.0
    on_forget: str = "archive"
    default_ttl_days: float = 0.0
    max_lifetime_days: float = 0.0
    beta: float = 0.6
    growth: str = "linear"
    growth_factor: float = 0.5
    time_unit: str = "days"


class Traits(NamedTuple):
    """What a curve reads of a memory besides its idle time."""

    importance: float
    access_count: float
    strength: float = 1.0
    ttl_ms: int | None = None  # its own, where it has one


class Parts(NamedTuple):
    """The parts of one score, in the order in which they make it.

    weight = bm25 + match_bonus + date_bonus + lent; lexical = weight / (weight + half_relevant);
    relevance = (1 - semantic_weight) * lexical + semantic_weight * similarity, or lexical where
    similarity is None; boosted = (relevance + co_occurrence_boost * co_occurrence) / divisor;
    decay_factor = decay_floor + (1 - decay_floor) * retention; score = boosted * decay_factor.
    """

    bm25: float
    match_bonus: float
    date_bonus: float
    lent: float  # by its neighbours in the session
    half_relevant: float
    lexical: float
    semantic_weight: float
    similarity: float | None
    relevance: float
    co_occurrence_boost: float
    co_occurrence: float
    divisor: float
    retention: float
    decay_floor: float
    decay_factor: float
    score: float


class Hit(NamedTuple):
    """One result of a recall; ``parts`` is None where there was nothing to rank by."""

    memory: Memory
    match: str  # phrase, all, some: how much of the query it holds; date, neighbour, related,
    # similar: found without its words; newest
    parts: Parts | None = None
    bound: str | None = None  # why not every text that matches like this one was ranked
    newer_than: tuple[int, ...] = ()  # hits that say nearly the same, and are older


class Ending(NamedTuple):
    """A memory that a sweep takes, as it was before, and what ends it."""

    memory: Memory
    reason: str  # expired, lifetime, ttl, faded, archive; of what comes back: successor
    threshold: float | None  # of retention, where that decided
    outcome: str  # archived, erased, restored


class SettingValue(NamedTuple):
    """A setting, its value now, and where that came from: default, file or environment."""

    name: str
    value: Any  # a number, a text, true or false, or rules
    origin: str
    default: Any
    help: str


class Settings(NamedTuple):
    """What one run goes by: every setting by name, and each partition's override by field."""

    values: dict[str, Any]
    overrides: dict[str, dict[str, Any]]
    unknown: tuple[str, ...]  # keys in the file that mean nothing to this version


class Similar(NamedTuple):
    """A memory that a new one may bring up to date. ``overlap`` is the share of common words."""

    id: int
    uid: str
    overlap: float
    content: str


class Added(NamedTuple):
    """A memory just stored, or the one of the same text that was there already."""

    memory: Memory
    existing: bool
    superseded: tuple[Memory, ...] = ()  # as they were before
    similar: tuple[Similar, ...] = ()  # the likeliest first


class Change(NamedTuple):
    """What a command did to chosen memories. ``unchanged`` were in that state already."""

    # archived, restored, erased, touched, edited, pinned, unpinned, tagged, promoted, reinforced,
    # merged, trusted, quarantined
    action: str
    changed: tuple[Memory, ...]
    unchanged: tuple[Memory, ...] = ()
    dry_run: bool = False
    erasure_pending: bool = False
    backups_left: tuple[str, ...] = ()  # that may still hold what was erased
    superseded: tuple[Memory, ...] = ()  # archived in its course
    returned: tuple[Memory, ...] = ()  # live again, as what took their place gave way
    copies_kept: bool = False  # of what was erased, in the audit, as ``restorable`` says


class Question(NamedTuple):
    """A question that measures a recall, and the uids of all memories that answer it."""

    text: str
    gold: tuple[str, ...]  # none where the set does not say
    category: str  # empty where the set has none
    scope: str | None = None  # where to look: everywhere without one
