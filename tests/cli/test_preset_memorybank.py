"""Preset memorybank: its golden numbers, both replays of its source, growth, units, thresholds."""

import math

import pytest


@pytest.fixture(autouse=True)
def chosen(hebb) -> None:
    assert hebb("config", "preset", "memorybank").code == 0


def retention(hebb, number: int = 1) -> float:
    return hebb.json("explain", number)["retention"]


@pytest.mark.parametrize(
    ("strength", "percent"),
    [
        (1, [36.8, 13.5, 5.0, 0.1]),
        (2, [60.7, 36.8, 22.3, 3.0]),
        (3, [71.7, 51.3, 36.8, 9.7]),
        (5, [81.9, 67.0, 54.9, 24.7]),
    ],
)
def test_so_many_percent_are_left_at_days_1_2_3_7(hebb, at, strength, percent) -> None:
    hebb.bring({"content": "x", "access_count": strength - 1})
    found = []
    for days in (1, 2, 3, 7):
        at(days)
        found.append(round(100 * retention(hebb), 1))
    assert found == percent


@pytest.mark.parametrize(
    ("threshold", "days"), [(0.5, 0.69), (0.3, 1.20), (0.1, 2.30), (0.05, 3.00), (0.01, 4.61)]
)
def test_single_mention_is_forgotten_after_so_many_days(hebb, at, threshold, days) -> None:
    hebb("config", "set", "forget_threshold", threshold)
    hebb("add", "x")
    assert round(hebb.json("explain", 1)["lifetime_days"], 2) == days
    at(days - 0.01)
    assert hebb.ids("gc") == []
    at(days + 0.01)
    assert hebb.json("gc")["erased"] == 1


@pytest.mark.parametrize(
    ("strength", "half_life"), [(1, 0.69), (2, 1.39), (3, 2.08), (5, 3.47), (10, 6.93)]
)
def test_half_life_is_strength_times_ln_2(hebb, strength, half_life) -> None:
    hebb.bring({"content": "x", "access_count": strength - 1})
    found = hebb.json("explain", 1)
    assert round(found["true_half_life_days"], 2) == half_life
    assert found["time_constant_days"] == pytest.approx(strength)


@pytest.mark.parametrize("use", [["touch", "1"], ["recall", "the note"]])
def test_recall_every_third_day_strengthens_step_by_step(hebb, at, use) -> None:
    hebb("add", "the note")
    found = []
    for cycle in range(1, 6):
        at(3 * cycle)
        found.append(round(retention(hebb), 4))
        hebb(*use)
        assert retention(hebb) == 1
    assert found == [0.0498, 0.2231, 0.3679, 0.4724, 0.5488]


# name: the day it is stored, the days it is recalled. Source: seed 003, the ten-day simulation.
LIVES = {
    "job_change": (0, (1, 3, 5, 8)),
    "lunch_menu": (0, ()),
    "UE5_bug": (1, (2, 4)),
    "weekend_camp": (2, (3,)),
    "salary_talk": (3, (4, 6, 7, 8, 9)),
}


def replay(hebb, at, *, sweeping: bool) -> dict[str, int]:
    """Live through ten days; returns the id of each memory."""
    ids: dict[str, int] = {}
    for day in range(11):
        at(day)
        for name, (born, recalls) in LIVES.items():
            if day == born:
                ids[name] = hebb.json("add", name)["id"]
            if day in recalls:
                hebb("touch", ids[name])
        if day in (2, 3):
            left = {2: 0.135, 3: 0.050}[day]
            assert round(retention(hebb, ids["lunch_menu"]), 3) == left
        if sweeping:
            hebb("gc")
    return ids


def test_ten_days_end_as_the_source_says(hebb, at) -> None:
    ids = replay(hebb, at, sweeping=False)
    found = {name: round(retention(hebb, number), 3) for name, number in ids.items()}
    del found["lunch_menu"]
    assert found == {
        "job_change": 0.670,
        "salary_talk": 0.846,
        "weekend_camp": 0.030,
        "UE5_bug": 0.135,
    }
    assert hebb.ids("gc", "--dry-run") == [ids["lunch_menu"], ids["weekend_camp"]]


def test_ten_days_with_a_sweep_each_leave_the_three_survivors(hebb, at) -> None:
    replay(hebb, at, sweeping=True)
    left = {one["content"] for one in hebb.json("list")}
    assert left == {"job_change", "salary_talk", "UE5_bug"}
    assert {one["action"] for one in hebb.json("audit")} >= {"erase"}


def test_three_recalls_survive_a_week_and_two_do_not(hebb, at) -> None:
    """The source's prose has S = 3 survive it; its formula has not: 6.91 days."""
    hebb.bring({"content": "two", "access_count": 2}, {"content": "three", "access_count": 3})
    assert round(hebb.json("explain", 1)["lifetime_days"], 2) == 6.91
    at(7)
    assert hebb.ids("gc") == [1]


def test_reverse_question_is_answered(hebb) -> None:
    done = hebb("curve", "--keep-days", 7)
    assert done.rows == [["", "access_count", "3"], ["", "S", "3.04006137332276"]]


def test_stronger_memories_are_forgotten_later_not_sooner(hebb, at) -> None:
    hebb.bring(*({"content": f"{count}", "access_count": count} for count in range(6)))
    lifetimes = [hebb.json("explain", number)["lifetime_days"] for number in range(1, 7)]
    assert lifetimes == sorted(set(lifetimes))


@pytest.mark.parametrize(
    ("growth", "strength"),
    [
        (["growth", "log"], 1 + 1 / math.log(2) + 1 / math.log(2 + 1 / math.log(2))),
        (["growth", "decay"], 1 + 0.5 + 0.25),
        (["growth", "linear"], 3),
    ],
)
def test_growth_can_slow_down(hebb, growth, strength) -> None:
    hebb("add", "x")
    hebb("touch", 1)
    hebb("touch", 1)
    hebb("config", "set", *growth)
    assert hebb.json("explain", 1)["time_constant_days"] == pytest.approx(strength)


@pytest.mark.parametrize(("unit", "days"), [("minutes", 1 / 1440), ("hours", 1 / 24), ("days", 1)])
def test_unit_of_time_belongs_to_the_policy(hebb, unit, days) -> None:
    hebb("add", "x")
    hebb("config", "set", "time_unit", unit)
    assert hebb.json("explain", 1)["time_constant_days"] == pytest.approx(days)


def test_initial_strength_is_that_of_the_memory(hebb) -> None:
    hebb.bring({"content": "moving", "strength": 3}, {"content": "flat"})
    found = [hebb.json("explain", number)["time_constant_days"] for number in (1, 2)]
    assert found == pytest.approx([3, 1])
    assert dict(hebb("explain", 1).rows)["strength"] == "3 when it was stored"


def test_peeking_strengthens_nothing(hebb) -> None:
    hebb("add", "the note")
    hebb("recall", "note", "--peek")
    assert hebb.json("explain", 1)["time_constant_days"] == pytest.approx(1)


def test_there_is_no_promotion_and_promote_says_so(hebb) -> None:
    hebb.bring({"content": "x", "access_count": 50})
    done = hebb("promote")
    assert (done.out, "nothing is promoted by use" in done.err) == ("", True)
