"""What should not be in a store: damage, orphans, broken values, a wrong index; and its end."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from hebbctl import secrets
from hebbctl.errors import StoreDamaged, StoreError
from hebbctl.store.connection import Database, switch_to_wal, translated
from hebbctl.store.functions import text_of

CLOCK_SLACK = 60_000  # milliseconds: other processes read their clocks a little later


class Health:
    """The questions only read, also on a connection that may not write. ``mend_*`` write."""

    def __init__(self, database: Database) -> None:
        self._database = database
        for name, arguments, function in (
            ("is_broken", -1, _is_broken),
            ("is_object", 1, _is_object),
            ("whole_text", 1, _whole_text),
            ("digest_of", 1, _digest_of),
        ):
            database.connection.create_function(name, arguments, function, deterministic=True)

    def damage(self) -> list[str]:
        """Return what SQLite finds wrong in the file, one line each."""
        self._database.rows("PRAGMA ignore_check_constraints = ON")  # a rule of ours is no damage
        try:
            found = self._database.rows("PRAGMA integrity_check")
        except StoreDamaged as error:
            return [str(error)]
        finally:
            self._database.rows("PRAGMA ignore_check_constraints = OFF")
        return [row[0] for row in found if row[0] != "ok"]

    def broken_rules(self) -> list[str]:
        """Return which tables hold rows that their own rules forbid, one line each."""
        try:
            found = self._database.rows("PRAGMA quick_check")
        except StoreError:  # metadata that is no JSON ends the check, and has one of its own
            return []
        return [row[0] for row in found if row[0].startswith("CHECK")]

    def orphans(self) -> dict[str, int]:
        """Count what refers to a memory or sweep that is gone, by kind."""
        [row] = self._database.rows(
            """
            SELECT
                (SELECT count(*) FROM tag WHERE memory_id NOT IN (SELECT id FROM memory)) AS tags,
                (
                    SELECT count(*)
                    FROM edge
                    WHERE memory_a NOT IN (SELECT id FROM memory)
                       OR memory_b NOT IN (SELECT id FROM memory)
                ) AS edges,
                (
                    SELECT count(*) FROM vector WHERE memory_id NOT IN (SELECT id FROM memory)
                ) AS vectors,
                (
                    SELECT count(*) FROM memory WHERE superseded_by NOT IN (SELECT id FROM memory)
                ) AS successors,
                (
                    SELECT count(*)
                    FROM memory
                    WHERE sweep_id IS NOT NULL AND sweep_id NOT IN (SELECT id FROM sweep)
                ) AS sweeps
            """
        )
        return dict(row)

    def mend_orphans(self) -> None:
        for statement in (
            "DELETE FROM tag WHERE memory_id NOT IN (SELECT id FROM memory)",
            """
            DELETE FROM edge
            WHERE memory_a NOT IN (SELECT id FROM memory)
               OR memory_b NOT IN (SELECT id FROM memory)
            """,
            "DELETE FROM vector WHERE memory_id NOT IN (SELECT id FROM memory)",
            """
            UPDATE memory SET superseded_by = NULL
            WHERE superseded_by NOT IN (SELECT id FROM memory)
            """,
            """
            UPDATE memory SET sweep_id = NULL
            WHERE sweep_id IS NOT NULL AND sweep_id NOT IN (SELECT id FROM sweep)
            """,
        ):
            self._database.run(statement)

    def crooked_edges(self) -> dict[str, int]:
        """Count the edges that no memory can have, by kind; another program made them."""
        [row] = self._database.rows(
            """
            SELECT
                count(*) FILTER (WHERE memory_a = memory_b) AS "to itself",
                count(*) FILTER (WHERE memory_a > memory_b) AS "in the wrong order",
                count(*) FILTER (WHERE weight < 0) AS "of negative weight"
            FROM edge
            """
        )
        return dict(row)

    def mend_edges(self) -> None:
        """Turn edges in the wrong order round, adding their weight, and drop the others."""
        self._database.run(
            """
            INSERT INTO edge (memory_a, memory_b, weight, last_updated)
            SELECT memory_b, memory_a, weight, last_updated
            FROM edge
            WHERE memory_a > memory_b AND weight >= 0
            ON CONFLICT DO UPDATE
            SET weight = edge_weight(max(0, edge.weight), edge.last_updated)
                    + edge_weight(excluded.weight, excluded.last_updated),
                last_updated = :now
            """,
            now=self._database.now,
        )
        self._database.run("DELETE FROM edge WHERE memory_a >= memory_b OR weight < 0")

    def index_is_sound(self) -> bool | None:
        """Say whether the index fits together; None where it cannot be asked of a read-only file.

        Raises:
            StoreBusy: another process is writing.
        """
        try:
            with self._undone():
                self._database.run(
                    "INSERT INTO memory_text (memory_text) VALUES ('integrity-check')"
                )
        except StoreDamaged:
            return False
        except StoreError as error:
            if "READONLY" in getattr(error.__cause__, "sqlite_errorname", ""):
                return None
            raise
        return True

    def index_gaps(self) -> dict[str, int]:
        """Count the memories without an entry in the index, and the entries without a memory."""
        [row] = self._database.rows(
            """
            SELECT
                (
                    SELECT count(*)
                    FROM memory
                    WHERE id NOT IN (SELECT id FROM memory_text_docsize)
                ) AS missing,
                (
                    SELECT count(*)
                    FROM memory_text_docsize
                    WHERE id NOT IN (SELECT id FROM memory)
                ) AS ghosts
            """
        )
        return dict(row)

    def differing_words(self) -> int:
        """Return how many words the index holds of other texts than it should.

        The texts are indexed once more, in a temporary table: as much work as a rebuild, but the
        only way, as an index without a copy of the texts cannot say what it was given.
        """
        with self._undone():
            for statement in (
                """
                CREATE VIRTUAL TABLE temp.expected_text
                USING fts5 (
                    words,
                    content = '',
                    tokenize = "porter unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc'"
                )
                """,
                """
                INSERT INTO temp.expected_text (rowid, words)
                SELECT id, index_words(CAST(content AS BLOB)) FROM memory
                """,
                "CREATE VIRTUAL TABLE temp.expected USING fts5vocab (temp, expected_text, 'row')",
                "CREATE VIRTUAL TABLE temp.held USING fts5vocab (main, memory_text, 'row')",
            ):
                self._database.run(statement)
            # One word at a time and both in its order: neither list is ever in memory.
            [row] = self._database.rows(
                """
                SELECT count(DISTINCT term) AS words
                FROM (
                    SELECT * FROM (SELECT * FROM temp.held EXCEPT SELECT * FROM temp.expected)
                    UNION ALL
                    SELECT * FROM (SELECT * FROM temp.expected EXCEPT SELECT * FROM temp.held)
                )
                """
            )
        return int(row["words"])

    def changed_contents(self) -> int:
        """Count the memories whose text another program changed: its digest is of the old one."""
        [row] = self._database.rows(
            """
            SELECT count(*) AS changed
            FROM memory
            WHERE content_digest <> digest_of(CAST(content AS BLOB))
            """
        )
        return int(row["changed"])

    def mend_digests(self) -> None:
        """Take the texts as they are now; the vectors of what they were are dropped."""
        self._database.run(
            """
            DELETE FROM vector
            WHERE memory_id IN (
                SELECT id
                FROM memory
                WHERE content_digest <> digest_of(CAST(content AS BLOB))
            )
            """
        )
        self._database.run(
            """
            UPDATE memory
            SET content_digest = digest_of(CAST(content AS BLOB))
            WHERE content_digest <> digest_of(CAST(content AS BLOB))
            """
        )

    def broken_values(self) -> dict[str, int]:
        """Count what no reader could show: text that is no UTF-8, metadata that is no object."""
        [row] = self._database.rows(
            """
            SELECT
                (
                    SELECT count(*)
                    FROM memory
                    WHERE is_broken(
                        CAST(uid AS BLOB), CAST(kind AS BLOB), CAST(source AS BLOB),
                        CAST(scope AS BLOB), CAST(session AS BLOB), CAST(key AS BLOB),
                        CAST(content AS BLOB)
                    )
                ) AS texts,
                (
                    SELECT count(*) FROM memory WHERE NOT is_object(CAST(metadata AS BLOB))
                ) AS metadata,
                (SELECT count(*) FROM tag WHERE is_broken(CAST(name AS BLOB))) AS tags
            """
        )
        return dict(row)

    def mend_values(self) -> None:
        """Make every value one that can be shown. What it was can still be read in it."""
        for statement in (
            # The metadata first: its rule would end the statement after it.
            """
            UPDATE memory
            SET metadata = json_object('damaged_metadata', whole_text(CAST(metadata AS BLOB)))
            WHERE NOT is_object(CAST(metadata AS BLOB))
            """,
            """
            UPDATE memory
            SET uid = whole_text(CAST(uid AS BLOB)),
                kind = whole_text(CAST(kind AS BLOB)),
                source = whole_text(CAST(source AS BLOB)),
                scope = whole_text(CAST(scope AS BLOB)),
                session = whole_text(CAST(session AS BLOB)),
                key = whole_text(CAST(key AS BLOB)),
                content = whole_text(CAST(content AS BLOB))
            WHERE is_broken(
                CAST(uid AS BLOB), CAST(kind AS BLOB), CAST(source AS BLOB), CAST(scope AS BLOB),
                CAST(session AS BLOB), CAST(key AS BLOB), CAST(content AS BLOB)
            )
            """,
            """
            UPDATE OR REPLACE tag SET name = whole_text(CAST(name AS BLOB))
            WHERE is_broken(CAST(name AS BLOB))
            """,
        ):
            self._database.run(statement)

    def future_times(self) -> int:
        """Count the memories that were made, used or archived later than now."""
        [row] = self._database.rows(
            """
            SELECT count(*) AS future
            FROM memory
            WHERE max(created_at, last_accessed_at, coalesce(archived_at, 0)) > :latest
            """,
            latest=self._database.now + CLOCK_SLACK,
        )
        return int(row["future"])

    def mend_times(self) -> None:
        self._database.run(
            """
            UPDATE memory
            SET created_at = min(created_at, :now),
                last_accessed_at = min(last_accessed_at, :now),
                archived_at = min(archived_at, :now)
            WHERE max(created_at, last_accessed_at, coalesce(archived_at, 0)) > :latest
            """,
            now=self._database.now,
            latest=self._database.now + CLOCK_SLACK,
        )

    def mend_btrees(self) -> None:
        """Make the plain indexes anew from their tables."""
        self._database.run("REINDEX")

    def mend_journal(self) -> None:
        with translated(self._database.path):
            switch_to_wal(self._database.connection)

    def figures(self) -> dict[str, Any]:
        """Return the journal mode, the versions, and what is noted in ``state``, by name."""
        [row] = self._database.rows(
            """
            SELECT
                user_version AS schema,
                sqlite_version() AS sqlite,
                (
                    SELECT group_concat(replace(compile_options, 'ENABLE_', ''), ' ')
                    FROM pragma_compile_options
                    WHERE compile_options GLOB 'ENABLE_*' OR compile_options GLOB 'THREADSAFE=*'
                ) AS built_with
            FROM pragma_user_version
            """
        )
        [journal] = self._database.rows("PRAGMA journal_mode")
        return {"text_version": None, **self._database.state(), **dict(row), **dict(journal)}

    @contextmanager
    def _undone(self) -> Iterator[None]:
        """Allow what is no reading in SQLite's eyes, and take it back: not one byte is changed."""
        db = self._database.connection
        with translated(self._database.path):
            [only_reads] = db.execute("PRAGMA query_only").fetchone()
            db.execute("PRAGMA query_only = OFF")
            db.execute("BEGIN")
            try:
                yield
            finally:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                db.execute(f"PRAGMA query_only = {only_reads}")


def _is_broken(*raws: bytes | None) -> bool:
    return any(raw is not None and not _is_text(raw) for raw in raws)


def _is_text(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_object(raw: bytes) -> bool:
    try:
        return isinstance(json.loads(raw.decode()), dict)
    except (ValueError, RecursionError):
        return False


def _whole_text(raw: bytes | None) -> str | None:
    return None if raw is None else text_of(raw)


def _digest_of(raw: bytes) -> int:
    return secrets.digest(text_of(raw))
