"""What another process does just before a command begins to write is seen by that command."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from hebbctl import policies
from hebbctl.errors import HebbError, MemoryNotFound, Refused
from hebbctl.models import Draft
from hebbctl.settings import defaults
from hebbctl.store import Store
from hebbctl.usecases import changing, graph, merging, succession

NOW = 1_800_000_000_000  # in the year 2027
SETTINGS = defaults()
PLAIN = Draft("we use tabs", "mem_notes"), Draft("we meet in room 3", "mem_notes")
FACT = Draft("we meet in room 4", "mem_notes", key="office")
Change = Callable[[Store], object]


def opened(path: Path) -> Store:
    return Store(path, lambda name: policies.effective(name, SETTINGS), now=NOW, writable=True)


def edit(store: Store, replaces: str | None = None, **changes: str) -> object:
    return changing.edit(
        store, "1", content=None, changes=changes, most_bytes=1000, replaces=replaces
    )


def merge(store: Store) -> object:
    return merging.merge(store, ["1", "2"], most_edges=50, dry_run=False)


def add_in_place_of_the_second(store: Store) -> object:
    return succession.add(store, Draft("we meet outside", "mem_notes"), replaces="2", force=False)


def erase(*ids: int) -> Change:
    return lambda store: store.eraser.erase(list(ids))


def supersede(*ids: int) -> Change:
    return lambda store: [
        store.successions.add(PLAIN[0]._replace(content="anew"), replaces=one, force=True)
        for one in ids
    ]


@pytest.mark.parametrize(
    ("command", "meanwhile", "error"),
    [
        (lambda store: graph.link(store, "1", "2", weight=1), erase(2), MemoryNotFound),
        (lambda store: changing.tag(store, "2", ["+work"]), erase(2), MemoryNotFound),
        (merge, erase(1), MemoryNotFound),
        (merge, supersede(2), Refused),
        (lambda store: edit(store, kind="fact"), erase(1), MemoryNotFound),
        (lambda store: edit(store, replaces="2"), supersede(2), Refused),
        (add_in_place_of_the_second, supersede(2), Refused),
        (add_in_place_of_the_second, erase(2), MemoryNotFound),
        (
            lambda store: succession.trust(store, ["4"], revoke=False),
            lambda store: store.changes.pin([3], pinned=True),
            Refused,
        ),
    ],
)
def test_command_goes_by_what_is_there_when_it_holds_the_lock(
    tmp_path: Path, command: Change, meanwhile: Change, error: type[HebbError]
) -> None:
    with filled(tmp_path / "alone.db") as store, beginnings(store) as alone:
        command(store)
    with filled(tmp_path / "s.db") as store, filled(tmp_path / "s.db") as other:
        before = len(alone) - 1, lambda: meanwhile(other)
        with beginnings(store, before) as seen, pytest.raises(error):
            command(store)
        assert len(seen) == len(alone)
        audited = other._database.rows("SELECT action FROM audit")
        assert len(audited) <= 1  # of what the other did; nothing else was done


@contextmanager
def filled(path: Path) -> Iterator[Store]:
    with closing(opened(path)) as store:
        doubtful = FACT._replace(content="we meet in room 5", trusted=False)
        for draft in (*PLAIN, FACT, doubtful):
            store.memories.add(draft, force=False)
        yield store


@contextmanager
def beginnings(
    store: Store, before: tuple[int, Callable[[], object]] | None = None
) -> Iterator[list[str]]:
    """List the transactions that a store begins, and do something just ``before`` one of them."""
    seen: list[str] = []
    failures: list[Exception] = []

    def look(statement: str) -> None:
        if not statement.startswith("BEGIN"):
            return
        try:
            if before and before[0] == len(seen):
                before[1]()
        except Exception as error:  # sqlite3 would swallow it
            failures.append(error)
        seen.append(statement)

    store._database.connection.set_trace_callback(look)
    yield seen
    store._database.connection.set_trace_callback(None)
    assert failures == []
