"""Where the store and the settings are looked for, and what the environment says of colour."""

import os
import pwd
import subprocess
from pathlib import Path

import pytest

from hebbctl import environment, places
from hebbctl.errors import StoreError


def test_option_wins_over_every_variable(tmp_path: Path, monkeypatch) -> None:
    for name in ("HEBB_DB", "HEBB_CONFIG", "HEBB_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    assert places.store(Path("here.db")).path == Path("here.db")
    assert places.settings(Path("here.json"), db=None).path == Path("here.json")


def test_place_is_named_or_in_the_home_of_hebb_or_of_the_user(monkeypatch) -> None:
    monkeypatch.setenv("HOME", "/u")
    assert places.store(None).path == Path("/u/.local/share/hebb/hebb.db")
    assert places.settings(None, db=None).path == Path("/u/.config/hebb/hebb.json")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    monkeypatch.setenv("XDG_CONFIG_HOME", "/etc")
    assert places.store(None).path == Path("/data/hebb/hebb.db")
    assert places.settings(None, db=None).path == Path("/etc/hebb/hebb.json")
    monkeypatch.setenv("HEBB_HOME", "/h")
    assert places.store(None).path == Path("/h/hebb.db")
    assert places.settings(None, db=None).path == Path("/h/hebb.json")
    monkeypatch.setenv("HEBB_DB", "/x.db")
    monkeypatch.setenv("HEBB_CONFIG", "/x.json")
    assert places.store(None).path == Path("/x.db")
    assert places.settings(None, db=None).path == Path("/x.json")


@pytest.mark.parametrize("written", ["", "relative/share", "."])
def test_empty_or_relative_xdg_folder_counts_as_unset(written: str, monkeypatch) -> None:
    monkeypatch.setenv("HOME", "/u")
    monkeypatch.setenv("XDG_DATA_HOME", written)
    monkeypatch.setenv("XDG_CONFIG_HOME", written)
    assert places.store(None).path == Path("/u/.local/share/hebb/hebb.db")
    assert places.settings(None, db=None).path == Path("/u/.config/hebb/hebb.json")


def test_empty_variables_count_as_unset(monkeypatch) -> None:
    monkeypatch.setenv("HOME", "/u")
    for name in ("HEBB_DB", "HEBB_CONFIG", "HEBB_HOME", "HEBB_NOW", "HEBB_DEBUG"):
        monkeypatch.setenv(name, "")
    assert places.store(None).path == Path("/u/.local/share/hebb/hebb.db")
    assert places.settings(None, db=None).path == Path("/u/.config/hebb/hebb.json")
    assert environment.written_now() is None
    assert not environment.debugging()


def test_user_without_a_home_is_told_what_to_set(monkeypatch) -> None:
    def nobody(_: int) -> None:
        raise KeyError

    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr(pwd, "getpwuid", nobody)
    for where in (lambda: places.store(None), lambda: places.settings(None, db=None)):
        with pytest.raises(StoreError, match="home") as caught:
            where()
        assert "HEBB_HOME" in str(caught.value.hint)


@pytest.mark.parametrize(
    ("variables", "forced"),
    [
        ({}, None),
        ({"TERM": "xterm"}, None),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": "0"}, False),
        ({"NO_COLOR": ""}, None),
        ({"TERM": "dumb"}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "0"}, None),
        ({"FORCE_COLOR": ""}, None),
        ({"CLICOLOR_FORCE": "1"}, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        ({"NO_COLOR": "", "FORCE_COLOR": "1"}, True),
    ],
)
def test_colour_is_forced_or_forbidden_by_the_environment(variables, forced, monkeypatch) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert environment.color_forced() is forced


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, of a user whose home is elsewhere."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def made_store(root: Path) -> Path:
    path = root / ".hebb" / "hebb.db"
    path.parent.mkdir(parents=True)
    path.touch()
    return path


def test_nearest_project_store_above_is_used_with_its_own_settings(user, monkeypatch) -> None:
    outer, inner = made_store(user), made_store(user / "inner")
    below = user / "inner" / "src" / "deep"
    below.mkdir(parents=True)
    for folder, path in ((user, outer), (user / "inner", inner), (below, inner)):
        monkeypatch.chdir(folder)
        assert places.store(None) == (path, "project")
        assert places.settings(None, db=None) == (path.with_name("hebb.json"), "project")
        assert places.project() == path.parents[1]


def test_named_places_win_over_a_project(user, monkeypatch) -> None:
    made_store(user)
    assert places.store(Path("x.db")).origin == "--db"
    monkeypatch.setenv("HEBB_DB", "/y.db")
    assert places.store(None) == (Path("/y.db"), "HEBB_DB")
    monkeypatch.delenv("HEBB_DB")
    monkeypatch.setenv("HEBB_HOME", "/h")
    assert places.store(None) == (Path("/h/hebb.db"), "HEBB_HOME")


def test_settings_of_a_project_do_not_govern_another_store(user, monkeypatch) -> None:
    made_store(user)
    assert places.settings(None, db=Path("other.db")).origin == "default"
    monkeypatch.setenv("HEBB_DB", "/other.db")
    assert places.settings(None, db=None).origin == "default"


def git(*arguments: str, folder: Path) -> None:
    identity = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def worktree(user: Path) -> Path:
    """A linked worktree of the repository ``main``, both in the user's folder."""
    (user / "main").mkdir()
    git("init", folder=user / "main")
    git("commit", "--allow-empty", "-m", "begin", folder=user / "main")
    git("worktree", "add", "../linked", folder=user / "main")
    return user / "linked"


def test_linked_worktree_uses_the_store_of_its_main_repository(worktree, user, monkeypatch) -> None:
    (worktree / "src").mkdir()
    monkeypatch.chdir(worktree / "src")
    assert places.store(None).origin == "default"
    assert places.project() == user / "main"
    assert places.make_project(worktree / "src") == user / "main" / ".hebb" / "hebb.db"
    path = user / "main" / ".hebb" / "hebb.db"
    path.touch()
    assert places.store(None) == (path, "project")


def test_repository_of_its_own_below_a_worktree_is_a_project_of_its_own(
    worktree, monkeypatch
) -> None:
    (worktree / "vendor").mkdir()
    git("init", folder=worktree / "vendor")
    assert places.make_project(worktree / "vendor") == worktree / "vendor" / ".hebb" / "hebb.db"
    monkeypatch.chdir(worktree / "vendor")
    assert places.project() == worktree / "vendor"


@pytest.mark.parametrize(
    "written", [b"", b"gitdir: nowhere", b"\xff\xfe", b"gitdir: .\0", b"x" * 9999]
)
def test_git_file_that_leads_nowhere_is_a_plain_folder(written: bytes, user) -> None:
    (user / ".git").write_bytes(written)
    assert places.main_worktree(user) is None
    assert places.store(None).origin == "default"
    assert places.project() == user


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_store_of_somebody_else_is_passed_over(user, monkeypatch) -> None:
    own = made_store(user)
    foreign = made_store(user / "shared")
    os.chown(foreign, 4321, 4321)
    monkeypatch.chdir(user / "shared")
    assert places.store(None) == (own, "project")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("foreign", [".hebb", ".hebb/hebb.json"])
def test_own_store_reached_through_somebody_else_is_passed_over(foreign, user, monkeypatch) -> None:
    own = made_store(user)
    trap = user / "shared"
    (trap / ".hebb").mkdir(parents=True)
    (trap / ".hebb" / "hebb.db").symlink_to(own)
    (trap / ".hebb" / "hebb.json").write_text('{"on_forget": "erase"}')
    os.chown(trap / foreign, 4321, 4321)
    monkeypatch.chdir(trap)
    assert places.store(None) == (own, "project")


def test_removed_working_directory_has_no_project(user, monkeypatch) -> None:
    (user / "gone").mkdir()
    monkeypatch.chdir(user / "gone")
    (user / "gone").rmdir()
    assert places.store(None).origin == "default"
    assert places.project() is None
