"""Similar memories: found for a decision, and made one by hand."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hebbctl import similarity
from hebbctl.errors import Refused, WrongUsage
from hebbctl.models import Change, Memory
from hebbctl.store import Store
from hebbctl.usecases.changing import live
from hebbctl.usecases.memories import BATCH, change_of


class Similar(NamedTuple):
    """Two live memories of one partition and scope that may say the same.

    ``overlap`` is words in both / words in either; ``together`` the weight of their edge: how often
    and how lately they were used together. ``command`` makes them one.
    """

    keep: int
    merge: int
    overlap: float
    together: float
    command: str
    content: str
    other: str


def similar(store: Store) -> list[Similar]:
    """Return the pairs worth a look: first those used together, then the most alike.

    Of a pair the one that was used more stays, else the older one.
    """
    places: defaultdict[tuple[str, str], dict[int, Memory]] = defaultdict(dict)
    ids = list(store.lifecycle.used(0))
    for start in range(0, len(ids), BATCH):
        for memory in store.memories.get_all(ids[start : start + BATCH]):
            places[memory.partition, memory.scope][memory.id] = memory
    together = store.lifecycle.together()
    found = [one for memories in places.values() for one in _similar(memories, together)]
    return sorted(found, key=lambda one: (-one.together, -one.overlap, one.keep, one.merge))


def _similar(
    memories: dict[int, Memory], together: dict[tuple[int, int], float]
) -> Iterator[Similar]:
    texts = {one: similarity.words(memory.content) for one, memory in memories.items()}
    for earlier, later, overlap in similarity.pairs(texts):
        more_used = memories[later].access_count > memories[earlier].access_count
        keep, merge = (later, earlier) if more_used else (earlier, later)
        yield Similar(
            keep,
            merge,
            overlap,
            together.get((earlier, later), 0.0),
            f"hebb consolidate --merge {keep} {merge}",
            memories[keep].content,
            memories[merge].content,
        )


def merge(store: Store, references: Sequence[str], *, most_edges: int, dry_run: bool) -> Change:
    """Make one memory of several: the first stays, with the tags, uses and edges of all.

    The others are archived as superseded by it.

    Raises:
        Refused: one is archived, pinned, or trusted while the first is not.
        WrongUsage: there is only one.
    """
    with store.deciding():
        ids = _mergeable(store, references)
        if not dry_run:
            store.lifecycle.merge(ids[0], ids[1:])
            store.edges.move(ids[1:], ids[0])
            store.graph.trim(ids[0], most_edges)
    return change_of(store, "merged", ids, ids, dry_run=dry_run)


def _mergeable(store: Store, references: Sequence[str]) -> list[int]:
    ids = live(store, references)
    if len(ids) < 2:
        raise WrongUsage("merge which memories?", hint="name the one that stays, then the others")
    first, *others = store.memories.get_all(ids)
    for one in others:
        if one.pinned:
            raise Refused(f"pinned: {one.id}", hint=f"name it first, or 'hebb unpin {one.id}'")
        if one.trusted and not first.trusted:
            raise Refused(
                f"memory {first.id} is not trusted, and {one.id} is", hint="name it first"
            )
    return ids
