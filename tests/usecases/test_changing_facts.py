"""Facts that change over weeks, and what is shown of them: the short form of changing_facts.py."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

# Last, as tests have modules of the same names.
sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
bench: Any = import_module("changing_facts")
facts: Any = import_module("facts_stream")

DAYS = 40


@pytest.mark.parametrize("seed", [0, 1, 7])
def test_right_answer_was_said_before_holds_still_and_nothing_true_was_said_since(seed) -> None:
    told = facts.stream(seed, DAYS)
    assert len(told.questions) > DAYS
    for question in told.questions:
        said = [
            one
            for one in told.statements
            if one.key == question.key and one.day <= question.day and not one.poison
        ]
        holding = [one for one in said if one.until is None or one.until >= question.day]
        assert holding[-1].value == question.value
        assert [one.value for one in said].count(question.value) == 1


def test_equal_seeds_tell_the_same_and_no_others_do() -> None:
    assert facts.stream(3, DAYS) == facts.stream(3, DAYS)
    assert facts.stream(3, DAYS).statements != facts.stream(4, DAYS).statements


def test_full_stream_is_as_large_as_it_says_and_asks_for_old_facts_in_a_third() -> None:
    told = facts.stream(0)
    assert len(told.statements) == facts.MEMORIES
    assert len(told.questions) == pytest.approx(facts.QUESTIONS, rel=0.05)
    old = sum(one.kind == "old" for one in told.questions)
    assert old / len(told.questions) == pytest.approx(1 / 3, abs=0.06)
    assert {one.poison for one in told.statements} == {True, False}
    assert any(one.until for one in told.statements)


def test_keys_trust_and_expiry_show_more_that_is_right_and_nothing_that_is_poison() -> None:
    found = dict(bench.measure(0, ["full memory", "all"], days=DAYS, shown=5))
    full, everything = found["full memory"], found["all"]
    assert full.stale > 0.05 < full.poison
    assert everything.clean > full.clean + 0.1
    assert everything.poison == 0
    assert everything.old_found > 0.6


def test_other_rules_keep_as_many_as_all_does() -> None:
    rules = ["random, size of all", "lru, size of all"]
    found = dict(bench.measure(1, rules, days=8, shown=5))
    assert {found[name].live for name in rules} == {found["all"].live}


def test_table_has_a_row_for_each_arm(capsys, monkeypatch) -> None:
    monkeypatch.setattr(sys, "argv", ["changing_facts.py", "--days", "6", "--seeds", "1", "2"])
    monkeypatch.setattr(bench, "ARMS", {name: bench.ARMS[name] for name in ("no memory", "all")})
    bench.main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split() == "no memory 0.000 0.000 0.000 0 nan".split()
    assert lines[0] == "python changing_facts.py --days 6 --seeds 1 2"
    assert [line.split("  ")[0] for line in lines[1:]] == [
        *("seed 1", "no memory", "all"),
        *("seed 2", "no memory", "all"),
        *("mean of 2", "no memory", "all"),
    ]
