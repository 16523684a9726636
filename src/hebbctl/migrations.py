"""The schema's versions: what a fresh store is made of, and how an older one becomes current."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from hebbctl.errors import StoreDamaged, StoreError

APPLICATION_ID = 0x68656262  # 'hebb', also set by schema.sql
SCHEMA_VERSION = 5
OLDEST_READABLE = 1  # what can be read as it is, so that reading never writes
NOTES_EDITS = 4  # the first with a table of what was edited: before, only the audit knew


def _index_names(db: sqlite3.Connection) -> None:
    db.execute("CREATE INDEX memory_scope ON memory (scope)")
    db.execute("CREATE INDEX memory_kind ON memory (kind) WHERE kind IS NOT NULL")


def _index_for_every_curve(db: sqlite3.Connection) -> None:
    db.execute("DROP INDEX memory_sweep")
    db.execute("DROP INDEX memory_ttl")
    db.execute(
        """
        CREATE INDEX memory_sweep
        ON memory (
            partition, importance, access_count, strength, last_accessed_at,
            promoted_at, archived_at, pinned, ttl_ms, renewed_at, anchor_at
        )
        WHERE archived_at IS NULL
          AND pinned = 0
          AND ttl_ms IS NULL
          AND renewed_at IS NULL
          AND anchor_at IS NULL
        """
    )
    db.execute(
        """
        CREATE INDEX memory_own_clock
        ON memory (
            partition, importance, access_count, strength, last_accessed_at,
            promoted_at, archived_at, pinned, ttl_ms, renewed_at, anchor_at, anchor_value
        )
        WHERE archived_at IS NULL
          AND pinned = 0
          AND (ttl_ms IS NOT NULL OR renewed_at IS NOT NULL OR anchor_at IS NOT NULL)
        """
    )
    db.execute(
        """
        CREATE INDEX memory_lifetime ON memory (partition, created_at)
        WHERE archived_at IS NULL AND pinned = 0 AND promoted_at IS NULL
        """
    )


def _note_edits(db: sqlite3.Connection) -> None:
    db.execute("CREATE INDEX audit_uid ON audit (uid) WHERE uid IS NOT NULL")
    db.execute(
        """CREATE TABLE edited (
    memory_id INTEGER PRIMARY KEY REFERENCES memory (id) ON DELETE CASCADE
) STRICT"""  # as schema.sql writes it
    )
    db.execute(
        """
        INSERT INTO edited
        SELECT id FROM memory WHERE id IN (SELECT memory_id FROM audit WHERE action = 'edit')
        """
    )
    db.execute(
        """
        INSERT INTO state
        SELECT 'copies_pending 0-0', value FROM state WHERE name = 'erasure_pending'
        """
    )
    db.execute("DELETE FROM state WHERE name = 'copies_done'")


def _index_creation(db: sqlite3.Connection) -> None:
    db.execute("CREATE INDEX memory_created ON memory (created_at)")


# Version a step starts from -> the step, which ends at the next one. A shipped step is never
# edited.
STEPS: dict[int, Callable[[sqlite3.Connection], None]] = {
    1: _index_names,
    2: _index_for_every_curve,
    3: _note_edits,
    4: _index_creation,
}


def version_of(db: sqlite3.Connection, path: Path) -> int:
    """Return the schema's version of a store, 0 for an empty file.

    Raises:
        StoreError: it is another program's, newer than this one, or damaged.
    """
    version, application, tables = db.execute(
        """
        SELECT user_version, application_id, (SELECT count(*) FROM sqlite_schema)
        FROM pragma_user_version, pragma_application_id
        """
    ).fetchone()
    if (version, application, tables) == (0, 0, 0):
        return 0
    if application != APPLICATION_ID:
        raise StoreError(f"{path} belongs to another program", hint="choose another with --db")
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"{path} was made by a newer hebb: its schema is {version}, this one knows"
            f" {SCHEMA_VERSION}",
            hint="upgrade hebb",
        )
    if version < 0 or (version == 0 and tables):
        raise StoreDamaged(
            f"{path} is damaged: no hebb makes a schema {version}",
            hint="'hebb backup restore FILE' puts a backup in its place",
        )
    return int(version)


def advance(db: sqlite3.Connection, path: Path) -> None:
    """Bring a store to the current schema, inside the caller's transaction."""
    version = version_of(db, path)
    if version == 0:
        for statement in statements(schema_sql()):
            db.execute(statement)
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    for older in range(version or SCHEMA_VERSION, SCHEMA_VERSION):
        STEPS[older](db)
        db.execute(f"PRAGMA user_version = {older + 1}")


def copy_before(db: sqlite3.Connection, path: Path, version: int) -> Path:
    """Write a copy of the store beside it, for the user only, and return its path.

    It has a draft's name until it is whole: erasing takes what a killed run leaves away.
    """
    copy = path.with_name(f"{path.name}.schema-{version}.{os.getpid()}")
    draft = copy.with_name(f"{copy.name}.part")
    descriptor = os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
    try:
        db.execute("VACUUM INTO ?", (str(draft),))
        os.fsync(descriptor)
        draft.replace(copy)
    finally:
        os.close(descriptor)
        draft.unlink(missing_ok=True)
    return copy


def schema_sql() -> str:
    """Return ``schema.sql``: inside the package in a wheel, at the root of a checkout."""
    here = Path(__file__).parent
    packaged = here / "schema.sql"
    return (packaged if packaged.exists() else here.parents[1] / "schema.sql").read_text("utf-8")


def statements(script: str) -> Iterator[str]:
    """Split a script. Not executescript(): that would commit the open transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
