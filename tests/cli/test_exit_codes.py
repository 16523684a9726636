"""Failures: the right exit code, one line or one JSON object on stderr, nothing on stdout."""

import json
import sqlite3

import pytest

from hebbctl.errors import ExitCode

WRONG_USAGE = """
recal
--bogus
list --bogus
config
policy
config nonsense
config get
config set k_access
show
show 1 2
add
forget
restore
restore 1 --sweep 1
recall --limit 0
recall --limit -1
recall -n 1.5
recall --min-score 2
recall --since yesterday
list --sort colour
list --partition Notes
gc --threshold nan
gc --threshold -0.1
gc --threshold=-0.1
gc --threshold 1.1
gc --partition notes
restore --sweep zero
config set half_life_days 0
config set half_life_days -5
config set half_live_days 9
config get half_live_days
config unset half_live_days
policy set mem_facts
policy set mem_facts --threshold 1
policy clear mem_facts colour
policy preview mem_facts --half-life-days 0
add x --partition Notes
add x --importance -3
""".strip().splitlines()
NOT_FOUND = """
show 9
show abc
show 18446744073709551616
show 99999999999999999999999999
explain 9
forget 9
forget 9 --yes
archive 9
restore 9
restore --sweep 9
show -- -1
""".strip().splitlines()


def assert_fails(hebb, words, code, kind) -> dict:
    """The plain form says the same as the JSON form, on stderr only."""
    plain, error = hebb(*words), hebb.error(*words)
    assert (plain.code, plain.out) == (code, "")
    assert (error["code"], error["kind"]) == (code, kind)
    assert list(error) == ["code", "kind", "message", "hint"]
    hint = [f"hint: {error['hint']}"] if error["hint"] else []
    assert plain.err.split("\n") == [f"hebb: {error['message']}", *hint, ""]
    return error


@pytest.mark.parametrize("line", WRONG_USAGE)
def test_wrong_usage_ends_with_2_and_makes_no_store(hebb, home, line) -> None:
    assert_fails(hebb, line.split(), ExitCode.USAGE, "usage")
    assert not (home / "hebb.db").exists()
    assert not (home / "hebb.json").exists()


def test_no_command_is_wrong_usage_that_points_to_the_help(hebb) -> None:
    assert "hebb --help" in assert_fails(hebb, [], ExitCode.USAGE, "usage")["hint"]


@pytest.mark.parametrize(
    ("word", "meant"), [("recal", "recall"), ("lst", "list"), ("stat", "stats"), ("sho", "show")]
)
def test_mistyped_command_gets_a_suggestion(hebb, word, meant) -> None:
    assert f"'{meant}'" in hebb.error(word)["hint"]


@pytest.mark.parametrize("line", NOT_FOUND)
def test_unknown_memory_or_sweep_ends_with_3_and_claims_nothing(hebb, contents, line) -> None:
    hebb("add", "x")
    hebb("forget", 1)  # an id is never used again
    hebb("add", "y")
    before = contents()
    kind = "sweep_not_found" if "--sweep" in line else "memory_not_found"
    error = assert_fails(hebb, line.split(), ExitCode.NOT_FOUND, kind)
    assert not any(word in str(error) for word in ("deleted", "forgotten", "erased", "restored"))
    assert contents() == before


def test_refusals_end_with_4(hebb) -> None:
    hebb.bring({"content": "a", "uid": "abc1", "pinned": True}, {"content": "b", "uid": "abc2"})
    assert "--force" in assert_fails(hebb, ["forget", "1"], 4, "refused")["hint"]
    assert "--force" in assert_fails(hebb, ["archive", "1"], 4, "refused")["hint"]
    assert "--yes" in assert_fails(hebb, ["forget", "2", "1", "--force"], 4, "refused")["hint"]
    assert_fails(hebb, ["forget", "abc"], 4, "ambiguous")
    assert_fails(hebb, ["policy", "set", "mem_hippocampus", "--k-access", "1"], 4, "refused")
    assert hebb.json("stats")["total"] == 2


@pytest.mark.parametrize(
    "content", [b"no database at all, but a text of some length\n" * 99, bytes(4096)]
)
@pytest.mark.parametrize("words", [["list"], ["add", "x"], ["stats"], ["export"], ["gc"]])
def test_store_that_is_none_ends_with_5_names_the_file_and_stays_as_it_is(
    hebb, home, content, words
) -> None:
    (home / "hebb.db").write_bytes(content)
    error = assert_fails(hebb, words, ExitCode.STORE, "store")
    assert str(home / "hebb.db") in error["message"]
    assert (home / "hebb.db").read_bytes() == content


def test_store_cut_in_half_ends_with_5_and_stays_as_it_is(hebb, home) -> None:
    hebb("add", "x")
    whole = (home / "hebb.db").read_bytes()
    (home / "hebb.db").write_bytes(whole[: len(whole) // 2])
    assert_fails(hebb, ["list"], ExitCode.STORE, "store")
    assert_fails(hebb, ["add", "y"], ExitCode.STORE, "store")
    assert (home / "hebb.db").read_bytes() == whole[: len(whole) // 2]


def test_store_of_another_program_or_of_a_newer_hebb_ends_with_5(hebb, home) -> None:
    with sqlite3.connect(home / "theirs.db") as theirs:
        theirs.execute("CREATE TABLE memory (id)")
    theirs.close()
    before = (home / "theirs.db").read_bytes()
    error = assert_fails(hebb, ["add", "x", "--db", str(home / "theirs.db")], 5, "store")
    assert "another program" in error["message"]
    assert (home / "theirs.db").read_bytes() == before
    hebb("add", "x")
    with sqlite3.connect(home / "hebb.db") as newer:
        newer.execute("PRAGMA user_version = 999")
    newer.close()
    assert "newer" in assert_fails(hebb, ["list"], 5, "store")["message"]


def test_place_where_no_store_can_be_ends_with_5_only_for_a_writer(hebb, home) -> None:
    assert_fails(hebb, ["add", "x", "--db", "/proc/none/hebb.db"], ExitCode.STORE, "store")
    assert_fails(hebb, ["list", "--db", str(home)], ExitCode.STORE, "store")
    assert_fails(hebb, ["add", "x", "--db", str(home)], ExitCode.STORE, "store")
    assert hebb.json("list", "--db", "/proc/none/hebb.db") == []


@pytest.mark.parametrize(
    "written",
    [
        "",
        "{",
        "[]",
        "\udcff",
        "[" * 100_000,
        '{"half_life_days": -1}',
        '{"half_life_days": "long"}',
        '{"half_life_days": true}',
        '{"on_forget": "burn"}',
        '{"forgetting_overrides": []}',
        '{"forgetting_overrides": {"mem_facts": 3}}',
        '{"forgetting_overrides": {"mem_facts": {"k_access": 11}}}',
        '{"forgetting_overrides": {"mem_facts": {"enabled": "no"}}}',
    ],
    ids=lambda written: ascii(written[:60]),
)
def test_bad_settings_file_ends_with_6_and_is_named(hebb, home, written) -> None:
    hebb("add", "x")
    (home / "hebb.json").write_bytes(written.encode("utf-8", "surrogateescape"))
    for words in (["list"], ["recall", "x"]):
        error = assert_fails(hebb, words, ExitCode.INPUT, "bad_file")
        assert str(home / "hebb.json") in error["message"]


@pytest.mark.parametrize(
    "line", "stats,show 1,explain 1,gc,gc --dry-run,add y,forget 1,archive 1,policy list".split(",")
)
def test_bad_settings_file_stops_a_command_before_it_changes_anything(
    hebb, home, contents, line
) -> None:
    hebb("add", "x")
    (home / "hebb.json").write_text("{")
    before = contents()["hebb.db"]
    assert_fails(hebb, line.split(), ExitCode.INPUT, "bad_file")
    assert contents()["hebb.db"] == before
    (home / "hebb.json").unlink()
    assert hebb.ids("list") == [1]


def test_setting_out_of_range_in_the_environment_names_the_variable(hebb, monkeypatch) -> None:
    hebb("add", "x")
    monkeypatch.setenv("HEBB_HALF_LIFE_DAYS", "0")
    error = assert_fails(hebb, ["list"], ExitCode.USAGE, "usage")
    assert "HEBB_HALF_LIFE_DAYS" in error["message"]
    assert "(0, 3650]" in error["message"]


def test_missing_and_unreadable_input_files_end_with_6(hebb, home) -> None:
    assert "none.jsonl" in assert_fails(hebb, ["import", "none.jsonl"], 6, "bad_file")["message"]
    assert str(home) in assert_fails(hebb, ["import", str(home)], 6, "bad_file")["message"]
    assert_fails(hebb, ["recall", "x", "--config", "/dev/null"], 6, "bad_file")
    assert_fails(
        hebb, ["config", "set", "k_access", "1", "--config", "/proc/x.json"], 6, "bad_file"
    )


def test_empty_results_end_with_0(hebb) -> None:
    for words in (["list"], ["recall", "nothing"], ["recall"], ["gc"], ["export"], ["stats"]):
        assert hebb(*words).code == 0


def test_fault_of_hebb_is_one_line_without_the_text_of_the_user(hebb, monkeypatch) -> None:
    monkeypatch.setenv("HEBB_TEST_CRASH", "1")
    error = assert_fails(hebb, ["add", "my secret text"], ExitCode.FAILURE, "failure")
    assert error["message"] == "internal error: RuntimeError"
    assert "HEBB_DEBUG=1" in error["hint"]


def test_debugging_shows_where_the_fault_is_but_no_value(process) -> None:
    done = process("add", "my secret text", HEBB_TEST_CRASH="1", HEBB_DEBUG="1")
    assert done.code == ExitCode.FAILURE
    assert "Traceback" in done.err
    assert "my secret text" not in done.err


def test_usage_error_is_json_wherever_the_option_stands(hebb) -> None:
    for words in (["--json", "show"], ["show", "--json"], ["--json", "--bogus"], ["--json"]):
        assert json.loads(hebb(*words).err)["error"]["code"] == ExitCode.USAGE


def test_message_keeps_control_characters_of_the_user_visible(hebb) -> None:
    done = hebb("show", "a\x1b[2J\nb")
    assert done.code == ExitCode.NOT_FOUND
    assert "\x1b" not in done.err
    assert done.err.startswith("hebb: no memory ")
    assert done.err.count("\n") == 2  # the failure and its hint


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("search milk", "'recall'"),
        ("rm 1", "'forget'"),
        ("why 1", "'explain'"),
        ("list --jsn", "'--json'"),
        ("list --sicne 7d", "'--since'"),
        ("list 5", "give it once"),
        ("add two words", "quote a text"),
        ("add -buy", "--"),
    ],
)
def test_wrong_usage_names_what_was_meant(line, hint, hebb) -> None:
    error = hebb.error(*line.split())
    assert error["code"] == 2
    assert hint in error["hint"]


def test_kind_in_any_case_chooses_its_partition(hebb) -> None:
    added = hebb.json("add", "lunch", "--kind", "EVENT")
    assert (added["kind"], added["partition"]) == ("event", "mem_episodic")


def test_dry_run_of_forget_lists_pinned_ones_and_says_what_they_need(hebb) -> None:
    hebb.bring({"content": "a", "pinned": True}, {"content": "b"})
    done = hebb("forget", "--all", "--dry-run")
    assert (done.code, [row[0] for row in done.rows]) == (0, ["1", "2"])
    assert "pinned: 1: it needs --force" in done.err
    assert "needs --force" not in hebb("forget", "--all", "--dry-run", "--force").err


def test_mistyped_option_names_the_closest_one_once(hebb) -> None:
    error = hebb.error("list", "--tga", "x")
    assert (error["message"], error["hint"]) == ("No such option: --tga", "did you mean '--tag'?")
