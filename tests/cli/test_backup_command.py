"""Backups: whole copies, put back in any state of the store, and reached by every erasing."""

import json
import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from hebbctl import migrations
from hebbctl.store import connection

CANARY = "zqxwvologies 饕餮"
# As it is written, and as the index holds it.
TRACES = [trace.encode() for trace in ("zqxwvologies", "饕", "xwvologi", "餮")]
STAMP = "20260101T000000Z"


@pytest.fixture
def some(hebb) -> None:
    hebb.bring(
        {"content": "use tabs", "uid": "tabs"},
        {"content": CANARY, "uid": "canary"},
        {"content": "use spaces", "uid": "spaces"},
    )


def contents_of(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as db:
        return [content for (content,) in db.execute("SELECT content FROM memory ORDER BY id")]


def listed(hebb) -> list[str]:
    return sorted(memory["content"] for memory in hebb.json("list"))


def holding(folder: Path) -> list[str]:
    """Return the files, at any depth, that hold a byte of the canary."""
    return [
        one.name
        for one in folder.rglob("*")
        if one.is_file() and any(trace in one.read_bytes() for trace in TRACES)
    ]


def backup(hebb, *target: object) -> Path:
    return Path(hebb.json("backup", "create", *target)["path"])


@pytest.mark.usefixtures("some")
def test_backup_is_a_private_whole_copy_named_by_time(hebb, home) -> None:
    done = hebb("backup")
    made = home / "backups" / f"hebb-{STAMP}.db"
    assert (done.code, done.out, done.err) == (0, f"{made}\n", "")
    assert contents_of(made) == contents_of(home / "hebb.db")
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    assert stat.S_IMODE(made.parent.stat().st_mode) == 0o700
    assert [one.name for one in made.parent.iterdir()] == [made.name]


@pytest.mark.usefixtures("some")
def test_backup_in_json_says_what_is_in_it(hebb) -> None:
    made = hebb.json("backup")
    assert list(made) == ["schema", "path", "made_at", "memories", "size_bytes"]
    assert made["memories"] == 3
    assert made["made_at"] == "2026-01-01T00:00:00Z"
    assert made["size_bytes"] == Path(made["path"]).stat().st_size


@pytest.mark.usefixtures("some")
def test_second_backup_of_the_same_second_has_a_name_of_its_own(hebb) -> None:
    assert [backup(hebb).name for _ in range(3)] == [
        f"hebb-{STAMP}.db",
        f"hebb-{STAMP}-2.db",
        f"hebb-{STAMP}-3.db",
    ]


@pytest.mark.usefixtures("some")
def test_backup_writes_over_no_file(hebb, home) -> None:
    (home / "mine.db").write_bytes(b"mine")
    assert hebb.error("backup", "create", home / "mine.db")["code"] == 4
    assert (home / "mine.db").read_bytes() == b"mine"
    assert hebb.json("backup", "list") == []


def test_backup_of_no_store_is_refused_and_makes_none(hebb, home) -> None:
    assert hebb.error("backup")["code"] == 5
    assert list(home.iterdir()) == []


@pytest.mark.usefixtures("some")
def test_backup_waits_for_no_writer(hebb, home, monkeypatch) -> None:
    monkeypatch.setattr(connection, "BUSY_TIMEOUT_MS", 20)
    with closing(sqlite3.connect(home / "hebb.db", isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        db.execute("DELETE FROM memory")
        assert len(contents_of(backup(hebb))) == 3
        done = hebb("backup", "create", home / "elsewhere.db")
        assert (done.code, done.err.count("erasing will not reach")) == (0, 1)


@pytest.mark.usefixtures("some")
def test_key_is_in_no_backup(hebb, home) -> None:
    hebb("archive", 1)
    key = (home / "hebb.key").read_bytes()
    assert key not in backup(hebb).read_bytes()
    assert [one.name for one in (home / "backups").iterdir()] == [f"hebb-{STAMP}.db"]


@pytest.mark.usefixtures("some")
def test_list_shows_the_newest_first_wherever_it_is(hebb, home, at) -> None:
    made = [backup(hebb)]
    at(1)
    made.append(backup(hebb, home / "elsewhere" / "x.db"))
    at(2)
    made.append(backup(hebb))
    made[0].write_bytes(b"broken")
    rows = hebb("backup", "list").rows
    assert [row[0] for row in rows] == [str(one) for one in (made[2], made[1], made[0])]
    assert rows[1][1:3] == ["2026-01-02T00:00:00Z", "3"]
    assert rows[2][1:] == ["", "", "6"]
    made[1].unlink()
    assert len(hebb.json("backup", "list")) == 2


@pytest.mark.usefixtures("some")
def test_backup_can_be_made_and_used_under_any_name(hebb, home) -> None:
    made = backup(hebb, home / "a?b [1]#%25.db")
    hebb("forget", 1)
    assert "use tabs" not in contents_of(made)
    assert hebb("backup", "restore", made, "--yes").code == 0


@pytest.mark.usefixtures("some")
def test_restored_store_is_as_it_was_and_the_one_before_is_kept(hebb, home) -> None:
    made = backup(hebb)
    hebb("add", "of today")
    done = hebb.json("backup", "restore", made, "--yes")
    assert (done["memories"], done["stayed_erased"], done["set_aside"]) == (3, 0, None)
    assert listed(hebb) == ["use spaces", "use tabs", CANARY]
    assert "of today" in contents_of(Path(done["saved"]))
    assert hebb.ids("recall", "spaces", "--peek") == [3]
    with closing(sqlite3.connect(home / "hebb.db")) as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        reasons = db.execute("SELECT reason FROM audit WHERE action = 'restore'").fetchall()
    assert reasons == [(f"backup {made}",)]
    assert not [one for one in home.iterdir() if ".part" in one.name]
    assert hebb("doctor").code == 0


@pytest.mark.usefixtures("some")
def test_id_that_was_given_out_after_the_backup_is_not_used_again(hebb) -> None:
    made = backup(hebb)
    assert hebb("add", "of today").out == "4\n"
    hebb("backup", "restore", made, "--yes")
    assert hebb("add", "of tomorrow").out == "5\n"


@pytest.mark.usefixtures("some")
def test_restore_needs_a_confirmation_and_else_changes_nothing(hebb, home, contents) -> None:
    made = backup(hebb)
    before = contents()
    assert hebb.error("backup", "restore", made)["code"] == 4
    assert contents() == before
    assert len(list((home / "backups").iterdir())) == 1


@pytest.mark.usefixtures("some")
def test_restore_where_nothing_is_asks_for_nothing(hebb, home, tmp_path) -> None:
    made = backup(hebb)
    (home / "hebb.db").unlink()
    done = hebb.json("backup", "restore", made)
    assert (done["memories"], done["saved"]) == (3, None)
    other = home / "new" / "other.db"
    assert hebb("--db", other, "backup", "restore", made).code == 0
    assert len(contents_of(other)) == 3


@pytest.mark.usefixtures("some")
def test_what_was_erased_since_stays_erased(hebb, home) -> None:
    made = backup(hebb)
    copied = home / "copied.db"  # by the user: no erasing reaches it
    copied.write_bytes(made.read_bytes())
    hebb("forget", 2)
    done = hebb.json("backup", "restore", copied, "--yes")
    assert (done["memories"], done["stayed_erased"]) == (2, 1)
    assert listed(hebb) == ["use spaces", "use tabs"]
    assert holding(home) == ["copied.db"]
    assert hebb.json("stats")["tombstones"] == 1


@pytest.mark.usefixtures("some")
def test_what_was_erased_comes_back_on_purpose(hebb, home) -> None:
    copied = home / "copied.db"
    copied.write_bytes(backup(hebb).read_bytes())
    hebb("forget", 2)
    hebb("backup", "restore", copied, "--yes", "--with-erased")
    assert CANARY in listed(hebb)
    assert hebb.json("stats")["tombstones"] == 0
    assert hebb("doctor").code == 0


@pytest.mark.usefixtures("some")
@pytest.mark.parametrize("damage", ["text", "truncated", "pages", "short"])
def test_damaged_store_is_set_aside_with_its_log(hebb, home, damage) -> None:
    hebb.bring(*({"content": f"note {number} " * 50} for number in range(100)))
    made = backup(hebb)
    store = home / "hebb.db"
    raw = store.read_bytes()
    damaged = {
        "text": b"shopping list" * 1000,
        "truncated": raw[: len(raw) // 2],
        "pages": raw[:8192] + b"\xa5" * (len(raw) - 8192),
        "short": raw[:100],
    }[damage]
    store.write_bytes(damaged)
    (home / "hebb.db-wal").write_bytes(b"stale")
    done = hebb.json("backup", "restore", made)
    aside = Path(done["set_aside"])
    assert (done["saved"], aside.name) == (None, f"hebb.db.damaged-{STAMP}")
    assert aside.read_bytes() == damaged
    assert len(contents_of(store)) == done["memories"] == 103
    assert stat.S_IMODE(store.stat().st_mode) == 0o600
    assert hebb("add", "of today").code == 0
    assert {row[0] for row in hebb("doctor").rows if row[1] != "ok"} == {"leftovers"}


@pytest.mark.usefixtures("some")
def test_erasure_of_a_damaged_store_is_remembered_if_it_can_be_read(hebb, home) -> None:
    hebb.bring(*({"content": f"note {number} " * 50} for number in range(100)))
    copied = home / "copied.db"
    copied.write_bytes(backup(hebb).read_bytes())
    hebb("forget", 2)
    raw = bytearray((home / "hebb.db").read_bytes())
    with closing(sqlite3.connect(home / "hebb.db")) as db:
        [page] = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'edge'").fetchone()
    raw[(page - 1) * 4096 : page * 4096] = b"\xa5" * 4096
    (home / "hebb.db").write_bytes(raw)
    done = hebb.json("backup", "restore", copied)
    assert (done["stayed_erased"], bool(done["set_aside"])) == (1, True)


@pytest.mark.usefixtures("some")
@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("missing.db", None),
        ("empty.db", b""),
        ("text.db", b"shopping list" * 100),
        ("folder", None),
    ],
)
def test_file_that_is_no_backup_is_refused_with_6(hebb, home, contents, name, raw) -> None:
    if raw is not None:
        (home / name).write_bytes(raw)
    if name == "folder":
        (home / name).mkdir()
    before = contents()
    assert hebb.error("backup", "restore", home / name, "--yes")["code"] == 6
    assert contents() == before


@pytest.mark.usefixtures("some")
@pytest.mark.parametrize("script", ["PRAGMA user_version = 99", "PRAGMA application_id = 5"])
def test_backup_of_a_newer_hebb_or_another_program_is_refused(hebb, script) -> None:
    made = backup(hebb)
    with closing(sqlite3.connect(made)) as db:
        db.execute(script)
    assert hebb.error("backup", "restore", made, "--yes")["code"] == 6


@pytest.mark.usefixtures("some")
def test_damaged_backup_is_refused(hebb) -> None:
    made = backup(hebb)
    raw = bytearray(made.read_bytes())
    raw[-20_000:] = b"\xa5" * 20_000
    made.write_bytes(raw)
    assert hebb.error("backup", "restore", made, "--yes")["code"] == 6


@pytest.mark.usefixtures("some")
def test_store_of_a_newer_hebb_is_not_replaced(hebb, home) -> None:
    made = backup(hebb)
    with closing(sqlite3.connect(home / "hebb.db")) as db:
        db.execute("PRAGMA user_version = 99")
    assert hebb.error("backup", "restore", made, "--yes")["code"] == 5
    assert len(contents_of(home / "hebb.db")) == 3


@pytest.mark.usefixtures("some")
def test_store_is_no_backup_of_itself(hebb, home) -> None:
    assert hebb.error("backup", "restore", home / "hebb.db", "--yes")["code"] == 2


@pytest.mark.usefixtures("some")
def test_backup_of_an_older_schema_is_migrated(hebb, home, monkeypatch) -> None:
    made = backup(hebb)
    before = made.read_bytes()
    newer = migrations.SCHEMA_VERSION + 1
    step = {migrations.SCHEMA_VERSION: lambda db: db.execute("ALTER TABLE sweep ADD COLUMN x TEXT")}
    monkeypatch.setattr(migrations, "STEPS", migrations.STEPS | step)
    monkeypatch.setattr(migrations, "SCHEMA_VERSION", newer)
    hebb("forget", 2)
    assert holding(home) == []  # neither here, nor in the backup, nor in the migration's copy
    assert hebb("backup", "restore", made, "--yes").code == 0
    with closing(sqlite3.connect(home / "hebb.db")) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (newer,)
    with closing(sqlite3.connect(made)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (newer - 1,)
    assert made.read_bytes() != before
    assert not [one for one in home.iterdir() if ".part" in one.name]


@pytest.mark.usefixtures("some")
def test_restore_beside_a_writer_gives_up_and_changes_nothing(hebb, home, monkeypatch) -> None:
    made = backup(hebb)
    monkeypatch.setattr(connection, "BUSY_TIMEOUT_MS", 20)
    with closing(sqlite3.connect(home / "hebb.db", isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        assert hebb.error("backup", "restore", made, "--yes")["code"] == 5
    assert len(listed(hebb)) == 3


@pytest.mark.usefixtures("some")
def test_process_that_has_the_store_open_sees_the_restored_one(hebb, home) -> None:
    made = backup(hebb)
    hebb("add", "of today")
    with closing(sqlite3.connect(home / "hebb.db")) as db:
        assert db.execute("SELECT count(*) FROM memory").fetchone() == (4,)
        assert hebb("backup", "restore", made, "--yes").code == 0
        assert db.execute("SELECT count(*) FROM memory").fetchone() == (3,)


@pytest.mark.usefixtures("some")
def test_forgotten_memory_is_in_no_backup_either(hebb, home) -> None:
    backup(hebb)
    backup(hebb, home / "elsewhere" / "x.db")
    assert len(holding(home)) == 3
    done = hebb.json("forget", 2)
    assert (done["erasure_pending"], done["backups_left"]) == (False, [])
    assert holding(home) == []
    assert {row["memories"] for row in hebb.json("backup", "list")} == {2}


@pytest.mark.usefixtures("some")
def test_backup_that_another_preparation_indexed_is_scrubbed_as_well(hebb, home) -> None:
    made = backup(hebb)
    with closing(sqlite3.connect(made, isolation_level=None)) as db:
        db.execute("UPDATE state SET value = '0/old' WHERE name = 'text_version'")
        db.execute("INSERT INTO memory_text (memory_text) VALUES ('delete-all')")
    hebb("forget", 2)
    assert holding(home) == []
    with closing(sqlite3.connect(made)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_sweep_that_erases_reaches_the_backups(hebb, home, at) -> None:
    hebb.bring({"content": CANARY, "archived_at": "2025-11-01"}, {"content": "live"})
    backup(hebb)
    assert hebb.json("gc")["backups_left"] == []
    assert holding(home) == []


@pytest.mark.usefixtures("some")
def test_purge_reaches_the_backups(hebb, home) -> None:
    hebb("archive", 2)
    backup(hebb)
    hebb("gc", "--purge", "--yes")
    assert holding(home) == []


@pytest.mark.usefixtures("some")
def test_backup_that_cannot_be_scrubbed_is_named(hebb, home) -> None:
    made, gone = backup(hebb), backup(hebb, home / "gone.db")
    gone.unlink()
    made.write_bytes(b"damaged" * 100)
    done = hebb("forget", 2)
    assert (done.code, str(made) in done.err, str(gone) in done.err) == (0, True, False)
    assert hebb.json("forget", 1)["backups_left"] == [str(made)]


@pytest.mark.usefixtures("some")
def test_backup_of_a_pending_erasure_holds_no_word_of_it(hebb, home, monkeypatch) -> None:
    monkeypatch.setattr(connection, "BUSY_TIMEOUT_MS", 20)
    with closing(sqlite3.connect(home / "hebb.db", isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM memory").fetchone()
        assert hebb.json("forget", 2)["erasure_pending"]
        backup(hebb)
        assert holding(home / "backups") == []


@pytest.mark.usefixtures("some")
def test_erasing_that_was_killed_is_finished_in_the_backups_by_the_next_run(hebb, home) -> None:
    made = backup(hebb)
    raw = made.read_bytes()
    hebb("forget", 2)
    made.write_bytes(raw)
    assert holding(home) == [made.name]
    assert "backups\tproblem\t1" in hebb("doctor").out
    with closing(sqlite3.connect(home / "hebb.db")) as db:
        db.execute("INSERT INTO state VALUES ('copies_pending 0-0', 'x')")
        db.commit()
    hebb("add", "of today")
    assert holding(home) == []


@pytest.mark.usefixtures("some")
@pytest.mark.parametrize("words", [("forget", 2), ("edit", 2, "new")])
def test_copy_that_was_busy_is_returned_to_by_a_later_run(hebb, home, monkeypatch, words) -> None:
    made = backup(hebb)
    monkeypatch.setenv("HEBB_BUSY_TIMEOUT", "0")
    with closing(sqlite3.connect(made, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert hebb.json(*words)["backups_left"] == [str(made)]
        monkeypatch.setenv("HEBB_BUSY_TIMEOUT", "60")  # which a later run does not wait again
        assert hebb("add", "meanwhile").code == 0
        assert holding(home) == [made.name]
    assert hebb("add", "of today").code == 0
    assert holding(home) == []
    assert state(home, "copies_%") == []


@pytest.mark.usefixtures("some")
@pytest.mark.parametrize("words", [("forget", 2), ("edit", 2, "new")])
def test_copy_on_a_disk_that_was_away_is_reached_when_it_is_back(
    hebb, home, tmp_path_factory, words
) -> None:
    disk = tmp_path_factory.mktemp("disk")
    made = backup(hebb, disk / "copy.db")
    away = made.rename(disk / "away")
    hebb(*words)
    assert hebb("add", "meanwhile").code == 0
    [row] = [row for row in hebb("doctor").rows if row[0] == "backups"]
    assert (row[1], str(made) in row[3]) == ("note", True)
    away.rename(made)
    assert hebb("add", "of today").code == 0
    assert holding(disk) == []
    assert state(home, "copies_%") == []


@pytest.mark.usefixtures("some")
def test_damaged_copy_is_named_once_and_not_returned_to(hebb, home) -> None:
    made = backup(hebb)
    made.write_bytes(b"no store any more")
    assert hebb.json("forget", 2)["backups_left"] == [str(made)]
    assert state(home, "copies_%") == []


@pytest.mark.usefixtures("some")
def test_text_replaced_long_ago_is_looked_for_in_copies_after_the_audit_was_trimmed(
    hebb, home
) -> None:
    made = backup(hebb)
    raw = made.read_bytes()
    hebb("edit", 2, "new")
    hebb("config", "set", "audit_max_rows", 1)
    hebb("gc")
    assert [one["action"] for one in hebb.json("audit")] == ["setting"]
    made.write_bytes(raw)
    assert "backups\tproblem\t1" in hebb("doctor").out
    assert hebb("doctor", "--fix").code == 0
    assert holding(home) == []


@pytest.mark.usefixtures("some")
def test_restored_store_still_owes_what_the_one_before_owed(hebb, home) -> None:
    hebb("add", "later")
    made = backup(hebb)
    held = made.with_name("held")
    other = backup(hebb, home / "other.db")
    other.rename(held)
    hebb("edit", 2, "new")
    assert hebb("backup", "restore", made, "--yes").code == 0
    held.rename(other)
    hebb("add", "of today")
    assert holding(home) == []


def state(home, pattern: str) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(home / "hebb.db")) as db:
        return db.execute("SELECT * FROM state WHERE name LIKE ?", [pattern]).fetchall()


@pytest.mark.usefixtures("some")
def test_doctor_erases_from_a_backup_what_is_erased(hebb, home) -> None:
    made = backup(hebb)
    raw = made.read_bytes()
    hebb("forget", 2)
    made.write_bytes(raw)
    assert hebb("doctor").code == 1
    assert hebb("doctor", "--fix").code == 0
    assert holding(home) == []


@pytest.mark.parametrize(
    "name", ["thesis.partial.txt", "hebb.db.participants", "hebb.db.part", "x.db.part-list.csv"]
)
def test_file_that_only_looks_like_a_draft_stays(name, hebb, home) -> None:
    hebb("add", "one")
    hebb("backup")
    (home / name).write_text("mine")
    (home / "backups" / name).write_text("mine")
    hebb("forget", 1)
    assert (home / name).read_text() == (home / "backups" / name).read_text() == "mine"


@pytest.mark.usefixtures("some")
def test_draft_of_a_killed_backup_is_no_backup_and_goes_with_the_next_erasing(hebb, home) -> None:
    made = backup(hebb)
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    draft = made.with_name(f"{made.name}.{ended.pid}.part")
    running = made.with_name(f"{made.name}.{os.getppid()}.part")
    for one in (draft, running):
        one.write_bytes(b"half")
    assert len(hebb.json("backup", "list")) == 1
    hebb("forget", 2)
    assert (draft.exists(), running.exists()) == (False, True)


@pytest.mark.usefixtures("some")
def test_copy_that_a_killed_restore_made_of_its_draft_goes_with_the_next_erasing(
    hebb, home
) -> None:
    made = backup(hebb)
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    draft = f"hebb.db.{ended.pid}.part"
    made.replace(home / f"{draft}.schema-1.{ended.pid}")
    (home / f"{draft}.schema-1.{ended.pid}.part").write_bytes(b"half")
    hebb("forget", 2)
    assert holding(home) == []
    assert not list(home.glob(f"{draft}*"))


def killed_when(command: list[str], reached) -> bool:
    running = subprocess.Popen(
        [sys.executable, "-m", "hebbctl", *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while running.poll() is None:
        if reached():
            running.kill()
            break
    return running.wait() < 0


# A signal that comes while SQLite calls a function of ours, for the copy and no longer the store.
STRUCK = """\
import os, signal, sys
calls = []
def strike(frame, event, _):
    if event == "call" and frame.f_code.co_name == "index_words":
        calls.append(frame)
        if len(calls) == 3:
            os.kill(os.getpid(), signal.SIGTERM)
sys.setprofile(strike)
from hebbctl.cli.app import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.usefixtures("some")
def test_signal_while_a_copy_is_changed_is_not_taken_for_a_copy_out_of_reach(hebb, home) -> None:
    backup(hebb)
    struck = subprocess.run([sys.executable, "-c", STRUCK, "edit", "2", "new"], capture_output=True)
    assert (struck.returncode, struck.stdout, struck.stderr) == (143, b"", b"")
    assert holding(home) != []
    hebb("add", "of today")
    assert holding(home) == []


def test_killed_backup_leaves_nothing_that_looks_whole(hebb, home) -> None:
    hebb.bring(*({"content": f"note {number} " * 60} for number in range(3000)))
    folder = home / "backups"
    assert killed_when(["backup"], lambda: folder.is_dir() and any(folder.iterdir()))
    for whole in folder.glob("*.db"):
        assert len(contents_of(whole)) == 3000


@pytest.mark.parametrize("moment", ["draft", "saved", "log"])
def test_killed_restore_leaves_the_old_store_or_the_new_one_whole(hebb, home, moment) -> None:
    hebb.bring(*({"content": f"note {number} " * 60} for number in range(2000)))
    made = backup(hebb)
    hebb.bring(*({"content": f"later note {number} " * 60} for number in range(1000)))
    reached = {
        "draft": lambda: any(home.glob("*.part")),
        "saved": lambda: len(list((home / "backups").glob("*.db"))) > 1,
        "log": lambda: (home / "hebb.db-wal").exists() and (home / "hebb.db-wal").stat().st_size,
    }[moment]
    assert killed_when(["backup", "restore", str(made), "--yes"], reached)
    assert hebb.json("stats")["total"] in (2000, 3000)
    assert {row[1] for row in hebb("doctor").rows} <= {"ok", "note"}


@pytest.mark.usefixtures("some")
def test_erasing_looks_for_no_backup_unless_it_erases(hebb, monkeypatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("looked for backups")

    monkeypatch.setattr(Path, "glob", fail)
    for line in ("add x", "list", "gc", "archive 1", "recall tabs", "stats"):
        assert hebb(*line.split()).code == 0


def test_help_of_the_group_names_its_commands(hebb) -> None:
    shown = hebb("backup", "--help").out
    assert all(name in shown for name in ("create", "list", "restore"))


@pytest.mark.usefixtures("some")
def test_changing_commands_refuse_another_time(hebb, home) -> None:
    for line in ("backup", "backup create", f"backup restore {home}/hebb.db"):
        assert hebb.error(*line.split(), "--now", "2027-01-01")["code"] == 2
    assert json.loads(hebb("--json", "backup", "list", "--now", "2027-01-01").out) == []


def test_copies_are_reached_once_while_an_erasure_is_pending(hebb, home) -> None:
    hebb("add", "sentinel quokka")
    hebb("add", "stays")
    hebb("backup")
    with closing(sqlite3.connect(home / "hebb.db")) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM memory").fetchone()
        assert hebb.json("forget", 1)["erasure_pending"]
        hebb("add", "another")
        [copy] = home.glob("backups/*.db")
        before = copy.stat().st_mtime_ns
        hebb("add", "one more")
        assert copy.stat().st_mtime_ns == before
    hebb("add", "the last")
    for path in home.rglob("*"):
        assert path.is_dir() or b"quokka" not in path.read_bytes().lower()


def test_text_that_an_edit_replaced_stays_erased(hebb, home) -> None:
    hebb("add", "sentinel quokka")
    copy = home / "moved.db"
    copy.write_bytes((home / "hebb.db").read_bytes())
    hebb("edit", 1, "plain words")
    assert hebb("backup", "restore", copy, "--yes").code == 0
    assert hebb.json("show", 1)["content"] == "plain words"
    assert hebb.ids("recall", "quokka", "--peek") == []
    assert hebb("backup", "restore", copy, "--yes", "--with-erased").code == 0
    assert hebb.json("show", 1)["content"] == "sentinel quokka"


def test_copy_that_could_not_be_reached_by_an_edit_is_reported_and_mended(hebb, home) -> None:
    hebb("add", "sentinel quokka")
    copy = Path(hebb.json("backup")["path"])
    whole = copy.read_bytes()
    hebb("edit", 1, "plain words")
    copy.write_bytes(whole)  # as if it had been locked
    assert hebb("doctor").code == 1
    hebb("doctor", "--fix")
    assert b"quokka" not in copy.read_bytes()
    assert hebb("doctor").code == 0


def test_stores_that_share_a_folder_leave_each_other_s_copies_alone(hebb, home) -> None:
    hebb.json("import", "-", "--db", home / "a.db", stdin='{"uid": "same", "content": "note"}')
    hebb.json("import", "-", "--db", home / "a-b.db", stdin='{"uid": "same", "content": "note"}')
    copy = hebb.json("backup", "--db", home / "a-b.db")["path"]
    assert hebb.json("backup", "list", "--db", home / "a.db") == []
    hebb("forget", 1, "--db", home / "a.db")
    assert hebb.ids("list", "--db", copy) == [1]


def test_copies_of_a_store_behind_a_link_are_beside_the_file_itself(hebb, home) -> None:
    (home / "real").mkdir()
    (home / "link.db").symlink_to(home / "real" / "x.db")
    hebb("add", "sentinel quokka", "--db", home / "link.db")
    hebb("backup", "--db", home / "link.db")
    hebb("forget", 1, "--db", home / "real" / "x.db")
    assert not (home / "backups").exists()
    for path in home.rglob("*"):
        assert path.is_dir() or b"quokka" not in path.read_bytes()


def test_store_of_which_only_the_log_is_left_is_restored_and_the_log_set_aside(hebb, home) -> None:
    hebb("add", "kept")
    copy = hebb.json("backup")["path"]
    (home / "hebb.db").unlink()
    (home / "hebb.db-wal").write_bytes(b"a log")
    assert copy in hebb.error("list")["hint"]
    done = hebb.json("backup", "restore", copy, "--yes")
    assert Path(f"{done['set_aside']}-wal").read_bytes() == b"a log"
    assert [one["content"] for one in hebb.json("list")] == ["kept"]


def test_store_whose_schema_is_damaged_is_set_aside_by_a_restore(hebb, home) -> None:
    hebb("add", "kept")
    copy = hebb.json("backup")["path"]
    path = home / "hebb.db"
    raw = bytearray(path.read_bytes())
    raw[raw.find(b"last_accessed_at") + 8] = 255
    path.write_bytes(raw)
    for words in (["list"], ["doctor"], ["add", "x"]):
        assert hebb.error(*words)["code"] == 5
    assert path.read_bytes() == raw
    done = hebb.json("backup", "restore", copy, "--yes")
    assert Path(done["set_aside"]).read_bytes() == raw
    assert [one["content"] for one in hebb.json("list")] == ["kept"]


def test_copies_beside_a_damaged_store_are_listed(hebb, home) -> None:
    hebb("add", "kept")
    copy = hebb.json("backup")["path"]
    (home / "hebb.db").write_bytes(b"no store any more" * 100)
    assert [one["path"] for one in hebb.json("backup", "list")] == [copy]
    assert "backup restore" in hebb.error("list")["hint"]
