"""A backup in place of a store: checked, brought up to date beside it, then put in whole."""

import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import Any, NamedTuple

from hebbctl import text, times
from hebbctl.errors import BadFile, DiskFull, StoreBusy, StoreError
from hebbctl.places import private_folder, synced
from hebbctl.store.audit import Audit
from hebbctl.store.backups import (
    MADE_AT,
    REMEMBERED,
    edited_texts,
    erase_from,
    remembered_by,
    replace_in,
)
from hebbctl.store.connection import MEANINGS, Database, switch_to_wal, translated
from hebbctl.store.copies import drop, kept_in
from hebbctl.store.functions import register_text
from hebbctl.store.health import Health
from hebbctl.store.owed import note_run
from hebbctl.store.search import Search


class Kept(NamedTuple):
    """What a store knows that no older backup of it can know, and that must outlive it."""

    tombstones: Sequence[tuple[str, int]] = ()  # uid, when it was erased
    backups: Sequence[str] = ()
    texts: Sequence[tuple[str, str]] = ()  # uid, what it holds since an edit erased what it held
    owes: bool = False  # whether some of its copies may still hold what was erased
    last_ids: Sequence[tuple[str, int]] = ()  # table, the last id given out: none is used twice
    copies: Sequence[str] = ()  # uid, of what was erased and is kept in the audit


def kept(store: Path, *, now: int) -> Kept:
    """Return what must outlive a store; of a damaged one what can still be read.

    Raises:
        StoreBusy: another process holds it.
    """
    try:
        with closing(Database(store, now=now, writable=False, as_it_is=True)) as db:
            return Kept(
                _readable(lambda: db.rows("SELECT uid, erased_at FROM tombstone")),
                _readable(lambda: remembered_by(db)),
                _readable(lambda: list(edited_texts(db).items())),
                bool(_readable(lambda: [one for one in db.state() if one.startswith("copies_")])),
                _readable(lambda: db.rows("SELECT name, seq FROM sqlite_sequence")),
                _readable(lambda: kept_in(db)),
            )
    except StoreBusy:
        raise
    except StoreError:
        return Kept()


def _readable(read: Callable[[], list[Any]]) -> list[Any]:
    """Return what can be read, each row as a tuple; nothing of what is damaged."""
    try:
        return [one if isinstance(one, str) else tuple(one) for one in read()]
    except StoreBusy:
        raise
    except StoreError:
        return []


@contextmanager
def successor(file: Path, store: Path, *, now: int) -> Iterator[Database]:
    """Give a private copy of a backup beside the store it is to replace, of today's schema.

    Raises:
        BadFile: it is missing, no hebb store, of a newer hebb, or damaged.
    """
    draft = store.with_name(f"{store.name}.{os.getpid()}.part")
    try:
        with translated(store.parent):
            private_folder(store.parent)
            os.close(os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600))
        _copy_checked(file, draft, now=now)
        with closing(Database(draft, now=now, writable=True)) as db:
            register_text(db.connection, lambda: b"")
            yield db
    finally:
        for left in draft.parent.glob(f"{escape(draft.name)}*"):  # a migration's copy, too
            with suppress(OSError):
                left.unlink()


def _copy_checked(file: Path, draft: Path, *, now: int) -> None:
    if not file.is_file():
        raise BadFile(f"no backup {file}", hint="'hebb backup list' names those that are there")
    try:
        with closing(Database(file, now=now, writable=False, as_it_is=True)) as source:
            damage = Health(source).damage()
            if damage:
                raise BadFile(f"{file} is damaged: {damage[0]}", hint="choose another backup")
            source.allow_writing()  # into the copy; the backup itself is only read
            source.rows("VACUUM INTO :draft", draft=os.fspath(draft))
    except DiskFull as error:
        raise DiskFull(draft.parent) from error
    except StoreError as error:
        raise BadFile(str(error), hint="nothing was changed") from error


def fill_in(
    successor: Database, kept: Kept, *, with_erased: bool, actor: str, reason: str
) -> tuple[int, int]:
    """Carry over what must outlive the store before.

    Returns how many memories there are, and how many more of the backup stayed erased.
    ``with_erased`` brings back what was erased since the backup.
    """
    with successor.writing():
        if successor.state().get("text_version") != text.VERSION:
            Search(successor).rebuild()
        _carry(successor, kept)
        if not with_erased:
            _note_edits(successor, kept)
            drop(successor, [uid for uid, _ in kept.tombstones if uid not in kept.copies])
        else:
            successor.run("DELETE FROM tombstone WHERE uid IN (SELECT uid FROM memory)")
        Audit(successor, actor).event("restore", reason)
    rows = successor.rows("SELECT uid FROM memory WHERE uid IN (SELECT uid FROM tombstone)")
    erase_from(successor, [row["uid"] for row in rows])
    if not with_erased:
        replace_in(successor, dict(kept.texts))
    [left] = successor.rows("SELECT count(*) AS memories FROM memory")
    return left["memories"], len(rows)


def _carry(successor: Database, kept: Kept) -> None:
    successor.run(
        """
        INSERT INTO tombstone (uid, erased_at)
        SELECT value ->> 0, value ->> 1 FROM json_each(:tombstones) WHERE true
        ON CONFLICT DO UPDATE SET erased_at = max(erased_at, excluded.erased_at)
        """,
        tombstones=json.dumps(kept.tombstones),
    )
    successor.run(
        "INSERT OR REPLACE INTO state VALUES (:name, :paths)",
        name=REMEMBERED,
        paths=json.dumps(sorted({*remembered_by(successor), *kept.backups})),
    )
    successor.run("DELETE FROM state WHERE name = :name", name=MADE_AT)
    if kept.owes:
        note_run(successor, "0-0", "restored")
    for table, last in kept.last_ids:
        successor.run(
            """
            INSERT INTO sqlite_sequence (name, seq)
            SELECT :table, 0 WHERE :table NOT IN (SELECT name FROM sqlite_sequence)
            """,
            table=table,
        )
        successor.run(
            "UPDATE sqlite_sequence SET seq = max(seq, :last) WHERE name = :table",
            table=table,
            last=last,
        )


def _note_edits(successor: Database, kept: Kept) -> None:
    successor.run(
        """
        INSERT INTO edited
        SELECT id FROM memory WHERE uid IN (SELECT value ->> 0 FROM json_each(:texts))
        ON CONFLICT DO NOTHING
        """,
        texts=json.dumps(kept.texts),
    )


def put_in(successor: Database, store: Path, *, now: int) -> None:
    """Make a store's content the successor's, in one transaction beside other processes."""

    def give_up_when_busy(status: int, left: int, total: int) -> None:
        if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):  # Python would ask for ever
            meaning, hint = MEANINGS["SQLITE_BUSY"]
            raise StoreBusy(f"{store} {meaning}", hint=hint)

    with closing(Database(store, now=now, writable=True)) as target:
        with translated(store):
            successor.connection.backup(target.connection, progress=give_up_when_busy)
        with suppress(StoreError):
            target.rows("PRAGMA wal_checkpoint(TRUNCATE)")


def put_in_place_of_damaged(successor: Database, store: Path, *, now: int) -> Path:
    """Set a damaged store aside with its log, and put the successor there. Returns where it is.

    The last step is one rename: whoever is killed leaves the damaged file or the whole new one.
    """
    successor.close()
    stamp = times.stamp(now)
    aside = _free(store.with_name(f"{store.name}.damaged-{stamp}"))
    with translated(store):
        if store.exists():  # else only its log is left
            _linked(store, aside)
        for ending in ("-wal", "-shm"):  # a log would be written back into the new file
            log = store.with_name(store.name + ending)
            if log.exists():
                log.replace(aside.with_name(aside.name + ending))
        synced(successor.path)
        successor.path.replace(store)
        synced(store.parent)
    with closing(Database(store, now=now, writable=True)) as placed, translated(store):
        switch_to_wal(placed.connection)
    return aside


def _linked(file: Path, other: Path) -> None:
    try:
        os.link(file, other)
    except OSError:  # a file system without links
        from shutil import copy2

        copy2(file, other)


def _free(name: Path) -> Path:
    number, found = 1, name
    while found.exists():
        number += 1
        found = name.with_name(f"{name.name}-{number}")
    return found
