"""Changes of memories by hand: their fields, their tags, and their text with its index words."""

import json
from collections.abc import Sequence
from typing import Any

from hebbctl.models import Draft
from hebbctl.store.audit import Audit
from hebbctl.store.connection import Database, one_current_for_each_key
from hebbctl.store.erasing import Eraser
from hebbctl.store.memories import COLUMNS


class Changes:
    """Each method changes what is named and leaves everything else of a memory as it is."""

    def __init__(self, database: Database, audit: Audit, eraser: Eraser) -> None:
        self._database = database
        self._audit = audit
        self._eraser = eraser

    def pin(self, ids: Sequence[int], *, pinned: bool) -> list[int]:
        """Pin memories, or let go of them. Returns those that were not so before, by id."""
        with self._database.writing():
            rows = self._database.run(
                """
                UPDATE memory
                SET pinned = :pinned
                WHERE pinned <> :pinned AND id IN (SELECT value FROM json_each(:ids))
                RETURNING id
                """,
                pinned=pinned,
                ids=json.dumps(ids),
            )
            return sorted(row["id"] for row in rows)

    def tag(self, memory_id: int, *, add: Sequence[str], remove: Sequence[str]) -> bool:
        """Add tags and take others away. Returns whether that changed anything."""
        with self._database.writing():
            before = self._database.connection.total_changes
            for name in remove:
                self._database.run(
                    "DELETE FROM tag WHERE memory_id = :id AND name = :name",
                    id=memory_id,
                    name=name,
                )
            for name in add:
                self._database.run(
                    "INSERT INTO tag VALUES (:id, :name) ON CONFLICT DO NOTHING",
                    id=memory_id,
                    name=name,
                )
            return self._database.connection.total_changes > before

    def set_fields(self, memory_id: int, fields: dict[str, Any]) -> None:
        """Set the given fields, each of which has a statement below.

        Raises:
            Refused: another current memory has the same key in the new scope.
        """
        with self._database.writing(), one_current_for_each_key():
            for name, value in fields.items():
                self._database.run(SET_FIELD[name], id=memory_id, value=value)

    def overwrite(self, memory_id: int, draft: Draft) -> str:
        """Give a memory all that a draft holds. Returns ``replaced``, or ``existing`` if equal.

        Its id, its uid and what refers to it stay, and so does a time the draft leaves open.
        """
        before = self._database.rows("SELECT * FROM memory WHERE id = :id", id=memory_id)[0]
        tags = self._database.rows("SELECT name FROM tag WHERE memory_id = :id", id=memory_id)
        found = {name: getattr(draft, name) for name in COLUMNS if name != "content"}
        found["created_at"] = _either(draft.created_at, before["created_at"])
        found["last_accessed_at"] = _either(draft.last_accessed_at, before["last_accessed_at"])
        same_text = draft.content == before["content"]
        same_tags = sorted(draft.tags) == sorted(row["name"] for row in tags)
        if same_text and same_tags and all(before[name] == found[name] for name in found):
            return "existing"
        self._database.run(OVERWRITE, id=memory_id, **found)
        self.tag(memory_id, add=draft.tags, remove=[row["name"] for row in tags])
        if not same_text:
            self.set_content(memory_id, draft.content, reason="by import")
        return "replaced"

    def set_content(self, memory_id: int, content: str, *, reason: str = "by hand") -> None:
        """Replace a text: the old one is erased, and ``Eraser.finish`` wipes its traces."""
        with self._database.writing():
            self._audit.memories("edit", json.dumps([memory_id]), reason=reason)
            self._eraser.replace(memory_id, content)
            self._database.run(
                "INSERT INTO edited VALUES (:id) ON CONFLICT DO NOTHING", id=memory_id
            )


def _either(new: int | None, old: int) -> int:
    return old if new is None else new


OVERWRITE = """
    UPDATE memory
    SET partition = :partition,
        kind = :kind,
        importance = :importance,
        strength = :strength,
        access_count = :access_count,
        frequency = :frequency,
        created_at = :created_at,
        last_accessed_at = :last_accessed_at,
        renewed_at = :renewed_at,
        source = :source,
        scope = :scope,
        scope_kind = :scope_kind,
        session = :session,
        key = :key,
        trusted = :trusted,
        pinned = :pinned,
        ttl_ms = :ttl_ms,
        expires_at = :expires_at,
        promoted_at = :promoted_at,
        archived_at = :archived_at,
        archived_reason = :archived_reason,
        sweep_id = iif(:archived_at IS NULL, NULL, sweep_id),
        superseded_by = iif(:archived_at IS NULL, NULL, superseded_by),
        anchor_value = :anchor_value,
        anchor_at = :anchor_at,
        metadata = :metadata
    WHERE id = :id
    """
SET_FIELD = {
    "partition": "UPDATE memory SET partition = :value WHERE id = :id",
    "kind": "UPDATE memory SET kind = :value WHERE id = :id",
    "importance": "UPDATE memory SET importance = :value WHERE id = :id",
    "source": "UPDATE memory SET source = :value WHERE id = :id",
    "scope": "UPDATE memory SET scope = :value WHERE id = :id",
    "scope_kind": "UPDATE memory SET scope_kind = :value WHERE id = :id",
    "key": "UPDATE memory SET key = :value WHERE id = :id",
    "session": "UPDATE memory SET session = :value WHERE id = :id",
    "ttl_ms": "UPDATE memory SET ttl_ms = :value WHERE id = :id",
    "expires_at": "UPDATE memory SET expires_at = :value WHERE id = :id",
}
