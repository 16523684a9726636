"""hebb archive, restore and forget by hand, and how a memory is named."""

import pytest

UIDS = ("abc111", "abc112", "abc", "abd9", "other")


@pytest.fixture
def named(hebb) -> None:
    hebb.bring(*({"content": f"note {uid}", "uid": uid} for uid in UIDS))


def test_archived_memory_is_out_of_the_way_and_comes_back(hebb, at) -> None:
    hebb.bring({"content": "quokka", "tags": ["a", "b c"], "importance": 7, "access_count": 4})
    before = hebb.json("show", 1)
    at(5)
    assert hebb("archive", 1).out == "1\t0.972604\tmem_notes\tquokka\n"
    shown = hebb.json("show", 1)
    assert (shown["state"], shown["archived_reason"]) == ("archived", "by hand")
    assert shown["archived_at"] == "2026-01-06T00:00:00Z"
    assert hebb.ids("list") == []
    assert hebb.ids("list", "--archived") == [1]
    assert hebb.json("stats")["by_state"]["archived"] == 1
    assert hebb("restore", 1).err == "1 restored\n"
    assert hebb.json("show", 1) == before | {
        "retention": 1.0,
        "last_accessed_at": "2026-01-06T00:00:00Z",
    }


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["archive", 1], "0 archived, 1 already archived\n"),
        (["restore", 2], "0 restored, 1 already live\n"),
    ],
)
def test_what_is_so_already_is_said_and_nothing_changes(hebb, contents, words, says) -> None:
    hebb.bring({"content": "a"}, {"content": "b"})
    hebb("archive", 1)
    before = contents()["hebb.db"]
    assert hebb(*words)[:] == (0, "", says)
    answer = hebb.json(*words)
    assert (answer["changed"], len(answer["unchanged"])) == ([], 1)
    assert contents()["hebb.db"] == before


def test_several_are_named_at_once_and_counted_once(hebb) -> None:
    hebb.bring(*({"content": str(number)} for number in range(4)))
    assert hebb.ids("archive", 3, 1, 3) == [3, 1]
    assert hebb("restore", 1, 2, 3).err == "2 restored, 1 already live\n"


def test_one_unknown_id_among_several_stops_all(hebb, contents) -> None:
    hebb.bring({"content": "a"}, {"content": "b"})
    before = contents()
    for verb in ("archive", "restore", "forget"):
        assert hebb.error(verb, 1, 9, 2, *(["--yes"] if verb == "forget" else []))["code"] == 3
    assert contents() == before


def test_pinned_memory_is_archived_only_by_force(hebb) -> None:
    hebb.bring({"content": "a"}, {"content": "b", "pinned": True})
    assert hebb.error("archive", 1, 2)["code"] == 4
    assert hebb.ids("list", "--archived") == []
    assert hebb.ids("archive", 1, 2, "--force") == [1, 2]


def test_sweep_is_undone_by_its_number_alone(hebb, at) -> None:
    hebb.bring(*({"content": f"a{number}", "importance": number} for number in range(3)))
    at(80)
    assert hebb.json("gc")["sweep"] == 1
    hebb("restore", 1)
    at(130)
    second = hebb.json("gc")
    assert second["sweep"] == 2
    assert hebb.ids("restore", "--sweep", 1) == []
    assert hebb.ids("restore", "--sweep", 2) == [one["id"] for one in second["memories"]]
    assert hebb.error("restore", "--sweep", 3)["code"] == 3


def test_restored_memory_that_had_expired_does_not_end_at_once_again(hebb) -> None:
    hebb.bring({"content": "a", "expires_at": "2025-12-31", "created_at": "2025-12-01"})
    hebb("gc")
    assert hebb.ids("restore", 1) == hebb.ids("list") == [1]
    assert hebb.ids("gc") == []


@pytest.mark.parametrize("command", ["list", "recall"])
def test_id_that_is_printed_is_accepted_as_it_is(hebb, command) -> None:
    hebb.bring({"content": "quokka"}, {"content": "wombat"})
    printed = hebb(command).rows[0][0]
    assert hebb("show", printed).code == 0
    assert hebb("forget", printed).err == "1 erased\n"
    assert hebb.ids("recall", "wombat") == []
    assert hebb.error("show", printed)["code"] == 3


@pytest.mark.usefixtures("named")
@pytest.mark.parametrize("verb", ["show", "explain", "archive", "restore", "forget"])
@pytest.mark.parametrize("prefix", ["abc1", "abc11"])
def test_prefix_that_fits_several_is_refused_and_names_them(hebb, contents, verb, prefix) -> None:
    before = contents()
    error = hebb.error(verb, prefix)
    assert (error["code"], error["kind"]) == (4, "ambiguous")
    assert "abc111" in error["message"]
    assert "abc112" in error["message"]
    assert contents() == before


@pytest.mark.usefixtures("named")
def test_exact_uid_wins_over_a_prefix_and_a_unique_prefix_is_enough(hebb) -> None:
    assert hebb.ids("archive", "abc") == [3]
    assert hebb.ids("archive", "abd") == [4]
    assert hebb.ids("archive", "abc112") == [2]
    assert hebb.ids("restore", "abd9") == [4]
    assert hebb.json("show", "oth")["uid"] == "other"
    assert hebb("forget", "othe").err == "1 erased\n"
    assert hebb.ids("list") == [4, 1]


@pytest.mark.usefixtures("named")
@pytest.mark.parametrize("reference", ["zzz", "ab", "o", "ABC111", "abc1111", "", "%", "ab*", " 1"])
def test_what_fits_nothing_or_is_shorter_than_three_is_unknown(hebb, contents, reference) -> None:
    before = contents()
    for words in (["forget", "--yes"], ["archive"], ["show"]):
        assert hebb.error(words[0], reference, *words[1:])["code"] == 3
    assert contents() == before


def test_digits_are_an_id_and_never_a_uid(hebb) -> None:
    hebb.bring({"content": "a", "uid": "2222"}, {"content": "b"})
    assert hebb.error("show", "2222")["code"] == 3
    assert hebb.json("show", "2")["content"] == "b"


def test_forgetting_several_needs_yes_where_nobody_can_be_asked(hebb) -> None:
    hebb.bring({"content": "a"}, {"content": "b"}, {"content": "c"})
    for words in ([], ["--json"]):
        done = hebb("forget", 1, 2, *words, stdin="y\n" * 9)
        assert (done.code, done.out) == (4, "")
        assert "--yes" in done.err
    assert hebb.ids("list") == [3, 2, 1]
    assert hebb.ids("forget", 1, 2, "--dry-run") == [1, 2]
    assert hebb.ids("list") == [3, 2, 1]
    assert hebb("forget", 1, 2, "--yes").err == "2 erased\n"
    assert hebb.ids("list") == [3]


def test_forgotten_memory_is_found_nowhere_and_in_no_file(hebb, contents) -> None:
    hebb.bring(*({"content": f"filler {number}"} for number in range(50)))
    hebb("add", "sentinel canaryxyzzy 金丝雀", "--tag", "canarytag", "--source", "canarysource")
    hebb("archive", 51)
    assert hebb("forget", 51).err == "1 erased\n"
    every = b"".join(contents().values()).lower()
    for trace in ("canary", "sentinel", "金丝"):
        assert trace.encode() not in every
    assert hebb.json("recall", "canaryxyzzy") == []
    assert hebb.ids("list", "--tag", "canarytag") == []


def test_archive_says_plainly_what_becomes_of_the_text(hebb) -> None:
    assert "restore" in hebb("archive", "--help").out
    hebb("add", "x")
    hebb("archive", 1)
    assert hebb.json("show", 1)["content"] == "x"


def test_archive_says_that_the_text_is_kept(hebb) -> None:
    hebb("add", "one")
    assert hebb("archive", 1).err == (
        "1 archived, the text is kept: 'hebb restore' brings it back\n"
    )
    assert "kept" not in hebb("archive", 1).err


def test_dry_run_of_restore_names_what_comes_back_and_changes_nothing(hebb, at, contents) -> None:
    hebb.bring({"content": "a"}, {"content": "b"})
    at(400)
    hebb("gc")
    before = contents()
    for words in (["restore", "--sweep", 1], ["restore", 2, 1]):
        done = hebb(*words, "--dry-run")
        assert sorted(row[-1] for row in done.rows) == ["a", "b"]
        assert done.err == "2 would be restored\n"
    assert contents() == before
    assert sorted(hebb.ids("restore", "--sweep", 1)) == [1, 2]
    assert hebb("restore", 1, "--dry-run").err == "0 would be restored, 1 already live\n"


def test_dry_run_of_restore_refuses_as_the_run_does(hebb) -> None:
    hebb("add", "room 4", "--key", "office")
    hebb("add", "room 5", "--key", "office")
    assert hebb.error("restore", 1, "--dry-run") == hebb.error("restore", 1)
    forced = hebb.json("restore", 1, "--force", "--dry-run")
    assert [one["id"] for one in forced["superseded"]] == [2]
    assert hebb.ids("list") == [2]


def test_list_of_what_is_pinned(hebb) -> None:
    hebb.bring({"content": "a"}, {"content": "b", "pinned": True}, {"content": "c", "pinned": True})
    hebb("archive", 3, "--force")
    assert hebb.ids("list", "--pinned") == [2]
    assert hebb.ids("list", "--pinned", "--archived") == [3]
