"""Erasing: a memory's rows and words go in one transaction, their traces in the steps after it."""

import json
import os
from collections.abc import Sequence

from hebbctl import secrets
from hebbctl.errors import StoreError
from hebbctl.store.connection import Database
from hebbctl.store.owed import note_run
from hebbctl.store.returning import returning, revive, temporary

MERGE_PAGES = 2000  # of work in one step: at most 0.16 s of lock, where 'optimize' held it 2.3 s


class Eraser:
    """Erases memories so that no byte of them stays in the file or its log.

    ``has_copies`` is whether the copies of this store have to be reached, too: a copy has none.
    """

    def __init__(self, database: Database, *, has_copies: bool = True) -> None:
        self._database = database
        self._has_copies = has_copies
        self.run = _mark()
        self.marked = ""  # the mark of this run's last erasure

    def erase(self, ids: Sequence[int]) -> None:
        """Delete memories inside the caller's transaction and note that traces remain.

        What refers to them goes with them: tags, edges, vectors. ``finish`` wipes the traces.
        """
        self.erase_words(ids)
        back = self.coming_back(ids)
        self._close_gaps(ids)
        chosen = json.dumps(ids)
        self._database.run(
            """
            INSERT INTO tombstone (uid, erased_at)
            SELECT uid, :now FROM memory WHERE id IN (SELECT value FROM json_each(:ids))
            ON CONFLICT DO UPDATE SET erased_at = excluded.erased_at
            """,
            ids=chosen,
            now=self._database.now,
        )
        self._database.run(
            "DELETE FROM memory WHERE id IN (SELECT value FROM json_each(:ids))", ids=chosen
        )
        revive(self._database, back)

    def coming_back(self, ids: Sequence[int]) -> list[int]:
        """Return what is live again as temporary successors of it are erased, by id."""
        found = returning(self._database, temporary(self._database, ids))
        return sorted(set(found) - set(ids))

    def _close_gaps(self, ids: Sequence[int]) -> None:
        """Let what a doomed memory replaced be superseded by what replaced that one in turn."""
        for _ in ids:  # each time one step further, past those that are doomed as well
            moved = self._database.run(
                """
                UPDATE memory
                SET superseded_by = (
                    SELECT superseded_by FROM memory AS gone WHERE gone.id = memory.superseded_by
                )
                WHERE superseded_by IN (
                    SELECT id
                    FROM memory
                    WHERE id IN (SELECT value FROM json_each(:ids)) AND superseded_by IS NOT NULL
                )
                  AND id NOT IN (SELECT value FROM json_each(:ids))
                """,
                ids=json.dumps(ids),
            ).rowcount
            if not moved:
                return

    def erase_words(self, ids: Sequence[int]) -> None:
        """Take the words of memories out of the index, as long as their content is there."""
        self._database.run(
            """
            INSERT INTO memory_text (memory_text, rowid, words)
            SELECT 'delete', id, index_words(CAST(content AS BLOB))
            FROM memory
            WHERE id IN (SELECT value FROM json_each(:ids))
            """,
            ids=json.dumps(ids),
        )
        self.mark()

    def mark(self) -> None:
        """Note inside the caller's transaction that traces of something erased remain."""
        # A new value each time: whoever wipes an earlier erasure must not call this one done.
        self.marked = _mark()
        self._database.run(
            """
            INSERT INTO state VALUES ('erasure_pending', :mark)
            ON CONFLICT DO UPDATE SET value = excluded.value
            """,
            mark=self.marked,
        )
        if self._has_copies:
            note_run(self._database, self.run, self.marked)

    def replace(self, memory_id: int, content: str) -> None:
        """Replace a text inside the caller's transaction; the old one is erased.

        Its vectors say what it meant, so they go with it.
        """
        self.erase_words([memory_id])
        self._database.run("DELETE FROM vector WHERE memory_id = :id", id=memory_id)
        self._database.run(
            "UPDATE memory SET content = :content, content_digest = :digest WHERE id = :id",
            id=memory_id,
            content=content,
            digest=secrets.digest(content),
        )
        self._database.run(
            """
            INSERT INTO memory_text (rowid, words)
            SELECT id, index_words(CAST(content AS BLOB)) FROM memory WHERE id = :id
            """,
            id=memory_id,
        )

    def finish(self, *, wait: bool = True) -> bool:
        """Wipe what erased memories left in the index's and the log's free space.

        Deleted words stay in the index until its segments are merged, and everything stays in the
        log until it is written back. Returns whether that is done: while another process writes,
        or reads an older state of the store, it cannot be, and a later run does it.
        """
        try:
            seen = self._database.rows("SELECT value FROM state WHERE name = 'erasure_pending'")
            with self._database.bulk():  # a step lost by a power failure is done again
                self._merge_index(wait=wait)
            if not self._empty_log():
                return False
            with self._database.writing(wait=wait):
                left = self._database.run(
                    "DELETE FROM state WHERE name = 'erasure_pending' AND value = :seen",
                    seen=seen[0]["value"] if seen else None,
                ).rowcount
        except StoreError:  # busy, or no space to merge in: the erasure itself is committed
            return False
        return left == 1 or not seen

    def _merge_index(self, *, wait: bool) -> None:
        pages = -MERGE_PAGES  # negative: begin to merge everything into one segment
        while True:
            before = self._database.connection.total_changes
            with self._database.writing(wait=wait):
                self._database.run(
                    "INSERT INTO memory_text (memory_text, rank) VALUES ('merge', :pages)",
                    pages=pages,
                )
            # Source: FTS5, "The 'merge' Command": fewer than two changes mean nothing is left.
            if self._database.connection.total_changes - before < 2:
                return
            pages = MERGE_PAGES

    def _empty_log(self) -> bool:
        [row] = self._database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        return not row["busy"]


def _mark() -> str:
    """Return what is nowhere else, and begins with the number of this process."""
    return f"{os.getpid()}-{os.urandom(8).hex()}"
