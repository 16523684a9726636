"""hebb import and export: nothing lost on the way, bad lines named, erased stays erased."""

import json

import pytest

FULL = {
    "uid": "full-1",
    "partition": "mem_of_mine",
    "content": "all fields 记忆 🧠\n\tline é e\u0301 \u2028 \x1b[2J",
    "kind": "idea",
    "importance": 7.25,
    "strength": 1.5,
    "access_count": 4,
    "frequency": 0.125,
    "created_at": "2025-01-02T03:04:05.678Z",
    "last_accessed_at": "2025-02-03T04:05:06Z",
    "renewed_at": "2025-03-04T05:06:07Z",
    "tags": ["a", "y z", "标签"],
    "source": "https://example.org/?q=1",
    "scope": "project x",
    "scope_kind": "session",
    "session": "s-1",
    "key": "colour",
    "trusted": False,
    "pinned": True,
    "ttl_ms": 123_456_789,
    "expires_at": "2030-01-01T00:00:00Z",
    "promoted_at": "2025-04-05T06:07:08Z",
    "archived_at": "2025-12-05T06:07:08Z",
    "archived_reason": "superseded",
    "superseded_by": "full-2",
    "anchor_value": 0.8,
    "anchor_at": "2025-05-06T07:08:09Z",
    "metadata": {"nested": {"list": [1, 2.5, None, True, "文"]}, "": 0},
}
BAD = """\
{"content": "one"}
{"content": "tw
<<<<<<< HEAD
{"content": "three"}
=======
>>>>>>> x
[1]
{"nocontent": 1}

{"content": "four"}
{"content": "cut"""


@pytest.fixture
def other(monkeypatch, home):
    """Moves to a second home."""

    def move() -> None:
        (home / "second").mkdir()
        monkeypatch.setenv("HEBB_HOME", str(home / "second"))

    return move


def test_export_and_import_elsewhere_lose_nothing(hebb, other, at) -> None:
    hebb.bring(FULL, {"uid": "full-2", "content": "successor"}, {"content": "plain"})
    hebb.bring(*({"content": f"n{number}", "scope": f"scope {number}"} for number in range(5)))
    hebb("archive", 3)
    exported = hebb("export")
    assert exported.err == "8 exported\n"
    dry = hebb.json("gc", "--dry-run", "--now", "2026-06-01")
    at("2026-03-01")
    other()
    assert hebb.json("import", "-", stdin=exported.out)["stored"] == 8
    assert hebb("export").out == exported.out
    there = hebb.json("gc", "--dry-run", "--now", "2026-06-01")
    assert {one["uid"] for one in there["memories"]} == {one["uid"] for one in dry["memories"]}
    assert there["forgotten"] == dry["forgotten"] > 0


def test_every_field_that_is_given_is_exported_as_given(hebb) -> None:
    hebb.bring(FULL, {"uid": "full-2", "content": "successor"})
    lines = [json.loads(line) for line in hebb("export").out.split("\n")[:-1]]
    assert lines[0] == FULL
    assert list(lines[0]) == list(FULL)
    shown = hebb.json("show", 1)
    assert FULL.items() <= shown.items()


def test_export_is_ordered_by_uid_and_the_same_with_json(hebb) -> None:
    hebb.bring(*({"content": uid, "uid": uid} for uid in ("b", "a", "c")))
    out = hebb("export").out
    assert [json.loads(line)["uid"] for line in out.split("\n")[:-1]] == ["a", "b", "c"]
    assert hebb("export", "--json").out == out
    assert hebb("export", "--quiet").err == ""


def test_second_import_adds_nothing(hebb, home) -> None:
    file = home / "notes.jsonl"
    file.write_text('{"content": "a"}\n{"content": "b", "uid": "u"}\n{"content": "a"}\n')
    first = hebb.json("import", file)
    assert (first["stored"], first["existing"]) == (2, 1)
    second = hebb.json("import", file)
    assert (second["stored"], second["existing"]) == (0, 3)
    assert len(hebb.ids("list")) == 2
    assert hebb.json("show", 1)["access_count"] == 0


@pytest.mark.parametrize(
    "line", ["list", "recall tea --peek", "recall tea --explain --peek", "recall --by-time --peek"]
)
def test_output_of_list_and_recall_can_be_imported(hebb, other, line) -> None:
    tea = {"content": "tea at the window in the morning", "tags": ["t"], "importance": 2}
    hebb.bring(tea, tea | {"content": tea["content"] + " light"})
    lines = "".join(json.dumps(one) + "\n" for one in hebb.json(*line.split()))
    before = hebb("export").out
    other()
    assert hebb.json("import", "-", stdin=lines)["unknown_fields"] == []
    assert hebb("export").out == before


def test_bad_lines_are_named_and_the_good_ones_stored(hebb, home) -> None:
    (home / "m.jsonl").write_text(BAD)
    done = hebb("import", home / "m.jsonl")
    assert (done.code, dict(done.rows)["stored"]) == (6, "3")
    notes = done.err.split("\n")
    assert [note.partition(":")[0] for note in notes[:7]] == [
        f"line {number}" for number in (2, 3, 5, 6, 7, 8, 11)
    ]
    assert all("conflict" in notes[number] for number in (1, 2, 3))
    assert notes[7] == "hebb: 7 lines were rejected, 3 stored"
    again = hebb("--json", "import", home / "m.jsonl")
    report = json.loads(again.out)
    assert (again.code, report["stored"], report["existing"]) == (6, 0, 3)
    assert [number for number, _ in report["rejected"]] == [2, 3, 5, 6, 7, 8, 11]
    assert json.loads(again.err)["error"]["kind"] == "bad_file"
    assert sorted(one["content"] for one in hebb.json("list")) == ["four", "one", "three"]


def test_strict_import_stores_all_or_nothing(hebb, home) -> None:
    (home / "m.jsonl").write_text(BAD)
    done = hebb("import", "--strict", home / "m.jsonl")
    assert (done.code, dict(done.rows)["stored"]) == (6, "0")
    assert "line 2" in done.err
    assert hebb.json("list") == []
    (home / "m.jsonl").write_text('{"content": "a"}\n\n{"content": "b"}')
    assert hebb.json("import", "--strict", home / "m.jsonl")["stored"] == 2


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"content": ""}, "empty"),
        ({"content": None}, "content"),
        ({"content": 5}, "content"),
        ({"importance": 11}, "from 0 to 10"),
        ({"importance": True}, "importance"),
        ({"access_count": -1}, "access_count"),
        ({"access_count": 1.5}, "whole"),
        ({"access_count": 10**15 + 1}, "access_count"),
        ({"created_at": "yesterday"}, "created_at"),
        ({"created_at": 5}, "created_at"),
        ({"created_at": "1969-12-31"}, "created_at"),
        ({"tags": "a"}, "tags"),
        ({"tags": [""]}, "tags"),
        ({"partition": "Notes"}, "Notes"),
        ({"pinned": "yes"}, "pinned"),
        ({"scope_kind": "galaxy"}, "scope_kind"),
        ({"ttl_ms": 0}, "ttl_ms"),
        ({"metadata": []}, "metadata"),
        ({"metadata": {"a": float("nan")}}, "metadata"),
        ({"theirs": float("inf")}, "metadata"),
        ({"archived_reason": "swept"}, "archived_at"),
        ({"archived_at": "2025-01-01", "archived_reason": "bored"}, "archived_reason"),
        ({"anchor_value": 0.5}, "anchor"),
        ({"uid": ""}, "uid"),
        ({"strength": 0}, "strength"),
        ({"frequency": -1}, "frequency"),
    ],
    ids=str,
)
def test_field_that_cannot_be_rejects_its_line_with_a_reason(hebb, fields, reason) -> None:
    lines = json.dumps({"content": "x"} | fields) + '\n{"content": "good"}\n'
    done = hebb("import", "-", stdin=lines)
    assert done.code == 6
    assert done.err.startswith("line 1: ")
    assert reason in done.err.split("\n")[0]
    assert [one["content"] for one in hebb.json("list")] == ["good"]


@pytest.mark.parametrize(
    "line",
    [b'{"content": "caf\xe9"}', b"\xff\xfe{\0", b"\0", b"[" * 99_999, b'{"a": ' * 99_999, b"NaN"],
    ids=lambda line: str(line[:12]),
)
def test_line_of_any_bytes_is_rejected_and_the_rest_stored(hebb, line) -> None:
    done = hebb("import", "-", stdin=line + b'\n{"content": "good"}\n')
    assert (done.code, done.err.startswith("line 1: ")) == (6, True)
    assert [one["content"] for one in hebb.json("list")] == ["good"]


def test_erased_memory_stays_out_unless_it_is_asked_for(hebb) -> None:
    hebb.bring({"content": "a", "uid": "gone"}, {"content": "b", "uid": "stays"})
    backup = hebb("export").out
    hebb("forget", 1)
    done = hebb("import", "-", stdin=backup)
    assert (done.code, dict(done.rows)["deleted"]) == (0, "1")
    assert "--restore-deleted" in done.err
    assert hebb.ids("list") == [2]
    back = hebb.json("import", "-", "--restore-deleted", stdin=backup)
    assert (back["stored"], back["existing"], back["deleted"]) == (1, 1, 0)
    assert hebb("export").out == backup
    assert hebb.json("import", "-", stdin=backup)["existing"] == 2


def test_memory_erased_by_a_sweep_stays_out_as_well(hebb, home) -> None:
    (home / "hebb.json").write_text('{"on_forget": "erase"}')
    line = '{"content": "a", "uid": "gone", "created_at": "2020-01-01"}\n'
    hebb("import", "-", stdin=line)
    hebb("gc")
    assert hebb.json("import", "-", stdin=line)["deleted"] == 1


def test_unknown_fields_are_kept_in_metadata_and_said(hebb) -> None:
    line = '{"content": "a", "theirs": {"x": [1]}, "metadata": {"mine": 1}, "id": 77, "score": 1}'
    done = hebb("import", "-", stdin=line)
    assert "kept in metadata: theirs\n" in done.err
    shown = hebb.json("show", 1)
    assert shown["metadata"] == {"theirs": {"x": [1]}, "mine": 1}


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York", "UTC"])
def test_time_without_an_offset_is_utc_in_every_zone(process, zone) -> None:
    times = ["2026-01-01T09:00:00", "2026-01-01T00:00:00Z", "2026-01-01T09:00:00+09:00"]
    lines = "".join(json.dumps({"content": time, "created_at": time}) + "\n" for time in times)
    assert process("import", "-", stdin=lines.encode(), TZ=zone).code == 0
    found = json.loads(process("list", "--json", "--sort", "created", TZ=zone).out)
    assert {one["content"]: one["created_at"] for one in found} == {
        times[0]: "2026-01-01T09:00:00Z",
        times[1]: "2026-01-01T00:00:00Z",
        times[2]: "2026-01-01T00:00:00Z",
    }
    swept = process("gc", "--dry-run", "--json", TZ=zone, HEBB_NOW="2026-02-01T00:00:00Z")
    assert (swept.code, json.loads(swept.out)["forgotten"]) == (0, 0)


def test_halves_of_surrogate_pairs_are_replaced_and_counted(hebb, process) -> None:
    texts = ("cut \\ud83d", "ok \\ud83e\\udde0", "\\udc00\\ud800")
    lines = "".join(f'{{"content": "{text}"}}\n' for text in texts)
    report = hebb.json("import", "-", stdin=lines)
    assert (report["stored"], report["replaced_characters"]) == (3, 3)
    contents = [hebb.json("show", number)["content"] for number in (1, 2, 3)]
    assert contents == ["cut \ufffd", "ok 🧠", "\ufffd\ufffd"]
    assert process("export").code == 0


def test_nul_is_shown_as_a_symbol_through_every_door(hebb) -> None:
    line = (
        '{"content": "a\\u0000b tail", "tags": ["t\\u0000"], "metadata": {"m\\u0000": "\\u0000"}}'
    )
    assert hebb.json("import", "-", stdin=line)["replaced_characters"] == 4
    shown = hebb.json("show", 1)
    assert (shown["content"], shown["tags"]) == ("a\u2400b tail", ["t\u2400"])
    assert shown["metadata"] == {"m\u2400": "\u2400"}
    assert hebb.ids("recall", "tail", "--peek") == hebb.ids("recall", "b", "--peek") == [1]
    assert '"a\u2400b tail"' in hebb("export").out


def test_files_with_a_mark_crlf_and_no_last_line_end_are_read(hebb, home) -> None:
    (home / "w.jsonl").write_bytes(b'\xef\xbb\xbf{"content": "a"}\r\n\r\n{"content": "b"}')
    assert hebb.json("import", home / "w.jsonl")["stored"] == 2


def test_empty_import_and_empty_export_are_no_failure(hebb, home) -> None:
    assert hebb.json("import", "-")["stored"] == 0
    assert hebb("export")[:] == (0, "", "0 exported\n")


def test_import_of_many_lines_goes_in_batches(hebb) -> None:
    lines = "".join(json.dumps({"content": f"n{number}"}) + "\n" for number in range(2500))
    assert hebb.json("import", "-", stdin=lines)["stored"] == 2500
    broken = hebb("import", "--strict", "-", stdin=lines.replace("n", "m") + "{\n")
    assert (broken.code, len(hebb.ids("list"))) == (6, 2500)


def test_replace_gives_a_known_uid_all_that_the_line_holds(hebb, home) -> None:
    hebb.bring(
        {"uid": "aaa1", "content": "sentinel quokka", "tags": ["old"], "access_count": 3},
        {"uid": "aaa2", "content": "untouched"},
    )
    hebb("backup")
    lines = [
        {"uid": "aaa1", "content": "plain words", "tags": ["new"], "importance": 8},
        {"uid": "aaa2", "content": "untouched"},
        {"uid": "aaa3", "content": "fresh"},
        {"uid": "aaa1", "content": "plain words again", "tags": ["new"], "importance": 8},
    ]
    written = "".join(json.dumps(line) + "\n" for line in lines)
    before = hebb.json("show", 1)
    done = hebb.json("import", "-", "--replace", stdin=written)
    assert [done[name] for name in ("stored", "existing", "replaced")] == [1, 1, 2]
    after = hebb.json("show", 1)
    assert (after["id"], after["content"], after["tags"]) == (1, "plain words again", ["new"])
    assert (after["importance"], after["access_count"]) == (8, 0)
    assert after["created_at"] == before["created_at"]
    assert hebb.ids("recall", "quokka", "--peek") == []
    assert hebb.ids("recall", "again", "--peek") == [1]
    for path in home.rglob("*"):
        assert path.is_dir() or b"quokka" not in path.read_bytes().lower()
    assert hebb("doctor").code == 0


def test_replace_makes_what_the_line_calls_live_live_again(hebb) -> None:
    hebb.bring({"uid": "aaa1", "content": "one"}, {"uid": "aaa2", "content": "two"})
    lines = [
        {"uid": "aaa1", "content": "one", "superseded_by": "aaa2", "archived_at": "2026-01-01"}
    ]
    written = json.dumps(lines[0] | {"archived_reason": "superseded"})
    assert hebb.json("import", "-", "--replace", stdin=written)["replaced"] == 1
    assert hebb.json("show", 1)["superseded_by"] == "aaa2"
    hebb("import", "-", "--replace", stdin=json.dumps({"uid": "aaa1", "content": "one"}))
    after = hebb.json("show", 1)
    assert (after["state"], after["superseded_by"], after["sweep_id"]) == ("live", None, None)


def test_without_replace_a_known_uid_is_left_alone(hebb) -> None:
    hebb.bring({"uid": "aaa1", "content": "first"})
    done = hebb.json("import", "-", stdin='{"uid": "aaa1", "content": "second"}')
    assert (done["existing"], done["replaced"]) == (1, 0)
    assert hebb.json("show", 1)["content"] == "first"


def test_strict_import_that_fails_replaces_nothing(hebb) -> None:
    hebb.bring({"uid": "aaa1", "content": "first"})
    lines = '{"uid": "aaa1", "content": "second"}\nbroken\n'
    assert hebb("import", "-", "--replace", "--strict", stdin=lines).code == 6
    assert hebb.json("show", 1)["content"] == "first"
    assert hebb.ids("recall", "first", "--peek") == [1]


def test_export_of_named_memories_takes_any_way_to_name_them(hebb, home) -> None:
    hebb.bring(*({"uid": f"uid-{letter}", "content": letter} for letter in "abcdef"))
    hebb("archive", 5)
    named = "\ufeff3\n\n  uid-a \r\n5\t0.5\tmem_notes\n3\nuid-f"
    (home / "ids.txt").write_text(named, "utf-8", newline="")
    for words, stdin in (((home / "ids.txt",), ""), (("-",), named)):
        done = hebb("export", "--ids-from", *words, stdin=stdin)
        assert [json.loads(line)["content"] for line in done.out.splitlines()] == list("acef")
        assert done.err == "4 exported\n"
    assert hebb("export", "--ids-from", "-", stdin="\n").err == "0 exported\n"


@pytest.mark.parametrize(
    ("named", "code"), [("1\n99\n", 3), ("1\nuid-\n", 4), ("1\n\xff\n", 3), ("1\n1e3", 3)]
)
def test_export_of_what_is_not_there_names_the_line_and_prints_nothing(hebb, named, code) -> None:
    hebb.bring({"uid": "uid-a", "content": "a"}, {"uid": "uid-b", "content": "b"})
    error = hebb.error("export", "--ids-from", "-", stdin=named.encode("latin-1"))
    assert (error["code"], error["message"].endswith("; it is in line 2")) == (code, True)


def test_export_by_a_file_that_is_not_there_ends_with_6(hebb, home) -> None:
    assert hebb.error("export", "--ids-from", home / "none.txt")["code"] == 6
