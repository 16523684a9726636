"""hebb recall: what it finds in every script, that a query is data, and what counts as use."""

import unicodedata

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

LITERAL = """
pre-edit check
don't panic
ratio 3 GB/s
see park.
ubuntu 20.04
grammar::fa
memory:safe
NOT a drill
C++ and C#
it said "hi" and a"b
x OR y
NEAR(a b)
foo* ^a {b} (x
tab\tword
run with --error-on-warnings
🧠 brain
50% of $HOME; DROP TABLE memory
""".strip().split("\n")
WORDS = """
pre-edit don't GB/s park. grammar::fa memory:safe "" AND NOT NEAR( (x { ^a foo* * C++ C# 🧠 a"b
words:x rowid -x -- " ' \\ % _ ; + [red] 1e999 \x1b \u202e ﬁ \u0301 \u0000
"""
QUERIES = [*WORDS.split(), "ubuntu 20.04", 'say "hi', "x OR", "a AND", "tab\tword", "NEAR(a, 3)"]
QUERIES += ["{words}: x", "a + b"]


def found(hebb, query: str) -> list[str]:
    return [one["content"] for one in hebb.json("recall", "--peek", "--", query)]


@pytest.mark.parametrize(
    ("content", "queries"),
    [
        (
            "用户的身份验证已经修复",
            "用户 身份 验证 修复 份验 用 修 复 身份验证 用户的身份验证已经修复",
        ),
        ("メモリ検索テスト", "検索 メモリ テスト ﾒﾓﾘ 検 ト"),
        ("한국어 메모리를 검색", "메모리 한국어 검색 메 를"),
        ("ความจำระยะยาว", "ความจำ จำ"),
        ("用hebb记笔记 v2.0版", "hebb 笔记 记 2.0版 HEBB"),
        ("𠮷野家で食事", "𠮷野家 𠮷 食事"),
    ],
)
def test_unspaced_scripts_are_found_by_any_part_also_by_one_character(
    hebb, content, queries
) -> None:
    hebb.bring({"content": content}, {"content": "something else"}, {"content": "别的事情"})
    for query in queries.split():
        assert content in found(hebb, query), query


def test_characters_in_another_order_are_no_phrase(hebb) -> None:
    hebb.bring({"content": "身份验证"}, {"content": "验证码"}, {"content": "证件"})
    assert found(hebb, "验证") == ["验证码", "身份验证"]
    assert found(hebb, "份身") == []


ACCENTED = [
    "café résumé",
    "cafe\u0301 nfd",
    "İstanbul",
    "ﬁle",
    "ＦＵＬＬ width",
    "Straße",
    "Ångström",
]
ACCENTED += ["Łódź", "Ⅳ parts"]


@pytest.mark.parametrize(
    ("query", "contents"),
    [
        *((query, {0, 1}) for query in ("cafe", "café", "cafe\u0301", "CAFÉ", "ＣＡＦＥ")),
        *((query, {2}) for query in ("istanbul", "İstanbul", "ISTANBUL", "i\u0307stanbul")),
        *((query, {3}) for query in ("file", "ﬁle", "FILE")),
        *((query, {4}) for query in ("full", "ｆｕｌｌ")),
        *((query, {5}) for query in ("strasse", "STRASSE", "straße")),
        *((query, {6}) for query in ("angstrom", "A\u030angstrom")),
        *((query, {7}) for query in ("lodz", "łódź", unicodedata.normalize("NFD", "ŁÓDŹ"))),
        ("iv", {8}),
    ],
)
def test_case_accents_and_forms_do_not_matter_to_finding(hebb, query, contents) -> None:
    hebb.bring(*({"content": content} for content in ACCENTED))
    assert set(found(hebb, query)) == {ACCENTED[number] for number in contents}


def test_text_comes_back_byte_for_byte_as_given(hebb, process) -> None:
    for content in (*ACCENTED, "  space \n around ", "👨\u200d👩\u200d👧", "a\u2028b"):
        assert hebb.json("add", "-", stdin=content)["content"] == content
    out = process("list", "--json").out
    assert all(content in out for content in ACCENTED)


@pytest.mark.parametrize("content", LITERAL)
def test_text_is_found_by_itself(hebb, content) -> None:
    hebb.bring(*({"content": one} for one in LITERAL))
    assert found(hebb, content)[0] == content


def test_words_with_signs_are_told_apart(hebb) -> None:
    hebb.bring({"content": "C++ only"}, {"content": "C# only"}, {"content": "c only"})
    assert found(hebb, "C++")[0] == "C++ only"
    assert found(hebb, "C#")[0] == "C# only"


@pytest.mark.parametrize("query", QUERIES, ids=ascii)
def test_no_query_is_syntax(hebb, query) -> None:
    hebb.bring(*({"content": one} for one in LITERAL))
    done = hebb("--json", "recall", "--peek", "--", query)
    assert (done.code, done.out[0]) == (0, "[")


@pytest.mark.parametrize("query", ["", " ", "\t\n", "\u3000"])
def test_empty_query_is_wrong_usage(hebb, query) -> None:
    assert hebb.error("recall", query)["code"] == 2
    assert hebb.error("recall", "-", stdin=query)["code"] == 2


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.text(), st.text(alphabet="\"'*^(){}:+-ANDORT \t\0", max_size=12)))
@example("NOT")
@example("a\0b")
@example('"')
@example("-")
def test_any_text_as_a_query_ends_with_0_or_2(hebb, query) -> None:
    done = hebb("--json", "recall", "--peek", "--", query)
    empty = not query.strip() or query == "-"  # stdin, where nothing is
    assert done.code == (2 if empty else 0), done.err


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(categories=["L", "N", "So"]), min_size=1, max_size=30))
def test_any_word_stored_is_found_by_itself(hebb, content) -> None:
    memory = hebb.json("--quiet", "add", "--", content)
    if any(character.isalnum() for character in content):
        ids = [one["id"] for one in hebb.json("recall", "--peek", "-n", 1000, "--", content)]
        assert memory["id"] in ids


def test_query_that_looks_like_an_option_goes_after_dashes_in_quotes_or_through_stdin(hebb) -> None:
    content = "run with --error-on-warnings"
    hebb("add", content)
    assert found(hebb, "--error-on-warnings") == [content]
    assert hebb.ids("recall", '"--error-on-warnings"') == [1]
    assert [one["id"] for one in hebb.json("recall", "-", stdin="--error-on-warnings")] == [1]
    error = hebb.error("recall", "--error-on-warnings")
    assert error["code"] == 2


def test_recall_strengthens_what_it_shows(hebb, at) -> None:
    hebb.bring({"content": "alpha fact"}, {"content": "beta fact"})
    used_at = at("2026-01-20T00:00:00Z")
    assert hebb.ids("recall", "alpha") == [1]
    at("2026-01-21T00:00:00Z")
    alpha, beta = hebb.json("show", 1), hebb.json("show", 2)
    assert (alpha["access_count"], alpha["last_accessed_at"]) == (1, used_at)
    assert (beta["access_count"], beta["last_accessed_at"]) == (0, "2026-01-01T00:00:00Z")
    assert alpha["retention"] > beta["retention"]
    at(75)
    assert hebb.ids("gc", "--dry-run", "--threshold", 0.55) == [2]


@pytest.mark.parametrize(
    "words",
    [["--peek"], ["--now", "2026-06-01"], ["-n", "1"], ["--min-score", "1"], ["--archived"]],
)
def test_what_is_peeked_at_or_not_shown_is_not_used(hebb, at, words) -> None:
    hebb.bring({"content": "tea in Kyoto"}, {"content": "tea, tea, tea"})
    at(10)
    hebb("recall", "tea", *words)
    hebb("recall", "coffee")
    assert hebb.json("show", 1)["access_count"] == 0
    assert hebb.json("show", 1)["last_accessed_at"] == "2026-01-01T00:00:00Z"


def test_archived_hits_come_last_are_marked_and_not_used(hebb) -> None:
    hebb.bring({"content": "quokka one"}, {"content": "a text of a quokka among other words"})
    hebb("archive", 1)
    one, two = hebb.json("recall", "quokka one")
    assert [(one["id"], one["archived"], one["state"]), two["id"]] == [(2, False, "live"), 1]
    assert (two["archived"], two["state"], two["access_count"]) == (True, "archived", 0)
    assert hebb.json("show", 1)["access_count"] == 0
    assert hebb.ids("recall", "quokka", "--no-fallback") == [2]
    assert hebb.ids("recall", "quokka", "--archived") == [1]
    assert hebb.ids("recall", "quokka", "-n", 1) == [2]
    assert [row[3] for row in hebb("recall", "quokka").rows] == ["live", "archived"]


def test_nothing_gone_takes_the_place_of_a_live_memory(hebb) -> None:
    past = {"expires_at": "2025-12-31T00:00:00Z", "created_at": "2025-12-01T00:00:00Z"}
    hebb.bring(
        *({"content": f"quokka {number}", **past} for number in range(20)),
        *({"content": f"quokka quokka {number}"} for number in range(20)),
        *(
            {"content": f"here is a longer text, number {number}, on a quokka"}
            for number in range(5)
        ),
    )
    hebb("forget", "--yes", *range(21, 31))
    hebb("archive", *range(31, 41))
    assert sorted(hebb.ids("recall", "quokka", "--limit", 5)) == [41, 42, 43, 44, 45]


FILTERS = [
    (["--partition", "mem_semantic"], {"partition": "mem_semantic"}),
    (["--kind", "idea"], {"kind": "idea"}),
    (["--scope", "foo"], {"scope": "foo"}),
    (["--tag", "a", "--tag", "b"], {"tags": ["a", "b", "c"]}),
    (["--since", "2025-06-01", "--until", "2025-07-01"], {"created_at": "2025-06-01T00:00:00Z"}),
]


@pytest.mark.parametrize(
    ("words", "fields"), FILTERS, ids=lambda value: value[0] if type(value) is list else ""
)
def test_filters_come_before_the_limit(hebb, words, fields) -> None:
    others = [{"content": f"tea tea {number}", "tags": ["a"]} for number in range(120)]
    hebb.bring({"content": "one long text that mentions tea once"} | fields, *others)
    assert hebb.ids("recall", "tea", "--peek", "-n", 1, *words) == [1]
    assert hebb.ids("recall", "--peek", "-n", 1, *words) == [1]
    assert hebb.ids("list", "-n", 1, *words) == [1]


def test_until_ends_before_its_moment(hebb) -> None:
    hebb.bring({"content": "x", "created_at": "2025-06-01"})
    for words in (["list"], ["recall", "x", "--peek"]):
        moment = "2025-06-01T00:00:00Z"
        assert hebb.ids(*words, "--since", moment, "--until", moment) == []
        assert hebb.ids(*words, "--since", "2025-06-01", "--until", "2025-06-01T00:00:01") == [1]


def test_without_a_query_the_newest_come_first(hebb) -> None:
    hebb.bring(*({"content": f"n{day}", "created_at": f"2025-01-0{day}"} for day in (2, 3, 1)))
    assert hebb.ids("recall", "--peek") == [2, 1, 3]
    assert hebb.ids("recall", "--peek", "-n", 1) == [2]


def test_ten_are_shown_unless_a_limit_is_given(hebb) -> None:
    hebb.bring(*({"content": f"tea {number}"} for number in range(30)))
    assert len(hebb.ids("recall", "tea", "--peek")) == 10
    assert len(hebb.ids("recall", "--peek")) == 10
    assert len(hebb.ids("recall", "tea", "--peek", "-n", 25)) == 25
    assert len(hebb.ids("list")) == 30


def test_least_score_keeps_out_what_is_below(hebb) -> None:
    hebb.bring({"content": "green tea"}, {"content": "green"}, {"content": "unlike"})
    scores = {one["id"]: one["score"] for one in hebb.json("recall", "green tea", "--peek")}
    assert scores.keys() == {1, 2}
    assert hebb.ids("recall", "green tea", "--peek", "--min-score", scores[1] - 0.01) == [1]
    assert hebb.ids("recall", "green tea", "--peek", "--min-score", 1) == []


def test_english_words_are_found_in_every_ending(hebb) -> None:
    hebb.bring({"content": "she was running the migrations"}, {"content": "nothing"})
    for query in ("run", "migration", "migrations run"):
        assert hebb.ids("recall", query, "--peek") == [1], query


def test_finding_nothing_is_said_to_people_alone(hebb) -> None:
    assert hebb("recall", "nothing")[:] == (0, "", "")
    assert hebb("recall", "nothing", "--json")[:] == (0, "[]\n", "")
    assert hebb("recall", "nothing", "--color").err == "nothing found\n"


def test_stale_memory_that_is_recalled_is_fresh_again(hebb, at) -> None:
    hebb("config", "preset", "jarvis")
    hebb("add", "alpha fact")
    at(40)
    assert hebb.json("recall", "alpha")[0]["state"] == "stale"
    assert hebb.json("show", 1)["state"] == "live"
