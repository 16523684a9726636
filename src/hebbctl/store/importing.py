"""Many memories at once: each is stored, is here already, or was erased here before."""

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress

from hebbctl import fields, secrets
from hebbctl.errors import Refused
from hebbctl.models import Draft
from hebbctl.store import copies
from hebbctl.store.connection import Database
from hebbctl.store.memories import Memories
from hebbctl.store.succession import Successions

Overwrite = Callable[[int, Draft], str]
Text = tuple[str, str, str]  # content, partition, scope
Place = tuple[str, str]  # scope, key
Identity = str | Text  # a uid, or where there is none the text


class Imports:
    """Stores what comes from elsewhere, whose uid or text may be known."""

    def __init__(self, database: Database, memories: Memories, successions: Successions) -> None:
        self._database = database
        self._memories = memories
        self._successions = successions

    def add_all(
        self,
        drafts: Sequence[Draft],
        *,
        restore_deleted: bool,
        overwrite: Overwrite | None = None,
        most_store_bytes: float = 0,
    ) -> list[str]:
        """Store many memories in one transaction.

        ``overwrite`` is what to do with a draft whose uid is there already, and returns what that
        was. Returns for each in turn ``stored``, ``existing``, ``deleted`` (erased before, and so
        left out), or why the schema refuses it.
        """
        with self._database.writing():
            if overwrite is None and not most_store_bytes:
                with suppress(sqlite3.IntegrityError), self._database.attempt():
                    return self._add_at_once(drafts, restore_deleted)
            # One by one: the next may depend on what was overwritten, or the schema refuses one.
            room = _Room(self._memories.text_bytes() if most_store_bytes else 0, most_store_bytes)
            return [self._add_one(draft, restore_deleted, overwrite, room) for draft in drafts]

    def _add_at_once(self, drafts: Sequence[Draft], restore_deleted: bool) -> list[str]:
        """Ask about all of them, then store all new ones: half the time of one by one."""
        here = self._uids_here(drafts) | self._texts_here(drafts)
        erased = set() if restore_deleted else self._uids_erased(drafts)
        results, new = [], []
        for draft in drafts:
            if _identity(draft) in here:
                results.append("existing")
            elif draft.uid in erased:
                results.append("deleted")
            else:
                results.append("stored")
                new.append(draft)
                here |= {_identity(draft), _text(draft)}
        self._insert(new)
        if restore_deleted:
            self._unbury(new)
        return results

    def _add_one(
        self, draft: Draft, restore_deleted: bool, overwrite: Overwrite | None, room: "_Room"
    ) -> str:
        try:
            with self._database.attempt():
                return self._become(draft, restore_deleted, overwrite, room)
        except sqlite3.IntegrityError as error:
            return _refusal(draft, error)
        except Refused as error:
            return str(error)

    def _become(
        self, draft: Draft, restore_deleted: bool, overwrite: Overwrite | None, room: "_Room"
    ) -> str:
        known = self._memories.same_draft(draft)
        if known and draft.uid and overwrite:
            before = self._memories.get(known).content
            result = self._overwritten(known, draft, overwrite)
            if result == "replaced":
                room.take(draft.content, in_place_of=before)
            return result
        if known:
            return "existing"
        if not restore_deleted and self._uids_erased([draft]):
            return "deleted"
        self._insert([draft])
        self._unbury([draft])
        room.take(draft.content)
        return "stored"

    def _insert(self, drafts: Sequence[Draft]) -> None:
        """Store new memories. Of all about one key in a scope only the newest stays current."""
        rivals = self._rivals(drafts)
        plain = [one for one in drafts if place_of(one) not in rivals]
        self._memories.insert_all(plain)
        late = [self._shelved(one) for one in drafts if place_of(one) in rivals]
        late.sort(key=lambda one: one.created_at or 0)  # each then supersedes the one before
        for memory_id in self._memories.insert_all(late):
            self._successions.find_place(memory_id)

    def _shelved(self, draft: Draft) -> Draft:
        return draft._replace(archived_at=self._database.now, archived_reason="superseded")

    def _rivals(self, drafts: Sequence[Draft]) -> set[Place]:
        """Return the keys, with their scopes, that more than one memory would be current about."""
        places = Counter(place for draft in drafts if (place := place_of(draft)))
        rows = self._database.rows(
            """
            SELECT memory.scope, memory.key
            FROM json_each(:places) AS place
            JOIN memory ON memory.scope = place.value ->> 0 AND memory.key = place.value ->> 1
            WHERE memory.trusted = 1 AND memory.key IS NOT NULL AND memory.archived_at IS NULL
            """,
            places=json.dumps(list(places)),
        )
        here = {(row["scope"], row["key"]) for row in rows}
        return here | {place for place, count in places.items() if count > 1}

    def _overwritten(self, known: int, draft: Draft, overwrite: Overwrite) -> str:
        before = self._memories.get(known)
        if before.trusted and not draft.trusted:
            return f"{before.uid} is trusted: what is untrusted does not replace it"
        place = place_of(draft)
        holders = self._successions.claim(*place, of=known) if place else None
        if holders is None or not (holders.current or holders.expired):
            return overwrite(known, draft)
        result = overwrite(known, self._shelved(draft))
        self._successions.find_place(known)
        return result

    def _uids_here(self, drafts: Sequence[Draft]) -> set[Identity]:
        rows = self._database.rows(
            "SELECT uid FROM memory WHERE uid IN (SELECT value FROM json_each(:uids))",
            uids=_uids(drafts),
        )
        return {row["uid"] for row in rows}

    def _texts_here(self, drafts: Sequence[Draft]) -> set[Identity]:
        """Return the stored texts, in any state, that may be those of drafts without a uid."""
        digests = [secrets.digest(draft.content) for draft in drafts if not draft.uid]
        rows = self._database.rows(
            """
            SELECT content, partition, scope
            FROM memory
            WHERE content_digest IN (SELECT value FROM json_each(:digests))
            """,
            digests=json.dumps(digests),
        )
        return {(row["content"], row["partition"], row["scope"]) for row in rows}

    def _uids_erased(self, drafts: Sequence[Draft]) -> set[str]:
        rows = self._database.rows(
            "SELECT uid FROM tombstone WHERE uid IN (SELECT value FROM json_each(:uids))",
            uids=_uids(drafts),
        )
        return {row["uid"] for row in rows}

    def _unbury(self, drafts: Sequence[Draft]) -> None:
        """Forget that these were erased here before, and drop what copies were kept of them."""
        if erased := self._uids_erased(drafts):
            copies.drop(self._database, sorted(erased))
        self._database.run(
            "DELETE FROM tombstone WHERE uid IN (SELECT value FROM json_each(:uids))",
            uids=_uids(drafts),
        )

    def link_successors(self, successors: dict[str, str]) -> None:
        """Note for each uid which uid superseded it, as far as both are here."""
        with self._database.writing():
            self._database.run(
                """
                UPDATE memory
                SET superseded_by = (SELECT id FROM memory AS later WHERE later.uid = pair.value)
                FROM json_each(:pairs) AS pair
                WHERE memory.uid = pair.key
                  AND memory.superseded_by IS NULL
                  AND pair.key <> pair.value
                """,
                pairs=json.dumps(successors),
            )


class _Room:
    """Counts what texts take of ``max_store_bytes`` during one transaction."""

    def __init__(self, held_bytes: int, most_bytes: float) -> None:
        self._held_bytes = held_bytes
        self._most_bytes = most_bytes

    def take(self, content: str, *, in_place_of: str = "") -> None:
        """Take the room of one text more.

        Raises:
            Refused: there is not so much left.
        """
        added = len(content.encode()) - len(in_place_of.encode())
        fields.refuse_fuller(self._held_bytes, added, self._most_bytes)
        self._held_bytes += added


def place_of(draft: Draft) -> Place | None:
    """Return the scope and key that a draft would be current about, if it would be."""
    is_current = draft.key and draft.trusted and draft.archived_at is None
    return (draft.scope, draft.key) if draft.key and is_current else None


def _text(draft: Draft) -> Text:
    return draft.content, draft.partition, draft.scope


def _identity(draft: Draft) -> Identity:
    return draft.uid or _text(draft)


def _uids(drafts: Sequence[Draft]) -> str:
    return json.dumps([draft.uid for draft in drafts if draft.uid])


def _refusal(draft: Draft, error: sqlite3.IntegrityError) -> str:
    if "memory.key" in str(error):
        return f"a current memory of scope {draft.scope!r} has the key {draft.key!r} already"
    return f"the store refuses it: {error}"
