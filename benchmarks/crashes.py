"""Kill real hebb processes at random moments of every kind of write, and look what is left.

With --full they run on disks that fill up instead.
"""

import argparse
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import NamedTuple

import command
from soundness import Case, erased, findings, snapshot, texts, traces, unaudited_settings
from writes import NOW, WRITES, Answer, Place, Write, furnish, write_inputs

SIZE = 1100  # memories that a large write reaches: several transactions
UNBORN = "Fatal Python error: init"  # a Ctrl-C before Python itself has started, let alone hebb
FILLER = "filler"  # the file that leaves no room on a disk
PATIENCE = 30  # seconds until a process that was asked to end must have ended
# kill -9 leaves no time for anything, so it is tried as often as the other two together.
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGINT, signal.SIGTERM)
TRANSIENT = {"erasures", "backups"}  # what the doctor may find till the next run that writes

Start = Callable[[Sequence[str]], "subprocess.Popen[str]"]


class Moment(NamedTuple):
    """When to kill: so many seconds after so many changes of the home's files were seen."""

    changes: int
    seconds: float


class Course(NamedTuple):
    """How a command runs undisturbed: when the first change is seen, how many, when it ends."""

    first: float
    changes: int
    seconds: float


class Blow(NamedTuple):
    """When a process is killed, by what, and whether another one has the store open."""

    moment: Moment
    number: signal.Signals
    watched: bool


class Outcome(NamedTuple):
    """Whether the process died of it, and what is wrong since, in words."""

    killed: bool
    wrong: list[str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=200, help="kills over all kinds [200]")
    parser.add_argument("--seed", type=int, default=0, help="equal seeds, equal choices [0]")
    parser.add_argument("--only", choices=WRITES, help="one kind of write [all]")
    parser.add_argument(
        "--full", action="store_true", help="do not kill: let the disk fill up; only root can"
    )
    wanted = parser.parse_args()
    names = [wanted.only] if wanted.only else list(WRITES)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored under &, and inherited
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), hebb_at(Path(folder)), start_at(Path(folder)), SIZE)
        source = random.Random(wanted.seed)
        struck = "failed" if wanted.full else "killed"
        print(f"{'kind':<22}{'trials':>8}{struck:>8}{'inconsistent':>14}", flush=True)
        total = Counter[str]()
        for turn, name in enumerate(names):
            trials = wanted.trials // len(names) + (turn < wanted.trials % len(names))
            total += shown(name, (filled if wanted.full else tried)(bench, name, trials, source))
    print(f"seed {wanted.seed}, {struck} {total['killed']} of {wanted.trials}", end=", ")
    print(f"inconsistent {total['inconsistent']}")
    raise SystemExit(min(total["inconsistent"], 1))


def tried(bench: "Bench", name: str, trials: int, source: random.Random) -> list[Outcome]:
    bench.set_up(WRITES[name])
    return [
        bench.trial(
            drawn(bench.course, source),
            drawn(bench.course, source) if source.random() < 1 / 3 else None,
            asked=source.random() < 0.5,
        )
        for _ in range(trials)
    ]


def filled(bench: "Bench", name: str, trials: int, source: random.Random) -> list[Outcome]:
    bench.set_up(WRITES[name])
    return [bench.fill(int(2 ** source.uniform(12, 22))) for _ in range(trials)]


def shown(name: str, outcomes: list[Outcome]) -> Counter[str]:
    counts = Counter(
        killed=sum(one.killed for one in outcomes),
        inconsistent=sum(bool(one.wrong) for one in outcomes),
    )
    print(
        f"{name:<22}{len(outcomes):>8}{counts['killed']:>8}{counts['inconsistent']:>14}", flush=True
    )
    for one in outcomes:
        for what in one.wrong[:5]:
            print(f"    {what}", flush=True)
    return counts


def drawn(course: Course, source: random.Random) -> Blow:
    """Choose a moment: rarely in all of a run, mostly in the part of it that writes."""
    tail = course.seconds - course.first
    moment = source.choice(
        (
            Moment(0, source.uniform(0, course.seconds * 0.9)),
            Moment(1, source.uniform(0, tail * 0.8)),
            Moment(source.randint(1, max(course.changes, 1)), 0),
            Moment(source.randint(1, max(course.changes, 1)), source.uniform(0, tail / 4)),
        )
    )
    return Blow(moment, source.choice(SIGNALS), source.random() < 0.5)


class Bench:
    """One kind of write: its home as it is before, put in place again for every trial."""

    def __init__(
        self, folder: Path, hebb: Callable[[Sequence[str]], Answer], start: Start, size: int
    ) -> None:
        self._place = Place(folder / "home", folder / "inputs", hebb, size)
        self._common, self._ready = folder / "common", folder / "ready"
        self._start = start
        for one in (self._place.home, self._place.inputs):
            one.mkdir(mode=0o700)
        furnish(self._place)
        if problems := snapshot(self._place.home).problems:
            raise RuntimeError(f"a sound store cannot be judged: {problems}")
        write_inputs(self._place)
        shutil.move(self._place.home, self._common)

    def set_up(self, write: Write) -> None:
        """Prepare a kind of write, and let it run undisturbed for once."""
        self.write = write
        self._put(self._common)
        furnished = snapshot(self._place.home)
        write.prepare(self._place)
        shutil.rmtree(self._ready, ignore_errors=True)
        shutil.copytree(self._place.home, self._ready)
        self._acknowledge()
        before = snapshot(self._place.home)
        self._unsound = self._problems() if before.problems else set()
        self.course = self._undisturbed()
        after = snapshot(self._place.home)
        self._case = Case(furnished, before, after, write.batch, write.replaces)

    def trial(self, blow: Blow, second: Blow | None = None, *, asked: bool = True) -> Outcome:
        """Kill the command, perhaps the one after it, too, and look at what is left.

        Unless the doctor is ``asked``, the next run that writes meets the log as it was left.
        """
        self._put(self._ready)
        killed, wrong = self._crash(blow)
        if asked:
            wrong += self._doubts(self._unsound | TRANSIENT)
        if second:
            wrong += self._crash(second, again=True).wrong
        wrong += self._aftermath()
        return Outcome(killed, [f"{what} ({described(blow)})" for what in dict.fromkeys(wrong)])

    def fill(self, room: int) -> Outcome:
        """Run the command where so many bytes are left on the disk, and look at what is left."""
        self._put(self._ready)
        ended = self._on_small_disk(room)
        wrong = []
        if ended.code and (ended.code != 5 or "full" not in ended.err):
            wrong.append(f"ended with {ended.code}: {ended.err.strip()}")
        wrong += findings(self._case, snapshot(self._place.home), answered=False)
        wrong += self._doubts(self._unsound | TRANSIENT)
        wrong += self._aftermath(answered=ended.code == 0 and self.write.answers_last)
        return Outcome(
            ended.code != 0, [f"{what} ({room} bytes left)" for what in dict.fromkeys(wrong)]
        )

    def _on_small_disk(self, room: int) -> Answer:
        home, scene = self._place.home, self._place.home.with_name("scene")
        with small_disk(home, room):
            self._acknowledge()
            fill_up(home, room)
            process = self._start(self._place.words(self.write.words))
            out, error = process.communicate()
            (home / FILLER).unlink()
            shutil.copytree(home, scene)
        self._put(scene)
        shutil.rmtree(scene)
        return Answer(process.returncode, out, error)

    def _aftermath(self, *, answered: bool = False) -> list[str]:
        """Let the next run finish what was left, and then erase all: what is wrong since?"""
        wrong = []
        answer = self._place.hebb(self._place.words(self.write.again))
        if answer.code:
            wrong.append(f"the next run ended with {answer.code}: {answer.err.strip()}")
        wrong += self._doubts(set())
        now = snapshot(self._place.home)
        wrong += findings(self._case, now, answered=answered)
        wrong += unaudited_settings(self._case, now)
        wrong += traces(erased(self._case, now), self._place.home)
        self._place.done("forget", "--all", "--force", "--yes", "--no-copy")
        if now.state.kept:
            self._place.done("forget", "--copies", "--yes")
        return wrong + traces(texts(now), self._place.home)

    def _crash(self, blow: Blow, *, again: bool = False) -> Outcome:
        """Kill the command, or the one after it, and compare what is there."""
        ended = self._struck(blow, again=again)
        dead = ended.code in (-blow.number, 128 + blow.number) or UNBORN in ended.err
        wrong = [] if dead or ended.code == 0 else [f"ended with {ended.code}: {ended.err.strip()}"]
        if "Traceback" in ended.err and blow.moment.changes:  # before it, Python itself says so
            wrong.append(f"traceback: {ended.err.strip().splitlines()[-1]}")
        answered = ended.code == 0 or (self.write.answers_last and bool(ended.out))
        now = snapshot(self._place.home)
        return Outcome(dead, wrong + findings(self._case, now, answered=answered and not again))

    def _struck(self, blow: Blow, *, again: bool) -> Answer:
        """Kill a command and leave the home as it was at that moment."""
        words = self._place.words(self.write.again if again else self.write.words)
        scene = self._place.home.with_name("scene")
        with self._idle_reader() if blow.watched else nullcontext():
            if not again:  # a run that writes would finish what the second is to be killed in
                self._acknowledge()
            ended = killed(self._start(words), self._place.home, blow)
            shutil.copytree(self._place.home, scene)  # the reader's end would tidy the log up
        self._put(scene)
        shutil.rmtree(scene)
        return ended

    @contextmanager
    def _idle_reader(self) -> Iterator[None]:
        """Hold the store open, so that what is committed stays in its log."""
        path = self._place.home / "hebb.db"
        if not path.exists():
            yield
            return
        db = sqlite3.connect(path)
        try:
            with suppress(sqlite3.DatabaseError):  # of a damaged one only the file is held
                db.execute("SELECT count(*) FROM memory").fetchone()
            yield
        finally:
            db.close()

    def _acknowledge(self) -> None:
        """Store a note just before the crash: its command had ended with 0."""
        if self.write.acknowledged:
            self._place.done("add", "acknowledged")

    def _undisturbed(self) -> Course:
        began = time.perf_counter()
        process = self._start(self._place.words(self.write.words))
        seen = [time.perf_counter() - began for _ in changes(process, self._place.home)]
        _, error = process.communicate()
        if process.returncode:
            raise RuntimeError(f"{self.write.words} ended with {process.returncode}: {error}")
        seconds = time.perf_counter() - began
        return Course(seen[0] if seen else seconds, len(seen), seconds)

    def _problems(self) -> set[str]:
        """Return the names of the checks in which the doctor finds a problem."""
        answer = self._place.hebb(["--json", "doctor"])
        try:
            report = json.loads(answer.out)
        except ValueError:
            return {f"no report: {answer.err.strip()}"}
        return {one["name"] for one in report["checks"] if one["status"] == "problem"}

    def _doubts(self, allowed: set[str]) -> list[str]:
        return [f"the doctor finds a problem: {name}" for name in self._problems() - allowed]

    def _put(self, home: Path) -> None:
        shutil.rmtree(self._place.home, ignore_errors=True)
        shutil.copytree(home, self._place.home)


@contextmanager
def small_disk(home: Path, room: int) -> Iterator[None]:
    """Put a home on a disk of its own, with so much room and some more."""
    held = shutil.copytree(home, home.with_name("held"))
    size = f"size={2 * tree_bytes(held) + room + (1 << 24)}"
    subprocess.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", home], check=True)
    try:
        shutil.copytree(held, home, dirs_exist_ok=True)
        yield
    finally:
        subprocess.run(["umount", home], check=True)
        shutil.rmtree(held)


def fill_up(home: Path, room: int) -> None:
    """Leave so many bytes of a disk."""
    disk = os.statvfs(home)
    with (home / FILLER).open("wb", buffering=0) as file:
        os.posix_fallocate(file.fileno(), 0, max(disk.f_bavail * disk.f_frsize - room, 1))


def tree_bytes(folder: Path) -> int:
    return sum(size for _, size, _ in sight(folder))


def killed(process: "subprocess.Popen[str]", home: Path, blow: Blow) -> Answer:
    """Wait for the moment, kill, and return what the process left, whatever it died of."""
    seen = 0
    if blow.moment.changes:
        for _ in changes(process, home):
            seen += 1
            if seen == blow.moment.changes:
                break
    try:
        process.wait(blow.moment.seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(blow.number)
    try:
        out, error = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        out, error = process.communicate()
        error += f"it went on after {blow.number.name}"
    return Answer(process.returncode, out, error)


def changes(process: "subprocess.Popen[str]", home: Path) -> Iterator[None]:
    """Return once for every change of a folder's files that is seen while a process runs."""
    before = sight(home)
    while process.poll() is None:
        now = sight(home)
        if now != before:
            before = now
            yield


def sight(folder: Path) -> list[tuple[str, int, int]]:
    """Return name, size and time of every file; of one that goes meanwhile only the name."""
    found = []
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                seen = os.stat(os.path.join(parent, name))
                found.append((name, seen.st_size, seen.st_mtime_ns))
            except FileNotFoundError:
                found.append((name, 0, 0))
    return sorted(found)


def described(blow: Blow) -> str:
    moment = blow.moment
    beside = ", beside a reader" if blow.watched else ""
    return f"{blow.number.name}, change {moment.changes} + {moment.seconds * 1000:.1f} ms{beside}"


def hebb_at(folder: Path) -> Callable[[Sequence[str]], Answer]:
    """Return how to run hebb as a process to its end."""

    def hebb(words: Sequence[str]) -> Answer:
        process = start_at(folder)(words)
        out, error = process.communicate()
        return Answer(process.returncode, out, error)

    return hebb


def start_at(folder: Path) -> Start:
    """Return how to start hebb in the home of a bench."""
    environment = command.environment(str(folder / "home")) | {"HEBB_NOW": NOW}

    def start(words: Sequence[str]) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [*command.hebb(), *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env=environment,
        )

    return start


if __name__ == "__main__":
    main()
