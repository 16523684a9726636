"""Whole answers of single commands, apart from those that one use case defines beside itself."""

from typing import Any, NamedTuple

from hebbctl.models import Ending


class AuditEntry(NamedTuple):
    """One thing done: erased, shelved, brought back, promoted, edited, or a setting changed.

    Of a content it holds only a hash under the store's own key: equal texts have equal hashes.
    """

    id: int
    done_at: int
    actor: str  # cli, cron, mcp, rest
    action: str
    reason: str | None
    memory_id: int | None
    uid: str | None
    sweep_id: int | None
    content_hash: str | None
    policy: dict[str, Any] | None  # the figures of that moment


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
    needs_yes: bool = False  # of a dry run: the sweep would refuse to erase so much unasked
    backups_left: tuple[str, ...] = ()  # that may still hold what was erased
    restored: int = 0  # live again, as a temporary memory that superseded them ended
    spared: int = 0  # archived, not erased: so many are not erased unasked
    copies_kept: bool = False  # in the audit, as ``restorable`` says


class CopiesErased(NamedTuple):
    """The erased memories, by id, of which no copy is kept any more."""

    dry_run: bool
    copies: tuple[int, ...]
    erasure_pending: bool = False
    backups_left: tuple[str, ...] = ()


class ImportReport(NamedTuple):
    """What became of the lines of a file."""

    stored: int
    existing: int
    replaced: int  # by --replace
    deleted: int  # erased here before, and so left out
    replaced_characters: int
    unknown_fields: tuple[str, ...]  # kept in metadata
    rejected: tuple[tuple[int, str], ...]  # line from 1, reason
    erasure_pending: bool = False
    backups_left: tuple[str, ...] = ()
    edges_left_out: int = 0  # their other end is not here


class EmbedReport(NamedTuple):
    """What became of the vectors of a model. ``left`` counts the memories still without one."""

    model: str
    made: int  # of a dry run: what would be
    left: int
    removed: int = 0
    dry_run: bool = False


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
    source: str  # of the formula
    half_life_days: float
    importance: float
    k_importance: float
    importance_factor: float
    access_count: int
    k_access: float
    access_factor: float
    strength: float
    frequency: float
    time_constant_days: float
    true_half_life_days: float
    last_accessed_at: int
    last_access_in_future: bool
    idle_since_at: int
    idle_days: float
    anchor: float  # what was retained when the idle time began
    arithmetic: str
    retention: float
    gain: float  # vitality / retention
    vitality: float
    threshold: float
    stale_threshold: float
    min_retention_days: float
    lifetime_days: float | None
    decided_by: str
    # threshold, floor, expires_at, ttl, lifetime, pinned, disabled, nothing, archived
    due: bool
    stale_at: int | None
    forgotten_at: int | None
    erased_at: int | None
    origins: dict[str, str]
    returns_at: int | None = None  # of a superseded one: when its temporary successor has ended


class Stats(NamedTuple):
    """Totals of a store. Every state is listed, also with none in it."""

    total: int
    by_state: dict[str, int]
    by_partition: dict[str, int]  # live ones
    by_retention: dict[str, int]  # live ones, in bands
    by_term: dict[str, float]  # live ones and their share, where a curve weighs vitality
    by_vitality: dict[str, int]  # likewise, in bands
    pinned: int
    due: int
    tombstones: int
    next_expiry_at: int | None  # the earliest fixed one of a live memory
    sweeps: int
    last_sweep_at: int | None
    last_audit: int | None  # the newest entry of the audit, by its id
    size_bytes: int
    tokens: int | None  # of all live texts, estimated; None where they are too many
    graph: dict[str, Any]  # edges between live memories, these, and two means
    injections: dict[str, Any]  # noted where inject renews


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
    curve: str
    stale_threshold: float | None
    on_forget: str
    default_ttl_days: float | None
    max_lifetime_days: float | None
    beta: float | None
    growth: str
    growth_factor: float | None
    time_unit: str
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


class Backup(NamedTuple):
    """A copy of a store. Times and numbers are None where it cannot be read or does not say."""

    path: str
    made_at: int | None
    memories: int | None
    size_bytes: int
