"""Print what hebb adds to bare SQLite as a store grows: times, rows a second, memory."""

import argparse
import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import command
import stores
import sweep

from hebbctl import ranking, secrets, text, times
from hebbctl.documents import jsonl
from hebbctl.models import Filters
from hebbctl.policies import DAY
from hebbctl.store import Store
from hebbctl.store.memories import INSERT
from hebbctl.usecases import exchange, insight, recall

BATCH = 10_000  # prepared rows held at once
MEGABYTE = 1_000_000
NOTHING_DUE = stores.NOW - DAY

QUESTION = (
    "When did we move the index of the backup table to the new release server, who fixed the"
    " cache token after the weekly meeting on Friday, and what should be tested before that?"
)
# A process of its own, smaller than any hebb: at exec Linux counts the parent's memory, too.
PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
PEAK_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes in one ru_maxrss


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--memories",
        type=int,
        nargs="+",
        default=[10_000, 100_000],
        help="sizes of the stores [10000 100000]",
    )
    parser.add_argument("--keep", type=Path, help="a folder for the stores, to use them again")
    wanted = parser.parse_args()
    sizes = sorted(wanted.memories)
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        kept = {size: store_of(size, wanted.keep or scratch) for size in sizes}
        small = kept[sizes[0]]
        peaks = {size: measure(size, kept[size], scratch, small) for size in sizes}
    growth(peaks)


def store_of(memories: int, folder: Path) -> Path:
    """Return a store of that size, text index included, made now unless the folder has it."""
    path = folder / f"{memories}-text.db"
    if not path.exists():
        draft = path.with_suffix(".making")
        draft.unlink(missing_ok=True)
        stores.make(draft, memories, seed=0, with_text=True)
        draft.rename(path)
    return path


def measure(memories: int, kept: Path, scratch: Path, small: Path) -> dict[str, int]:
    """Print all figures of one size. Returns the peak memory of each command, in bytes."""
    path = Path(shutil.copy(kept, scratch / "measured.db"))
    print(f"\n{memories} memories, {path.stat().st_size / memories:.0f} bytes each in the store")
    print(f"  {'':<32}{'hebb':>11}{'bare':>11}{'':>4}{'ratio':>8}  target")
    with closing(store_at(path, stores.NOW)) as store:
        lines = exported(store, memories, scratch)
        imported(lines, memories, scratch)
        recalled(store, path)
        counted(store, path)
    selected(path)
    swept(path, small)
    peaks = peaks_of(path, lines)
    for name, peak in peaks.items():
        print(f"  {name + ', peak':<32}{peak / MEGABYTE:>11.1f}{'MB':>15}{'':>10}< 150 MB")
    for file in scratch.glob("measured.db*"):
        file.unlink()
    return peaks


def line(name: str, ours: float, bare: float, unit: str, target: str) -> None:
    print(f"  {name:<32}{ours:>11.2f}{bare:>11.2f}{unit:>4}{ours / bare:>8.2f}  {target}")


def rate(name: str, memories: int, seconds: float, bare: float | None = None) -> None:
    """Print rows a second, and their share of the bare ones."""
    rest = f"{'/s':>15}"
    if bare is not None:
        rest = f"{memories / bare:>11.0f}{'/s':>4}{bare / seconds:>8.2f}  >= 0.50"
    print(f"  {name:<32}{memories / seconds:>11.0f}{rest}")


def store_at(path: Path, now: int, *, writable: bool = False) -> Store:
    return Store(path, stores.policy_of, now=now, writable=writable)


def exported(store: Store, memories: int, scratch: Path) -> Path:
    """Print how fast a store is written out, and return the file."""
    path = scratch / "exported.jsonl"
    began = time.perf_counter()
    with path.open("w", encoding="utf-8") as file:
        file.writelines(
            f"{line}\n" for line in exchange.export_lines(store, None, ascii_only=False)
        )
    rate("export", memories, time.perf_counter() - began)
    return path


def imported(lines: Path, memories: int, scratch: Path) -> None:
    """Print how fast lines become a store, beside the rows they hold: the better of two each."""
    ours, bare = [], []
    for _ in range(2):
        ours.append(import_seconds(lines, scratch / "ours.db"))
        bare.append(insert_seconds(lines, scratch / "bare.db"))
    rate("import", memories, min(ours), min(bare))


def import_seconds(lines: Path, path: Path) -> float:
    with closing(store_at(path, stores.NOW, writable=True)) as store, lines.open("rb") as file:
        began = time.perf_counter()
        exchange.import_lines(
            store,
            file,
            strict=False,
            restore_deleted=False,
            most_bytes=MEGABYTE,
            progress=lambda done, total: None,
        )
        took = time.perf_counter() - began
    path.unlink()
    return took


def insert_seconds(lines: Path, path: Path) -> float:
    """Return how long SQLite takes for rows that lie ready, in one transaction."""
    store_at(path, stores.NOW, writable=True).close()
    took = 0.0
    with closing(sqlite3.connect(path)) as db, lines.open("rb") as file:
        db.execute("PRAGMA synchronous = NORMAL")
        rows = prepared(file)
        while batch := list(islice(rows, BATCH)):
            began = time.perf_counter()
            insert(db, batch)
            took += time.perf_counter() - began
        began = time.perf_counter()
        db.commit()
        took += time.perf_counter() - began
    path.unlink()
    return took


def prepared(lines: Iterator[bytes]) -> Iterator[dict[str, Any]]:
    for number, raw in enumerate(lines, start=1):
        read = jsonl.read(raw)
        assert read is not None
        yield read.draft._asdict() | {
            "id": number,
            "content_digest": secrets.digest(read.draft.content),
            "words": text.prepared(read.draft.content),
        }


def insert(db: sqlite3.Connection, rows: list[dict[str, Any]]) -> None:
    db.executemany(INSERT, rows)
    db.executemany(
        "INSERT INTO tag VALUES (:id, :name)",
        ({"id": row["id"], "name": name} for row in rows for name in row["tags"]),
    )
    db.executemany("INSERT INTO memory_text (rowid, words) VALUES (:id, :words)", rows)


def recalled(store: Store, path: Path) -> None:
    """Print recall in process beside FTS5 asked for ten texts that hold any of the words."""
    with closing(sqlite3.connect(path)) as db:
        queries = {
            "rare word": rare_word(db),
            "common word": "file",
            "two Chinese characters": "咖啡",
            "long question": QUESTION,
        }
        for name, query in queries.items():
            _, expression = ranking.expressions(query)[-1]
            ours, bare = best_of_both(
                lambda query=query: found(store, query),
                lambda expression=expression: matching(db, expression),
            )
            line(f"recall, {name}", ours, bare, "ms", "<= 1.5 from 100k on")


def rare_word(db: sqlite3.Connection) -> str:
    words = (f"{one}{two}zo" for one in reversed(stores.SYLLABLES) for two in stores.SYLLABLES)
    return next(word for word in words if matching(db, f'"{word}"'))


def found(store: Store, query: str) -> list[Any]:
    return list(
        recall.recall(
            store,
            query,
            filters=Filters(),
            limit=10,
            min_score=0,
            fallback=True,
        )
    )


def matching(db: sqlite3.Connection, expression: str) -> list[Any]:
    return db.execute(
        "SELECT rowid, rank FROM memory_text WHERE memory_text MATCH ? ORDER BY rank LIMIT 10",
        (expression,),
    ).fetchall()


def counted(store: Store, path: Path) -> None:
    """Print stats beside one scan that asks every row for its retention."""
    scan = """
        SELECT sum(
            retention(
                partition, importance, access_count, strength, ttl_ms, last_accessed_at,
                renewed_at, anchor_value, anchor_at
            )
        )
        FROM memory
        """
    with closing(sweep.Case(path, stores.NOW).connection) as db:
        ours, bare = best_of_both(lambda: insight.stats(store), lambda: db.execute(scan).fetchall())
    line("stats", ours, bare, "ms", "<= 1.2 at 1M")


def best_of_both(ours: Any, bare: Any) -> tuple[float, float]:
    best = sweep.best_times([ours, bare])
    return best[ours], best[bare]


def selected(path: Path) -> None:
    """Print the sweep's selection beside a full scan, and beside its ranges alone."""
    for name, now in (("1 % due", stores.NOW), ("nothing due", NOTHING_DUE)):
        case = sweep.Case(path, now)
        with closing(case.connection), closing(ranges_of(path, now)) as db:
            ways: list[sweep.Way] = [case.selection, case.scan, partial(in_ranges, db)]
            best = sweep.best_times(ways)
            ours, scan, bare = (best[way] for way in ways)
            assert case.selection() == case.scan()
        line(f"gc selection, {name}", ours, scan, "ms", "<= 0.02 of a scan at 1M")
        line("  and its index ranges alone", ours, bare, "ms", "")


def ranges_of(path: Path, now: int) -> sqlite3.Connection:
    """Return a connection with the cutoff of each group, worked out beforehand."""
    db = sqlite3.connect(path)
    groups = db.execute(
        """
        SELECT DISTINCT partition, importance, access_count
        FROM memory
        WHERE archived_at IS NULL AND pinned = 0
        """
    ).fetchall()
    db.execute("CREATE TEMP TABLE shelf (partition, importance, access_count, cutoff)")
    limits = ((*group, stores.lifetime(*group)) for group in groups)
    db.executemany(
        "INSERT INTO shelf VALUES (?, ?, ?, ?)",
        ((*group, now - limit) for *group, limit in limits if limit is not None),
    )
    return db


def in_ranges(db: sqlite3.Connection) -> list[int]:
    return db.execute(
        """
        SELECT id
        FROM shelf
        CROSS JOIN memory AS old INDEXED BY memory_sweep
            ON old.archived_at IS NULL
            AND old.pinned = 0
            AND old.ttl_ms IS NULL
            AND old.renewed_at IS NULL
            AND old.anchor_at IS NULL
            AND old.partition = shelf.partition
            AND old.importance = shelf.importance
            AND old.access_count = shelf.access_count
            AND old.strength = 1
            AND old.last_accessed_at < shelf.cutoff
        """
    ).fetchall()


def swept(path: Path, small: Path) -> None:
    """Print a whole gc that finds nothing beside the shortest command on the smallest store."""
    best = sweep.best_times(
        [
            gc := lambda: run(["gc"], path, NOTHING_DUE),
            start := lambda: run(["list", "-n", "1"], small, stores.NOW),
        ]
    )
    line("gc process, beside list -n 1", best[gc], best[start], "ms", "<= 1.3 at 10k, 2 at 1M")


def run(words: list[str], path: Path, now: int) -> list[int]:
    subprocess.run(
        [*command.hebb(), *words],
        env=environment(path, now),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return []


def environment(path: Path, now: int) -> dict[str, str]:
    variables = {"HEBB_DB": str(path), "HEBB_NOW": times.format_time(now)}
    return command.environment(str(path.parent)) | variables


def peaks_of(path: Path, lines: Path) -> dict[str, int]:
    """Return the most memory that each command holds as a process, in bytes."""
    fresh = path.with_name("fresh.db")
    peaks = {
        "recall": peak(["recall", "--peek", QUESTION], path),
        "list": peak(["list", "--json"], path),
        "export": peak(["export"], path),
        "import": peak(["import", str(lines)], fresh),
        "gc, 1 % due": peak(["gc"], path),  # last: it changes the store
    }
    fresh.unlink()
    return peaks


def peak(words: list[str], path: Path) -> int:
    done = subprocess.run(
        [sys.executable, "-c", PEAK, *command.hebb(), *words],
        env=environment(path, stores.NOW),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return int(json.loads(done.stdout)) * PEAK_UNIT


def growth(peaks: dict[int, dict[str, int]]) -> None:
    """Print by how many bytes for each more memory a command's peak grows."""
    small, large = min(peaks), max(peaks)
    if small == large:
        return
    print(f"\npeak memory from {small} to {large} memories, target: flat")
    for name in peaks[small]:
        more = peaks[large][name] - peaks[small][name]
        ratio = peaks[large][name] / peaks[small][name]
        print(f"  {name:<32}{ratio:>11.2f} times{more / (large - small):>9.0f} bytes a memory")


if __name__ == "__main__":
    main()
