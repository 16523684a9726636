"""Values passed between layers: frozen, typed, without behaviour."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Memory:
    """One note as the store sees it now. ``retention`` and ``state`` are computed, never stored."""

    id: int
    uid: str
    state: str  # live, expired, archived
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


@dataclass(frozen=True, slots=True)
class Draft:
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


@dataclass(frozen=True, slots=True)
class Filters:
    """Which memories a reading command looks at. None and () let everything through."""

    partition: str | None = None
    kind: str | None = None
    scope: str | None = None
    tags: tuple[str, ...] = ()
    since: int | None = None  # created at or after
    until: int | None = None  # created before
    archived: bool = False  # the archive instead of what is live


@dataclass(frozen=True, slots=True)
class Policy:
    """How one partition forgets. Nothing is forgotten while ``enabled`` is false."""

    half_life_days: float
    k_importance: float
    k_access: float
    threshold: float
    min_retention_days: float
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Hit:
    """One result of a recall, with the parts of its score: relevance x decay_factor.

    The numbers are None where there was no query.
    """

    memory: Memory
    score: float | None
    relevance: float | None
    bm25: float | None
    match: str  # phrase, all, some: how much of the query it holds; neighbour; newest
    match_bonus: float | None
    lent: float | None  # by its neighbours in the session
    decay_factor: float | None


@dataclass(frozen=True, slots=True)
class Ending:
    """A memory that a sweep takes, as it was before, and what ends it."""

    memory: Memory
    reason: str  # expired, ttl, faded, archive
    threshold: float | None  # of retention, where that decided
    outcome: str  # archived, erased


@dataclass(frozen=True, slots=True)
class SettingValue:
    """A setting, its value now, and where that came from: default, file or environment."""

    name: str
    value: float | str
    origin: str
    default: float | str
    help: str


@dataclass(frozen=True, slots=True)
class Settings:
    """What one run goes by: every setting by name, and each partition's override by field."""

    values: dict[str, Any]
    overrides: dict[str, dict[str, Any]]
    unknown: tuple[str, ...]  # keys in the file that mean nothing to this version


@dataclass(frozen=True, slots=True)
class Added:
    """A memory just stored, or the one of the same text that was there already."""

    memory: Memory
    existing: bool


@dataclass(frozen=True, slots=True)
class Change:
    """What a command did to chosen memories. ``unchanged`` were in that state already."""

    action: str  # archived, restored, erased
    changed: tuple[Memory, ...]
    unchanged: tuple[Memory, ...] = ()
    dry_run: bool = False
    erasure_pending: bool = False


@dataclass(frozen=True, slots=True)
class SweepReport:
    """What one run of the sweep took, or would take. ``sweep`` is None where it took nothing."""

    sweep: int | None
    dry_run: bool
    threshold: float | None
    partition: str | None
    forgotten: int  # live memories taken
    archived: int
    erased: int
    erasure_pending: bool
    memories: tuple[Ending, ...]


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of the lines of a file."""

    stored: int
    existing: int
    deleted: int  # erased here before, and so left out
    replaced_characters: int
    unknown_fields: tuple[str, ...]  # kept in metadata
    rejected: tuple[tuple[int, str], ...]  # line from 1, reason


@dataclass(frozen=True, slots=True)
class Explanation:
    """The arithmetic behind one memory's retention and what will end it.

    ``forgotten_at`` and ``erased_at`` are None for never; they assume no further use.
    """

    id: int
    uid: str
    content: str
    state: str
    verdict: str
    partition: str
    curve: str
    formula: str
    half_life_days: float
    importance: float
    k_importance: float
    importance_factor: float
    access_count: int
    k_access: float
    access_factor: float
    time_constant_days: float
    true_half_life_days: float
    last_accessed_at: int
    last_access_in_future: bool
    idle_days: float
    retention: float
    threshold: float
    min_retention_days: float
    lifetime_days: float | None
    decided_by: str  # threshold, floor, expires_at, ttl, pinned, disabled, nothing
    due: bool
    forgotten_at: int | None
    erased_at: int | None
    origins: dict[str, str]


@dataclass(frozen=True, slots=True)
class Stats:
    """Totals of a store. Every state is listed, also with none in it."""

    total: int
    by_state: dict[str, int]
    by_partition: dict[str, int]  # live ones
    by_retention: dict[str, int]  # live ones, in bands
    pinned: int
    due: int
    tombstones: int
    sweeps: int
    last_sweep_at: int | None
    size_bytes: int


@dataclass(frozen=True, slots=True)
class PolicyView:
    """One partition's policy: what it is, where each field comes from, what it would inherit.

    The inbox is never swept: its numbers are None.
    """

    partition: str
    live: int
    enabled: bool
    half_life_days: float | None
    true_half_life_days: float | None
    k_importance: float | None
    k_access: float | None
    threshold: float | None
    min_retention_days: float | None
    neutral_lifetime_days: float | None  # importance 0, never accessed
    origins: dict[str, str]
    override: dict[str, Any]
    inherited: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Preview:
    """What the next sweep takes from a partition under a policy, and what the saved one takes."""

    partition: str
    live: int
    candidate: dict[str, Any]
    forgotten: int
    forgotten_now: int
    memories: tuple[Ending, ...]
