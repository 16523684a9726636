"""Where the store and the settings are, who may read them, and what happens without a home."""

import os
import sqlite3
import stat
import subprocess
import sys

import pytest


@pytest.fixture
def nowhere(monkeypatch, tmp_path) -> None:
    """No HEBB_HOME and no XDG variables; the home folder is a new one."""
    for name in ("HEBB_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "user"))


def files(folder) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_files_are_for_their_owner_alone(hebb, home, monkeypatch) -> None:
    monkeypatch.setenv("HEBB_HOME", str(home / "a" / "b"))
    before = os.umask(0)
    try:
        hebb("add", "x")
        hebb("archive", 1)
        hebb("config", "set", "k_access", 1)
    finally:
        os.umask(before)
    made = {path: stat.S_IMODE(path.stat().st_mode) for path in (home / "a").rglob("*")}
    assert {path.name for path in made} >= {"hebb.db", "hebb.key", "hebb.json", "b"}
    for path, mode in made.items():
        assert mode == (0o700 if path.is_dir() else 0o600), path
    assert stat.S_IMODE((home / "a").stat().st_mode) == 0o700


def test_log_of_an_open_store_is_for_its_owner_alone(hebb, home) -> None:
    hebb("add", "x")
    reader = sqlite3.connect(home / "hebb.db")
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM memory").fetchall()
    hebb("add", "y")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in home.iterdir()}
    reader.close()
    assert "hebb.db-wal" in modes
    assert set(modes.values()) == {0o600}


@pytest.mark.usefixtures("nowhere")
@pytest.mark.parametrize("value", [None, "", "relative/folder"])
def test_without_usable_xdg_folders_the_files_are_below_the_home(
    hebb, tmp_path, monkeypatch, value
) -> None:
    monkeypatch.chdir(tmp_path)
    if value is not None:
        monkeypatch.setenv("XDG_DATA_HOME", value)
        monkeypatch.setenv("XDG_CONFIG_HOME", value)
    hebb("add", "x")
    hebb("config", "set", "k_access", 1)
    assert files(tmp_path) >= {
        "user/.local/share/hebb/hebb.db",
        "user/.config/hebb/hebb.json",
    }
    assert all(name.startswith("user/.") for name in files(tmp_path))


@pytest.mark.usefixtures("nowhere")
def test_xdg_folders_are_used(hebb, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "d"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "c"))
    hebb("add", "x")
    hebb("config", "set", "k_access", 1)
    assert files(tmp_path) >= {"d/hebb/hebb.db", "c/hebb/hebb.json"}
    assert stat.S_IMODE((tmp_path / "d" / "hebb").stat().st_mode) == 0o700
    assert not (tmp_path / "user").exists()


@pytest.mark.usefixtures("nowhere")
def test_home_that_cannot_be_written_ends_with_5(hebb, monkeypatch) -> None:
    monkeypatch.setenv("HOME", "/dev/null")
    assert hebb.error("add", "x")["code"] == 5
    assert hebb("list").code == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody without a home")
@pytest.mark.parametrize("words", [["stats"], ["add", "x"], ["config", "path"], ["recall", "x"]])
def test_unknown_home_ends_with_5_and_says_what_to_pass(words) -> None:
    program = (
        "import os, sys; from hebbctl.cli.app import main; import hebbctl.cli.memories;"
        "import hebbctl.cli.insight, hebbctl.cli.settings, hebbctl.cli.recall, pwd;"
        f"os.setgroups([]); os.setgid(54321); os.setuid(54321); sys.exit(main({words!r}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env={"PATH": "/bin"}, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (5, "")
    assert done.stderr.startswith("hebb: cannot find a home directory\n")
    assert "--db" in done.stderr
    assert "HEBB_HOME" in done.stderr


@pytest.mark.usefixtures("nowhere")
def test_named_store_needs_no_home(hebb, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("HOME", "/nonexistent")
    store = tmp_path / "x.db"
    assert hebb("--db", store, "add", "ok").out == "1\n"
    assert hebb.json("list", "--db", store)[0]["content"] == "ok"
    assert files(tmp_path) >= {"x.db"}
    assert not os.path.exists("/nonexistent")


@pytest.mark.usefixtures("nowhere")
def test_tilde_is_no_folder_of_its_own(hebb, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    hebb("add", "x")
    assert not (tmp_path / "~").exists()


@pytest.mark.parametrize("name", ["with space.db", "häß.db", "100%.db", "a?b=c#d.db", "記憶.db"])
def test_store_of_any_name_is_opened_as_named(hebb, home, name) -> None:
    hebb("add", "x", "--db", home / name)
    assert hebb.json("list", "--db", home / name)[0]["content"] == "x"
    assert (home / name).is_file()


def test_store_in_a_new_folder_is_made_with_it(hebb, home) -> None:
    assert hebb("add", "x", "--db", home / "new" / "deep" / "x.db").code == 0


def test_relative_name_of_a_store_is_below_the_working_directory(hebb, home, monkeypatch) -> None:
    monkeypatch.chdir(home)
    assert hebb("add", "x", "--db", "near.db").code == 0
    assert (home / "near.db").is_file()


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("list --db loop", 0),
        ("add x --db loop", 5),
        ("touch 1 --db loop", 3),
        ("path --db loop", 0),
        ("doctor --db loop", 0),
        ("backup restore loop --yes", 6),
        ("config set k_access 1 --config loop", 6),
        ("config list --config loop", 6),
        ("init loop", 2),
    ],
)
def test_link_to_itself_is_a_file_that_cannot_be_used(hebb, home, monkeypatch, line, code) -> None:
    monkeypatch.chdir(home)
    (home / "loop").symlink_to("loop")
    done = hebb(*line.split())
    assert (done.code, "internal error" in done.err) == (code, False), done.err
    assert {path.name for path in home.iterdir()} <= {"loop", "loop.lock"}


@pytest.mark.parametrize("folder", [".", "/"])
@pytest.mark.parametrize(
    ("line", "origin", "like"),
    [
        ("list --db", "--db", "hebb.db"),
        ("add x --db", "--db", "hebb.db"),
        ("doctor --db", "--db", "hebb.db"),
        ("path --db", "--db", "hebb.db"),
        ("config set k_access 1 --config", "--config", "hebb.json"),
    ],
)
def test_folder_without_a_name_is_no_file(hebb, monkeypatch, folder, line, origin, like) -> None:
    like = like if folder == "." else f"/{like}"
    found = hebb.error(*line.split(), folder)
    assert found["message"] == f"{origin} must name a file, not the folder {folder}"
    assert (found["code"], found["hint"]) == (2, f"such as {like}")
    monkeypatch.setenv("HEBB_DB", folder)
    assert hebb.error("list")["message"] == f"HEBB_DB must name a file, not the folder {folder}"


def test_empty_file_is_a_new_store(hebb, home) -> None:
    (home / "hebb.db").touch()
    assert hebb.json("list") == []
    assert hebb("add", "x").out == "1\n"


@pytest.mark.parametrize("way", ["--db", "HEBB_DB", "HEBB_HOME"])
def test_store_that_is_not_there_while_the_user_has_one_is_said_to_be_another(
    hebb, home, monkeypatch, way
) -> None:
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("HEBB_HOME")
    hebb("add", "in the usual store")
    usual = home / ".local" / "share" / "hebb" / "hebb.db"
    named = ("--db", home / "hebb.db") if way == "--db" else ()
    if not named:
        monkeypatch.setenv(way, str(home / "hebb.db" if way == "HEBB_DB" else home))
    for words in (("stats",), ("recall", "usual"), ("--json", "list"), ("add", "x")):
        done = hebb(*words, *named)
        assert (done.code, str(usual) in done.err) == (0, True), words
    assert str(usual) not in hebb("list", *named).err
