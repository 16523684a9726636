"""Change memories by hand: use, edit, pin and tag them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hebbctl import fields
from hebbctl.errors import Refused
from hebbctl.models import Change, Memory, Settings
from hebbctl.store import Store
from hebbctl.usecases import names, succession
from hebbctl.usecases.memories import change_of, resolved, settle, use_together


def touch(
    store: Store, references: Sequence[str], settings: Settings, *, anchor: float | None = None
) -> Change:
    """Count one use of each, as if a recall had shown them together.

    With an ``anchor`` archived ones are restored from there instead, unless superseded.

    Raises:
        Refused: one is archived, and stays so.
    """
    named = live if anchor is None else resolved
    fallen = _fallen(store, named(store, references))
    with store.transaction():
        if fallen and anchor is not None:
            store.sweeps.restore(fallen, reason="used", anchor=anchor)
        used = live(store, references)
        store.memories.strengthen([one for one in used if one not in fallen], wait=True)
        use_together(store, used, settings)
    return change_of(store, "touched", used, used)


def _fallen(store: Store, ids: Sequence[int]) -> list[int]:
    """Return those that are archived, but not because another one took their place."""
    found = store.memories.get_all(ids)
    return [one.id for one in found if one.archived_reason in ("swept", "by hand")]


def text(store: Store, reference: str) -> str:
    """Return the text of a live memory, to be edited."""
    [memory_id] = live(store, [reference])
    return store.memories.get(memory_id).content


def draft_folder(store: Store, reference: str) -> Path:
    """Make a folder for the draft of a memory's text, which goes when the memory is erased."""
    [memory_id] = live(store, [reference])
    return store.backups.editing_folder(store.memories.get(memory_id).uid)


def refuse_id(store: Store, written: str) -> None:
    """Refuse an id where a text is expected: it would replace the text of another memory.

    Raises:
        Refused: it is one.
    """
    if store.memories.is_id(written):
        raise Refused(
            f"{written} is the id of another memory", hint="edit one at a time; or give TEXT as -"
        )


def edit(
    store: Store,
    reference: str,
    *,
    content: str | None,
    changes: dict[str, Any],
    most_bytes: float,
    most_store_bytes: float = 0,
    opened: str | None = None,
    replaces: str | None = None,
) -> Change:
    """Give a memory another text or other fields, which counts as use; the old text is erased.

    ``opened`` is the text that an editor began with. It supersedes the one it ``replaces``, and
    takes its key unless it has one.

    Raises:
        Refused: it is archived, another memory has that text already or is current about that key,
            its own text is no longer what the editor began with, or the store would be too full.
        WrongUsage: the text is empty or too long.
    """
    if content is not None:
        changes = changes | {"content": fields.content(content, most_bytes=most_bytes)}
    with store.deciding():
        [memory_id] = live(store, [reference])
        before = store.memories.get(memory_id)
        if opened is not None and opened != before.content:
            raise Refused(f"memory {memory_id} was changed meanwhile", hint="edit it again")
        edited = _differing(store, before, changes, replaces)
        if not edited and replaces is None:
            return Change("edited", (), (before,))
        superseded = _supersede(store, before, edited, replaces)
        _write(store, before, edited, most_store_bytes=most_store_bytes)
    texts = {before.uid: edited["content"]} if "content" in edited else {}
    wiped, left = store.finish_replacing(texts) if texts else (True, [])
    return Change(
        "edited",
        (store.memories.get(memory_id),),
        erasure_pending=not wiped,
        backups_left=tuple(map(str, left)),
        superseded=tuple(store.memories.get_all(superseded)),
    )


def _differing(
    store: Store, before: Memory, changes: dict[str, Any], replaces: str | None
) -> dict[str, Any]:
    """Return the changes that are any, with the key of what is replaced where none is given."""
    changes = changes | _spelled(store, changes)
    if replaces is not None and before.key is None and "key" not in changes:
        changes["key"] = store.memories.get(store.memories.resolve(replaces)).key
    return {name: new for name, new in changes.items() if getattr(before, name) != new}


def _supersede(
    store: Store, before: Memory, edited: dict[str, Any], replaces: str | None
) -> list[int]:
    place = before._replace(**edited)
    if edited.keys() & {"content", "partition", "scope"}:
        _refuse_duplicate(store, place)
    return succession.take_place(store, before, key=place.key, scope=place.scope, replaces=replaces)


def _write(
    store: Store, before: Memory, edited: dict[str, Any], *, most_store_bytes: float
) -> None:
    own = {name: new for name, new in edited.items() if name != "content"}
    store.changes.set_fields(before.id, own)
    if "content" in edited:
        growth = len(edited["content"].encode()) - len(before.content.encode())
        store.memories.refuse_fuller(growth, most_store_bytes)
        store.changes.set_content(before.id, edited["content"])
    store.memories.strengthen([before.id], wait=True)


def pin(store: Store, references: Sequence[str], *, pinned: bool) -> Change:
    """Keep memories whatever their retention, or let them fade again; archived ones, too."""
    ids = resolved(store, references)
    changed = store.changes.pin(ids, pinned=pinned)
    return change_of(store, "pinned" if pinned else "unpinned", ids, changed)


def tag(store: Store, reference: str, signed: Sequence[str]) -> Change:
    """Add the tags written ``+x`` or ``x`` and take away those written ``-y``, in any spelling."""
    taken = [fields.words("a tag", one[1:]) for one in signed if one.startswith("-")]
    added = [one.removeprefix("+") for one in signed if not one.startswith("-")]
    with store.deciding():
        memory = store.memories.get(store.memories.resolve(reference))
        added = [names.spelling(store, "tag", fields.words("a tag", one)) for one in added]
        gone = [one for one in memory.tags if names.alike(one, taken)]
        changed = store.changes.tag(
            memory.id, add=added, remove=[one for one in gone if one not in added]
        )
    return change_of(store, "tagged", [memory.id], [memory.id] if changed else [])


def live(store: Store, references: Sequence[str]) -> list[int]:
    """Return the ids of live memories that a user named, each once, in that order.

    Raises:
        Refused: one is archived.
    """
    ids = resolved(store, references)
    settle(store, ids)
    shelved = [
        str(memory.id) for memory in store.memories.get_all(ids) if memory.state == "archived"
    ]
    if shelved:
        raise Refused(
            f"archived: {', '.join(shelved)}", hint=f"'hebb restore {shelved[0]}' brings it back"
        )
    return ids


def _spelled(store: Store, changes: dict[str, Any]) -> dict[str, Any]:
    """Return the names among the changes, as they are spelled already."""
    given = {name: changes.get(name) for name in ("scope", "kind")}
    return {name: names.spelling(store, name, one) for name, one in given.items() if one}


def _refuse_duplicate(store: Store, edited: Memory) -> None:
    other = store.memories.same_as(edited)
    if other is not None:
        raise Refused(
            f"memory {other} has this text already", hint=f"'hebb forget {edited.id}' instead"
        )
