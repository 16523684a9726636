"""The doctor: it names each damage another program can do, mends it, and only reads until then."""

import hashlib
import os
import re
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest


@contextmanager
def plainly(home: Path) -> Iterator[sqlite3.Connection]:
    """Open the store as another program does: without foreign keys, functions and index."""
    with closing(sqlite3.connect(home / "hebb.db", isolation_level=None)) as db:
        yield db


@pytest.fixture
def some(hebb) -> None:
    hebb.bring(
        {"content": "use tabs", "tags": ["style"], "metadata": {"a": 1}},
        {"content": "不会用 tabs"},
        {"content": "shelved", "archived_at": "2025-12-01"},
    )
    hebb("archive", 3)


def checks(hebb, *options: str) -> dict[str, tuple[str, int]]:
    """Return the status and count of every check, by name."""
    done = hebb("doctor", *options)
    assert done.code == int("problem" in [row[1] for row in done.rows])
    return {row[0]: (row[1], int(row[2])) for row in done.rows}


def unwell(hebb, *options: str) -> dict[str, tuple[str, int]]:
    return {name: found for name, found in checks(hebb, *options).items() if found[0] != "ok"}


def test_texts_of_every_kind_are_compared_as_they_were_indexed(hebb) -> None:
    texts = (
        "C++ and Café",
        "हिन्दी",
        "🎉 2_000",
        "ﾃｽﾄ テスト",
        "naïve running Runs",
        "...",
        "\ue000",
    )
    hebb.bring(*({"content": one} for one in texts))
    assert unwell(hebb) == {}


DAMAGES = {
    "orphaned tag": ("references", 1, "INSERT INTO tag VALUES (99, 'x')"),
    "orphaned edge": ("references", 1, "INSERT INTO edge VALUES (1, 99, 1, 0)"),
    "orphaned vector": ("references", 1, "INSERT INTO vector VALUES (99, 'm', 1, 1, x'00')"),
    "edge to itself": (
        "edges",
        1,
        "PRAGMA ignore_check_constraints = 1; INSERT INTO edge VALUES (1, 1, 1, 0)",
    ),
    "edge in the wrong order": (
        "edges",
        1,
        "PRAGMA ignore_check_constraints = 1; INSERT INTO edge VALUES (2, 1, 1, 0)",
    ),
    "edge of negative weight": (
        "edges",
        1,
        "PRAGMA ignore_check_constraints = 1; INSERT INTO edge VALUES (1, 2, -1, 0)",
    ),
    "lost successor": ("references", 1, "UPDATE memory SET superseded_by = 99 WHERE id = 1"),
    "lost sweep": ("references", 1, "UPDATE memory SET sweep_id = 99 WHERE id = 3"),
    "unindexed memory": (
        "index",
        None,
        """
        INSERT INTO memory (uid, partition, content_digest, created_at, last_accessed_at, content)
        SELECT 'other', partition, content_digest, created_at, last_accessed_at, content
        FROM memory WHERE id = 1
        """,
    ),
    "emptied index": ("index", None, "INSERT INTO memory_text (memory_text) VALUES ('delete-all')"),
    "ghost in the index": (
        "index",
        None,
        "INSERT INTO memory_text (rowid, words) VALUES (99, 'gone')",
    ),
    "words of another text": (
        "index",
        None,
        "INSERT INTO memory_text (rowid, words) VALUES (1, 'gone')",
    ),
    "damaged index": ("index", 1, "UPDATE memory_text_data SET block = x'0000' WHERE id > 10"),
    "changed text": ("contents", 1, "UPDATE memory SET content = 'use spaces' WHERE id = 1"),
    "broken text": ("values", 1, "UPDATE memory SET source = CAST(x'ff' AS TEXT) WHERE id = 1"),
    "broken tag": ("values", 1, "UPDATE tag SET name = CAST(x'61ff' AS TEXT)"),
    "metadata that is a list": (
        "values",
        1,
        "PRAGMA ignore_check_constraints = 1; UPDATE memory SET metadata = '[]' WHERE id = 1",
    ),
    "metadata that is no JSON": (
        "values",
        1,
        "PRAGMA ignore_check_constraints = 1; UPDATE memory SET metadata = '{x' WHERE id = 1",
    ),
    "future creation": ("times", 1, "UPDATE memory SET created_at = 4e12 WHERE id = 1"),
    "future use": ("times", 1, "UPDATE memory SET last_accessed_at = 4e12 WHERE id = 1"),
    "future archiving": ("times", 1, "UPDATE memory SET archived_at = 4e12 WHERE id = 3"),
    "pending erasure": ("erasures", 1, "INSERT INTO state VALUES ('erasure_pending', 'x')"),
    "older preparation": ("preparation", 1, "UPDATE state SET value = '0/old'"),
    "rollback journal": ("journal", 1, "PRAGMA journal_mode = DELETE"),
}


@pytest.mark.usefixtures("some")
def test_sound_store_is_well(hebb) -> None:
    found = hebb.json("doctor")
    assert (found["ok"], found["fixed"]) == (True, [])
    assert {check["status"] for check in found["checks"]} == {"ok"}
    assert re.search(r"SQLite 3\.\d+\.\d+ with .*\bFTS5\b", found["checks"][-1]["message"])
    assert list(found["checks"][0]) == ["name", "status", "count", "message", "hint"]


@pytest.mark.usefixtures("some")
@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_named_left_alone_and_mended_without_losing_a_memory(hebb, home, damage) -> None:
    name, count, script = DAMAGES[damage]
    with plainly(home) as db:
        db.executescript(script)
        [total] = db.execute("SELECT count(*) FROM memory").fetchone()
    before = hashlib.sha256((home / "hebb.db").read_bytes()).digest()
    status, found = checks(hebb)[name]
    assert status in ("problem", "note")
    assert found == count or (count is None and found)
    assert hashlib.sha256((home / "hebb.db").read_bytes()).digest() == before
    mended = hebb("doctor", "--fix")
    assert mended.code == 0, mended.out
    assert f"fixed: {name}: " in mended.err
    assert unwell(hebb) == {}
    assert len(hebb("export").out.splitlines()) == total
    with plainly(home) as db:
        assert db.execute("SELECT count(*) FROM audit WHERE action = 'fix'").fetchone()[0]


@pytest.mark.usefixtures("some")
def test_mended_text_is_found_again_and_broken_bytes_can_still_be_read(hebb, home) -> None:
    with plainly(home) as db:
        db.execute("UPDATE memory SET content = CAST(x'636166e9207a65627261' AS TEXT) WHERE id = 1")
        db.execute("PRAGMA ignore_check_constraints = 1")
        db.execute("UPDATE memory SET metadata = 'mine' WHERE id = 2")
    assert hebb("show", 1).code != 0
    assert hebb("doctor", "--fix").code == 0
    assert hebb.ids("recall", "zebra", "--peek") == [1]
    assert hebb.json("show", 1)["content"] == "caf\\xe9 zebra"
    assert hebb.json("show", 2)["metadata"] == {"damaged_metadata": "mine"}


@pytest.mark.usefixtures("some")
def test_time_in_the_future_becomes_now(hebb, home) -> None:
    with plainly(home) as db:
        db.execute("UPDATE memory SET last_accessed_at = 4000000000000 WHERE id = 1")
    hebb("doctor", "--fix")
    assert hebb.json("show", 1)["last_accessed_at"] == "2026-01-01T00:00:00Z"


@pytest.mark.usefixtures("some")
def test_plain_index_that_lost_a_row_is_made_anew(hebb, home) -> None:
    with plainly(home) as db:
        db.execute("PRAGMA writable_schema = ON")
        text = "SELECT sql FROM sqlite_schema WHERE name = 'memory_digest'"
        [kept] = db.execute(text).fetchone()
        db.execute(
            "UPDATE sqlite_schema SET sql = ? WHERE name = 'memory_digest'",
            (f"{kept} WHERE id > 99",),
        )
    with plainly(home) as db:  # this connection takes the index for a smaller one
        db.execute("UPDATE memory SET content_digest = content_digest + 1 WHERE id = 1")
        db.execute("UPDATE memory SET content_digest = content_digest - 1 WHERE id = 1")
        db.execute("DELETE FROM memory WHERE id = 2")
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_schema SET sql = ? WHERE name = 'memory_digest'", (kept,))
    assert checks(hebb)["integrity"][0] == "problem"
    assert hebb("doctor", "--fix").code == 0
    assert unwell(hebb) == {}


@pytest.mark.usefixtures("some")
def test_edge_in_the_wrong_order_keeps_its_weight(hebb, home) -> None:
    month_ago, now = 1_767_225_600_000 - 30 * 86_400_000, 1_767_225_600_000
    with plainly(home) as db:
        db.execute("PRAGMA ignore_check_constraints = 1")
        db.execute("INSERT INTO edge VALUES (2, 1, 6, ?), (1, 2, 4, ?)", (month_ago, month_ago))
        db.execute("INSERT INTO edge VALUES (3, 1, 2, ?)", (month_ago,))
    assert hebb("doctor", "--fix").code == 0
    with plainly(home) as db:
        rows = db.execute("SELECT * FROM edge ORDER BY 1, 2").fetchall()
    assert rows == [(1, 2, 5, now), (1, 3, 2, month_ago)]


@pytest.mark.usefixtures("some")
def test_rule_that_another_program_broke_is_named(hebb, home) -> None:
    with plainly(home) as db:
        db.execute("PRAGMA ignore_check_constraints = 1")
        db.execute("UPDATE memory SET importance = 99 WHERE id = 1")
    assert unwell(hebb) == {"rules": ("problem", 1)}


@pytest.mark.usefixtures("some")
@pytest.mark.parametrize("option", ["--fix", "--rebuild"])
def test_damaged_file_is_reported_with_1_and_not_written(hebb, home, option) -> None:
    hebb.bring(*({"content": f"note {number} " * 50} for number in range(200)))
    raw = bytearray((home / "hebb.db").read_bytes())
    raw[-40_000:] = b"\xa5" * 40_000
    (home / "hebb.db").write_bytes(raw)
    assert hebb("doctor").code == 1
    done = hebb("doctor", option)
    assert done.code == 1
    assert "integrity\tproblem" in done.out
    assert (home / "hebb.db").read_bytes() == raw


def test_file_that_is_no_store_ends_with_5(hebb, home) -> None:
    (home / "hebb.db").write_bytes(b"shopping list" * 100)
    assert hebb.error("doctor")["code"] == 5
    assert hebb.error("doctor", "--fix")["code"] == 5


@pytest.mark.parametrize("options", [[], ["--fix"], ["--rebuild"]])
def test_where_there_is_no_store_it_says_so_and_makes_none(hebb, home, options) -> None:
    done = hebb("doctor", *options)
    assert (done.code, done.rows[0][:2]) == (0, ["store", "note"])
    assert list(home.iterdir()) == []


@pytest.mark.usefixtures("some")
def test_rights_are_taken_from_others(hebb, home) -> None:
    for name in ("hebb.db", "hebb.key"):
        (home / name).chmod(0o644)
    assert unwell(hebb)["rights"][0] == "problem"
    assert unwell(hebb, "--fix") == {}
    modes = {stat.S_IMODE((home / name).stat().st_mode) for name in ("hebb.db", "hebb.key")}
    assert modes == {0o600}


@pytest.mark.usefixtures("some")
def test_folder_that_others_may_read_is_a_note_and_stays(hebb, home) -> None:
    home.chmod(0o755)
    assert unwell(hebb, "--fix") == {"rights": ("note", 1)}
    assert stat.S_IMODE(home.stat().st_mode) == 0o755


@pytest.mark.usefixtures("some")
def test_damaged_key_is_set_aside(hebb, home) -> None:
    (home / "hebb.key").write_bytes(b"short")
    assert unwell(hebb) == {"key": ("problem", 1)}
    assert hebb("forget", 1).code == 5
    hebb("doctor", "--fix")
    assert [one.read_bytes() for one in home.glob("hebb.key.damaged-*")] == [b"short"]
    assert hebb("forget", 1).code == 0


@pytest.mark.usefixtures("some")
def test_leftovers_are_named_and_never_deleted(hebb, home) -> None:
    names = ["hebb.db.schema-1.5", "hebb.db.damaged-1", "hebb.json.new", "hebb.key.99"]
    for name in names:
        (home / name).write_bytes(b"x")
        (home / name).chmod(0o600)
    done = hebb("doctor", "--fix")
    assert done.code == 0
    assert all(name in done.out for name in names)
    assert all((home / name).exists() for name in names)


@pytest.mark.usefixtures("some")
def test_broken_settings_are_a_problem_and_do_not_stop_the_rest(hebb, home) -> None:
    (home / "hebb.json").write_text("{")
    assert unwell(hebb) == {"settings": ("problem", 1)}
    (home / "hebb.json").write_text('{"of_tomorrow": 1}')
    assert unwell(hebb) == {"settings": ("note", 1)}


@pytest.mark.usefixtures("some")
def test_problem_is_one_failure_in_json_beside_the_whole_report(hebb, home) -> None:
    with plainly(home) as db:
        db.execute("INSERT INTO tag VALUES (99, 'x')")
    done = hebb("--json", "doctor")
    assert done.code == 1
    assert '"ok": false' in done.out
    assert '"kind": "unsound"' in done.err


@pytest.mark.usefixtures("some")
def test_rebuild_finds_everything_again(hebb, home) -> None:
    with plainly(home) as db:
        db.execute("INSERT INTO memory_text (memory_text) VALUES ('delete-all')")
    assert hebb.ids("recall", "tabs", "--peek") == []
    assert hebb("doctor", "--rebuild").code == 0
    assert set(hebb.ids("recall", "tabs", "--peek")) == {1, 2}


@pytest.mark.usefixtures("some")
def test_looking_from_another_time_is_allowed_but_not_mending(hebb) -> None:
    assert hebb("doctor", "--now", "2027-01-01").code == 0
    assert hebb.error("doctor", "--fix", "--now", "2027-01-01")["code"] == 2


@pytest.mark.usefixtures("some")
def test_store_that_another_process_writes_is_still_looked_over(hebb, home, monkeypatch) -> None:
    from hebbctl.store import connection

    monkeypatch.setattr(connection, "BUSY_TIMEOUT_MS", 20)
    with plainly(home) as db:
        db.execute("BEGIN IMMEDIATE")
        assert unwell(hebb) == {"index": ("note", 0)}


def holds_the_lock(db: sqlite3.Connection) -> bool:
    """Say whether somebody else is writing."""
    try:
        db.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError:
        return True
    db.execute("ROLLBACK")
    return False


def killed_while(
    command: list[str], reached: Callable[[], bool], signal_number: int = signal.SIGKILL
) -> bool:
    """Start hebb and kill it when a moment is reached. Returns whether it was in time."""
    running = subprocess.Popen(
        [sys.executable, "-m", "hebbctl", *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while running.poll() is None:
        if reached():
            os.kill(running.pid, signal_number)
            break
    return running.wait() == -signal_number


def test_killed_rebuild_leaves_the_old_index_whole(hebb, home) -> None:
    hebb.bring(*({"content": f"note {number} " * 40} for number in range(3000)))
    with closing(sqlite3.connect(home / "hebb.db", timeout=0, isolation_level=None)) as db:
        assert killed_while(["doctor", "--rebuild"], lambda: holds_the_lock(db))
    assert unwell(hebb) == {}
    assert hebb.ids("recall", "2999", "--peek") == [3000]


@pytest.mark.usefixtures("some")
def test_what_a_running_process_is_about_to_wipe_is_no_problem(hebb, home) -> None:
    copy = Path(hebb.json("backup")["path"])
    raw = copy.read_bytes()
    hebb("forget", 1)
    copy.write_bytes(raw)
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    for number, status in ((os.getppid(), "note"), (ended.pid, "problem")):
        with plainly(home) as db:
            for name in ("erasure_pending", "copies_pending 0-0"):
                db.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", [name, f"{number}-x"])
        assert [checks(hebb)[name][0] for name in ("erasures", "backups")] == [status] * 2
        assert hebb("doctor").code == (status == "problem")
