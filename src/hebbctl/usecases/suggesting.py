"""Likely updates: older memories that say nearly the same about the same names."""

from hebbctl import ranking, text
from hebbctl.models import Filters, Memory, Similar
from hebbctl.store import Store

LEAST_OVERLAP = 0.5  # of the words of both
MOST_LOOKED_AT = 20
MOST_WORDS = 64  # a longer text is no statement that another one could bring up to date
COMMON = 500  # memories: a word in as many of them finds too much to be looked for
MOST_SHOWN = 3


def similar(store: Store, memory: Memory) -> tuple[Similar, ...]:
    """Return live, trusted memories of the scope that this one may bring up to date.

    The likeliest come first. Two statements are alike when half of their words are the same and
    they begin with the same name: 'Ann lives in Oslo' and 'Bob lives in Oslo' are not.
    """
    words = text.content_words(memory.content)
    if not 2 <= len(words) <= MOST_WORDS:
        return ()
    # What has half of all words in common holds one at least of any more than half of them.
    rare = store.search.rarest(sorted(words), common=COMMON)[: len(words) // 2 + 1]
    filters = Filters(scopes=(memory.scope,), trusted=True)
    matches = store.search.matches(ranking.any_of(rare), filters, limit=MOST_LOOKED_AT)
    others = store.memories.get_all([match.id for match in matches]) if rare else []
    alike = [
        Similar(one.id, one.uid, text.overlap(words, text.content_words(one.content)), one.content)
        for one in others
        if one.id != memory.id and text.same_names(memory.content, one.content)
    ]
    likely = [one for one in alike if one.overlap >= LEAST_OVERLAP]
    return tuple(sorted(likely, key=lambda one: (-one.overlap, -one.id))[:MOST_SHOWN])
