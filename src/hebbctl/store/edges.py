"""Edges on their way: out of a store and into one by the uids of their ends, and to a new end."""

import json
from collections.abc import Sequence

from hebbctl.models import EdgeTo
from hebbctl.store.connection import Database


class Edges:
    """Weights are carried as they are stored: what is left of them now says their time."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def to_export(
        self, ids: Sequence[int], among: frozenset[int] | None
    ) -> dict[int, list[EdgeTo]]:
        """Return the edges of these memories that stand in their lines, by the other end's uid.

        Each edge stands once: with the end whose uid is greater, which comes later in an export;
        or with the only end that is exported, ``among`` being the ids of all that are.
        """
        rows = self._database.rows(
            """
            WITH line AS (
                SELECT memory.id, uid
                FROM json_each(:ids) AS wanted
                JOIN memory ON memory.id = wanted.value
            ),
            joined (id, uid, other, weight, last_updated) AS (
                SELECT line.id, line.uid, memory_b, weight, last_updated
                FROM line JOIN edge ON memory_a = line.id
                UNION ALL
                SELECT line.id, line.uid, memory_a, weight, last_updated
                FROM line JOIN edge ON memory_b = line.id
            )
            SELECT
                joined.id,
                other,
                there.uid,
                weight,
                last_updated,
                there.uid < joined.uid AS is_later
            FROM joined JOIN memory AS there ON there.id = joined.other
            WHERE :is_part OR there.uid < joined.uid
            ORDER BY joined.id, there.uid
            """,
            ids=json.dumps(ids),
            is_part=among is not None,
        )
        found: dict[int, list[EdgeTo]] = {}
        for row in rows:
            if row["is_later"] or (among is not None and row["other"] not in among):
                edge = EdgeTo(row["uid"], row["weight"], row["last_updated"])
                found.setdefault(row["id"], []).append(edge)
        return found

    def bring(
        self,
        edges: Sequence[tuple[str, EdgeTo, bool]],
        *,
        newer_than: int,
        overwrite: bool = False,
    ) -> None:
        """Join memories by their uids; an edge whose other end is not here yet waits for it.

        Each comes with the uid of its one end, and with whether that end is new here. If not, it
        is made only where the other end is: its id is above ``newer_than``. What is joined already
        stays as it is, unless to be ``overwrite``-n.
        """
        rows = [
            edge._asdict() | {"end": uid, "is_new": is_new, "newer_than": newer_than}
            for uid, edge, is_new in edges
        ]
        with self._database.writing():
            self._database.run(WAITING)
            self._database.run_all(WAIT, rows)
            self._database.run_all(JOIN, (row | {"overwrite": overwrite} for row in rows))

    def bring_waiting(self, *, newer_than: int, overwrite: bool = False) -> int:
        """Join what waited, as ``bring`` does. Returns how many edges have no other end here."""
        with self._database.writing():
            self._database.run(WAITING)
            self._database.run(JOIN_WAITING, newer_than=newer_than, overwrite=overwrite)
            [row] = self._database.rows(
                """
                SELECT count(*) AS left_out
                FROM temp.waiting_edge
                WHERE uid NOT IN (SELECT uid FROM memory)
                """
            )
            self._database.run("DROP TABLE temp.waiting_edge")
        return int(row["left_out"])

    def last_id(self) -> int:
        """Return the id above which every memory is that is stored from now on."""
        [row] = self._database.rows("SELECT coalesce(max(id), 0) AS id FROM memory")
        return int(row["id"])

    def move(self, others: Sequence[int], first: int) -> None:
        """Give the edges of others to one memory, inside the caller's transaction.

        What they weigh now is added to what it has. Edges between these memories go.
        """
        chosen = json.dumps(others)
        self._database.run(MOVE, first=first, others=chosen, now=self._database.now)
        self._database.run(
            """
            DELETE FROM edge
            WHERE memory_a IN (SELECT value FROM json_each(:others))
               OR memory_b IN (SELECT value FROM json_each(:others))
            """,
            others=chosen,
        )


# In a file of SQLite's own where it is long: a file of lines may name its edges in any order.
WAITING = """
    CREATE TEMP TABLE IF NOT EXISTS waiting_edge (
        end_uid         TEXT NOT NULL,
        uid             TEXT NOT NULL,
        weight          REAL NOT NULL,
        last_updated_at INTEGER NOT NULL,
        is_new          INTEGER NOT NULL
    ) STRICT
    """
WAIT = """
    INSERT INTO temp.waiting_edge
    SELECT :end, :uid, :weight, :last_updated_at, :is_new
    WHERE NOT EXISTS (SELECT 1 FROM memory WHERE uid = :uid)
    """
# One by one, not through JSON: SQLite would read a weight of 17 digits less exactly.
JOIN = """
    INSERT INTO edge (memory_a, memory_b, weight, last_updated)
    SELECT min(here.id, there.id), max(here.id, there.id), :weight, :last_updated_at
    FROM memory AS here
    JOIN memory AS there ON there.uid = :uid
    WHERE here.uid = :end
      AND here.id <> there.id
      AND (:is_new OR there.id > :newer_than)
    ON CONFLICT DO UPDATE
    SET weight = excluded.weight, last_updated = excluded.last_updated
    WHERE :overwrite
    """
JOIN_WAITING = """
    INSERT INTO edge (memory_a, memory_b, weight, last_updated)
    SELECT min(here.id, there.id), max(here.id, there.id), waiting.weight, waiting.last_updated_at
    FROM temp.waiting_edge AS waiting
    JOIN memory AS here ON here.uid = waiting.end_uid
    JOIN memory AS there ON there.uid = waiting.uid
    WHERE here.id <> there.id
      AND (waiting.is_new OR there.id > :newer_than)
    ON CONFLICT DO UPDATE
    SET weight = excluded.weight, last_updated = excluded.last_updated
    WHERE :overwrite
    """
MOVE = """
    WITH end_of AS (
        SELECT memory_b AS there, weight, last_updated
        FROM edge
        WHERE memory_a IN (SELECT value FROM json_each(:others))
        UNION ALL
        SELECT memory_a, weight, last_updated
        FROM edge
        WHERE memory_b IN (SELECT value FROM json_each(:others))
    )
    INSERT INTO edge (memory_a, memory_b, weight, last_updated)
    SELECT
        min(:first, there), max(:first, there), sum(edge_weight(weight, last_updated)), :now
    FROM end_of
    WHERE there <> :first AND there NOT IN (SELECT value FROM json_each(:others))
    GROUP BY there
    ON CONFLICT DO UPDATE
    SET weight = edge_weight(edge.weight, edge.last_updated) + excluded.weight,
        last_updated = max(edge.last_updated, excluded.last_updated)
    """
