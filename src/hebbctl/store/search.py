"""The full-text index: what it finds for a match expression, and how it is made anew."""

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from hebbctl import text
from hebbctl.models import Filters
from hebbctl.store.connection import Database
from hebbctl.store.memories import parameters
from hebbctl.store.returning import live_again

FIRST_ID = -(2**63)
BATCH = 1000  # memories between two words on how far a rebuild has come
Progress = Callable[[int, int], None]


class Match(NamedTuple):
    """A memory that fits a match expression. ``bm25`` is positive, better is greater."""

    id: int
    bm25: float
    retention: float
    words: float  # how long the text is, about


class Passing(NamedTuple):
    """What a candidate needs for its score besides its match; ``words`` as in a Match."""

    retention: float
    words: float


class Search:
    """Reads memory_text; whoever stores or erases a memory writes it, in the same transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def count(self, expression: str) -> int:
        """Return how many memories fit an FTS5 expression; a twentieth of the cost to rank them."""
        [row] = self._database.rows(
            "SELECT count(*) AS found FROM memory_text WHERE memory_text MATCH :expression",
            expression=expression,
        )
        return int(row["found"])

    def matches(
        self,
        expression: str,
        filters: Filters,
        *,
        limit: int,
        newest: int = -1,
        spans: Sequence[tuple[int, int]] = (),
    ) -> Iterator[Match]:
        """Return what fits an FTS5 expression and the filters, best bm25 first, then newest.

        Of some ``spans`` of time it must be created in one.

        Only so many of the ``newest`` that fit the expression are ranked, -1 for all. Only those
        asked for are looked up: a common word is in a tenth of all memories.
        """
        rows = self._database.each(
            """
            WITH
            ranked AS (
                SELECT rowid AS id, rank
                FROM memory_text
                WHERE memory_text MATCH :expression
                ORDER BY rowid DESC
                LIMIT :newest
            ),
            hit AS (
                SELECT id, rank
                FROM ranked
                ORDER BY rank, id DESC
                LIMIT -1  -- without one, SQLite may drop the order
            )
            SELECT
                memory.id,
                -hit.rank AS bm25,
                iif(
                    memory.id IN (SELECT value FROM json_each(:returned)),
                    1.0,
                    retention(
                        partition, importance, access_count, strength, ttl_ms, last_accessed_at,
                        renewed_at, anchor_value, anchor_at
                    )
                ) AS retention,
                -- An English word and its space take six bytes, so do two Han characters.
                length(CAST(content AS BLOB)) / 6.0 AS words
            FROM hit
            CROSS JOIN memory ON memory.id = hit.id  -- in the order of the hits, as they are asked
            WHERE (
                    :archived IS NULL
                    OR :archived = (
                        archived_at IS NOT NULL
                        AND memory.id NOT IN (SELECT value FROM json_each(:returned))
                    )
                )
              AND (
                  :archived IS NOT 1
                  OR :superseded
                  OR archived_reason IS NOT 'superseded'
              )
              -- Somebody else is current about its key: what it says has been superseded, too.
              AND (
                  :archived IS NOT 1
                  OR :superseded
                  OR memory.key IS NULL
                  OR NOT EXISTS (
                      SELECT 1
                      FROM memory AS holder
                      WHERE holder.scope = memory.scope
                        AND holder.key = memory.key
                        AND holder.trusted = 1
                        AND holder.archived_at IS NULL
                  )
              )
              AND (:trusted IS NULL OR trusted = :trusted)
              AND (:archived IS NULL OR expires_at IS NULL OR expires_at > :now)
              AND (:partition IS NULL OR partition = :partition)
              AND (:kinds = '[]' OR kind IN (SELECT value FROM json_each(:kinds)))
              AND (:scopes = '[]' OR scope IN (SELECT value FROM json_each(:scopes)))
              AND (:source IS NULL OR source = :source)
              AND (:session IS NULL OR session = :session)
              AND (:since IS NULL OR created_at >= :since)
              AND (:until IS NULL OR created_at < :until)
              AND (:spans = '[]' OR EXISTS (
                  SELECT 1
                  FROM json_each(:spans) AS span
                  WHERE created_at >= span.value ->> 0 AND created_at < span.value ->> 1
              ))
              AND (
                  :stale IS NULL
                  OR :stale = (
                      memory.id NOT IN (SELECT value FROM json_each(:returned))
                      AND is_stale(
                          partition, importance, access_count, strength, ttl_ms, last_accessed_at,
                          renewed_at, anchor_value, anchor_at, pinned
                      )
                  )
              )
              AND (:tags = '[]' OR NOT EXISTS (
                  SELECT 1
                  FROM json_each(:tags) AS wanted
                  WHERE NOT EXISTS (
                      SELECT 1
                      FROM json_each(wanted.value) AS spelling
                      JOIN tag ON tag.memory_id = memory.id AND tag.name = spelling.value
                  )
              ))
            LIMIT :limit
            """,
            expression=expression,
            newest=newest,
            spans=json.dumps(spans),
            limit=limit,
            now=self._database.now,
            superseded=filters.superseded,
            returned=json.dumps(live_again(self._database)),
            **parameters(filters),
        )
        for row in rows:
            yield Match(row["id"], row["bm25"], row["retention"], row["words"])

    def neighbours(self, ids: Sequence[int], *, reach: int) -> list[tuple[int, int, int]]:
        """Return (id, neighbour, distance) for what stands near in a session, whatever its state.

        ``distance`` counts turns, 1 to ``reach``, in the order of time, then id.
        """
        if not ids:
            return []
        rows = self._database.rows(
            """
            WITH near AS (
                SELECT
                    here.id,
                    (
                        SELECT json_group_array(id) FROM (
                            SELECT id
                            FROM memory AS turn
                            WHERE turn.session = here.session
                              AND turn.scope = here.scope
                              AND (turn.created_at, turn.id) < (here.created_at, here.id)
                            ORDER BY turn.created_at DESC, turn.id DESC
                            LIMIT :reach
                        )
                    ) AS before,
                    (
                        SELECT json_group_array(id) FROM (
                            SELECT id
                            FROM memory AS turn
                            WHERE turn.session = here.session
                              AND turn.scope = here.scope
                              AND (turn.created_at, turn.id) > (here.created_at, here.id)
                            ORDER BY turn.created_at, turn.id
                            LIMIT :reach
                        )
                    ) AS after
                FROM json_each(:ids) AS hit
                JOIN memory AS here ON here.id = hit.value
                WHERE here.session IS NOT NULL
            ),
            pair (id, neighbour, distance) AS (
                SELECT near.id, turn.value, turn.key + 1
                FROM near JOIN json_each(near.before) AS turn
                UNION ALL
                SELECT near.id, turn.value, turn.key + 1
                FROM near JOIN json_each(near.after) AS turn
            )
            SELECT id, neighbour, distance FROM pair
            """,
            ids=json.dumps(ids),
            reach=reach,
        )
        return [(row["id"], row["neighbour"], row["distance"]) for row in rows]

    def passing(self, ids: Sequence[int], filters: Filters) -> dict[int, Passing]:
        """Return those of the ids that the filters let through, in no order."""
        if not ids:
            return {}
        rows = self._database.rows(
            """
            SELECT
                memory.id,
                iif(
                    memory.id IN (SELECT value FROM json_each(:returned)),
                    1.0,
                    retention(
                        partition, importance, access_count, strength, ttl_ms, last_accessed_at,
                        renewed_at, anchor_value, anchor_at
                    )
                ) AS retention,
                length(CAST(content AS BLOB)) / 6.0 AS words
            FROM json_each(:ids) AS wanted
            JOIN memory ON memory.id = wanted.value
            WHERE :archived = (
                    archived_at IS NOT NULL
                    AND memory.id NOT IN (SELECT value FROM json_each(:returned))
                )
              AND (NOT :archived OR :superseded OR archived_reason IS NOT 'superseded')
              -- Somebody else is current about its key: what it says has been superseded, too.
              AND (
                  :archived IS NOT 1
                  OR :superseded
                  OR memory.key IS NULL
                  OR NOT EXISTS (
                      SELECT 1
                      FROM memory AS holder
                      WHERE holder.scope = memory.scope
                        AND holder.key = memory.key
                        AND holder.trusted = 1
                        AND holder.archived_at IS NULL
                  )
              )
              AND (:trusted IS NULL OR trusted = :trusted)
              AND (expires_at IS NULL OR expires_at > :now)
              AND (:partition IS NULL OR partition = :partition)
              AND (:kinds = '[]' OR kind IN (SELECT value FROM json_each(:kinds)))
              AND (:scopes = '[]' OR scope IN (SELECT value FROM json_each(:scopes)))
              AND (:source IS NULL OR source = :source)
              AND (:session IS NULL OR session = :session)
              AND (:since IS NULL OR created_at >= :since)
              AND (:until IS NULL OR created_at < :until)
              AND (
                  :stale IS NULL
                  OR :stale = (
                      memory.id NOT IN (SELECT value FROM json_each(:returned))
                      AND is_stale(
                          partition, importance, access_count, strength, ttl_ms, last_accessed_at,
                          renewed_at, anchor_value, anchor_at, pinned
                      )
                  )
              )
              AND (:tags = '[]' OR NOT EXISTS (
                  SELECT 1
                  FROM json_each(:tags) AS wanted
                  WHERE NOT EXISTS (
                      SELECT 1
                      FROM json_each(wanted.value) AS spelling
                      JOIN tag ON tag.memory_id = memory.id AND tag.name = spelling.value
                  )
              ))
            """,
            ids=json.dumps(ids),
            now=self._database.now,
            superseded=filters.superseded,
            returned=json.dumps(live_again(self._database)),
            **parameters(filters),
        )
        return {row["id"]: Passing(row["retention"], row["words"]) for row in rows}

    def dated(self, spans: Sequence[tuple[int, int]], *, limit: int) -> list[int]:
        """Return what was created within one of some spans of time, the newest first."""
        rows = self._database.rows(
            """
            SELECT DISTINCT memory.id
            FROM json_each(:spans) AS span
            CROSS JOIN memory
                ON created_at >= span.value ->> 0
                AND created_at < span.value ->> 1
            ORDER BY created_at DESC, memory.id DESC
            LIMIT :limit
            """,
            spans=json.dumps(spans),
            limit=limit,
        )
        return [row["id"] for row in rows]

    def last_ids(self, count: int) -> list[int]:
        """Return the memories stored last, the last one first."""
        rows = self._database.rows(
            "SELECT id FROM memory ORDER BY id DESC LIMIT :count", count=count
        )
        return [row["id"] for row in rows]

    def beginnings(self, ids: Sequence[int], characters: int) -> Iterator[str]:
        """Return so much of the text of each of these memories, one by one and in no order."""
        rows = self._database.each(
            """
            SELECT substr(content, 1, :characters) AS beginning
            FROM memory
            WHERE id IN (SELECT value FROM json_each(:ids))
            """,
            ids=json.dumps(ids),
            characters=characters,
        )
        return (row["beginning"] for row in rows)

    def created(self, ids: Sequence[int]) -> dict[int, int]:
        """Return when each of these was created."""
        rows = self._database.rows(
            """
            SELECT id, created_at FROM memory WHERE id IN (SELECT value FROM json_each(:ids))
            """,
            ids=json.dumps(ids),
        )
        return {row["id"]: row["created_at"] for row in rows}

    def rarest(self, words: Sequence[str], *, common: int) -> list[str]:
        """Return the index words that fewer than ``common`` memories hold, the rarest first."""
        rows = self._database.rows(
            """
            SELECT
                value AS word,
                (
                    SELECT count(*)
                    FROM (
                        SELECT rowid
                        FROM memory_text
                        WHERE memory_text MATCH '"' || value || '"'
                        LIMIT :common
                    )
                ) AS memories
            FROM json_each(:words)
            ORDER BY memories, word
            """,
            words=json.dumps(words),
            common=common,
        )
        return [row["word"] for row in rows if row["memories"] < common]

    def rebuild(self, progress: Progress = lambda done, total: None) -> int:
        """Make the index anew from the content, with this version's preparation of text.

        One transaction: whoever is killed in it leaves the index as it was. Returns how many
        memories it holds.
        """
        with self._database.writing():
            [row] = self._database.rows("SELECT count(*) AS total FROM memory")
            self._database.run("INSERT INTO memory_text (memory_text) VALUES ('delete-all')")
            done, after = 0, FIRST_ID
            while batch := self._batch(after):
                self._index(after, batch["last"])
                done, after = done + batch["size"], batch["last"]
                progress(done, row["total"])
            self._database.run(
                """
                INSERT INTO state VALUES ('text_version', :version)
                ON CONFLICT DO UPDATE SET value = excluded.value
                """,
                version=text.VERSION,
            )
        return done

    def _batch(self, after: int) -> sqlite3.Row | None:
        """Return how many memories come next and the last one's id, None after the last."""
        [row] = self._database.rows(
            """
            SELECT count(*) AS size, max(id) AS last
            FROM (SELECT id FROM memory WHERE id > :after ORDER BY id LIMIT :batch)
            """,
            after=after,
            batch=BATCH,
        )
        return row if row["size"] else None

    def _index(self, after: int, last: int) -> None:
        self._database.run(
            """
            INSERT INTO memory_text (rowid, words)
            -- As a blob: a text that another program broke must not keep the others out.
            SELECT id, index_words(CAST(content AS BLOB))
            FROM memory
            WHERE id > :after AND id <= :last
            ORDER BY id
            """,
            after=after,
            last=last,
        )
