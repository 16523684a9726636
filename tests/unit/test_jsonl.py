"""Memories as lines of JSON: what is written is read back, and each bad line says why."""

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hebbctl import times
from hebbctl.documents import jsonl
from hebbctl.errors import WrongUsage
from hebbctl.models import Draft, Memory

ALPHABET = st.characters(codec="utf-8", exclude_characters="\0")
WORDS = st.text(ALPHABET, max_size=12).map(str.strip).filter(bool)
TIMES = st.integers(0, times.LAST_TIME)
FINITE = st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | FINITE | st.text(ALPHABET, max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(ALPHABET, max_size=8), inner)
    ),
    max_leaves=8,
)
ENDS = st.fixed_dictionaries(
    {},
    optional={
        "archived_at": TIMES,
        "archived_reason": st.sampled_from(["swept", "by hand", "superseded"]),
    },
).map(lambda ends: ends if len(ends) == 2 else {})
ANCHORS = st.just({}) | st.fixed_dictionaries({"anchor_value": st.floats(0, 1), "anchor_at": TIMES})


def optional(values: st.SearchStrategy) -> st.SearchStrategy:
    return st.none() | values


@st.composite
def memories(draw: st.DrawFn) -> Memory:
    """Draw a memory with any fields the store accepts."""
    fields: dict[str, Any] = {
        "partition": draw(st.from_regex("mem_[a-z0-9_]{1,8}", fullmatch=True)),
        "content": draw(st.text(ALPHABET, min_size=1).filter(str.strip)),
        "uid": draw(WORDS),
        "kind": draw(optional(WORDS)),
        "importance": draw(st.floats(0, 10)),
        "strength": draw(st.floats(1e-9, 1e9)),
        "access_count": draw(st.integers(0, 10**15)),
        "frequency": draw(st.floats(0, 1e15)),
        "created_at": draw(TIMES),
        "last_accessed_at": draw(TIMES),
        "renewed_at": draw(optional(TIMES)),
        "tags": tuple(draw(st.lists(WORDS, unique=True, max_size=3))),
        "source": draw(optional(WORDS)),
        "scope": draw(WORDS),
        "scope_kind": draw(st.sampled_from(["session", "project", "global"])),
        "session": draw(optional(WORDS)),
        "key": draw(optional(WORDS)),
        "trusted": draw(st.booleans()),
        "pinned": draw(st.booleans()),
        "ttl_ms": draw(optional(st.integers(1, 2**53))),
        "expires_at": draw(optional(TIMES)),
        "promoted_at": draw(optional(TIMES)),
        "superseded_by": draw(optional(WORDS)),
        "metadata": draw(st.dictionaries(st.text(ALPHABET, max_size=8), JSON, max_size=3)),
    }
    absent = {name: None for name in Memory._fields if name not in fields}
    made = {"id": 1, "state": "live", "retention": 0.5, "sweep_id": 7}
    return Memory(**absent | fields | made | draw(ENDS) | draw(ANCHORS))


def line(**fields: Any) -> bytes:
    return json.dumps({"content": "tabs"} | fields).encode()


def draft(written: bytes | str) -> Draft:
    found = jsonl.read(written if isinstance(written, bytes) else written.encode())
    assert found is not None
    return found.draft


@given(memories())
def test_memory_written_is_read_back_in_every_field(memory: Memory) -> None:
    found = jsonl.read(jsonl.write(memory).encode())
    assert found is not None
    assert (found.replaced, found.unknown) == (0, ())
    for name in Draft._fields:
        if name != "metadata":
            assert getattr(found.draft, name) == getattr(memory, name), name
    assert json.loads(found.draft.metadata) == memory.metadata


@given(memories())
@settings(max_examples=30)
def test_memory_is_one_line_without_what_every_store_makes_anew(memory: Memory) -> None:
    written = jsonl.write(memory)
    assert not {"\n", "\r"} & set(written)
    assert set(json.loads(written)) <= set(jsonl.READERS)
    assert None not in json.loads(written).values()


def test_longest_time_to_live_survives() -> None:
    for ttl_ms in (2**53 + 1, 2**63 - 1):
        assert draft(line(ttl_ms=ttl_ms)).ttl_ms == ttl_ms


def test_content_alone_takes_every_default() -> None:
    assert draft(line()) == Draft("tabs", "mem_notes")


@pytest.mark.parametrize(
    ("kind", "partition"),
    [
        ("event", "mem_episodic"),
        ("fact", "mem_semantic"),
        ("howto", "mem_procedural"),
        ("preference", "mem_preference"),
        ("idea", "mem_notes"),
    ],
)
def test_kind_chooses_the_partition_where_none_is_given(kind: str, partition: str) -> None:
    assert draft(line(kind=kind)).partition == partition
    assert draft(line(kind=kind, partition="mem_mine")).partition == "mem_mine"


def test_null_means_the_default() -> None:
    nothing = dict.fromkeys(name for name in jsonl.READERS if name != "content")
    assert draft(line(**nothing)) == draft(line())


def test_named_scope_is_a_project_unless_it_says_otherwise() -> None:
    assert draft(line(scope="hebb")).scope_kind == "project"
    assert draft(line(scope="s1", scope_kind="session")).scope_kind == "session"
    assert draft(line(scope="global")).scope_kind == "global"


def test_archived_memory_without_a_reason_was_archived_by_hand() -> None:
    assert draft(line(archived_at="2026-01-01")).archived_reason == "by hand"


def test_names_lose_the_space_around_them_and_tags_their_doubles() -> None:
    found = draft(line(tags=[" a ", "b", "a"], source=" mail "))
    assert (found.tags, found.source) == (("a", "b"), "mail")


def test_unknown_fields_move_into_metadata_below_what_is_there() -> None:
    found = jsonl.read(line(mood="calm", color=[1], metadata={"color": 2}))
    assert found is not None
    assert found.unknown == ("mood", "color")
    assert json.loads(found.draft.metadata) == {"mood": "calm", "color": 2}


def test_what_every_store_makes_anew_is_ignored() -> None:
    derived = {"id": 5, "state": "archived", "retention": 0, "score": 1, "sweep_id": 3}
    assert jsonl.read(line(**derived, archived=True)) == jsonl.read(line())


@pytest.mark.parametrize("blank", [b"", b"\n", b" \r\n", b"\xef\xbb\xbf\n"])
def test_blank_line_is_no_memory(blank: bytes) -> None:
    assert jsonl.read(blank) is None


def test_byte_order_mark_and_windows_line_end_are_no_text() -> None:
    assert draft(b"\xef\xbb\xbf" + line() + b"\r\n").content == "tabs"


def test_characters_no_door_can_carry_are_replaced_everywhere_and_counted() -> None:
    written = rb'{"content": "a\u0000\ud800", "tags": ["\udfff"], "x\u0000": {"y": ["\u0000"]}}'
    found = jsonl.read(written)
    assert found is not None
    assert (found.replaced, found.unknown) == (5, ("x\u2400",))
    assert (found.draft.content, found.draft.tags) == ("a\u2400\ufffd", ("\ufffd",))
    assert json.loads(found.draft.metadata) == {"x\u2400": {"y": ["\u2400"]}}


def test_escaped_surrogate_pair_is_one_character() -> None:
    found = jsonl.read(rb'{"content": "\ud83d\ude00"}')
    assert found is not None
    assert (found.draft.content, found.replaced) == ("\U0001f600", 0)


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        (b"{", "not JSON"),
        (b"tabs", "not JSON"),
        (b'{"content": "\xff"}', "not UTF-8"),
        (b'["tabs"]', "not a JSON object"),
        (b'"tabs"', "not a JSON object"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"content": "a", "importance": 1' + b"0" * 5000 + b"}", "."),
        (b'{"text": "tabs"}', "no content"),
        (b"<<<<<<< HEAD", "merge conflict"),
        (b"=======\n", "merge conflict"),
        (b">>>>>>> theirs", "merge conflict"),
        (b"||||||| base", "merge conflict"),
        (line(content=""), "empty"),
        (line(content=" \n"), "empty"),
        (line(content=5), "content must be a text, not 5"),
        (line(content=None), "content must be a text, not None"),
        (line(partition="notes"), "no partition can be called 'notes'"),
        (line(partition="mem_"), "no partition"),
        (line(importance=11), "importance must be a number from 0 to 10, not 11"),
        (line(importance=True), "importance"),
        (line(importance="high"), "importance"),
        (line(importance=float("nan")), "importance"),
        (line(importance=float("inf")), "importance"),
        (line(strength=0), "strength"),
        (line(access_count=1.5), "access_count must be a whole number"),
        (line(access_count=-1), "access_count"),
        (line(access_count=10**16), "access_count"),
        (line(ttl_ms=0), "ttl_ms"),
        (line(created_at="soon"), "created_at must be a time, not 'soon'"),
        (line(created_at=0), "created_at must be a time"),
        (line(expires_at="1969-12-31"), "expires_at must be a time"),
        (line(tags="a"), "tags must be a list"),
        (line(tags=["a", ""]), "tags must be a text"),
        (line(tags=[1]), "tags must be a text"),
        (line(kind=" "), "kind must be a text"),
        (line(uid=""), "uid must be a text"),
        (line(uid=5), "uid must be a text"),
        (line(trusted="yes"), "trusted must be true or false"),
        (line(pinned=1), "pinned must be true or false"),
        (line(scope_kind="team"), "scope_kind must be one of session, project, global"),
        (line(scope_kind=[]), "scope_kind"),
        (line(archived_reason="swept"), "archived_reason without archived_at"),
        (line(archived_at="2026-01-01", archived_reason="lost"), "archived_reason must be one of"),
        (line(anchor_value=0.8), "anchor_value and anchor_at belong together"),
        (line(anchor_value=1.1, anchor_at="2026-01-01"), "anchor_value"),
        (line(metadata=[]), "metadata must be an object"),
        (line(metadata={"a": float("nan")}), "no word for"),
        (line(mood=float("inf")), "no word for"),
    ],
)
def test_bad_line_says_what_is_wrong_with_it(written: bytes, reason: str) -> None:
    with pytest.raises(WrongUsage, match=reason):
        jsonl.read(written)


def is_read_or_refused(written: bytes) -> bool:
    try:
        jsonl.read(written)
    except WrongUsage as error:
        return bool(str(error))
    return True


@given(JSON, st.integers(0, 3000))
@example(1, 600)
def test_any_json_is_a_memory_or_a_reason(value: Any, depth: int) -> None:
    inner = json.dumps(value)
    for written in (inner, f'{{"content": "a", "x": {"[" * depth}{inner}{"]" * depth}}}'):
        assert is_read_or_refused(written.encode())


@given(st.binary(max_size=60))
def test_any_bytes_are_a_memory_or_a_reason(written: bytes) -> None:
    assert is_read_or_refused(written)
