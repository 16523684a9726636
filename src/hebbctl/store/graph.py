"""The edges: which memories were used together, how often, and how long ago."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from hebbctl import graph
from hebbctl.store.connection import Database


class Edge(NamedTuple):
    """Two live memories that were used together. ``weight`` is what is left of it now.

    A ``bridging`` edge joins what shares no tag and no kind.
    """

    memory_a: int
    memory_b: int
    weight: float
    last_updated: int
    bridging: bool


class Graph:
    """Edges go with their memories. Of archived ones they are kept, but not shown."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def use_together(
        self, ranked: Sequence[int], *, weight: float, most_pairs: int, most_edges: int
    ) -> None:
        """Strengthen the edges between memories, the best first, by ``weight`` each.

        What an edge had is brought to now before it is added to. Only the first of many are joined,
        by at most ``most_pairs``; of each memory the strongest ``most_edges`` stay.
        """
        distinct = list(dict.fromkeys(ranked))
        joined = [sorted(pair) for pair in graph.pairs(distinct, most_pairs)]
        with self._database.writing():
            self._add(joined, weight)
            for memory_id in sorted({one for pair in joined for one in pair}):
                self.trim(memory_id, most_edges)

    def _add(self, pairs: list[list[int]], weight: float) -> None:
        self._database.run(
            """
            INSERT INTO edge (memory_a, memory_b, weight, last_updated)
            SELECT one.id, other.id, :weight, :now
            FROM json_each(:pairs) AS pair
            JOIN memory AS one ON one.id = pair.value ->> 0
            JOIN memory AS other ON other.id = pair.value ->> 1
            WHERE true  -- else ON would be taken for the join's
            ON CONFLICT DO UPDATE
            SET weight = edge_weight(edge.weight, edge.last_updated) + excluded.weight,
                last_updated = max(edge.last_updated, excluded.last_updated)
            """,
            pairs=json.dumps(pairs),
            weight=weight,
            now=self._database.now,
        )

    def trim(self, memory_id: int, most_edges: int) -> None:
        """Keep the strongest edges of a memory only, inside the caller's transaction."""
        self._database.run(
            """
            DELETE FROM edge
            WHERE (memory_a, memory_b) IN (
                SELECT memory_a, memory_b
                FROM edge
                WHERE memory_a = :id OR memory_b = :id
                ORDER BY edge_weight(weight, last_updated) DESC, last_updated DESC, 1, 2
                LIMIT -1 OFFSET :most
            )
            """,
            id=memory_id,
            most=most_edges,
        )

    def link(self, one: int, other: int, *, weight: float) -> bool:
        """Give an edge its weight as of now, making it if need be. Returns whether it was made."""
        with self._database.writing():
            there = self._weight(one, other) is not None
            self._database.run(
                """
                INSERT INTO edge VALUES (min(:one, :other), max(:one, :other), :weight, :now)
                ON CONFLICT DO UPDATE SET weight = excluded.weight, last_updated = :now
                """,
                one=one,
                other=other,
                weight=weight,
                now=self._database.now,
            )
        return not there

    def unlink(self, one: int, other: int) -> bool:
        """Take an edge away. Returns whether there was one."""
        with self._database.writing():
            removed = self._database.run(
                """
                DELETE FROM edge
                WHERE memory_a = min(:one, :other) AND memory_b = max(:one, :other)
                """,
                one=one,
                other=other,
            )
        return removed.rowcount > 0

    def _weight(self, one: int, other: int) -> float | None:
        rows = self._database.rows(
            """
            SELECT edge_weight(weight, last_updated) AS weight
            FROM edge
            WHERE memory_a = min(:one, :other) AND memory_b = max(:one, :other)
            """,
            one=one,
            other=other,
        )
        return float(rows[0]["weight"]) if rows else None

    def edges(self, of: int | None = None) -> list[Edge]:
        """Return the edges between live memories, or those of one, the strongest first."""
        rows = self._database.rows(
            """
            SELECT
                memory_a,
                memory_b,
                edge_weight(weight, last_updated) AS weight,
                last_updated,
                one.kind IS NOT other.kind OR one.kind IS NULL AS differ
            FROM edge
            JOIN memory AS one ON one.id = memory_a
            JOIN memory AS other ON other.id = memory_b
            WHERE (:of IS NULL OR memory_a = :of OR memory_b = :of)
              AND one.archived_at IS NULL
              AND other.archived_at IS NULL
              AND (one.expires_at IS NULL OR one.expires_at > :now)
              AND (other.expires_at IS NULL OR other.expires_at > :now)
            ORDER BY 3 DESC, memory_a, memory_b
            """,
            of=of,
            now=self._database.now,
        )
        tagged = self._sharing_a_tag([(row["memory_a"], row["memory_b"]) for row in rows])
        return [
            Edge(
                row["memory_a"],
                row["memory_b"],
                row["weight"],
                row["last_updated"],
                bool(row["differ"]) and (row["memory_a"], row["memory_b"]) not in tagged,
            )
            for row in rows
        ]

    def _sharing_a_tag(self, pairs: list[tuple[int, int]]) -> set[tuple[int, int]]:
        rows = self._database.rows(
            """
            SELECT DISTINCT pair.value ->> 0 AS one, pair.value ->> 1 AS other
            FROM json_each(:pairs) AS pair
            JOIN tag AS first ON first.memory_id = pair.value ->> 0
            JOIN tag AS second ON second.memory_id = pair.value ->> 1 AND second.name = first.name
            """,
            pairs=json.dumps(pairs),
        )
        return {(row["one"], row["other"]) for row in rows}

    def around(self, context: Sequence[int], *, limit: int) -> dict[int, list[tuple[float, int]]]:
        """Return for each live memory that has an edge to the context those edges.

        Each as its weight now and the number of edges that the context's end has. At most
        ``limit`` memories, those of the heaviest edges.
        """
        rows = self._database.rows(
            """
            WITH near AS (
                SELECT context.value AS here, edge.memory_b AS there, weight, last_updated
                FROM json_each(:context) AS context
                JOIN edge ON edge.memory_a = context.value
                UNION ALL
                SELECT context.value, edge.memory_a, weight, last_updated
                FROM json_each(:context) AS context
                JOIN edge ON edge.memory_b = context.value
            )
            SELECT
                here,
                there,
                edge_weight(weight, last_updated) AS weight,
                count(*) OVER (PARTITION BY here) AS degree
            FROM near
            ORDER BY 3 DESC, there, here
            """,
            context=json.dumps(list(dict.fromkeys(context))),
        )
        found: dict[int, list[tuple[float, int]]] = {}
        for row in rows:
            if row["there"] in found or len(found) < limit:
                found.setdefault(row["there"], []).append((row["weight"], row["degree"]))
        return found

    def before(self, memory_id: int) -> int | None:
        """Return the live memory that comes before one in its session and scope."""
        rows = self._database.rows(
            """
            SELECT turn.id
            FROM memory AS here
            JOIN memory AS turn
                ON turn.session = here.session
                AND turn.scope = here.scope
                AND (turn.created_at, turn.id) < (here.created_at, here.id)
            WHERE here.id = :id AND turn.archived_at IS NULL
            ORDER BY turn.created_at DESC, turn.id DESC
            LIMIT 1
            """,
            id=memory_id,
        )
        return rows[0]["id"] if rows else None

    def last_used(self, *, count: int) -> list[int]:
        """Return the live memories used last, the last one first."""
        rows = self._database.rows(
            """
            SELECT id
            FROM memory
            WHERE archived_at IS NULL
              AND (expires_at IS NULL OR expires_at > :now)
              AND access_count > 0
            ORDER BY last_accessed_at DESC, id DESC
            LIMIT :count
            """,
            count=count,
            now=self._database.now,
        )
        return [row["id"] for row in rows]

    def counts(self) -> tuple[int, int]:
        """Return how many edges there are between live memories, and how many of these."""
        [row] = self._database.rows(
            """
            WITH shown AS (
                SELECT memory_a, memory_b
                FROM edge
                JOIN memory AS one ON one.id = memory_a
                JOIN memory AS other ON other.id = memory_b
                WHERE one.archived_at IS NULL
                  AND other.archived_at IS NULL
                  AND (one.expires_at IS NULL OR one.expires_at > :now)
                  AND (other.expires_at IS NULL OR other.expires_at > :now)
            )
            SELECT
                (SELECT count(*) FROM shown) AS edges,
                (
                    SELECT count(*) FROM (
                        SELECT memory_a FROM shown UNION SELECT memory_b FROM shown
                    )
                ) AS connected
            """,
            now=self._database.now,
        )
        return row["edges"], row["connected"]
