"""Edges outlive export, import, erasing with a copy, restoring and merging, to the last digit."""

import json
import random
import sqlite3
import struct
from contextlib import closing

import pytest

ODD = 1.5 * 2**-0.5  # all of its digits are needed
OTHER_ENDS = [
    {"uid": "b", "content": "second", "tags": ["x", "y z"], "key": "k"},
    {"uid": "c", "content": "shelved", "archived_at": "2025-12-01"},
    {"uid": "d", "content": "replaced", "archived_at": "2025-12-02", "superseded_by": "b"}
    | {"archived_reason": "superseded"},
]


def stored(home) -> set[tuple[str, str, float, int]]:
    """Return every edge as it is stored, by the uids of its ends in their order."""
    with closing(sqlite3.connect(home / "hebb.db")) as db:
        rows = db.execute(
            """
            SELECT one.uid, other.uid, weight, last_updated
            FROM edge
            JOIN memory AS one ON one.id = memory_a
            JOIN memory AS other ON other.id = memory_b
            """
        ).fetchall()
    return {(*sorted(row[:2]), *row[2:]) for row in rows}


@pytest.fixture
def second(monkeypatch, home):
    """Moves to a second home, and returns it."""

    def move():
        (home / "second").mkdir()
        monkeypatch.setenv("HEBB_HOME", str(home / "second"))
        return home / "second"

    return move


@pytest.fixture
def joined(hebb, at):
    """Four memories in several states, each joined with the first."""
    hebb.bring({"uid": "a", "content": "first", "importance": 7, "access_count": 4}, *OTHER_ENDS)
    for number, weight in ((2, ODD), (3, 3.5), (4, 0.1 + 0.2)):
        at(number)
        assert hebb("link", 1, number, "--weight", repr(weight)).code == 0
    return hebb


def test_export_import_and_export_are_equal_to_the_byte(joined, home, second) -> None:
    exported, edges = joined("export").out, stored(home)
    assert {one[2] for one in edges} == {ODD, 3.5, 0.1 + 0.2}
    there = second()
    assert joined.json("import", "-", stdin=exported)["edges_left_out"] == 0
    assert (stored(there), joined("export").out) == (edges, exported)
    assert joined.json("import", "-", "--replace", stdin=exported)["existing"] == 4
    assert joined("export").out == exported


def test_each_edge_stands_once_with_the_later_uid(joined) -> None:
    lines = [json.loads(line) for line in joined("export").out.splitlines()]
    assert [len(line.get("edges", [])) for line in lines] == [0, 1, 1, 1]
    assert lines[1]["edges"] == [
        {"uid": "a", "weight": ODD, "last_updated_at": "2026-01-03T00:00:00Z"}
    ]


@pytest.mark.parametrize("batch", [1, 2, 5000])
def test_edges_are_made_whatever_the_order_of_lines(
    joined, home, second, monkeypatch, batch
) -> None:
    monkeypatch.setattr("hebbctl.usecases.exchange.BATCH", batch)
    lines, edges = joined("export").out.splitlines(keepends=True), stored(home)
    there = second()
    random.Random(batch).shuffle(lines)
    for arguments in ([], ["--strict"], ["--replace"]):
        assert joined.json("import", "-", *arguments, stdin="".join(reversed(lines)))
        assert stored(there) == edges
        joined("forget", "--all", "--yes", "--force")
        (there / "hebb.db").unlink()


def test_part_of_a_store_takes_its_edges_to_what_is_left_behind(joined, home, second) -> None:
    edges = stored(home)
    part = joined("export", "--ids-from", "-", stdin="a\n").out
    rest = joined("export", "--ids-from", "-", stdin="b\nc\nd\n").out
    there = second()
    assert joined.json("import", "-", stdin=rest)["edges_left_out"] == 3
    assert stored(there) == set()
    assert joined.json("import", "-", stdin=part)["edges_left_out"] == 0
    assert stored(there) == edges


def test_second_import_brings_back_no_edge_that_was_taken_away(joined, home) -> None:
    exported, edges = joined("export").out, stored(home)
    joined("unlink", 1, 2)
    joined("link", 1, 3, "--weight", 9)
    joined("import", "-", stdin=exported)
    assert {one[2] for one in stored(home)} == {9, 0.1 + 0.2}
    joined("import", "-", "--replace", stdin=exported)
    assert stored(home) == edges


def test_edge_of_a_known_memory_is_made_to_one_that_is_new(joined, home) -> None:
    exported, edges = joined("export").out, stored(home)
    joined("forget", 1)
    assert stored(home) == set()
    joined("import", "-", "--restore-deleted", stdin=exported)
    assert stored(home) == edges


def test_strict_import_that_fails_joins_nothing(joined, home) -> None:
    lines = joined("export").out
    joined("unlink", 1, 2)
    before = stored(home)
    assert joined("import", "-", "--strict", "--replace", stdin=lines + "[]\n").code == 6
    assert stored(home) == before


def test_unknown_other_ends_are_counted_and_kept_in_nothing(hebb, home) -> None:
    edge = {"uid": "nobody", "weight": 1, "last_updated_at": "2025-01-01"}
    done = hebb("import", "-", stdin=json.dumps({"uid": "a", "content": "x", "edges": [edge]}))
    assert (done.code, done.err) == (0, "edges left out, as their other end is not here: 1\n")
    assert b"nobody" not in (home / "hebb.db").read_bytes()


@pytest.mark.parametrize(
    ("edges", "named"),
    [
        ({}, "list of objects"),
        (["b"], "list of objects"),
        ([{"weight": 1, "last_updated_at": "2025-01-01"}], "uid of an edge"),
        ([{"uid": "b", "weight": -1, "last_updated_at": "2025-01-01"}], "from 0 to 1e"),
        ([{"uid": "b", "weight": 1e10, "last_updated_at": "2025-01-01"}], "from 0 to 1e"),
        ([{"uid": "b", "weight": "x", "last_updated_at": "2025-01-01"}], "weight"),
        ([{"uid": "b", "weight": 1, "last_updated_at": "soon"}], "last_updated_at"),
        ([{"uid": "a", "weight": 1, "last_updated_at": "2025-01-01"}], "to itself"),
    ],
)
def test_bad_edge_rejects_its_line_and_says_why(hebb, edges, named) -> None:
    done = hebb("import", "-", stdin=json.dumps({"uid": "a", "content": "x", "edges": edges}))
    assert done.code == 6
    assert "line 1: " in done.err
    assert named in done.err


def test_edges_without_a_uid_of_their_own_end_are_refused(hebb) -> None:
    edge = {"uid": "b", "weight": 1, "last_updated_at": "2025-01-01"}
    done = hebb("import", "-", stdin=json.dumps({"content": "x", "edges": [edge]}))
    assert (done.code, "edges need the uid" in done.err) == (6, True)


@pytest.mark.parametrize("way", ["archive", "forget"])
def test_restored_memory_has_its_edges_as_they_were(joined, home, way, at) -> None:
    joined("config", "set", "restorable", "true")
    edges = stored(home)
    for number in (2, 1):
        before = joined.json("show", number)
        at(40)
        assert joined(way, number).code == 0
        joined("restore", number)
        assert stored(home) == edges
        clock = {"last_accessed_at": "2026-02-10T00:00:00Z", "retention": 1.0}
        assert joined.json("show", number) == before | clock
    [seen] = joined.json("graph", 1)["edges"]
    assert joined.json("graph", 2)["edges"] == [seen]


@pytest.mark.parametrize("forgotten", [(1, 2), (2, 1)])
@pytest.mark.parametrize("restored", [(1, 2), (2, 1)])
@pytest.mark.parametrize("at_once", [True, False])
def test_edge_between_two_erased_ones_is_back_with_the_second(
    joined, home, forgotten, restored, at_once
) -> None:
    joined("config", "set", "restorable", "true")
    edges = stored(home)
    for numbers in [forgotten] if at_once else [(one,) for one in forgotten]:
        assert joined("forget", *numbers, "--yes").code == 0
    assert stored(home) == set()
    joined("restore", restored[0])
    assert ("a", "b") not in {one[:2] for one in stored(home)}
    joined("restore", restored[1])
    assert stored(home) == edges


def test_both_ends_restored_at_once_are_joined_once(joined, home) -> None:
    joined("config", "set", "restorable", "true")
    edges = stored(home)
    joined("forget", 1, 2, 3, 4, "--yes")
    joined("restore", 4, 3, 2, 1)
    assert stored(home) == edges


def test_copy_is_erased_with_its_edges(joined, home) -> None:
    joined("config", "set", "restorable", "true")
    joined("link", 1, 2, "--weight", "1234.5678")
    joined("forget", 1)
    held = b"1234.567"
    assert held in (home / "hebb.db").read_bytes()
    joined("forget", "--copies")
    assert held not in (home / "hebb.db").read_bytes()
    assert not (home / "hebb.db-wal").exists() or held not in (home / "hebb.db-wal").read_bytes()


def test_no_byte_of_an_erased_edge_is_left(joined, home) -> None:
    def holds_it() -> bool:
        files = [one for one in home.rglob("hebb.db*") if one.is_file()]
        return any(struct.pack(">d", ODD) in one.read_bytes() for one in files)

    assert holds_it()
    joined("forget", 2)
    assert not holds_it()


def test_merged_memory_takes_the_edges_of_the_others(hebb, home, at) -> None:
    hebb.bring(*({"uid": uid, "content": uid} for uid in "abcdef"))
    for one, other, weight in ((1, 2, 5), (2, 3, 7), (1, 4, 4), (2, 4, 2), (3, 4, 6), (3, 5, 8)):
        hebb("link", one, other, "--weight", weight)
    hebb("link", 5, 6, "--weight", 1)
    at(30)
    hebb("consolidate", "--merge", 1, 2, 3)
    now = 1_767_225_600_000 + 30 * 86_400_000
    start = now - 30 * 86_400_000
    assert stored(home) == {("a", "d", 6.0, now), ("a", "e", 4.0, now), ("e", "f", 1.0, start)}


def test_merged_memory_keeps_no_more_edges_than_one_may_have(hebb, home) -> None:
    hebb.bring(*({"uid": uid, "content": uid} for uid in "abcdefg"))
    for number in range(3, 8):
        hebb("link", 2, number, "--weight", number)
    hebb("config", "set", "graph_edges_per_memory", 3)
    hebb("consolidate", "--merge", 1, 2)
    assert {one[2] for one in stored(home)} == {5, 6, 7}


def test_merge_that_is_only_looked_at_moves_nothing(joined, home) -> None:
    before = stored(home)
    joined("consolidate", "--merge", 1, 2, "--dry-run")
    assert stored(home) == before
