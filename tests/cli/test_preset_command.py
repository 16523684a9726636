"""hebb config preset: what it writes, shows first, takes back, and keeps of a user's own."""

import json
import sqlite3

import pytest

from hebbctl.presets import GOVERNED, PRESETS
from hebbctl.settings import SETTINGS

LIMITS = ("max_item_bytes", "max_store_bytes", "inject_max_tokens")  # no life depends on them
OTHERS = [name for name in PRESETS if name != "default"]


@pytest.fixture
def stored(home):
    """Reads what the settings file holds besides the note of the preset."""

    def read() -> dict:
        if not (home / "hebb.json").exists():
            return {}
        found = json.loads((home / "hebb.json").read_text())
        found.pop("preset", None)
        return found

    return read


@pytest.mark.parametrize("name", OTHERS)
def test_preset_writes_its_settings_and_undo_takes_them_back(hebb, home, stored, name) -> None:
    (home / "hebb.json").write_text('{"decay_floor": 0.5}')
    assert hebb("config", "preset", name).code == 0
    assert stored() == {"decay_floor": 0.5} | PRESETS[name].settings
    assert hebb("config", "list").code == 0
    assert hebb("config", "preset", "--undo").code == 0
    assert json.loads((home / "hebb.json").read_text()) == {"decay_floor": 0.5}


@pytest.mark.parametrize("name", OTHERS)
def test_dry_run_shows_the_same_and_writes_nothing(hebb, contents, name) -> None:
    hebb("add", "x")
    hebb("config", "set", "k_access", 3)
    before = contents()
    tried = hebb.json("config", "preset", name, "--dry-run")
    assert contents() == before
    done = hebb.json("config", "preset", name)
    assert (tried.pop("dry_run"), done.pop("dry_run")) == (True, False)
    assert tried == done
    assert {"name": "k_access", "before": 3, "after": None} in done["changes"]


def test_dry_run_in_an_empty_home_makes_nothing(hebb, home) -> None:
    assert hebb("config", "preset", "jarvis", "--dry-run").code == 0
    assert list(home.iterdir()) == []


def test_what_a_preset_does_not_name_is_at_its_default_after_it(hebb, stored) -> None:
    hebb("config", "set", "half_life_days", 7)
    hebb("config", "set", "k_access", 9)
    hebb("config", "preset", "memorybank")
    assert not stored().keys() & {"half_life_days", "k_access"}


def test_a_users_own_settings_and_overrides_come_back_by_undo(hebb, home) -> None:
    own = {
        "decay_floor": 0.4,
        "half_life_days": 7,
        "on_forget": "erase",
        "forgetting_overrides": {"mem_facts": {"half_life_days": 365, "threshold": None}},
        "theirs": {"kept": [1, 2]},
    }
    (home / "hebb.json").write_text(json.dumps(own))
    for name in ("cortexgraph", "jarvis"):
        hebb("config", "preset", name)
        hebb("config", "preset", "--undo")
        assert json.loads((home / "hebb.json").read_text()) == own


def test_two_presets_in_a_row_leave_nothing_of_the_first(hebb, stored) -> None:
    hebb("config", "preset", "cortexgraph")
    hebb("config", "preset", "jarvis")
    assert stored() == PRESETS["jarvis"].settings
    hebb("config", "preset", "--undo")
    assert stored() == PRESETS["cortexgraph"].settings


def test_default_takes_every_other_preset_away(hebb, stored) -> None:
    hebb("config", "set", "decay_floor", 0.5)
    hebb("config", "preset", "amnesia")
    hebb("config", "preset", "default")
    assert stored() == {"decay_floor": 0.5}


def test_same_preset_again_changes_nothing_and_undo_still_takes_it_back(hebb, stored) -> None:
    hebb("config", "preset", "jarvis")
    assert hebb.json("config", "preset", "jarvis")["changes"] == []
    hebb("config", "preset", "--undo")
    assert stored() == {}


def test_undo_keeps_what_was_changed_since_and_says_so(hebb, stored) -> None:
    hebb("config", "preset", "jarvis")
    hebb("config", "set", "forget_threshold", 0.1)
    done = hebb("config", "preset", "--undo")
    assert "kept, for they were changed since: forget_threshold" in done.err
    assert stored() == {"forget_threshold": 0.1}


def test_undo_without_a_preset_is_refused(hebb, home) -> None:
    error = hebb.error("config", "preset", "--undo")
    assert (error["code"], error["message"]) == (
        4,
        "no preset was chosen: there is nothing to undo",
    )
    hebb("config", "preset", "jarvis")
    hebb("config", "preset", "--undo")
    assert hebb.error("config", "preset", "--undo")["code"] == 4


def test_undo_can_be_tried_first(hebb, stored) -> None:
    hebb("config", "preset", "jarvis")
    tried = hebb.json("config", "preset", "--undo", "--dry-run")
    assert {"name": "curve", "before": "jarvis", "after": None} in tried["changes"]
    assert stored() == PRESETS["jarvis"].settings


@pytest.mark.parametrize(("name", "meant"), [("jarvi", "jarvis"), ("banana", "memorybank")])
def test_unknown_preset_is_named_and_writes_nothing(hebb, home, name, meant) -> None:
    error = hebb.error("config", "preset", name)
    assert (error["code"], error["message"]) == (2, f"no preset {name!r}")
    assert meant in error["hint"]
    assert list(home.iterdir()) == []


def test_name_and_undo_exclude_each_other(hebb) -> None:
    assert hebb.error("config", "preset", "jarvis", "--undo")["code"] == 2


def test_presets_are_listed_with_the_chosen_one(hebb) -> None:
    hebb("config", "preset", "amnesia")
    found = hebb.json("config", "preset")
    assert [one["name"] for one in found] == list(PRESETS)
    assert [one["name"] for one in found if one["chosen"]] == ["amnesia"]
    assert all(one["summary"] for one in found)


def test_variable_of_the_environment_wins_over_a_preset(hebb, monkeypatch) -> None:
    monkeypatch.setenv("HEBB_CURVE", "power")
    hebb("add", "x")
    hebb("config", "preset", "jarvis")
    assert hebb.json("explain", 1)["curve"] == "power"
    assert hebb.json("config", "get", "forget_threshold")["value"] == 0.2


def test_change_says_what_the_next_sweep_takes_before_and_after(hebb) -> None:
    hebb.bring({"content": "x", "created_at": "2025-12-25"})
    found = hebb.json("config", "preset", "memorybank", "--dry-run")
    assert (found["due_before"], found["due_after"]) == (0, 1)
    assert "the next sweep takes 1 memory, 0 before" in hebb("config", "preset", "memorybank").err


def test_change_leaves_a_row_in_the_audit(hebb) -> None:
    hebb("add", "x")
    hebb("config", "preset", "jarvis")
    hebb("config", "preset", "amnesia")
    hebb("config", "preset", "--undo")
    reasons = [one["reason"] for one in hebb.json("audit", "--action", "setting")]
    assert sorted(reasons) == [
        "preset: amnesia -> jarvis",
        "preset: default -> jarvis",
        "preset: jarvis -> amnesia",
    ]


def test_store_that_is_locked_keeps_the_settings_as_they_are(hebb, home, monkeypatch) -> None:
    monkeypatch.setattr("hebbctl.store.connection.BUSY_TIMEOUT_MS", 50)
    hebb("add", "x")
    writer = sqlite3.connect(home / "hebb.db", isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    assert hebb.error("config", "preset", "jarvis")["code"] == 5
    writer.close()
    assert not (home / "hebb.json").exists()


def test_file_that_cannot_be_read_is_left_as_it_is(hebb, home) -> None:
    for broken in ("[1]", '{"curve": "spiral"}', '{"forgetting_overrides": 3}'):
        (home / "hebb.json").write_text(broken)
        assert hebb.error("config", "preset", "jarvis")["code"] == 6
        assert (home / "hebb.json").read_text() == broken


@pytest.mark.parametrize("preset", ["7", '"jarvis"', '{"name": "jarvis"}', '{"before": []}'])
def test_note_of_a_preset_that_was_edited_by_hand_is_one_line_not_a_traceback(
    hebb, home, preset
) -> None:
    (home / "hebb.json").write_text(f'{{"preset": {preset}, "k_access": 2}}')
    for words in (["--undo"], ["amnesia", "--dry-run"], ["amnesia"]):
        (home / "hebb.json").write_text(f'{{"preset": {preset}, "k_access": 2}}')
        error = hebb.error("config", "preset", *words)
        assert (error["code"], "preset" in error["message"]) == (6, True)
    assert hebb.error("config", "preset")["code"] == 6


def test_now_is_not_for_changing_settings(hebb) -> None:
    assert hebb.error("config", "preset", "jarvis", "--now", "30d")["code"] == 2
    assert hebb("config", "preset", "jarvis", "--now", "30d", "--dry-run").code == 0


def test_every_setting_of_a_preset_is_in_range_and_governed() -> None:
    for preset in PRESETS.values():
        for name, value in preset.settings.items():
            assert name in (*GOVERNED, *LIMITS)
            if name in SETTINGS:
                assert SETTINGS[name].read(value) == value
