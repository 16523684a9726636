"""Show, list, shelve, bring back and erase memories."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path

from hebbctl.errors import MemoryNotFound, Refused, WrongUsage
from hebbctl.models import PRESENT, Change, Filters, Memory, Settings
from hebbctl.store import Store
from hebbctl.text import counted

Confirm = Callable[[str], bool]

BATCH = 500  # memories at once: little to hold, and other writers wait some ten milliseconds


def show(store: Store, reference: str) -> Memory:
    return store.memories.get(store.memories.resolve(reference))


def listing(store: Store, filters: Filters, *, sort: str, limit: int | None) -> Iterator[Memory]:
    """Return the memories that pass the filters in this order, looked up as they are asked for."""
    ids = store.memories.chosen(filters, sort=sort, limit=-1 if limit is None else limit)
    for start in range(0, len(ids), BATCH):
        yield from store.memories.get_all(ids[start : start + BATCH])


def strengthen(store: Store, used: Sequence[Memory], settings: Settings) -> None:
    """Count one use of each, reset its clock, and join those that were used together.

    Raises:
        StoreError: at once, where another process is writing.
    """
    if not used:
        return
    ids = [memory.id for memory in used]
    with store.transaction(wait=False):
        store.memories.strengthen(ids)
        use_together(store, ids, settings)


def use_together(store: Store, ranked: Sequence[int], settings: Settings) -> None:
    """Strengthen the edges between memories that were used at once, the best first."""
    if len(ranked) > 1:
        store.graph.use_together(
            ranked,
            weight=1.0,
            most_pairs=settings.values["graph_pairs_per_recall"],
            most_edges=settings.values["graph_edges_per_memory"],
        )


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
    settle(store, ids)
    behind = store.successions.coming_back(ids)
    archived = store.sweeps.archive(ids)
    return with_returned(store, change_of(store, "archived", ids, archived), behind)


def restore(
    store: Store,
    references: Sequence[str],
    *,
    sweep: int | None,
    anchor: float = 1.0,
    force: bool = False,
    dry_run: bool = False,
) -> Change:
    """Bring archived memories back, by reference or all that one sweep shelved.

    An erased one comes back by reference if a copy was kept. Below 1, ``anchor`` is what is
    retained of them; they fade from there until they are used.

    Raises:
        Refused: another memory stands in the place of one. ``force`` supersedes that one in turn.
    """
    if sweep is not None:
        ids, reason = store.sweeps.taken_by(sweep), f"sweep {sweep}"
        erased: list[int] = []
    else:
        (ids, erased), reason = _here_or_erased(store, references), "by hand"
    if dry_run:
        return _would_restore(store, ids, erased, force=force)
    rivals = [one for memory_id in ids for one in store.successions.rivals(memory_id).current]
    with store.transaction() if ids or erased else nullcontext():
        restored = store.sweeps.restore(ids, reason=reason, anchor=anchor, force=force)
        if erased:
            store.copies.restore(erased, anchor=anchor)
    change = change_of(store, "restored", ids + erased, restored + erased)
    superseded = store.memories.get_all(sorted(set(rivals))) if force else []
    return change._replace(
        superseded=tuple(one for one in superseded if one.archived_reason == "superseded")
    )


def _would_restore(
    store: Store, ids: Sequence[int], erased: Sequence[int], *, force: bool
) -> Change:
    archived = store.sweeps.archived(ids)
    claims = [store.successions.giving_way(memory_id, force=force) for memory_id in archived]
    rivals = {one for claim in claims for one in claim.current}
    change = change_of(store, "restored", ids, archived, dry_run=True)
    return change._replace(
        changed=(*change.changed, *store.copies.kept(erased)),
        superseded=tuple(store.memories.get_all(sorted(rivals))),
    )


def settle(store: Store, ids: Sequence[int]) -> None:
    """Make live in the store what is live again to readers, before it is changed."""
    if store.writable:
        store.successions.settle(ids)


def with_returned(store: Store, change: Change, behind: Sequence[int]) -> Change:
    """Add to what a command did those of some memories that are live again after it."""
    found = store.memories.get_all(sorted(set(behind)))
    return change._replace(returned=tuple(one for one in found if one.state in PRESENT))


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
    if len(ids) > 1:
        _ask(chosen, confirm)
    behind = store.successions.coming_back(ids)
    wiped, left = _erased(
        store, ids, reason, uids=[memory.uid for memory in chosen], keep_copy=keep_copy
    )
    change = Change(
        "erased",
        chosen,
        erasure_pending=not wiped,
        backups_left=tuple(map(str, left)),
        copies_kept=keep_copy,
    )
    return with_returned(store, change, behind)


def _ask(chosen: Sequence[Memory], confirm: Confirm) -> None:
    from hebbctl.usecases import asking

    what = counted(len(chosen), "memory")
    if not confirm(asking.about(chosen, len(chosen), f"Erase {what} for good?")):
        raise Refused(f"erasing {what} needs a confirmation", hint="add --yes; none was erased")


def _erased(
    store: Store, ids: Sequence[int], reason: str, *, uids: Sequence[str], keep_copy: bool
) -> tuple[bool, list[Path]]:
    from hebbctl.usecases.partly import batches, partly

    done, total = 0, math.ceil(len(ids) / BATCH)
    with partly(lambda: batches(done, total, {"erased": min(done * BATCH, len(ids))})):
        for start in range(0, len(ids), BATCH):
            store.sweeps.erase(ids[start : start + BATCH], reason=reason, keep_copy=keep_copy)
            done += 1
        return store.finish_erasing(uids)


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
