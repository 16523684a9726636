"""Opening a file: what a fresh store is, who may read it, and what is refused untouched."""

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from stores import fill, keep, locked, opened, plain_sqlite, unprivileged, using

from hebbctl import migrations
from hebbctl.errors import StoreBusy, StoreDamaged, StoreError, WrongUsage
from hebbctl.models import Filters
from hebbctl.store import Store

APPLICATION_ID = 0x68656262
SHAPE = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"


def contents(store: Store) -> list[str]:
    return sorted(memory.content for memory in store.memories.listing(Filters()))


def files(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in folder.iterdir() if one.is_file()}


def test_fresh_store_is_schema_sql(plain: sqlite3.Connection) -> None:
    expected = sqlite3.connect(":memory:")
    expected.executescript(migrations.schema_sql())
    assert plain.execute(SHAPE).fetchall() == expected.execute(SHAPE).fetchall()
    expected.close()


def test_plain_sqlite_can_write_a_store(plain: sqlite3.Connection) -> None:
    fill(plain, [{}, {"archived_at": 5}, {"pinned": 1, "ttl_ms": 5, "expires_at": 9}])
    plain.execute("INSERT INTO tag VALUES (1, 'a')")
    plain.execute("UPDATE memory SET importance = 6, key = 'k' WHERE id = 1")
    plain.execute("INSERT INTO memory_text (rowid, words) VALUES (1, 'x')")
    assert plain.execute("SELECT count(*) FROM memory_record").fetchone() == (3,)
    plain.execute("DELETE FROM memory")
    assert plain.execute("SELECT count(*) FROM tag").fetchone() == (1,)  # its foreign_keys are off


@pytest.mark.parametrize(
    ("pragma", "value"),
    [
        ("journal_mode", "wal"),
        ("application_id", APPLICATION_ID),
        ("user_version", migrations.SCHEMA_VERSION),
        ("integrity_check", "ok"),
    ],
)
def test_store_file_says_what_it_is(plain: sqlite3.Connection, pragma: str, value: object) -> None:
    assert plain.execute(f"PRAGMA {pragma}").fetchone() == (value,)


@pytest.mark.parametrize("writable", [True, False])
def test_every_connection_is_safe(store: Store, writable: bool) -> None:
    with using(store.path, writable=writable) as other:
        pragmas = {
            "busy_timeout": 5000,
            "foreign_keys": 1,
            "secure_delete": 1,
            "synchronous": 2,
            "query_only": int(not writable),
        }
        db = other._database.connection
        assert {name: db.execute(f"PRAGMA {name}").fetchone()[0] for name in pragmas} == pragmas


def test_store_and_its_folder_are_the_users_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "s.db"
    with using(path) as store:
        keep(store)
        store.audit.key()
        modes = {stat.S_IMODE(one.stat().st_mode) for one in path.parent.iterdir()}
        assert modes == {0o600}
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("name", ["a b.db", "a?b=c&d.db", "a#b.db", "100%25.db", "记忆.db", "-.db"])
def test_any_file_name_is_a_store(tmp_path: Path, name: str) -> None:
    for expected in (["one"], ["one", "two"]):
        with using(tmp_path / name) as store:
            keep(store, expected[-1])
        with using(tmp_path / name, writable=False) as store:
            assert contents(store) == expected
    assert [one.name for one in tmp_path.iterdir()] == [name]


def test_link_to_a_store_elsewhere_is_that_store(tmp_path: Path, store: Store) -> None:
    keep(store, "one")
    link = tmp_path / "link.db"
    link.symlink_to(store.path)
    with using(link) as linked:
        keep(linked, "two")
        assert contents(store) == ["one", "two"]


def made_by_sqlite(script: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        with plain_sqlite(Path(folder, "made.db")) as db:
            db.executescript(script)
        return Path(folder, "made.db").read_bytes()


@pytest.mark.parametrize("writable", [True, False])
@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"shopping list: milk\n" * 100, "not a hebb store"),
        (bytes(range(256)) * 20, "not a hebb store"),
        (b"SQLite format 3\0" + b"\0" * 5000, "not a hebb store"),
        (made_by_sqlite("CREATE TABLE theirs (x)"), "another program"),
        (made_by_sqlite("PRAGMA user_version = 1"), "another program"),
        (made_by_sqlite("PRAGMA application_id = 5"), "another program"),
        (
            made_by_sqlite(f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 99"),
            "newer hebb",
        ),
        (
            made_by_sqlite(f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = -1"),
            "damaged",
        ),
        (
            made_by_sqlite(f"PRAGMA application_id = {APPLICATION_ID}; CREATE TABLE ours (x)"),
            "damaged",
        ),
    ],
    ids=[
        "text",
        "noise",
        "header",
        "foreign",
        "versioned",
        "labelled",
        "newer",
        "below",
        "without",
    ],
)
def test_file_that_is_no_store_of_ours_is_refused_untouched(path, raw, reason, writable) -> None:
    path.write_bytes(raw)
    with pytest.raises(StoreError, match=reason):
        opened(path, writable=writable)
    assert files(path.parent) == {path.name: raw}


@pytest.mark.parametrize("writable", [True, False])
def test_folder_in_place_of_a_store_is_refused(tmp_path: Path, writable: bool) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreError, match="folder"):
        opened(tmp_path / "folder", writable=writable)


def test_damaged_store_is_refused_by_name(path: Path) -> None:
    with using(path) as store:
        for _ in range(50):
            keep(store, "tabs " * 200)
    raw = bytearray(path.read_bytes())
    raw[4096:] = b"\xa5" * (len(raw) - 4096)
    path.write_bytes(raw)
    with pytest.raises(StoreError, match="is damaged"), using(path, writable=False) as store:
        store.memories.listing(Filters())


@pytest.mark.parametrize("raw", [None, b""])
def test_reader_of_no_store_sees_an_empty_one_and_leaves_no_trace(path, raw) -> None:
    if raw is not None:
        path.write_bytes(raw)
    before = files(path.parent)
    with using(path, writable=False) as store:
        assert contents(store) == []
        assert list(store.search.matches('"tabs"', Filters(), limit=5)) == []
    assert files(path.parent) == before


def test_reader_cannot_write(store: Store) -> None:
    with using(store.path, writable=False) as reader:
        with pytest.raises(StoreError, match="cannot be written"):
            keep(reader)
        assert contents(reader) == []


def test_reader_sees_what_a_writer_stores_meanwhile_and_waits_for_nobody(store: Store) -> None:
    keep(store, "one")
    with using(store.path, writable=False) as reader, locked(store.path):
        assert contents(reader) == ["one"]
    keep(store, "two")
    with using(store.path, writable=False) as reader:
        assert contents(reader) == ["one", "two"]


@contextmanager
def read_only_copy(path: Path, *names: str) -> Iterator[Path]:
    """Give a copy of some files of a store in a folder that nobody may change."""
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            copied = Path(shutil.copy(path.with_name(name), folder))
            copied.chmod(0o444)
        os.chmod(folder, 0o555)
        with unprivileged():
            yield Path(folder, path.name)
        os.chmod(folder, 0o755)


def test_store_in_a_read_only_folder_can_be_read(path: Path) -> None:
    with using(path) as store:
        keep(store, "one")
    with read_only_copy(path, "s.db") as copy:
        with using(copy, writable=False) as reader:
            assert contents(reader) == ["one"]
            assert next(iter(reader.search.matches('"one"', Filters(), limit=5))).id == 1
        with pytest.raises(StoreError):
            opened(copy)
        assert [one.name for one in copy.parent.iterdir()] == ["s.db"]


def contents_or_refusal(path: Path) -> list[str]:
    try:
        with using(path, writable=False) as reader:
            return contents(reader)
    except StoreError as error:
        return [str(error)]


@pytest.mark.parametrize("names", [("s.db", "s.db-wal"), ("s.db", "s.db-wal", "s.db-shm")])
def test_read_only_store_with_a_log_is_never_read_without_it(store: Store, names) -> None:
    with plain_sqlite(store.path) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    keep(store, "in the log only")
    with read_only_copy(store.path, *names) as copy:
        found = contents_or_refusal(copy)
        assert found == ["in the log only"] or str(copy) in found[0]


def test_store_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="file"):
        opened(tmp_path / "file" / "s.db")


def test_sixteen_processes_make_one_store_and_lose_nothing(path: Path) -> None:
    command = [sys.executable, "-m", "hebbctl", "--db", str(path), "add"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    running = [subprocess.Popen([*command, f"note {number}"], **pipes) for number in range(16)]
    finished = [process.communicate() for process in running]
    assert [errors for _, errors in finished] == [""] * 16
    assert sorted(int(out) for out, _ in finished) == list(range(1, 17))
    with using(path, writable=False) as store:
        assert contents(store) == sorted(f"note {number}" for number in range(16))


@pytest.mark.parametrize("beside", ["hebbctl/schema.sql", "schema.sql"])
def test_schema_is_found_in_a_wheel_and_in_a_checkout(tmp_path, beside) -> None:
    """A wheel holds it inside the package, an editable install at the root above src."""
    package = tmp_path / "src" / "hebbctl"
    shutil.copytree(
        Path(migrations.__file__).parent,
        package,
        ignore=shutil.ignore_patterns("__pycache__", "schema.sql"),
    )
    place = package / "schema.sql" if "/" in beside else tmp_path / "schema.sql"
    place.write_text(migrations.schema_sql(), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "hebbctl", "add", "x"],
        env={**os.environ, "PYTHONPATH": str(package.parent)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")


def test_reader_of_a_database_without_tables_leaves_it_as_it_is(path) -> None:
    db = sqlite3.connect(path)
    db.executescript("CREATE TABLE a (b); DROP TABLE a; VACUUM")
    db.close()
    before = path.read_bytes()
    with using(path, writable=False) as reader:
        assert reader.memories.listing(Filters()) == []
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "sidecar", ["hebb.key", "store.db-wal", "backups/store-20260101T000000Z.db"]
)
def test_emptied_store_is_not_taken_for_a_new_one(sidecar: str, tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    path.touch()
    (tmp_path / sidecar).parent.mkdir(exist_ok=True)
    (tmp_path / sidecar).write_bytes(b"x" * 32)
    for writable in (False, True):
        with pytest.raises(StoreError, match="is empty, but") as caught:
            opened(path, writable=writable)
        assert "backup restore" in str(caught.value.hint)
    assert path.read_bytes() == b""


def test_store_that_is_gone_from_beside_its_log_is_not_made_anew(path: Path) -> None:
    log = path.with_name(f"{path.name}-wal")
    with using(path) as store:
        keep(store, "in the log only")
        raw = log.read_bytes()
    path.unlink()
    log.write_bytes(raw)
    for writable in (False, True):
        with pytest.raises(StoreDamaged, match="is gone, but its log"):
            opened(path, writable=writable)
    assert (path.exists(), log.read_bytes()) == (False, raw)


@pytest.mark.parametrize("names", [(), ("20260101T000000Z", "20260102T000000Z")])
def test_hint_of_a_damaged_store_names_its_newest_copy(path: Path, names) -> None:
    path.write_bytes(b"no store any more" * 100)
    (path.parent / "backups").mkdir()
    made = [path.parent / "backups" / f"{path.stem}-{name}.db" for name in names]
    for one in made:
        one.touch()
    with pytest.raises(StoreDamaged) as caught:
        opened(path)
    newest = made[-1] if made else "FILE"
    assert f"'hebb backup restore {newest}'" in str(caught.value.hint)


class WithoutSharedMemory(sqlite3.Connection):
    """A connection on a file system whose processes cannot share memory: it has no log."""

    def __init__(self, name: str, **how: object) -> None:
        joined = f"{name}{'&' if '?' in name else '?'}vfs=unix-dotfile"
        super().__init__(name if name == ":memory:" else joined, **how)


def test_store_where_no_log_can_be_has_a_rollback_journal(path: Path, monkeypatch) -> None:
    connect = sqlite3.connect
    monkeypatch.setattr(
        sqlite3,
        "connect",
        lambda *names, **how: connect(*names, factory=WithoutSharedMemory, **how),
    )
    with using(path) as store:
        one = keep(store, "kept")
        store.sweeps.erase([keep(store, "sentinel quokka")], reason="by hand")
        assert store.eraser.finish()
        assert store.health.figures()["journal_mode"] == "delete"
    with using(path, writable=False) as reader:
        assert reader.memories.get(one).content == "kept"
    assert not any(b"quokka" in file.read_bytes() for file in path.parent.iterdir())


def test_new_store_is_never_seen_half_made(tmp_path: Path) -> None:
    with using(tmp_path / "store.db"):
        assert sorted(one.name for one in tmp_path.iterdir() if ".part" in one.name) == []


def test_wait_for_another_writer_is_as_long_as_the_environment_says(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with using(path) as store, locked(path):
        monkeypatch.setenv("HEBB_BUSY_TIMEOUT", "0.01")
        with pytest.raises(StoreBusy) as caught:
            keep(store, "x")
        assert str(caught.value.hint).startswith("hebb waited 0.01 s for it")
    monkeypatch.setenv("HEBB_BUSY_TIMEOUT", "soon")
    with pytest.raises(WrongUsage, match="HEBB_BUSY_TIMEOUT"):
        opened(path)


class WithoutFullText(sqlite3.Connection):
    """A connection of a SQLite that was built without FTS5."""

    def execute(self, statement: str, *values: object) -> sqlite3.Cursor:
        if "USING fts5" in statement:
            raise sqlite3.OperationalError("no such module: fts5")
        return super().execute(statement, *values)


def test_sqlite_without_full_text_search_is_named_and_nothing_is_made(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = sqlite3.connect
    monkeypatch.setattr(
        sqlite3, "connect", lambda *names, **how: connect(*names, factory=WithoutFullText, **how)
    )
    with pytest.raises(StoreError, match="no full-text search") as caught:
        opened(path)
    assert "Python" in str(caught.value.hint)
    assert list(path.parent.iterdir()) == []


def test_what_an_interrupt_left_unfinished_ends_silently_after_the_store(path: Path) -> None:
    store = opened(path)
    database = store._database
    left = [store.bulk(), store.transaction(), database.attempt()]
    for one in left:
        one.__enter__()
    store.close()
    for one in reversed(left):
        one.gen.close()  # as Python does with what nobody refers to any more
    with using(path) as later:
        assert keep(later) == 1
