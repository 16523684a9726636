"""Text to index words and query terms, identifiers and terminal-safe lines."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

# Raise it with any change to what prepared() returns: stores are then indexed anew.
PREPARATION = 1
VERSION = f"{PREPARATION}/{unicodedata.unidata_version}"

# Scripts written without spaces, and Hangul, whose words carry particles: they are indexed by
# overlapping pairs of characters. After NFKC folding half-width and compatibility forms are gone.
UNSPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e50-\u0e59\u0e81-\u0edf"  # Thai, Lao
    "\u1000-\u1049\u1050-\u109f\u1780-\u17d3\u17dc-\u17e9"  # Myanmar, Khmer
    "\u3005-\u3007\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"  # Kana
    "\u3105-\u312f\u31f0-\u31ff"  # Bopomofo, more Kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\uac00-\ud7a3"  # Hangul
    "\U00020000-\U0003ffff"  # Han, later extensions
)
# Indic vowel signs are marks, not letters: without them a word falls into its consonants.
INDIC = "\u0900-\u0963\u0966-\u0dff"
# Characters that are no word but carry meaning: pictures, and + and # right after a word (C++, C#).
SYMBOLS = "\u2190-\u2bff\u3030\u303d\U0001f000-\U0001fbff"
TOKEN = (
    f"(?P<run>[{UNSPACED}]+)"
    f"|(?P<symbol>[{SYMBOLS}]|(?<=[^\\W_])[+#]|(?<=[+#])[+#])"
    f"|(?P<word>(?:[^\\W_{UNSPACED}]|[{INDIC}])+)"
)
# The same where all is ASCII, as most text is: it compiles in a tenth of the time (3 ms).
ASCII_WORD = "[a-z0-9]+"
ASCII_TOKEN = f"(?P<run>(?!))|(?P<symbol>(?<=[a-z0-9+#])[+#])|(?P<word>{ASCII_WORD})"
# Letters whose stroke or ligature is not a combining mark. İ is folded by casefold.
STROKES = str.maketrans(
    {"ø": "o", "đ": "d", "ł": "l", "ħ": "h", "ı": "i", "ŧ": "t", "æ": "ae", "œ": "oe", "ð": "d"}
)
KANA_MARKS = {"\u3099", "\u309a"}  # が is another letter than か, not an accent on it

# Words that say how a question is asked, not what it is about.
STOP_WORDS = frozenset(
    """
    a about an and any are as at be been but by can could d did do does for from had has have he
    her him his how i if in into is it its ll m me my of on or our re s she should so t than that
    the their them then there these they this those to us ve was we were what when where which who
    whom whose why will with would you your
    """.split()
)

# The same in Chinese: how one asks, and whom. They are cut out of a run, so that no pair of
# characters spans them. Only whole words, or particles at an end: 了 alone would break 了解.
QUESTION_PHRASES = """
    请问 是否 是不是 有没有 能不能 可不可以 什么时候 什么样 什么 哪一天 哪一个 哪一 哪些 哪个 哪里
    哪儿 哪位 哪天 为什么 为何 如何 怎么样 怎么办 怎么 怎样 多少 谁 还记得 记不记得 记得 告诉过
    告诉我 告诉 提到过 说过 聊过 曾经 我们 你们 他们 她们 它们 我的 你的 他的 她的 它的 我 你 您
    这个 那个 这天 那天 当时 一下
""".split()
ENOUGH_PAIRS = 2  # else the phrases stay: they are all that was asked
PARTICLES_AT_END = "[吗呢吧嘛](?=\\W|$)"

# Control characters could move the cursor or forge a line: they are shown, not sent. So are the
# marks that reverse or hide text.
CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))}
CONTROLS |= {ord("\t"): "\\t", ord("\n"): "\\n", ord("\r"): "\\r"}
CONTROLS |= {
    code: f"\\u{code:04x}"
    for code in (0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A))
}
SURROGATE = re.compile("[\ud800-\udfff]")


def cleaned(written: str) -> tuple[str, int]:
    """Return text that every door can carry, and how many characters had to be replaced.

    NUL becomes U+2400, half of a surrogate pair U+FFFD. Everything else stays as given.
    """
    if written.isprintable():  # neither of them is, and nearly every text is: a tenth of the time
        return written, 0
    without_nul = written.replace("\0", "\u2400")
    clean, halves = SURROGATE.subn("\ufffd", without_nul)
    return clean, halves + written.count("\0")


def folded(written: str) -> str:
    """Return text without case, accents and compatibility forms, for matching only."""
    if written.isascii():
        return written.lower()
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", written).casefold())
    if any(map(unicodedata.combining, decomposed)):  # Han has none, and this asks in C
        decomposed = "".join(
            character
            for character in decomposed
            if character in KANA_MARKS or not unicodedata.combining(character)
        )
    return unicodedata.normalize("NFC", decomposed).translate(STROKES)


def name_key(name: str) -> str:
    """Return what two spellings of one scope, kind or tag have in common.

    Only case, spaces and how a character is composed do not count: what is found by a name may be
    erased by it.
    """
    return unicodedata.normalize("NFC", " ".join(name.casefold().split()))


def holds(content: str, query: str) -> bool:
    """Say whether a text holds each word of a query as it stands, but for case and accents.

    No word is left out and none is cut to its stem.
    """
    text = folded(content)
    words = {token[0] for token in _tokens(text) if not token["run"]}
    return all(
        token[0] in text if token["run"] else token[0] in words for token in _tokens(folded(query))
    )


def prepared(written: str) -> str:
    """Return the words the index holds for a text, separated by spaces, in its order.

    A run of Chinese, Japanese, Korean and the like becomes its overlapping pairs of characters and
    its last character; a symbol becomes a word of its own.
    """
    return " ".join(_index_words(folded(written)))


@cache
def _pattern(*, ascii_only: bool) -> re.Pattern[str]:
    return re.compile(ASCII_TOKEN if ascii_only else TOKEN)


@cache
def _ascii_word() -> re.Pattern[str]:
    return re.compile(ASCII_WORD)


def _tokens(text: str) -> Iterator[re.Match[str]]:
    """Return the runs, symbols and words of folded text, in their order."""
    return _pattern(ascii_only=text.isascii()).finditer(text)


def _index_words(text: str) -> list[str]:
    if text.isascii() and "+" not in text and "#" not in text:  # as most text is: half the time
        return _ascii_word().findall(text)
    words: list[str] = []
    for run, symbol, word in _pattern(ascii_only=text.isascii()).findall(text):
        if word:
            words.append(word)
        elif run:
            words += [run[at : at + 2] for at in range(len(run))]
        else:
            words.append(_symbol(symbol))
    return words


def _symbol(character: str) -> str:
    return f"u{ord(character):x}"


def query_phrase(query: str) -> list[str]:
    """Return the index words of a text that holds the query as it stands, all of it."""
    text = folded(query)
    words = _index_words(text)
    tokens = list(_tokens(text))
    if tokens and tokens[-1]["run"] and len(tokens[-1][0]) > 1:
        words.pop()  # the text's run may go on where the query's ends
    return words


def query_terms(query: str) -> list[list[str]]:
    """Return what a query looks for, in its order: one list of index words for each word or run.

    A word in ``[word]`` is whole; ``[pair, pair]`` stand next to each other. One character of an
    unspaced script ends in ``*``: it is the beginning of a pair, or the last of its run. English
    function words and Chinese question phrases are left out as long as enough remains: another
    term, and of Chinese at least two pairs.
    """
    text = folded(query)
    bare = text if text.isascii() else _question_pattern().sub(" ", text)
    terms = _terms(bare)
    if bare != text:  # a single character that is left over says nothing
        terms = [term for term in terms if not term[0].endswith("*")]
    if sum(map(len, terms)) < ENOUGH_PAIRS:
        terms = _terms(text)
    wanted = [term for term in terms if len(term) > 1 or term[0] not in STOP_WORDS]
    return wanted or terms


@cache
def _question_pattern() -> re.Pattern[str]:
    longest_first = sorted(QUESTION_PHRASES, key=len, reverse=True)
    return re.compile("|".join([*longest_first, PARTICLES_AT_END]))


def _terms(text: str) -> list[list[str]]:
    terms: list[list[str]] = []
    for token in _tokens(text):
        word = token[0]
        if token["run"]:
            pairs = [word[at : at + 2] for at in range(len(word) - 1)]
            terms.append(pairs or [f"{word}*"])
        elif token["symbol"]:
            terms.append([_symbol(word)])
        else:
            terms.append([word])
    return terms


def content_words(written: str) -> frozenset[str]:
    """Return the index words of a text without English function words, each once."""
    return frozenset(_index_words(folded(written))) - STOP_WORDS


def overlap(words: frozenset[str], others: frozenset[str]) -> float:
    """Return the share of the words of both that are in each, 0..1.

    Source: Jaccard's index.
    """
    return len(words & others) / len(words | others) if words or others else 0.0


def same_names(written: str, other: str) -> bool:
    """Say whether two statements may be about the same: the first name of each is in the other.

    A name is a word with a capital or a digit, with its neighbours of that kind. Where there is
    only one and it ends the text, or is a number, it is what is said, not what it is said of. A
    text in a script without spaces has for a name the two characters it begins with.
    """
    return _first_name(written) <= _words(other) and _first_name(other) <= _words(written)


def _words(written: str) -> set[str]:
    return set(_index_words(folded(written)))


def _first_name(written: str) -> set[str]:
    start = next(_tokens(folded(written)), None)
    if start is not None and start["run"]:
        return {start["run"][:2]}
    words = list(re.finditer(r"[^\W_]+", written))
    names: list[list[str]] = []
    last = -2
    for at, word in enumerate(words):
        if not _is_name(word[0]):
            continue
        if last == at - 1 and written[words[last].end() : word.start()].isspace():
            names[-1].append(word[0])
        else:
            names.append([word[0]])
        last = at
    said = len(names) == 1 and (last == len(words) - 1 or "".join(names[0]).isdigit())
    return set() if said or not names else _words(" ".join(names[0]))


def _is_name(word: str) -> bool:
    marked = word[0].isupper() or any(character.isdigit() for character in word)
    return marked and folded(word) not in STOP_WORDS


# What a question that names a day has in it: a number, or one of these.
DAY_WORDS = (
    *("today", "tonight", "yesterday", "last ", "this ", "past ", " ago", *"年月日号號周週天期"),
    *("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
    *("mon", "tue", "wed", "thu", "fri", "sat", "sun"),
)


def may_name_a_day(query: str) -> bool:
    """Say whether it is worth looking for a date in a question."""
    lower = query.lower()
    return any(map(str.isdigit, lower)) or any(word in lower for word in DAY_WORDS)


def one_line(written: str) -> str:
    """Return text in which no character moves the cursor, ends the line or forges a colour."""
    return written.translate(CONTROLS)


def counted(count: int, thing: str) -> str:
    """Write how many there are of a thing: 1 memory, 2 memories, 1,000 copies, 1 sweep."""
    if count == 1:
        return f"1 {thing}"
    return f"{count:,} {thing[:-1]}ies" if thing.endswith("y") else f"{count:,} {thing}s"


def uuid7(time: int, entropy: bytes) -> str:
    """Return a UUIDv7 (RFC 9562) for a time and 10 random bytes."""
    bits = time << 80 | int.from_bytes(entropy)
    bits = bits & ~(0xF << 76) | 7 << 76  # version
    bits = bits & ~(0b11 << 62) | 0b10 << 62  # variant
    digits = f"{bits:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
