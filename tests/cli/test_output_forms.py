"""Output for scripts: lines split by tabs and JSON of a stable shape, everywhere the same."""

import json

import pytest

TEXT = "记忆 🧠 └─ é"
READING = [
    "list",
    "show 1",
    "recall note --peek",
    "stats",
    "gc --dry-run",
    "explain 1",
    "config list",
]
READING += [
    "policy list",
    "policy show mem_notes",
    "policy preview mem_notes",
    "config get k_access",
]
READING += ["forget 1 --dry-run", "recall --peek --explain", "config path"]
READING += ["curve", "curve 1", "curve 1 --keep-days 9", "matrix"]


@pytest.fixture
def hard(hebb) -> None:
    hebb.bring(
        {"content": f"note {'long ' * 80}NEEDLE"},
        {"content": "note [red]a\tb\nc\r\x1b[2J\x07\\ \u202e\u2028\x85"},
        {"content": f"note {TEXT}", "tags": ["t\tu", "v"], "metadata": {"k": [1, "\n"]}},
    )


@pytest.mark.usefixtures("hard")
@pytest.mark.parametrize("columns", ["", "1", "20", "400"])
def test_pipe_gets_one_line_a_record_without_header_wrapping_or_cut(
    hebb, monkeypatch, columns
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    for words in (["list"], ["recall", "note", "--peek"]):
        rows = hebb(*words).rows
        assert sorted(row[0] for row in rows) == ["1", "2", "3"]
        assert len({len(row) for row in rows}) == 1
        assert sum(row[-1].endswith("NEEDLE") for row in rows) == 1


@pytest.mark.usefixtures("hard")
def test_characters_that_would_move_a_cursor_or_end_a_line_are_escaped(hebb) -> None:
    written = "note [red]a\\tb\\nc\\r\\x1b[2J\\x07\\\\ \\u202e\\u2028\\x85"
    assert [row[-1] for row in hebb("list").rows][1] == written
    assert ["content", written] in hebb("show", 2).rows
    assert ["content", written] in hebb("explain", 2).rows
    table = hebb("list", "--color").out
    assert "[red]a\\tb\\nc\\r\\x1b" in table
    assert "\x1b[2J" not in table


@pytest.mark.usefixtures("hard")
def test_json_holds_the_text_as_it_is(hebb) -> None:
    assert hebb.json("show", 2)["content"] == "note [red]a\tb\nc\r\x1b[2J\x07\\ \u202e\u2028\x85"
    assert "\x1b" not in hebb("show", 2, "--json").out
    found = hebb.json("show", 3)
    assert (found["tags"], found["metadata"]) == (["t\tu", "v"], {"k": [1, "\n"]})


@pytest.mark.usefixtures("hard")
@pytest.mark.parametrize("line", READING)
def test_json_is_one_value_in_one_line(hebb, line) -> None:
    done = hebb("--verbose", *line.split(), "--json")
    assert (done.code, done.out.count("\n")) == (0, 1)
    json.loads(done.out)


@pytest.mark.usefixtures("hard")
@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "gbk", "latin-1"])
@pytest.mark.parametrize("line", ["list", "show 3", "recall note --peek", "export"])
def test_stdout_of_any_encoding_gets_text_with_replacements_and_valid_json(
    process, encoding, line
) -> None:
    plain = process(*line.split(), encoding=encoding, PYTHONIOENCODING=encoding)
    assert (plain.code, "Traceback" in plain.err) == (0, False)
    as_json = process(*line.split(), "--json", encoding=encoding, PYTHONIOENCODING=encoding)
    texts = [json.loads(one) for one in as_json.out.split("\n")[:-1]]
    assert as_json.code == 0
    assert f"note {TEXT}" in json.dumps(texts, ensure_ascii=False)


@pytest.mark.usefixtures("hard")
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("add - --now 7d", 2),  # a character was replaced
        ("edit 9 -", 3),
        ("recall - --min-score 0.5 --tag t --scope s --now x", 2),
    ],
)
def test_failure_under_json_stands_alone_on_stderr_whatever_was_noted(hebb, line, code) -> None:
    hebb("add", "x")
    found = hebb.error(*line.split(), stdin="a\0b")
    assert found["code"] == code


def test_notes_under_json_follow_the_answer(hebb) -> None:
    done = hebb("--json", "list", "--tag", "t", "--scope", "s")
    assert (done.code, done.out, done.err.count("\n")) == (0, "[]\n", 2)


def test_python_s_own_warnings_stay_out_of_the_results(process) -> None:
    for words in (["list", "--json"], ["gc", "--dry-run", "--json"], ["stats"], ["--help"]):
        done = process(*words, PYTHONWARNINGS="always", PYTHONDEVMODE="1")
        assert (done.code, done.err) in [(0, ""), (0, "0 would be archived, 0 would be erased\n")]


def test_unknown_setting_in_the_file_is_named_on_stderr_only(hebb, home) -> None:
    (home / "hebb.json").write_text(
        '{"theirs": [1], "forgetting_overrides": {"mem_facts": {"colour": 1}}}'
    )
    hebb("add", "x")
    for words in (["recall", "--json", "--peek"], ["gc", "--json"], ["list", "--json"]):
        done = hebb(*words)
        assert (done.code, json.loads(done.out) != {}) == (0, True)
        assert "'theirs'" in done.err
        assert "'forgetting_overrides.mem_facts.colour'" in done.err
        assert hebb(*words, "--quiet").err == ""


KEYS_AFTER_GC = "memories needs_yes backups_left restored spared copies_kept"
KEYS_OF_GC = "schema sweep dry_run threshold partition forgotten archived erased erasure_pending"
KEYS_OF_STATS = "schema total by_state by_partition by_retention by_term by_vitality"
KEYS_OF_STATS += " pinned due tombstones next_expiry_at sweeps last_sweep_at"
KEYS_OF_STATS += " last_audit size_bytes tokens graph injections"


def shape(value) -> object:
    """The types and keys of an answer, however many memories it holds."""
    if isinstance(value, dict):
        return {key: shape(one) for key, one in value.items()}
    return type(value).__name__


@pytest.mark.parametrize("count", [0, 1, 3])
def test_answers_have_one_shape_for_none_one_and_many(hebb, at, count) -> None:
    if count:
        hebb.bring(*({"content": f"note {number}"} for number in range(count)))
    for words in (["list"], ["recall", "note", "--peek"], ["recall", "--peek"]):
        found = hebb.json(*words)
        assert (type(found), len(found)) == (list, count)
    stats = hebb.json("stats")
    assert list(stats) == KEYS_OF_STATS.split()
    assert list(stats["by_state"]) == ["live", "stale", "expired", "archived"]
    assert stats["total"] == sum(stats["by_state"].values()) == count
    assert sum(stats["by_retention"].values()) == stats["by_state"]["live"]
    at(365)
    for words in (["gc", "--dry-run"], ["gc"]):
        swept = hebb.json(*words)
        assert list(swept) == [*KEYS_OF_GC.split(), *KEYS_AFTER_GC.split()]
        assert (swept["forgotten"], len(swept["memories"])) == (count, count)
    assert hebb("list").out == ""


def test_every_memory_has_the_same_keys_in_every_answer(hebb) -> None:
    added = hebb.json("add", "x", "--tag", "t", "--source", "s")
    assert [added.pop(name) for name in ("existing", "superseded", "similar")] == [False, [], []]
    shown = hebb.json("show", 1)
    assert added == shown == hebb.json("list")[0]
    found = hebb.json("recall", "x", "--peek")[0]
    assert shown.items() <= found.items()
    assert set(found) - set(shown) == {"archived", "score", "relevance", "match", "newer_than"}
    assert isinstance(shown["id"], int)
    assert isinstance(shown["uid"], str)
    assert (
        shape(hebb.json("explain", 1)).items()
        >= {
            "schema": "int",
            "retention": "float",
            "forgotten_at": "str",
            "due": "bool",
        }.items()
    )


@pytest.mark.usefixtures("hard")
@pytest.mark.parametrize("words", [["stats", "--json"], ["stats"], ["list", "--json"], ["list"]])
def test_output_is_the_same_bytes_in_every_locale_zone_width_and_hash_seed(process, words) -> None:
    here = process(*words, PYTHONHASHSEED="0")
    there = process(
        *words,
        LANG="de_DE.UTF-8",
        LC_ALL="de_DE.UTF-8",
        TZ="Asia/Kolkata",
        COLUMNS="40",
        PYTHONHASHSEED="42",
    )
    assert here.code == there.code == 0
    assert here.out == there.out != ""


@pytest.mark.parametrize(
    ("now", "written"),
    [
        ("2026-01-01T09:00:00.25+09:00", "2026-01-01T00:00:00.250Z"),
        ("2026-01-01T09:00:00", "2026-01-01T09:00:00Z"),
        ("2026-01-01", "2026-01-01T00:00:00Z"),
    ],
)
def test_times_are_utc_and_so_is_what_names_no_offset(process, now, written) -> None:
    added = json.loads(process("add", "x", "--json", HEBB_NOW=now, TZ="Asia/Tokyo").out)
    assert added["created_at"] == added["last_accessed_at"] == written


@pytest.mark.parametrize("count", [0, 1, 1201])
def test_list_of_any_length_is_one_json_array_in_one_line(hebb, count) -> None:
    if count:
        hebb.bring(*({"content": f"note {number}"} for number in range(count)))
    done = hebb("--json", "list")
    assert (done.out.count("\n"), done.out[-1]) == (1, "\n")
    assert [one["id"] for one in json.loads(done.out)] == [*range(count, 0, -1)]
