"""hebb schedule: one scheduler for each store, ended by signals, and lines that cron can run."""

import json
import os
import select
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hebbctl import standby

HEBB = [sys.executable, "-m", "hebbctl"]
OLD = {"created_at": "2020-01-01T00:00:00Z"}


@contextmanager
def scheduler(*words: str) -> Iterator["subprocess.Popen[str]"]:
    """Start a real scheduler, and go on when it runs."""
    command = [*HEBB, "schedule", "run", *words]
    process = subprocess.Popen(command, stdout=-1, stderr=-1, stdin=-3, text=True)
    try:
        assert process.stderr.readline().startswith("sweeping ")
        yield process
    finally:
        process.kill()
        process.communicate()


def test_once_sweeps_and_ends_with_one_line(hebb) -> None:
    hebb.bring({"content": "old", **OLD})
    once = ("schedule", "run", "--once")
    assert hebb(*once) == (0, "2026-01-01T00:00:00Z sweep 1: 1 archived, 0 erased\n", "")
    assert hebb(*once) == (0, "", "")
    hebb.bring({"content": "another", **OLD})
    assert hebb(*once, "--quiet") == (0, "", "")
    assert hebb.json("stats")["sweeps"] == 2


def test_once_as_json_is_the_report_of_the_sweep(hebb) -> None:
    hebb.bring({"content": "old", **OLD})
    found = hebb.json("schedule", "run", "--once")
    assert (found["command"], found["done_at"]) == ("gc", "2026-01-01T00:00:00Z")
    assert (found["sweep"], found["archived"], found["memories"][0]["content"]) == (1, 1, "old")
    assert hebb.json("schedule", "run", "--once")["sweep"] is None


@pytest.mark.parametrize(
    ("settings", "code"), [("{", 6), ('{"forget_interval_seconds": 0}', 6)], ids=["torn", "range"]
)
def test_broken_settings_at_the_start_are_one_line(hebb, home, settings, code) -> None:
    (home / "hebb.json").write_text(settings)
    assert hebb.error("schedule", "run")["code"] == code
    assert hebb.error("schedule", "run", "--once")["code"] == code
    assert [path.name for path in home.iterdir()] == ["hebb.json"]


def test_once_on_a_damaged_store_fails_as_gc_does(hebb, home) -> None:
    (home / "hebb.db").write_bytes(b"no store at all" * 100)
    assert hebb.error("schedule", "run", "--once") == hebb.error("gc")


def test_now_is_refused_as_for_every_change(hebb, home) -> None:
    assert hebb.error("schedule", "run", "--now", "30d")["code"] == 2
    assert list(home.iterdir()) == []


def test_place_that_cannot_hold_a_lock_is_named(hebb, home) -> None:
    (home / "file").write_text("")
    error = hebb.error("schedule", "run", "--db", home / "file" / "hebb.db")
    assert (error["code"], str(home / "file") in error["message"]) == (5, True)
    (home / "hebb.db.schedule").symlink_to(home / "file")
    assert hebb.error("schedule", "run")["code"] == 5
    assert (home / "file").read_text() == ""


def test_lock_is_the_users_alone_and_a_second_scheduler_steps_aside(hebb, home) -> None:
    hebb.bring({"content": "old", **OLD})
    with standby.alone(home / "hebb.db"):
        assert (home / "hebb.db.schedule").stat().st_mode & 0o777 == 0o600
        for words in (["--once"], []):
            done = hebb("schedule", "run", *words)
            assert done == (0, f"already running, pid {os.getpid()}\n", "")
        assert hebb("schedule", "run", "--quiet") == (0, "", "")
        found = hebb.json("schedule", "run")
        assert found == {"schema": 1, "already_running": os.getpid()}
        assert hebb.json("stats")["by_state"]["live"] == 1
        assert hebb.json("schedule", "run", "--once", "--db", home / "other.db")["archived"] == 0
    assert hebb.json("schedule", "run", "--once")["archived"] == 1


def test_store_behind_a_link_has_one_scheduler(hebb, home) -> None:
    hebb("add", "x")
    (home / "link.db").symlink_to(home / "hebb.db")
    with standby.alone(home / "hebb.db"):
        assert "already running" in hebb("schedule", "run", "--db", home / "link.db").out


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)], ids=["TERM", "INT"]
)
def test_signal_ends_a_waiting_scheduler_at_once_and_quietly(hebb, number, code) -> None:
    hebb.bring({"content": "old", **OLD})
    with scheduler() as process:
        assert process.stdout.readline().endswith(" sweep 1: 1 archived, 0 erased\n")
        process.send_signal(number)
        assert process.communicate(timeout=30) == ("", "")
    assert process.returncode == code
    assert hebb.json("doctor")["ok"]


def test_signal_just_before_the_system_call_that_sleeps_is_not_lost(monkeypatch) -> None:
    asleep = select.select

    def late(*arguments: object) -> object:
        signal.raise_signal(signal.SIGUSR1)
        return asleep(*arguments)

    monkeypatch.setattr(select, "select", late)
    received: list[int] = []
    before = signal.signal(signal.SIGUSR1, lambda number, frame: received.append(number))
    began = time.monotonic()
    try:
        standby.wait(20)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert received == [signal.SIGUSR1]
    assert time.monotonic() - began < 10


def test_second_process_steps_aside_until_the_first_is_killed(hebb, process) -> None:
    hebb.bring({"content": "old", **OLD})
    with scheduler() as first:
        first.stdout.readline()
        second = process("schedule", "run")
        assert second == (0, f"already running, pid {first.pid}\n", "")
        first.kill()
        first.wait()
        hebb.bring({"content": "another", **OLD})
        with scheduler() as third:
            assert third.stdout.readline().endswith(" sweep 2: 1 archived, 0 erased\n")
            assert process("schedule", "run").out == f"already running, pid {third.pid}\n"


def test_scheduler_sweeps_again_when_the_interval_is_over(hebb, home, monkeypatch) -> None:
    monkeypatch.delenv("HEBB_NOW")
    (home / "hebb.json").write_text('{"forget_interval_seconds": 0.1}')  # a second, at least
    hebb.bring({"content": "old", **OLD})
    with scheduler("--json") as process:
        assert json.loads(process.stdout.readline())["sweep"] == 1
        hebb.bring({"content": "another", **OLD})
        sweeps = iter(lambda: json.loads(process.stdout.readline())["sweep"], 2)
        assert len(list(sweeps)) < 60


def test_reader_that_goes_away_ends_it_quietly(hebb) -> None:
    hebb.bring({"content": "old", **OLD})
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {shlex.join(HEBB)} schedule run -q --json | true"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def cron(home: Path, line: str, shell: str = "sh") -> "subprocess.CompletedProcess[str]":
    """Run a line of a crontab as cron does: its own folder, hardly any environment."""
    *_, command = line.split(" ", 5)
    environment = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LOGNAME": "me", "SHELL": shell}
    environment |= {"HEBB_NOW": os.environ["HEBB_NOW"]}
    return subprocess.run(
        [shell, "-c", command.replace(r"\%", "%")],
        cwd="/",
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )


def test_line_for_cron_sweeps_this_store_and_prints_nothing(hebb, home, tmp_path, monkeypatch):
    odd = tmp_path / "it's 100% \\ $HOME"
    monkeypatch.setenv("HEBB_HOME", str(odd))
    hebb.bring({"content": "old", **OLD})
    hebb("config", "set", "archive_days", "5")
    printed = hebb("schedule", "cron")
    [line] = printed.out.splitlines()
    assert line.startswith("*/30 * * * * HEBB_ACTOR=cron /")
    done = cron(tmp_path, line)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert hebb.json("stats")["by_state"]["archived"] == 1
    assert [entry["actor"] for entry in hebb.json("audit", "--action", "archive")] == ["cron"]
    assert "would drop the lines you have" in printed.err


def test_overlapping_runs_of_cron_all_end_well(hebb, tmp_path) -> None:
    hebb.bring(*({"content": f"old {number}", **OLD} for number in range(300)))
    [line] = hebb("schedule", "cron").out.splitlines()
    command = line.split(" ", 5)[5]
    done = subprocess.run(
        ["bash", "-c", f"({command} & {command}; code=$?; wait $!; exit $((code + $?)))"],
        cwd="/",
        capture_output=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert hebb.json("stats")["by_state"]["archived"] == 300


def test_printing_a_schedule_writes_nothing(hebb, home) -> None:
    assert hebb("schedule", "cron", "--quiet").err == ""
    assert hebb("schedule", "systemd", "--quiet").err == ""
    assert list(home.iterdir()) == []


def test_store_and_settings_that_are_named_are_in_the_lines(hebb, home, monkeypatch) -> None:
    monkeypatch.chdir(home)
    words = ["--db", "notes.db", "--config", "own.json"]
    named = f"gc --db {home}/notes.db --config {home}/own.json"
    assert hebb("schedule", "cron", *words).out.endswith(f" --quiet {named}\n")
    service = hebb("schedule", "systemd", *words).out.partition("\n\n# ")[0]
    assert service.endswith(named)


def test_project_of_the_working_directory_is_named(hebb, home, monkeypatch) -> None:
    monkeypatch.delenv("HEBB_HOME")
    monkeypatch.setenv("HOME", str(home))
    (home / "project").mkdir()
    hebb("init", home / "project")
    monkeypatch.chdir(home / "project")
    folder = home / "project" / ".hebb"
    [line] = hebb("schedule", "cron").out.splitlines()
    assert line.endswith(f"gc --db {folder}/hebb.db --config {folder}/hebb.json")


def test_schedule_as_json_is_its_lines_or_its_files(hebb) -> None:
    found = hebb.json("schedule", "cron")
    assert (list(found), found["lines"]) == (
        ["schema", "lines", "notes"],
        hebb("schedule", "cron").out.splitlines(),
    )
    found = hebb.json("schedule", "systemd")
    assert [Path(file["path"]).name for file in found["files"]] == [
        "hebb-gc.service",
        "hebb-gc.timer",
    ]
    assert found["files"][1]["text"] in hebb("schedule", "systemd").out


def test_path_that_no_line_can_hold_is_one_line_of_error(hebb, home) -> None:
    for what in ("cron", "systemd"):
        error = hebb.error("schedule", what, "--db", home / "a\nb.db")
        assert (error["code"], "cannot stand in a schedule" in error["message"]) == (2, True)
