"""How a recall looks for text and orders what it finds: expressions and numbers, no store."""

import math
from collections.abc import Iterable, Sequence

from hebbctl import text

# A text that holds every word of the query is relevant, however common its words are and however
# small the store: BM25 alone would call it 0 where all notes hold them.
BONUS = {"phrase": 6.0, "all": 5.0, "some": 0.0, "neighbour": 0.0}
# Where BM25 and bonus together reach this, relevance is one half. One rare word of a question
# (BM25 about 6 in a thousand notes) weighs about as much as holding all of its words.
HALF_RELEVANT = 5.0
# What a hit lends to its neighbours in the session, and to how many on each side. Source: LoCoMo,
# recall@10 .632 -> .719, and BEAM .647 -> .667; a neighbour column in the index harmed BEAM (.553).
LENT = 0.7
LENDER_WORDS = 40.0  # a long turn stands for itself: at this length it lends half
REACH = 2
# A pasted page as a query: more words add time, not precision.
MOST_WORDS = 100


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


def lent(weight: float, *, words: float, distance: int) -> float:
    """Return what a hit of a weight and length adds to a neighbour 1 or 2 turns away."""
    return weight * LENT / (1 + words / LENDER_WORDS) / math.sqrt(distance)


def relevance(weight: float) -> float:
    """Return how well a memory fits, 0..1, the same for every query and store.

    Source: b / (b + c) with one fixed c.
    """
    return weight / (weight + HALF_RELEVANT)


def decay_factor(retention: float, decay_floor: float) -> float:
    """Return what a recall's score keeps of the relevance, ``decay_floor``..1.

    Source: LoCoMo, recall@10: multiplying by bare retention costs .26, by this under .01.
    """
    return decay_floor + (1 - decay_floor) * retention
