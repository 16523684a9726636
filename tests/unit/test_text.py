"""Text to index words and query terms, identifiers and lines for a terminal."""

import unicodedata
from uuid import RFC_4122, UUID

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hebbctl import text, times

ANY_TEXT = st.text(st.characters(), max_size=60)  # with NUL and halves of surrogate pairs
TIMES = st.integers(0, times.LAST_TIME)
NFD = "Cafe\u0301"
NFC = "Caf\u00e9"


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("Tabs, not spaces!", "tabs not spaces"),
        ("snake_case x-y", "snake case x y"),
        ("它不会用", "它不 不会 会用 用"),
        ("字", "字"),
        ("用Python写", "用 python 写"),
        ("東京タワー", "東京 京タ タワ ワー ー"),
        ("が", "が"),
        ("ﾊﾟﾝ", "パン ン"),
        ("한국어", "한국 국어 어"),
        ("ไทย", "ไท ทย ย"),
        ("नमस्ते", "नमसते"),
        ("Ｆｕｌｌ　Ｗｉｄｔｈ１", "full width1"),
        ("İstanbul ISTANBUL", "istanbul istanbul"),
        ("ﬁne oﬃce", "fine office"),
        ("Straße STRASSE", "strasse strasse"),
        ("Ærø Łódź œuvre", "aero lodz oeuvre"),
        ("🎉party", "u1f389 party"),
        ("C++ and C#", "c u2b u2b and c u23"),
        ("a + b #tag", "a b tag"),
        ("x² ½", "x2 1 2"),
        ("", ""),
        ("…!?", ""),
    ],
)
def test_known_texts_become_these_index_words(written: str, words: str) -> None:
    assert text.prepared(written) == words


@pytest.mark.parametrize(
    ("one", "other"),
    [(NFC, NFD), ("ｶﾞ", "ガ"), ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("naïve", "NAIVE"), ("Ⅷ", "viii")],
)
def test_two_spellings_of_a_word_are_indexed_alike(one: str, other: str) -> None:
    assert text.prepared(one) == text.prepared(other)


@pytest.mark.parametrize(
    ("one", "other"), [("C++", "C#"), ("か", "が"), ("C", "C+"), ("किताब", "कताब"), ("🎉", "🎈")]
)
def test_two_different_words_are_indexed_apart(one: str, other: str) -> None:
    assert text.prepared(one) != text.prepared(other)


@given(ANY_TEXT)
@example("\u0344")
def test_preparation_accepts_any_text_and_gives_plain_words(written: str) -> None:
    words = text.prepared(written)
    assert words == text.prepared(written)
    assert words == " ".join(words.split(" "))
    assert not set('"*^\0') & set(words)


@given(ANY_TEXT)
def test_the_two_normal_forms_of_a_text_have_the_same_words(written: str) -> None:
    forms = {text.prepared(unicodedata.normalize(form, written)) for form in ("NFC", "NFD")}
    assert forms == {text.prepared(written)}


@given(st.text(st.characters(codec="ascii"), max_size=60))
@example("c++ ## a_b")
def test_ascii_text_has_the_same_words_beside_other_text(written: str) -> None:
    assert text.prepared(f"{written} é").split() == [*text.prepared(written).split(), "e"]


@given(ANY_TEXT)
def test_folding_twice_changes_nothing_more(written: str) -> None:
    assert text.folded(text.folded(written)) == text.folded(written)


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("deploy key", [["deploy"], ["key"]]),
        ("What is the deploy key?", [["deploy"], ["key"]]),
        ("to be or not to be", [["not"]]),
        ("who are you", [["who"], ["are"], ["you"]]),
        ("它不会用", [["它不", "不会", "会用"]]),
        ("你还记得我喜欢什么颜色吗？", [["喜欢"], ["颜色"]]),
        ("我是谁", [["我是", "是谁"]]),  # nothing else is asked
        ("吗啡的剂量", [["吗啡", "啡的", "的剂", "剂量"]]),
        ("写 C++", [["写*"], ["c"], ["u2b"], ["u2b"]]),
        ("🎉", [["u1f389"]]),
        ("", []),
        ("?!", []),
    ],
)
def test_query_looks_for_these_terms(query: str, terms: list[list[str]]) -> None:
    assert text.query_terms(query) == terms


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("the deploy key", ["the", "deploy", "key"]),
        ("爱吃鱼", ["爱吃", "吃鱼"]),
        ("我爱 吃鱼", ["我爱", "爱", "吃鱼"]),
        ("鱼", ["鱼"]),
    ],
)
def test_query_as_a_phrase_keeps_every_word_in_its_order(query: str, words: list[str]) -> None:
    assert text.query_phrase(query) == words


@pytest.mark.parametrize("after", ["", " and more", "，然后", "了"])
@pytest.mark.parametrize("query", ["爱吃鱼", "use tabs 爱吃鱼", "C++"])
def test_text_that_holds_the_query_holds_its_phrase(query: str, after: str) -> None:
    phrase = " ".join(text.query_phrase(query))
    assert f" {phrase} " in f" {text.prepared(f'so {query}{after}')} "


def test_cleaning_replaces_only_what_no_door_can_carry() -> None:
    assert text.cleaned("a\0b\ud800c\udfff") == ("a\u2400b\ufffdc\ufffd", 3)
    assert text.cleaned("\r\n\x1b[31m 😀\u202e") == ("\r\n\x1b[31m 😀\u202e", 0)


@given(ANY_TEXT)
def test_cleaned_text_is_valid_utf8_without_nul_and_clean_already(written: str) -> None:
    clean, _ = text.cleaned(written)
    assert b"\0" not in clean.encode()
    assert text.cleaned(clean) == (clean, 0)


@given(ANY_TEXT)
def test_one_line_holds_no_control_character_and_no_line_end(written: str) -> None:
    line = text.one_line(written)
    assert len(line.splitlines()) <= 1
    assert not [character for character in line if unicodedata.category(character) == "Cc"]
    turning = {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}
    assert not turning & set(map(unicodedata.bidirectional, line))


def test_one_line_shows_controls_and_keeps_everything_else() -> None:
    assert text.one_line("a\tb\nc\r\x1b[0m\x7f\u2028\u202e") == (
        "a\\tb\\nc\\r\\x1b[0m\\x7f\\u2028\\u202e"
    )
    assert text.one_line("é 漢字 🎉 \\n") == "é 漢字 🎉 \\n"


@given(TIMES, st.binary(min_size=10, max_size=10))
def test_uuid_is_version_seven_and_begins_with_its_time(time: int, entropy: bytes) -> None:
    made = text.uuid7(time, entropy)
    assert (str(UUID(made)), UUID(made).version) == (made, 7)
    assert UUID(made).variant == RFC_4122
    assert int(made.replace("-", "")[:12], 16) == time


def test_uuids_of_later_times_sort_later() -> None:
    assert text.uuid7(1, b"\xff" * 10) < text.uuid7(2, b"\0" * 10)
