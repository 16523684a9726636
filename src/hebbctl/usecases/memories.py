"""Store, show, list, shelve, bring back and erase memories."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from hebbctl import fields, policies
from hebbctl.errors import MemoryNotFound, Refused, WrongUsage
from hebbctl.models import Added, Change, Draft, Filters, Memory
from hebbctl.store import Store
from hebbctl.usecases import names

Confirm = Callable[[str], bool]

BATCH = 500  # memories at once: little to hold, and other writers wait some ten milliseconds


def add(
    store: Store,
    content: str,
    *,
    partition: str | None = None,
    kind: str | None = None,
    importance: float = 5.0,
    tags: Sequence[str] = (),
    source: str | None = None,
    scope: tuple[str, str] = ("global", "global"),
    session: str | None = None,
    pinned: bool = False,
    ttl_ms: int | None = None,
    expires_at: int | None = None,
    force: bool = False,
    most_bytes: float = math.inf,
    most_store_bytes: float = 0,
) -> Added:
    """Store one memory, unless the same text is live in the same partition and scope.

    Without a partition the kind chooses it.
    """
    kind = kind and names.spelling(store, "kind", kind)
    draft = Draft(
        content=fields.content(content, most_bytes=most_bytes),
        partition=partition or policies.PARTITION_OF_KIND.get(kind or "", policies.NOTES),
        kind=kind,
        importance=importance,
        tags=names.tags(store, tags),
        source=source,
        scope=names.spelling(store, "scope", scope[0]),
        scope_kind=scope[1],
        session=session,
        pinned=pinned,
        ttl_ms=ttl_ms,
        expires_at=expires_at,
    )
    memory, existing = store.memories.add(draft, force=force, most_store_bytes=most_store_bytes)
    return Added(memory, existing)


def show(store: Store, reference: str) -> Memory:
    return store.memories.get(store.memories.resolve(reference))


def listing(store: Store, filters: Filters, *, sort: str, limit: int | None) -> Iterator[Memory]:
    """Return the memories that pass the filters in this order, looked up as they are asked for."""
    ids = store.memories.chosen(filters, sort=sort, limit=-1 if limit is None else limit)
    for start in range(0, len(ids), BATCH):
        yield from store.memories.get_all(ids[start : start + BATCH])


def strengthen(store: Store, used: Sequence[Memory]) -> None:
    """Count one use of each, and reset its clock.

    Raises:
        StoreError: at once, where another process is writing.
    """
    if used:
        store.memories.strengthen([memory.id for memory in used])


def restore_used(store: Store, shown: Sequence[Memory], *, anchor: float) -> None:
    """Bring back archived memories because they were used; one whose key is taken stays there.

    Raises:
        StoreError: at once, where another process is writing.
    """
    for memory in shown:
        with suppress(Refused), store.transaction(wait=False):
            store.sweeps.restore([memory.id], reason="used", anchor=anchor)


def archive(store: Store, references: Sequence[str], *, force: bool) -> Change:
    """Shelve memories. Those that are shelved already stay as they are."""
    ids = resolved(store, references)
    _refuse_pinned(store, ids, "archive", force=force)
    return change_of(store, "archived", ids, store.sweeps.archive(ids))


def restore(
    store: Store, references: Sequence[str], *, sweep: int | None, anchor: float = 1.0
) -> Change:
    """Bring archived memories back, by reference or all that one sweep shelved.

    An erased one comes back by reference if a copy was kept. Below 1, ``anchor`` is what is
    retained of them; they fade from there until they are used.
    """
    if sweep is not None:
        ids, reason = store.sweeps.taken_by(sweep), f"sweep {sweep}"
        restored = store.sweeps.restore(ids, reason=reason, anchor=anchor)
        return change_of(store, "restored", ids, restored)
    here, erased = _here_or_erased(store, references)
    with store.transaction():
        restored = store.sweeps.restore(here, reason="by hand", anchor=anchor)
        if erased:
            store.copies.restore(erased, anchor=anchor)
    return change_of(store, "restored", here + erased, restored + erased)


def _here_or_erased(store: Store, references: Sequence[str]) -> tuple[list[int], list[int]]:
    """Return the ids of memories that are here, and of erased ones of which a copy is kept."""
    here: dict[int, None] = {}
    erased: dict[int, None] = {}
    for reference in references:
        try:
            here[store.memories.resolve(reference)] = None
        except MemoryNotFound:
            erased[store.copies.of(reference)] = None
    return list(here), list(erased)


def selected(
    store: Store, selection: Filters, query: str | None, *, ended: bool = False
) -> list[int]:
    """Return what passes the filters and holds every word of a query, archived ones too, by id.

    With ``ended`` only what was to end with its session: not what was promoted or pinned since.

    Raises:
        WrongUsage: the query holds no word, or too many to look for all of them.
    """
    found = _holding(store, selection, query)
    if not ended:
        return found
    return [memory.id for memory in store.memories.get_all(found) if _ends_with_session(memory)]


def _ends_with_session(memory: Memory) -> bool:
    return memory.scope_kind == "session" and memory.promoted_at is None and not memory.pinned


def _holding(store: Store, selection: Filters, query: str | None) -> list[int]:
    from hebbctl import ranking, text  # which adding need not load

    if query is None:
        return sorted(store.memories.chosen(selection))
    strict = [words for match, words in ranking.expressions(query) if match == "all"]
    if not strict:
        raise WrongUsage(
            f"--query needs one word at least and {ranking.MOST_WORDS} at most",
            hint="select by other options, or by ids",
        )
    found = [hit.id for hit in store.search.matches(strict[0], selection, limit=-1)]
    # The index knows stems, and no stop words: what is erased must hold the words themselves.
    exact = [one.id for one in store.memories.get_all(found) if text.holds(one.content, query)]
    return sorted(exact)


def forget(
    store: Store,
    ids: Sequence[int],
    *,
    reason: str,
    force: bool,
    dry_run: bool,
    confirm: Confirm,
    keep_copy: bool = False,
) -> Change:
    """Erase memories for good, some hundred in each transaction; with ``keep_copy`` restorably.

    Raises:
        Refused: one is pinned, or there are several and ``confirm`` says no. Nothing is erased.
    """
    chosen = tuple(store.memories.get_all(ids))
    if dry_run or not chosen:
        return Change("erased", chosen, dry_run=dry_run, copies_kept=keep_copy and bool(chosen))
    _refuse_pinned(store, ids, "forget", force=force)
    if len(ids) > 1 and not confirm(f"Erase {len(ids)} memories for good?"):
        raise Refused(
            f"erasing {len(ids)} memories needs a confirmation", hint="add --yes; none was erased"
        )
    for start in range(0, len(ids), BATCH):
        store.sweeps.erase(ids[start : start + BATCH], reason=reason, keep_copy=keep_copy)
    wiped, left = store.finish_erasing([memory.uid for memory in chosen])
    return Change(
        "erased",
        chosen,
        erasure_pending=not wiped,
        backups_left=tuple(map(str, left)),
        copies_kept=keep_copy,
    )


def resolved(store: Store, references: Sequence[str]) -> list[int]:
    """Return the ids of what a user typed, each once, in that order."""
    return list(dict.fromkeys(store.memories.resolve(reference) for reference in references))


def _refuse_pinned(store: Store, ids: Sequence[int], verb: str, *, force: bool) -> None:
    pinned = [] if force else store.memories.pinned(ids)
    if pinned:
        which = ", ".join(map(str, pinned))
        raise Refused(f"pinned: {which}", hint=f"'hebb {verb} --force' takes pinned memories, too")


def change_of(
    store: Store, action: str, ids: Sequence[int], changed: Sequence[int], *, dry_run: bool = False
) -> Change:
    """Return what a command did to some memories, which of them it changed and which not."""
    touched = set(changed)
    found = store.memories.get_all(ids)
    return Change(
        action,
        tuple(memory for memory in found if memory.id in touched),
        tuple(memory for memory in found if memory.id not in touched),
        dry_run,
    )
