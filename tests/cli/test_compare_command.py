"""hebb compare, and --preset of explain and forecast: one memory under every system."""

import json

import pytest

from hebbctl.presets import PRESETS

WORN = {"content": "a note", "importance": 5, "access_count": 2, "created_at": "2025-12-22"}


def courses(hebb) -> dict[str, dict]:
    return {one["preset"]: one for one in hebb.json("compare", 1)["presets"]}


def test_memory_is_shown_as_it_is_and_under_every_preset(hebb) -> None:
    hebb.bring(WORN)
    found = courses(hebb)
    assert list(found) == ["saved", *PRESETS]
    assert found["saved"] == found["default"] | {"preset": "saved"}
    assert found["jarvis"]["retention"] == pytest.approx(2 ** (-10 / 30))
    assert found["memorybank"]["retention"] == pytest.approx(2.718281828 ** (-10 / 3), rel=1e-6)
    assert found["cortexgraph"]["vitality"] == pytest.approx(3**0.6 * 2 ** (-10 / 3))
    assert found["amnesia"]["stale_days"] == pytest.approx(2.04, abs=0.005)
    assert found["amnesia"]["end_days"] == pytest.approx(19.96, abs=0.005)


def test_day_that_has_passed_is_zero_and_never_is_null(hebb) -> None:
    hebb.bring(WORN)
    found = courses(hebb)
    assert (found["memorybank"]["end_days"], found["memorybank"]["archive_days"]) == (0, None)
    assert found["jarvis"]["archive_days"] == pytest.approx(59.66, abs=0.005)
    assert found["jarvis"]["end_days"] is None  # archived for ever
    assert found["default"]["stale_days"] is None


def test_pinned_memory_ends_under_no_preset(hebb) -> None:
    hebb.bring(WORN | {"pinned": True})
    found = courses(hebb).values()
    assert {(one["stale_days"], one["end_days"], one["decided_by"]) for one in found} == {
        (None, None, "pinned")
    }


def test_long_term_memory_ends_nowhere_in_cortexgraph(hebb) -> None:
    hebb.bring(WORN | {"partition": "mem_semantic"})
    assert courses(hebb)["cortexgraph"]["decided_by"] == "disabled"
    assert courses(hebb)["memorybank"]["decided_by"] == "threshold"


@pytest.mark.parametrize("preset", PRESETS)
def test_comparison_says_what_explain_and_gc_do_under_the_preset(hebb, at, day, preset) -> None:
    hebb.bring(WORN)
    compared, supposed = courses(hebb)[preset], hebb.json("explain", 1, "--preset", preset)
    hebb("config", "preset", preset)
    assert hebb.json("explain", 1) == supposed
    assert courses(hebb)["saved"] == compared | {"preset": "saved"}
    ends = compared["end_days"] if compared["erases"] else compared["archive_days"]
    at(day(ends + 1e-6))
    assert hebb.ids("gc", "--dry-run") == [1]
    if ends > 0:
        at(day(ends - 1e-6))
        assert hebb.ids("gc", "--dry-run") == []


def test_comparison_keeps_a_users_other_settings_and_drops_what_a_preset_governs(
    hebb, home
) -> None:
    (home / "hebb.json").write_text('{"decay_floor": 0.5, "half_life_days": 1}')
    hebb.bring(WORN)
    found = courses(hebb)
    assert found["saved"]["end_days"] < found["default"]["end_days"]


def test_comparison_in_a_pipe_has_one_line_for_each_preset(hebb) -> None:
    hebb.bring(WORN)
    rows = {row[0]: row[1:] for row in hebb("compare", 1).rows}
    assert list(rows) == ["saved", *PRESETS]
    assert rows["jarvis"] == ["0.793701", "0.793701", "20", "59.6578", "∞"]
    assert rows["memorybank"] == ["0.035674", "0.035674", "∞", "", "0"]


def test_comparison_and_supposed_presets_write_nothing(hebb, home, contents) -> None:
    hebb.bring(WORN)
    hebb("config", "set", "k_access", 3)
    before = contents()
    for words in (
        ["compare", "1"],
        ["compare", "1", "--now", "90d"],
        ["explain", "1", "--preset", "amnesia"],
        ["forecast", "--preset", "memorybank"],
    ):
        assert hebb(*words).code == 0
    assert contents() == before


def test_forecast_under_a_preset_is_that_of_the_preset_once_chosen(hebb) -> None:
    hebb.bring(WORN, WORN | {"content": "b", "importance": 9}, WORN | {"content": "c", "ttl_ms": 1})
    for preset in ("jarvis", "memorybank", "amnesia"):
        supposed = hebb.json("forecast", "--days", 90, "--preset", preset)
        hebb("config", "preset", preset)
        assert hebb.json("forecast", "--days", 90) == supposed
        assert supposed["memories"]


@pytest.mark.parametrize("command", ["explain 1", "forecast"])
def test_unknown_preset_is_named_with_the_closest_one(hebb, command) -> None:
    hebb.bring(WORN)
    error = hebb.error(*command.split(), "--preset", "amnesa")
    assert (error["code"], error["message"]) == (2, "no preset 'amnesa'")
    assert "amnesia" in error["hint"]


def test_settings_that_cannot_be_read_are_named(hebb, home) -> None:
    hebb.bring(WORN)
    (home / "hebb.json").write_text(json.dumps({"curve": "spiral"}))
    assert hebb.error("compare", "1")["code"] == 6


def test_comparing_what_is_not_there_says_so(hebb) -> None:
    assert hebb.error("compare", "7")["code"] == 3
