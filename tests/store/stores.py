"""Stores on real files, and memories to put into them."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from hebbctl import policies
from hebbctl.models import Draft, Policy
from hebbctl.settings import defaults
from hebbctl.store import Store

NOW = 1_800_000_000_000  # in the year 2027
DAY = 86_400_000
SETTINGS = defaults()
NOBODY = 65_534  # a user who owns nothing


def policy_of(partition: str) -> Policy:
    return policies.effective(partition, SETTINGS)


def opened(
    path: Path, *, now: int = NOW, writable: bool = True, under: policies.PolicyOf = policy_of
) -> Store:
    return Store(path, under, now=now, writable=writable)


@contextmanager
def using(path: Path, **options: Any) -> Iterator[Store]:
    with closing(opened(path, **options)) as store:
        yield store


@contextmanager
def plain_sqlite(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the same file without our functions, as the sqlite3 shell would."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        yield db


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the write lock, as another process in the middle of a change does."""
    with plain_sqlite(path) as db:
        db.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def snapshot(path: Path) -> Iterator[None]:
    """Read from an older state of the store, as a process with a long query does."""
    with plain_sqlite(path) as db:
        db.execute("BEGIN")
        db.execute("SELECT count(*) FROM memory").fetchone()
        yield


@contextmanager
def unprivileged() -> Iterator[None]:
    """Obey the permissions of files, also where the tests run as root."""
    if os.geteuid():
        yield
        return
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@contextmanager
def undone(store: Store) -> Iterator[None]:
    """Do something inside a transaction that fails at its end."""
    with suppress(ZeroDivisionError), store.transaction():
        yield
        raise ZeroDivisionError


def keep(store: Store, content: str = "use tabs", **fields: Any) -> int:
    """Store one memory, also one that is there already, and return its id."""
    draft = Draft(**{"content": content, "partition": "mem_notes"} | fields)
    return store.memories.add(draft, force=True)[0].id


def fill(db: sqlite3.Connection, rows: Sequence[dict[str, Any]]) -> None:
    """Make these the only memories, with ids from 1, without the store's own way in."""
    db.execute("BEGIN")
    db.execute("DELETE FROM memory")
    db.executemany(
        """
        INSERT INTO memory (
            id, uid, partition, importance, access_count, created_at, last_accessed_at,
            renewed_at, promoted_at, pinned, ttl_ms, expires_at, archived_at, archived_reason,
            content_digest, content
        )
        VALUES (
            :id, 'uid ' || :id, :partition, :importance, :access_count, 0, :last_accessed_at,
            :renewed_at, :promoted_at, :pinned, :ttl_ms, :expires_at, :archived_at,
            iif(:archived_at IS NULL, NULL, 'by hand'), 0, 'x'
        )
        """,
        [ROW | row | {"id": number} for number, row in enumerate(rows, start=1)],
    )
    db.execute("COMMIT")


ROW = {
    "partition": "mem_notes",
    "importance": 5.0,
    "access_count": 0,
    "last_accessed_at": NOW,
    "renewed_at": None,
    "promoted_at": None,
    "pinned": 0,
    "ttl_ms": None,
    "expires_at": None,
    "archived_at": None,
}


def table(store: Store, statement: str, **values: Any) -> list[dict[str, Any]]:
    """Return the rows of a query that no method of the store answers."""
    with plain_sqlite(store.path) as db:
        db.row_factory = sqlite3.Row
        return [dict(row) for row in db.execute(statement, values)]
