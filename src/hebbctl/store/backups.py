"""The copies that hebb itself makes of a store: made whole, remembered, found again, scrubbed."""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from glob import escape
from pathlib import Path
from sqlite3 import Row

from hebbctl import secrets, text, times
from hebbctl.errors import Refused, StoreDamaged, StoreError
from hebbctl.migrations import NOTES_EDITS
from hebbctl.places import BACKUPS, copies_beside, private_folder, synced
from hebbctl.reports import Backup
from hebbctl.store.connection import Database, placed, translated
from hebbctl.store.copies import keep_only, kept_in, strays_in
from hebbctl.store.erasing import Eraser
from hebbctl.store.functions import register_text
from hebbctl.store.owed import runs
from hebbctl.store.search import Search

REMEMBERED = "backups"  # the row of state that names the copies elsewhere
# What a draft is called: the copy's name, the process that writes it, then SQLite's own endings,
# or that of the copy which a migration made of the draft.
DRAFT = re.compile(r"\.(\d+)\.part(-wal|-shm|-journal|\.schema-\d+\.\d+)?$")
# What the folder of an editor's draft is called: the memory by a hash of its uid, the process.
EDITING = re.compile(r"\.edit-([0-9a-f]{16})-(\d+)-[^.]+$")
MADE_AT = "backup_made_at"  # the row of state that dates a copy, in the copy


class Backups:
    """Copies of one store. None is ever written over, and none is seen before it is whole."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._store = database.path
        self.folder = database.path.parent / BACKUPS
        self.missed: set[Path] = set()  # what a later run has to return to

    def make(self, target: Path | None = None) -> Backup:
        """Copy the store as it is now; without a target into the folder beside it, by time.

        Writers go on meanwhile. The key of the audit's hashes is not in it.

        Raises:
            Refused: the target exists.
            StoreError: it cannot be written.
        """
        names = self._names() if target is None else iter([target.absolute()])
        first = next(names)
        if target is not None and first.exists():
            raise _exists(first)
        draft = first.with_name(f"{first.name}.{os.getpid()}.part")
        try:
            with translated(draft.parent):
                private_folder(draft.parent)
                os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            self._copy_to(draft)
            made = _placed(draft, first, names)
        finally:
            draft.unlink(missing_ok=True)
        # What was erased while the copy was being made looked for it in vain.
        erased, texts = self.erased(), edited_texts(self._database)
        if not self._changed(made, lambda db: replace_in(db, texts) and erase_from(db, erased)):
            made.unlink()
            raise StoreError(f"cannot finish {made}", hint="try again; nothing was kept")
        return described(made)

    def remember(self, target: Path) -> None:
        """Note a copy that will be elsewhere, so that erasing reaches it."""
        with self._database.writing():
            known = {*self.remembered(), target.absolute()}
            self._database.run(
                """
                INSERT INTO state VALUES (:name, :paths)
                ON CONFLICT DO UPDATE SET value = excluded.value
                """,
                name=REMEMBERED,
                paths=json.dumps(sorted(map(os.fspath, known))),
            )

    def remembered(self) -> list[Path]:
        return list(map(Path, remembered_by(self._database)))

    def found(self) -> list[Path]:
        """Return the backups that are there: in the folder, then the remembered ones."""
        near = copies_beside(self._store)
        return near + [one for one in self.remembered() if one.is_file() and one not in near]

    def data_version(self) -> int:
        """Return a number that differs once another process has changed the store."""
        [row] = self._database.rows("PRAGMA data_version")
        return int(row["data_version"])

    def migration_copies(self) -> list[Path]:
        """Return the copies that were made before the schema changed."""
        named = self._store.parent.glob(f"{escape(self._store.name)}.schema-*")
        return sorted(one for one in named if one.suffix[1:].isdigit())

    def set_aside(self) -> list[Path]:
        """Return the damaged stores that a restore put away."""
        named = self._store.parent.glob(f"{escape(self._store.name)}.damaged-*")
        return sorted(one for one in named if not one.name.endswith(("-wal", "-shm")))

    def drafts(self) -> list[Path]:
        """Return what killed runs left half made. A draft of a run that goes on is not among it."""
        places = [(self._store.parent, self._store.name)]
        places += [(one.parent, one.name) for one in self.remembered()]
        found = {one for folder, name in places for one in folder.glob(f"{escape(name)}.*.part*")}
        found |= set(self.folder.glob(f"{escape(self._store.stem)}-*.db.*.part*"))
        return sorted(one for one in found if DRAFT.search(one.name) and not _running(one))

    def editing_folder(self, uid: str) -> Path:
        """Make a private folder beside the store for the draft of a memory's text."""
        from tempfile import mkdtemp

        begun = f"{self._store.name}.edit-{_fingerprint(uid)}-{os.getpid()}-"
        return Path(mkdtemp(prefix=begun, dir=self._store.parent))

    def editing_drafts(self, uids: Iterable[str] | None = None) -> list[Path]:
        """Return the folders of drafts, of these memories or all, that ended runs have left."""
        wanted = None if uids is None else {_fingerprint(uid) for uid in uids}
        found = []
        for one in sorted(self._store.parent.glob(f"{escape(self._store.name)}.edit-*")):
            named = EDITING.search(one.name)
            if named and (wanted is None or named[1] in wanted) and not runs(int(named[2])):
                found.append(one)
        return found

    def edited(self) -> dict[str, str]:
        """Return the present text of every memory whose text was replaced, by uid."""
        return edited_texts(self._database)

    def erased(self) -> list[str]:
        """Return the uid of everything that was erased from the store."""
        return [row["uid"] for row in self._database.rows("SELECT uid FROM tombstone")]

    def scrub(self, uids: Sequence[str]) -> list[Path]:
        """Erase memories from every copy. Returns those that may still hold one of them."""
        self._drop_drafts(uids)
        copies, kept = self.found() + self.migration_copies(), kept_in(self._database)
        self.missed |= self._absent()
        left = [
            one for one in copies if not self._changed(one, lambda db: erase_from(db, uids, kept))
        ]
        return left + self.set_aside()

    def replace_texts(self, texts: dict[str, str]) -> list[Path]:
        """Give memories, by uid, their new text in every copy. Returns what may hold an old one."""
        copies, kept = self.found() + self.migration_copies(), kept_in(self._database)
        self.missed |= self._absent()
        left = [
            one
            for one in copies
            if not self._changed(one, lambda db: replace_in(db, texts) and erase_from(db, [], kept))
        ]
        return left + self.set_aside() + self.editing_drafts(texts)

    def catch_up(self, only: Sequence[Path] | None = None, *, wait: bool = False) -> None:
        """Wipe from all copies, or ``only`` these, what was ever erased or replaced here."""
        copies = self.found() + self.migration_copies() if only is None else only

        def change(db: Database) -> bool:
            kept = kept_in(self._database)
            return replace_in(db, self.edited()) and erase_from(db, self.erased(), kept)

        self._drop_drafts(self.erased())
        self.missed = self._absent()
        for copy in copies:
            if os.access(copy, os.W_OK):
                self._changed(copy, change, wait=wait)
            else:
                self.missed.add(copy)

    def _drop_drafts(self, uids: Sequence[str]) -> None:
        for draft in self.drafts():
            with suppress(OSError):
                draft.unlink()
        for folder in self.editing_drafts(uids):
            from shutil import rmtree

            rmtree(folder, ignore_errors=True)

    def _absent(self) -> set[Path]:
        """Return the remembered copies that are not there: on a disk that may come back."""
        return {one for one in self.remembered() if not one.is_file()}

    def _changed(
        self, copy: Path, change: Callable[[Database], bool], *, wait: bool = True
    ) -> bool:
        """Change a copy. Returns whether that is done: not where it is damaged or read-only."""
        done = False
        try:
            with closing(
                Database(copy, now=self._database.now, writable=True, as_it_is=True, patient=wait)
            ) as db:
                done = change(db)
        except StoreDamaged:  # no later run could do more: it is named, to be deleted by hand
            return False
        except StoreError:
            pass
        if not done:
            self.missed.add(copy)
        return done

    def holding(self, copy: Path, uids: Sequence[str], texts: dict[str, str]) -> int:
        """Return how many of these memories a copy holds, or with another text than this.

        Raises:
            StoreError: it cannot be read.
        """
        with closing(Database(copy, now=self._database.now, writable=False, as_it_is=True)) as db:
            strays = strays_in(db, kept_in(self._database))
            return len(_ids(db, uids)) + len(_differing(db, texts)) + strays

    def _copy_to(self, draft: Path) -> None:
        connection = self._database.connection
        with translated(self._store):
            connection.execute("VACUUM INTO ?", (os.fspath(draft),))
        with closing(Database(draft, now=self._database.now, writable=True, as_it_is=True)) as db:
            with db.writing():
                db.run(
                    "INSERT OR REPLACE INTO state VALUES (:name, :now)",
                    name=MADE_AT,
                    now=str(db.now),
                )
                db.run("DELETE FROM state WHERE name GLOB 'copies_*' OR name = 'setting_pending'")
            erase_from(db, [])  # a pending erasure is pending in the copy, too

    def _names(self) -> Iterator[Path]:
        stem = f"{self._store.stem}-{times.stamp(self._database.now)}"
        yield self.folder / f"{stem}.db"
        for number in range(2, 10**6):
            yield self.folder / f"{stem}-{number}.db"


def remembered_by(database: Database) -> list[str]:
    """Return the paths of the copies that a store has elsewhere."""
    found: list[str] = json.loads(database.state().get(REMEMBERED, "[]"))
    return found


def described(copy: Path) -> Backup:
    """Return what a copy is: its time and what is in it, None where that is unreadable."""
    with translated(copy):
        size = copy.stat().st_size
    try:
        with closing(Database(copy, now=0, writable=False, as_it_is=True)) as db:
            [row] = db.rows(
                """
                SELECT
                    (SELECT count(*) FROM memory) AS memories,
                    (SELECT CAST(value AS INTEGER) FROM state WHERE name = :name) AS made_at
                """,
                name=MADE_AT,
            )
    except StoreError:
        return Backup(str(copy), None, None, size)
    return Backup(str(copy), row["made_at"], row["memories"], size)


def erase_from(database: Database, uids: Sequence[str], kept: Sequence[str] | None = None) -> bool:
    """Erase memories, as far as they are there, without trace. Returns whether that is done.

    ``kept`` are the uids of which the store keeps a copy in its audit: no other copy stays.
    """
    if kept is not None:
        keep_only(database, kept)
    ids = _ids(database, uids)
    if not ids and "erasure_pending" not in database.state():
        return True
    eraser = Eraser(database, has_copies=False)
    with database.writing():
        _index_by_this_version(database)
        eraser.erase(ids)
    return eraser.finish()


def replace_in(database: Database, texts: dict[str, str]) -> bool:
    """Replace the texts of memories, where they are, without trace. Returns whether it is done."""
    rows = _differing(database, texts)
    if not rows:
        return True
    eraser = Eraser(database, has_copies=False)
    with database.writing():
        _index_by_this_version(database)
        for row in rows:
            eraser.replace(row["id"], row["content"])
    return eraser.finish()


def edited_texts(database: Database) -> dict[str, str]:
    """Return the present text of every memory whose text was ever replaced, by uid."""
    [schema] = database.rows("PRAGMA user_version")
    rows = database.rows(EDITED if schema["user_version"] >= NOTES_EDITS else EDITED_BEFORE)
    return {row["uid"]: row["content"] for row in rows}


EDITED = "SELECT uid, content FROM edited JOIN memory ON memory.id = edited.memory_id"
EDITED_BEFORE = """
    SELECT uid, content
    FROM memory
    WHERE id IN (SELECT memory_id FROM audit WHERE action = 'edit')
    """


def _differing(database: Database, texts: dict[str, str]) -> list[Row]:
    return database.rows(
        """
        SELECT memory.id, new.value AS content
        FROM json_each(:texts) AS new
        JOIN memory ON memory.uid = new.key
        WHERE memory.content <> new.value
        """,
        texts=json.dumps(texts),
    )


def _index_by_this_version(database: Database) -> None:
    """Make sure that a deletion from the index fits what was indexed."""
    register_text(database.connection, lambda: b"")
    if database.state().get("text_version") != text.VERSION:
        Search(database).rebuild()


def _ids(database: Database, uids: Sequence[str]) -> list[int]:
    rows = database.rows(
        "SELECT id FROM memory WHERE uid IN (SELECT value FROM json_each(:uids))",
        uids=json.dumps(uids),
    )
    return [row["id"] for row in rows]


def _placed(draft: Path, name: Path, others: Iterator[Path]) -> Path:
    """Give a finished draft its name, or the next one that is free, and write it through."""
    while True:
        try:
            with translated(name):
                synced(draft)
                if placed(draft, name):
                    synced(name.parent)
                    return name
            name = next(others)
        except StopIteration:
            raise _exists(name) from None


def _exists(target: Path) -> Refused:
    return Refused(f"{target} exists already", hint="name another file: none is written over")


def _fingerprint(uid: str) -> str:
    return f"{secrets.digest(uid) % 2**64:016x}"


def _running(draft: Path) -> bool:
    """Say whether the process that writes a draft, named in it, still runs."""
    named = DRAFT.search(draft.name)
    return runs(int(named[1]) if named else 0)
