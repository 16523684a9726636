"""A disk that is full: what is there can be read, nothing is lost, and the message says so."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def small(home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file system of one megabyte."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("file systems cannot be mounted here")
    try:
        monkeypatch.setenv("HEBB_HOME", str(folder))
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.fixture
def full(hebb, small: Path) -> Path:
    """A store of ten memories on a file system without a free block."""
    hebb.bring(*({"content": f"note {number}"} for number in range(10)))
    leave(small, 0)
    return small


def leave(folder: Path, blocks: int) -> None:
    """Fill a file system but for so many blocks."""
    (folder / "fill").unlink(missing_ok=True)
    disk = os.statvfs(folder)
    with (folder / "fill").open("wb", buffering=0) as file:
        os.posix_fallocate(file.fileno(), 0, max(disk.f_bavail - blocks, 1) * disk.f_frsize)


def test_full_disk_is_read_and_says_that_it_is_full(hebb, full) -> None:
    before = (full / "hebb.db").read_bytes()
    for words in (["list"], ["recall", "note", "--peek"], ["stats"], ["export"], ["show", 1]):
        assert hebb(*words).code == 0, words
    assert hebb("doctor").code == 0
    for words in (["add", "one more"], ["forget", 1], ["archive", 1], ["gc", "--purge", "--yes"]):
        done = hebb(*words)
        assert (done.code, "full" in done.err) in ((5, True), (0, False)), words
    assert (full / "hebb.db").read_bytes() == before
    (full / "fill").unlink()
    assert len(hebb.ids("list")) == 10
    assert hebb("add", "one more").code == 0
    assert hebb("doctor").code == 0


def test_text_larger_than_the_disk_is_refused_and_nothing_is_lost(hebb, full) -> None:
    (full / "fill").unlink()
    hebb("config", "set", "max_item_bytes", 100_000_000)
    error = hebb.error("add", "-", stdin="x" * 3_000_000)
    assert (error["code"], "full" in error["message"]) == (5, True)
    assert len(hebb.ids("list")) == 10
    assert hebb("doctor").code == 0


def test_first_add_makes_a_whole_store_or_none_however_little_room_there_is(hebb, small) -> None:
    outcomes = set()
    for blocks in range(0, 120, 3):
        leave(small, blocks)
        done = hebb("add", "first")
        assert done.code in (0, 5)
        assert ("full" in done.err) == (done.code == 5)
        (small / "fill").unlink()
        assert len(hebb.ids("list")) == (done.code == 0)
        assert hebb("doctor").code == 0
        outcomes.add(done.code)
        for left in small.iterdir():
            left.unlink()
    assert outcomes == {0, 5}
