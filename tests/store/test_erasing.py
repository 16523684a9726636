"""Erasing: no byte of what is gone stays in any file, whoever reads or writes meanwhile."""

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stores import keep, locked, plain_sqlite, snapshot, table, undone, using

from hebbctl import text
from hebbctl.models import Filters
from hebbctl.store import Store

CANARY = "zqxwvologies Zqjxkedly 饕餮鱀豚 ｚｑｆｕｌｌ"
WRITTEN = ["zqxwvologies", "Zqjxkedly", "饕", "餮", "鱀", "豚", "ｚｑｆｕｌｌ"]
# As the index holds them: folded, stemmed, in pairs, without what the term before begins with, too.
INDEXED = ["xwvologi", "jxkedl", "餮", "鱀", "豚", "zqfull"]
PENDING = "SELECT * FROM state WHERE name = 'erasure_pending'"


def traces(store: Store) -> list[str]:
    """Return what is left of the canary in any file beside the store."""
    raw = b"".join(one.read_bytes() for one in store.path.parent.iterdir())
    return [trace for trace in WRITTEN + INDEXED if trace.encode() in raw]


def keep_among_others(store: Store, **fields: object) -> int:
    """Store the canary between other memories, so that the index has several segments."""
    for number in range(30):
        keep(store, f"note {number} about tabs and 工具")
    canary = keep(store, CANARY, **fields)
    for number in range(30):
        keep(store, f"later note {number} about spaces and 工具")
    return canary


def index_is_sound(db: sqlite3.Connection) -> None:
    db.execute("INSERT INTO memory_text (memory_text) VALUES ('integrity-check')")


def indexed(path: Path) -> set[tuple[str, int]]:
    """Return every term of the index with the number of memories that hold it."""
    with plain_sqlite(path) as db:
        db.execute("CREATE VIRTUAL TABLE temp.terms USING fts5vocab (main, memory_text, 'row')")
        return set(db.execute("SELECT term, doc FROM temp.terms"))


def test_canary_is_in_the_files_before_it_is_erased(store: Store) -> None:
    keep_among_others(store)
    assert traces(store) == WRITTEN + INDEXED
    blocks = b"".join(row["block"] for row in table(store, "SELECT block FROM memory_text_data"))
    assert [trace for trace in INDEXED if trace.encode() in blocks] == INDEXED


def test_no_byte_of_an_erased_memory_stays_in_any_file(store: Store) -> None:
    words = {"source": "Zqjxkedly", "kind": "饕", "key": "餮", "metadata": '{"鱀": "豚"}'}
    canary = keep_among_others(store, tags=("zqxwvologies",), session="ｚｑｆｕｌｌ", **words)
    store.sweeps.erase([canary], reason="by hand")
    assert store.eraser.finish()
    assert traces(store) == []
    assert table(store, PENDING) == []


def test_last_memory_is_erased_without_trace(store: Store) -> None:
    store.sweeps.erase([keep(store, CANARY)], reason="by hand")
    assert store.eraser.finish()
    assert traces(store) == []
    assert indexed(store.path) == set()


def test_long_memory_is_erased_without_trace(store: Store) -> None:
    canary = keep_among_others(store)
    long = keep(store, f"{CANARY} " * 3000)
    store.sweeps.erase([canary, long], reason="by hand")
    assert store.eraser.finish()
    assert traces(store) == []


def test_archived_and_restored_memory_leaves_no_trace_either(store: Store) -> None:
    canary = keep_among_others(store)
    store.sweeps.archive([canary])
    store.sweeps.restore([canary], reason="by hand")
    store.memories.strengthen([canary])
    store.sweeps.erase([canary], reason="by hand")
    assert store.eraser.finish()
    assert traces(store) == []


def test_rebuilt_index_leaves_no_trace_of_what_is_erased_later(store: Store) -> None:
    canary = keep_among_others(store)
    store.search.rebuild()
    store.sweeps.erase([canary], reason="by hand")
    assert store.eraser.finish()
    assert traces(store) == []


def test_deletion_and_its_mark_are_one_transaction(store: Store) -> None:
    canary = keep(store, CANARY)
    with undone(store):
        store.sweeps.erase([canary], reason="by hand")
    assert store.memories.get(canary).content == CANARY
    assert table(store, PENDING) == []
    store.sweeps.erase([canary], reason="by hand")
    assert len(table(store, PENDING)) == 1


@pytest.mark.usefixtures("short_patience")
def test_reader_of_an_older_state_delays_the_erasure_and_a_later_run_finishes_it(path) -> None:
    with using(path) as store:
        canary = keep_among_others(store)
        with snapshot(path):
            store.sweeps.erase([canary], reason="by hand")
            assert not store.eraser.finish()
            assert len(table(store, PENDING)) == 1
        assert traces(store) != []
        with using(path) as later:
            assert traces(later) == []
            assert table(later, PENDING) == []


@pytest.mark.usefixtures("short_patience")
def test_writer_in_the_way_delays_the_erasure_and_is_no_failure(store: Store) -> None:
    store.sweeps.erase([keep_among_others(store)], reason="by hand")
    with locked(store.path):
        assert not store.eraser.finish()
    assert len(table(store, PENDING)) == 1
    assert store.eraser.finish()


@pytest.mark.usefixtures("short_patience")
def test_store_with_a_pending_erasure_opens_while_another_process_writes(path: Path) -> None:
    with using(path) as store:
        store.sweeps.erase([keep(store, CANARY)], reason="by hand")
    with locked(path), using(path) as later:
        assert later.memories.listing(Filters()) == []


def test_reader_leaves_a_pending_erasure_alone(store: Store) -> None:
    store.sweeps.erase([keep(store, CANARY)], reason="by hand")
    with using(store.path, writable=False):
        assert len(table(store, PENDING)) == 1


def test_finishing_with_nothing_to_do_changes_nothing(store: Store) -> None:
    keep_among_others(store)
    before = indexed(store.path)
    assert store.eraser.finish()
    assert store.eraser.finish()
    assert indexed(store.path) == before


WORDS = st.sampled_from(["tabs", "Tabs", "running", "runs", "工具", "不会用", "C++", "🎉", "é"])
CONTENTS = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
KINDS = st.sampled_from(["add", "add", "erase", "finish", "rebuild"])
ACTIONS = st.lists(st.tuples(KINDS, CONTENTS), max_size=15)


def act(store: Store, actions: list[tuple[str, str]]) -> list[str]:
    """Add and erase, the oldest first, and return the contents that are left."""
    left: list[tuple[int, str]] = []
    for action, content in actions:
        if action == "add":
            left.append((keep(store, content), content))
        elif action == "erase" and left:
            store.sweeps.erase([left.pop(0)[0]], reason="by hand")
        elif action == "finish":
            assert store.eraser.finish()
        elif action == "rebuild":
            store.search.rebuild()
    return [content for _, content in left]


@given(ACTIONS)
@settings(max_examples=25)
def test_index_is_sound_and_holds_no_ghost_after_any_changes(tmp_path_factory, actions) -> None:
    folder = tmp_path_factory.mktemp("index")
    with using(folder / "s.db") as store:
        left = act(store, actions)
        assert store.eraser.finish()
        with plain_sqlite(store.path) as db:
            index_is_sound(db)
    with using(folder / "fresh.db") as fresh:
        for content in left:
            keep(fresh, content)
    assert indexed(folder / "s.db") == indexed(folder / "fresh.db")


def test_word_is_found_until_its_memory_is_erased(store: Store) -> None:
    one = keep(store, "running with tabs")
    expression = f'"{text.prepared("runs")}"'
    assert [match.id for match in list(store.search.matches(expression, Filters(), limit=5))] == [
        one
    ]
    store.sweeps.erase([one], reason="by hand")
    assert list(store.search.matches(expression, Filters(), limit=5)) == []


def test_mark_of_a_later_erasure_survives_the_wiping_of_an_earlier_one(path) -> None:
    with using(path) as first, using(path) as second:
        one, other = keep(first, content="alfa"), keep(first, content="bravo")
        first.sweeps.erase([one], reason="by hand")
        merge = first.eraser._merge_index

        def erase_meanwhile(*, wait: bool) -> None:
            merge(wait=wait)
            second.sweeps.erase([other], reason="by hand")

        first.eraser._merge_index = erase_meanwhile
        assert not first.eraser.finish()
    with plain_sqlite(path) as db:
        assert db.execute("SELECT count(*) FROM state WHERE name LIKE 'erasure%'").fetchone() == (
            1,
        )


def test_run_that_finishes_leaves_another_one_s_copies_to_be_reached(path: Path) -> None:
    with using(path) as store, using(path) as other:
        ids = [keep(store), keep(store, CANARY)]
        copy = Path(store.backups.make().path)
        uids = [memory.uid for memory in store.memories.get_all(ids)]
        other.sweeps.erase(ids[1:], reason="by hand")  # and is killed before it comes to the copy
        store.sweeps.erase(ids[:1], reason="by hand")
        assert store.finish_erasing(uids[:1]) == (True, [])
    assert b"zqxwvologies" in copy.read_bytes()
    with using(path):
        assert b"zqxwvologies" not in copy.read_bytes()
