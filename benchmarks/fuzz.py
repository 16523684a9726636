"""Run hebb on command lines, input and files that nobody expects, and judge each answer."""

import argparse
import contextlib
import io
import json
import os
import shlex
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from judges import JUDGED, UNSOUND, Done, Files, Find, judged
from lines import Line, Lines

from hebbctl.cli import app
from hebbctl.times import DAY, format_time, parse_time

EPISODE = 500  # commands on one store, which is then examined
PATIENCE = 60  # seconds that no command on so small a store should take
START = parse_time("2026-01-01T00:00:00Z")
MORE: list[dict[str, Any]] = [
    *({}, {"pinned": True}, {"archived_at": "2026-01-01"}, {"trusted": False}),
    *({"partition": "mem_hippocampus", "tags": ["work"]}, {"session": "home", "access_count": 9}),
]
NOTES = "".join(
    json.dumps({"content": f"note {number} on tabs 部署", "uid": f"u-{number}", **more}) + "\n"
    for number, more in enumerate(MORE * 4)
).encode()


class World:
    """A folder with a home, a working directory and odd files, in which a clock moves."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.here = folder / "here"
        self.store = folder / "home" / "hebb.db"
        self.settings = folder / "home" / "hebb.json"
        self.now = START
        self._known: dict[Path, tuple[tuple[int, ...], bytes]] = {}
        for name in ("home", "tmp", "here/folder"):
            (folder / name).mkdir(parents=True)
        (self.here / "empty.jsonl").touch()
        (self.here / "binary.bin").write_bytes(bytes(range(256)) * 40)
        (self.here / "link").symlink_to("missing")
        (self.here / "loop").symlink_to("loop")
        with contextlib.closing(sqlite3.connect(self.here / "plain.db")) as plain:
            plain.execute("CREATE TABLE memory (id INTEGER)")

    def begin(self) -> None:
        """Fill the store, and make a copy of it."""
        execute(Line("import", (("import", "-"),), True, stdin=NOTES), self)
        execute(Line("backup create", (("backup", "create", "copy.db"),), True), self)

    def files(self) -> Files:
        """Return every file but shared memory, byte for byte; read again if it seems changed."""
        known = {}
        for path in self.folder.rglob("*"):
            if path.is_symlink() or not path.is_file() or path.name.endswith("-shm"):
                continue
            if path.is_relative_to(self.folder / "tmp"):
                continue
            stat = path.stat()
            key = (stat.st_mtime_ns, stat.st_ctime_ns, stat.st_size, stat.st_ino)
            before = self._known.get(path)
            known[path] = before if before and before[0] == key else (key, path.read_bytes())
        self._known = known
        return {path: content for path, (_, content) in known.items()}

    def put_back(self, files: Files) -> None:
        """Make the files what they were, by writing those that differ."""
        found = self.files()
        for path in {*found} - {*files}:
            path.unlink()
        for path, content in files.items():
            if found.get(path) != content:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)

    def prepare(self, lines: Lines) -> None:
        """Let time pass, and change the files that no command owns."""
        random = lines.random
        self.now = max(
            START, self.now + int(random.choice((0, 1, 1, 5, -1)) * random.random() * DAY)
        )
        if random.random() < 0.2:
            (self.here / "notes.jsonl").write_bytes(lines.values.lines())
        if self.settings.exists() and random.random() < 0.3:
            self.settings.unlink()
        elif random.random() < 0.05:
            self.settings.write_bytes(lines.values.settings())

    @contextlib.contextmanager
    def entered(self, line: Line) -> Iterator[None]:
        """Be in its working directory, under its variables and those of the line alone."""
        before, tmp = dict(os.environ), str(self.folder / "tmp")
        where = os.open(".", os.O_RDONLY)
        try:
            os.environ.clear()
            os.environ.update(PATH=before.get("PATH", ""), HOME=str(self.folder), TMPDIR=tmp)
            os.environ.update(HEBB_HOME=str(self.store.parent), TERM="xterm-256color")
            os.environ.update(HEBB_NOW=format_time(self.now), EDITOR="true")
            os.environ.update(line.variables)
            tempfile.tempdir = tmp
            os.chdir(self.here)
            time.tzset()
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)
            tempfile.tempdir = None
            os.chdir(where)
            os.close(where)
            time.tzset()


class Screen(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def execute(line: Line, world: World) -> Done:
    """Run one line in this process, through the boundary of the real command."""
    err = io.BytesIO()
    out, stdout = opened(line.stdout)
    kept = sys.stdin, sys.stdout, sys.stderr
    wrapper = Screen if line.terminal else io.TextIOWrapper
    stdin: Any = None if line.stdin is None else wrapper(io.BytesIO(line.stdin), "utf-8")
    code, raised = None, ""
    with world.entered(line):
        sys.stdin, sys.stderr = stdin, io.TextIOWrapper(err, "utf-8", write_through=True)
        sys.stdout = stdout
        try:
            with bounded():
                code = int(app.run(line.words))
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            raised = "".join(traceback.format_exception(error))
        finally:
            streams = sys.stdout, sys.stderr, stdout
            sys.stdin, sys.stdout, sys.stderr = kept
    with contextlib.suppress(OSError, AttributeError):
        stdout.flush()
    answer = Done(
        code,
        None if out is None else out.getvalue(),
        err.getvalue().decode("utf-8", "replace"),
        raised,
    )
    for stream in streams:
        with contextlib.suppress(OSError, AttributeError):
            stream.close()
    return answer


def opened(kind: str) -> tuple[io.BytesIO | None, Any]:
    """Return a stdout of this kind, and what holds the bytes written to it, if anything does."""
    if kind == "none":
        return None, None
    if kind == "full":
        return None, open("/dev/full", "w", encoding="utf-8")
    if kind == "closed":
        reading, writing = os.pipe()
        os.close(reading)
        return None, open(writing, "w", encoding="utf-8")
    out = io.BytesIO()
    if kind == "terminal":
        return out, Screen(out, "utf-8")
    return out, io.TextIOWrapper(out, kind)


@contextlib.contextmanager
def bounded() -> Iterator[None]:
    """Let nothing take longer than PATIENCE."""

    def late(number: int, frame: object) -> None:
        raise SystemExit(f"took longer than {PATIENCE} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def examined(world: World) -> Find | None:
    """Ask SQLite and hebb itself whether the store is sound."""
    if not world.store.is_file():
        return None
    world.settings.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(world.store)) as store:
        [[sound]] = store.execute("PRAGMA integrity_check(1)").fetchall()
    if sound != "ok":
        return Find(UNSOUND, str(sound))
    # At the end of time: a clock that was moved back leaves memories in the future, rightly named.
    last = (("HEBB_NOW", "9999-12-31T23:59:59Z"),)
    done = execute(Line("doctor", (("doctor",),), True, variables=last), world)
    problems = [row for row in (done.out or b"").decode().split("\n") if "\tproblem\t" in row]
    return Find(UNSOUND, f"{done.err} {problems}") if done.code else None


def shortest(line: Line, find: Find, world: World, before: Files) -> Line:
    """Leave out what the find does not need: words, variables, input."""
    tried = True
    while tried:
        tried = False
        for shorter in shortened(line):
            world.put_back(before)
            done = execute(shorter, world)
            same = judged(shorter, done, before=before, after=world.files())
            if same and same.kind == find.kind:
                line, tried = shorter, True
                break
    world.put_back(before)
    return line


def shortened(line: Line) -> Iterator[Line]:
    for at in range(len(line.parts)):
        yield line._replace(parts=line.parts[:at] + line.parts[at + 1 :])
    for at in range(len(line.variables)):
        yield line._replace(variables=line.variables[:at] + line.variables[at + 1 :])
    if line.stdin:
        yield line._replace(stdin=b"")
        rows = line.stdin.split(b"\n")
        if len(rows) > 1:
            yield line._replace(stdin=b"\n".join(rows[: len(rows) // 2]))
            yield line._replace(stdin=b"\n".join(rows[len(rows) // 2 :]))
    if line.stdout != "utf-8":
        yield line._replace(stdout="utf-8")
    for at, part in enumerate(line.parts):
        if len(part[-1]) > 40:
            cut = (*part[:-1], part[-1][: len(part[-1]) // 2])
            yield line._replace(parts=(*line.parts[:at], cut, *line.parts[at + 1 :]))


class Fuzzer:
    """Runs episodes: some hundred command lines each, on one store."""

    def __init__(self, seed: int, scratch: Path) -> None:
        self.seed = seed
        self.scratch = scratch
        self.codes: Counter[str] = Counter()
        self.finds: Counter[str] = Counter()
        self.reported: set[str] = set()

    def episode(self, first: int, last: int) -> None:
        """Run the commands of these numbers; the first begins an episode."""
        random = Random(f"{self.seed}/{first}")
        lines = Lines(random)
        folder = self.scratch / str(first)
        world = World(folder)
        world.begin()
        for number in range(first, last):
            self.step(number, lines, world)
        if find := examined(world):
            self.report(find, f"after command {last - 1}", world.files(), world)
        shutil.rmtree(folder)

    def step(self, number: int, lines: Lines, world: World) -> None:
        random = lines.random
        world.prepare(lines)
        line = lines.draw()
        before = world.files()
        sound = before.get(world.store)
        if sound and random.random() < 0.03:
            world.store.write_bytes(damaged(sound, random))
        started = world.files()
        done = execute(line, world)
        self.codes[str(done.code)] += 1
        find = judged(line, done, before=started, after=world.files())
        if find:
            short = line
            if find.seen not in self.reported:
                short = shortest(line, find, world, started)
            self.report(
                find, f"command {number}: {written(short)}{origin(short, world)}", started, world
            )
        if started != before:
            world.put_back(before)

    def report(self, find: Find, where: str, files: Files, world: World) -> None:
        self.finds[find.kind] += 1
        if find.seen in self.reported:
            return
        self.reported.add(find.seen)
        kept = Path(tempfile.mkdtemp(prefix="hebb-find-"))
        for path, content in files.items():
            target = kept / path.relative_to(world.folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        print(f"{find.kind}: {find.seen}")
        print(f"  seed {self.seed}, {where}")
        print(f"  at {format_time(world.now)}, on the files in {kept}", flush=True)


def origin(line: Line, world: World) -> str:
    """Return the last line of hebb's own code in a stack trace, where the line leaves one."""
    done = execute(line._replace(variables=(*line.variables, ("HEBB_DEBUG", "1"))), world)
    frames = [one.strip() for one in done.raised.split("\n") if "hebbctl" in one]
    return f"\n  {frames[-1]}" if frames else ""


def damaged(content: bytes, random: Random) -> bytes:
    """Return a store with some bytes changed, or cut short."""
    changed = bytearray(content)
    if random.random() < 0.2:
        return bytes(changed[: random.randrange(len(changed))])
    for _ in range(random.choice((1, 10, 1000))):
        changed[random.randrange(random.choice((100, len(changed))))] = random.randrange(256)
    return bytes(changed)


def written(line: Line) -> str:
    """Write a line as one types it; what a shell cannot show, as Python shows it."""
    words = [
        word if len(word) < 200 else f"{word[:40]}… ({len(word)} characters)" for word in line.words
    ]
    shown = " ".join(shlex.quote(w) if w.isprintable() else ascii(w) for w in words)
    named = "".join(f"{name}={value!a} " for name, value in line.variables)
    stdin = f" <<< {line.stdin[:300]!r}" if line.stdin else ""
    return f"{named}hebb {shown}{stdin}" + f" (stdout {line.stdout})" * (line.stdout != "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commands", type=int, default=20_000, help="how many to run [20000]")
    parser.add_argument("--seed", type=int, default=0, help="of the chances [0]")
    parser.add_argument("--only", type=int, help="the number of a command: run up to it once more")
    wanted = parser.parse_args()
    first, last = 0, wanted.commands
    if wanted.only is not None:
        first, last = wanted.only // EPISODE * EPISODE, wanted.only + 1
    with tempfile.TemporaryDirectory() as scratch:
        fuzzer = Fuzzer(wanted.seed, Path(scratch))
        for begun in range(first, last, EPISODE):
            fuzzer.episode(begun, min(begun + EPISODE, last))
    print(f"{last - first} commands, seed {wanted.seed}")
    print("exit codes: " + ", ".join(f"{code}: {n}" for code, n in sorted(fuzzer.codes.items())))
    print(", ".join(f"{kind} {fuzzer.finds[kind]}" for kind in JUDGED))
    sys.exit(1 if fuzzer.finds else 0)


if __name__ == "__main__":
    main()
