"""Reading: it changes no byte, and list, show and stats say what is there."""

import os
import sqlite3

import pytest

READING = """
list
list --archived
list --sort retention -n 2
show 1
explain 1
explain 3
stats
forecast
forecast --days 400
forecast --days 0 --partition mem_notes
audit
audit 1 --text x
path
promote --dry-run
reinforce --dry-run
consolidate --dry-run
consolidate --similar
consolidate --merge 1 2 --dry-run
forget --tag none --dry-run
curve
curve 1
compare 1
explain 1 --preset amnesia
forecast --preset jarvis
curve 1 --days 30 --half-life-days 5
curve 1 --keep-days 30
curve --keep-days 30 --now 2027-01-01
matrix
matrix --partition mem_other --disabled
export
recall note --peek
recall --peek
recall note --now 2027-01-01
gc --dry-run
gc --dry-run --purge
gc --dry-run --threshold 1
gc --dry-run --now 2027-01-01
forget 1 2 --dry-run
inject
inject note --budget 500
inject --dry-run --budget 500 --format xml
inject note --now 2027-01-01
config list
config get k_access
config path
policy list
policy show mem_notes
policy preview mem_notes
policy preview mem_notes --half-life-days 1 --threshold 0.9
doctor
doctor --now 2027-01-01
backup list
""".strip().split("\n")


@pytest.fixture
def some(hebb) -> None:
    hebb.bring(
        {"content": "note one", "importance": 1},
        {"content": "note two", "created_at": "2025-06-01", "partition": "mem_other"},
        {"content": "note three", "pinned": True, "access_count": 3},
        {"content": "note four", "archived_at": "2025-12-01"},
        {"content": "note five", "expires_at": "2025-12-01", "created_at": "2025-11-01"},
    )


@pytest.mark.usefixtures("some")
@pytest.mark.parametrize("line", READING)
def test_reading_changes_no_byte_of_any_file_and_makes_none(hebb, contents, line) -> None:
    before = contents()
    for _ in range(2):
        assert hebb(*line.split()).code == 0
        hebb.json(*line.split()) if line != "export" else None
    assert contents() == before


@pytest.mark.parametrize("line", [line for line in READING if line.split()[1:2] != ["1"]])
def test_reading_where_nothing_is_makes_nothing(hebb, home, line) -> None:
    hebb(*line.split())
    assert list(home.iterdir()) == []


@pytest.mark.usefixtures("some")
def test_store_that_cannot_be_written_is_still_read(hebb, process, home) -> None:
    here = hebb("export").out
    os.chmod(home / "hebb.db", 0o400)
    os.chmod(home, 0o500)
    try:
        for line in ("export", "list", "recall note --peek", "stats", "gc --dry-run", "doctor"):
            done = process(*line.split())
            assert done.code == 0, done.err
        assert process("export").out == here
    finally:
        os.chmod(home, 0o700)


@pytest.mark.usefixtures("some")
def test_orders_of_the_list_begin_with_the_greatest(hebb) -> None:
    assert hebb.ids("list") == [3, 1, 2]
    assert hebb.ids("list", "--sort", "created") == [3, 1, 2]
    assert hebb.ids("list", "--sort", "importance") == [3, 2, 1]
    assert hebb.ids("list", "--sort", "accessed") == [3, 1, 2]
    assert hebb.ids("list", "--sort", "retention") == [3, 1, 2]
    assert hebb.ids("list", "--archived") == [4]


@pytest.mark.usefixtures("some")
def test_stats_count_each_state_band_and_partition(hebb) -> None:
    found = hebb.json("stats")
    assert found["by_state"] == {"live": 3, "stale": 0, "expired": 1, "archived": 1}
    assert found["total"] == 5
    assert found["by_partition"] == {"mem_notes": 2, "mem_other": 1}
    assert sum(found["by_retention"].values()) == 3
    assert (found["pinned"], found["due"], found["sweeps"]) == (1, 2, 0)
    hebb("gc")
    hebb("forget", 4)
    found = hebb.json("stats")
    assert (found["due"], found["sweeps"], found["tombstones"]) == (0, 1, 1)
    assert found["last_sweep_at"] == "2026-01-01T00:00:00Z"


@pytest.mark.usefixtures("some")
def test_reader_answers_beside_a_process_that_writes(hebb, home) -> None:
    writer = sqlite3.connect(home / "hebb.db", isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("DELETE FROM tag")
    for line in ("list", "stats", "show 1", "export", "gc --dry-run", "recall note --peek"):
        assert hebb(*line.split()).code == 0
    writer.execute("ROLLBACK")
    writer.close()
