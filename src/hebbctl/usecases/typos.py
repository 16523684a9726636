"""A word of a query that no memory holds, and the one that was likely meant."""

import re
from collections import Counter

from hebbctl import text
from hebbctl.models import Filters
from hebbctl.store import Store

# Bounds on the work for a question that found nothing: 0.1 s, however large the store is.
NEWEST = 2000  # memories whose words are looked at
BEGINNING = 2000  # characters of each
# Folded, so that an accent is neither needed nor wrong. In three letters too much is near.
LATIN_WORD = re.compile(r"(?<![^\W_])[a-z]{4,40}(?![^\W_])")
LONG = 6  # letters, from which on two may be wrong


def suggestion(store: Store, query: str, filters: Filters) -> str:
    """Return what may have been meant by a query of which nothing was found, empty for nothing.

    Only the words of what passes the filters are looked at.
    """
    unknown = [word for word in _words(query) if word not in text.STOP_WORDS]
    if not unknown:
        return ""
    newest = store.search.passing(store.search.last_ids(NEWEST), filters)
    texts = store.search.beginnings(list(newest), BEGINNING)
    known = Counter(word for one in texts for word in set(_words(one)))
    found = [word if word in known else nearest(word, known) for word in dict.fromkeys(unknown)]
    near = [word for word in found if word]
    return " ".join(near) if not set(near) <= set(unknown) else ""


def _words(written: str) -> list[str]:
    return LATIN_WORD.findall(text.folded(written))


def nearest(word: str, known: Counter[str]) -> str:
    """Return the known word that a typo may have been, of several the most frequent; or nothing."""
    most = 2 if len(word) >= LONG else 1
    letters = set(word)
    ranked = [
        (typos, -known[other], other)
        for other in known
        if abs(len(other) - len(word)) <= most
        and len(letters.symmetric_difference(other)) <= 2 * most  # spares nearly all the rest
        and 0 < (typos := distance(word, other)) <= most
    ]
    return min(ranked)[2] if ranked else ""


def distance(word: str, other: str) -> int:
    """Return how many letters are to be added, dropped, changed or swapped with the next.

    Source: the optimal string alignment distance, which counts each letter once.
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(word, start=1):
        earlier, before, row = before, row, [at]
        for there, its in enumerate(other, start=1):
            change = before[there - 1] + (letter != its)
            best = min(before[there] + 1, row[there - 1] + 1, change)
            if at > 1 and there > 1 and (letter, word[at - 2]) == (other[there - 2], its):
                best = min(best, earlier[there - 2] + 1)
            row.append(best)
    return row[-1]
