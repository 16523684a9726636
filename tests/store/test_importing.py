"""Importing: a batch stored at once is what it would be one by one."""

import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from stores import keep, using

from hebbctl.models import Draft, Filters
from hebbctl.store import Store

UIDS = ["u-1", "u-2", "u-3", "gone"]
# Few values, so that uids, texts and keys meet; an importance of 11 is refused.
DRAFTS = st.fixed_dictionaries(
    {
        "content": st.sampled_from(["use tabs", "用制表符", "tea"]),
        "partition": st.sampled_from(["mem_notes", "mem_episodic"]),
        "uid": st.sampled_from([None, *UIDS]),
        "key": st.sampled_from([None, None, "k"]),
        "importance": st.sampled_from([5.0, 5.0, 5.0, 11.0]),
        "tags": st.sampled_from([(), ("a", "b"), ("a", "a")]),
    }
).map(lambda fields: Draft(**fields))
BATCHES = st.lists(DRAFTS, max_size=8)


def imported(path: Path, before: list[Draft], batches: list[list[Draft]], **how: Any) -> Any:
    """Return what became of each draft, and what the store then holds."""
    with using(path) as store:
        keep(store, "gone", uid="gone")
        store.sweeps.erase([1], reason="by hand")
        store.imports.add_all(before, restore_deleted=False)
        results = [one for batch in batches for one in store.imports.add_all(batch, **how)]
        found = store.memories.get_all([*range(20)])
    given = [one if one.uid in UIDS else one._replace(uid="made here") for one in found]
    return results, given


@settings(max_examples=40, deadline=None)
@given(before=BATCHES, drafts=BATCHES, restore_deleted=st.booleans())
def test_batch_becomes_what_its_drafts_become_one_by_one(before, drafts, restore_deleted) -> None:
    how = {"restore_deleted": restore_deleted}
    with TemporaryDirectory() as name:
        at_once = imported(Path(name, "a.db"), before, [drafts], **how)
        one_by_one = imported(Path(name, "b.db"), before, [[one] for one in drafts], **how)
    assert at_once == one_by_one


def test_refused_draft_leaves_nothing_and_keeps_no_other_out(store: Store) -> None:
    drafts = [Draft(text, "mem_notes", tags=tags) for text, tags in ((" one", ()), ("two", ("",)))]
    stored, refused = store.imports.add_all(drafts, restore_deleted=False)
    assert (stored, refused.startswith("the store refuses it")) == ("stored", True)
    assert [one.content for one in store.memories.listing(Filters())] == [" one"]


def test_ids_of_erased_memories_are_not_given_again(store: Store) -> None:
    keep(store, "first")
    last = keep(store, "second")
    store.sweeps.erase([last], reason="by hand")
    store.imports.add_all([Draft("third", "mem_notes")], restore_deleted=False)
    assert store.memories.resolve(str(last + 1)) == last + 1


def test_bulk_import_ends_in_the_file_itself(store: Store, path: Path) -> None:
    with store.bulk():
        keep(store, "first")
    without_log = sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)
    with closing(without_log) as db:
        assert db.execute("SELECT content FROM memory").fetchall() == [("first",)]
