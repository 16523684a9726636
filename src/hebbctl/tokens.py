"""How many tokens a text takes in a language model's context, estimated without a tokenizer."""

import re
from functools import cache

# Kind of run -> the characters of it that share one token. A run of a kind is cut into such
# pieces, the last one shorter; a kind without a number here takes one token a character.
SHARED = {"word": 4, "letters": 2, "digits": 3, "space": 4}
EACH = {"wide": 2}  # tokens that one character takes
# In this order: a character belongs to the first kind that has it, whatever stands beside it.
RUN = (
    "(?P<word>[A-Z]+[a-z]*|[a-z]+)"
    "|(?P<space>\\s+)"
    "|(?P<digits>[0-9]+)"
    "|(?P<letters>[^\\W\\d_\\x00-\\x7f\u0590-\U0010ffff]+)"  # accented Latin, Greek, Cyrillic
    # Pictures, signs, and whatever takes four bytes: emoji and rare Han.
    "|(?P<wide>[\u2190-\u2bff\u3030\u303d\u3297\u3299\U00010000-\U0010ffff]+)"
    "|(?P<single>.)"
)


def estimate(text: str) -> int:
    """Return about how many tokens a text takes; it is no tokenizer's own count.

    - a word of ASCII letters: a quarter of its length, at least 1; a capital begins a new one,
      as tokenizers have it, which also counts random letters as many
    - other letters of Latin, Greek and Cyrillic: half of their number, at least 1
    - digits: a third of their number, at least 1
    - one space between two words: none; any other white space: a quarter of its length, at least 1
    - emoji, arrows and pictures, and characters beyond the first 65,536: 2 each
    - everything else 1 each: Han, kana, Hangul, Arabic, Thai and the like, punctuation, marks

    It takes time in proportion to the length. A longer text never takes less than its beginning,
    and two texts one after the other take no more than both, but for 1 where two spaces meet.
    """
    return sum(_cost(run.lastgroup, run[0]) for run in _pattern().finditer(text))


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(RUN, re.DOTALL)


def _cost(kind: str | None, run: str) -> int:
    if run == " ":
        return 0
    if shared := SHARED.get(kind or ""):
        return -(-len(run) // shared)
    return len(run) * EACH.get(kind or "", 1)
