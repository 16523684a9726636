"""Facts that change: a memory takes the place of another, and who may be trusted to do so."""

from collections.abc import Sequence

from hebbctl.errors import Refused, WrongUsage
from hebbctl.models import PRESENT, Added, Change, Draft, Memory
from hebbctl.store import Store
from hebbctl.usecases.memories import change_of, resolved, settle, with_returned


def add(
    store: Store,
    draft: Draft,
    *,
    replaces: str | None,
    force: bool,
    most_store_bytes: float = 0,
) -> Added:
    """Store a memory as the current one about its key, or in the place of another.

    Raises:
        Refused: what it would supersede is pinned and ``force`` is not given, is archived, or is
            trusted while it is not; or the store would hold more than ``most_store_bytes``.
    """
    with store.deciding():
        old = None if replaces is None else replaceable(store, replaces, trusted=draft.trusted)
        if old is not None and draft.key is None:
            draft = draft._replace(key=old.key)
        if not draft.trusted and old is None:
            return Added(*store.memories.add(draft, force=force, most_store_bytes=most_store_bytes))
        added = _add(store, draft, replaces=old.id if old else None, force=force)
        if not added.existing:
            store.memories.refuse_overfull(len(draft.content.encode()), most_store_bytes)
    return added


def _add(store: Store, draft: Draft, *, replaces: int | None, force: bool) -> Added:
    own = store.successions.claim_of(draft, replaces=replaces)
    before = {one.id: one for one in store.memories.get_all(own.current)}
    if not force:
        refuse_pinned(list(before.values()), "'--force' supersedes it all the same")
    memory_id, existing, superseded = store.successions.add(draft, replaces=replaces, force=force)
    gone = [before.get(one) or store.memories.get(one) for one in superseded]
    return Added(store.memories.get(memory_id), existing, tuple(gone))


def replaceable(store: Store, reference: str, *, trusted: bool) -> Memory:
    """Return the live memory that another is to replace.

    Raises:
        Refused: it is archived, or trusted while the other is not.
    """
    old = store.memories.get(store.memories.resolve(reference))
    if old.archived_reason == "superseded":
        later = [one for one in history(store, reference) if one.state in PRESENT]
        hint = f"replace {later[-1].id} instead" if later else f"'hebb restore {old.id}' first"
        raise Refused(f"{old.id} is superseded already", hint=hint)
    if old.state == "archived":
        raise Refused(f"{old.id} is archived", hint=f"'hebb restore {old.id}' brings it back")
    if old.trusted and not trusted:
        raise Refused(
            f"{old.id} is trusted: an untrusted memory does not replace it",
            hint="give it the same --key: 'hebb trust' then lets it take effect",
        )
    return old


def refuse_pinned(memories: Sequence[Memory], hint: str) -> None:
    """Refuse to supersede what is pinned: nothing but its own expiry is to end it."""
    pinned = [str(one.id) for one in memories if one.pinned]
    if pinned:
        raise Refused(f"{', '.join(pinned)} is pinned: it is not superseded", hint=hint)


def history(store: Store, reference: str) -> list[Memory]:
    """Return a memory with what it replaced and what replaced it, the oldest first."""
    memory_id = store.memories.resolve(reference)
    return store.memories.get_all(store.successions.history(memory_id))


def trust(store: Store, references: Sequence[str], *, revoke: bool) -> Change:
    """Release memories from quarantine, or put them there again.

    A released one becomes the current one about its key, unless the current one is newer. What a
    revoked one had superseded is live again.

    Raises:
        Refused: what a released one would supersede is pinned. Nothing is changed.
    """
    with store.deciding():
        ids = resolved(store, references)
        settle(store, ids)
        memories = sorted(store.memories.get_all(ids), key=lambda one: (one.created_at, one.id))
        chosen = [one for one in memories if one.trusted == revoke]
        for memory in [] if revoke else chosen:
            _refuse_pinned_rival(store, memory)
        move = store.successions.quarantine if revoke else store.successions.release
        moved = [one for memory in chosen for one in move(memory.id)]
    changed = [one.id for one in chosen]
    if revoke:
        change = change_of(store, "quarantined", ids, changed)
        return with_returned(store, change, sorted(set(moved) - set(ids)))
    change = change_of(store, "trusted", ids, changed)
    return change._replace(superseded=tuple(store.memories.get_all(moved)))


def _refuse_pinned_rival(store: Store, memory: Memory) -> None:
    if memory.state in PRESENT:
        claim = store.successions.claim(memory.scope, memory.key, of=memory.id)
        rivals = store.memories.get_all(claim.current)
        older = [one for one in rivals if (one.created_at, one.id) < (memory.created_at, memory.id)]
        refuse_pinned(older, "'hebb unpin' lets go of it")


def take_place(
    store: Store, memory: Memory, *, key: str | None, scope: str, replaces: str | None
) -> list[int]:
    """Make an edited memory the current one about its key, inside the edit's transaction.

    Returns what it superseded.

    Raises:
        Refused: another one is current about the key, and not the one it replaces.
        WrongUsage: it would replace itself.
    """
    old = None if replaces is None else replaceable(store, replaces, trusted=memory.trusted)
    if old is not None and old.id == memory.id:
        raise WrongUsage(f"{memory.id} cannot replace itself", hint="name the older memory")
    refuse_pinned([old] if old else [], "'hebb unpin' lets go of it")
    found = store.successions.claim(scope, key if memory.trusted else None, of=memory.id)
    if others := [one for one in found.current if old is None or one != old.id]:
        raise Refused(
            f"{others[0]} is current about {key!r} in the scope {scope!r}",
            hint=f"'hebb edit {memory.id} --replaces {others[0]}' supersedes it",
        )
    claim = found._replace(current=[old.id] if old else [])
    store.successions.take_place(memory.id, claim)
    return claim.current
