"""The life cycle's statements: what may be promoted, and how a memory moves up or is reinforced."""

import json
from collections.abc import Iterator, Sequence

from hebbctl.fields import MOST_ACCESSES
from hebbctl.graph import effective
from hebbctl.policies import INBOX
from hebbctl.promotion import Promotion
from hebbctl.store.audit import Audit
from hebbctl.store.connection import Database

# id, partition, importance, tags, reason, last_accessed_at when it was read
Step = tuple[int, str, float, tuple[str, ...], str, int]


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

    def inbox(self) -> list[int]:
        """Return the live memories that wait in the inbox, by id."""
        rows = self._database.rows(
            """
            SELECT id FROM memory
            WHERE partition = :inbox
              AND archived_at IS NULL
              AND (expires_at IS NULL OR expires_at > :now)
            ORDER BY id
            """,
            inbox=INBOX,
            now=self._database.now,
        )
        return [row["id"] for row in rows]

    def consolidate(self, plan: Sequence[Step]) -> list[int]:
        """Move memories out of the inbox. Returns those that were still there as they were read."""
        with self._database.writing():
            taken = self._as_read(plan)
            steps = [step for step in plan if step[0] in taken]
            for reason in sorted({step[4] for step in steps}):
                ids = json.dumps([step[0] for step in steps if step[4] == reason])
                self._audit.memories("consolidate", ids, reason=reason)
            chosen = json.dumps(steps)
            self._database.run(
                """
                UPDATE memory
                SET partition = step.value ->> 1,
                    importance = step.value ->> 2,
                    last_accessed_at = max(last_accessed_at, :now)
                FROM json_each(:steps) AS step
                WHERE memory.id = step.value ->> 0
                """,
                now=self._database.now,
                steps=chosen,
            )
            self._tag(chosen)
        return sorted(taken)

    def together(self) -> dict[tuple[int, int], float]:
        """Return how often and how lately pairs were used together: edge weights, brought to now.

        A weight halves every 30 days.
        """
        rows = self._database.rows("SELECT memory_a, memory_b, weight, last_updated FROM edge")
        now = self._database.now
        return {
            (row["memory_a"], row["memory_b"]): effective(row["weight"], now - row["last_updated"])
            for row in rows
        }

    def merge(self, first: int, others: Sequence[int]) -> None:
        """Give one memory the tags and uses of others, which are archived as superseded by it."""
        chosen = json.dumps(others)
        with self._database.writing():
            self._audit.memories("archive", chosen, reason=f"merged into {first}")
            self._database.run(
                """
                UPDATE memory
                SET access_count = min(memory.access_count + other.access_count, :most),
                    frequency = memory.frequency + other.frequency,
                    strength = max(memory.strength, other.strength),
                    importance = max(memory.importance, other.importance),
                    last_accessed_at = max(memory.last_accessed_at, other.last_accessed_at)
                FROM (
                    SELECT
                        sum(access_count) AS access_count,
                        sum(frequency) AS frequency,
                        max(strength) AS strength,
                        max(importance) AS importance,
                        max(last_accessed_at) AS last_accessed_at
                    FROM memory
                    WHERE id IN (SELECT value FROM json_each(:others))
                ) AS other
                WHERE memory.id = :first
                """,
                first=first,
                others=chosen,
                most=MOST_ACCESSES,
            )
            self._supersede(first, chosen)

    def _supersede(self, first: int, others: str) -> None:
        self._database.run(
            """
            INSERT INTO tag (memory_id, name)
            SELECT :first, name FROM tag
            WHERE memory_id IN (SELECT value FROM json_each(:others))
            ON CONFLICT DO NOTHING
            """,
            first=first,
            others=others,
        )
        self._database.run(
            """
            UPDATE memory
            SET archived_at = :now, archived_reason = 'superseded', superseded_by = :first
            WHERE archived_at IS NULL AND id IN (SELECT value FROM json_each(:others))
            """,
            now=self._database.now,
            first=first,
            others=others,
        )

    def _as_read(self, plan: Sequence[Step]) -> set[int]:
        rows = self._database.rows(
            """
            SELECT memory.id
            FROM json_each(:plan) AS step
            JOIN memory ON memory.id = step.value ->> 0
            WHERE memory.partition = :inbox
              AND memory.archived_at IS NULL
              AND memory.last_accessed_at = step.value ->> 5
            """,
            inbox=INBOX,
            plan=json.dumps(plan),
        )
        return {row["id"] for row in rows}

    def _tag(self, steps: str) -> None:
        self._database.run(
            """
            DELETE FROM tag
            WHERE memory_id IN (SELECT value ->> 0 FROM json_each(:steps))
            """,
            steps=steps,
        )
        self._database.run(
            """
            INSERT INTO tag (memory_id, name)
            SELECT step.value ->> 0, name.value
            FROM json_each(:steps) AS step
            JOIN json_each(step.value, '$[3]') AS name
            WHERE true
            ON CONFLICT DO NOTHING
            """,
            steps=steps,
        )

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
