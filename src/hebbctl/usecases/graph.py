"""Memories used together: shown, joined by hand and taken apart."""

from contextlib import suppress
from typing import NamedTuple

from hebbctl.errors import StoreError, WrongUsage
from hebbctl.models import Memory, Settings
from hebbctl.store import Store
from hebbctl.store.graph import Edge


class Related(NamedTuple):
    """A memory that was used together with another one, and how strong that is now."""

    id: int
    uid: str
    weight: float
    bridging: bool
    last_updated_at: int
    partition: str
    content: str


class EdgeView(NamedTuple):
    """Two memories used together; ``bridging`` ones share no tag and no kind."""

    memory_a: int
    memory_b: int
    weight: float
    bridging: bool
    last_updated_at: int


class Node(NamedTuple):
    """A memory that has edges."""

    id: int
    uid: str
    kind: str | None
    tags: tuple[str, ...]
    retention: float
    content: str


class GraphView(NamedTuple):
    """The memories that were used together, by id, and the edges between them, strongest first."""

    nodes: tuple[Node, ...]
    edges: tuple[EdgeView, ...]


class Link(NamedTuple):
    """What became of an edge between two memories: linked, changed, unlinked or unchanged."""

    action: str
    memory_a: int
    memory_b: int
    weight: float | None


def follow(store: Store, memory: Memory, settings: Settings) -> None:
    """Join a memory just written lightly with the one before it in its session.

    The memory is stored: nothing that hinders this may make its command fail.
    """
    weight = settings.values["session_edge_weight"]
    before = store.graph.before(memory.id) if weight else None
    if before is None:
        return
    with suppress(StoreError), store.transaction(wait=False):
        store.graph.use_together(
            [before, memory.id],
            weight=weight,
            most_pairs=1,
            most_edges=settings.values["graph_edges_per_memory"],
        )


def related(store: Store, reference: str, *, limit: int) -> list[Related]:
    """Return what was used together with a memory, the strongest first."""
    memory_id = store.memories.resolve(reference)
    edges = {_other(edge, memory_id): edge for edge in store.graph.edges(memory_id)[:limit]}
    return [
        Related(
            memory.id,
            memory.uid,
            edges[memory.id].weight,
            edges[memory.id].bridging,
            edges[memory.id].last_updated,
            memory.partition,
            memory.content,
        )
        for memory in store.memories.get_all(list(edges))
    ]


def _other(edge: Edge, memory_id: int) -> int:
    return edge.memory_b if edge.memory_a == memory_id else edge.memory_a


def graph(store: Store, reference: str | None) -> GraphView:
    """Return the whole graph, or one memory with its edges."""
    memory_id = None if reference is None else store.memories.resolve(reference)
    edges = store.graph.edges(memory_id)
    ids = {one for edge in edges for one in (edge.memory_a, edge.memory_b)}
    ids |= set() if memory_id is None else {memory_id}
    nodes = (
        Node(one.id, one.uid, one.kind, one.tags, one.retention, one.content)
        for one in store.memories.get_all(sorted(ids))
    )
    views = (
        EdgeView(edge.memory_a, edge.memory_b, edge.weight, edge.bridging, edge.last_updated)
        for edge in edges
    )
    return GraphView(tuple(nodes), tuple(views))


def link(store: Store, one: str, other: str, *, weight: float) -> Link:
    """Give the edge between two memories a weight, making it if need be."""
    with store.deciding():
        first, second = _two(store, one, other)
        made = store.graph.link(first, second, weight=weight)
    return Link("linked" if made else "changed", first, second, weight)


def unlink(store: Store, one: str, other: str) -> Link:
    first, second = _two(store, one, other)
    removed = store.graph.unlink(first, second)
    return Link("unlinked" if removed else "unchanged", first, second, None)


def _two(store: Store, one: str, other: str) -> tuple[int, int]:
    """Return two ids, the lower first.

    Raises:
        WrongUsage: both mean the same memory.
    """
    first, second = sorted((store.memories.resolve(one), store.memories.resolve(other)))
    if first == second:
        raise WrongUsage(f"{one} and {other} are one memory", hint="name two that belong together")
    return first, second
