"""A disk that is full: what is there can be read, nothing is lost, and the message says so."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def full(hebb, home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A store of ten memories on a file system without a free block."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("file systems cannot be mounted here")
    try:
        monkeypatch.setenv("HEBB_HOME", str(folder))
        hebb.bring(*({"content": f"note {number}"} for number in range(10)))
        with (folder / "fill").open("wb", buffering=0) as file:
            while file.tell() < 1 << 21:
                try:
                    file.write(bytes(4096))
                except OSError:
                    break
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


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
