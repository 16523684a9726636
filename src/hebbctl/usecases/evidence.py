"""How well questions were answered: what was found of the memories that answer them, and how high.

Source: the usual measures of retrieval, each as its mean over the questions.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

CUTS = (1, 5, 10, 20)  # results looked at
DEEPEST = max(CUTS)


class Answer(NamedTuple):
    """What became of one question. ``ranks`` of the gold memories that were found count from 1."""

    question: str
    category: str
    gold: int  # memories that answer it
    ranks: tuple[int, ...]
    milliseconds: float


Measures = dict[str, float]


def measures(answers: Sequence[Answer]) -> Measures:
    """Return what the answers to at least one question amount to.

    ``recall@k`` is the share of a question's gold memories among its first k results, ``hit@k``
    the share of questions with at least one there, ``mrr`` one over the rank of the first (0 where
    it is not among the ``DEEPEST``): each question counts the same, however many answer it.
    """
    found: Measures = {"questions": len(answers)}
    for cut in CUTS:
        found[f"recall@{cut}"] = _mean(_within(one, cut) / one.gold for one in answers)
    for cut in CUTS:
        found[f"hit@{cut}"] = _mean(float(_within(one, cut) > 0) for one in answers)
    found["mrr"] = _mean(1 / min(one.ranks) if one.ranks else 0.0 for one in answers)
    found["milliseconds"] = _mean(one.milliseconds for one in answers)
    return found


def by_category(answers: Iterable[Answer]) -> dict[str, Measures]:
    """Return the measures of each category, by name; questions without one are in none."""
    groups: dict[str, list[Answer]] = {}
    for one in answers:
        if one.category:
            groups.setdefault(one.category, []).append(one)
    return {category: measures(groups[category]) for category in sorted(groups)}


def _within(answer: Answer, cut: int) -> int:
    return sum(rank <= cut for rank in answer.ranks)


def _mean(values: Iterable[float]) -> float:
    all_of_them = list(values)
    return sum(all_of_them) / len(all_of_them)
