"""What hebb promises of every run, whatever it was given: judged by what it left."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from lines import Line

CODES = {*range(8), 130, 143}
TRACEBACK, CODE, JSON = "tracebacks", "exit codes outside", "broken JSON"
SILENT, WROTE, UNSOUND = "failures without a word", "readers that wrote", "unsound stores"
JUDGED = (TRACEBACK, CODE, JSON, SILENT, WROTE, UNSOUND)

Files = dict[Path, bytes]


class Done(NamedTuple):
    """What a run left. ``raised`` is what came through the boundary, a stack trace."""

    code: int | None
    out: bytes | None  # None where nobody could read it
    err: str
    raised: str = ""


class Find(NamedTuple):
    """A broken promise: which kind, and what was seen."""

    kind: str
    seen: str


def judged(line: Line, done: Done, *, before: Files, after: Files) -> Find | None:
    """Return the first promise that a run broke."""
    if done.raised:
        return Find(TRACEBACK, done.raised.rstrip().rpartition("\n")[2])
    if done.code not in CODES:
        return Find(CODE, str(done.code))
    if "internal error" in done.err or "Traceback" in done.err:
        return Find(TRACEBACK, told(done.err)[:200])
    if found := said_badly(line, done) or answered_badly(line, done):
        return found
    if line.reads and before != after:
        names = {path.name for path in {*before, *after} if before.get(path) != after.get(path)}
        return Find(WROTE, f"{line.command}: {', '.join(sorted(names))}")
    return None


def told(err: str) -> str:
    return next((one for one in err.split("\n") if "internal error" in one), "")


def said_badly(line: Line, done: Done) -> Find | None:
    """Judge what a failure left on stderr."""
    if done.code in (0, 130, 143):
        return None
    # Where somebody answers a question, the Enter that ends its line is not among what we read.
    rows = [one.rpartition(" [y/N] ")[2] for one in done.err.split("\n")[:-1]]
    plain = any(one.startswith("hebb: ") for one in rows)
    if not line.sure:
        kept = plain or (bool(rows) and error_code(rows[-1]) == done.code)
        return None if kept else Find(SILENT, done.err[:200])
    if not line.as_json:
        return None if plain else Find(SILENT, done.err[:200])
    if len(rows) != 1 or error_code(rows[0]) != done.code:
        return Find(JSON, f"stderr: {done.err[:200]!r}")
    return None


def error_code(written: str) -> Any:
    try:
        return strict(written)["error"]["code"]
    except (ValueError, TypeError, KeyError):
        return None


def answered_badly(line: Line, done: Done) -> Find | None:
    """Judge what stands on stdout under --json: one value or nothing; of export, one a line."""
    asks_for_text = {"--help", "--version"} & set(line.words)
    if not (line.sure and line.as_json and done.out) or asks_for_text:
        return None
    encoding = "utf-8" if line.stdout in ("utf-8", "terminal") else line.stdout
    try:
        rows = done.out.decode(encoding).split("\n")[:-1]
        for row in rows:
            strict(row)
    except ValueError as error:
        return Find(JSON, f"stdout: {error}"[:200])
    if len(rows) != 1 and line.command != "export":
        return Find(JSON, f"stdout: {len(rows)} lines")
    return None


def strict(written: str) -> Any:
    return json.loads(written, parse_constant=refused)


def refused(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")
