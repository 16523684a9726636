"""Presets cortexgraph, -power and -two: their curves, vitality, terms, bands and sweeps."""

import pytest

DAYS = (1, 3, 7, 14, 30)
CURVES = {
    "cortexgraph": (0.794, 0.5, 0.198, 0.039, 0.001),
    "cortexgraph-power": (0.754, 0.5, 0.293, 0.167, 0.081),
    "cortexgraph-two": (0.4467, 0.2338, 0.150, 0.075, 0.0154),
}


def choose(hebb, name: str = "cortexgraph") -> None:
    assert hebb("config", "preset", name).code == 0


@pytest.mark.parametrize("preset", CURVES)
def test_short_term_memory_falls_as_published(hebb, at, preset) -> None:
    choose(hebb, preset)
    hebb("add", "x", "--kind", "event")
    found = []
    for days in DAYS:
        at(days)
        found.append(hebb.json("explain", 1)["retention"])
    assert found == pytest.approx(CURVES[preset], abs=0.003)


def test_long_term_memory_halves_in_thirty_days(hebb) -> None:
    choose(hebb)
    hebb("add", "x", "--kind", "fact")
    hebb("add", "x", "--kind", "event")
    assert hebb.json("explain", 1)["true_half_life_days"] == pytest.approx(30)
    assert hebb.json("explain", 2)["true_half_life_days"] == pytest.approx(3)


def test_vitality_is_use_by_decay_by_strength(hebb, at) -> None:
    choose(hebb)
    hebb.bring({"content": "x", "access_count": 9, "strength": 2})
    at(6)
    found = hebb.json("explain", 1)
    assert found["vitality"] == pytest.approx(10**0.6 * 0.25 * 2)
    assert found["gain"] == pytest.approx(10**0.6 * 2)
    assert dict(hebb("explain", 1).rows)["threshold"].startswith("0.05: forgotten when vitality")


def test_new_memory_that_was_never_recalled_is_not_worthless(hebb) -> None:
    choose(hebb)
    hebb("add", "x")
    assert hebb.json("explain", 1)["vitality"] == 1
    assert hebb.ids("gc") == []


def test_use_raises_vitality_above_one_and_retention_never(hebb) -> None:
    choose(hebb)
    hebb("add", "x")
    for _ in range(3):
        hebb("touch", 1)
    found = hebb.json("explain", 1)
    assert (found["retention"], found["vitality"]) == (1, pytest.approx(4**0.6))


@pytest.mark.parametrize(
    ("preset", "days"),
    [("cortexgraph", 12.97), ("cortexgraph-power", 48.64), ("cortexgraph-two", 18.09)],
)
def test_short_term_memory_is_erased_below_a_twentieth(hebb, at, preset, days) -> None:
    choose(hebb, preset)
    hebb("add", "x")
    assert round(hebb.json("explain", 1)["lifetime_days"], 2) == days
    at(days - 0.01)
    assert hebb.ids("gc") == []
    at(days + 0.01)
    assert hebb.json("gc")["erased"] == 1
    assert hebb.error("show", 1)["code"] == 3


def test_sweep_at_a_tenth_as_in_the_sources_example(hebb, at) -> None:
    choose(hebb)
    hebb("add", "x")
    hebb.bring({"content": "often used", "access_count": 3})
    at(9.96)
    assert hebb.ids("gc", "--threshold", 0.1) == []
    at(9.97)  # 3 * log2(10)
    assert hebb.ids("gc", "--dry-run") == []
    assert hebb.ids("gc", "--threshold", 0.1) == [1]


def test_long_term_memories_are_permanent(hebb, at) -> None:
    choose(hebb)
    for kind in ("fact", "howto", "preference"):
        hebb("add", "x", "--kind", kind)
    at("9000-01-01")
    assert hebb.ids("gc", "--threshold", 1) == []
    assert "never forgotten" in hebb.json("explain", 1)["verdict"]


def test_stats_count_both_terms_with_their_shares(hebb) -> None:
    choose(hebb)
    hebb.bring(
        *({"content": f"{number}", "kind": "event"} for number in range(3)),
        {"content": "fact", "kind": "fact"},
        {"content": "shelved", "kind": "fact", "archived_at": "2025-12-01"},
    )
    found = hebb.json("stats")["by_term"]
    assert found == {"short": 3, "long": 1, "short_share": 0.75, "long_share": 0.25}
    assert ["by_term.long_share", "0.25"] in hebb("stats").rows


@pytest.mark.parametrize(
    ("vitality", "band"),
    [
        (0.1499, "below 0.15"),
        (0.15, "danger"),
        (0.3499, "danger"),
        (0.35, "healthy"),
        (0.65, "healthy"),
        (0.6501, "strong"),
        (7, "strong"),
    ],
)
def test_bands_are_cut_where_the_source_cuts_them(hebb, vitality, band) -> None:
    choose(hebb)
    hebb.bring({"content": "x", "strength": vitality})
    found = hebb.json("stats")["by_vitality"]
    assert found == {"below 0.15": 0, "danger": 0, "healthy": 0, "strong": 0} | {band: 1}


def test_bands_add_up_to_the_live_ones_whatever_their_partition(hebb, at) -> None:
    choose(hebb)
    partitions = ("mem_notes", "mem_semantic", "mem_hippocampus", "mem_own", "mem_episodic")
    hebb.bring(
        *(
            {"content": f"{number}", "partition": name, "created_at": f"2025-12-{20 + number:02}"}
            for number, name in enumerate(partitions * 2)
        ),
        {"content": "gone", "expires_at": "2025-12-31"},
        {"content": "shelved", "archived_at": "2025-12-31"},
    )
    found = hebb.json("stats")
    live = found["by_state"]["live"]
    assert live == sum(found["by_vitality"].values()) == len(partitions) * 2
    assert found["by_term"]["short"] + found["by_term"]["long"] == live


def test_no_other_preset_counts_vitality(hebb) -> None:
    hebb("add", "x")
    for name in ("default", "jarvis", "memorybank", "amnesia"):
        choose(hebb, name)
        found = hebb.json("stats")
        assert (found["by_term"], found["by_vitality"]) == ({}, {})


def test_retention_of_equal_texts_ranks_the_fresher_one_first(hebb, at) -> None:
    choose(hebb)
    hebb("add", "the deploy key", "--kind", "fact")
    at(5)
    hebb("add", "the deploy key", "--kind", "event")
    assert hebb.ids("recall", "deploy key", "--peek") == [2, 1]
    at(12)  # the short-term one has faded more
    assert hebb.ids("recall", "deploy key", "--peek") == [1, 2]
