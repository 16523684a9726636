"""Several processes at once: none fails, none waits in vain, nothing is lost."""

import json
import subprocess
import sys

import pytest

HEBB = [sys.executable, "-m", "hebbctl"]


def together(*lines: list[str]) -> list[tuple[int, bytes, bytes]]:
    """Start them all, then wait for each."""
    running = [
        subprocess.Popen([*HEBB, *line], stdin=subprocess.DEVNULL, stdout=-1, stderr=-1)
        for line in lines
    ]
    written = [process.communicate() for process in running]
    return [(process.returncode, *each) for process, each in zip(running, written, strict=True)]


def test_eight_writers_that_race_to_make_the_store_all_store_their_note(hebb) -> None:
    done = together(*(["add", f"note {number}"] for number in range(8)))
    assert [(code, err) for code, _, err in done] == [(0, b"")] * 8
    assert {out for _, out, _ in done} == {b"%d\n" % number for number in range(1, 9)}
    assert len(hebb.ids("list")) == 8


def test_same_note_from_several_processes_is_stored_once(hebb) -> None:
    done = together(*(["add", "the same"] for _ in range(4)))
    assert {(code, out) for code, out, _ in done} == {(0, b"1\n")}
    assert hebb.ids("list") == [1]


def test_sweeps_that_overlap_take_each_memory_once(hebb) -> None:
    old = {"created_at": "2020-01-01"}
    hebb.bring(*({"content": f"note {number}"} | old for number in range(1500)))
    done = together(["gc", "--json"], ["gc", "--json"], ["gc", "--json"])
    assert [(code, err) for code, _, err in done] == [(0, b"")] * 3
    reports = [json.loads(out) for _, out, _ in done]
    taken = [one["id"] for report in reports for one in report["memories"]]
    assert sorted(taken) == list(range(1, 1501))
    assert hebb.json("stats")["by_state"]["archived"] == 1500


@pytest.mark.parametrize("beside", [["recall", "note"], ["gc"], ["export"], ["list"]])
def test_writer_beside_others_never_fails(hebb, beside) -> None:
    hebb.bring(*({"content": f"note {number}"} for number in range(300)))
    done = together(beside, ["add", "one more"], beside, ["add", "and another"])
    assert [code for code, _, _ in done] == [0] * 4
    assert hebb.json("stats")["total"] == 302
