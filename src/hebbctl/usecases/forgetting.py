"""The sweep: what has ended is shelved, what was shelved long enough is erased."""

from collections.abc import Callable
from itertools import groupby, islice

from hebbctl.errors import Refused
from hebbctl.models import PRESENT, Ending, Settings
from hebbctl.policies import PolicyOf
from hebbctl.reports import SweepReport
from hebbctl.store import Store
from hebbctl.store.sweeps import Due
from hebbctl.text import counted
from hebbctl.usecases import asking
from hebbctl.usecases.partly import batches, partly

BATCH = 500  # memories in one transaction: other writers wait some ten milliseconds
ALWAYS_ALLOWED = 20  # an erasing sweep of so few needs no confirmation

Confirm = Callable[[str], bool]
Progress = Callable[[int, int], None]
Plan = list[tuple[Due, str]]  # what ends, and its outcome: archived or erased


def sweep(
    store: Store,
    settings: Settings,
    policy_of: PolicyOf,
    *,
    threshold: float | None,
    partition: str | None,
    purge: bool,
    dry_run: bool,
    confirm: Confirm,
    progress: Progress,
    spare: bool = False,
) -> SweepReport:
    """End what is due now, or only say what would end.

    With ``spare``, for runs that nobody watches, it archives what else it would refuse to erase.

    Raises:
        Refused: it would erase more than a sweep may unasked, and ``confirm`` says no. Nothing
            was changed.
    """
    plan = _plan(store, settings, policy_of, threshold=threshold, partition=partition, purge=purge)
    doomed = _doomed(plan, purge=purge)
    refusal = _refusal(store, len(doomed), settings, purge=purge)
    spared: set[int] = set()
    if refusal and spare and not purge:
        plan, spared, refusal = *_spared(plan), None
    if dry_run:
        endings = _endings(store, plan, policy_of, threshold) + _returns(store, plan)
        report = _report(None, endings, threshold, partition, dry_run=True)
        copied = bool(report.erased and settings.values["restorable"])
        return report._replace(
            needs_yes=refusal is not None, spared=len(spared), copies_kept=copied
        )
    if refusal and not confirm(_question(store, doomed, refusal)):
        raise refusal
    if rows := settings.values["audit_max_rows"]:
        store.audit.trim(rows)
    if not plan:
        return _report(None, [], threshold, partition)
    keep_copy = settings.values["restorable"]
    run = _Run(store, policy_of, threshold=threshold, partition=partition, keep_copy=keep_copy)
    returns = _returns(store, plan)
    with partly(run.told):
        run.take(plan, progress)
        run.endings += _came_back(store, returns)
        erased = [ending.memory.uid for ending in run.endings if ending.outcome == "erased"]
        wiped, left = store.finish_erasing(erased) if erased else (True, [])
    report = _report(run.number, run.endings, threshold, partition, erasure_pending=not wiped)
    kept = sum(ending.memory.id in spared for ending in run.endings)
    copied = bool(erased and keep_copy)
    return report._replace(backups_left=tuple(map(str, left)), spared=kept, copies_kept=copied)


class _Run:
    """Takes what a plan names, batch by batch. It has no number until it has taken something."""

    def __init__(
        self,
        store: Store,
        policy_of: PolicyOf,
        *,
        threshold: float | None,
        partition: str | None,
        keep_copy: bool,
    ) -> None:
        self._store = store
        self._policy_of = policy_of
        self._threshold = threshold
        self._partition = partition
        self._keep_copy = keep_copy
        self._done = self._total = 0  # batches
        self.number: int | None = None
        self.endings: list[Ending] = []

    def take(self, plan: Plan, progress: Progress) -> None:
        found = _batches(plan)
        self._total = len(found)
        for outcome, batch in found:
            pairs = [(due, outcome) for due in batch]
            before = _endings(self._store, pairs, self._policy_of, self._threshold)
            taken = set(self._take(outcome, batch))
            self.endings += [ending for ending in before if ending.memory.id in taken]
            self._done += 1
            progress(len(self.endings), len(plan))

    def _take(self, outcome: str, batch: list[Due]) -> list[int]:
        """Take one batch; the first brings the number, so that no number is without a memory."""
        sweeps = self._store.sweeps
        with self._store.transaction():
            number = self.number or sweeps.begin(
                threshold=self._threshold, partition=self._partition
            )
            taken = sweeps.take(
                batch,
                outcome=outcome,
                sweep_id=number,
                threshold=self._threshold,
                keep_copy=self._keep_copy,
            )
            sweeps.take_back(number)  # if another sweep came first
        self.number = number if taken else self.number
        return taken

    def told(self) -> str:
        counts = {
            outcome: sum(ending.outcome == outcome for ending in self.endings)
            for outcome in ("archived", "erased")
        }
        under = f" under sweep {self.number}" if self.number else ""
        return batches(self._done, self._total, counts, under)


def _plan(
    store: Store,
    settings: Settings,
    policy_of: PolicyOf,
    *,
    threshold: float | None,
    partition: str | None,
    purge: bool,
) -> Plan:
    """Return what ends: first what is archived, then what is erased, then the archive's own end."""
    archive_days = None if purge else settings.values["archive_days"]
    due = store.sweeps.due(threshold=threshold, partition=partition)
    over = store.sweeps.archive_due(archive_days=archive_days, partition=partition)
    doomed = {one.id for one in due if purge or policy_of(one.partition).on_forget == "erase"}
    return [
        *((one, "archived") for one in due if one.id not in doomed),
        *((one, "erased") for one in due if one.id in doomed),
        *((one, "erased") for one in over),
    ]


def _doomed(plan: Plan, *, purge: bool) -> list[int]:
    """Return what would be erased although nobody was told of its day before."""
    doomed = [due for due, outcome in plan if outcome == "erased"]
    # The archive's own end was announced when it was archived.
    return [due.id for due in doomed if purge or due.reason != "archive"]


def _refusal(store: Store, count: int, settings: Settings, *, purge: bool) -> Refused | None:
    """Return why a sweep must not run unasked: it erases a large share, or an archive too early."""
    live = store.sweeps.live_count() if count else 0
    if not count or (may_erase(count, live, settings) and not purge):
        return None
    share = settings.values["gc_max_share"]
    why = "" if purge else f" of {live} live ones, more than gc_max_share {share:g}"
    return Refused(
        f"this sweep would erase {counted(count, 'memory')}{why}",
        hint="add --yes to do it, --dry-run to see which; nothing was changed",
    )


def _question(store: Store, doomed: list[int], refusal: Refused) -> str:
    first = store.memories.get_all(doomed[: asking.MOST_SHOWN])
    return asking.about(first, len(doomed), f"{refusal}: go on?".capitalize())


def _spared(plan: Plan) -> tuple[Plan, set[int]]:
    """Return a plan that erases nothing but the archive's own end, and whom that saves."""
    spared = {due.id for due, outcome in plan if outcome == "erased" and due.reason != "archive"}
    return [(due, "archived" if due.id in spared else outcome) for due, outcome in plan], spared


def may_erase(count: int, live: int, settings: Settings) -> bool:
    """Say whether a sweep may erase so many of the live memories without being asked."""
    share: float = settings.values["gc_max_share"]
    return count <= max(ALWAYS_ALLOWED, share * live)


def _batches(plan: Plan) -> list[tuple[str, list[Due]]]:
    found = []
    for outcome, pairs in groupby(plan, key=lambda pair: pair[1]):
        dues = (due for due, _ in pairs)
        while batch := list(islice(dues, BATCH)):
            found.append((outcome, batch))
    return found


def _endings(
    store: Store, plan: Plan, policy_of: PolicyOf, threshold: float | None
) -> list[Ending]:
    memories = {memory.id: memory for memory in store.memories.get_all([due.id for due, _ in plan])}
    endings = []
    for due, outcome in plan:
        if memory := memories.get(due.id):
            limit = policy_of(memory.partition).threshold if threshold is None else threshold
            deciding = limit if due.reason == "faded" else None
            endings.append(Ending(memory, due.reason, deciding, outcome))
    return endings


def _returns(store: Store, plan: Plan) -> list[Ending]:
    """Return what comes back because a temporary memory that had superseded it ends."""
    ending = [due.id for due, _ in plan]
    back = [one for one in store.successions.coming_back(ending) if one not in set(ending)]
    return [
        Ending(memory, "successor", None, "restored") for memory in store.memories.get_all(back)
    ]


def _came_back(store: Store, expected: list[Ending]) -> list[Ending]:
    memories = store.memories.get_all([one.memory.id for one in expected])
    live = {memory.id for memory in memories if memory.state in PRESENT}
    return [one for one in expected if one.memory.id in live]


def _report(
    number: int | None,
    endings: list[Ending],
    threshold: float | None,
    partition: str | None,
    *,
    dry_run: bool = False,
    erasure_pending: bool = False,
) -> SweepReport:
    return SweepReport(
        sweep=number,
        dry_run=dry_run,
        threshold=threshold,
        partition=partition,
        forgotten=sum(ending.reason not in ("archive", "successor") for ending in endings),
        archived=sum(ending.outcome == "archived" for ending in endings),
        erased=sum(ending.outcome == "erased" for ending in endings),
        erasure_pending=erasure_pending,
        memories=tuple(endings),
        restored=sum(ending.outcome == "restored" for ending in endings),
    )
