"""The settings file on disk: what is kept, what is refused, and who may write at once."""

import fcntl
import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hebbctl import config
from hebbctl.errors import StoreBusy
from hebbctl.settings import SETTINGS

ROUNDS = 20
# Raises one setting step by step and checks that each step is still there before the next one.
PROGRAM = f"""\
import sys
from pathlib import Path
from hebbctl import config
from hebbctl.errors import StoreBusy
path, name = Path(sys.argv[1]), sys.argv[2]
print("ready", flush=True)
sys.stdin.read()
for number in range(1, {ROUNDS} + 1):
    assert config.stored(path).get(name, 0) == number - 1
    config.change(path, name, str(number))
"""
TEXTS = st.text(st.characters(), max_size=8)  # with halves of surrogate pairs
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "made" / "hebb.json"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_file_and_its_folder_are_the_users_alone(path: Path) -> None:
    config.change(path, "k_access", "2")
    assert (mode(path), mode(path.parent)) == (0o600, 0o700)
    assert not [one for one in path.parent.iterdir() if mode(one) & 0o077]


def test_file_is_replaced_whole_and_leaves_no_draft(path: Path) -> None:
    config.change(path, "k_access", "2")
    with path.open() as before:
        config.change(path, "k_access", "3")
        assert json.load(before) == {"k_access": 2}
    assert {one.name for one in path.parent.iterdir()} <= {"hebb.json", "hebb.json.lock"}


def test_link_to_a_file_elsewhere_stays_a_link(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "dotfiles.json"
    target.write_text('{"mine": 1}')
    path.parent.mkdir()
    path.symlink_to(target)
    config.change(path, "k_access", "2")
    assert path.is_symlink()
    assert json.loads(target.read_text()) == {"mine": 1, "k_access": 2}


def test_unchanged_settings_leave_the_file_as_it_was_written(path: Path) -> None:
    path.parent.mkdir()
    path.write_text('{"k_access":2}')
    config.change(path, "k_access", "2")
    config.remove(path, "decay_floor")
    assert path.read_text() == '{"k_access":2}'


@given(st.dictionaries(TEXTS, JSON, max_size=4))
@example({"half of a pair": "\ud800"})
@settings(max_examples=30)
def test_keys_of_others_survive_every_change(tmp_path_factory, others) -> None:
    path = tmp_path_factory.mktemp("others") / "hebb.json"
    theirs = {key: others[key] for key in others if key not in {*SETTINGS, config.OVERRIDES}}
    path.write_text(json.dumps(theirs))
    config.change(path, "k_access", "2")
    config.change_override(path, "mem_a", {"threshold": 0.5})
    config.remove_override(path, "mem_a", [])
    config.remove(path, "k_access")
    assert json.loads(path.read_text("utf-8")) == theirs | {config.OVERRIDES: {}}


def test_two_processes_that_change_different_settings_lose_none(path: Path) -> None:
    names = ("archive_days", "forget_interval_seconds")
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    running = [
        subprocess.Popen([sys.executable, "-c", PROGRAM, str(path), name], **pipes)
        for name in names
    ]
    assert [process.stdout.readline() for process in running] == [b"ready\n"] * 2
    for process in running:
        process.stdin.close()
        process.stdin = None
    assert [process.communicate()[1] for process in running] == [b"", b""]
    assert json.loads(path.read_text()) == dict.fromkeys(names, ROUNDS)


def test_lock_that_is_never_given_up_is_not_waited_for_without_end(path, monkeypatch) -> None:
    config.change(path, "k_access", "3")
    monkeypatch.setenv("HEBB_BUSY_TIMEOUT", "0.05")
    with path.with_name(f"{path.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(StoreBusy, match="another process"):
            config.change(path, "k_access", "4")
    assert config.change(path, "k_access", "4").value == 4
