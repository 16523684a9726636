"""Compare the sweep's selection with a full scan of the store: the same ids, in less time."""

import argparse
import json
import math
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import stores

from hebbctl import policies
from hebbctl.curves import CURVES
from hebbctl.policies import DAY
from hebbctl.presets import PRESETS
from hebbctl.store import Store

ROUNDS = 5
INDEX = "memory_sweep"

Way = Callable[[], list[int]]  # to find what is due
# By whether the curve weighs retention before it is compared.
SCANS = {
    False: """
        SELECT id
        FROM memory
        WHERE archived_at IS NULL
          AND pinned = 0
          AND ttl_ms IS NULL
          AND renewed_at IS NULL
          AND anchor_at IS NULL
          AND partition NOT IN (SELECT value FROM json_each(:kept))
          AND (
              :now - last_accessed_at >= :ttl
              OR (
                  :now - last_accessed_at > :floor
                  AND retention(
                      partition, importance, access_count, strength, NULL, last_accessed_at,
                      NULL, NULL, NULL
                  ) < :threshold
              )
          )
    """,
    True: """
        SELECT id
        FROM memory
        WHERE archived_at IS NULL
          AND pinned = 0
          AND ttl_ms IS NULL
          AND renewed_at IS NULL
          AND anchor_at IS NULL
          AND partition NOT IN (SELECT value FROM json_each(:kept))
          AND :now - last_accessed_at > :floor
          AND vitality(
              partition, importance, access_count, strength, NULL, last_accessed_at,
              NULL, NULL, NULL
          ) < :threshold
    """,
}


class Case:
    """A store at a moment, and the two ways to find what has faded by then."""

    def __init__(self, path: Path, now: int, preset: str) -> None:
        self.policy_of = stores.policies_of(preset)
        store = Store(path, self.policy_of, now=now, writable=False)
        self.now = now
        self.connection = store._database.connection
        self.sweeps = store.sweeps

    def selection(self) -> list[int]:
        return [due.id for due in self.sweeps.due()]

    def scan(self) -> list[int]:
        """Ask every row, with the plain rule: the cheap conditions first, the function last.

        A preset's figures are the same in all partitions but those that do not forget. No memory
        of these stores has a ttl, a renewal or an anchor of its own, so an index covers the query.
        """
        policy, curve = self.policy_of(policies.NOTES), CURVES[self.policy_of(policies.NOTES).curve]
        kept = [name for name in stores.PARTITIONS if not self.policy_of(name).enabled]
        above = math.nextafter(policy.threshold, 1) if curve.ends_at else policy.threshold
        rows = self.connection.execute(
            SCANS[curve.gain is not None],
            {
                "kept": json.dumps(kept),
                "now": self.now,
                "floor": policy.min_retention_days * DAY,
                "ttl": policies.ttl_ms(policy, None),
                "threshold": above,
            },
        )
        return sorted({row["id"] for row in rows} | self._outlived(policies.max_lifetime(policy)))

    def _outlived(self, longest: int | None) -> set[int]:
        if longest is None:
            return set()
        rows = self.connection.execute(
            """
            SELECT id
            FROM memory
            WHERE archived_at IS NULL
              AND pinned = 0
              AND promoted_at IS NULL
              AND partition <> :inbox
              AND created_at <= :now - :longest
            """,
            {"inbox": policies.INBOX, "now": self.now, "longest": longest},
        )
        return {row["id"] for row in rows}

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
    parser.add_argument(
        "--preset",
        nargs="+",
        choices=list(PRESETS),
        default=["default"],
        metavar="NAME",
        help=f"the systems to go by, of {', '.join(PRESETS)} [default]",
    )
    parser.add_argument("--seed", type=int, default=0, help="of the stores [0]")
    parser.add_argument("--keep", type=Path, help="a folder for the stores, to use them again")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        for preset in wanted.preset:
            for memories in wanted.memories:
                path = store_of(memories, wanted.seed, preset, wanted.keep or Path(scratch))
                show(memories, path, preset)
    print("target at 1000000 memories: at most 2 %, under other presets 10 %")


def store_of(memories: int, seed: int, preset: str, folder: Path) -> Path:
    """Return a store that a year under the preset left, made now unless the folder has it.

    Its text is not indexed.
    """
    of_preset = "" if preset == "default" else f"-{preset}"
    path = folder / f"{memories}-{seed}{of_preset}.db"
    if not path.exists():
        draft = path.with_suffix(".making")
        draft.unlink(missing_ok=True)
        stores.make(draft, memories, seed=seed, with_text=False, preset=preset)
        draft.rename(path)
    return path


def show(memories: int, path: Path, preset: str) -> None:
    cases = {
        "a day's worth due": Case(path, stores.NOW, preset),
        "nothing due": Case(path, stores.NOW - DAY, preset),
    }
    first = next(iter(cases.values()))
    exact = "yes" if all(case.selection() == case.scan() for case in cases.values()) else "no"
    print(f"{preset}: {memories} memories in {first.groups()} groups, exact: {exact}")
    print(f"  {'':<18}{'due':>8}{'selection ms':>14}{'full scan ms':>14}{'share':>8}")
    times = best_times([way for case in cases.values() for way in (case.selection, case.scan)])
    for name, case in cases.items():
        fast, slow = times[case.selection], times[case.scan]
        count = len(case.selection())
        print(f"  {name:<18}{count:>8}{fast:>14.1f}{slow:>14.1f}{fast / slow:>8.1%}")
    print("".join(f"  {step}\n" for step in first.plan()), flush=True)
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
