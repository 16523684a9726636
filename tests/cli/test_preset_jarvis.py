"""Presets jarvis and jarvis-exp: the acceptance list, levels, stale memories, the archive."""

import pytest

LEVELS = ("high", 9), ("medium", 5), ("low", 1)


def choose(hebb, name: str = "jarvis") -> None:
    assert hebb("config", "preset", name).code == 0


def bring(hebb, *importances: float, content: str = "note", **fields) -> None:
    hebb.bring(
        *(
            {"content": f"{content} {number}", "importance": importance} | fields
            for number, importance in enumerate(importances, start=1)
        )
    )


@pytest.mark.parametrize(
    ("preset", "expected"),
    [("jarvis", [0.794, 0.5, 0.25]), ("jarvis-exp", [0.717, 0.368, 0.135])],
)
def test_after_30_days_each_level_keeps_its_share(hebb, at, preset, expected) -> None:
    choose(hebb, preset)
    bring(hebb, *(importance for _, importance in LEVELS))
    at(30)
    assert [round(hebb.json("explain", number)["retention"], 3) for number in (1, 2, 3)] == expected


def test_acceptance_about_half_is_left_after_30_days_and_only_under_jarvis(hebb, at) -> None:
    choose(hebb)
    bring(hebb, 5)
    at(30)
    assert 0.4 < hebb.json("explain", 1)["retention"] < 0.6
    assert not 0.4 < hebb.json("explain", 1, "--preset", "jarvis-exp")["retention"] < 0.6


def test_explain_says_which_formula_is_used(hebb) -> None:
    choose(hebb)
    bring(hebb, 5)
    rows = dict(hebb("explain", 1).rows)
    assert "acceptance test" in rows["curve"]
    assert "2^(" in rows["formula"]
    rows = dict(hebb("explain", 1, "--preset", "jarvis-exp").rows)
    assert "written formula" in rows["curve"]
    assert "exp(" in rows["formula"]


def test_acceptance_low_fades_six_times_as_fast_as_high(hebb) -> None:
    choose(hebb)
    bring(hebb, 9, 1)
    high, low = (hebb.json("explain", number)["true_half_life_days"] for number in (1, 2))
    assert (high, low) == (pytest.approx(90), pytest.approx(15))


@pytest.mark.parametrize(
    ("importance", "half_life"), [(10, 90), (7, 90), (6.9, 30), (4, 30), (3.9, 15), (0, 15)]
)
def test_levels_are_cut_at_7_and_4(hebb, importance, half_life) -> None:
    choose(hebb)
    bring(hebb, importance)
    assert hebb.json("explain", 1)["true_half_life_days"] == pytest.approx(half_life)


def test_acceptance_faded_memory_is_archived_and_never_erased(hebb, at, day) -> None:
    choose(hebb)
    bring(hebb, 5)
    at(day(82.11))  # .15 are left
    assert round(hebb.json("explain", 1)["retention"], 3) == 0.15
    assert hebb.json("gc")["archived"] == 1
    assert hebb.json("show", 1)["archived_reason"] == "swept"
    at("9999-12-31T23:59:59Z")
    assert hebb.ids("gc") == []
    assert hebb.json("explain", 1)["erased_at"] is None


def test_boundary_of_the_archive_is_strict(hebb, at, day) -> None:
    choose(hebb)
    bring(hebb, 5)
    lifetime = hebb.json("explain", 1)["lifetime_days"]
    assert lifetime == pytest.approx(69.6578, abs=1e-4)
    at(day(lifetime - 1e-7))
    assert hebb.ids("gc") == []
    at(day(lifetime + 1e-7))
    assert hebb.ids("gc") == [1]


def test_acceptance_restored_memory_begins_at_080_and_survives_the_next_sweep(hebb, at) -> None:
    choose(hebb)
    bring(hebb, 5)
    at(82)
    hebb("gc")
    hebb("restore", 1)
    found = hebb.json("show", 1)
    assert (found["state"], found["retention"], found["anchor_value"]) == ("live", 0.8, 0.8)
    assert hebb.ids("gc") == []
    at(82 + 30)
    assert hebb.json("explain", 1)["retention"] == pytest.approx(0.4)
    at(82 + 61)
    assert hebb.ids("gc") == [1]  # .8 / 4 is reached after 60 days


@pytest.mark.parametrize("use", [["touch", "1"], ["recall", "note"]])
def test_use_drops_the_anchor_resets_the_clock_and_adds_to_the_frequency(hebb, at, use) -> None:
    choose(hebb)
    bring(hebb, 5)
    at(82)
    hebb("gc")
    hebb("restore", 1)
    at(90)
    before = hebb.json("show", 1)
    hebb(*use)
    after = hebb.json("show", 1)
    assert (after["anchor_value"], after["anchor_at"], after["retention"]) == (None, None, 1)
    assert after["frequency"] == before["frequency"] + 1
    assert after["access_count"] == before["access_count"] + 1


def test_frequency_changes_nothing_and_explain_says_so(hebb, at) -> None:
    choose(hebb)
    hebb.bring({"content": "a", "frequency": 10}, {"content": "b", "access_count": 40})
    at(20)
    often, used = hebb.json("explain", 1), hebb.json("explain", 2)
    assert often["retention"] == used["retention"] == pytest.approx(2 ** (-20 / 30))
    assert dict(hebb("explain", 1).rows)["frequency"] == "10: it has no effect on retention"


def test_stale_memories_are_recalled_after_the_others_and_thereby_renewed(hebb, at) -> None:
    choose(hebb)
    hebb("add", "the deploy key", "--importance", 5)
    hebb("add", "some words on how to deploy, which fit less", "--importance", 9)
    at(31)
    assert hebb.json("show", 1)["state"] == "stale"
    assert hebb.json("stats")["by_state"]["stale"] == 1
    assert hebb.ids("recall", "the deploy key", "--peek") == [2, 1]
    assert hebb.ids("recall", "the deploy key") == [2, 1]
    assert hebb.json("show", 1)["state"] == "live"
    assert hebb.ids("recall", "the deploy key") == [1, 2]


def test_stale_begins_below_one_half(hebb, at, day) -> None:
    choose(hebb)
    bring(hebb, 5)
    assert hebb.json("explain", 1)["stale_at"] == "2026-01-31T00:00:00.001Z"
    at(30)
    assert hebb.json("show", 1)["state"] == "live"
    at(day(30 + 2e-8))
    assert hebb.json("show", 1)["state"] == "stale"


def test_archived_memory_is_shown_after_the_stale_ones_as_a_fallback(hebb, at) -> None:
    choose(hebb)
    bring(hebb, 1, 5, 9)
    at(40)
    hebb("gc")
    found = hebb.json("recall", "note", "--peek")
    assert [(one["id"], one["state"]) for one in found] == [
        (3, "live"),
        (2, "stale"),
        (1, "archived"),
    ]


def test_pinned_memory_is_neither_stale_nor_archived(hebb, at) -> None:
    choose(hebb)
    bring(hebb, 1, pinned=True)
    at(3000)
    assert hebb.ids("gc") == []
    assert hebb.json("show", 1)["state"] == "live"


def test_every_partition_is_governed_alike(hebb) -> None:
    choose(hebb)
    for partition in ("mem_notes", "mem_episodic", "mem_semantic", "mem_preference", "mem_own"):
        found = hebb.json("policy", "show", partition)
        assert (found["curve"], found["half_life_days"], found["threshold"]) == ("jarvis", 30, 0.2)


def test_there_is_no_promotion_and_promote_says_so(hebb) -> None:
    choose(hebb)
    bring(hebb, 5, access_count=50)
    done = hebb("promote")
    assert (done.out, "nothing is promoted by use" in done.err) == ("", True)
