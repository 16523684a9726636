"""Where the store and the settings are looked for, and what the environment says of colour."""

import os
import pwd
from pathlib import Path

import pytest

from hebbctl import environment, places
from hebbctl.errors import StoreError


@pytest.fixture(autouse=True)
def empty_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith(("HEBB_", "XDG_")):
            monkeypatch.delenv(name)
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "TERM"):
        monkeypatch.delenv(name, raising=False)


def test_option_wins_over_every_variable(tmp_path: Path, monkeypatch) -> None:
    for name in ("HEBB_DB", "HEBB_CONFIG", "HEBB_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    assert places.store_path(Path("here.db")) == Path("here.db")
    assert places.settings_path(Path("here.json")) == Path("here.json")


def test_place_is_named_or_in_the_home_of_hebb_or_of_the_user(monkeypatch) -> None:
    monkeypatch.setenv("HOME", "/u")
    assert places.store_path(None) == Path("/u/.local/share/hebb/hebb.db")
    assert places.settings_path(None) == Path("/u/.config/hebb/hebb.json")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    monkeypatch.setenv("XDG_CONFIG_HOME", "/etc")
    assert places.store_path(None) == Path("/data/hebb/hebb.db")
    assert places.settings_path(None) == Path("/etc/hebb/hebb.json")
    monkeypatch.setenv("HEBB_HOME", "/h")
    assert places.store_path(None) == Path("/h/hebb.db")
    assert places.settings_path(None) == Path("/h/hebb.json")
    monkeypatch.setenv("HEBB_DB", "/x.db")
    monkeypatch.setenv("HEBB_CONFIG", "/x.json")
    assert places.store_path(None) == Path("/x.db")
    assert places.settings_path(None) == Path("/x.json")


@pytest.mark.parametrize("written", ["", "relative/share", "."])
def test_empty_or_relative_xdg_folder_counts_as_unset(written: str, monkeypatch) -> None:
    monkeypatch.setenv("HOME", "/u")
    monkeypatch.setenv("XDG_DATA_HOME", written)
    monkeypatch.setenv("XDG_CONFIG_HOME", written)
    assert places.store_path(None) == Path("/u/.local/share/hebb/hebb.db")
    assert places.settings_path(None) == Path("/u/.config/hebb/hebb.json")


def test_empty_variables_count_as_unset(monkeypatch) -> None:
    monkeypatch.setenv("HOME", "/u")
    for name in ("HEBB_DB", "HEBB_CONFIG", "HEBB_HOME", "HEBB_NOW", "HEBB_DEBUG"):
        monkeypatch.setenv(name, "")
    assert places.store_path(None) == Path("/u/.local/share/hebb/hebb.db")
    assert places.settings_path(None) == Path("/u/.config/hebb/hebb.json")
    assert environment.written_now() is None
    assert not environment.debugging()


def test_user_without_a_home_is_told_what_to_set(monkeypatch) -> None:
    def nobody(_: int) -> None:
        raise KeyError

    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr(pwd, "getpwuid", nobody)
    for where in (places.store_path, places.settings_path):
        with pytest.raises(StoreError, match="home") as caught:
            where(None)
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
