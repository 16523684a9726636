"""Store notes from many processes at once, alone and beside other work, and count what is lost."""

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

from crashes import hebb_at
from writes import Answer, notes

LOCKED = 5  # the exit code of a store that stayed locked; nothing else here can cause it
# What goes on beside the adds, after an import of so many notes that have faded by now.
BESIDE = {"gc": ["gc"], "recall": ["recall", "note"], "import": []}
OLD = 300

Hebb = Callable[[Sequence[str]], Answer]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--writers", type=int, default=32, help="processes at once [32]")
    parser.add_argument("--adds", type=int, default=50, help="notes of each [50]")
    wanted = parser.parse_args()
    lost = 0
    for other in (None, *BESIDE):
        with tempfile.TemporaryDirectory() as folder:
            hebb = hebb_at(Path(folder))
            writers = wanted.writers if other is None else max(wanted.writers // 4, 1)
            line, gone = trial(hebb, Path(folder), writers, wanted.adds, other)
            print(line, flush=True)
            lost += gone
    raise SystemExit(min(lost, 1))


def trial(hebb: Hebb, folder: Path, writers: int, adds: int, other: str | None) -> tuple[str, int]:
    """Return what became of the notes, in one line, and how many were lost or refused."""
    done = Event()
    codes = Counter[int]()
    with ThreadPoolExecutor(writers + 1) as pool:
        beside = pool.submit(repeated, hebb, folder, other, done) if other else None
        each = [pool.submit(added, hebb, writer, adds) for writer in range(writers)]
        for one in each:
            codes += one.result()
        done.set()
        others = beside.result() if beside else Counter[int]()
    lost = codes[0] - stored(hebb)
    refused = sum((codes + others).values()) - codes[0] - others[0]
    names = other if other == "import" else f"import and {other}"
    runs = f" beside {others.total()} runs of {names}" if other else " on a new path"
    line = (
        f"{writers} x {adds} adds{runs}: {lost} lost, "
        f"{codes[LOCKED] + others[LOCKED]} locked, {refused} failed"
    )
    return line, lost + refused


def added(hebb: Hebb, writer: int, adds: int) -> Counter[int]:
    """Store notes one after the other, each by a process of its own. Returns the exit codes."""
    return Counter(hebb(["add", f"writer {writer} note {number}"]).code for number in range(adds))


def repeated(hebb: Hebb, folder: Path, other: str, done: Event) -> Counter[int]:
    """Import old notes and do other work until the new ones are stored. Returns the exit codes."""
    codes = Counter[int]()
    file = folder / "notes.jsonl"
    while not done.is_set():
        old = notes(OLD, first=1 + OLD * codes.total())
        file.write_text("".join(json.dumps(one) + "\n" for one in old), "utf-8")
        codes[hebb(["import", str(file)]).code] += 1
        if BESIDE[other]:
            codes[hebb(BESIDE[other]).code] += 1
    return codes


def stored(hebb: Hebb) -> int:
    """Count the notes of the writers, also what a sweep has shelved."""
    lines = hebb(["export"]).out.splitlines()
    return sum(json.loads(line)["content"].startswith("writer ") for line in lines)


if __name__ == "__main__":
    main()
