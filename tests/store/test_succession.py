"""Whatever happens to facts that change, readers see now what the next sweep will leave."""

import random
import sqlite3
from contextlib import closing, suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stores import DAY, NOW, using

from hebbctl.errors import Refused
from hebbctl.models import Draft, Filters
from hebbctl.store import Store
from hebbctl.store.returning import live_again

KEYS = ("office", "door", None)


def live(store: Store) -> list[int]:
    return sorted(store.memories.chosen(Filters()))


def change(store: Store, chance: random.Random) -> None:
    """Do one thing that any command may do to who is current."""
    ids = store.memories.chosen(Filters(archived=None))
    one = [chance.choice(ids)] if ids else []
    draft = Draft(
        content=f"fact {chance.random()}",
        partition="mem_notes",
        key=chance.choice(KEYS),
        trusted=chance.random() < 0.8,
        expires_at=store.now + chance.randrange(1, 9) * DAY if chance.random() < 0.6 else None,
    )
    match chance.choice(["add", "add", "add", "replace", "archive", "erase", "restore", "trust"]):
        case "add" if draft.key and draft.trusted:
            store.successions.add(draft, replaces=None, force=True)
        case "replace" if draft.trusted and (alive := live(store)):
            store.successions.add(draft, replaces=chance.choice(alive), force=True)
        case "archive":
            store.successions.settle(one)
            store.sweeps.archive(one)
        case "erase":
            store.sweeps.erase(one, reason="by hand")
        case "restore":
            with suppress(Refused):  # untrusted, in the place of what is trusted
                store.sweeps.restore(one, reason="by hand", force=True)
        case "trust" if one:
            store.successions.settle(one)
            trusted = store.memories.get(one[0]).trusted
            with store.transaction():
                (store.successions.quarantine if trusted else store.successions.release)(one[0])
        case _:
            store.memories.add(draft._replace(key=None), force=True)


def sweep(store: Store) -> None:
    due = store.sweeps.due()
    number = store.sweeps.begin(threshold=None, partition=None)
    store.sweeps.take(due, outcome="archived", sweep_id=number, threshold=None)


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32))
def test_what_readers_see_is_what_the_next_sweep_leaves(tmp_path_factory, seed) -> None:
    path, chance = tmp_path_factory.mktemp("s") / "s.db", random.Random(seed)
    for day in range(8):
        with using(path, now=NOW + day * DAY) as store:
            for _ in range(chance.randrange(6)):
                change(store, chance)
            seen = live(store)
            assert not set(seen) & set(store.memories.chosen(Filters(archived=True)))
            assert all(store.memories.get(one).state == "live" for one in seen)
            keyed = [
                (one.scope, one.key)
                for one in store.memories.get_all(seen)
                if one.key and one.trusted
            ]
            assert len(keyed) == len(set(keyed))
            if chance.random() < 0.5:
                sweep(store)
                assert live(store) == seen
                assert live_again(store._database) == []


def test_circle_that_a_file_brought_ends_every_walk(tmp_path) -> None:
    path = tmp_path / "s.db"
    with using(path) as store:
        for uid in ("a", "b"):
            draft = Draft(uid, "mem_notes", uid=uid, expires_at=NOW - 1, archived_at=1)
            store.imports.add_all(
                [draft._replace(archived_reason="superseded")], restore_deleted=False
            )
        store.imports.link_successors({"a": "b", "b": "a"})
        assert sorted(store.successions.history(1)) == [1, 2]
        assert store.successions.gives_way_at(1) is None
        store.sweeps.erase([1], reason="by hand")
        assert live(store) == []


def test_looking_for_what_is_current_again_asks_only_for_what_has_expired(tmp_path) -> None:
    with using(tmp_path / "s.db") as store:
        store.memories.add(Draft("x", "mem_notes", expires_at=NOW - 1), force=True)
        steps: list[str] = []
        store._database.connection.set_trace_callback(steps.append)
        assert live_again(store._database) == []
        [asked] = steps
    with closing(sqlite3.connect(tmp_path / "s.db")) as plain:
        plan = [row[3] for row in plain.execute(f"EXPLAIN QUERY PLAN {asked}")]
    assert any("memory_expiry" in step for step in plan)
    assert not [step for step in plan if step.startswith("SCAN")]


@pytest.mark.parametrize("outcome", ["archived", "erased"])
def test_sweep_ends_and_brings_back_in_one_transaction(tmp_path, outcome) -> None:
    path = tmp_path / "s.db"
    old, new = (Draft(one, "mem_notes", key="k") for one in ("old", "new"))
    with using(path) as store:
        store.successions.add(old, replaces=None, force=False)
        store.successions.add(new._replace(expires_at=NOW + DAY), replaces=None, force=False)
    with using(path, now=NOW + 2 * DAY) as store:
        number = store.sweeps.begin(threshold=None, partition=None)
        due = store.sweeps.due()
        store.sweeps.take(due, outcome=outcome, sweep_id=number, threshold=None)
        [row] = store._database.rows("SELECT * FROM memory WHERE id = 1")
        assert (row["archived_at"], row["superseded_by"]) == (None, None)
        assert row["last_accessed_at"] == NOW + 2 * DAY
