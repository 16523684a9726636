"""A user's program as the embedder: JSON lines in, JSON lines out, no shell between."""

import json
import os
import select
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from tempfile import TemporaryFile
from threading import Thread
from typing import IO, Any

from hebbctl.errors import EmbedderError
from hebbctl.setting import NONE

MOST_BYTES = 2_000_000  # of the answer to one text; 65,536 numbers take 1.5 MB
LONGEST_WAIT_SECONDS = 600
AT_ONCE = 65_536  # bytes


class Command:
    """Runs once for each batch: {"text": …} a line on its stdin, {"vector": […]} a line back."""

    batch = 256

    def __init__(self, line: str, model: str, seconds: float) -> None:
        self._line = line
        self._seconds = seconds
        self.name = f"command {model or line}"

    def obstacle(self) -> EmbedderError | None:
        if self._line == NONE:
            return EmbedderError(
                "embedder is command, but no embed_command is set",
                hint="hebb config set embed_command 'PROGRAM ARGUMENTS'",
            )
        try:
            words = shlex.split(self._line)
        except ValueError as error:
            return EmbedderError(f"embed_command {self._line!r} cannot be read: {error}")
        if not words or shutil.which(words[0]) is None:
            return EmbedderError(
                f"there is no program {words[0] if words else self._line!r}",
                hint="hebb config set embed_command 'PROGRAM ARGUMENTS'",
            )
        return None

    def encode(self, texts: Sequence[str]) -> list[Any]:
        given = "".join(json.dumps({"text": text}) + "\n" for text in texts)
        seconds = min(self._seconds * len(texts), LONGEST_WAIT_SECONDS)
        answer = _answer(self._line, given.encode(), seconds, MOST_BYTES * len(texts))
        lines = [line for line in answer.split(b"\n") if line.strip()]
        return [_vector(number, line) for number, line in enumerate(lines, start=1)]


def _vector(number: int, line: bytes) -> Any:
    try:
        return json.loads(line)["vector"]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise EmbedderError(
            f'line {number} of what embed_command answered is no {{"vector": [...]}}',
            hint="it must print one such line for each line it reads, and nothing else",
        ) from error


def _answer(line: str, given: bytes, seconds: float, most_bytes: int) -> bytes:
    """Return what the program prints; it and its children are gone when this returns."""
    deadline = time.monotonic() + seconds
    with TemporaryFile() as complaints:
        try:
            program = subprocess.Popen(
                shlex.split(line),
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints,
                start_new_session=True,  # so that its children can be ended with it
            )
        except OSError as error:
            raise EmbedderError(f"cannot run embed_command: {error.strerror}") from error
        assert program.stdin is not None
        assert program.stdout is not None
        # Beside the reading: a program that answers while it reads must not wait for itself.
        Thread(target=_feed, args=(program.stdin, given), daemon=True).start()
        try:
            answer = _read(program.stdout, deadline, seconds, most_bytes)
            code = program.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired as error:
            raise _too_slow(seconds) from error
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(program.pid, signal.SIGKILL)
            program.wait()
            program.stdout.close()
        if code:
            raise EmbedderError(f"embed_command ended with {code}{_last_line(complaints)}")
    return answer


def _feed(stdin: IO[bytes], given: bytes) -> None:
    with suppress(OSError):  # it may end without reading all
        sent = 0
        while sent < len(given):
            sent += stdin.write(given[sent : sent + AT_ONCE]) or 0
    with suppress(OSError):
        stdin.close()


def _read(stdout: IO[bytes], deadline: float, seconds: float, most_bytes: int) -> bytes:
    answer = bytearray()
    while True:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([stdout], [], [], left)[0]:
            raise _too_slow(seconds)
        part = os.read(stdout.fileno(), AT_ONCE)
        if not part:
            return bytes(answer)
        answer += part
        if len(answer) > most_bytes:
            raise EmbedderError(f"embed_command answered more than {most_bytes} bytes")


def _too_slow(seconds: float) -> EmbedderError:
    return EmbedderError(
        f"embed_command took longer than {seconds:g} s",
        hint="hebb config set embed_timeout_seconds N gives each text more",
    )


def _last_line(complaints: IO[bytes]) -> str:
    """Return the last line a program wrote to its stderr, after a colon, if it wrote any."""
    complaints.seek(0, os.SEEK_END)
    complaints.seek(max(0, complaints.tell() - 500))
    lines = complaints.read().decode(errors="replace").strip().splitlines()
    return f": {lines[-1]}" if lines else ""
