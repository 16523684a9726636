"""Match expressions against a real full-text table, and the numbers a result is ordered by."""

import sqlite3
from functools import cache, partial
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hebbctl import migrations, ranking, text

# Words of many scripts with what FTS5 has a meaning for: quotes, operators, columns, prefixes.
PIECES = st.sampled_from(
    [
        *('"', "'", "*", "^", "(", ")", "{", "}", ":", "+", "-", "#", ".", " ", "\n", "\0"),
        *(" AND ", " OR ", " NOT ", "NEAR(", "NEAR/2", "words:", "the", "tab", "Tabs", "it's"),
        *("它", "不会用", "ー", "・", "한국어", "ไทย", "हिन्दी", "é", "🎉", "C++", "\ud800"),
    ]
)
QUERIES = st.lists(PIECES, max_size=12).map("".join) | st.text(st.characters(), max_size=40)
NOTES = [
    "Use tabs, not spaces",
    "tabs and the tab key",
    "the key of the house",
    "它不会用这个工具",
    "不会写 C++ 的人",
    "C# and C",
    "한국어를 배우다",
    "ภาษาไทย",
    "हिन्दी 🎉",
    "AND OR NOT NEAR",
]
EXPECTED = ["phrase", "all", "some"]
WEIGHTS = st.floats(0, 1e6)


@cache
def index() -> sqlite3.Connection:
    """Return a full-text table as the schema makes it; NOTES are in it as 1, 2, …"""
    db = sqlite3.connect(":memory:")
    db.executescript(migrations.schema_sql())
    for number, note in enumerate(NOTES, start=1):
        put(db, number, note)
    return db


def put(db: sqlite3.Connection, number: int, note: str) -> None:
    words = text.prepared(text.cleaned(note)[0])
    db.execute("INSERT INTO memory_text (rowid, words) VALUES (?, ?)", (number, words))


def found(expression: str) -> dict[int, float]:
    """Return bm25 by number for the notes that fit."""
    rows = index().execute(
        "SELECT rowid, -rank FROM memory_text WHERE memory_text MATCH ?", (expression,)
    )
    return dict(rows.fetchall())


def strictest(query: str) -> tuple[str, list[int]]:
    """Return the first demand of a query that any note meets, and those notes, best first."""
    for match, expression in ranking.expressions(query):
        notes = found(expression)
        if notes:
            return match, sorted(notes, key=lambda number: -notes[number])
    return "", []


@given(QUERIES)
@example('"')
@example("・")
@example("NEAR(tab key, 2) AND words:tab* ^")
def test_any_text_becomes_valid_expressions_the_strictest_first(query: str) -> None:
    clean, _ = text.cleaned(query)
    expressions = ranking.expressions(clean)
    demands = [match for match, _ in expressions]
    assert demands == [match for match in EXPECTED if match in demands]
    fitting = [found(expression) for _, expression in expressions]
    for stricter, looser in pairwise(fitting):
        assert set(stricter) <= set(looser)
        assert all(stricter[number] >= looser[number] - 1e-9 for number in stricter)


@given(st.lists(st.sampled_from("use tabs not key house 不会 它不 c hindi".split()), unique=True))
@example(["tabs", "key", "use"])
def test_texts_with_a_chosen_word_keep_the_bm25_of_all_words(words: list[str]) -> None:
    quoted = ranking.words(" ".join(words))
    for size in range(1, len(quoted) + 1):
        chosen = quoted[:size]
        looks = [found(look) for look in ranking.with_any_of(chosen, quoted)]
        holding = {note for word in chosen for note in found(word)}
        merged = {note: bm25 for look in reversed(looks) for note, bm25 in look.items()}
        every = found(" OR ".join(quoted))
        assert set(merged) == holding
        assert merged == pytest.approx({note: every[note] for note in holding})


def test_rarest_words_are_chosen_as_long_as_they_are_few_but_one_always() -> None:
    counts = {"often": 50, "rare": 2, "seldom": 8, "rarer": 1}
    assert ranking.rarest(counts, 11) == ["rarer", "rare", "seldom"]
    assert ranking.rarest(counts, 10) == ["rarer", "rare"]
    assert ranking.rarest(counts, 0) == ["rarer"]
    assert ranking.rarest({}, 10) == []


@given(st.text(st.characters(categories=["L", "N", "Zs"]), max_size=30))
@example("the")
@example("字")
@example("hello 字")
@example("C++ 🎉")
def test_note_is_found_by_the_strictest_form_of_its_own_text(note: str) -> None:
    db = index()
    db.execute("SAVEPOINT one")
    put(db, 1000, f"so {note} it is")
    put(db, 1001, note)
    fitting = [set(found(expression)) for _, expression in ranking.expressions(note)]
    db.execute("ROLLBACK TO one")
    assert all(numbers >= {1000, 1001} for numbers in fitting)


@pytest.mark.parametrize("sign", ["・", "฿", "๏", "¿", "।", "—"])
def test_sign_between_words_is_nothing_to_look_for(sign: str) -> None:
    assert ranking.expressions(f"tabs {sign} key") == ranking.expressions("tabs key")


@pytest.mark.parametrize(
    ("query", "match", "first"),
    [
        ("use tabs", "phrase", 1),
        ("spaces tabs", "all", 1),
        ("where is the house of my car", "some", 3),
        ("tab", "all", 2),
        ("Tabs!", "all", 2),
        ("不会用", "all", 4),
        ("用", "all", 4),
        ("人", "all", 5),
        ("具", "all", 4),
        ("不会 C++", "all", 5),
        ("C#", "phrase", 6),
        ("한국어", "all", 7),
        ("ไทย", "all", 8),
        ("हिन्दी", "all", 9),
        ("🎉", "all", 9),
        ("NEAR OR", "all", 10),
    ],
)
def test_known_query_finds_its_note(query: str, match: str, first: int) -> None:
    demand, numbers = strictest(query)
    assert (demand, numbers[:1]) == (match, [first])


@pytest.mark.parametrize("query", ["", " ", "?!", '"', "\u200d", "-"])
def test_text_without_a_word_asks_for_nothing(query: str) -> None:
    assert ranking.expressions(query) == []


@pytest.mark.parametrize("query", ["会这", "不用", "英语", "C+#"])
def test_characters_that_do_not_stand_together_are_not_a_run(query: str) -> None:
    assert "all" not in strictest(query)[0]


@pytest.mark.parametrize("words", ["cat dog ", "好吃的 ", "哈", "tab "])
def test_expression_stays_short_for_a_query_that_repeats_itself(words: str) -> None:
    lengths = [len(expression) for _, expression in ranking.expressions(words * 5000)]
    assert max(lengths) < 10_000


def test_pasted_page_is_searched_by_its_first_words() -> None:
    page = " ".join(f"w{number}" for number in range(1000))
    [(match, expression)] = ranking.expressions(page)
    assert match == "some"
    assert expression.count('"') == 2 * ranking.MOST_WORDS
    assert found(expression) == {}


@given(st.lists(WEIGHTS, min_size=2))
def test_relevance_grows_with_the_weight_and_is_a_share(weights: list[float]) -> None:
    relevances = [ranking.relevance(weight) for weight in sorted(weights)]
    assert relevances == sorted(relevances)
    assert all(0 <= relevance < 1 for relevance in relevances)


def test_relevance_is_one_half_at_its_fixed_point() -> None:
    assert ranking.relevance(0) == 0
    assert ranking.relevance(ranking.HALF_RELEVANT) == 0.5


@given(st.floats(-1e3, 1e6))
def test_stricter_matches_weigh_more(bm25: float) -> None:
    weights = [ranking.weight(bm25, match) for match in EXPECTED]
    assert weights == sorted(weights, reverse=True)
    assert weights[0] > weights[1] > weights[2] >= 0


@given(WEIGHTS, st.floats(0, 1e6), st.floats(0, 1e6))
def test_lender_gives_less_the_longer_and_the_further_away_it_is(weight, words, more) -> None:
    lent = partial(ranking.lent, weight, ranking.DEFAULT_WEIGHTS)
    near = lent(words=words, distance=1)
    assert weight >= near >= lent(words=words, distance=2) >= 0
    assert near >= lent(words=words + more, distance=1)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_decay_takes_no_more_than_the_floor_allows(floor, one, other) -> None:
    weights = ranking.Weights(decay_floor=floor)
    low, high = (ranking.decay_factor(retention, weights) for retention in sorted((one, other)))
    assert floor <= low <= high <= 1 + 1e-15


def test_fresh_memory_keeps_its_whole_relevance_and_a_faded_one_the_floor() -> None:
    assert ranking.decay_factor(1, ranking.DEFAULT_WEIGHTS) == 1
    assert ranking.decay_factor(0, ranking.DEFAULT_WEIGHTS) == 0.8


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.sampled_from(["hebb", "cortexgraph"]))
def test_common_use_only_ever_adds_and_boundedly(relevance, used, retention, way) -> None:
    weights = ranking.Weights(ranking=way)
    without = ranking.score(relevance, 0, retention, weights)
    found = ranking.score(relevance, used, retention, weights)
    assert without <= found <= without + 0.3 * used
    assert found <= (1 if way == "hebb" else 1.3)


def test_cortexgraph_ranks_by_its_own_formula() -> None:
    weights = ranking.Weights(ranking="cortexgraph")
    assert ranking.score(0.5, 0.4, 0.25, weights) == pytest.approx((0.5 + 0.3 * 0.4) * 0.25)
