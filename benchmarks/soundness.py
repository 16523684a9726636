"""What a home holds, and what must hold of it whatever killed the process that wrote it."""

import json
import re
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

NAMED = "note-"  # how the uids begin that a trial gives; others are drawn by hebb
INBOX = "mem_hippocampus"
LATER = "stored after the crash"  # a text that no comparison looks at
# What a store notes of itself and the next run, or the making of the store, sets right.
PASSING = (
    *("erasure_pending", "setting_pending", "vectors_rebuilt"),
    *("copies_", "backup", "text_version"),
)
KEPT = 12  # digits at the end of a text, of 18, that no index leaves out
MIGRATION_COPY = re.compile(r"hebb\.db\.schema-\d+\.\d+")
CROWDED = """
    SELECT key
    FROM memory
    WHERE key IS NOT NULL AND trusted = 1 AND archived_at IS NULL
    GROUP BY scope, key
    HAVING count(*) > 1
"""
Row = dict[str, Any]


class State(NamedTuple):
    """Everything in a store that a command may change; equal for equal histories."""

    rows: dict[str, Row]  # by uid where the trial gave it, else by text
    audit: tuple[tuple[Any, ...], ...]
    sweeps: tuple[tuple[Any, ...], ...]
    tombstones: frozenset[str]
    edges: dict[tuple[str, str], tuple[float, int]]  # by uids
    marks: dict[str, str]  # what the store notes of itself
    kept: frozenset[str]  # texts of erased memories of which a copy was wished


class Snapshot(NamedTuple):
    """A home at one moment."""

    state: State
    settings: str
    copies: dict[str, int]  # file -> memories in it; those that hebb made under a final name
    problems: tuple[str, ...]  # what is wrong whatever happened before


class Case(NamedTuple):
    """What a command is to be compared with: the home before it and after it ran undisturbed.

    All that is in ``before`` came from commands that had ended with 0: it is the ledger.
    """

    furnished: Snapshot  # before what prepares the command
    before: Snapshot
    after: Snapshot
    batch: int | None  # memories in one transaction; None where all is done or nothing
    replaces: bool  # whether the store is exchanged as a whole, its audit, too


def snapshot(home: Path) -> Snapshot:
    """Look at a copy of a home: looking at the home itself would recover it."""
    with tempfile.TemporaryDirectory() as folder:
        seen = Path(shutil.copytree(home, Path(folder, "seen")))
        problems, state = _store(seen / "hebb.db")
        copies = {}
        for copy in _copies(seen):
            broken, held = _store(copy)
            copies[copy.name] = len(held.rows)
            problems += [f"{copy.name}: {one}" for one in broken]
        settings = seen / "hebb.json"
        return Snapshot(
            state, settings.read_text("utf-8") if settings.exists() else "", copies, tuple(problems)
        )


def findings(case: Case, now: Snapshot, *, answered: bool) -> list[str]:
    """Return what is wrong after a crash, in words; nothing where all is well.

    ``answered`` is whether the command had said that it was done.
    """
    found = [one for one in now.problems if one not in case.before.problems]
    found += _half_done(case, now.state) + _unrecorded(case, now.state) + _miscounted(now.state)
    found += _torn(case, now.state)
    found += _wrong_settings(case, now) + _wrong_copies(case, now)
    if answered and now.state != case.after.state:
        found.append("the command had answered, and what it did is lost")
    return found


def erased(case: Case, now: Snapshot) -> set[str]:
    """Return the texts that were erased or replaced: they may be nowhere."""
    if case.before.problems:  # of a damaged store nobody can say what it held
        return set()
    # What a restore replaces lives on in the copy of it.
    later = case.before if case.replaces else now
    return (texts(case.furnished) | texts(case.before)) - texts(later)


def traces(gone: set[str], home: Path) -> list[str]:
    """Return where a text can still be read, plain or in an index, by its last digits.

    An index keeps of a word only what the word before it does not begin with.
    """
    ends = {one[-KEPT:].encode(): one for one in gone}
    return [
        f"{file.name} still holds {ends[end]!r}"
        for file in home.rglob("*")
        if file.is_file()
        for end in sorted(ends.keys() & set(_digits(file.read_bytes())))
    ]


def _digits(content: bytes) -> Iterator[bytes]:
    """Return every run of so many digits, also those within a longer one."""
    for run in re.findall(rb"\d{%d,}" % KEPT, content):
        for start in range(len(run) - KEPT + 1):
            yield run[start : start + KEPT]


def texts(seen: Snapshot) -> set[str]:
    """Return the texts that may be found, live, archived or as a copy in the audit."""
    return {row["content"] for row in seen.state.rows.values()} | seen.state.kept


def _copies(home: Path) -> list[Path]:
    beside = [one for one in home.iterdir() if MIGRATION_COPY.fullmatch(one.name)]
    return sorted([*beside, *home.glob("backups/*.db")])


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.row_factory = sqlite3.Row
        yield db


def _store(path: Path) -> tuple[list[str], State]:
    """Return what is wrong in a store's file, and what it holds; nothing of a missing one."""
    nothing = State({}, (), (), frozenset(), {}, {}, frozenset())
    if not path.exists():
        return [], nothing
    try:
        with _opened(path) as db:
            if not db.execute("SELECT 1 FROM sqlite_schema").fetchone():
                return ([] if path.name == "hebb.db" else ["it is empty"]), nothing
            return _damage(db), _state(db)
    except sqlite3.Error as error:
        return [f"{type(error).__name__}: {error}"], nothing


def _damage(db: sqlite3.Connection) -> list[str]:
    found = [row[0] for row in db.execute("PRAGMA integrity_check") if row[0] != "ok"]
    found += [f"orphan in {row['table']}" for row in db.execute("PRAGMA foreign_key_check")]
    db.execute("INSERT INTO memory_text (memory_text) VALUES ('integrity-check')")
    gaps = db.execute(
        """
        SELECT
            (SELECT count(*) FROM memory WHERE id NOT IN (SELECT id FROM memory_text_docsize))
            + (SELECT count(*) FROM memory_text_docsize WHERE id NOT IN (SELECT id FROM memory))
        """
    ).fetchone()[0]
    found += [f"{gaps} gaps between texts and index"] if gaps else []
    return found + [f"several are current about {row['key']}" for row in db.execute(CROWDED)]


def _state(db: sqlite3.Connection) -> State:
    rows = {}
    for row in db.execute(
        """
        SELECT
            memory.*,
            (SELECT json_group_array(name) FROM tag WHERE memory_id = memory.id) AS tags,
            (
                SELECT json_group_array(model || ' ' || scale || ' ' || hex(numbers))
                FROM vector
                WHERE memory_id = memory.id
            ) AS vectors
        FROM memory
        WHERE content <> :later
        """,
        {"later": LATER},
    ):
        fields = dict(row)
        uid = fields.pop("uid")
        rows[uid if uid.startswith(NAMED) else fields["content"]] = fields
    return State(
        rows,
        _table(db, "SELECT action, uid, sweep_id, at, actor, reason, memory_id FROM audit"),
        _table(db, "SELECT id, archived, erased FROM sweep"),
        frozenset(row["uid"] for row in db.execute("SELECT uid FROM tombstone")),
        _edges(db),
        _marks(db),
        _kept(db),
    )


def _edges(db: sqlite3.Connection) -> dict[tuple[str, str], tuple[float, int]]:
    rows = db.execute(
        """
        SELECT one.uid AS one, other.uid AS other, weight, last_updated
        FROM edge
        JOIN memory AS one ON one.id = memory_a
        JOIN memory AS other ON other.id = memory_b
        """
    )
    return {(row["one"], row["other"]): (row["weight"], row["last_updated"]) for row in rows}


def _marks(db: sqlite3.Connection) -> dict[str, str]:
    """Return what is noted for good: what a crash may leave for the next run is left out."""
    rows = db.execute("SELECT name, value FROM state")
    return {row["name"]: row["value"] for row in rows if not row["name"].startswith(PASSING)}


def _kept(db: sqlite3.Connection) -> frozenset[str]:
    if "copy" not in {row["name"] for row in db.execute("PRAGMA table_info (audit)")}:
        return frozenset()
    rows = db.execute("SELECT copy ->> 'content' AS text FROM audit WHERE copy IS NOT NULL")
    return frozenset(row["text"] for row in rows)


def _table(db: sqlite3.Connection, statement: str) -> tuple[tuple[Any, ...], ...]:
    return tuple(tuple(row) for row in db.execute(statement))


def _half_done(case: Case, now: State) -> list[str]:
    """Each memory is as before or as after, and each transaction's memories are so together."""
    before, after = case.before.state.rows, case.after.state.rows
    found = [
        f"{key} is neither as before nor as after"
        for key in before.keys() | after.keys() | now.rows.keys()
        if now.rows.get(key) not in (before.get(key), after.get(key))
    ]
    changing = [key for key in before.keys() | after.keys() if before.get(key) != after.get(key)]
    done = sum(now.rows.get(key) == after.get(key) for key in changing)
    if case.batch is None:
        if now not in (case.before.state, case.after.state):
            found.append(f"half done: {done} of {len(changing)}, which is one transaction")
    elif done % case.batch and done != len(changing):
        found.append(f"half done: {done} of {len(changing)} in batches of {case.batch}")
    return found


def _torn(case: Case, now: State) -> list[str]:
    """Each edge, each mark and each copy kept of an erased text is as before or as after."""
    before, after = case.before.state, case.after.state
    parts: tuple[tuple[dict[Any, Any], ...], ...] = (
        (before.edges, now.edges, after.edges),
        (before.marks, now.marks, after.marks),
    )
    found = [
        f"{key} is neither as before nor as after"
        for one, here, other in parts
        for key in one.keys() | here.keys() | other.keys()
        if here.get(key) not in (one.get(key), other.get(key))
    ]
    stray = now.kept - before.kept - after.kept
    twice = now.kept & {row["content"] for row in now.rows.values()}
    return found + [f"a copy is kept of {one}" for one in stray | twice]


def _unrecorded(case: Case, now: State) -> list[str]:
    """Each change that the audit names has its row, and no row is without its change."""
    if case.replaces:  # half_done has compared all of it
        return []
    before = case.before.state
    done = Counter(
        (action, uid)
        for uid, row in before.rows.items()
        for action in _actions(row, now.rows.get(uid))
    )
    done.update(("restore", uid) for uid in before.tombstones & now.rows.keys())
    written = Counter(row[:2] for row in now.audit) - Counter(row[:2] for row in before.audit)
    told = Counter({row: count for row, count in written.items() if row[1] is not None})
    found = [f"no audit row of {action} {uid}" for action, uid in done - told]
    found += [f"an audit row of {action} {uid}, which was not done" for action, uid in told - done]
    erased = {uid for action, uid in done if action == "erase"}
    if now.tombstones - before.tombstones != erased:
        found.append("the tombstones are not those of what was erased")
    return found


def _actions(before: Row, now: Row | None) -> list[str]:
    """Return what the audit must say of one memory."""
    if now is None:
        return ["erase"]
    archived, was_archived = now["archived_at"] is not None, before["archived_at"] is not None
    happened = {
        "archive": archived and not was_archived,
        "restore": was_archived and not archived,
        "promote": now["promoted_at"] != before["promoted_at"],
        "consolidate": before["partition"] == INBOX != now["partition"],
        "trust": now["trusted"] != before["trusted"],
        "edit": now["content"] != before["content"],
    }
    return [action for action, did in happened.items() if did]


def _miscounted(now: State) -> list[str]:
    told = Counter((action, sweep) for action, _, sweep, *_ in now.audit)
    return [
        f"sweep {number} counts {archived} and {erased}, its audit rows say otherwise"
        for number, archived, erased in now.sweeps
        if (archived, erased) != (told["archive", number], told["erase", number])
    ]


def _wrong_settings(case: Case, now: Snapshot) -> list[str]:
    try:
        json.loads(now.settings or "{}")
    except ValueError as error:
        return [f"hebb.json is cut off: {error}"]
    if now.settings not in (case.before.settings, case.after.settings):
        return ["hebb.json is neither as before nor as after"]
    rows = Counter(row[0] for row in now.state.audit)
    before = Counter(row[0] for row in case.before.state.audit)
    if rows["setting"] > before["setting"] and now.settings != case.after.settings:
        return ["an audit row of a setting that was not changed"]
    return []


def unaudited_settings(case: Case, now: Snapshot) -> list[str]:
    """Once the next run has finished what was left, a changed setting has its row."""
    told = Counter(row[0] for row in now.state.audit)["setting"]
    before = Counter(row[0] for row in case.before.state.audit)["setting"]
    changed = now.settings != case.before.settings
    return ["a setting was changed, and no audit row says so"] if changed and told <= before else []


def _wrong_copies(case: Case, now: Snapshot) -> list[str]:
    """A copy that was not there holds all that was there before."""
    held = [len(case.before.state.rows)]
    if case.before.problems:  # damaged: only what is put there by a first restore can be copied
        held.append(len(case.after.state.rows))
    return [
        f"{name} holds {count} memories, not {held[0]}"
        for name, count in now.copies.items()
        if name not in case.before.copies and count not in held
    ] + [f"{name} is gone" for name in case.before.copies if name not in now.copies]
