"""Which texts are alike: pairs that share at least a given part of their words."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from hebbctl import text

ALIKE = 0.5  # words in both / words in either


def words(content: str) -> frozenset[str]:
    """Return the words of a text as the index knows them: folded, Chinese by two characters."""
    return frozenset(text.prepared(content).split())


def pairs(
    texts: Mapping[int, frozenset[str]], *, least: float = ALIKE
) -> Iterator[tuple[int, int, float]]:
    """Yield every pair of ids whose texts overlap by ``least`` (0..1] or more, the lower id first.

    Exact, but not every pair is looked at: two that overlap so much share one of their rarest
    words. Source: Chaudhuri et al. 2006, prefix filtering.
    """
    rarity = Counter(word for found in texts.values() for word in found)
    seen_with: defaultdict[str, list[int]] = defaultdict(list)
    for later in sorted(texts):
        ordered = sorted(texts[later], key=lambda word: (rarity[word], word))
        rarest = ordered[: len(ordered) - math.ceil(least * len(ordered)) + 1]
        for earlier in sorted({one for word in rarest for one in seen_with[word]}):
            shared = text.overlap(texts[earlier], texts[later])
            if shared >= least:
                yield earlier, later, shared
        for word in rarest:
            seen_with[word].append(later)
