"""hebb edit, touch, pin, unpin and tag: one thing is changed, everything else stays."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest


@pytest.fixture
def editor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Makes EDITOR write an expression of the old text ``t``, and end with a code."""

    def make(expression: str, code: int = 0) -> None:
        script = tmp_path / "editor.py"
        script.write_text(
            "import sys\n"
            "path = sys.argv[1]\n"
            "t = open(path, newline='').read()\n"
            f"open(path, 'w', newline='').write({expression})\n"
            f"sys.exit({code})\n"
        )
        monkeypatch.setenv("EDITOR", f"{sys.executable} '{script}'")

    return make


def differing(before: dict, after: dict) -> set[str]:
    return {name for name in before if before[name] != after[name]}


def test_edit_changes_the_text_and_counts_as_use(hebb, at) -> None:
    hebb("add", "the red fox", "--tag", "animal", "--scope", "zoo")
    before = hebb.json("show", 1)
    at(3)
    done = hebb("edit", 1, "the blue whale")
    assert (done.code, done.rows[0][0], done.err) == (0, "1", "1 edited\n")
    after = hebb.json("show", 1)
    assert after["content"] == "the blue whale"
    assert after["access_count"] == 1
    assert differing(before, after) == {"content", "access_count", "frequency", "last_accessed_at"}
    assert hebb.ids("recall", "whale", "--peek") == [1]
    assert hebb.ids("recall", "fox", "--peek") == []


def test_old_text_is_erased_by_an_edit(hebb, contents) -> None:
    hebb("add", "sentinel quokka")
    hebb("edit", 1, "plain words")
    assert not [name for name, found in contents().items() if b"quokka" in found.lower()]


def test_old_text_is_erased_from_every_copy_and_the_new_one_is_there(hebb, home) -> None:
    hebb("add", "sentinel quokka")
    hebb("backup")
    hebb("backup", "create", home / "elsewhere.db")
    done = hebb.json("edit", 1, "plain words")
    assert done["backups_left"] == []
    for path in home.rglob("*"):
        assert path.is_dir() or b"quokka" not in path.read_bytes().lower()
    for copy in (*home.glob("backups/*.db"), home / "elsewhere.db"):
        assert hebb.ids("recall", "plain", "--peek", "--db", copy) == [1]
        assert hebb("doctor", "--db", copy).code == 0


def test_edit_cut_off_before_the_copies_is_finished_by_the_next_run(hebb, home) -> None:
    hebb("add", "sentinel quokka")
    hebb("backup")
    path = Path(hebb.json("backup", "list")[0]["path"])
    hidden = path.rename(home / "hidden")
    hebb("edit", 1, "plain words")
    hidden.rename(path)  # as if the run had been killed before it came to the copy
    with closing(sqlite3.connect(home / "hebb.db")) as db, db:
        db.execute("INSERT INTO state VALUES ('copies_pending 0-0', 'x')")
    hebb("add", "another")
    assert b"quokka" not in path.read_bytes()
    assert hebb.ids("recall", "plain", "--peek", "--db", path) == [1]


def test_copy_that_cannot_be_changed_is_named_by_an_edit(hebb, home) -> None:
    hebb("add", "sentinel quokka")
    path = Path(hebb.json("backup")["path"])
    path.write_bytes(b"no store any more")
    done = hebb("edit", 1, "plain words")
    assert done.code == 0
    assert str(path) in done.err


def test_edit_sets_the_named_fields_and_no_other(hebb) -> None:
    hebb("add", "a text", "--kind", "idea", "--source", "a book", "--ttl", "7d")
    before = hebb.json("show", 1)
    hebb(
        "edit", 1, "--importance", 9, "--scope", "work", "--kind", "none", "--expires", "2026-02-01"
    )
    after = hebb.json("show", 1)
    assert (after["importance"], after["scope"], after["kind"]) == (9, "work", None)
    assert after["expires_at"] == "2026-02-02T00:00:00Z"
    changed = {
        "importance",
        "scope",
        "scope_kind",
        "kind",
        "expires_at",
        "access_count",
        "frequency",
    }
    assert differing(before, after) == changed
    hebb("edit", 1, "--ttl", "none", "--source", "none", "--partition", "mem_facts")
    last = hebb.json("show", 1)
    assert (last["ttl_ms"], last["source"], last["partition"]) == (None, None, "mem_facts")


def test_edit_that_changes_nothing_is_no_use(hebb) -> None:
    hebb("add", "a text")
    done = hebb("edit", 1, "a text", "--importance", 5)
    assert (done.code, done.out, done.err) == (0, "", "0 edited, 1 as before\n")
    assert hebb.json("show", 1)["access_count"] == 0


def test_text_opens_in_the_editor(hebb, editor) -> None:
    hebb("add", "记忆 and\nmore")
    editor("t.replace('more', 'less')")
    assert hebb.json("edit", 1)["changed"][0]["content"] == "记忆 and\nless"


@pytest.mark.parametrize(("expression", "code"), [("'half'", 3), ("''", 0), ("t", 0)])
def test_editor_that_fails_or_leaves_nothing_new_changes_nothing(
    expression, code, hebb, editor
) -> None:
    hebb("add", "whole")
    editor(expression, code)
    hebb("edit", 1)
    assert hebb.json("show", 1)["content"] == "whole"
    assert hebb.json("show", 1)["access_count"] == 0


@pytest.mark.parametrize(("value", "code"), [("/no/such/editor", 1), ("'", 1), ("", 2)])
def test_editor_that_cannot_start_is_one_line(value, code, hebb, monkeypatch) -> None:
    hebb("add", "whole")
    monkeypatch.setenv("EDITOR", value)
    monkeypatch.delenv("VISUAL", raising=False)
    assert hebb.error("edit", 1)["code"] == code


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ([""], 2),
        (["  "], 2),
        (["taken"], 4),
        (["--importance", 11], 2),
        (["--importance", -3], 2),
        (["--ttl", "-7d"], 2),
        (["--ttl", "soon"], 2),
        (["--expires", "2025-12-31"], 2),
        (["--expires", "never"], 2),
        (["--kind", " "], 2),
        (["--partition", "notes"], 2),
        (["x" * 70_000], 2),
    ],
)
def test_edit_refuses_in_one_line_and_changes_nothing(words, code, hebb) -> None:
    hebb("add", "mine")
    hebb("add", "taken")
    before = hebb.json("show", 1)
    assert hebb.error("edit", 1, *words)["code"] == code
    assert hebb.json("show", 1) == before


def test_edit_that_would_break_the_rule_of_keys_changes_nothing(hebb, home) -> None:
    hebb.bring(
        {"content": "a", "scope": "home", "key": "editor"},
        {"content": "b", "scope": "work", "key": "editor"},
    )
    hebb("backup")
    before = hebb.json("show", 1)
    error = hebb.error("edit", 1, "other words", "--scope", "work")
    assert error["code"] == 4
    assert "current about" in error["message"]
    assert hebb.json("show", 1) == before
    assert hebb.ids("recall", "other words", "--peek", "--db", next(home.glob("backups/*"))) == []


def test_duplicate_is_looked_for_where_the_memory_will_be(hebb) -> None:
    hebb("add", "same", "--partition", "mem_facts")
    hebb("add", "same")
    hebb("add", "other")
    assert hebb.error("edit", 2, "--partition", "mem_facts")["code"] == 4
    assert hebb.error("edit", 3, "same")["code"] == 4
    assert hebb("edit", 3, "same", "--partition", "mem_x").code == 0


def test_edit_takes_the_spelling_of_a_name_that_is_there(hebb) -> None:
    hebb("add", "one", "--scope", "Work", "--kind", "Idea")
    hebb("add", "two")
    hebb("edit", 2, "--scope", "work", "--kind", "idea")
    after = hebb.json("show", 2)
    assert (after["scope"], after["kind"]) == ("Work", "Idea")


@pytest.mark.parametrize("command", [["edit"], ["touch"], ["promote"]])
def test_archived_memory_is_not_used(command, hebb) -> None:
    hebb("add", "a text")
    hebb("archive", 1)
    error = hebb.error(*command, 1, *(["new"] if command == ["edit"] else []))
    assert error["code"] == 4
    assert "hebb restore 1" in error["hint"]


def test_touch_counts_one_use_of_each(hebb, at) -> None:
    hebb("add", "one")
    hebb("add", "two")
    now = at(5)
    assert hebb("touch", 1, 2, 1).err == "2 touched\n"
    for one in hebb.json("list"):
        assert (one["access_count"], one["last_accessed_at"]) == (1, now)


def test_pinned_memory_stays_until_it_is_unpinned(hebb, at) -> None:
    hebb("add", "one")
    assert hebb("pin", 1).err == "1 pinned\n"
    assert hebb("pin", 1).err == "0 pinned, 1 already pinned\n"
    at(1000)
    assert hebb.ids("gc", "--dry-run") == []
    assert hebb("unpin", 1).err == "1 unpinned\n"
    assert hebb("unpin", 1).err == "0 unpinned, 1 already unpinned\n"
    assert hebb.ids("gc", "--dry-run") == [1]
    assert hebb.json("show", 1)["access_count"] == 0


def test_tags_are_added_and_taken_away_in_any_spelling(hebb) -> None:
    hebb("add", "one", "--tag", "Draft", "--tag", "old")
    hebb("add", "two", "--tag", "Work")
    done = hebb("tag", 1, "+work", "-draft", "+c++", "plain", "--", "-old")
    assert done.code == 0, done.err
    assert done.rows == [["1", '["Work", "c++", "plain"]']]
    assert hebb("tag", 1, "+Work", "-gone").err == "0 tagged, 1 as before\n"
    assert hebb.json("show", 1)["access_count"] == 0


def test_one_letter_tag_is_no_global_option(hebb) -> None:
    hebb("add", "one", "--tag", "q", "--tag", "v")
    done = hebb("tag", 1, "-q", "-v")
    assert (done.code, done.err) == (0, "1 tagged\n")
    assert hebb.json("show", 1)["tags"] == []


@pytest.mark.parametrize("tags", [[], ["+"], ["-"], [" "], ["+ "]])
def test_no_tag_is_wrong_usage(tags, hebb) -> None:
    hebb("add", "one")
    assert hebb.error("tag", 1, *tags)["code"] == 2


@pytest.mark.parametrize(
    "command", [["edit", "x", "text"], ["touch"], ["pin"], ["unpin"], ["tag"], ["promote"]]
)
def test_unknown_id_ends_with_3_and_an_ambiguous_one_with_4(command, hebb) -> None:
    hebb.bring({"content": "a", "uid": "abc111"}, {"content": "b", "uid": "abc112"})
    verb, *_ = command
    rest = {"edit": ["text"], "tag": ["+x"]}.get(verb, [])
    assert hebb.error(verb, 99, *rest)["code"] == 3
    assert hebb.error(verb, "ab", *rest)["code"] == 3
    assert hebb.error(verb, "abc", *rest)["code"] == 4
    assert {one["access_count"] for one in hebb.json("list")} == {0}


@pytest.mark.parametrize(
    "line",
    [
        *("edit 1 text", "touch 1", "pin 1", "tag 1 +x", "promote 1", "archive 1", "restore 1"),
        *("trust 1", "trust 1 --revoke", "link 1 2", "unlink 1 2", "consolidate --merge 1 2"),
    ],
)
def test_without_a_store_no_id_is_known_and_none_is_made(line, hebb, home) -> None:
    assert hebb.error(*line.split())["code"] == 3
    assert list(home.glob("hebb.db*")) == []


def test_time_to_live_and_expiry_are_given_when_adding(hebb, at) -> None:
    kept = hebb.json("add", "one", "--ttl", "1w", "--session", "talk", "--expires", "10d")
    assert (kept["ttl_ms"], kept["session"]) == (7 * 86_400_000, "talk")
    assert kept["expires_at"] == "2026-01-11T00:00:00Z"
    for option in ("--ttl", "--expires"):
        assert hebb.error("add", "two", option, "-7d")["code"] == 2
    at(8)
    assert [one["reason"] for one in hebb.json("gc", "--dry-run")["memories"]] == ["ttl"]
    at(10)
    assert [one["reason"] for one in hebb.json("gc", "--dry-run")["memories"]] == ["expired"]


def test_text_option_stores_any_text(hebb) -> None:
    for text in ("- x", "-", "--json", "-v"):
        assert hebb.json("add", f"--text={text}")["content"] == text
    assert hebb.error("add", "a", "--text", "b")["code"] == 2
    assert hebb.error("add")["code"] == 2


def test_text_of_more_bytes_than_allowed_is_refused_by_every_door(hebb) -> None:
    hebb("config", "set", "max_item_bytes", 9)
    assert hebb("add", "九字节").code == 0
    error = hebb.error("add", "九字节!")
    assert error["code"] == 2
    assert "10 bytes" in error["message"]
    assert hebb.error("edit", 1, "0123456789")["code"] == 2
    lines = "".join(json.dumps({"content": text}) + "\n" for text in ("九字节!", "short"))
    done = hebb("import", "-", "--json", stdin=lines)
    assert done.code == 6
    assert json.loads(done.out)["rejected"][0][0] == 1
    assert [one["content"] for one in hebb.json("list")] == ["short", "九字节"]


def test_text_changed_while_the_editor_is_open_is_not_overwritten(hebb, tmp_path, monkeypatch):
    hebb("add", "first")
    script = tmp_path / "ed"
    script.write_text(f"#!/bin/sh\n{sys.executable} -m hebbctl edit 1 other\nprintf mine > $1\n")
    script.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(script))
    error = hebb.error("edit", 1)
    assert error["code"] == 4
    assert "changed meanwhile" in error["message"]
    draft = Path(error["hint"].rpartition("your text is in ")[2])
    assert draft.read_text() == "mine"
    assert hebb.json("show", 1)["content"] == "other"


def drafts(home) -> list[Path]:
    return list(home.glob("hebb.db.edit-*"))


def test_draft_is_kept_where_the_text_is_refused_and_removed_where_it_is_taken(
    hebb, home, editor
) -> None:
    hebb("add", "first")
    editor("'x' * 70000")
    error = hebb.error("edit", 1)
    assert error["code"] == 2
    assert len(Path(error["hint"].rpartition("your text is in ")[2]).read_text()) == 70_000
    editor("'second'")
    assert hebb("edit", 1).code == 0
    assert len(drafts(home)) == 1


@pytest.mark.parametrize("text", ["a\r\nb", "a\r\n", "\ufeffmarked", "two\n"])
def test_editor_that_changes_nothing_changes_nothing(text, hebb, editor) -> None:
    hebb.bring({"content": text})
    editor("t")
    assert hebb("edit", 1).err == "0 edited, 1 as before\n"
    assert hebb.json("show", 1)["content"] == text


def test_interrupt_while_the_editor_is_open_is_the_editors(hebb, tmp_path) -> None:
    hebb("add", "first")
    editor = tmp_path / "ed"
    editor.write_text("#!/bin/sh\ntrap : INT\nkill -INT $PPID\nkill -INT $$\necho second > $1\n")
    editor.chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-m", "hebbctl", "edit", "1"],
        env={**os.environ, "EDITOR": str(editor)},
        capture_output=True,
    )
    assert (done.returncode, done.stderr) == (0, b"1 edited\n")
    assert hebb.json("show", 1)["content"] == "second"


@pytest.mark.parametrize("words", [["--dry-run", "-keep"], ["--tag=x"], ["--yes"]])
def test_mistyped_option_of_tag_is_refused(words, hebb) -> None:
    hebb("add", "one", "--tag", "keep")
    assert hebb.error("tag", 1, *words)["code"] == 2
    assert hebb.json("show", 1)["tags"] == ["keep"]


def test_text_that_is_only_another_id_is_not_taken_for_a_text(hebb) -> None:
    hebb("add", "one")
    hebb("add", "two")
    error = hebb.error("edit", 1, 2)
    assert error["code"] == 4
    assert "one at a time" in error["hint"]
    assert hebb("edit", 1, "-", stdin="2").code == 0
    assert hebb("edit", 1, 1999).code == 0


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_draft_of_a_killed_edit_goes_with_its_memory(hebb, home, tmp_path, number) -> None:
    hebb("add", "sentinel quokka")
    hebb("add", "another")
    script = tmp_path / "ed"
    script.write_text(f"#!/bin/sh\necho more >> $1\nkill -{number} $PPID\n")
    script.chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-m", "hebbctl", "edit", "1"],
        env={**os.environ, "EDITOR": str(script)},
        capture_output=True,
    )
    assert done.returncode in (-number, 128 + number)
    [draft] = drafts(home)
    assert b"quokka" in (draft / "memory.md").read_bytes()
    assert str(draft) in hebb("doctor").out
    hebb("forget", 2)
    assert draft.exists()
    assert hebb.json("edit", 1, "plain words")["backups_left"] == [str(draft)]
    hebb("forget", 1)
    assert drafts(home) == []


def test_editor_that_cannot_start_leaves_no_copy_of_the_text(hebb, home, monkeypatch) -> None:
    hebb("add", "secret")
    for program in ("/no/such/editor", "false", "true"):
        monkeypatch.setenv("EDITOR", program)
        hebb("edit", 1)
    assert drafts(home) == []


def test_one_tag_in_two_spellings_is_stored_once(hebb) -> None:
    assert hebb.json("add", "one", "--tag", "a", "--tag", "A")["tags"] == ["a"]


def test_list_looks_at_a_session_or_a_source(hebb) -> None:
    hebb("add", "one", "--session", "talk")
    hebb("add", "two", "--source", "a book")
    assert hebb.ids("list", "--session", "talk") == [1]
    assert hebb.ids("list", "--source", "a book") == [2]


@pytest.mark.parametrize("words", [["add", "x"], ["init"], ["backup"], ["config", "path"]])
def test_one_value_is_printed_bare_even_in_colour(words, hebb, monkeypatch, tmp_path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FORCE_COLOR", "1")
    hebb("add", "y")
    assert hebb(*words).out.count("\n") == 1
    assert "\x1b" not in hebb(*words).out
