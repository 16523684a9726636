"""hebb forget by query, tag, source, partition, scope and session: what fits, and nothing else."""

import pytest

MEMORIES = [
    {"content": "red fox", "scope": "work", "tags": ["animal"], "source": "book"},
    {"content": "blue fox", "scope": "work", "session": "talk", "archived_at": "2026-01-01"},
    {"content": "red house", "scope": "home", "partition": "mem_facts"},
    {"content": "狐狸和房子", "scope": "home", "tags": ["Animal", "zoo"], "session": "talk"},
    {"content": "gone fox", "scope": "home", "expires_at": "2026-01-01"},
]


@pytest.fixture
def filled(hebb):
    hebb.bring(*MEMORIES)
    return hebb


def left(hebb) -> list[int]:
    exported = {one["uid"] for one in hebb.json("list")} | {
        one["uid"] for one in hebb.json("list", "--archived")
    }
    return sorted(hebb.json("show", uid)["id"] for uid in exported)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--query", "fox"], [1, 2, 5]),
        (["--query", "red fox"], [1]),
        (["--query", "狐狸"], [4]),
        (["--query", 'red" fox'], [1]),
        (["--query", 'fox" OR red'], []),
        (["--tag", "animal"], [1, 4]),
        (["--tag", "animal", "--tag", "zoo"], [4]),
        (["--source", "book"], [1]),
        (["--partition", "mem_facts"], [3]),
        (["--scope", "WORK"], [1, 2]),
        (["--scope", "work", "--all"], [1, 2]),
        (["--session", "talk"], [2, 4]),
        (["--session", "talk", "--scope", "home"], [4]),
        (["--query", "fox", "--scope", "work", "--tag", "animal"], [1]),
        (["--scope", "nowhere"], []),
        (["--all"], [1, 2, 3, 4, 5]),
    ],
)
def test_what_fits_every_option_goes_and_everything_else_stays(options, expected, filled) -> None:
    assert filled.ids("forget", *options, "--dry-run") == expected
    assert left(filled) == [1, 2, 3, 4]
    assert filled.ids("forget", *options, "--yes") == expected
    assert left(filled) == [one for one in (1, 2, 3, 4) if one not in expected]
    for one in (1, 3):
        words = MEMORIES[one - 1]["content"]
        assert (one in filled.ids("recall", words, "--peek")) == (one not in expected)


def test_several_need_a_confirmation_and_one_does_not(filled) -> None:
    error = filled.error("forget", "--scope", "work")
    assert error["code"] == 4
    assert "--yes" in error["hint"]
    assert filled("forget", "--all", stdin="y\n").code == 4
    assert left(filled) == [1, 2, 3, 4]
    assert filled.ids("forget", "--source", "book") == [1]


def test_pinned_memory_keeps_the_whole_selection(filled) -> None:
    filled("pin", 1)
    error = filled.error("forget", "--scope", "work", "--yes")
    assert error["code"] == 4
    assert "--force" in error["hint"]
    assert left(filled) == [1, 2, 3, 4]
    assert filled.ids("forget", "--scope", "work", "--yes", "--force") == [1, 2]


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--scope", "", "--all", "--yes"],
        ["--scope", " ", "--yes"],
        ["--tag", "", "--yes"],
        ["--source", "", "--yes"],
        ["--session", "", "--yes"],
        ["--partition", "", "--yes"],
        ["--query", "", "--yes"],
        ["--query", " !? ", "--yes"],
        ["1", "--scope", "work", "--yes"],
        ["1", "--all", "--yes"],
        ["--yes"],
    ],
)
def test_no_or_an_empty_selector_is_wrong_usage_and_never_everything(words, filled) -> None:
    assert filled.error("forget", *words)["code"] == 2
    assert left(filled) == [1, 2, 3, 4]


def test_name_nobody_bears_is_said(filled) -> None:
    done = filled("forget", "--scope", "wrok", "--yes")
    assert done.code == 0
    assert "did you mean 'work'?" in done.err
    assert left(filled) == [1, 2, 3, 4]


def test_audit_says_by_what_but_not_the_words(filled, home) -> None:
    filled("forget", "--query", "house", "--yes")
    assert filled.json("audit")[0]["reason"] == "by query"
    assert b"house" not in b"".join(path.read_bytes() for path in home.iterdir())


def test_many_go_in_several_transactions(hebb) -> None:
    hebb.bring(*({"content": f"note {number}", "scope": "work"} for number in range(1100)))
    hebb("add", "kept")
    assert len(hebb.ids("forget", "--scope", "work", "--yes")) == 1100
    assert [one["content"] for one in hebb.json("list")] == ["kept"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("universe", ["the universe"]),
        ("organ", ["organ donor"]),
        ("IT budget", ["IT budget plan"]),
        ("Budget", ["IT budget plan", "family budget"]),
        ("北京", ["去北京大学"]),
        ("北京 大学", ["去北京大学"]),
        ("京北", []),
    ],
)
def test_query_takes_only_what_holds_the_words_themselves(query, expected, hebb) -> None:
    texts = ["the university exam", "the universe", "organ donor", "organization chart"]
    texts += ["IT budget plan", "family budget", "去北京大学", "北方的京城"]
    for text in texts:
        hebb("add", text)
    found = hebb.json("forget", "--query", query, "--dry-run")["changed"]
    assert [one["content"] for one in found] == expected


@pytest.mark.parametrize(("tag", "expected"), [("กู", [1]), ("ก", [3]), ("x2", [5]), ("X²", [4])])
def test_name_takes_no_name_that_only_resembles_it(tag, expected, hebb) -> None:
    for number, name in enumerate(("กู", "กุ", "ก", "x²", "x2")):
        hebb("add", f"note {number}", "--tag", name)
    assert hebb.ids("forget", "--tag", tag, "--dry-run") == expected
