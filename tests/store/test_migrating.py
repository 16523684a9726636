"""The migration frame: a copy first, then numbered steps in one transaction."""

import sqlite3
import stat
from pathlib import Path

import pytest
from stores import keep, opened, plain_sqlite, using

from hebbctl import migrations
from hebbctl.errors import StoreError
from hebbctl.models import Filters

CURRENT = migrations.SCHEMA_VERSION
DATA = Path(__file__).parents[1] / "data"


def add_column(db: sqlite3.Connection) -> None:
    db.execute("ALTER TABLE sweep ADD COLUMN note TEXT")


def fail_half_way(db: sqlite3.Connection) -> None:
    db.execute("DELETE FROM memory")
    db.execute("INSERT INTO no_such_table VALUES (1)")


@pytest.fixture
def old(path: Path) -> Path:
    """A store of the version before the one the test makes current."""
    with using(path) as store:
        keep(store, "older than the schema")
    return path


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch):
    """Make a later version current, reached by these steps."""

    def make(*steps) -> int:
        numbered = dict(enumerate(steps, start=CURRENT))
        monkeypatch.setattr(migrations, "STEPS", migrations.STEPS | numbered)
        monkeypatch.setattr(migrations, "SCHEMA_VERSION", CURRENT + len(steps))
        return CURRENT + len(steps)

    return make


def version(path: Path) -> int:
    with plain_sqlite(path) as db:
        return db.execute("PRAGMA user_version").fetchone()[0]


def copies(path: Path) -> list[Path]:
    return [one for one in path.parent.iterdir() if ".schema-" in one.name]


def contents(path: Path) -> list[str]:
    with plain_sqlite(path) as db:
        return [content for (content,) in db.execute("SELECT content FROM memory ORDER BY id")]


def test_there_is_a_step_from_every_version_to_the_current_one() -> None:
    assert sorted(migrations.STEPS) == list(range(1, CURRENT))


@pytest.mark.parametrize("older", range(1, CURRENT))
def test_store_of_an_older_schema_becomes_equal_to_a_fresh_one(older: int, path: Path) -> None:
    with plain_sqlite(path) as db:
        db.executescript((DATA / f"schema-{older}.sql").read_text("utf-8"))
    with using(path) as store:
        keep(store, "kept")
    with using(path.with_name("fresh.db")):
        pass
    assert schema(path) == schema(path.with_name("fresh.db"))
    assert contents(path) == ["kept"]


def test_texts_that_were_replaced_are_known_after_the_step_from_schema_3(path: Path) -> None:
    with plain_sqlite(path) as db:
        db.executescript((DATA / "schema-3.sql").read_text("utf-8"))
        db.executescript(
            """
            INSERT INTO memory
                (id, uid, partition, content_digest, created_at, last_accessed_at, content)
            VALUES (1, 'a', 'mem_notes', 0, 1, 1, 'new'), (2, 'b', 'mem_notes', 0, 1, 1, 'kept');
            INSERT INTO audit (at, actor, action, memory_id, uid)
            VALUES (1, 'cli', 'edit', 1, 'a'), (1, 'cli', 'edit', 9, 'gone');
            """
        )
    with using(path, writable=False) as store:
        assert store.backups.edited() == {"a": "new"}
    with using(path) as store:
        store.audit.trim(1)
        assert store.backups.edited() == {"a": "new"}


@pytest.mark.parametrize("older", range(migrations.OLDEST_READABLE, CURRENT))
def test_reading_a_store_of_an_older_schema_changes_no_byte(older: int, path: Path) -> None:
    with plain_sqlite(path) as db:
        db.executescript((DATA / f"schema-{older}.sql").read_text("utf-8"))
        db.execute("PRAGMA journal_mode = WAL")
        db.execute(
            "INSERT INTO memory (uid, partition, content_digest, created_at, last_accessed_at,"
            " content) VALUES ('a', 'mem_notes', 0, 1, 1, 'kept')"
        )
    before = path.read_bytes()
    with using(path, writable=False) as store:
        assert [one.content for one in store.memories.listing(Filters())] == ["kept"]
        assert store.names.in_use("scope") == ["global"]
        assert len(store.sweeps.due()) == 1
    assert path.read_bytes() == before
    assert copies(path) == []


def schema(path: Path) -> dict[str, str]:
    with plain_sqlite(path) as db:
        rows = db.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
        return {name: " ".join(sql.split()) for name, sql in rows}


def test_old_store_becomes_current_and_keeps_its_memories(old, newer) -> None:
    target = newer(add_column)
    with using(old) as store:
        assert [one.content for one in store.memories.listing(Filters())] == [*contents(old)]
        keep(store, "of today")
    assert version(old) == target
    assert contents(old) == ["older than the schema", "of today"]


def test_copy_is_made_beside_the_store_before_anything_changes(old, newer) -> None:
    newer(add_column)
    with using(old):
        pass
    [copy] = copies(old)
    assert copy.name.startswith(f"{old.name}.schema-{CURRENT}.")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert version(copy) == CURRENT
    assert contents(copy) == ["older than the schema"]


def test_copy_that_is_cut_off_leaves_nothing(old) -> None:
    with plain_sqlite(old) as db:
        db.set_progress_handler(lambda: 1, 1)
        with pytest.raises(sqlite3.OperationalError, match="interrupted"):
            migrations.copy_before(db, old, CURRENT)
        db.set_progress_handler(None, 0)
    assert copies(old) == []


def test_copy_has_the_name_of_a_draft_until_it_is_whole(old) -> None:
    seen = set()
    with plain_sqlite(old) as db:
        db.set_progress_handler(lambda: seen.update(one.suffix for one in copies(old)), 1)
        copy = migrations.copy_before(db, old, CURRENT)
        db.set_progress_handler(None, 0)
    assert seen == {".part", ".part-journal"}
    assert copies(old) == [copy]


def test_steps_run_once_each_and_in_order(old, newer) -> None:
    ran = []
    newer(lambda db: ran.append("first"), lambda db: ran.append("second"))
    for _ in range(2):
        with using(old):
            pass
    assert ran == ["first", "second"]
    assert len(copies(old)) == 1


def test_failing_step_leaves_the_old_version_and_its_memories(old, newer) -> None:
    newer(add_column, fail_half_way)
    with pytest.raises(StoreError, match="no_such_table"):
        opened(old)
    assert version(old) == CURRENT
    assert contents(old) == ["older than the schema"]
    with plain_sqlite(old) as db:
        assert "note" not in {row[1] for row in db.execute("PRAGMA table_info(sweep)")}


def test_store_works_again_when_the_step_is_corrected(old, newer) -> None:
    newer(fail_half_way)
    with pytest.raises(StoreError):
        opened(old)
    target = newer(add_column)
    with using(old) as store:
        keep(store, "of today")
    assert version(old) == target


def test_fresh_and_current_stores_are_neither_copied_nor_stepped(path, newer) -> None:
    for _ in range(2):
        with using(path):
            pass
    target = newer(fail_half_way)
    with using(path.with_name("fresh.db")):
        pass
    assert copies(path) == []
    assert version(path.with_name("fresh.db")) == target


def test_script_is_split_into_its_statements() -> None:
    split = list(migrations.statements(migrations.schema_sql()))
    assert "".join(split) == migrations.schema_sql()
    assert all(sqlite3.complete_statement(statement) for statement in split)
    trigger = "CREATE TRIGGER t AFTER INSERT ON a BEGIN\nSELECT ';';\nSELECT 2;\nEND;\n"
    assert list(migrations.statements(trigger)) == [trigger]
