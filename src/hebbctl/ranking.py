"""How a recall looks for text and orders what it finds: expressions and numbers, no store."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hebbctl import text
from hebbctl.models import Settings

# A text that holds every word of the query is relevant, however common its words are and however
# small the store: BM25 alone would call it 0 where all notes hold them.
BONUS = {
    **{"phrase": 6.0, "all": 5.0, "some": 0.0},
    **{"date": 0.0, "neighbour": 0.0, "related": 0.0, "similar": 0.0},  # found without its words
}
# What was created on a day that the query names: as much as holding all of its words.
DATE_BONUS = 5.0
# Where BM25 and bonus together reach this, relevance is one half. One rare word of a question
# (BM25 about 6 in a thousand notes) weighs about as much as holding all of its words.
HALF_RELEVANT = 5.0
# How much a hit lends to its neighbours is a setting; this is to how many on each side, and how
# little a long turn lends.
LENDER_WORDS = 40.0  # a long turn stands for itself: at this length it lends half
REACH = 2
# A pasted page as a query: more words add time, not precision.
MOST_WORDS = 100


class Weights(NamedTuple):
    """How the parts of a score are weighed: the settings of that name, with their sources there."""

    decay_floor: float = 0.8
    neighbour_weight: float = 0.7
    co_occurrence_boost: float = 0.3
    semantic_weight: float = 0.35
    ranking: str = "hebb"


DEFAULT_WEIGHTS = Weights()


def weights_of(settings: Settings) -> Weights:
    return Weights(**{name: settings.values[name] for name in Weights._fields})


def expressions(query: str) -> list[tuple[str, str]]:
    """Return FTS5 expressions for a query, the strictest first, each with what it demands.

    ``phrase``: all words, next to each other; ``all``: all of them; ``some``: any of them. Each
    holds the words of the next, so that its bm25 is at least as great. Only quoted strings are
    built: text is never syntax. A query without a word gives none.
    """
    singles = words(query)
    if not singles:
        return []
    found = [("some", " OR ".join(singles))]
    phrase = text.query_phrase(query)
    if len(phrase) > MOST_WORDS:
        return found
    terms = text.query_terms(query)
    # Pairs that overlap stand for a run: only side by side do they spell it.
    runs = [_quoted(term) for term in terms if len(term) > 1]
    every = " AND ".join([*runs, *singles])
    if len(singles) == 1:
        return [("all", every)]
    found.insert(0, ("all", every))
    if len(terms) > 1:
        found.insert(0, ("phrase", f"{_quoted(phrase)} AND {every}"))
    return found


def any_of(words: Sequence[str]) -> str:
    """Return the FTS5 expression of texts that hold one of some index words."""
    return " OR ".join(_quoted([word]) for word in words)


def words(query: str) -> list[str]:
    """Return an expression for each word that ``some`` of ``expressions`` consists of."""
    terms = text.query_terms(query)
    found = dict.fromkeys(word for term in terms for word in term)
    return [_quoted([word]) for word in list(found)[:MOST_WORDS]]


def rarest(counts: dict[str, int], most: int) -> list[str]:
    """Return the rarest words that are in ``most`` texts together, one at least, rarest first."""
    chosen: list[str] = []
    for word in sorted(counts, key=lambda one: counts[one]):
        if chosen and sum(counts[one] for one in (*chosen, word)) > most:
            break
        chosen.append(word)
    return chosen


def with_any_of(chosen: list[str], words: list[str]) -> list[str]:
    """Return expressions for the texts that hold one of the chosen words.

    The first is for those that hold others, too: bm25 then counts each word once, as it would
    without a choice. The second is for the rest.
    """
    others = [word for word in words if word not in chosen]
    any_chosen = " OR ".join(chosen)
    together = [f"({any_chosen}) AND ({' OR '.join(others)})"] if others else []
    return [*together, any_chosen]


def _quoted(words: Iterable[str]) -> str:
    joined = " ".join(words)
    return f'"{joined[:-1]}" *' if joined.endswith("*") else f'"{joined}"'


def weight(bm25: float, match: str) -> float:
    """Return how much a text itself speaks for it; ``bm25`` as FTS5 has it, sign turned."""
    return max(0.0, bm25) + BONUS[match]


def lent(weight: float, weights: Weights, *, words: float, distance: int) -> float:
    """Return what a hit of a weight and length adds to a neighbour 1 or 2 turns away."""
    return weight * weights.neighbour_weight / (1 + words / LENDER_WORDS) / math.sqrt(distance)


def relevance(weight: float) -> float:
    """Return how well a memory fits, 0..1, the same for every query and store.

    Source: b / (b + c) with one fixed c.
    """
    return weight / (weight + HALF_RELEVANT)


def with_meaning(lexical: float, similarity: float | None, weights: Weights) -> float:
    """Return relevance, 0..1, from words and meaning; None where meaning was not looked at.

    Source: LoCoMo, a normalised sum; fusing two rankings by equal weights harmed every set.
    """
    if similarity is None:
        return lexical
    return (1 - weights.semantic_weight) * lexical + weights.semantic_weight * similarity


def decay_factor(retention: float, weights: Weights) -> float:
    """Return what a recall's score keeps of the relevance, ``decay_floor``..1.

    Source: LoCoMo, recall@10: multiplying by bare retention costs .26, by this under .01.
    """
    return decay_floor(weights) + (1 - decay_floor(weights)) * retention


def decay_floor(weights: Weights) -> float:
    """Return the floor; cortexgraph's own formula has none."""
    return 0.0 if weights.ranking == "cortexgraph" else weights.decay_floor


def divisor(weights: Weights) -> float:
    """Return what keeps a score a share; cortexgraph's own formula does without."""
    return 1.0 if weights.ranking == "cortexgraph" else 1 + weights.co_occurrence_boost


def score(relevance: float, co_occurrence: float, retention: float, weights: Weights) -> float:
    """Return what results are ordered by, from three shares: how well a memory fits, how much it
    was used together with the context, and how well it is retained.

    Source: cortexgraph, ``(relevance + 0.3 * co-occurrence) * decay``.
    """
    boosted = (relevance + weights.co_occurrence_boost * co_occurrence) / divisor(weights)
    return boosted * decay_factor(retention, weights)
