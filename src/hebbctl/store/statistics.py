"""Totals of the whole store, each in one pass."""

from typing import Any

from hebbctl.store.connection import Database


class Statistics:
    """Counts rows; changes none."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def counts(self) -> list[tuple[str, str, int, int, int]]:
        """Return (partition, state, tenth of retention 0..10, memories, pinned ones of them)."""
        rows = self._database.rows(
            """
            SELECT
                partition,
                CASE
                    WHEN archived_at IS NOT NULL THEN 'archived'
                    WHEN expires_at <= :now THEN 'expired'
                    ELSE 'live'
                END AS state,
                CAST(
                    10 * retention(
                    partition, importance, access_count, strength, ttl_ms, last_accessed_at,
                    renewed_at, anchor_value, anchor_at
                )
                    AS INTEGER
                ) AS tenth,
                count(*) AS memories,
                sum(pinned) AS pinned
            FROM memory
            GROUP BY 1, 2, 3
            ORDER BY 1, 2, 3
            """,
            now=self._database.now,
        )
        return [
            (row["partition"], row["state"], row["tenth"], row["memories"], row["pinned"])
            for row in rows
        ]

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
                    vitality(
                        partition, importance, access_count, strength, ttl_ms, last_accessed_at,
                        renewed_at, anchor_value, anchor_at
                    ) AS vitality
                FROM memory
                WHERE archived_at IS NULL AND (expires_at IS NULL OR expires_at > :now)
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
        )
        return {row["band"]: row["memories"] for row in rows}

    def history(self) -> dict[str, Any]:
        """Return how many sweeps took something, when the last did, and what was erased."""
        [row] = self._database.rows(
            """
            SELECT
                (SELECT count(*) FROM sweep) AS sweeps,
                (SELECT max(started_at) FROM sweep) AS last_sweep_at,
                (SELECT count(*) FROM tombstone) AS tombstones,
                (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)
                    AS size_bytes
            """
        )
        return dict(row)

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
