"""A change of a setting, killed after every call that it makes from its note on."""

import fcntl
import json
import os
import signal
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from hebbctl.cli import app

CHANGES = [
    ("config", "set", "half_life_days", "90"),
    ("policy", "clear", "mem_notes"),
]


def killed_at(number: int, words: tuple[str, ...]) -> bool:
    """Run a command in a child that kills itself after its nth call into C.

    Returns whether it came to that.
    """
    child = os.fork()
    if not child:
        sys.setprofile(striking(number))
        os._exit(app.run(list(words)))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def striking(number: int):
    seen = begun = 0

    def look(frame, event, called) -> None:
        nonlocal seen, begun
        begun = begun or frame.f_code.co_name == "setting"
        if begun and event == "c_return" and called.__name__ in CALLS:
            seen += 1
            if seen == number:
                os.kill(os.getpid(), signal.SIGKILL)

    return look


# What can change a file.
CALLS = {"open", "write", "flush", "fsync", "close", "replace", "rename", "unlink", "execute"}


@pytest.mark.parametrize("words", CHANGES, ids=[" ".join(one[:2]) for one in CHANGES])
def test_setting_is_changed_and_in_the_audit_or_neither_wherever_it_is_killed(
    hebb, home, words
) -> None:
    hebb("add", "one")
    hebb("config", "set", "k_access", "2")
    hebb("policy", "set", "mem_notes", "--threshold", "0.4")
    before = {one: one.read_bytes() for one in home.iterdir()}
    old = json.loads((home / "hebb.json").read_text())
    rows = len(hebb.json("audit"))
    number, outcomes = 1, set()
    while killed_at(number, words):
        new = json.loads((home / "hebb.json").read_text())
        hebb("add", "of today")
        assert len(hebb.json("audit")) - rows == (new != old), number
        outcomes.add(new != old)
        for one in home.iterdir():
            one.unlink()
        for one, content in before.items():
            one.write_bytes(content)
        number += 1
    assert outcomes == {False, True}


def test_change_that_a_running_process_is_just_making_is_left_to_it(hebb, home) -> None:
    hebb("add", "one")
    hebb("config", "set", "k_access", "2")
    note = {"file": str(home / "hebb.json"), "digest": 0, "at": 1, "actor": "cli", "change": "x"}
    with closing(sqlite3.connect(home / "hebb.db")) as db, db:
        db.execute("INSERT INTO state VALUES ('setting_pending', ?)", [json.dumps(note)])
    with (home / "hebb.json.lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        hebb("add", "two")
        assert pending(home) == 1
    hebb("add", "three")
    assert pending(home) == 0
    assert len(hebb.json("audit")) == 1


def pending(home: Path) -> int:
    with closing(sqlite3.connect(home / "hebb.db")) as db:
        statement = "SELECT count(*) FROM state WHERE name = 'setting_pending'"
        return db.execute(statement).fetchone()[0]
