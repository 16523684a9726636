"""Taking, archiving, restoring and erasing: what changes, what stays, what is refused."""

import pytest
from stores import DAY, NOW, keep, plain_sqlite, table, undone, using

from hebbctl.errors import MemoryNotFound, Refused, SweepNotFound
from hebbctl.models import Draft, Filters
from hebbctl.store import Store
from hebbctl.store.sweeps import Due

OLD = NOW - 5000 * DAY
SWEPT = "swept"


def take(store: Store, due: list[Due], outcome: str = "archived") -> list[int]:
    number = store.sweeps.begin(threshold=None, partition=None)
    return store.sweeps.take(due, outcome=outcome, sweep_id=number, threshold=None)


def change(store: Store, statement: str) -> None:
    """Change memories as another process would."""
    with plain_sqlite(store.path) as db:
        db.execute(statement)


def exists(store: Store, memory_id: int) -> bool:
    return bool(store.memories.get_all([memory_id]))


def test_archived_memory_says_when_why_and_by_which_sweep(store: Store) -> None:
    one = keep(store, last_accessed_at=OLD)
    assert take(store, store.sweeps.due()) == [one]
    memory = store.memories.get(one)
    assert (memory.state, memory.archived_at, memory.archived_reason) == ("archived", NOW, "swept")
    assert memory.last_accessed_at == OLD
    assert store.sweeps.taken_by(memory.sweep_id) == [one]
    assert store.sweeps.due() == []


@pytest.mark.parametrize("outcome", ["archived", "erased"])
def test_sweep_counts_what_it_took(store: Store, outcome: str) -> None:
    for number in range(3):
        keep(store, f"old {number}", last_accessed_at=OLD)
    kept = keep(store, "new")
    assert take(store, store.sweeps.due(), outcome) == [1, 2, 3]
    [counted] = table(store, "SELECT archived, erased, started_at, actor FROM sweep")
    assert counted == {"archived": 0, "erased": 0, "started_at": NOW, "actor": "cli"} | {outcome: 3}
    assert store.memories.get(kept).state == "live"


@pytest.mark.parametrize("outcome", ["archived", "erased"])
@pytest.mark.parametrize(
    "meanwhile",
    [
        "UPDATE memory SET last_accessed_at = last_accessed_at + 1",
        "UPDATE memory SET pinned = 1",
        "UPDATE memory SET archived_at = 5, archived_reason = 'by hand'",
    ],
)
def test_memory_used_pinned_or_archived_since_it_was_selected_stays(
    store: Store, meanwhile: str, outcome: str
) -> None:
    one = keep(store, last_accessed_at=OLD)
    due = store.sweeps.due()
    change(store, meanwhile)
    before = store.memories.get(one)
    assert take(store, due, outcome) == []
    assert store.memories.get(one) == before


def test_memory_erased_since_it_was_selected_is_passed_over(store: Store) -> None:
    keep(store, last_accessed_at=OLD)
    due = store.sweeps.due()
    change(store, "DELETE FROM memory")
    assert take(store, due, "erased") == []
    assert table(store, "SELECT * FROM audit") == []


def test_memory_restored_since_its_archive_ended_stays(store: Store) -> None:
    one = keep(store, archived_at=OLD, archived_reason="swept")
    due = store.sweeps.archive_due(archive_days=30)
    store.sweeps.restore([one], reason="by hand")
    assert take(store, due, "erased") == []
    assert exists(store, one)


def test_expired_memory_goes_even_if_it_is_pinned(store: Store) -> None:
    one = keep(store, pinned=True, expires_at=NOW)
    assert take(store, store.sweeps.due(), "erased") == [one]
    assert not exists(store, one)


def test_failure_within_a_batch_takes_nothing(store: Store) -> None:
    one = keep(store, last_accessed_at=OLD)
    with undone(store):
        take(store, store.sweeps.due(), "erased")
    assert exists(store, one)
    assert table(store, "SELECT * FROM audit") == table(store, "SELECT * FROM sweep") == []


def test_archiving_by_hand_takes_live_memories_only(store: Store) -> None:
    one, other = keep(store, "one"), keep(store, "two")
    assert store.sweeps.archive([other, one, other, 99]) == [one, other]
    assert store.sweeps.archive([one]) == []
    memory = store.memories.get(one)
    assert (memory.archived_reason, memory.sweep_id) == ("by hand", None)


def test_restored_memory_is_live_as_if_used_now_and_otherwise_as_before(store: Store) -> None:
    fields = {"tags": ("a",), "access_count": 3, "created_at": OLD, "last_accessed_at": OLD}
    one = keep(store, importance=7, **fields)
    before = store.memories.get(one)
    take(store, store.sweeps.due())
    assert store.sweeps.restore([one, 99], reason="by hand") == [one]
    back = store.memories.get(one)
    assert back == before._replace(last_accessed_at=NOW, retention=1.0)
    assert store.sweeps.restore([one], reason="by hand") == []


@pytest.mark.parametrize("threshold", [None, 1.0])
def test_next_sweep_does_not_take_what_was_restored(store: Store, threshold) -> None:
    ends = [{}, {"ttl_ms": 5}, {"expires_at": NOW - 5}, {"last_accessed_at": NOW + DAY}]
    old = {"last_accessed_at": OLD, "archived_at": OLD, "archived_reason": SWEPT}
    ids = [keep(store, **old | fields) for fields in ends]
    assert store.sweeps.restore(ids, reason="by hand") == ids
    assert store.sweeps.due(threshold=threshold) == []


def test_restoring_keeps_an_expiry_that_is_still_to_come(store: Store) -> None:
    one = keep(store, archived_at=OLD, archived_reason=SWEPT, expires_at=NOW + 1)
    store.sweeps.restore([one], reason="by hand")
    assert store.memories.get(one).expires_at == NOW + 1


def test_restoring_is_refused_whole_where_another_memory_has_the_key(store: Store) -> None:
    taken, free = (
        keep(store, name, key=name, archived_at=OLD, archived_reason=SWEPT)
        for name in ("taken", "free")
    )
    keep(store, "the current one", key="taken")
    with pytest.raises(Refused, match="has taken the place or the key of 1"):
        store.sweeps.restore([free, taken], reason="by hand")
    assert {store.memories.get(one).state for one in (taken, free)} == {"archived"}
    assert table(store, "SELECT * FROM audit") == []


def test_the_same_key_in_another_scope_is_no_conflict(store: Store) -> None:
    one = keep(store, key="k", scope="a", archived_at=OLD, archived_reason=SWEPT)
    keep(store, key="k", scope="b")
    assert store.sweeps.restore([one], reason="by hand") == [one]


def test_sweep_without_a_number_is_not_found(store: Store) -> None:
    with pytest.raises(SweepNotFound, match="no sweep 5"):
        store.sweeps.taken_by(5)


def test_restored_memory_no_longer_belongs_to_its_sweep(store: Store) -> None:
    one, other = (keep(store, name, last_accessed_at=OLD) for name in ("one", "other"))
    take(store, store.sweeps.due())
    store.sweeps.restore([one], reason="by hand")
    assert store.sweeps.taken_by(1) == [other]


def test_erased_memory_takes_its_tags_and_edges_along_and_leaves_a_tombstone(store: Store) -> None:
    one = keep(store, "one", uid="u-1", tags=("a",))
    other = keep(store, "other", tags=("b",))
    with plain_sqlite(store.path) as db:
        db.execute("INSERT INTO edge VALUES (?, ?, 1, 0)", (one, other))
        db.execute("INSERT INTO vector VALUES (?, 'm', 1, 1.0, x'00')", (one,))
    store.sweeps.erase([one], reason="by hand")
    with pytest.raises(MemoryNotFound):
        store.memories.get(one)
    assert table(store, "SELECT name FROM tag") == [{"name": "b"}]
    assert table(store, "SELECT * FROM edge") == table(store, "SELECT * FROM vector") == []
    assert table(store, "SELECT * FROM tombstone") == [{"uid": "u-1", "erased_at": NOW}]


def test_predecessor_of_an_erased_memory_stays_archived(store: Store) -> None:
    one = keep(store, "one", uid="u-1", archived_at=OLD, archived_reason="superseded")
    other = keep(store, "other", uid="u-2")
    store.imports.link_successors({"u-1": "u-2"})
    store.sweeps.erase([other], reason="by hand")
    memory = store.memories.get(one)
    assert (memory.state, memory.superseded_by) == ("archived", None)


def test_id_is_never_given_out_again(store: Store) -> None:
    one = keep(store, "one")
    store.sweeps.erase([one], reason="by hand")
    assert keep(store, "two") == one + 1


def test_import_does_not_bring_back_what_was_erased_unless_told_to(store: Store) -> None:
    one = keep(store, "one", uid="u-1")
    store.sweeps.erase([one], reason="by hand")
    draft = Draft("one", "mem_notes", uid="u-1")
    assert store.imports.add_all([draft], restore_deleted=False) == ["deleted"]
    assert store.imports.add_all([draft], restore_deleted=True) == ["stored"]
    assert table(store, "SELECT * FROM tombstone") == []
    assert store.imports.add_all([draft], restore_deleted=False) == ["existing"]


def test_live_count_is_what_a_sweep_could_take(store: Store) -> None:
    keep(store, "live", pinned=True)
    keep(store, "expired", expires_at=1)
    keep(store, "archived", archived_at=1, archived_reason=SWEPT)
    assert store.sweeps.live_count() == 2
    with using(store.path, writable=False) as reader:
        assert len(reader.memories.listing(Filters())) == 1
