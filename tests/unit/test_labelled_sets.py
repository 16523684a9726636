"""Labelled sets as they are read: lines of ours, samples of LoCoMo, and what is wrong in them."""

import json
from typing import Any

import pytest

from hebbctl import times
from hebbctl.documents import labelled
from hebbctl.errors import BadFile
from hebbctl.models import Draft, Question

TURN = {"speaker": "Ida", "dia_id": "D1:1", "text": "The kettle is blue"}
SESSION = {"session_1": [TURN], "session_1_date_time": "1:56 pm on 8 May, 2023"}


def read(*lines: Any) -> list[labelled.Entry]:
    written = [one if isinstance(one, bytes) else json.dumps(one).encode() + b"\n" for one in lines]
    return list(labelled.read(written, file="set", number=1))


def values(*lines: Any) -> list[Draft | Question]:
    return [one.value for one in read(*lines)]


def sample(*evidence: Any, **conversation: Any) -> dict[str, Any]:
    asked = [{"question": "What is blue?", "evidence": one, "category": 4} for one in evidence]
    return {"sample_id": "s", "conversation": SESSION | conversation, "qa": asked}


def gold(evidence: Any) -> list[str]:
    [asked] = [one for one in values([sample(evidence)]) if isinstance(one, Question)]
    return [uid.partition(":")[2] for uid in asked.gold]


def refusal(*lines: Any) -> str:
    with pytest.raises(BadFile) as caught:
        read(*lines)
    return str(caught.value)


def test_lines_are_memories_and_questions_in_any_order() -> None:
    asked = {"question": "blue?", "gold": ["a", "b", "a"], "category": 2, "answer": "the kettle"}
    memory = {"uid": "a", "content": "The kettle", "session": "talk"}
    question, draft = read(asked, b"\n", memory)
    assert question.value == Question("blue?", ("a", "b"), "2")
    assert isinstance(draft.value, Draft)
    assert (draft.value.uid, draft.value.session) == ("a", "talk")
    assert (question.sample, question.place, draft.place) == (
        draft.sample,
        "set, line 1",
        "set, line 3",
    )


def test_query_is_another_word_for_question_and_a_scope_says_where_to_look() -> None:
    assert values({"query": "蓝色？", "gold": ["a"], "scope": "zh"}) == [
        Question("蓝色？", ("a",), "", "zh")
    ]


def test_memory_that_speaks_of_a_question_is_a_memory() -> None:
    [found] = values({"content": "a question", "question": "x", "conversation": {}})
    assert isinstance(found, Draft)


def test_byte_order_mark_is_no_part_of_a_set() -> None:
    assert len(read(b"\xef\xbb\xbf" + json.dumps([sample(["D1:1"])]).encode())) == 2
    assert len(read(b'\xef\xbb\xbf{"question": "x", "gold": ["a"]}')) == 1


def test_turn_becomes_a_memory_of_its_session_at_its_time() -> None:
    picture = {"speaker": "Bo", "dia_id": "D1:2", "text": "Look", "blip_caption": "a red lamp"}
    first, second = values([sample(session_1=[TURN, picture])])
    assert isinstance(first, Draft)
    assert isinstance(second, Draft)
    assert (first.content, second.content) == ("Ida: The kettle is blue", "Bo: Look [a red lamp]")
    assert first.session == second.session is not None
    assert first.created_at == times.parse_time("2023-05-08T13:56:00Z")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("12:05 am on 1 January, 2024", "2024-01-01T00:05:00Z"),
        ("12:00 PM on 29 Feb, 2024", "2024-02-29T12:00:00Z"),
        ("2024-03-01T10:00:00Z", "2024-03-01T10:00:00Z"),
    ],
)
def test_session_is_dated_by_the_words_of_the_set_or_by_a_time(written: str, meant: str) -> None:
    [turn] = values([sample(session_1_date_time=written)])
    assert isinstance(turn, Draft)
    assert turn.created_at == times.parse_time(meant)


@pytest.mark.parametrize(
    ("evidence", "meant"),
    [
        (["D1:3"], ["D1:3"]),
        (["D1:3; D2:4"], ["D1:3", "D2:4"]),
        (["D1:3 D2:4", "D1:3"], ["D1:3", "D2:4"]),
        (["D:11:26", "D30:05"], ["D11:26", "D30:5"]),
        (["D"], ["D"]),
        ("D1:3, D2:4", ["D1:3", "D2:4"]),
        ([], []),
        (None, []),
    ],
)
def test_evidence_names_turns_in_all_the_spellings_of_the_public_file(evidence, meant) -> None:
    assert gold(evidence) == meant


def test_questions_without_evidence_or_category_are_read() -> None:
    *_, asked = values([{"conversation": SESSION, "qa": [{"question": "Who?"}]}])
    assert asked == Question("Who?", (), "")


def test_category_may_be_a_word() -> None:
    asked = {"question": "Who?", "evidence": ["D1:1"], "category": "adversarial"}
    *_, found = values([{"conversation": SESSION, "qa": [asked]}])
    assert found == Question("Who?", ("1.1:D1:1",), "adversarial")


def test_samples_are_apart_whatever_they_are_called() -> None:
    found = read([sample(["D1:1"]), sample(["D1:1"])])
    assert [one.sample for one in found] == ["1.1", "1.1", "1.2", "1.2"]
    drafts = [one.value for one in found if isinstance(one.value, Draft)]
    assert len({one.uid for one in drafts}) == len({one.session for one in drafts}) == 2


def test_samples_may_stand_alone_or_one_in_a_line() -> None:
    assert len(values(json.dumps(sample(["D1:1"]), indent=1).encode())) == 2
    pretty = json.dumps(sample(["D1:1"]), indent=1).encode().splitlines(keepends=True)
    assert len(values(*pretty)) == 2
    assert [one.sample for one in read(sample(), sample())] == ["1.1", "1.2"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{nonsense\n", "set, line 1: not JSON: Expecting property name"),
        (b"[1\n,\n", "set: not JSON: "),
        (b"\xff\xfe\n", "set, line 1: not UTF-8"),
        (b'"text"\n', "set, line 1: not a JSON object"),
        ({"gold": ["a"]}, "set, line 1: neither a memory nor a question"),
        ({"content": ""}, "set, line 1: nothing to remember"),
        ({"question": "x", "gold": "a"}, "set, line 1: gold must be a list of uids, not 'a'"),
        ({"question": "x", "gold": [1]}, "set, line 1: gold must be a text"),
        ({"question": " ", "gold": ["a"]}, "set, line 1: question must be a text"),
        ({"question": "x", "category": []}, "set, line 1: category must be a text"),
        ([7], "set, sample 1: no conversation"),
        ([{"qa": []}], "set, sample 1: no conversation"),
        ({"conversation": []}, "set, line 1: no conversation"),
        ([sample() | {"qa": {}}], "set, sample 1: qa must be a list of questions"),
        ([sample() | {"qa": ["x"]}], "set, sample 1: question 1: not an object"),
        ([sample() | {"qa": [{}]}], "set, sample 1: question 1: question must be a text"),
        ([sample({"D1": 1})], "set, sample 1: question 1: evidence must be a text or a list of"),
        ([sample([1])], "set, sample 1: question 1: evidence must be a text or a list of texts"),
        ([sample(), sample(session_1={})], "set, sample 2: session_1 must be a list of turns"),
        ([sample(session_1=["x"])], 'set, sample 1: session_1, turn 1: no dia_id such as "D1:3"'),
        (
            [sample(session_1=[TURN, {"text": "x", "dia_id": 3}])],
            "set, sample 1: session_1, turn 2: no dia_id",
        ),
        (
            [sample(session_1=[TURN | {"text": 3}])],
            "set, sample 1: session_1, turn 1: text must be a text, not 3",
        ),
        (
            [sample(session_1=[TURN | {"text": ""}])],
            "set, sample 1: session_1, turn 1: neither a text nor a blip_caption",
        ),
        (
            [sample(session_1_date_time="31:00 pm on 8 May, 2023")],
            "set, sample 1: session_1_date_time must be a time, not '31:00 pm on 8 May, 2023'",
        ),
        (
            [sample(session_1_date_time="yesterday")],
            "set, sample 1: session_1_date_time must be a time, not 'yesterday'",
        ),
        (
            [sample(session_1_date_time="1:56 pm on 31 June, 2023")],
            "set, sample 1: session_1_date_time must be a time, not '2023-06-31T13:56Z'",
        ),
        ([sample(session_2=[TURN])], "set, sample 1: session_2_date_time must be a time"),
        (b"[" * 100_000, "set: nested too deeply"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(line: Any, message: str) -> None:
    assert refusal(line).startswith(message)
