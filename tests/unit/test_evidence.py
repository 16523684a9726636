"""The measures of answers: known numbers, and what holds of any answers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebbctl.usecases.evidence import CUTS, DEEPEST, Answer, by_category, measures


@st.composite
def answers(draw: st.DrawFn) -> Answer:
    ranks = draw(st.lists(st.integers(1, DEEPEST), unique=True, max_size=6))
    gold = len(ranks) + draw(st.integers(0 if ranks else 1, 3))
    return Answer("?", draw(st.sampled_from(["", "1", "2"])), gold, tuple(sorted(ranks)), 1.0)


def answer(*ranks: int, gold: int, category: str = "", milliseconds: float = 1.0) -> Answer:
    return Answer("?", category, gold, ranks, milliseconds)


def test_recall_is_the_share_of_gold_and_hit_whether_there_is_any() -> None:
    found = measures([answer(2, 7, gold=4)])
    assert [found[f"recall@{cut}"] for cut in CUTS] == [0, 0.25, 0.5, 0.5]
    assert [found[f"hit@{cut}"] for cut in CUTS] == [0, 1, 1, 1]
    assert found["mrr"] == 0.5


def test_every_question_counts_the_same_however_many_memories_answer_it() -> None:
    found = measures([answer(1, gold=1), answer(gold=9)])
    assert (found["questions"], found["recall@20"], found["mrr"]) == (2, 0.5, 0.5)


def test_a_rank_at_the_cut_is_within_and_the_next_is_not() -> None:
    assert measures([answer(5, gold=1)])["recall@5"] == 1
    assert measures([answer(6, gold=1)])["recall@5"] == 0


def test_milliseconds_are_those_of_the_mean_question() -> None:
    slow, fast = answer(gold=1, milliseconds=9), answer(gold=1, milliseconds=2)
    assert measures([slow, fast])["milliseconds"] == 5.5


def test_questions_without_a_category_count_only_in_all() -> None:
    found = by_category([answer(1, gold=1, category="b"), answer(gold=1, category="a")])
    assert [(name, one["recall@1"]) for name, one in found.items()] == [("a", 0), ("b", 1)]
    assert by_category([answer(1, gold=1)]) == {}


@given(st.lists(answers(), min_size=1))
def test_measures_are_shares_that_rise_with_the_cut_and_hit_is_no_less_than_recall(some) -> None:
    found = measures(some)
    for kind in ("recall", "hit"):
        row = [found[f"{kind}@{cut}"] for cut in CUTS]
        assert row == sorted(row)
        assert 0 <= row[0] <= row[-1] <= 1
    assert all(found[f"recall@{cut}"] <= found[f"hit@{cut}"] + 1e-12 for cut in CUTS)
    assert found["hit@1"] - 1e-12 <= found["mrr"] <= found[f"hit@{DEEPEST}"] + 1e-12


@given(st.lists(answers(), min_size=1))
def test_all_is_the_mean_of_the_categories_by_their_questions(some) -> None:
    told = [one for one in some if one.category]
    groups = by_category(told)
    assert sum(one["questions"] for one in groups.values()) == len(told)
    if told:
        weighted = sum(one["mrr"] * one["questions"] for one in groups.values())
        assert measures(told)["mrr"] == pytest.approx(weighted / len(told))
