"""What erasing owes to the copies of a store: noted with it, paid by whichever run can."""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from hebbctl.store.connection import Database

RUN = "copies_pending "  # begins the row of state of each run that has not reached every copy
LEFT = "copies_left"  # the row of state that names the copies to return to


class Owed(NamedTuple):
    """The runs that have not come to the copies, with their marks; the copies that were missed."""

    runs: dict[str, str]
    copies: tuple[Path, ...]


def owed(state: dict[str, str]) -> Owed:
    runs = {name: mark for name, mark in state.items() if name.startswith(RUN)}
    return Owed(runs, tuple(map(Path, json.loads(state.get(LEFT, "[]")))))


def note_run(database: Database, run: str, mark: str) -> None:
    """Note, inside the caller's transaction, that a run has erased and is to come to the copies."""
    database.run(
        """
        INSERT INTO state VALUES (:run, :mark)
        ON CONFLICT DO UPDATE SET value = excluded.value
        """,
        run=RUN + run,
        mark=mark,
    )


def settle(database: Database, runs: dict[str, str], copies: Iterable[Path], *, wait: bool) -> None:
    """Take back the notes of runs, unless they erased more since, and name what was missed."""
    with database.writing(wait=wait):
        database.run(
            """
            DELETE FROM state
            WHERE (name, value) IN (SELECT key, value FROM json_each(:runs))
            """,
            runs=json.dumps(runs),
        )
        database.run("DELETE FROM state WHERE name = :name", name=LEFT)
        if missed := sorted(map(os.fspath, copies)):
            database.run(
                "INSERT INTO state VALUES (:name, :paths)", name=LEFT, paths=json.dumps(missed)
            )


def is_running(mark: str) -> bool:
    """Say whether the process whose number begins a mark still runs, and is not this one."""
    number = mark.partition("-")[0]
    return number.isdecimal() and int(number) != os.getpid() and runs(int(number))


def runs(number: int) -> bool:
    """Say whether a process still runs."""
    try:
        os.kill(number, 0)
    except PermissionError:
        return True
    except (ProcessLookupError, OverflowError):
        return False
    return True
