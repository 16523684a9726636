"""Preset hebb-mind: its golden numbers, its settings file and its sweep."""

import json

import pytest

SCENARIOS = (
    {
        "content": "known",
        "partition": "mem_semantic",
        "importance": 8,
        "access_count": 10,
        "created_at": "2025-12-30",
    },
    {
        "content": "neglected",
        "partition": "mem_episodic",
        "importance": 3,
        "access_count": 1,
        "created_at": "2025-09-03",
    },
)


@pytest.fixture(autouse=True)
def chosen(hebb) -> None:
    assert hebb("config", "preset", "hebb-mind").code == 0


def test_two_scenarios_have_the_published_numbers(hebb) -> None:
    hebb.bring(*SCENARIOS)
    known, neglected = hebb.json("explain", 1), hebb.json("explain", 2)
    assert known["time_constant_days"] == pytest.approx(441)
    assert round(known["retention"], 5) == 0.99548
    assert round(known["lifetime_days"], 2) == 530.95
    assert neglected["time_constant_days"] == pytest.approx(42)
    assert round(neglected["retention"], 4) == 0.0574
    assert round(neglected["lifetime_days"], 2) == 50.57


def test_neglected_memory_is_erased_by_the_next_sweep_not_shelved(hebb) -> None:
    hebb.bring(*SCENARIOS)
    assert hebb.json("explain", 2)["due"]
    swept = hebb.json("gc")
    assert (swept["archived"], swept["erased"]) == (0, 1)
    assert hebb.error("show", 2)["code"] == 3
    assert hebb.json("show", 1)["state"] == "live"


@pytest.mark.parametrize(
    ("partition", "figures"),
    [
        ("mem_episodic", (30, 1.0, 1.0, 0.3)),
        ("mem_semantic", (90, 3.0, 1.5, 0.3)),
        ("mem_procedural", (90, 3.0, 1.5, 0.3)),
        ("mem_preference", (180, 4.0, 1.5, 0.3)),
        ("mem_notes", (60, 2.0, 1.5, 0.3)),
        ("mem_my_own", (60, 2.0, 1.5, 0.3)),
    ],
)
def test_each_partition_has_the_published_figures(hebb, partition, figures) -> None:
    found = hebb.json("policy", "show", partition)
    names = ("half_life_days", "k_importance", "k_access", "threshold")
    assert tuple(found[name] for name in names) == figures


def test_inbox_is_never_swept(hebb, at) -> None:
    hebb("add", "unsorted", "--partition", "mem_hippocampus", "--importance", 0)
    at("9000-01-01")
    assert hebb.ids("gc") == []


def test_nothing_goes_within_the_first_day_whatever_the_policy(hebb, at) -> None:
    hebb("policy", "set", "mem_scratch", "--half-life-days", 0.001)
    hebb("add", "x", "--partition", "mem_scratch", "--importance", 0)
    at(1)
    assert hebb.ids("gc") == []
    at(1.0001)
    assert hebb.ids("gc") == [1]


def test_a_longer_life_and_a_higher_threshold_are_set_as_the_source_writes_them(hebb, at) -> None:
    hebb("add", "x", "--importance", 0)
    for line, lifetime in (
        ("config set half_life_days 120", 144.48),
        ("config set forget_threshold 0.5", 83.18),
        ("config set forget_interval_seconds 3600", 83.18),
    ):
        assert hebb(*line.split()).code == 0
        assert round(hebb.json("explain", 1)["lifetime_days"], 2) == lifetime


def test_overrides_of_the_source_count_at_the_next_sweep(hebb, home, at) -> None:
    overrides = {
        "mem_facts": {"half_life_days": 365, "k_access": 2.0, "threshold": None, "enabled": True},
        "mem_scratch": {"half_life_days": 7, "enabled": True},
        "mem_pinned": {"enabled": False},
    }
    stored = json.loads((home / "hebb.json").read_text())
    (home / "hebb.json").write_text(json.dumps(stored | {"forgetting_overrides": overrides}))
    for partition in overrides:
        hebb("add", "x", "--partition", partition, "--importance", 0)
    at(9)
    assert hebb.ids("gc") == [2]
    at(440)
    assert hebb.ids("gc") == [1]
    at("9000-01-01")
    assert hebb.ids("gc") == []


def test_use_and_importance_lengthen_a_life_and_use_starts_it_anew(hebb, at) -> None:
    hebb("add", "note", "--importance", 0)
    hebb("add", "another", "--importance", 10)
    first, second = (hebb.json("explain", number)["lifetime_days"] for number in (1, 2))
    assert second == pytest.approx(3 * first)
    at(50)
    hebb("recall", "note")
    found = hebb.json("explain", 1)
    assert (found["retention"], found["idle_days"]) == (1, 0)
    assert found["lifetime_days"] == pytest.approx(1.15 * first)


def test_importance_of_zero_is_no_wish_to_be_erased(hebb, at) -> None:
    hebb("add", "x", "--importance", 0)
    at(70)
    assert hebb.ids("gc") == []


def test_preview_counts_what_the_sweep_takes_and_erases_nothing(hebb) -> None:
    hebb.bring(*SCENARIOS, {"content": "x", "partition": "mem_facts", "created_at": "2025-12-01"})
    preview = hebb.json("policy", "preview", "mem_facts", "--half-life-days", 1)
    assert (preview["forgotten"], preview["forgotten_now"]) == (1, 0)
    hebb("policy", "set", "mem_facts", "--half-life-days", 1)
    assert hebb.ids("gc", "--dry-run") == [2, 3]
    assert hebb.json("stats")["total"] == 3


def test_one_field_of_an_override_changes_without_the_others(hebb) -> None:
    hebb("policy", "set", "mem_facts", "--disabled", "--k-access", 2)
    hebb("policy", "set", "mem_facts", "--half-life-days", 14)
    found = hebb.json("policy", "show", "mem_facts")
    assert (found["enabled"], found["k_access"], found["half_life_days"]) == (False, 2, 14)


def test_promotion_by_use_is_off(hebb) -> None:
    hebb.bring({"content": "x", "access_count": 50})
    done = hebb("promote")
    assert (done.out, "nothing is promoted by use" in done.err) == ("", True)
