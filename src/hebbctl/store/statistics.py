"""Totals of the whole store, each from the smallest index that knows it."""

import json
from typing import Any

from hebbctl.store.connection import Database
from hebbctl.store.returning import live_again


class Statistics:
    """Counts rows; changes none."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def total(self) -> int:
        """Return how many memories there are, in every state."""
        [row] = self._database.rows("SELECT count(*) AS memories FROM memory")
        return int(row["memories"])

    def counts(self) -> list[tuple[str, str, int]]:
        """Return (partition, state, memories), without empty ones and without the pinned live ones.

        A state is live, expired or archived. Each is counted by an index of its own: to group the
        rows of the table, SQLite would sort all of them.
        """
        rows = self._database.rows(
            """
            WITH part (partition, state, memories) AS (
                SELECT partition, 'live', count(*)
                FROM memory INDEXED BY memory_sweep
                WHERE archived_at IS NULL
                  AND pinned = 0
                  AND ttl_ms IS NULL
                  AND renewed_at IS NULL
                  AND anchor_at IS NULL
                GROUP BY partition
                UNION ALL
                SELECT partition, 'live', count(*)
                FROM memory
                WHERE archived_at IS NULL
                  AND pinned = 0
                  AND (ttl_ms IS NOT NULL OR renewed_at IS NOT NULL OR anchor_at IS NOT NULL)
                GROUP BY partition
                UNION ALL  -- the index does not know what has expired
                SELECT partition, 'live', -count(*)
                FROM memory INDEXED BY memory_expiry
                WHERE archived_at IS NULL AND expires_at IS NOT NULL AND expires_at <= :now
                  AND pinned = 0
                GROUP BY partition
                UNION ALL
                SELECT partition, 'expired', count(*)
                FROM memory INDEXED BY memory_expiry
                WHERE archived_at IS NULL AND expires_at IS NOT NULL AND expires_at <= :now
                GROUP BY partition
                UNION ALL
                SELECT partition, 'archived', count(*)
                FROM memory INDEXED BY memory_archive
                WHERE archived_at IS NOT NULL
                  AND id NOT IN (SELECT value FROM json_each(:returned))
                GROUP BY partition
                UNION ALL
                SELECT partition, iif(expires_at <= :now, 'expired', 'live'), count(*)
                FROM memory
                WHERE id IN (SELECT value FROM json_each(:returned))
                  AND (pinned = 0 OR expires_at <= :now)
                GROUP BY 1, 2
            )
            SELECT partition, state, sum(memories) AS memories
            FROM part
            GROUP BY partition, state
            HAVING sum(memories) > 0
            ORDER BY partition, state
            """,
            now=self._database.now,
            returned=json.dumps(live_again(self._database)),
        )
        return [(row["partition"], row["state"], row["memories"]) for row in rows]

    def retained(self) -> list[int]:
        """Return how many memories retain less than 0.1, 0.3, 0.5, 0.8, and how many there are.

        Only live ones count that are not pinned. Each is asked for its retention once, which is
        most of the work.
        """
        [row] = self._database.rows(
            """
            SELECT
                total(one) FILTER (WHERE retention < 0.1),
                total(one) FILTER (WHERE retention < 0.3),
                total(one) FILTER (WHERE retention < 0.5),
                total(one) FILTER (WHERE retention < 0.8),
                total(one)
            FROM (
                SELECT
                    1 AS one,
                    retention(
                        partition, importance, access_count, strength, NULL, last_accessed_at,
                        NULL, NULL, NULL
                    ) AS retention
                FROM memory INDEXED BY memory_sweep
                WHERE archived_at IS NULL
                  AND pinned = 0
                  AND ttl_ms IS NULL
                  AND renewed_at IS NULL
                  AND anchor_at IS NULL
                UNION ALL
                SELECT
                    1,
                    retention(
                        partition, importance, access_count, strength, ttl_ms, last_accessed_at,
                        renewed_at, anchor_value, anchor_at
                    )
                FROM memory
                WHERE archived_at IS NULL
                  AND pinned = 0
                  AND (ttl_ms IS NOT NULL OR renewed_at IS NOT NULL OR anchor_at IS NOT NULL)
                UNION ALL  -- the indexes do not know what has expired
                SELECT
                    -1,
                    retention(
                        partition, importance, access_count, strength, ttl_ms, last_accessed_at,
                        renewed_at, anchor_value, anchor_at
                    )
                FROM memory INDEXED BY memory_expiry
                WHERE archived_at IS NULL AND expires_at IS NOT NULL AND expires_at <= :now
                  AND pinned = 0
                UNION ALL
                SELECT 1, 1.0
                FROM memory
                WHERE id IN (SELECT value FROM json_each(:returned))
                  AND pinned = 0
                  AND (expires_at IS NULL OR expires_at > :now)
                LIMIT -1  -- without one, SQLite asks the function for each total
            )
            """,
            now=self._database.now,
            returned=json.dumps(live_again(self._database)),
        )
        return [int(count) for count in row]

    def pinned(self) -> list[tuple[str, list[int]]]:
        """Return for each partition what ``retained`` says, of its pinned live memories.

        They are in no index: this one walk through the table is all that there is.
        """
        rows = self._database.rows(
            """
            SELECT
                partition,
                count(*) FILTER (WHERE retention < 0.1),
                count(*) FILTER (WHERE retention < 0.3),
                count(*) FILTER (WHERE retention < 0.5),
                count(*) FILTER (WHERE retention < 0.8),
                count(*)
            FROM (
                SELECT
                    partition,
                    iif(
                        archived_at IS NOT NULL,
                        1.0,
                        retention(
                            partition, importance, access_count, strength, ttl_ms,
                            last_accessed_at, renewed_at, anchor_value, anchor_at
                        )
                    ) AS retention
                FROM memory NOT INDEXED
                WHERE pinned = 1
                  AND (archived_at IS NULL OR id IN (SELECT value FROM json_each(:returned)))
                  AND (expires_at IS NULL OR expires_at > :now)
                LIMIT -1
            )
            GROUP BY partition
            ORDER BY partition
            """,
            now=self._database.now,
            returned=json.dumps(live_again(self._database)),
        )
        return [(partition, counts) for partition, *counts in rows]

    def stale_count(self) -> int:
        [row] = self._database.rows(
            """
            SELECT count(*) AS stale
            FROM memory
            WHERE archived_at IS NULL
              AND (expires_at IS NULL OR expires_at > :now)
              AND is_stale(
                  partition, importance, access_count, strength, ttl_ms, last_accessed_at,
                  renewed_at, anchor_value, anchor_at, pinned
              )
            """,
            now=self._database.now,
        )
        return int(row["stale"])

    def vitality_counts(self) -> dict[str, int]:
        """Return how many live memories are in each band of vitality that has some.

        Source: cortexgraph, which has no name for what is below the danger.
        """
        rows = self._database.rows(
            """
            WITH live AS MATERIALIZED (
                SELECT
                    iif(
                        archived_at IS NULL,
                        vitality(
                            partition, importance, access_count, strength, ttl_ms,
                            last_accessed_at, renewed_at, anchor_value, anchor_at
                        ),
                        1
                    ) AS vitality
                FROM memory
                WHERE (archived_at IS NULL OR id IN (SELECT value FROM json_each(:returned)))
                  AND (expires_at IS NULL OR expires_at > :now)
            )
            SELECT
                CASE
                    WHEN vitality < 0.15 THEN 'below 0.15'
                    WHEN vitality < 0.35 THEN 'danger'
                    WHEN vitality <= 0.65 THEN 'healthy'
                    ELSE 'strong'
                END AS band,
                count(*) AS memories
            FROM live
            GROUP BY 1
            """,
            now=self._database.now,
            returned=json.dumps(live_again(self._database)),
        )
        return {row["band"]: row["memories"] for row in rows}

    def history(self) -> dict[str, Any]:
        """Return what was done so far, the last of it, and which fixed expiry comes next."""
        [row] = self._database.rows(
            """
            SELECT
                (SELECT count(*) FROM sweep) AS sweeps,
                (SELECT max(started_at) FROM sweep) AS last_sweep_at,
                (SELECT count(*) FROM tombstone) AS tombstones,
                (
                    SELECT min(expires_at) FROM memory
                    WHERE archived_at IS NULL AND expires_at IS NOT NULL AND expires_at > :now
                ) AS next_expiry_at,
                (SELECT max(id) FROM audit) AS last_audit,
                (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)
                    AS size_bytes
            """,
            now=self._database.now,
        )
        return dict(row)

    def live_texts(self, *, most: int) -> list[str] | None:
        """Return the texts of all live memories; None where there are more than so many."""
        rows = self._database.rows(
            """
            SELECT content
            FROM memory
            WHERE archived_at IS NULL AND (expires_at IS NULL OR expires_at > :now)
            LIMIT :most + 1
            """,
            most=most,
            now=self._database.now,
        )
        return [row["content"] for row in rows] if len(rows) <= most else None

    def live_by_partition(self) -> dict[str, int]:
        """Return how many live memories each partition that was ever used holds."""
        rows = self._database.rows(
            """
            SELECT partition, count(*) FILTER (WHERE archived_at IS NULL) AS live
            FROM memory
            GROUP BY partition
            ORDER BY partition
            """
        )
        return {row["partition"]: row["live"] for row in rows}
