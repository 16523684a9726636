"""One connection: opened safely, created once by whoever comes first, errors translated."""

import os
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any

from hebbctl import environment, migrations
from hebbctl.errors import (
    NO_ROOM,
    DiskFull,
    Refused,
    StoreBusy,
    StoreDamaged,
    StoreError,
    WrongUsage,
)
from hebbctl.places import KEY, copies_beside, private_folder, real, resolved, synced

BUSY_TIMEOUT_MS = 5000
RESTORING = "'hebb backup restore FILE' puts a backup in its place"
# What SQLite's error means to a user, and the next step. The first name that fits the beginning.
MEANINGS = {
    "SQLITE_BUSY": ("is locked: another process is writing", "try again when it is done"),
    "SQLITE_LOCKED": ("is locked by another connection", "try again"),
    "SQLITE_NOTADB": ("is not a hebb store", f"choose another file with --db, or {RESTORING}"),
    "SQLITE_PROTOCOL": (
        "is on a disk that refuses SQLite's locks",
        "move it to a local disk, and name it there with --db or HEBB_DB",
    ),
    "SQLITE_CORRUPT": ("is damaged", f"{RESTORING}; the file was left as it is"),
    "SQLITE_READONLY": ("cannot be written", "check who owns the file and its folder"),
    "SQLITE_CANTOPEN": ("cannot be opened", "check the path and who owns it"),
    "SQLITE_PERM": ("cannot be opened", "check who owns it"),
    "SQLITE_IOERR": ("cannot be read or written", "check the disk"),
}
KINDS = {
    "SQLITE_BUSY": StoreBusy,
    "SQLITE_NOTADB": StoreDamaged,
    "SQLITE_CORRUPT": StoreDamaged,
}
SMALLEST_FREE = 65_536  # bytes: what a log and the shared memory beside it take at least
FUNCTION_FAILED = "user-defined function raised exception"
NO_FTS5 = "no such module: fts5"


class Database:
    """An open store: every statement of the layer runs through it.

    ``now`` is the run's one moment, Unix milliseconds. A store ``as_it_is`` is one that exists; it
    is neither made nor migrated. ``patient`` is whether it waits for other writers.
    """

    def __init__(
        self,
        path: Path,
        *,
        now: int,
        writable: bool,
        as_it_is: bool = False,
        patient: bool = True,
    ) -> None:
        self.path = real(path)
        self.now = now
        self._patient = patient
        self.connection = (connect_as_it_is if as_it_is else connect)(path, writable=writable)

    def close(self) -> None:
        self.connection.close()

    def allow_writing(self) -> None:
        self.connection.execute("PRAGMA query_only = OFF")

    def rows(self, statement: str, **values: Any) -> list[sqlite3.Row]:
        """Run a query and return all of its rows."""
        with translated(self.path):
            return self.connection.execute(statement, values).fetchall()

    def each(self, statement: str, **values: Any) -> Iterator[sqlite3.Row]:
        """Run a query and return its rows one by one, with bounded memory."""
        with translated(self.path):
            # Not "yield from": that would close the cursor once more after the connection.
            for row in self.connection.execute(statement, values):  # noqa: UP028
                yield row

    def schema_version(self) -> int:
        [row] = self.rows("PRAGMA user_version")
        return int(row["user_version"])

    def state(self) -> dict[str, str]:
        """Return what is noted about the store as a whole, by name: see schema.sql."""
        rows = self.rows("SELECT name, value FROM state")
        return {row["name"]: row["value"] for row in rows}

    def run(self, statement: str, **values: Any) -> sqlite3.Cursor:
        """Run a changing statement inside ``writing``."""
        return self.connection.execute(statement, values)

    def run_all(self, statement: str, rows: Iterable[dict[str, Any]]) -> None:
        """Run a changing statement for each of the rows, inside ``writing``."""
        self.connection.executemany(statement, rows)

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Undo everything inside on an exception, and nothing before it, inside ``writing``."""
        self.connection.execute("SAVEPOINT attempt")
        try:
            yield
        except BaseException:
            with unless_closed():
                if self.connection.in_transaction:  # as in ``transaction``
                    self.connection.execute("ROLLBACK TO attempt")
            raise
        finally:
            with unless_closed():
                if self.connection.in_transaction:
                    self.connection.execute("RELEASE attempt")

    @contextmanager
    def bulk(self) -> Iterator[None]:
        """Wait for the disk once at the end, not at each commit on the way."""
        self.connection.execute("PRAGMA synchronous = NORMAL")
        try:
            yield
        finally:
            with translated(self.path), unless_closed():
                self.connection.execute("PRAGMA synchronous = FULL")
                # It waits for the log to be on the disk.
                self.connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    @contextmanager
    def writing(self, *, wait: bool = True) -> Iterator[None]:
        """Hold the write lock for one transaction, or go on in the one that is open.

        Without ``wait`` a lock held by another process fails at once.
        """
        if self.connection.in_transaction:
            yield
            return
        with translated(self.path):
            patience = busy_timeout_ms() if wait and self._patient else 0
            self.connection.execute(f"PRAGMA busy_timeout = {patience}")
            with transaction(self.connection):
                yield


def connect(path: Path, *, writable: bool) -> sqlite3.Connection:
    """Open a store, making it if need be. A reader of none sees an empty one and leaves no file.

    Raises:
        StoreError: the file cannot be used, is no hebb store, or is newer than this version.
    """
    with translated(path):
        _refuse_lost(path)
        if writable and not path.exists():
            _create(path)
        missing = not path.exists() or _is_empty(path)
        if missing:
            _refuse_emptied(path)
        target = _target(path, missing=missing, writable=writable)
        db = _opened(target) if writable else _opened_to_read(target, path)
        try:
            if not writable and not migrations.version_of(db, path):
                db.close()  # empty, or just being made by another process
                db = _opened(":memory:")
            _make_safe(db)
            if writable or migrations.version_of(db, path) < migrations.OLDEST_READABLE:
                _prepare(db, path)
            if not writable:
                db.execute("PRAGMA query_only = ON")
        except BaseException:
            db.close()
            raise
    return db


def connect_as_it_is(path: Path, *, writable: bool) -> sqlite3.Connection:
    """Open a store or a copy of one, of this schema or an older one, without changing it.

    Raises:
        StoreError: the file is missing or empty, cannot be used, is no hebb store, or is newer.
    """
    with translated(path):
        target = _target(path, missing=False, writable=writable)
        db = _opened(target if "?" in target else f"{target}?mode=rw")
        try:
            if not migrations.version_of(db, path):
                raise StoreDamaged(f"{path} is empty", hint="it is no copy of a hebb store")
            _make_safe(db)
            db.execute(f"PRAGMA query_only = {int(not writable)}")
        except BaseException:
            db.close()
            raise
    return db


def _make_safe(db: sqlite3.Connection) -> None:
    db.row_factory = sqlite3.Row
    db.execute("PRAGMA foreign_keys = ON")
    db.execute("PRAGMA secure_delete = ON")
    db.execute("PRAGMA synchronous = FULL")


def _opened(name: str) -> sqlite3.Connection:
    return sqlite3.connect(name, isolation_level=None, timeout=busy_timeout_ms() / 1000, uri=True)


def busy_timeout_ms() -> int:
    """Return how long a writer waits for another one."""
    seconds = environment.busy_timeout()
    return BUSY_TIMEOUT_MS if seconds is None else int(seconds * 1000)


def _create(path: Path) -> None:
    """Make a new store beside its place and link it there whole; the first of several wins.

    So no store of ours is ever empty: an empty file was something else, or has lost its memories.
    """
    private_folder(path.parent)
    draft = path.with_name(f"{path.name}.new.{os.getpid()}.part")
    try:
        os.close(os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_RDWR, 0o600))
        db = _opened(resolved(draft).as_uri())
        try:
            _prepare(db, draft)
            _empty_log(db, draft)
        finally:
            db.close()
        placed(draft, path)
        synced(path.parent)
    finally:
        for ending in ("", "-wal", "-shm", "-journal"):
            draft.with_name(draft.name + ending).unlink(missing_ok=True)


def _empty_log(db: sqlite3.Connection, path: Path) -> None:
    """Write a log back into its file. Closing does so, too, but is silent where it fails.

    Raises:
        StoreError: it cannot be written back.
    """
    [busy, _, _] = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise StoreError(f"cannot use {path}: its log cannot be written back", hint="try again")


def placed(draft: Path, path: Path) -> bool:
    """Give a finished file its name, unless a file of that name came first: it is kept."""
    try:
        os.link(draft, path)
    except FileExistsError:
        return False
    except OSError:  # a file system without links
        if path.exists():
            return False
        draft.replace(path)
    return True


def _is_empty(path: Path) -> bool:
    return path.is_file() and path.stat().st_size == 0


def _refuse_emptied(path: Path) -> None:
    """Refuse to take for new what its sidecars show to have been a store.

    Raises:
        StoreDamaged: a key, a log or a backup is beside an empty file.
    """
    if not path.exists():
        return
    log, key = path.with_name(f"{path.name}-wal"), path.with_name(KEY)
    sidecars = [one for one in (log, key) if one.exists() and one.stat().st_size]
    if found := next(iter([*sidecars, *copies_beside(path)]), None):
        raise StoreDamaged(
            f"{path} is empty, but {found.name} shows that it held memories",
            hint=f"{_restoring(path)}; or remove the empty file",
        )


def _refuse_lost(path: Path) -> None:
    """Refuse to make a store beside a log: SQLite would write the log's pages into it.

    Raises:
        StoreDamaged: a log is there, and the store that it belongs to is gone.
    """
    log = path.with_name(f"{path.name}-wal")
    # Asked in this order: another process may be making the store, which then has a log, too.
    if log.exists() and log.stat().st_size and not path.exists():
        raise StoreDamaged(
            f"{path} is gone, but its log {log.name} is there and may hold what it lacks",
            hint=f"put the file back beside its log; or {_restoring(path)}",
        )


def _restoring(path: Path) -> str:
    return RESTORING.replace("FILE", _newest_copy(path))


def _newest_copy(path: Path) -> str:
    """Return how the newest copy beside a store is written in a shell; FILE where there is none."""
    import shlex

    found = copies_beside(path)
    return shlex.quote(str(found[-1])) if found else "FILE"


def _opened_to_read(target: str, path: Path) -> sqlite3.Connection:
    """Open a store for reading, also on a full disk, which has no room for its shared memory."""
    db = _opened(target)
    try:
        db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.OperationalError as error:
        db.close()
        no_room = ("SQLITE_CANTOPEN", "SQLITE_IOERR", "SQLITE_FULL")
        if not error.sqlite_errorname.startswith(no_room) or _has_log(path):
            raise
        db = _opened(f"{resolved(path).as_uri()}?immutable=1")
    except BaseException:
        db.close()
        raise
    return db


def _has_log(path: Path) -> bool:
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


def _target(path: Path, *, missing: bool, writable: bool) -> str:
    """Return the name SQLite opens.

    A write-ahead log needs a writable folder and file even for reading. Where there is none, the
    file alone can be read, but only if no log beside it holds newer data.
    """
    if missing and not writable:
        return ":memory:"
    uri = resolved(path).as_uri()
    is_closed = not (os.access(path.parent, os.W_OK) and os.access(path, os.W_OK))
    alone = not writable and is_closed and not _has_log(path)
    return f"{uri}?immutable=1" if alone else uri


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    version = migrations.version_of(db, path)
    if version == migrations.SCHEMA_VERSION:
        return
    if version:
        migrations.copy_before(db, path, version)
    else:
        switch_to_wal(db)
    with transaction(db):
        # Another process may have come first while this one waited for the lock: it looks again.
        migrations.advance(db, path)


def switch_to_wal(db: sqlite3.Connection) -> None:
    """Switch, with retries: SQLite does not wait its busy_timeout for this lock.

    Where the file system refuses a write-ahead log, SQLite keeps its rollback journal.
    """
    for _ in range(busy_timeout_ms() // 10 - 1):
        try:
            db.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname != "SQLITE_BUSY":
                raise
            time.sleep(0.01)
    db.execute("PRAGMA journal_mode = WAL")


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Take the write lock at once, so that a reader cannot fail to upgrade later."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        with unless_closed():
            if db.in_transaction:  # SQLite has already rolled back on a full disk
                db.execute("ROLLBACK")
        raise


def unless_closed() -> AbstractContextManager[None]:
    """Return what lets the end of a transaction pass where its connection is closed already.

    A Ctrl-C between the beginning of a ``with`` and its body leaves it for Python to tidy up.
    """
    return suppress(sqlite3.ProgrammingError)


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn what SQLite and the file system say into a StoreError that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        if FUNCTION_FAILED in str(error):  # a signal inside it, or our bug: the file is well
            raise
        raise _store_error(path, error) from error
    except OSError as error:
        if error.errno in NO_ROOM:
            raise DiskFull(path) from error
        raise StoreError(f"cannot use {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:  # in SQLite's own words about what it found
        raise StoreDamaged(f"{path} is damaged", hint=_restoring(path)) from error
    except (OverflowError, UnicodeEncodeError) as error:  # beyond 64 bits, or half a character
        raise WrongUsage(f"not a value SQLite can hold: {error}") from error


@contextmanager
def one_current_for_each_key() -> Iterator[None]:
    """Say in words what memory_key forbids."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise Refused(
            "another current memory has the same key and scope",
            hint="archive or forget that one first",
        ) from error


def _store_error(path: Path, error: sqlite3.Error) -> StoreError:
    if NO_FTS5 in str(error):
        return StoreError(
            "this Python's SQLite has no full-text search (FTS5)",
            hint="use a Python from python.org, your distribution or conda",
        )
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith("SQLITE_CANTOPEN") and path.is_dir():
        return StoreError(f"{path} is a folder, not a store", hint="choose a file with --db")
    if name.startswith(("SQLITE_IOERR", "SQLITE_CANTOPEN")) and _disk_is_full(path):
        return DiskFull(path)  # it had no room for the log or the memory its processes share
    if name.startswith("SQLITE_FULL"):
        return DiskFull(path)
    for beginning, (meaning, hint) in MEANINGS.items():
        if name.startswith(beginning):
            if beginning == "SQLITE_BUSY":
                hint = f"hebb waited {busy_timeout_ms() / 1000:g} s for it{_holder(path)}: {hint}"
            hint = hint.replace("FILE", _newest_copy(path))
            return KINDS.get(beginning, StoreError)(f"{path} {meaning}", hint=hint)
    return StoreError(f"cannot use {path}: {error}")


def _disk_is_full(path: Path) -> bool:
    try:
        disk = os.statvfs(path.parent)
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < SMALLEST_FREE


def _holder(path: Path) -> str:
    """Name a process that holds a lock on a store, where the system tells: Linux does."""
    files = (path, path.with_name(f"{path.name}-shm"))
    try:
        inodes = {str(file.stat().st_ino) for file in files if file.exists()}
        for line in Path("/proc/locks").read_text("utf-8").splitlines():
            _, _, _, kind, pid, file, *_ = line.split()
            if kind == "WRITE" and file.split(":")[2] in inodes and pid != str(os.getpid()):
                name = Path(f"/proc/{pid}/comm").read_text("utf-8").strip()
                return f"; process {pid} ({name}) holds it"
    except (OSError, ValueError, IndexError):
        pass
    return ""
