"""The full-text index: what it finds for a match expression, and how it is made anew."""

from dataclasses import dataclass

from hebbctl import text
from hebbctl.models import Filters
from hebbctl.store.connection import Database
from hebbctl.store.memories import parameters


@dataclass(frozen=True, slots=True)
class Match:
    """A memory that fits a match expression. ``bm25`` is positive, better is greater."""

    id: int
    bm25: float
    retention: float


class Search:
    """Reads memory_text; whoever stores or erases a memory writes it, in the same transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def matches(self, expression: str, filters: Filters, *, limit: int) -> list[Match]:
        """Return what fits an FTS5 expression and the filters, best bm25 first, then newest."""
        rows = self._database.rows(
            """
            SELECT
                memory.id,
                -memory_text.rank AS bm25,
                retention(partition, importance, access_count, last_accessed_at) AS retention
            FROM memory_text
            JOIN memory ON memory.id = memory_text.rowid
            WHERE memory_text MATCH :expression
              AND (archived_at IS NOT NULL) = :archived
              AND archived_reason IS NOT 'superseded'
              AND (expires_at IS NULL OR expires_at > :now)
              AND (:partition IS NULL OR partition = :partition)
              AND (:kind IS NULL OR kind = :kind)
              AND (:scope IS NULL OR scope = :scope)
              AND (:since IS NULL OR created_at >= :since)
              AND (:until IS NULL OR created_at < :until)
              AND NOT EXISTS (
                  SELECT value FROM json_each(:tags)
                  EXCEPT
                  SELECT name FROM tag WHERE memory_id = memory.id
              )
            ORDER BY memory_text.rank, memory.id DESC
            LIMIT :limit
            """,
            expression=expression,
            limit=limit,
            now=self._database.now,
            **parameters(filters),
        )
        return [Match(row["id"], row["bm25"], row["retention"]) for row in rows]

    def rebuild(self) -> None:
        """Make the index anew from the content, with this version's preparation of text."""
        with self._database.writing():
            self._database.run("INSERT INTO memory_text (memory_text) VALUES ('delete-all')")
            self._database.run(
                """
                INSERT INTO memory_text (rowid, words)
                SELECT id, index_words(content) FROM memory ORDER BY id
                """
            )
            self._database.run(
                """
                INSERT INTO state VALUES ('text_version', :version)
                ON CONFLICT DO UPDATE SET value = excluded.value
                """,
                version=text.VERSION,
            )
