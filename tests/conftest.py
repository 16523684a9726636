"""A hebb to call: in this process with a home and a clock of its own, or as a real process."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import hypothesis
import pytest

from hebbctl.cli import app

START = datetime(2026, 1, 1, tzinfo=UTC)
# What a developer's shell may set and a test must choose for itself.
AMBIENT = ("PYTHONUNBUFFERED", "PYTHONIOENCODING", "PYTHONWARNINGS", "TZ", "COLUMNS", "LINES")
AMBIENT += ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "PY_COLORS")

hypothesis.settings.register_profile("hebb", deadline=None, derandomize=True, database=None)
hypothesis.settings.load_profile("hebb")


class Done(NamedTuple):
    """What a run left: its exit code and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[list[str]]:
        """The cells of each line of stdout."""
        return [line.split("\t") for line in self.out.split("\n")[:-1]]


class Hebb:
    """Runs command lines in this process, through the same boundary as the real one."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys = capsys
        self._monkeypatch = monkeypatch

    def __call__(self, *arguments: object, stdin: bytes | str = b"") -> Done:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        code = app.run([str(argument) for argument in arguments])
        return Done(int(code), *self._capsys.readouterr())

    def json(self, *arguments: object, stdin: bytes | str = b"") -> Any:
        """Return what a command that must succeed answers in JSON."""
        done = self("--json", *arguments, stdin=stdin)
        assert done.code == 0, done.err
        return json.loads(done.out)

    def error(self, *arguments: object, stdin: bytes | str = b"") -> dict[str, Any]:
        """Return the failure of a command that must fail and print no result."""
        done = self("--json", *arguments, stdin=stdin)
        assert (done.out, done.err.count("\n")) == ("", 1)
        found: dict[str, Any] = json.loads(done.err)["error"]
        assert found["code"] == done.code != 0
        return found

    def bring(self, *memories: dict[str, Any]) -> None:
        """Store memories with any fields by an import; in a new store their ids are 1, 2, …"""
        lines = "".join(json.dumps(memory) + "\n" for memory in memories)
        assert self.json("import", "-", stdin=lines)["stored"] == len(memories)

    def ids(self, *arguments: object) -> list[int]:
        """Return the ids a command answers with, in its order."""
        found = self.json(*arguments)
        if isinstance(found, dict):
            found = found.get("memories", found.get("changed"))
        return [memory["id"] for memory in found]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of this test's store and settings."""
    for name in os.environ:
        if name.startswith("HEBB_") or name in AMBIENT:
            monkeypatch.delenv(name)
    monkeypatch.setenv("HEBB_HOME", str(tmp_path))
    monkeypatch.setenv("HEBB_NOW", "2026-01-01T00:00:00Z")
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    monkeypatch.setenv("TERM", "xterm-256color")
    return tmp_path


@pytest.fixture
def hebb(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Hebb:
    return Hebb(capsys, monkeypatch)


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[float | str], str]:
    """Moves the clock: to a time, or to days after the first of January 2026. Returns the time."""

    def move(to: float | str) -> str:
        written = to if isinstance(to, str) else day(to)
        monkeypatch.setenv("HEBB_NOW", written)
        return written

    return move


def day(days: float) -> str:
    """Write the time that many days after the first of January 2026, exact to the millisecond."""
    moment = START + timedelta(milliseconds=round(days * 86_400_000))
    precision = "milliseconds" if moment.microsecond else "seconds"
    return moment.isoformat(timespec=precision).replace("+00:00", "Z")


@pytest.fixture(name="day")
def day_fixture() -> Callable[[float], str]:
    return day


@pytest.fixture
def process() -> Callable[..., Done]:
    """Runs ``python -m hebbctl`` for real, with bytes on stdin and variables on top of ours."""

    def run(*arguments: str, stdin: bytes = b"", encoding: str = "utf-8", **variables: str) -> Done:
        done = subprocess.run(
            [sys.executable, "-m", "hebbctl", *arguments],
            input=stdin,
            capture_output=True,
            env={**os.environ, **variables},
        )
        return Done(done.returncode, done.stdout.decode(encoding), done.stderr.decode(encoding))

    return run


@pytest.fixture
def contents(home: Path) -> Callable[[], dict[str, bytes]]:
    """Reads every file of the home, byte for byte."""
    return lambda: {path.name: path.read_bytes() for path in home.iterdir() if path.is_file()}
