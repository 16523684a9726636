"""A store and the same file seen by plain sqlite3."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
import stores

from hebbctl.store import Store, connection


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with stores.using(path) as store:
        yield store


@pytest.fixture
def plain(store: Store) -> Iterator[sqlite3.Connection]:
    with stores.plain_sqlite(store.path) as db:
        yield db


@pytest.fixture
def short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a store that meets another's lock give up in milliseconds, not seconds."""
    monkeypatch.setattr(connection, "BUSY_TIMEOUT_MS", 20)
