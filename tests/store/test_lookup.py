"""Single memories: stored, found by what a user types, listed, strengthened."""

from typing import Any

import pytest
from stores import DAY, NOW, keep, locked, table, undone, using

from hebbctl.errors import Ambiguous, MemoryNotFound, StoreError
from hebbctl.models import Draft, Filters
from hebbctl.store import Store

EVERY_FIELD: dict[str, Any] = {
    "content": "all\nof it é 🎉",
    "partition": "mem_facts",
    "uid": "u-1",
    "kind": "fact",
    "importance": 7.25,
    "strength": 1.5,
    "access_count": 10**15,
    "frequency": 2.5,
    "created_at": 0,
    "last_accessed_at": 253_402_300_799_999,
    "renewed_at": 5,
    "tags": ("a", "b"),
    "source": "mail",
    "scope": "hebb",
    "scope_kind": "project",
    "session": "s",
    "key": "k",
    "trusted": False,
    "pinned": True,
    "ttl_ms": 2**63 - 1,
    "expires_at": 253_402_300_799_999,
    "promoted_at": 6,
    "archived_at": 7,
    "archived_reason": "by hand",
    "anchor_value": 0.8,
    "anchor_at": 8,
}


def ids(store: Store, *, sort: str = "created", limit: int = -1, **filters: Any) -> list[int]:
    found = store.memories.listing(Filters(**filters), sort=sort, limit=limit)
    return [memory.id for memory in found]


def test_every_field_is_kept(store: Store) -> None:
    memory = store.memories.get(keep(store, **EVERY_FIELD, metadata='{"a": [1, null]}'))
    found = {name: getattr(memory, name) for name in EVERY_FIELD}
    assert found == EVERY_FIELD
    assert (memory.metadata, memory.state, memory.superseded_by) == (
        {"a": [1, None]},
        "archived",
        None,
    )


def test_memory_begins_now_with_a_uid_of_its_own(store: Store) -> None:
    one, other = (store.memories.get(keep(store)) for _ in range(2))
    assert (one.created_at, one.last_accessed_at, one.access_count) == (NOW, NOW, 0)
    assert (one.state, one.retention) == ("live", 1)
    assert one.uid != other.uid


def test_older_memory_was_last_used_when_it_was_made(store: Store) -> None:
    assert store.memories.get(keep(store, created_at=5)).last_accessed_at == 5


def test_expiry_is_at_its_very_millisecond(store: Store) -> None:
    found = [keep(store, expires_at=NOW + step) for step in (0, 1)]
    assert [store.memories.get(one).state for one in found] == ["expired", "live"]


def test_memories_come_in_the_order_asked_for_without_those_that_are_gone(store: Store) -> None:
    for number in range(3):
        keep(store, f"note {number}")
    assert [one.id for one in store.memories.get_all([3, 99, 1, 3])] == [3, 1, 3]
    with pytest.raises(MemoryNotFound, match="'99'"):
        store.memories.get(99)


def test_the_same_text_in_the_same_partition_and_scope_is_stored_once(store: Store) -> None:
    first = Draft("use tabs", "mem_notes")
    memory, existing = store.memories.add(first, force=False)
    assert not existing
    again = first._replace(importance=9.0, tags=("a",))
    assert store.memories.add(again, force=False) == (memory, True)
    for other in (
        first._replace(content="use tabs "),
        first._replace(partition="mem_facts"),
        first._replace(scope="hebb"),
    ):
        assert not store.memories.add(other, force=False)[1]
    assert not store.memories.add(first, force=True)[1]
    assert len(ids(store)) == 5


@pytest.mark.parametrize("ended", [{"expires_at": NOW}, {"archived_at": 5}])
def test_what_has_ended_is_no_duplicate(store: Store, ended: dict[str, int]) -> None:
    reason = {"archived_reason": "swept"} if "archived_at" in ended else {}
    keep(store, "use tabs", **ended, **reason)
    assert not store.memories.add(Draft("use tabs", "mem_notes"), force=False)[1]


def test_many_are_stored_and_each_says_what_became_of_it(store: Store) -> None:
    drafts = [
        Draft("one", "mem_notes", uid="u-1", key="k"),
        Draft("other text", "mem_notes", uid="u-1"),
        Draft("one", "mem_notes"),
        Draft("two", "mem_notes", key="k", created_at=NOW - 1),
        Draft("three", "mem_notes", importance=11),
        Draft("four", "mem_notes"),
    ]
    results = store.imports.add_all(drafts, restore_deleted=False)
    assert [*results[:4], results[5]] == ["stored", "existing", "existing", "stored", "stored"]
    assert "the store refuses it" in results[4]
    assert [one.content for one in store.memories.listing(Filters())] == ["four", "one"]
    assert table(store, "SELECT count(*) AS n FROM memory_text_docsize") == [{"n": 3}]


def test_key_is_current_once_in_a_scope_but_archived_and_untrusted_ones_may_share_it(store) -> None:
    shared = {"archived_at": 5, "archived_reason": "superseded"}
    for fields in ({}, shared, shared, {"trusted": False}, {"scope": "hebb"}):
        keep(store, key="k", **fields)
    with pytest.raises(StoreError):
        keep(store, key="k")


def test_successors_are_linked_as_far_as_both_are_here(store: Store) -> None:
    for uid in ("u-1", "u-2"):
        keep(store, uid, uid=uid)
    store.imports.link_successors({"u-1": "u-2", "u-2": "u-3", "u-4": "u-1"})
    assert store.memories.get(1).superseded_by == "u-2"
    assert store.memories.get(2).superseded_by is None


@pytest.mark.parametrize(
    ("reference", "found"),
    [
        ("1", 1),
        ("abc", 1),  # a whole uid, though it begins others, too
        ("abcd", 2),
        ("abce", 3),
        ("abce9", 3),
        ("xyz", 4),
        ("9a9", 6),
        ("ünï", 7),
    ],
)
def test_reference_is_an_id_a_uid_or_the_beginning_of_one(store, reference, found) -> None:
    for uid in ("abc", "abcd-1", "abce9", "xyz-long", "123", "9a9b", "ünïque"):
        keep(store, uid=uid)
    assert store.memories.resolve(reference) == found


@pytest.mark.parametrize(
    "reference",
    ["", "0", "9", "-1", "1.0", "9" * 19, "9" * 400, "٣", "ab", "ABC", "abc ", "zzz", "%", "ab_d"],
)
def test_what_fits_no_memory_is_not_found(store: Store, reference: str) -> None:
    for uid in ("abc-1", "abd-1"):
        keep(store, uid=uid)
    with pytest.raises(MemoryNotFound):
        store.memories.resolve(reference)


def test_digits_are_never_the_beginning_of_a_uid(store: Store) -> None:
    keep(store, uid="2222-3333")
    with pytest.raises(MemoryNotFound):
        store.memories.resolve("2222")


def test_beginning_of_several_uids_names_them(store: Store) -> None:
    for number in range(7):
        keep(store, uid=f"abc-{number}")
    with pytest.raises(Ambiguous, match="'abc-' fits abc-0, abc-1, abc-2, abc-3, abc-4 and more"):
        store.memories.resolve("abc-")
    assert store.memories.resolve("abc-6") == 7


def test_reference_of_broken_bytes_is_no_memory(store: Store) -> None:
    keep(store)
    for reference in ("abc\ud800", "\udfff\udfff\udfff"):
        with pytest.raises(MemoryNotFound):
            store.memories.resolve(reference)


def test_listing_begins_with_the_greatest_and_among_equals_with_the_newest(store: Store) -> None:
    keep(store, "1", created_at=NOW - 3, importance=1, last_accessed_at=NOW)
    keep(store, "2", created_at=NOW - 1, importance=9, last_accessed_at=NOW - 9 * DAY)
    keep(store, "3", created_at=NOW - 1, importance=9, last_accessed_at=NOW - 9 * DAY)
    keep(store, "4", created_at=NOW - 2, importance=0, last_accessed_at=NOW - 8 * DAY)
    assert ids(store) == [3, 2, 4, 1]
    assert ids(store, sort="accessed") == [1, 4, 3, 2]
    assert ids(store, sort="importance") == [3, 2, 1, 4]
    assert ids(store, sort="retention") == [1, 3, 2, 4]
    assert ids(store, limit=2) == [3, 2]
    assert ids(store, limit=0) == []


FILTERED: list[tuple[dict[str, Any], list[int]]] = [
    ({}, [4, 3, 2, 1]),
    ({"partition": "mem_facts"}, [2]),
    ({"kinds": ("fact",)}, [3]),
    ({"scopes": ("hebb",)}, [4]),
    ({"tags": (("a",),)}, [2, 1]),
    ({"tags": (("a",), ("b",))}, [1]),
    ({"tags": (("a",), ("1",))}, []),
    ({"tags": (("1", "b"),)}, [1]),
    ({"since": 20}, [4, 3, 2]),
    ({"until": 20}, [1]),
    ({"since": 20, "until": 30}, [2]),
    ({"archived": True}, [5]),
    ({"archived": True, "tags": (("1",),)}, [5]),
    ({"scopes": ("hebb",), "kinds": ("fact",)}, []),
    ({"source": "a book"}, [4]),
    ({"session": "talk"}, [4, 3, 2, 1]),
    ({"session": "nobody"}, []),
]


def fill_for_filters(store: Store, scope: str = "global") -> None:
    said = {"session": "talk", "scope": scope}
    keep(store, "tabs one", tags=("a", "b"), created_at=10, **said)
    keep(store, "tabs two", tags=("a",), created_at=20, partition="mem_facts", **said)
    keep(store, "tabs three", kind="fact", created_at=30, **said)
    keep(store, "tabs four", created_at=40, source="a book", **said | {"scope": "hebb"})
    shelved = {"archived_at": 50, "archived_reason": "swept", "tags": ("1",), "created_at": 50}
    keep(store, "tabs five", **shelved, **said)
    keep(store, "tabs six", expires_at=NOW, **said)


@pytest.mark.parametrize(("filters", "expected"), FILTERED)
def test_listing_looks_at_what_the_filters_let_through(store, filters, expected) -> None:
    fill_for_filters(store)
    assert ids(store, **filters) == expected


@pytest.mark.parametrize(("filters", "expected"), FILTERED)
def test_search_looks_at_what_the_filters_let_through_before_its_limit(
    store, filters, expected
) -> None:
    fill_for_filters(store)
    for number in range(60):  # better matches, all of them filtered out
        keep(store, "tabs", expires_at=NOW, uid=f"decoy {number}")
    found = store.search.matches('"tabs"', Filters(**filters), limit=4)
    assert sorted(match.id for match in found) == sorted(expected)


@pytest.mark.parametrize(("filters", "expected"), FILTERED)
def test_of_some_ids_those_pass_that_the_filters_let_through(store, filters, expected) -> None:
    fill_for_filters(store)
    keep(store, "tabs seven, which nobody asks for")
    assert sorted(store.search.passing([*range(1, 7)], Filters(**filters))) == sorted(expected)


def test_neighbours_are_every_turn_of_the_session_and_scope(store: Store) -> None:
    fill_for_filters(store, scope="hebb")
    keep(store, "the hit", created_at=1, session="talk", scope="hebb")
    found = store.search.neighbours([7], reach=9)
    assert sorted(neighbour for _, neighbour, _ in found) == [1, 2, 3, 4, 5, 6]


def test_export_is_everything_by_uid(store: Store) -> None:
    for uid, fields in (("b", {}), ("c", {"expires_at": 1}), ("a", {"pinned": True})):
        keep(store, uid, uid=uid, **fields)
    store.sweeps.archive([1])
    assert [memory.uid for memory in store.memories.export()] == ["a", "b", "c"]


def test_use_is_counted_once_and_resets_the_clock_of_live_memories(store: Store) -> None:
    ends = [{}, {"archived_at": 5, "archived_reason": "swept"}, {"last_accessed_at": NOW + 9}]
    for fields in ends:
        keep(store, **{"last_accessed_at": 5} | fields)
    store.memories.strengthen([1, 1, 2, 3, 99])
    found = [(one.access_count, one.last_accessed_at) for one in store.memories.get_all([1, 2, 3])]
    assert found == [(1, NOW), (0, 5), (1, NOW + 9)]


def test_count_of_uses_has_an_end(store: Store) -> None:
    keep(store, access_count=10**15)
    store.memories.strengthen([1])
    assert store.memories.get(1).access_count == 10**15


def test_strengthening_never_waits_for_another_writer(store: Store) -> None:
    keep(store)
    asked: list[str] = []
    with locked(store.path):
        store._database.connection.set_trace_callback(asked.append)
        with pytest.raises(StoreError, match="is locked"):
            store.memories.strengthen([1])
        store._database.connection.set_trace_callback(None)
    assert "PRAGMA busy_timeout = 0" in asked
    assert store.memories.get(1).access_count == 0


def test_writer_is_patient_again_after_it_did_not_wait(store: Store) -> None:
    keep(store)
    store.memories.strengthen([1])
    keep(store, "two")
    [patience] = store._database.connection.execute("PRAGMA busy_timeout").fetchone()
    assert patience == 5000


def test_pinned_ones_are_told_from_the_others(store: Store) -> None:
    found = [keep(store, pinned=pinned) for pinned in (True, False, True)]
    assert sorted(store.memories.pinned(found)) == [1, 3]


def test_transaction_keeps_all_or_nothing(store: Store) -> None:
    with undone(store):
        keep(store)
    assert ids(store) == []
    with store.transaction():
        keep(store)
        with using(store.path, writable=False) as other:
            assert ids(other) == []
    assert ids(store) == [1]


def test_digits_that_begin_with_0_are_the_beginning_of_a_uid(store) -> None:
    """Uids made here begin with 01: taken for an id, 0190 would name another memory."""
    for _ in range(20):
        keep(store)
    wanted = keep(store, uid="01902b72-9488")
    assert store.memories.resolve("019") == wanted
