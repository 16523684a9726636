"""Streams and signals in real processes: closed pipes, full disks, closed descriptors, Ctrl-C."""

import json
import os
import signal
import sqlite3
import subprocess
import sys

import pytest

HEBB = [sys.executable, "-m", "hebbctl"]
needs_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
NUMBERS = [(signal.SIGINT, 130), (signal.SIGTERM, 143)]


@pytest.fixture
def many(hebb) -> None:
    """More than a pipe holds (64 KiB)."""
    hebb.bring(*({"content": f"note {number} " + "x" * 400} for number in range(400)))


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "words",
    [
        *(["list"], ["list", "--json"], ["export"], ["recall", "note"], ["--help"]),
        *(["list", "--color"], ["curve", "--color"]),
    ],
)
def test_pipe_closed_before_it_is_read_ends_quietly_with_0(words, unbuffered) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*HEBB, *words],
        stdin=subprocess.DEVNULL,
        stdout=writing,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )
    os.close(writing)
    assert (done.returncode, done.stderr.replace(b"400 exported\n", b"")) == (0, b"")


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", [["list"], ["export"], ["list", "--json"]])
def test_pipe_closed_half_way_ends_quietly_and_leaves_no_lock(hebb, words, unbuffered) -> None:
    process = subprocess.Popen(
        [*HEBB, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    with process.stderr:
        assert (process.stderr.read(), process.wait()) == (b"", 0)
    assert hebb("add", "free").code == 0


@needs_full
@pytest.mark.parametrize("words", [["--help"], ["list"], ["list", "--json"], ["export"], ["stats"]])
def test_full_disk_under_stdout_is_one_line_and_1(hebb, words) -> None:
    hebb("add", "x")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*HEBB, *words], stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE
        )
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)
    assert done.stderr.startswith(b'{"error": ' if "--json" in words else b"hebb: ")


@needs_full
def test_full_disk_under_stderr_changes_no_exit_code(hebb) -> None:
    hebb("add", "x")
    with open("/dev/full", "wb") as full:
        for words, code in ((["show", "9"], 3), (["list"], 0), (["recal"], 2)):
            assert subprocess.run([*HEBB, *words], stdout=-1, stderr=full).returncode == code


@pytest.mark.parametrize(
    ("closed", "line", "code"),
    [
        ("<&-", "list", 0),
        ("<&-", "add -", 2),  # nothing came: nothing to remember
        ("<&-", "import -", 0),
        ("<&-", "forget 1 2", 4),  # nobody there to ask
        (">&-", "list", 0),
        (">&-", "show 9", 3),
        ("2>&-", "show 9", 3),
        ("2>&-", "list", 0),
        ("<&- >&- 2>&-", "recall x", 0),
    ],
)
def test_closed_descriptor_is_no_failure_of_its_own(hebb, closed, line, code) -> None:
    hebb.bring({"content": "x"}, {"content": "y"})
    shell = f'exec "{sys.executable}" -m hebbctl {line} {closed}'
    done = subprocess.run(["sh", "-c", shell], capture_output=True)
    assert done.returncode == code
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr
    assert hebb.ids("list") == [2, 1]


@pytest.mark.parametrize(("number", "code"), NUMBERS)
@pytest.mark.parametrize("words", [["recall", "x"], ["gc", "--json"]])
def test_signal_ends_quietly_with_its_code(hebb, home, words, number, code) -> None:
    hebb("add", "x")
    os.mkfifo(home / "hebb.json")  # hebb waits in it until a writer comes and goes
    process = subprocess.Popen([*HEBB, *words], stdout=-1, stderr=subprocess.PIPE)
    with open(home / "hebb.json", "w"):
        process.send_signal(number)
    assert process.communicate() == (b"", b"")
    assert process.returncode == code


@pytest.mark.parametrize(("number", "code"), NUMBERS)
def test_signal_while_sqlite_calls_a_function_is_no_store_error(hebb, number, code) -> None:
    hebb("add", "x")
    program = (
        "import math, signal, sys; from hebbctl.cli.app import main;"
        f"math.exp = lambda _: signal.raise_signal({int(number)});"
        "sys.exit(main(['recall']))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (code, b"", b"")


def test_ignored_interrupt_stays_ignored(home) -> None:
    os.mkfifo(home / "hebb.json")
    shell = f'trap "" INT; exec "{sys.executable}" -m hebbctl recall x'
    process = subprocess.Popen(["sh", "-c", shell], stdout=-1, stderr=-1)
    with open(home / "hebb.json", "w") as settings:
        process.send_signal(signal.SIGINT)
        settings.write("{}")
    assert process.communicate() == (b"", b"")
    assert process.returncode == 0


def test_interrupted_write_leaves_a_store_without_it(hebb, home) -> None:
    hebb("add", "x")
    feed = subprocess.Popen(
        [*HEBB, "import", "--strict", "-"], stdin=-1, stdout=-1, stderr=subprocess.PIPE
    )
    assert feed.stdin is not None
    feed.stdin.write(b'{"content": "y"}\n' * 5000)  # more than a pipe holds: hebb reads
    feed.stdin.flush()
    feed.send_signal(signal.SIGTERM)
    assert feed.communicate() == (b"", b"")
    assert feed.returncode == 143
    assert hebb.ids("list") == [1]


def test_recall_neither_waits_nor_fails_beside_a_writer(hebb, home) -> None:
    hebb("add", "x")
    writer = sqlite3.connect(home / "hebb.db", isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    done = hebb("recall", "--verbose")
    silent = hebb("recall")
    writer.close()
    assert (done.code, done.out.count("\n")) == (0, 1)
    assert done.err.startswith("not strengthened: ")
    assert silent.err == ""


def test_environment_of_cron_is_enough(hebb, home) -> None:
    hebb("add", "x")
    done = subprocess.run(
        [*HEBB, "gc", "--threshold", "0.1", "--quiet"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        cwd="/",
        env={"PATH": "/usr/bin:/bin", "HEBB_HOME": str(home)},
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_process_reads_bytes_and_writes_utf8(process) -> None:
    assert process("add", "-", stdin="记忆\n".encode()).out == "1\n"
    done = process("list", "--json")
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out)[0]["content"] == "记忆"


def test_interrupt_inside_a_callback_is_delivered_once_more(home) -> None:
    program = """\
import gc, os, signal, sys, weakref
from hebbctl.cli import app
class Thing: pass
thing = Thing()
kept = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGINT))
def dispatch(arguments, shell):
    global thing
    del thing
    signal.pause()
app._dispatch = dispatch
sys.exit(app.main(["list"]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=30)
    assert (done.returncode, done.stderr) == (130, b"")
