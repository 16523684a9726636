"""Print what search by meaning costs: the model's load, a text, and a search of many vectors."""

import argparse
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from hebbctl import embeddings, policies, settings
from hebbctl.embeddings import int8
from hebbctl.errors import EmbedderError
from hebbctl.models import Draft, Filters
from hebbctl.store import Store
from hebbctl.store.vectors import FIRST_ID, Vector
from hebbctl.usecases import meaning

NOW = 1_767_225_600_000  # 2026-01-01
SIZE = 512
TURNS = 20  # of a session
TEXTS = [f"Ann asked in talk {n} how the lamp in room {n % 40} is mended" for n in range(512)]


class Pointing:
    """An embedder that costs nothing, so that the search alone is measured."""

    name = "random"
    batch = 1

    def obstacle(self) -> EmbedderError | None:
        return None

    def encode(self, texts: Any) -> list[Any]:
        rng = random.Random(len(texts[0]))
        return [[rng.gauss(0, 1) for _ in range(SIZE)] for _ in texts]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, nargs="+", default=[10_000, 100_000])
    chosen = parser.parse_args()
    model()
    for memories in chosen.memories:
        search(memories)


def model() -> None:
    embedder = embeddings.chosen(settings.defaults())
    assert embedder is not None
    if obstacle := embedder.obstacle():
        print(f"{obstacle}: {obstacle.hint}")
        return
    before = megabytes()
    print(f"load and first text  {milliseconds(lambda: embedder.encode(TEXTS[:1])):8.1f} ms")
    print(f"memory of it         {megabytes() - before:8.1f} MB")
    each = min(milliseconds(lambda: embedder.encode(TEXTS[:1])) for _ in range(20))
    print(f"one text alone       {each:8.2f} ms")
    all_of_them = milliseconds(lambda: embedder.encode(TEXTS))
    print(f"each of {len(TEXTS)} texts    {all_of_them / len(TEXTS):8.2f} ms")


def search(memories: int) -> None:
    """Print the best of some searches of a store in which every memory has a vector."""
    with tempfile.TemporaryDirectory() as folder:
        values = settings.defaults()
        path = Path(folder, "hebb.db")
        with closing(
            Store(path, lambda name: policies.effective(name, values), now=NOW, writable=True)
        ) as store:
            fill(store, memories)
            before = megabytes()
            best = min(milliseconds(lambda: look(store)) for _ in range(5))
            more, size = megabytes() - before, path.stat().st_size / 1e6
            print(
                f"search of {memories:8,}   {best:8.1f} ms, {more:.1f} MB more, store {size:.0f} MB"
            )


def look(store: Store) -> None:
    meaning.similar(store, "the lamp", Pointing(), filters=Filters(), limit=50)


def fill(store: Store, memories: int) -> None:
    rng = random.Random(6)
    rows = [int8.packed([rng.gauss(0, 1) for _ in range(SIZE)]) for _ in range(200)]
    drafts = [
        Draft(
            content=f"turn {n}",
            partition="mem_notes",
            session=f"talk {n // TURNS}",
            created_at=NOW - memories + n,
        )
        for n in range(memories)
    ]
    with store.bulk():
        store.imports.add_all(drafts, restore_deleted=False)
        texts = store.vectors.texts("random", everything=True, ids=None, after=FIRST_ID, limit=-1)
        for start in range(0, memories, 10_000):
            store.vectors.put(
                "random",
                (
                    (text, Vector(text.id, *rows[rng.randrange(len(rows))]))
                    for text in texts[start : start + 10_000]
                ),
            )


def milliseconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) * 1000


def megabytes() -> float:
    """Return the most memory this process ever held."""
    unit = 1e6 if sys.platform == "darwin" else 1e3
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


if __name__ == "__main__":
    main()
