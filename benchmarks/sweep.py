"""Compare the sweep's selection with a full scan of the store: the same ids, in less time."""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import stores

from hebbctl import policies
from hebbctl.policies import DAY
from hebbctl.settings import defaults
from hebbctl.store import Store

ROUNDS = 5
INDEX = "memory_sweep"

Way = Callable[[], list[int]]  # to find what is due


class Case:
    """A store at a moment, and the two ways to find what has faded by then."""

    def __init__(self, path: Path, now: int) -> None:
        store = Store(path, stores.policy_of, now=now, writable=False)
        self.now = now
        self.connection = store._database.connection
        self.sweeps = store.sweeps

    def selection(self) -> list[int]:
        return [due.id for due in self.sweeps.due()]

    def scan(self) -> list[int]:
        """Ask every row, with the plain rule: the cheap conditions first, the function last.

        By default all partitions have the same threshold; only the inbox does not forget.
        """
        settings = defaults().values
        rows = self.connection.execute(
            """
            SELECT id
            FROM memory
            WHERE archived_at IS NULL
              AND pinned = 0
              AND partition <> :inbox
              AND :now - last_accessed_at > :floor
              AND retention(
                  partition, importance, access_count, strength, ttl_ms, last_accessed_at,
                  renewed_at, anchor_value, anchor_at
              ) < :threshold
            """,
            {
                "inbox": policies.INBOX,
                "now": self.now,
                "floor": settings["forget_min_retention_days"] * DAY,
                "threshold": settings["forget_threshold"],
            },
        )
        return sorted(row["id"] for row in rows)

    def groups(self) -> int:
        [row] = self.connection.execute(
            """
            SELECT count(*) AS groups FROM (
                SELECT DISTINCT partition, importance, access_count, strength
                FROM memory
                WHERE archived_at IS NULL AND pinned = 0
            )
            """
        )
        return int(row["groups"])

    def plan(self) -> list[str]:
        """Return how SQLite uses the sweep's index in the selection."""
        statements: list[str] = []
        self.connection.set_trace_callback(statements.append)
        self.selection()
        self.connection.set_trace_callback(None)
        steps = [
            row["detail"]
            for statement in statements
            for row in self.connection.execute("EXPLAIN QUERY PLAN " + statement)
        ]
        return [step for step in steps if INDEX in step]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--memories",
        type=int,
        nargs="+",
        default=[10_000, 100_000],
        help="sizes of the stores [10000 100000]",
    )
    parser.add_argument("--seed", type=int, default=0, help="of the stores [0]")
    parser.add_argument("--keep", type=Path, help="a folder for the stores, to use them again")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        for memories in wanted.memories:
            show(memories, store_of(memories, wanted.seed, wanted.keep or Path(scratch)))
    print("target: at most 2 % at 1000000 memories")


def store_of(memories: int, seed: int, folder: Path) -> Path:
    """Return a store of that size, made now unless the folder has it. Its text is not indexed."""
    path = folder / f"{memories}-{seed}.db"
    if not path.exists():
        draft = path.with_suffix(".making")
        draft.unlink(missing_ok=True)
        stores.make(draft, memories, seed=seed, with_text=False)
        draft.rename(path)
    return path


def show(memories: int, path: Path) -> None:
    cases = {
        "a day's worth due": Case(path, stores.NOW),
        "nothing due": Case(path, stores.NOW - DAY),
    }
    first = next(iter(cases.values()))
    exact = all(case.selection() == case.scan() for case in cases.values())
    print(f"{memories} memories in {first.groups()} groups, exact: {'yes' if exact else 'no'}")
    print(f"  {'':<18}{'due':>8}{'selection ms':>14}{'full scan ms':>14}{'share':>8}")
    times = best_times([way for case in cases.values() for way in (case.selection, case.scan)])
    for name, case in cases.items():
        fast, slow = times[case.selection], times[case.scan]
        count = len(case.selection())
        print(f"  {name:<18}{count:>8}{fast:>14.1f}{slow:>14.1f}{fast / slow:>8.1%}")
    print("".join(f"  {step}\n" for step in first.plan()))
    for case in cases.values():
        case.connection.close()


def best_times(ways: list[Way]) -> dict[Way, float]:
    """Return the best time of each in milliseconds. In turns: a slow moment meets all of them."""
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(ROUNDS):
        for way in ways:
            began = time.perf_counter()
            way()
            best[way] = min(best[way], (time.perf_counter() - began) * 1000)
    return best


if __name__ == "__main__":
    main()
