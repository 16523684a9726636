"""Store, show, list, shelve, bring back and erase memories."""

from collections.abc import Callable, Sequence

from hebbctl import fields, policies
from hebbctl.errors import Refused
from hebbctl.models import Added, Change, Draft, Filters, Memory
from hebbctl.store import Store

Confirm = Callable[[str], bool]


def add(
    store: Store,
    content: str,
    *,
    partition: str | None = None,
    kind: str | None = None,
    importance: float = 5.0,
    tags: Sequence[str] = (),
    source: str | None = None,
    scope: str | None = None,
    pinned: bool = False,
    force: bool = False,
) -> Added:
    """Store one memory, unless the same text is live in the same partition and scope.

    Without a partition the kind chooses it.
    """
    draft = Draft(
        content=fields.content(content),
        partition=partition or policies.PARTITION_OF_KIND.get(kind or "", policies.NOTES),
        kind=kind,
        importance=importance,
        tags=tuple(dict.fromkeys(tags)),
        source=source,
        scope=scope or "global",
        scope_kind="project" if scope and scope != "global" else "global",
        pinned=pinned,
    )
    memory, existing = store.memories.add(draft, force=force)
    return Added(memory, existing)


def show(store: Store, reference: str) -> Memory:
    return store.memories.get(store.memories.resolve(reference))


def listing(store: Store, filters: Filters, *, sort: str, limit: int | None) -> list[Memory]:
    return store.memories.listing(filters, sort=sort, limit=-1 if limit is None else limit)


def strengthen(store: Store, used: Sequence[Memory]) -> None:
    """Count one use of each, and reset its clock.

    Raises:
        StoreError: at once, where another process is writing.
    """
    store.memories.strengthen([memory.id for memory in used])


def archive(store: Store, references: Sequence[str], *, force: bool) -> Change:
    """Shelve memories. Those that are shelved already stay as they are."""
    ids = _resolved(store, references)
    _refuse_pinned(store, ids, "archive", force=force)
    return _change(store, "archived", ids, store.sweeps.archive(ids))


def restore(store: Store, references: Sequence[str], *, sweep: int | None) -> Change:
    """Bring archived memories back, by reference or all that one sweep shelved."""
    if sweep is not None:
        ids, reason = store.sweeps.taken_by(sweep), f"sweep {sweep}"
    else:
        ids, reason = _resolved(store, references), "by hand"
    return _change(store, "restored", ids, store.sweeps.restore(ids, reason=reason))


def forget(
    store: Store, references: Sequence[str], *, force: bool, dry_run: bool, confirm: Confirm
) -> Change:
    """Erase memories for good.

    Raises:
        Refused: one is pinned, or there are several and ``confirm`` says no. Nothing is erased.
    """
    ids = _resolved(store, references)
    _refuse_pinned(store, ids, "forget", force=force)
    chosen = tuple(store.memories.get_all(ids))
    if dry_run:
        return Change("erased", chosen, dry_run=True)
    if len(ids) > 1 and not confirm(f"Erase {len(ids)} memories for good?"):
        raise Refused(
            f"erasing {len(ids)} memories needs a confirmation", hint="add --yes; none was erased"
        )
    store.sweeps.erase(ids, reason="by hand")
    wiped, left = store.finish_erasing([memory.uid for memory in chosen])
    return Change("erased", chosen, erasure_pending=not wiped, backups_left=tuple(map(str, left)))


def _resolved(store: Store, references: Sequence[str]) -> list[int]:
    return list(dict.fromkeys(store.memories.resolve(reference) for reference in references))


def _refuse_pinned(store: Store, ids: Sequence[int], verb: str, *, force: bool) -> None:
    pinned = [] if force else store.memories.pinned(ids)
    if pinned:
        which = ", ".join(map(str, pinned))
        raise Refused(f"pinned: {which}", hint=f"'hebb {verb} --force' takes pinned memories, too")


def _change(store: Store, action: str, ids: Sequence[int], changed: Sequence[int]) -> Change:
    touched = set(changed)
    found = store.memories.get_all(ids)
    return Change(
        action,
        tuple(memory for memory in found if memory.id in touched),
        tuple(memory for memory in found if memory.id not in touched),
    )
