"""Changes of memories by hand: their fields, their tags, and their text with its index words."""

import json
from collections.abc import Sequence
from typing import Any

from hebbctl.store.audit import Audit
from hebbctl.store.connection import Database
from hebbctl.store.erasing import Eraser


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

    def promote(self, ids: Sequence[int], partition: str, *, reason: str) -> None:
        """Move memories to a partition, and note when."""
        with self._database.writing():
            self._audit.memories("promote", json.dumps(ids), reason=reason)
            self._database.run(
                """
                UPDATE memory
                SET partition = :partition, promoted_at = :now
                WHERE id IN (SELECT value FROM json_each(:ids))
                """,
                partition=partition,
                now=self._database.now,
                ids=json.dumps(ids),
            )

    def set_fields(self, memory_id: int, fields: dict[str, Any]) -> None:
        """Set the given ones of partition, kind, importance, source, scope, ttl and expiry."""
        with self._database.writing():
            for name, value in fields.items():
                self._database.run(SET_FIELD[name], id=memory_id, value=value)

    def set_content(self, memory_id: int, content: str) -> None:
        """Replace a text: the old one is erased, and ``Eraser.finish`` wipes its traces."""
        with self._database.writing():
            self._audit.memories("edit", json.dumps([memory_id]), reason="by hand")
            self._eraser.replace(memory_id, content)


SET_FIELD = {
    "partition": "UPDATE memory SET partition = :value WHERE id = :id",
    "kind": "UPDATE memory SET kind = :value WHERE id = :id",
    "importance": "UPDATE memory SET importance = :value WHERE id = :id",
    "source": "UPDATE memory SET source = :value WHERE id = :id",
    "scope": "UPDATE memory SET scope = :value WHERE id = :id",
    "scope_kind": "UPDATE memory SET scope_kind = :value WHERE id = :id",
    "session": "UPDATE memory SET session = :value WHERE id = :id",
    "ttl_ms": "UPDATE memory SET ttl_ms = :value WHERE id = :id",
    "expires_at": "UPDATE memory SET expires_at = :value WHERE id = :id",
}
