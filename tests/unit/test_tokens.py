"""The estimate of tokens: its rule by example, and that it never shrinks as a text grows."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hebbctl.tokens import estimate

LETTERS = ("a", "Ab", "ABC", "é", "Ω", "я", "中", "か", "한", "ไ", "𠮷")
SIGNS = ("🎉", "👨\u200d👩", "→", ".", "_", "`", "\u0301", "\ufe0f", "\x1b")
PIECES = st.sampled_from([*LETTERS, *SIGNS, "7", "2026", " ", "  ", "\n", "\t", "\u3000"])
TEXTS = st.lists(PIECES, max_size=20).map("".join) | st.text(max_size=40)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("word", 1),
        ("words", 2),
        ("I am a cat", 4),
        ("deployment", 3),
        ("camelCase", 3),
        ("café", 2),
        ("привет", 3),
        ("7", 1),
        ("2026", 2),
        ("2026-01-01", 6),
        ("用户的身份验证", 7),
        ("かな漢字", 4),
        ("한국어", 3),
        ("答复，请。", 5),
        ("🎉", 2),
        ("👨\u200d👩\u200d👧", 8),
        ("❤\ufe0f", 3),
        ("𠮷", 2),
        ("ไทย", 3),
        ("a b", 2),
        ("a  b", 3),
        ("a\nb", 3),
        ("\n" * 9, 3),
        ("```", 3),
        ("a_b", 3),
    ],
)
def test_rule_by_example(text, tokens) -> None:
    assert estimate(text) == tokens


@given(st.text(alphabet="的一是不了人我在有他这中大来上国", min_size=1))
def test_han_takes_one_for_each_character(text) -> None:
    assert estimate(text) == len(text)


@given(TEXTS, TEXTS)
@example("a ", " b")
@example("ABC", "d")
@example("e", "\u0301")
def test_two_texts_take_no_less_than_either_and_no_more_than_both(one, other) -> None:
    both = estimate(one + other)
    meeting = one.endswith(" ") or other.startswith(" ")
    assert max(estimate(one), estimate(other)) <= both
    assert both <= estimate(one) + estimate(other) + int(meeting)


@given(TEXTS)
def test_every_character_but_letters_digits_and_spaces_takes_one_at_least(text) -> None:
    bare = [one for one in text if not (one.isalnum() or one.isspace())]
    assert estimate(text) >= len(bare)
