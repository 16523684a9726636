"""A user's program: given lines, it answers with lines, and cannot harm whoever asked it."""

import os
import selectors
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO, NamedTuple

MOST_BYTES, MOST_BYTES_A_LINE = 1_000_000, 65_536  # of an answer: so much, and for each line given
CHUNK = 65_536  # bytes
LAST_WORDS = 2_000  # bytes of what it says on stderr


class Answer(NamedTuple):
    """What a program printed, line by line, and what went wrong; what it printed before counts."""

    lines: list[bytes]
    failure: str | None


def asked(command: str, lines: Sequence[bytes], *, timeout_seconds: float) -> Answer:
    """Run a program without a shell, with lines on its stdin. It never raises.

    A program that takes too long, or says too much, is ended with all it started.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        return Answer([], f"it cannot be read: {error}")
    try:
        process = _started(words)
    except (OSError, ValueError, IndexError) as error:
        return Answer([], f"it cannot be started: {getattr(error, 'strerror', None) or error}")
    most = MOST_BYTES + MOST_BYTES_A_LINE * len(lines)
    talk = _Talk(process, b"".join(line + b"\n" for line in lines), most)
    try:
        failure = talk.through(time.monotonic() + timeout_seconds, timeout_seconds)
    finally:
        _end(process)
    return Answer(bytes(talk.said).splitlines(), failure or _ended_badly(process, talk.last_words))


def _started(words: list[str]) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    # A session of its own: whatever it starts can be ended with it, and Ctrl-C is ours alone.
    return subprocess.Popen(
        words, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
    )


class _Talk:
    """Writes and reads as the program is ready for it, so that neither waits for the other."""

    def __init__(self, process: subprocess.Popen[bytes], given: bytes, most: int) -> None:
        self._process = process
        self._left = memoryview(given)
        self._most = most
        self._selector = selectors.DefaultSelector()
        self.said = bytearray()
        self.last_words = bytearray()

    def through(self, deadline: float, seconds: float) -> str | None:
        """Talk until the program is done. Returns what went wrong, if anything."""
        with self._selector:
            self._watch(self._process.stdin, selectors.EVENT_WRITE, self._write)
            self._watch(self._process.stdout, selectors.EVENT_READ, self._hear)
            self._watch(self._process.stderr, selectors.EVENT_READ, self._listen)
            while self._selector.get_map():
                ready = self._selector.select(max(0.0, deadline - time.monotonic()))
                if not ready or time.monotonic() >= deadline:
                    return f"it took longer than {seconds:g} s"
                for key, _ in ready:
                    if not key.data(key.fileobj):
                        self._selector.unregister(key.fileobj)
                        key.fileobj.close()  # type: ignore[union-attr]
                if len(self.said) > self._most:
                    return f"it said more than {self._most:,} bytes"
        try:
            self._process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            return f"it took longer than {seconds:g} s"
        return None

    def _watch(
        self, pipe: IO[bytes] | None, event: int, serve: Callable[[IO[bytes]], bool]
    ) -> None:
        assert pipe is not None
        os.set_blocking(pipe.fileno(), False)
        self._selector.register(pipe, event, serve)

    def _write(self, pipe: IO[bytes]) -> bool:
        """Write what it takes. Returns whether anything is left; a closed pipe wants no more."""
        if not self._left:
            return False
        try:
            self._left = self._left[os.write(pipe.fileno(), self._left[:CHUNK]) :]
        except BrokenPipeError:
            return False
        return bool(self._left)

    def _hear(self, pipe: IO[bytes]) -> bool:
        heard = os.read(pipe.fileno(), CHUNK)
        self.said += heard
        return bool(heard)

    def _listen(self, pipe: IO[bytes]) -> bool:
        heard = os.read(pipe.fileno(), CHUNK)
        self.last_words = (self.last_words + heard)[-LAST_WORDS:]
        return bool(heard)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End it, if it is still there, and whatever it has left running."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def _ended_badly(process: subprocess.Popen[bytes], last_words: bytearray) -> str | None:
    if not process.returncode:
        return None
    lines = last_words.decode("utf-8", "replace").split("\n")
    said = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return f"it ended with {process.returncode}" + (f": {said}" if said else "")
