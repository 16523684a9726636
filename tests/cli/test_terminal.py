"""On a terminal: a table that fits its width, questions on stderr, no control characters."""

import errno
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import unicodedata
from typing import NamedTuple

import pytest

HEBB = [sys.executable, "-m", "hebbctl"]
STYLE = re.compile(r"\x1b\[[0-9;]*m")


class Seen(NamedTuple):
    code: int
    screen: str


@pytest.fixture
def terminal():
    """Runs hebb with a real terminal as stdout and stderr, and as stdin if something is typed."""

    def run(*words: str, columns: int = 80, typed: bytes | None = None) -> Seen:
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = subprocess.Popen(
            [*HEBB, *words],
            stdin=subprocess.DEVNULL if typed is None else slave,
            stdout=slave,
            stderr=slave,
            env=dict(os.environ),  # pytest's readline puts COLUMNS into what None would pass on
        )
        os.close(slave)
        if typed is not None:
            os.write(master, typed)
        screen = b""
        while part := _read(master):
            screen += part
        os.close(master)
        return Seen(process.wait(), screen.decode().replace("\r\n", "\n"))

    return run


def _read(master: int) -> bytes:
    try:
        return os.read(master, 65536)
    except OSError as error:  # Linux says so when the last writer is gone
        if error.errno != errno.EIO:
            raise
        return b""


def cells(line: str) -> int:
    """Count the columns a line takes: two for wide characters, none for combining ones."""
    return sum(
        0 if unicodedata.combining(one) else 2 if unicodedata.east_asian_width(one) in "WF" else 1
        for one in STYLE.sub("", line)
    )


@pytest.fixture
def varied(hebb) -> None:
    hebb.bring(
        {"content": "short"},
        {"content": "english words " * 20, "partition": "mem_a_rather_long_name_of_a_partition"},
        {"content": "用户的身份验证已经修复" * 12, "importance": 9.25},
        {
            "content": "🧠🚀 emoji " * 15,
            "tags": ["tag"] * 1 + [f"t{number}" for number in range(30)],
        },
        {"content": "cafe\u0301 " * 30, "access_count": 10**15},
        {"content": "x" * 300, "pinned": True, "source": "s" * 200},
        {"content": "[bold]not markup[/bold] \x1b[2J\x1b]0;title\x07 :smile:"},
    )


@pytest.mark.usefixtures("varied")
@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize(
    "line",
    [
        "list",
        "recall words --peek",
        "recall 身份 --peek --explain",
        "show 2",
        "show 3",
        "show 4",
        "explain 3",
        "stats",
        "path",
        "forecast --days 3650",
        "doctor --quiet",
        "gc --dry-run --threshold 1 --now 2027-01-01",
        "config list",
        "policy list",
        "policy show mem_notes",
        "curve",
        "curve 6 --half-life-days 0.5",
        "curve --keep-days 90",
        "matrix",
        "matrix --partition mem_a_rather_long_name_of_a_partition",
    ],
)
def test_table_is_no_wider_than_the_terminal(terminal, columns, line) -> None:
    seen = terminal(*line.split(), columns=columns)
    assert seen.code == 0
    lines = seen.screen.split("\n")
    assert any(map(STYLE.search, lines[:2]))  # a header
    assert max(map(cells, lines)) <= columns, [one for one in lines if cells(one) > columns]


@pytest.mark.usefixtures("varied")
def test_terminal_never_gets_control_characters_or_markup_of_a_memory(terminal) -> None:
    for words in (["list"], ["show", "7"], ["recall", "markup", "--peek"], ["explain", "7"]):
        screen = terminal(*words, columns=200).screen
        assert "[bold]not markup[/bold] \\x1b[2J\\x1b]0;title\\x07 :smile:" in screen
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", STYLE.sub("", screen))


@pytest.mark.usefixtures("varied")
def test_one_memory_is_one_row_whose_text_is_cut_with_an_ellipsis(terminal) -> None:
    lines = terminal("list", columns=40).screen.rstrip("\n").split("\n")
    assert len(lines) == 1 + 7
    assert sum("…" in line for line in lines) >= 4
    assert all(line.strip() for line in lines)


@pytest.mark.usefixtures("varied")
def test_one_memory_shown_is_shown_whole(terminal) -> None:
    screen = STYLE.sub("", terminal("show", "3", columns=40).screen)
    assert "".join(re.findall("[\u4e00-\u9fff]", screen)) == "用户的身份验证已经修复" * 12


@pytest.mark.parametrize(
    ("variables", "options"),
    [({"NO_COLOR": "1"}, []), ({"TERM": "dumb"}, []), ({}, ["--no-color"])],
)
def test_terminal_without_colour_still_gets_a_table(
    hebb, terminal, monkeypatch, variables, options
) -> None:
    hebb("add", "x")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    screen = terminal("list", *options).screen
    assert not re.search(r"\x1b\[[0-9;]*[349][0-9]", screen)  # bold may stay
    assert "content" in screen.split("\n")[0]


def test_json_on_a_terminal_has_no_escapes(hebb, terminal) -> None:
    hebb("add", "x")
    for options in ([], ["--color"]):
        assert "\x1b" not in terminal("list", "--json", *options).screen


def test_empty_result_on_a_terminal_is_no_failure(terminal) -> None:
    for words in (["list"], ["recall", "x"], ["gc", "--dry-run"], ["stats"]):
        assert terminal(*words).code == 0


@pytest.mark.parametrize(
    ("typed", "code", "left"), [(b"y\n", 0, []), (b"n\n", 4, [2, 1]), (b"\n", 4, [2, 1])]
)
def test_erasing_several_asks_on_a_terminal(hebb, terminal, typed, code, left) -> None:
    hebb.bring({"content": "a"}, {"content": "b"})
    seen = terminal("forget", "1", "2", typed=typed)
    assert "  1  a\n  2  b\nErase 2 memories for good?" in seen.screen
    assert ("nothing was changed" in seen.screen) == (code == 4)
    assert (seen.code, hebb.ids("list")) == (code, left)


def test_end_of_input_at_a_question_erases_nothing(hebb, terminal) -> None:
    hebb.bring({"content": "a"}, {"content": "b"})
    seen = terminal("forget", "1", "2", typed=b"\x04")
    assert (seen.code, "Traceback" in seen.screen) == (4, False)
    assert "\nhebb: not confirmed" in seen.screen
    assert hebb.ids("list") == [2, 1]


def test_question_shows_the_beginning_of_each_text_and_obeys_none(hebb, terminal) -> None:
    hebb.bring({"content": "\x1b[2Jgone\n" + "x" * 90}, {"content": "b"})
    screen = terminal("forget", "--all", typed=b"n\n").screen
    assert f"  1  \\x1b[2Jgone\\n{'x' * 46}…\n  2  b\nErase 2" in screen
    assert "\x1b[2J" not in screen


def test_question_goes_to_stderr(hebb) -> None:
    hebb.bring({"content": "a"}, {"content": "b"})
    master, slave = pty.openpty()
    os.write(master, b"n\n")
    done = subprocess.run([*HEBB, "forget", "1", "2"], stdin=slave, capture_output=True, timeout=30)
    os.close(slave)
    os.close(master)
    assert (done.returncode, done.stdout) == (4, b"")
    assert b"Erase 2 memories for good?" in done.stderr


def test_one_memory_is_erased_unasked(hebb, terminal) -> None:
    hebb("add", "a")
    assert terminal("forget", "1").code == 0
    assert hebb.ids("list") == []


def test_progress_on_the_terminal_leaves_results_alone(hebb, home) -> None:
    hebb.bring(*({"content": f"note {number}"} for number in range(2500)))
    master, slave = pty.openpty()
    with open(home / "out.jsonl", "wb") as out:
        done = subprocess.run([*HEBB, "export"], stdout=out, stderr=slave, timeout=60)
    os.close(slave)
    assert done.returncode == 0
    assert (home / "out.jsonl").read_bytes().count(b"\n") == 2500
    assert b"2,000" in os.read(master, 1 << 20)
    os.close(master)


def test_narrow_terminal_keeps_the_state_that_says_more_than_live(hebb, terminal) -> None:
    hebb.bring({"content": "note one", "archived_at": "2025-12-31"}, {"content": "note two"})
    screen = terminal("recall", "note", "--peek", "--no-color", columns=40).screen
    assert "archived" in screen
    assert "state" not in terminal("recall", "two", "--no-fallback", columns=40).screen


def test_settings_are_listed_with_room_for_what_they_mean(terminal) -> None:
    lines = terminal("config", "list", "--no-color").screen.split("\n")
    assert lines[0].split() == ["name", "value", "origin", "help"]
    assert "days after which 37 % of a" in lines[1]
