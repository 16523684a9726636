"""Every kind of write that hebb knows, and the home that each is tried in."""

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from soundness import INBOX, LATER, NAMED

from hebbctl import text
from hebbctl.embeddings.command import Command
from hebbctl.usecases import exchange, forgetting, memories

NOW = "2026-07-01T00:00:00Z"  # of every command: what was made at first has faded by then
LONG_AGO = "2026-01-01T00:00:00Z"
OLD_SCHEMA = Path(__file__).parents[1] / "tests" / "data" / "schema-1.sql"
BACKUP = "hebb-20260701T000000Z.db"
SWEEP_BATCH, IMPORT_BATCH, EMBED_BATCH = forgetting.BATCH, exchange.BATCH, Command.batch
EMBEDDER = """sed 's/.*/{"vector": [0.25, -1, 0.5]}/'"""


class Answer(NamedTuple):
    """What a run of hebb left."""

    code: int
    out: str
    err: str


class Place(NamedTuple):
    """A home, beside it the files that commands read, and a hebb that works there.

    ``size`` is how many memories a large write reaches.
    """

    home: Path
    inputs: Path
    hebb: Callable[[Sequence[str]], Answer]
    size: int

    def words(self, words: Sequence[str]) -> list[str]:
        """Return a command's words with the folders in their place."""
        return [word.format(home=self.home, inputs=self.inputs) for word in words]

    def done(self, *words: str) -> str:
        """Run a command that must succeed; what it stored is then on the ledger."""
        answer = self.hebb(words)
        if answer.code:
            raise RuntimeError(f"hebb {' '.join(words)} ended with {answer.code}: {answer.err}")
        return answer.out

    def input(self, name: str, memories: Iterable[dict[str, object]]) -> str:
        path = self.inputs / name
        path.write_text("".join(json.dumps(one) + "\n" for one in memories), "utf-8")
        return str(path)


class Write(NamedTuple):
    """A command to be killed. ``prepare`` makes of the common home what it needs.

    ``batch`` is how many memories it changes at once, None where it does all or nothing.
    ``again`` is what a crash is followed by.
    """

    words: Sequence[str]
    prepare: Callable[[Place], None] = lambda place: None
    batch: int | None = None
    acknowledged: bool = True  # whether a note is stored just before it
    answers_last: bool = True  # whether its answer means that all is done
    replaces: bool = False
    again: Sequence[str] = ("add", LATER)


def mark(name: object) -> str:
    """Return 18 digits that are nowhere else: they can be looked for in any file."""
    return f"{int.from_bytes(blake2b(str(name).encode(), digest_size=8).digest()) % 10**18:018}"


def named(number: int) -> str:
    return f"{NAMED}{number:05}"


def notes(count: int, *, of: str = "", first: int = 1, **fields: object) -> list[dict[str, object]]:
    """Return memories with uids of their own and texts that ``of`` makes different."""
    return [
        {
            "uid": named(number),
            "content": f"note {mark(f'{of}{number}')}",
            "created_at": LONG_AGO,
            **fields,
        }
        for number in range(first, first + count)
    ]


def furnish(place: Place) -> None:
    """Fill the common home: what fades, what was used often, edges, vectors and a backup."""
    faded = notes(place.size, tags=["doomed", "faded"])
    used = notes(place.size // 5, first=50_001, importance=9, access_count=9)
    place.done("import", place.input("notes.jsonl", faded + used))
    for one, other in ((1, 2), (2, 50_001), (4, 5), (50_001, 50_002)):
        place.done("link", named(one), named(other))
    place.done("config", "set", "embedder", "command")
    place.done("config", "set", "embed_command", EMBEDDER)
    place.done("embed")
    place.done("backup")


def write_inputs(place: Place) -> None:
    """Write the files that imports read."""
    new = notes(5 * place.size, first=70_001)
    place.input("new.jsonl", new)
    place.input("strict.jsonl", new[: 2 * place.size])
    place.input("other.jsonl", notes(place.size, of="other ") + new[: 4 * place.size])


def erase_what_fades(place: Place) -> None:
    place.done("config", "set", "on_forget", "erase")


def fill_inbox(place: Place) -> None:
    waiting = notes(place.size, first=80_001, partition=INBOX, tags=["work"], kind="fact")
    place.done("import", place.input("inbox.jsonl", waiting))


def tell_facts(place: Place) -> None:
    """Store facts, one of them told otherwise by somebody who is not trusted."""
    told = facts(place.size, of="told ", first=80_001)
    doubtful = notes(1, first=90_001, key="key 80001", trusted=False)
    place.done("import", place.input("facts.jsonl", told + doubtful))
    place.input("newer.jsonl", facts(place.size, of="newer ", first=85_001, keys_from=80_001))


def facts(
    count: int, *, of: str, first: int, keys_from: int | None = None
) -> list[dict[str, object]]:
    made = notes(count, of=of, first=first)
    keys_from = first if keys_from is None else keys_from
    return [one | {"key": f"key {number}"} for number, one in enumerate(made, start=keys_from)]


def use_often(place: Place) -> None:
    often = notes(50, first=80_001, importance=8, frequency=3, access_count=20)
    place.done("import", place.input("often.jsonl", often))


def drop_vectors(place: Place) -> None:
    place.done("embed", "--remove", "all")


def renew_when_injected(place: Place) -> None:
    place.done("config", "set", "inject_renewal_cooldown_hours", "6")


def choose_a_system(place: Place) -> None:
    place.done("config", "preset", "amnesia")


def keep_copies(place: Place) -> None:
    place.done("config", "set", "restorable", "true")


def erase_with_copies(place: Place) -> None:
    keep_copies(place)
    place.done("forget", *map(named, range(1, 8)), "--yes")


def sweep(place: Place) -> None:
    place.done("gc")


def change_since_the_backup(place: Place) -> None:
    place.done("forget", "1", "2", "3", "--yes")
    place.done("edit", "4", f"edited {mark('edit')}")


def break_index(place: Place) -> None:
    with closing(sqlite3.connect(place.home / "hebb.db")) as db, db:
        db.execute("INSERT INTO memory_text (memory_text) VALUES ('delete-all')")
        db.execute("INSERT INTO tag VALUES (99999, 'orphan')")


def empty(place: Place) -> None:
    shutil.rmtree(place.home)
    place.home.mkdir(mode=0o700)


def age(place: Place) -> None:
    make_old(place.home / "hebb.db")


def damage(place: Place) -> None:
    """Leave of the store nothing that could be read, and no text that could be found."""
    path = place.home / "hebb.db"
    path.write_bytes(b"no store any more" * (path.stat().st_size // 17))


def keep_old_backup(place: Place) -> None:
    make_old(place.home / "backups" / BACKUP)


def make_old(path: Path) -> None:
    """Bring a store back to the first schema, with all that is in it."""
    current = path.with_name(f"{path.name}.current")
    path.rename(current)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.executescript(OLD_SCHEMA.read_text("utf-8"))
        db.execute("ATTACH :current AS current", {"current": str(current)})
        db.execute("BEGIN")
        for table in ("sweep", "memory", "tag", "audit", "tombstone", "state"):
            db.execute(f"INSERT INTO main.{table} SELECT * FROM current.{table}")  # noqa: S608
        rows = db.execute("SELECT id, content FROM main.memory").fetchall()
        db.executemany(
            "INSERT INTO main.memory_text (rowid, words) VALUES (?, ?)",
            [(number, text.prepared(content)) for number, content in rows],
        )
        db.execute("COMMIT")
    current.unlink()
    path.chmod(0o600)


WRITES = {
    "first add": Write(("add", f"new {mark('new')}"), empty, acknowledged=False),
    "add": Write(("add", f"new {mark('new')}", "--tag", "new")),
    "edit": Write(("edit", "5", f"edited {mark('edit')}", "--importance", "7")),
    "tag": Write(("tag", "5", "+one", "-doomed")),
    "recall": Write(("recall", "note", "-n", "50"), answers_last=False),
    "import": Write(("import", "{inputs}/new.jsonl"), batch=IMPORT_BATCH),
    "import --strict": Write(("import", "--strict", "{inputs}/strict.jsonl")),
    "import --replace": Write(("import", "--replace", "{inputs}/other.jsonl"), batch=IMPORT_BATCH),
    "gc": Write(("gc",), batch=SWEEP_BATCH),
    "gc, erasing": Write(("gc", "--yes"), erase_what_fades, batch=SWEEP_BATCH),
    "schedule run": Write(("schedule", "run", "--once"), batch=SWEEP_BATCH),
    "gc --purge": Write(("gc", "--purge", "--yes"), sweep, batch=SWEEP_BATCH),
    "forget": Write(("forget", "--tag", "doomed", "--yes"), batch=SWEEP_BATCH),
    "archive": Write(("archive", "1", "2", "3")),
    "restore": Write(("restore", "--sweep", "1"), sweep),
    "promote": Write(("promote",)),
    "add --key": Write(("add", f"new {mark('new')}", "--key", "key 80001"), tell_facts),
    "edit --replaces": Write(("edit", named(80_002), "--replaces", named(80_001)), tell_facts),
    "import of facts": Write(
        ("import", "{inputs}/newer.jsonl"), tell_facts, batch=2 * IMPORT_BATCH
    ),
    "trust": Write(("trust", named(90_001)), tell_facts),
    "consolidate": Write(("consolidate",), fill_inbox, batch=memories.BATCH),
    "consolidate --merge": Write(("consolidate", "--merge", *map(named, range(1, 6)))),
    "reinforce": Write(("reinforce",), use_often),
    "link": Write(("link", named(2), named(3), "--weight", "2")),
    "unlink": Write(("unlink", named(1), named(2))),
    "inject": Write(("inject",), renew_when_injected, answers_last=False),
    "embed": Write(("embed",), drop_vectors, batch=EMBED_BATCH),
    "embed --remove": Write(("embed", "--remove", "all")),
    "forget, with copies": Write(
        ("forget", "--tag", "doomed", "--yes"), keep_copies, batch=SWEEP_BATCH
    ),
    "forget --copies": Write(("forget", "--copies", "--yes"), erase_with_copies),
    "restore of copies": Write(("restore", *map(named, range(1, 8))), erase_with_copies),
    "preset": Write(("config", "preset", "jarvis"), choose_a_system),
    "preset --undo": Write(("config", "preset", "--undo"), choose_a_system),
    "config set": Write(("config", "set", "half_life_days", "90")),
    "policy set": Write(("policy", "set", "mem_facts", "--half-life-days", "14")),
    "backup": Write(("backup",)),
    "backup restore": Write(
        ("backup", "restore", f"{{home}}/backups/{BACKUP}", "--yes"),
        change_since_the_backup,
        replaces=True,
    ),
    "restore, old schema": Write(
        ("backup", "restore", f"{{home}}/backups/{BACKUP}", "--yes"), keep_old_backup, replaces=True
    ),
    "restore, damaged": Write(
        ("backup", "restore", f"{{home}}/backups/{BACKUP}", "--yes"),
        damage,
        acknowledged=False,
        replaces=True,
        again=("backup", "restore", f"{{home}}/backups/{BACKUP}", "--yes"),
    ),
    "doctor --fix": Write(("doctor", "--fix"), break_index, batch=1, again=("doctor", "--fix")),
    "doctor --rebuild": Write(("doctor", "--rebuild"), batch=1),
    "migration": Write(("add", f"new {mark('new')}"), age, acknowledged=False),
}
