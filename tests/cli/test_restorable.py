"""restorable: erasing keeps a copy that restores everything, until it is erased itself."""

from pathlib import Path

import pytest

FULL = {
    "content": "the quokka sleeps",
    "uid": "quokka-1",
    "kind": "fact",
    "importance": 6.9,
    "strength": 1.3,
    "access_count": 4,
    "frequency": 2.5,
    "created_at": "2025-12-01",
    "last_accessed_at": "2025-12-20",
    "renewed_at": "2025-12-21",
    "tags": ["a b", "Ü"],
    "source": "zoo",
    "scope": "animals",
    "session": "talk",
    "key": "quokka",
    "ttl_ms": 10**10,
    "promoted_at": "2025-12-15",
    "metadata": {"k": [1, "\n"]},
}


@pytest.fixture
def restorable(hebb) -> None:
    hebb("config", "set", "restorable", "true")


def holding(folder: Path, word: bytes = b"quokka sleeps") -> list[str]:
    return [
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and word in path.read_bytes()
    ]


@pytest.mark.usefixtures("restorable")
@pytest.mark.parametrize("reference", ["1", "quokka-1", "quok"])
def test_erased_memory_comes_back_whole_with_its_id_and_uid(hebb, reference) -> None:
    hebb.bring(FULL)
    before = hebb.json("show", 1)
    done = hebb("forget", 1)
    assert "1 erased, the audit keeps a copy of each: 'hebb restore ID'" in done.err
    assert hebb.error("show", 1)["code"] == 3
    assert hebb.json("stats")["tombstones"] == 1
    assert hebb.ids("restore", reference) == [1]
    after = hebb.json("show", 1)
    assert after == before | {"last_accessed_at": "2026-01-01T00:00:00Z", "retention": 1.0}
    assert hebb.ids("recall", "quokka", "--peek") == [1]
    assert hebb.json("stats")["tombstones"] == 0
    assert hebb.json("audit", 1)[0]["reason"] == "from its copy"


def test_without_it_restoring_is_refused_and_names_the_setting(hebb, home) -> None:
    hebb.bring(FULL)
    assert "copy" not in hebb("forget", 1).err
    for reference in (1, "quokka-1"):
        error = hebb.error("restore", reference)
        assert (error["code"], "restorable true" in error["hint"]) == (4, True)
    assert hebb.error("restore", 2)["code"] == 3
    assert holding(home) == []


@pytest.mark.usefixtures("restorable")
def test_sweep_that_erases_keeps_copies_and_says_so(hebb, at) -> None:
    hebb("add", "note", "--expires", "2d")
    hebb("config", "set", "on_forget", "erase")
    at(3)
    assert hebb.json("gc", "--dry-run")["copies_kept"]
    assert "the audit keeps a copy of each" in hebb("gc").out
    assert hebb.ids("restore", 1) == [1]
    found = hebb.json("show", 1)
    assert (found["state"], found["expires_at"]) == ("live", None)
    assert not hebb.json("gc")["copies_kept"]


@pytest.mark.usefixtures("restorable")
def test_archived_and_pinned_ones_come_back_live(hebb) -> None:
    hebb.bring({"content": "x", "archived_at": "2025-12-31", "pinned": True})
    hebb("config", "set", "restore_anchor", 0.8)
    hebb("forget", 1, "--force")
    hebb("restore", 1)
    found = hebb.json("show", 1)
    assert (found["state"], found["pinned"], found["anchor_value"]) == ("live", True, 0.8)


@pytest.mark.usefixtures("restorable")
def test_one_that_cannot_come_back_keeps_all_away(hebb) -> None:
    hebb.bring(FULL, {"content": "other"})
    hebb("forget", 1, 2, "--yes")
    hebb.bring({"content": "new", "key": "quokka", "scope": "animals"})
    error = hebb.error("restore", 2, 1)
    assert (error["code"], "same key" in error["message"]) == (4, True)
    assert hebb.ids("list") == [3]
    hebb("forget", 3)
    assert hebb.ids("restore", 1, 2) == [1, 2]


@pytest.mark.usefixtures("restorable")
def test_no_copy_is_kept_where_that_is_said(hebb, home) -> None:
    hebb.bring(FULL)
    assert "copy" not in hebb("forget", 1, "--no-copy").err
    assert hebb.error("restore", 1)["code"] == 4
    assert holding(home) == []


@pytest.mark.usefixtures("restorable")
def test_erased_copies_leave_no_byte_in_the_store_and_its_backups(hebb, home, tmp_path) -> None:
    long = FULL["content"] + " and dreams" * 3000
    hebb.bring(FULL | {"content": long}, {"content": "another"}, {"content": "a third"})
    hebb("forget", 1)
    hebb("forget", 2)
    hebb("backup")
    hebb("backup", "create", tmp_path / "elsewhere.db")
    assert len(holding(home)) == 3
    assert hebb.json("forget", "--copies", "--dry-run")["copies"] == [1, 2]
    assert len(holding(home)) == 3
    assert hebb("forget", "--copies", "quokka-1")[:] == (0, "1\n", "1 copy erased\n")
    assert holding(home) == []
    assert hebb.error("restore", 1)["code"] == 4
    assert hebb.error("forget", "--copies", 1)["code"] == 4
    assert hebb.ids("restore", 2) == [2]


@pytest.mark.usefixtures("restorable")
def test_many_copies_need_a_yes(hebb) -> None:
    hebb.bring(*({"content": f"note {number}"} for number in range(3)))
    hebb("forget", "--all", "--yes")
    assert hebb.error("forget", "--copies")["code"] == 4
    assert hebb.ids("restore", 1) == [1]
    assert hebb("forget", "--copies", "--yes").out == "2\n3\n"
    assert hebb("forget", "--copies").err == "0 copies erased\n"


@pytest.mark.usefixtures("restorable")
def test_copy_goes_when_the_memory_is_back(hebb, home) -> None:
    hebb.bring(FULL)
    line = hebb("export").out
    hebb("forget", 1)
    hebb("import", "-", "--restore-deleted", stdin=line)
    assert hebb.error("restore", 1)["code"] == 4
    hebb("forget", "quokka-1")
    assert hebb.ids("restore", "quokka-1") == [2]
    hebb("forget", 2, "--no-copy")
    assert holding(home) == []


@pytest.mark.usefixtures("restorable")
def test_backup_put_back_brings_no_copy_back_that_was_erased(hebb, home, tmp_path) -> None:
    hebb.bring(FULL, {"content": "another"})
    hebb("forget", 1)
    hebb("backup", "create", tmp_path / "old.db")
    kept = (tmp_path / "old.db").read_bytes()
    hebb("forget", "--copies")
    (tmp_path / "old.db").write_bytes(kept)  # as if no run could have reached it
    assert hebb("doctor").code == 1
    assert hebb("backup", "restore", tmp_path / "old.db", "--yes").code == 0
    assert hebb.error("restore", 1)["code"] == 4
    (tmp_path / "old.db").unlink()
    assert holding(home) == []


@pytest.mark.usefixtures("restorable")
def test_text_of_a_restored_memory_is_erased_with_every_copy(hebb, home) -> None:
    hebb.bring(FULL)
    hebb("forget", 1)
    hebb("backup")
    hebb("restore", 1)
    hebb("edit", 1, "a wombat wakes")
    assert holding(home) == []


@pytest.mark.usefixtures("restorable")
def test_dry_run_of_restore_shows_the_copy_and_leaves_it(hebb) -> None:
    hebb.bring(FULL)
    hebb("forget", 1)
    [seen] = hebb.json("restore", 1, "--dry-run")["changed"]
    assert (seen["content"], seen["tags"], seen["state"]) == (
        FULL["content"],
        FULL["tags"],
        "erased",
    )
    assert hebb.error("show", 1)["code"] == 3
    assert hebb.ids("restore", 1) == [1]
