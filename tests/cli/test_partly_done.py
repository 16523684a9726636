"""Long work that is ended half way: it says what it did before, and the exit code stays right."""

import json
import signal
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

Action = Callable[[], None]
Strike = Callable[[int, Action], None]


@pytest.fixture
def strike() -> Iterator[Strike]:
    """Does something in this process when a run is about to show its progress for the nth time."""

    def at(number: int, action: Action) -> None:
        seen = []

        def look(frame, event, _) -> None:
            if event == "call" and frame.f_code.co_name == "progress":
                seen.append(frame)
                if len(seen) == number:
                    sys.setprofile(None)
                    action()

        sys.setprofile(look)

    yield at
    sys.setprofile(None)


@pytest.fixture
def lock(home, monkeypatch) -> Iterator[Action]:
    monkeypatch.setenv("HEBB_BUSY_TIMEOUT", "0")
    held = []

    def hold() -> None:
        held.append(sqlite3.connect(home / "hebb.db", isolation_level=None))
        held[0].execute("BEGIN IMMEDIATE")

    yield hold
    for db in held:
        db.close()


def interrupt() -> None:
    signal.raise_signal(signal.SIGINT)


@pytest.fixture
def faded(hebb) -> None:
    old = {"created_at": "2020-01-01", "tags": ["x"]}
    hebb.bring(*({"content": f"note {number}", **old} for number in range(1100)))


@pytest.mark.usefixtures("faded")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("gc",), "after 2 of 3 batches: 1,000 archived under sweep 1"),
        (("gc", "--purge", "--yes"), "after 2 of 3 batches: 1,000 erased under sweep 1; the next"),
    ],
)
def test_sweep_that_meets_a_lock_says_what_it_swept(hebb, strike, lock, words, said) -> None:
    strike(2, lock)
    error = hebb.error(*words)
    assert (error["code"], error["kind"]) == (5, "store")
    assert said in error["message"]


@pytest.mark.usefixtures("faded")
@pytest.mark.parametrize("as_json", [False, True])
def test_interrupted_sweep_says_what_it_swept(hebb, strike, as_json) -> None:
    strike(2, interrupt)
    done = hebb(*["--json"] * as_json, "gc", "--quiet")
    said = "interrupted after 2 of 3 batches: 1,000 archived under sweep 1"
    assert (done.code, done.out) == (130, "")
    if as_json:
        error = json.loads(done.err)["error"]
        assert (error["code"], error["kind"], error["message"]) == (130, "interrupted", said)
    else:
        assert done.err == f"hebb: {said}\n"
    assert hebb.json("gc")["archived"] == 100


@pytest.mark.usefixtures("faded")
def test_forget_that_is_ended_says_what_it_erased(hebb, home) -> None:
    with closing(sqlite3.connect(home / "hebb.db", isolation_level=None)) as db:
        db.execute(
            """
            CREATE TRIGGER refuse BEFORE DELETE ON memory WHEN OLD.id = 601
            BEGIN SELECT RAISE(ABORT, 'refused'); END
            """
        )
    error = hebb.error("forget", "--tag", "x", "--yes")
    assert error["code"] == 5
    assert "after 1 of 3 batches: 500 erased" in error["message"]
    assert hebb.json("stats")["total"] == 600


LINES = "".join(json.dumps({"content": f"note {number}"}) + "\n" for number in range(11_000))


@pytest.mark.parametrize("strict", [False, True])
def test_import_that_meets_a_lock_says_what_is_stored(hebb, strike, lock, strict) -> None:
    hebb("add", "one")
    strike(2, lock if not strict else interrupt)
    done = hebb("import", "-", *["--strict"] * strict, stdin=LINES)
    said = "after 10,000 lines: 10,000 stored"
    assert (done.code, said in done.err) == ((130, False) if strict else (5, True))
    assert hebb.json("stats")["total"] == (1 if strict else 10_001)


def test_interrupted_import_says_what_is_stored_and_is_begun_again(hebb, strike) -> None:
    strike(1, interrupt)
    done = hebb("import", "-", stdin=LINES)
    assert (done.code, done.err) == (130, "hebb: interrupted after 5,000 lines: 5,000 stored\n")
    assert hebb.json("import", "-", stdin=LINES)["stored"] == 6000


def test_work_that_is_ended_before_it_did_anything_says_nothing_of_it(hebb, lock) -> None:
    hebb("add", "one")
    lock()
    assert "after" not in hebb.error("import", "-", stdin=LINES)["message"]


@pytest.mark.usefixtures("faded")
def test_sweep_that_is_ended_in_its_first_batch_leaves_no_number(hebb, home) -> None:
    with closing(sqlite3.connect(home / "hebb.db", isolation_level=None)) as db:
        db.execute(
            """
            CREATE TRIGGER refuse BEFORE UPDATE ON memory WHEN OLD.id = 1
            BEGIN SELECT RAISE(ABORT, 'refused'); END
            """
        )
        assert hebb("gc").code == 5
        assert db.execute("SELECT count(*) FROM sweep").fetchone() == (0,)
        db.execute("DROP TRIGGER refuse")
    assert hebb.json("gc")["sweep"] == 1
