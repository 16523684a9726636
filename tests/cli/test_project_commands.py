"""hebb init and path: a project's own store, and where everything is."""

import stat
from pathlib import Path

import pytest


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory of a user without a store."""
    monkeypatch.delenv("HEBB_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    folder = tmp_path / "widgets"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def test_init_makes_a_private_store_that_git_ignores(hebb, project) -> None:
    done = hebb("init")
    assert (done.code, done.rows) == (0, [[str(project / ".hebb" / "hebb.db")]])
    assert f"hebb gc --quiet --db {project}/.hebb/hebb.db" in done.err
    assert (project / ".hebb" / ".gitignore").read_text() == "*\n"
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (project / ".hebb").iterdir()}
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE((project / ".hebb").stat().st_mode) == 0o700


def test_second_init_changes_nothing_and_says_so(hebb, project) -> None:
    hebb("init")
    hebb("add", "a note")
    again = hebb("init")
    assert (again.code, again.err) == (0, "there already: nothing was changed\n")
    assert hebb.json("init")["existing"]
    assert hebb.ids("list") == [1]


def test_store_of_a_project_is_used_from_below_it_and_nowhere_else(
    hebb, project, monkeypatch
) -> None:
    hebb("add", "of the user")
    hebb("init")
    (project / "src").mkdir()
    monkeypatch.chdir(project / "src")
    assert hebb.json("add", "of the project")["scope"] == "widgets"
    assert [one["content"] for one in hebb.json("list")] == ["of the project"]
    monkeypatch.chdir(project.parent)
    assert [one["content"] for one in hebb.json("list")] == ["of the user"]


def test_settings_changed_in_a_project_stay_in_it(hebb, project, monkeypatch) -> None:
    hebb("init")
    hebb("config", "set", "half_life_days", 120)
    assert (project / ".hebb" / "hebb.json").is_file()
    monkeypatch.chdir(project.parent)
    assert hebb.json("config", "get", "half_life_days")["value"] == 60


def test_init_takes_a_folder_and_says_what_is_in_use_instead(hebb, project, monkeypatch) -> None:
    home = project.parent / "h"
    monkeypatch.setenv("HEBB_HOME", str(home))
    done = hebb("init", project)
    assert done.rows == [[str(project / ".hebb" / "hebb.db")]]
    assert done.err == f"from here hebb still uses {home}/hebb.db (HEBB_HOME)\n"


def test_init_refuses_what_is_no_folder(hebb, project) -> None:
    (project / "file").touch()
    for name in ("file", "nowhere"):
        error = hebb.error("init", name)
        assert error["code"] == 2
        assert repr(name) in error["message"]


def test_init_that_is_refused_has_made_nothing(hebb, project, home) -> None:
    assert hebb("init", "--now", "7d").code == 2
    (project / "hebb.json").write_text("{")
    assert hebb("init", "--config", "hebb.json").code == 6
    assert not (project / ".hebb").exists()


def test_init_where_nothing_can_be_made_ends_with_5(hebb, project) -> None:
    (project / ".hebb").touch()
    assert hebb.error("init")["code"] == 5


def test_path_names_every_place_with_its_reason_and_makes_none(hebb, project) -> None:
    done = hebb("path")
    assert [row[0] for row in done.rows] == ["store", "settings", "key", "backups", "scope"]
    assert done.rows[0][1:] == [f"{project.parent}/home/.local/share/hebb/hebb.db", "no", "default"]
    assert not (project.parent / "home").exists()
    hebb("init")
    found = hebb.json("path")
    assert found["places"][0] == {
        "name": "store",
        "path": str(project / ".hebb" / "hebb.db"),
        "exists": True,
        "origin": "project",
    }
    assert (found["project"], found["scope"]) == (str(project), "widgets")
    assert found["scope_origin"] == "project"


@pytest.mark.parametrize("variable", ["XDG_DATA_HOME", "XDG_CONFIG_HOME"])
def test_path_says_which_variable_chose(variable: str, hebb, project, monkeypatch) -> None:
    monkeypatch.setenv(variable, "/elsewhere")
    chosen = [place for place in hebb.json("path")["places"] if place["origin"] == variable]
    assert [place["path"].startswith("/elsewhere/hebb/") for place in chosen] == [True]


def test_dot_is_the_project_around_whichever_store_is_in_use(hebb, project, monkeypatch) -> None:
    (project / ".git").mkdir()
    assert hebb.json("add", "one", "--scope", ".")["scope"] == "widgets"
    assert hebb.json("add", "two")["scope"] == "global"
    monkeypatch.chdir("/")
    error = hebb.error("add", "three", "--scope", ".")
    assert error["code"] == 2
    assert "no project" in error["message"]
    assert hebb.json("add", "four")["scope"] == "global"


def test_store_of_a_project_named_by_cron_keeps_its_own_settings(
    hebb, project, monkeypatch
) -> None:
    hebb("init")
    hebb("config", "set", "half_life_days", 7)
    hebb("add", "fades soon")
    path = project / ".hebb" / "hebb.db"
    monkeypatch.chdir("/")
    assert hebb.json("explain", 1, "--db", path)["half_life_days"] == 7
    monkeypatch.setenv("HEBB_DB", str(path))
    assert hebb.json("explain", 1)["half_life_days"] == 7


@pytest.mark.parametrize("line", ["gc", "touch 1", "forget --all --yes", "promote", "list"])
def test_store_that_is_not_there_is_named_and_not_made(line, hebb, home) -> None:
    done = hebb(*line.split(), "--db", home / "typo.db")
    assert done.code == (3 if line == "touch 1" else 0)
    assert not (home / "typo.db").exists()
    if done.code == 0:
        assert f"there is no store {home / 'typo.db'} yet" in done.err
