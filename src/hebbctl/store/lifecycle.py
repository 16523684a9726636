"""The life cycle's statements: what may be promoted, and how a memory moves up or is reinforced."""

import json
from collections.abc import Iterator, Sequence

from hebbctl.promotion import Promotion
from hebbctl.store.audit import Audit
from hebbctl.store.connection import Database


class Lifecycle:
    """Each changing method is one transaction, and takes only what is live in it."""

    def __init__(self, database: Database, audit: Audit) -> None:
        self._database = database
        self._audit = audit

    def used(self, accesses: float) -> Iterator[int]:
        """Return the ids of live memories that were used so often, in order, one by one."""
        rows = self._database.each(
            """
            SELECT id FROM memory
            WHERE archived_at IS NULL
              AND (expires_at IS NULL OR expires_at > :now)
              AND access_count >= :accesses
            ORDER BY id
            """,
            now=self._database.now,
            accesses=accesses,
        )
        return (row["id"] for row in rows)

    def promote(self, promotions: Sequence[Promotion]) -> list[int]:
        """Give memories what they earned, and note when and why. Returns those still live."""
        by_reason: dict[str, list[Promotion]] = {}
        with self._database.writing():
            live = set(self._live([one.memory_id for one in promotions]))
            for one in promotions:
                if one.memory_id in live:
                    by_reason.setdefault(one.reason, []).append(one)
            for reason, earned in by_reason.items():
                self._promote(earned, reason)
        return sorted(live)

    def _promote(self, promotions: Sequence[Promotion], reason: str) -> None:
        ids = json.dumps([one.memory_id for one in promotions])
        self._audit.memories("promote", ids, reason=reason)
        self._database.run(
            """
            UPDATE memory
            SET partition = new.value ->> 1, ttl_ms = new.value ->> 2, promoted_at = :now
            FROM json_each(:promotions) AS new
            WHERE memory.id = new.value ->> 0
            """,
            now=self._database.now,
            promotions=json.dumps([one[:3] for one in promotions]),
        )

    def reinforcible(self, importance: float, most: float) -> list[int]:
        """Return the live memories that matter so much, with a frequency below ``most``, by id."""
        rows = self._database.rows(
            """
            SELECT id FROM memory
            WHERE archived_at IS NULL
              AND (expires_at IS NULL OR expires_at > :now)
              AND importance >= :importance
              AND frequency > 0
              AND frequency < :most
            ORDER BY id
            """,
            now=self._database.now,
            importance=importance,
            most=most,
        )
        return [row["id"] for row in rows]

    def reinforce(self, ids: Sequence[int], *, factor: float, most: float) -> list[int]:
        """Raise frequencies by a factor, none beyond ``most``. Returns those still live.

        The audit gets one row for all of them: nothing of their life changes.
        """
        with self._database.writing():
            live = self._live(ids)
            if live:
                self._audit.event("reinforce", f"frequency of {len(live)} memories x {factor:g}")
            self._database.run(
                """
                UPDATE memory
                SET frequency = max(frequency, min(:most, :factor * frequency))
                WHERE id IN (SELECT value FROM json_each(:ids))
                """,
                factor=factor,
                most=most,
                ids=json.dumps(live),
            )
        return live

    def _live(self, ids: Sequence[int]) -> list[int]:
        rows = self._database.rows(
            """
            SELECT id FROM memory
            WHERE archived_at IS NULL AND id IN (SELECT value FROM json_each(:ids))
            ORDER BY id
            """,
            ids=json.dumps(ids),
        )
        return [row["id"] for row in rows]
