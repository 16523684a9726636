"""The full-text index and the neighbours in a session."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stores import DAY, NOW, fill, keep, table, using

from hebbctl import ranking, text
from hebbctl.models import Filters
from hebbctl.store import Store

one_store = settings(
    max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
VERSION = "SELECT value FROM state WHERE name = 'text_version'"


def matching(store: Store, query: str, limit: int = 9, **filters: Any) -> list[int]:
    """Return what the strictest expression that finds anything finds."""
    for _, expression in ranking.expressions(query):
        found = list(store.search.matches(expression, Filters(**filters), limit=limit))
        if found:
            return [match.id for match in found]
    return []


def test_best_match_comes_first_and_among_equals_the_newest(store: Store) -> None:
    for content in ("tabs and more words", "tabs", "tabs", "tabs tabs tabs"):
        keep(store, content)
    found = list(store.search.matches('"tab"', Filters(), limit=9))
    assert [match.id for match in found] == [4, 3, 2, 1]
    assert all(one.bm25 >= other.bm25 > 0 for one, other in pairwise(found))
    assert matching(store, "tabs", limit=2) == [4, 3]


def test_match_knows_its_retention_and_about_how_long_it_is(store: Store) -> None:
    keep(store, "seven words of six letters each one", last_accessed_at=0)
    [match] = list(store.search.matches('"seven"', Filters(), limit=9))
    assert match.retention == store.memories.get(1).retention < 1e-6
    assert match.words == pytest.approx(7, abs=1.5)


def test_only_the_newest_that_fit_are_ranked_where_that_is_asked(store: Store, plain) -> None:
    """However many more fit: this counts SQLite's steps."""
    steps: list[int] = []
    for size in (50, 150):
        plain.execute("INSERT INTO memory_text (memory_text) VALUES ('delete-all')")
        fill(plain, [{}] * size)
        plain.execute("INSERT INTO memory_text (rowid, words) SELECT id, 'tabs' FROM memory")
        taken = [0]
        db = store._database.connection
        db.set_progress_handler(lambda taken=taken: taken.append(taken.pop() + 1), 1)
        found = list(store.search.matches('"tabs"', Filters(), limit=9, newest=20))
        db.set_progress_handler(None, 1)
        steps += taken
        assert [match.id for match in found] == [*range(size, size - 9, -1)]
        assert store.search.count('"tabs"') == size
    assert steps[0] == steps[1] > 20


def test_superseded_memory_is_not_found_even_in_the_archive(store: Store) -> None:
    keep(store, "tabs one", archived_at=5, archived_reason="superseded")
    keep(store, "tabs two", archived_at=5, archived_reason="swept")
    assert matching(store, "tabs", archived=True) == [2]
    assert matching(store, "tabs") == []


@pytest.mark.parametrize(
    "query",
    ['"', "*", "tabs*", 'ta"bs', "words:tabs", "tabs OR", "NOT tabs", "(tabs", "^tabs", "a AND"],
)
def test_text_of_a_query_is_never_syntax(store: Store, query: str) -> None:
    keep(store, "use tabs")
    assert matching(store, query) in ([], [1])


def test_index_is_made_anew_where_another_version_prepared_the_text(path, monkeypatch) -> None:
    with using(path) as store:
        keep(store, "Straße")
        assert table(store, VERSION) == [{"value": text.VERSION}]
        wanted = '"strasse"'
        assert list(store.search.matches(wanted, Filters(), limit=1))
    with monkeypatch.context() as older:
        older.setattr(text, "VERSION", "0/older")
        with using(path) as store:
            assert table(store, VERSION) == [{"value": "0/older"}]
            store._database.connection.execute(
                "INSERT INTO memory_text (memory_text) VALUES ('delete-all')"
            )
            assert not list(store.search.matches(wanted, Filters(), limit=1))
    with using(path, writable=False) as reader:
        assert not list(reader.search.matches(wanted, Filters(), limit=1))
    with using(path) as store:
        assert table(store, VERSION) == [{"value": text.VERSION}]
        assert list(store.search.matches(wanted, Filters(), limit=1))


def test_opening_with_the_same_version_makes_nothing_anew(path) -> None:
    with using(path) as store:
        keep(store, "tabs")
        store._database.connection.execute(
            "INSERT INTO memory_text (memory_text) VALUES ('delete-all')"
        )
    with using(path) as store:
        assert matching(store, "tabs") == []


def pairs(store: Store, *ids: int, reach: int = 2) -> set[tuple[int, int, int]]:
    found = store.search.neighbours(ids, reach=reach)
    assert len(found) == len(set(found))
    return set(found)


def passing_pairs(store: Store, one: int, **filters: Any) -> set[tuple[int, int, int]]:
    """Return the pairs with the neighbours that the filters let through."""
    found = pairs(store, one)
    passing = store.search.passing([neighbour for _, neighbour, _ in found], Filters(**filters))
    return {pair for pair in found if pair[1] in passing}


def talk(store: Store, times: list[int], **fields: Any) -> list[int]:
    return [
        keep(store, f"turn at {time}", **{"session": "s", "created_at": time} | fields)
        for time in times
    ]


def test_neighbours_are_counted_in_the_order_of_time_then_id(store: Store) -> None:
    talk(store, [30, 10, 20, 20, 40])  # in order: 2, 3, 4, 1, 5
    assert pairs(store, 4) == {(4, 3, 1), (4, 2, 2), (4, 1, 1), (4, 5, 2)}
    assert pairs(store, 4, reach=1) == {(4, 3, 1), (4, 1, 1)}
    assert pairs(store, 2, 5, reach=1) == {(2, 3, 1), (5, 1, 1)}


def test_neighbour_is_of_the_same_session_and_scope(store: Store) -> None:
    talk(store, [1, 3])
    talk(store, [2], session="other")
    talk(store, [2], scope="other")
    talk(store, [2], session=None)
    assert pairs(store, 1) == {(1, 2, 1)}
    assert pairs(store, 3, 4, 5) == set()


def test_turn_the_filters_keep_out_counts_but_does_not_pass(store: Store) -> None:
    talk(store, [1])
    talk(store, [2], kind="fact")
    talk(store, [3])
    talk(store, [4], expires_at=NOW)
    talk(store, [5], archived_at=5, archived_reason="superseded")
    assert passing_pairs(store, 1) == {(1, 2, 1), (1, 3, 2)}
    assert passing_pairs(store, 1, kinds=("fact",)) == {(1, 2, 1)}
    assert pairs(store, 3) == {(3, 2, 1), (3, 1, 2), (3, 4, 1), (3, 5, 2)}
    assert passing_pairs(store, 3) == {(3, 2, 1), (3, 1, 2)}
    assert passing_pairs(store, 3, archived=True) == set()


def test_what_passes_comes_with_its_retention_and_about_how_long_it_is(store: Store) -> None:
    keep(store, "seven words of six letters each one", last_accessed_at=0)
    keep(store, "two words")
    passing = store.search.passing([2, 1, 1, 99], Filters())
    assert {memory: one.retention for memory, one in passing.items()} == {
        memory: store.memories.get(memory).retention for memory in (1, 2)
    }
    assert [passing[memory].words for memory in (1, 2)] == pytest.approx([7, 2], abs=1.5)


def test_totals_count_every_memory_once(store: Store) -> None:
    keep(store, "live", pinned=True)
    keep(store, "faded", last_accessed_at=0)
    keep(store, "expired", expires_at=1)
    keep(store, "shelved", partition="mem_facts", archived_at=1, archived_reason="swept")
    keep(store, "expired, pinned", expires_at=NOW, last_accessed_at=0, pinned=True)
    keep(store, "shelved, pinned", archived_at=1, archived_reason="swept", pinned=True)
    assert store.statistics.total() == 6
    assert store.statistics.counts() == [
        ("mem_facts", "archived", 1),
        ("mem_notes", "archived", 1),
        ("mem_notes", "expired", 2),
        ("mem_notes", "live", 1),
    ]
    assert store.statistics.retained() == [1, 1, 1, 1, 1]
    assert store.statistics.pinned() == [("mem_notes", [0, 0, 0, 0, 1])]
    assert store.statistics.live_by_partition() == {"mem_facts": 0, "mem_notes": 4}


@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "last_accessed_at": st.integers(NOW - 400 * DAY, NOW),
                "importance": st.sampled_from([0.0, 5.0]),
                "pinned": st.sampled_from([0, 0, 1]),
                "expires_at": st.sampled_from([None, None, NOW, NOW + 1]),
                "ttl_ms": st.sampled_from([None, None, 5 * DAY]),
                "renewed_at": st.sampled_from([None, None, NOW - DAY]),
                "archived_at": st.sampled_from([None, None, 5]),
            }
        ),
        max_size=20,
    )
)
@one_store
def test_bands_count_each_live_memory_by_its_retention(store: Store, plain, rows) -> None:
    fill(plain, rows)
    live = [one for one in store.memories.get_all([*range(21)]) if one.state == "live"]
    pinned = below([one.retention for one in live if one.pinned])
    assert store.statistics.retained() == below([one.retention for one in live if not one.pinned])
    assert store.statistics.pinned() == ([("mem_notes", pinned)] if pinned[-1] else [])


def below(retained: list[float]) -> list[int]:
    counts = [sum(one < edge for one in retained) for edge in (0.1, 0.3, 0.5, 0.8)]
    return [*counts, len(retained)]


def test_totals_ask_for_retention_once_for_each_live_memory(store: Store, plain) -> None:
    """Not for each band, and for nothing in the archive."""
    fill(plain, [{}] * 50 + [{"pinned": 1}] * 5 + [{"archived_at": 5}] * 20)
    asked: list[int] = []
    db = store._database.connection
    db.create_function("retention", 9, lambda *of: asked.append(1) or 0.5)
    store.statistics.counts()
    assert not asked
    assert store.statistics.retained() == [0, 0, 0, 50, 50]
    assert len(asked) == 50
    assert store.statistics.pinned() == [("mem_notes", [0, 0, 0, 5, 5])]
    assert len(asked) == 55


def test_totals_of_what_is_not_pinned_walk_no_table(store: Store, plain) -> None:
    ran: list[str] = []
    db = store._database.connection
    db.set_trace_callback(ran.append)
    store.statistics.counts()
    store.statistics.retained()
    db.set_trace_callback(None)
    steps = [row["detail"] for one in ran for row in db.execute(f"EXPLAIN QUERY PLAN {one}")]
    of_memory = [step for step in steps if "memory" in step]
    assert len(of_memory) >= 7
    assert all("USING COVERING INDEX" in step or "SEARCH" in step for step in of_memory)


def test_history_counts_sweeps_and_what_was_erased(store: Store) -> None:
    empty = store.statistics.history()
    assert (empty["sweeps"], empty["last_sweep_at"], empty["tombstones"]) == (0, None, 0)
    store.sweeps.erase([keep(store)], reason="by hand")
    store.sweeps.begin(threshold=None, partition=None)
    history = store.statistics.history()
    assert (history["sweeps"], history["last_sweep_at"], history["tombstones"]) == (1, NOW, 1)
    assert history["size_bytes"] % 4096 == 0
