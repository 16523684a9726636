"""hebb add: what is stored, what is refused, and every door a text comes in by."""

import pytest


@pytest.mark.parametrize("given", ["0", "0.8", "5", "8", "9.999", "10", "1e1", "0.1"])
def test_importance_is_kept_exactly_as_given(hebb, given) -> None:
    added = hebb.json("add", "x", "--importance", given)
    assert added["importance"] == hebb.json("show", 1)["importance"] == float(given)


def test_importance_is_5_unless_given(hebb) -> None:
    assert hebb.json("add", "x")["importance"] == 5


@pytest.mark.parametrize(
    "given", ["11", "10.000001", "-1", "-0.1", "nan", "inf", "-inf", "high", ""]
)
@pytest.mark.parametrize("form", ["--importance {}", "--importance={}"])
def test_importance_out_of_range_names_the_range_and_stores_nothing(hebb, form, given) -> None:
    error = hebb.error("add", "x", *form.format(given).split(" "))
    assert error["code"] == 2
    assert "from 0 to 10" in error["message"]
    assert hebb.json("list") == []


def test_piped_add_prints_only_the_id(hebb) -> None:
    assert hebb("add", "x")[:] == (0, "1\n", "")
    assert hebb("add", "y")[:] == (0, "2\n", "")


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
def test_kind_chooses_the_partition_unless_one_is_given(hebb, kind, partition) -> None:
    assert hebb.json("add", "x", "--kind", kind)["partition"] == partition
    given = hebb.json("add", "x", "--kind", kind, "--partition", "mem_of_mine_2")
    assert (given["partition"], given["kind"]) == ("mem_of_mine_2", kind)


@pytest.mark.parametrize(
    "name", ["Notes", "notes", "mem_", "mem_A", "mem_a-b", "mem_a b", "mem_ä", ""]
)
def test_partition_that_cannot_be_is_refused(hebb, name) -> None:
    assert hebb.error("add", "x", "--partition", name)["code"] == 2
    assert hebb.json("list") == []


def test_fields_given_are_fields_kept(hebb) -> None:
    words = "--tag b --tag a --tag b --source web --scope foo --pin".split()
    added = hebb.json("add", "x", *words)
    assert (sorted(added["tags"]), added["source"], added["pinned"]) == (["a", "b"], "web", True)
    assert (added["scope"], added["scope_kind"]) == ("foo", "project")


@pytest.mark.parametrize("option", ["--tag", "--source", "--scope", "--kind"])
def test_blank_label_is_refused(hebb, option) -> None:
    assert hebb.error("add", "x", option, " ")["code"] == 2


def test_same_text_again_returns_the_memory_there_is_and_counts_no_use(hebb, at) -> None:
    first = hebb.json("add", "use tabs")
    at(3)
    again = [hebb.json("add", "use tabs"), hebb.json("add", "-", stdin="use tabs\n")]
    assert [one["existing"] for one in (first, *again)] == [False, True, True]
    assert [one["id"] for one in (first, *again)] == [1, 1, 1]
    shown = hebb.json("show", 1)
    assert (shown["access_count"], shown["last_accessed_at"]) == (0, first["created_at"])
    assert hebb("add", "use tabs")[:2] == (0, "1\n")
    assert hebb("add", "use tabs").err == "already there as 1: not stored again, nor changed\n"


@pytest.mark.parametrize(
    "words",
    [
        ["Use tabs"],
        ["use tabs "],
        ["use tabs", "--partition", "mem_other"],
        ["use tabs", "--scope", "foo"],
        ["use tabs", "--force"],
    ],
)
def test_other_text_partition_scope_or_force_makes_another_memory(hebb, words) -> None:
    hebb("add", "use tabs")
    added = hebb.json("add", *words)
    assert (added["id"], added["existing"]) == (2, False)


def test_text_that_is_archived_or_erased_is_stored_anew(hebb) -> None:
    hebb("add", "x")
    hebb("archive", 1)
    assert hebb.json("add", "x")["id"] == 2
    hebb("forget", 2)
    assert hebb.json("add", "x")["id"] == 3


@pytest.mark.parametrize(
    ("given", "content"),
    [
        (b"no newline", "no newline"),
        (b"one\n", "one"),
        (b"two\n\n", "two\n"),
        (b"\xef\xbb\xbfhello\r\nworld\r\n", "hello\nworld"),
        (b"  indented\n", "  indented"),
        (b"- buy milk", "- buy milk"),
        (b"-", "-"),
        (b"lone \r return", "lone \r return"),
        ("记忆 🧠".encode(), "记忆 🧠"),
        (b"x\0y", "x\u2400y"),
    ],
)
def test_stdin_is_stored_without_mark_and_last_line_end(hebb, given, content) -> None:
    assert hebb.json("add", "-", stdin=given)["content"] == content


@pytest.mark.parametrize("given", [b"", b"\n", b"\n \t\n", b"\xef\xbb\xbf", "\u3000\n".encode()])
def test_blank_text_is_refused(hebb, given) -> None:
    assert hebb.error("add", "-", stdin=given)["code"] == 2
    assert hebb.error("add", given.decode("utf-8-sig"))["code"] == 2
    assert hebb.json("list") == []


@pytest.mark.parametrize("given", [b"\xff\xfeh\0i\0", b"\xff", b"caf\xe9"])
def test_stdin_that_is_not_utf8_is_refused(hebb, given) -> None:
    assert "not UTF-8" in hebb.error("add", "-", stdin=given)["message"]


def test_argument_that_no_text_can_hold_is_replaced_and_said(hebb) -> None:
    done = hebb("add", "half \udcff of it")
    assert done.err == "replaced: 1 character that no text can hold\n"
    assert hebb.json("show", 1)["content"] == "half \ufffd of it"


def test_nul_is_shown_as_a_symbol_and_said(hebb) -> None:
    done = hebb("add", "-", stdin=b"x\0y tail\0")
    assert (done.out, done.err) == ("1\n", "replaced: 2 characters that no text can hold\n")
    assert hebb.ids("recall", "tail", "--peek") == [1]


@pytest.mark.parametrize("text", ["- buy milk", "--dry-run is the flag", "-n is for numbers"])
def test_text_that_begins_with_a_dash_is_refused_with_the_form_that_works(hebb, text) -> None:
    error = hebb.error("add", text)
    assert error["code"] == 2
    assert "-- before a text" in error["hint"]
    assert hebb.json("add", "--", text)["content"] == text
    assert hebb.json("add", "-", stdin=text)["existing"] is True


@pytest.mark.parametrize("flag", ["-x", "--dry-run", "--jsn", "-v", "--json", "--importance"])
def test_mistyped_flag_alone_is_no_memory(hebb, flag) -> None:
    assert hebb("add", flag).code == 2
    assert hebb.json("list") == []


def test_long_text_is_kept_whole(hebb) -> None:
    text = "word 记忆 🧠\t" * 100_000
    hebb("config", "set", "max_item_bytes", 10_000_000)
    hebb("add", "-", stdin=text)
    assert hebb.json("show", 1)["content"] == text
    assert hebb.ids("recall", "记忆", "--peek") == [1]


def test_id_is_never_used_again(hebb) -> None:
    hebb("add", "a")
    hebb("forget", 1)
    assert hebb("add", "b").out == "2\n"


def test_added_memory_is_what_show_prints(hebb) -> None:
    added = hebb.json("add", "x", "--kind", "fact")
    about_adding = [added.pop(name) for name in ("existing", "superseded", "similar")]
    assert about_adding == [False, [], []]
    assert added == hebb.json("show", 1)


def test_strength_is_stored_and_read_by_the_curves_that_know_it(hebb, at) -> None:
    hebb("config", "preset", "memorybank")
    hebb("add", "moving", "--strength", 3)
    hebb("add", "lunch")
    at(3)
    assert hebb.json("show", 1)["retention"] == pytest.approx(0.3679, abs=5e-5)
    assert hebb.json("show", 2)["retention"] == pytest.approx(0.0498, abs=5e-5)
    for wrong in ("0", "-1", "nan", "much", "1e10"):
        assert hebb.error("add", "x", "--strength", wrong)["code"] == 2
