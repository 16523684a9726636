"""Many memories at once: each is stored, is here already, or was erased here before."""

import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress

from hebbctl import fields, secrets
from hebbctl.errors import Refused
from hebbctl.models import Draft
from hebbctl.store import copies
from hebbctl.store.connection import Database
from hebbctl.store.memories import Memories

Overwrite = Callable[[int, Draft], str]
Text = tuple[str, str, str]  # content, partition, scope
Identity = str | Text  # a uid, or where there is none the text


class Imports:
    """Stores what comes from elsewhere, whose uid or text may be known."""

    def __init__(self, database: Database, memories: Memories) -> None:
        self._database = database
        self._memories = memories

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
        self._memories.insert_all(new)
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
            result = overwrite(known, draft)
            room.take(draft.content, in_place_of=before)
            return result
        if known:
            return "existing"
        if not restore_deleted and self._uids_erased([draft]):
            return "deleted"
        self._memories.insert_all([draft])
        self._unbury([draft])
        room.take(draft.content)
        return "stored"

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
                WHERE memory.uid = pair.key AND memory.superseded_by IS NULL
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
