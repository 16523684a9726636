"""The audit: what it says of each action, and that it never holds what was said."""

import json
import resource
import stat
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from stores import DAY, NOW, keep, table, using

from hebbctl.errors import StoreError
from hebbctl.store import Store

SECRET = "the canary sings at four"
# Makes the store's key at the same moment as the other processes that wait for the same signal.
PROGRAM = """\
import sys
from pathlib import Path
from hebbctl.store.audit import Audit
from hebbctl.store.connection import Database
database = Database(Path(sys.argv[1]), now=0, writable=True)
print("ready", flush=True)
sys.stdin.read()
print(Audit(database, "cli").key().hex())
"""
ROWS = "SELECT * FROM audit ORDER BY id"


def hashes(store: Store) -> list[str]:
    return [row["content_hash"] for row in table(store, ROWS)]


def test_each_action_says_who_when_why_and_to_which_memory(store: Store) -> None:
    one = keep(store, SECRET, uid="u-1")
    store.sweeps.archive([one])
    store.sweeps.restore([one], reason="on second thought")
    store.sweeps.erase([one], reason="forget")
    rows = table(store, ROWS)
    assert [(row["action"], row["reason"]) for row in rows] == [
        ("archive", "by hand"),
        ("restore", "on second thought"),
        ("erase", "forget"),
    ]
    same = {(row["at"], row["actor"], row["memory_id"], row["uid"]) for row in rows}
    assert same == {(NOW, "cli", one, "u-1")}


@pytest.mark.parametrize("outcome", ["archived", "erased"])
def test_sweep_says_with_which_figures_it_took_a_memory(store: Store, outcome: str) -> None:
    keep(store, "faded", last_accessed_at=NOW - 500 * DAY, importance=0)
    keep(store, "expired", expires_at=NOW)
    number = store.sweeps.begin(threshold=0.2, partition=None)
    store.sweeps.take(
        store.sweeps.due(threshold=0.2), outcome=outcome, sweep_id=number, threshold=0.2
    )
    rows = table(store, ROWS)
    action = "archive" if outcome == "archived" else "erase"
    assert [(row["action"], row["reason"], row["sweep_id"]) for row in rows] == [
        (action, "expired", 1),
        (action, "faded", 1),
    ]
    figures = json.loads(rows[1]["policy"])
    assert (figures["threshold"], figures["idle_days"], figures["time_constant_days"]) == (
        0.2,
        500,
        60,
    )
    assert 0 < figures["retention"] < 0.2


def test_actor_is_who_opened_the_store(path: Path) -> None:
    with using(path) as store:
        keep(store)
        store.audit.actor = "cron"
        store.sweeps.archive([1])
        file = store.path.with_name("hebb.json")
        with store.audit.setting("k_access = 2", file, b"{}"):
            file.write_bytes(b"{}")
        assert {row["actor"] for row in table(store, ROWS)} == {"cron"}


def test_changed_setting_is_reported_in_words(store: Store) -> None:
    file = store.path.with_name("hebb.json")
    with store.audit.setting("half_life_days = 120", file, b"{}"):
        file.write_bytes(b"{}")
    [row] = table(store, ROWS)
    assert (row["action"], row["reason"], row["at"]) == ("setting", "half_life_days = 120", NOW)


def test_content_is_never_in_the_audit(store: Store) -> None:
    store.sweeps.erase([keep(store, SECRET)], reason="by hand")
    [row] = table(store, ROWS)
    assert SECRET.split()[1] not in json.dumps(row)
    assert len(row["content_hash"]) == 32
    assert row["copy"] is None


def test_equal_texts_have_equal_hashes_and_others_have_not(store: Store) -> None:
    store.sweeps.archive([keep(store, content) for content in (SECRET, SECRET, "other")])
    one, same, other = hashes(store)
    assert one == same != other


def test_hash_differs_under_another_key(tmp_path: Path) -> None:
    found = set()
    for folder in ("one", "other"):
        with using(tmp_path / folder / "s.db") as store:
            store.sweeps.archive([keep(store, SECRET)])
            found.update(hashes(store))
    assert len(found) == 2


def test_hash_is_the_same_in_the_next_run(path: Path) -> None:
    for _ in range(2):
        with using(path) as store:
            store.sweeps.archive([keep(store, SECRET)])
            found = hashes(store)
    assert found[0] == found[1]


def test_key_is_beside_the_store_for_the_user_only_and_in_no_table(store: Store) -> None:
    keyfile = store.path.with_name("hebb.key")
    keep(store)
    assert not keyfile.exists()
    store.sweeps.archive([1])
    assert stat.S_IMODE(keyfile.stat().st_mode) == 0o600
    assert len(keyfile.read_bytes()) == 32
    stored = store.path.read_bytes() + store.path.with_name("s.db-wal").read_bytes()
    assert keyfile.read_bytes() not in stored
    assert keyfile.read_bytes().hex().encode() not in stored


@pytest.mark.parametrize("raw", [b"", b"short", b"x" * 33])
def test_damaged_key_is_named_and_nothing_is_changed(store: Store, raw: bytes) -> None:
    keep(store)
    store.path.with_name("hebb.key").write_bytes(raw)
    with pytest.raises(StoreError, match=r"hebb\.key is damaged"):
        store.sweeps.erase([1], reason="by hand")
    assert store.memories.get(1).state == "live"


@contextmanager
def full_disk():
    """Let no file grow, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_full_disk_while_the_key_is_made_leaves_no_damaged_key(store: Store) -> None:
    keep(store)
    with full_disk(), pytest.raises(StoreError, match=r"hebb\.key"):
        store.audit.key()
    assert len(store.audit.key()) == 32
    assert store.sweeps.archive([1]) == [1]


def test_processes_that_make_the_key_at_once_have_the_same_one(path: Path) -> None:
    with using(path):
        pass
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    command = [sys.executable, "-c", PROGRAM, str(path)]
    running = [subprocess.Popen(command, **pipes) for _ in range(8)]
    assert [process.stdout.readline() for process in running] == [b"ready\n"] * 8
    for process in running:
        process.stdin.close()
        process.stdin = None
    finished = [process.communicate() for process in running]
    assert [errors for _, errors in finished] == [b""] * 8
    assert len({out for out, _ in finished}) == 1
