"""Copies of erased memories: kept in the audit where that is wished, restored, and erased."""

import json
from collections.abc import Sequence
from sqlite3 import Row
from typing import Any

from hebbctl.errors import Ambiguous, MemoryNotFound, Refused
from hebbctl.fields import SHORTEST_PREFIX, id_in
from hebbctl.models import Draft, Memory
from hebbctl.store.audit import Audit
from hebbctl.store.connection import Database, one_current_for_each_key
from hebbctl.store.erasing import Eraser
from hebbctl.store.memories import Memories
from hebbctl.text import cleaned


class Copies:
    """A copy stands in the audit's row of the erasure, and only as long as the memory is erased."""

    def __init__(
        self, database: Database, audit: Audit, memories: Memories, eraser: Eraser
    ) -> None:
        self._database = database
        self._audit = audit
        self._memories = memories
        self._eraser = eraser

    def of(self, reference: str) -> int:
        """Return the id of the erased memory that a user typed, by id or uid, if a copy was kept.

        Raises:
            MemoryNotFound: nothing of it was erased.
            Refused: it was erased, and no copy was kept.
            Ambiguous: the beginning of a uid fits several.
        """
        reference = cleaned(reference)[0]
        erased = self._erased(reference)
        if not erased:
            raise MemoryNotFound(reference)
        kept = {row["memory_id"]: row["uid"] for row in erased if row["kept"]}
        if not kept:
            raise Refused(
                f"memory {reference} was erased, and no copy of it is kept",
                hint="'hebb config set restorable true' keeps copies of what is erased later",
            )
        if len(kept) > 1:
            raise Ambiguous(reference, list(kept.values()))
        return int(next(iter(kept)))

    def _erased(self, reference: str) -> list[Row]:
        return self._database.rows(
            """
            SELECT memory_id, uid, copy IS NOT NULL AS kept
            FROM audit
            WHERE action = 'erase'
              AND (
                  memory_id = :id
                  OR (:id IS NULL AND substr(uid, 1, :length) = :beginning)
              )
            """,
            id=id_in(reference),
            beginning=reference,
            length=max(len(reference), SHORTEST_PREFIX),
        )

    def all(self) -> list[int]:
        """Return the ids of the erased memories of which a copy is kept, in order."""
        rows = self._database.rows(
            "SELECT DISTINCT memory_id FROM audit WHERE copy IS NOT NULL ORDER BY memory_id"
        )
        return [row["memory_id"] for row in rows]

    def kept(self, ids: Sequence[int]) -> list[Memory]:
        """Return erased memories as their copies hold them: nothing of them is retained."""
        return [_erased(memory_id, json.loads(copy)) for memory_id, _, copy in self._newest(ids)]

    def restore(self, ids: Sequence[int], *, anchor: float) -> None:
        """Bring erased memories back from their copies, with their ids, live and as used now.

        A fixed expiry that has passed is dropped, and the copy goes. Its edges are back at once, or
        together with the other end, where of that a copy is kept, too.

        Raises:
            Refused: a memory of the same uid has come back by another way, or its key is taken.
        """
        with self._database.writing(), one_current_for_each_key():
            edges: list[tuple[str, str, str, int]] = []
            for memory_id, uid, copy in self._newest(ids):
                if self._database.rows("SELECT 1 FROM memory WHERE uid = :uid", uid=uid):
                    raise Refused(f"memory {uid} is here already", hint=f"'hebb show {uid}'")
                held = json.loads(copy)
                # Copies of a hebb before edges were kept have none.
                edges += [(uid, *one) for one in held.pop("edges", [])]
                draft = _revived(held, self._database.now, anchor)
                self._memories.insert_all([draft], first_id=memory_id)
                self._database.run("DELETE FROM tombstone WHERE uid = :uid", uid=uid)
            self._audit.memories("restore", json.dumps(ids), reason="from its copy")
            self._drop(ids)
            self._restore_edges(edges)

    def _restore_edges(self, edges: list[tuple[str, str, str, int]]) -> None:
        """Join memories that are back; of an end that is still erased, leave it to its copy."""
        rows = [
            {"uid": uid, "other": other, "weight": float(weight), "written": weight, "at": at}
            for uid, other, weight, at in edges
        ]
        self._database.run_all(
            """
            INSERT INTO edge (memory_a, memory_b, weight, last_updated)
            SELECT min(here.id, there.id), max(here.id, there.id), :weight, :at
            FROM memory AS here
            JOIN memory AS there ON there.uid = :other
            WHERE here.uid = :uid
            ON CONFLICT DO NOTHING
            """,
            rows,
        )
        self._database.run_all(
            """
            UPDATE audit
            SET copy = json_insert(
                copy, '$.edges', json('[]'), '$.edges[#]', json_array(:uid, :written, :at)
            )
            WHERE copy IS NOT NULL
              AND uid = :other
              AND NOT EXISTS (
                  SELECT 1 FROM json_each(copy, '$.edges') AS edge WHERE edge.value ->> 0 = :uid
              )
            """,
            rows,
        )

    def _newest(self, ids: Sequence[int]) -> list[Row]:
        return self._database.rows(
            """
            SELECT memory_id, uid, copy
            FROM audit
            WHERE copy IS NOT NULL AND memory_id IN (SELECT value FROM json_each(:ids))
            ORDER BY memory_id
            """,
            ids=json.dumps(ids),
        )

    def erase(self, ids: Sequence[int]) -> None:
        """Erase copies; ``Store.finish_erasing`` then wipes their traces, here and in backups."""
        with self._database.writing():
            self._drop(ids)
            self._eraser.mark()

    def _drop(self, ids: Sequence[int]) -> None:
        self._database.run(
            """
            UPDATE audit
            SET copy = NULL
            WHERE copy IS NOT NULL AND memory_id IN (SELECT value FROM json_each(:ids))
            """,
            ids=json.dumps(ids),
        )


def kept_in(database: Database) -> list[str]:
    """Return the uids of the erased memories of which a store keeps a copy."""
    rows = database.rows("SELECT DISTINCT uid FROM audit WHERE copy IS NOT NULL")
    return [row["uid"] for row in rows]


def strays_in(database: Database, kept: Sequence[str]) -> int:
    """Return how many copies a backup holds besides those that its store keeps."""
    [row] = database.rows(
        """
        SELECT count(*) AS strays
        FROM audit
        WHERE copy IS NOT NULL AND uid NOT IN (SELECT value FROM json_each(:kept))
        """,
        kept=json.dumps(kept),
    )
    return int(row["strays"])


def keep_only(database: Database, kept: Sequence[str]) -> None:
    """Erase from a backup the copies that its store no longer keeps."""
    if not strays_in(database, kept):
        return
    with database.writing():
        database.run(
            """
            UPDATE audit
            SET copy = NULL
            WHERE copy IS NOT NULL AND uid NOT IN (SELECT value FROM json_each(:kept))
            """,
            kept=json.dumps(kept),
        )
        Eraser(database, has_copies=False).mark()


def drop(database: Database, uids: Sequence[str]) -> None:
    """Erase the copies of memories that are back by another way, in the caller's transaction."""
    database.run(
        """
        UPDATE audit
        SET copy = NULL
        WHERE copy IS NOT NULL AND uid IN (SELECT value FROM json_each(:uids))
        """,
        uids=json.dumps(uids),
    )


def _erased(memory_id: int, copy: dict[str, Any]) -> Memory:
    own = {name: value for name, value in copy.items() if name != "edges"}
    found = Draft(**own)._asdict() | {
        "tags": tuple(copy["tags"]),
        "trusted": bool(copy["trusted"]),
        "pinned": bool(copy["pinned"]),
        "metadata": json.loads(copy["metadata"]),
    }
    return Memory(id=memory_id, state="erased", retention=0.0, sweep_id=None, **found)


def _revived(copy: dict[str, Any], now: int, anchor: float) -> Draft:
    expires_at = copy["expires_at"]
    return Draft(
        **copy
        | {
            "tags": tuple(copy["tags"]),
            "trusted": bool(copy["trusted"]),
            "pinned": bool(copy["pinned"]),
            "last_accessed_at": max(copy["last_accessed_at"], now),
            "expires_at": None if expires_at is not None and expires_at <= now else expires_at,
            "anchor_value": anchor if anchor < 1 else None,
            "anchor_at": now if anchor < 1 else None,
        }
    )
