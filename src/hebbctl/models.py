"""Values passed between layers: frozen, typed, without behaviour.

Named tuples: eighteen frozen dataclasses cost 17 ms at every start, these 3.
"""

from typing import Any, NamedTuple


class Memory(NamedTuple):
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


class Filters(NamedTuple):
    """Which memories a reading command looks at. None and () let everything through."""

    partition: str | None = None
    kind: str | None = None
    scope: str | None = None
    tags: tuple[str, ...] = ()
    since: int | None = None  # created at or after
    until: int | None = None  # created before
    archived: bool = False  # the archive instead of what is live


class Policy(NamedTuple):
    """How one partition forgets. Nothing is forgotten while ``enabled`` is false."""

    half_life_days: float
    k_importance: float
    k_access: float
    threshold: float
    min_retention_days: float
    enabled: bool = True


class Hit(NamedTuple):
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


class Ending(NamedTuple):
    """A memory that a sweep takes, as it was before, and what ends it."""

    memory: Memory
    reason: str  # expired, ttl, faded, archive
    threshold: float | None  # of retention, where that decided
    outcome: str  # archived, erased


class SettingValue(NamedTuple):
    """A setting, its value now, and where that came from: default, file or environment."""

    name: str
    value: float | str
    origin: str
    default: float | str
    help: str


class Settings(NamedTuple):
    """What one run goes by: every setting by name, and each partition's override by field."""

    values: dict[str, Any]
    overrides: dict[str, dict[str, Any]]
    unknown: tuple[str, ...]  # keys in the file that mean nothing to this version


class Added(NamedTuple):
    """A memory just stored, or the one of the same text that was there already."""

    memory: Memory
    existing: bool


class Change(NamedTuple):
    """What a command did to chosen memories. ``unchanged`` were in that state already."""

    action: str  # archived, restored, erased
    changed: tuple[Memory, ...]
    unchanged: tuple[Memory, ...] = ()
    dry_run: bool = False
    erasure_pending: bool = False


class SweepReport(NamedTuple):
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


class ImportReport(NamedTuple):
    """What became of the lines of a file."""

    stored: int
    existing: int
    deleted: int  # erased here before, and so left out
    replaced_characters: int
    unknown_fields: tuple[str, ...]  # kept in metadata
    rejected: tuple[tuple[int, str], ...]  # line from 1, reason


class Explanation(NamedTuple):
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


class Stats(NamedTuple):
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


class PolicyView(NamedTuple):
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


class Preview(NamedTuple):
    """What the next sweep takes from a partition under a policy, and what the saved one takes."""

    partition: str
    live: int
    candidate: dict[str, Any]
    forgotten: int
    forgotten_now: int
    memories: tuple[Ending, ...]
