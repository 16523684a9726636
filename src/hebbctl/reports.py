"""Whole answers of single commands: apart from models, as no other command need load them."""

from typing import Any, NamedTuple

from hebbctl.models import Ending


class Project(NamedTuple):
    """A project's store just made, or found there, and the store that a run from here uses."""

    path: str
    existing: bool
    in_use: str
    origin: str  # what chose the one in use


class NamedPlace(NamedTuple):
    """One file or folder of hebb's, and what says that it is there."""

    name: str
    path: str
    exists: bool
    origin: str


class PlacesReport(NamedTuple):
    """Everything that is read and written, and the project around the working directory."""

    places: tuple[NamedPlace, ...]
    project: str | None
    scope: str  # of what is added from here


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


class ForecastedSweep(NamedTuple):
    """What one coming sweep takes. ``needs_yes``: it refuses to erase so much unasked."""

    day: int  # 0 is now
    sweep_at: int
    archived: int
    erased: int
    needs_yes: bool


class Forecasted(NamedTuple):
    """A memory as the sweep that takes it will see it."""

    day: int
    sweep_at: int
    ending: Ending


class Forecast(NamedTuple):
    """The coming sweeps that take something, and what they take, in their order."""

    from_at: int
    days: int
    partition: str | None
    sweeps: tuple[ForecastedSweep, ...]
    memories: tuple[Forecasted, ...]


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
    decided_by: str  # threshold, floor, expires_at, ttl, pinned, disabled, nothing, archived
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


class Curve(NamedTuple):
    """Retention over idle days of one memory, or of a typical one (``name``, no ``id``).

    ``forgotten_after_days`` says when it fades; it is None for never. ``points`` are (day,
    retention) from day 0 on, evenly spaced.
    """

    name: str | None
    id: int | None
    importance: float
    access_count: int
    time_constant_days: float
    true_half_life_days: float
    forgotten_after_days: float | None
    decided_by: str  # as in an Explanation
    idle_days: float | None
    retention: float | None
    points: tuple[tuple[float, float], ...]


class Curves(NamedTuple):
    """Curves under one policy, over the same ``days``. ``verdict`` is that of the one memory."""

    partition: str
    policy: dict[str, Any]
    threshold: float
    days: float
    verdict: str | None
    curves: tuple[Curve, ...]


class Need(NamedTuple):
    """The smallest value of one field that is enough, the others being given.

    ``smallest`` is None where no value that the field may have is enough.
    """

    given: dict[str, float]
    needs: str
    smallest: float | None


class Needs(NamedTuple):
    """What it takes under one policy to survive so many idle days."""

    partition: str
    policy: dict[str, Any]
    threshold: float
    keep_days: float
    needs: tuple[Need, ...]


class Matrix(NamedTuple):
    """Days until a memory is forgotten: a row for each importance, a column for each access count.

    None is never.
    """

    partition: str
    policy: dict[str, Any]
    importances: tuple[float, ...]
    access_counts: tuple[int, ...]
    days: tuple[tuple[float | None, ...], ...]


class Check(NamedTuple):
    """One thing the doctor looked at. ``hint`` is the next step, None where there is none."""

    name: str
    status: str  # ok, note, problem
    count: int  # type: ignore[assignment]  # hides tuple.count: the name is the JSON contract
    message: str
    hint: str | None = None


class DoctorReport(NamedTuple):
    """How a store is. ``ok`` means no problem; ``fixed`` says what this run mended, in words."""

    ok: bool
    store: str
    checks: tuple[Check, ...]
    fixed: tuple[str, ...] = ()


class Backup(NamedTuple):
    """A copy of a store. Times and numbers are None where it cannot be read or does not say."""

    path: str
    made_at: int | None
    memories: int | None
    size_bytes: int


class RestoreReport(NamedTuple):
    """What a backup put in place brought, and where what was there before is now."""

    store: str
    file: str
    memories: int
    stayed_erased: int  # memories of the backup that were erased here since
    saved: str | None  # a backup of the store before
    set_aside: str | None  # the store before, where it was damaged
