"""hebb consolidate: the inbox is emptied by rules, or by a program that can harm nothing."""

import fcntl
import json
import sys

import pytest

INBOX = "mem_hippocampus"


@pytest.fixture
def inbox(hebb) -> None:
    hebb.bring(
        {"content": "the deploy key", "partition": INBOX, "tags": ["Work"], "kind": "fact"},
        {"content": "lunch with Ann", "partition": INBOX, "kind": "event"},
        {"content": "neither", "partition": INBOX},
        {"content": "elsewhere", "partition": "mem_other"},
        {"content": "shelved", "partition": INBOX, "archived_at": "2026-01-01"},
    )


@pytest.fixture
def program(hebb, tmp_path):
    """Sets a program as the consolidate_command: its body sees the questions as ``asked``."""

    def write(body: str, seconds: float = 30) -> None:
        script = tmp_path / "with a space.py"
        script.write_text(
            "import json, os, sys, time\n"
            "def answer(**fields): print(json.dumps(fields), flush=True)\n"
            "def read(): return [json.loads(line) for line in sys.stdin]\n" + body
        )
        hebb("config", "set", "consolidate_command", f"{sys.executable} '{script}'")
        hebb("config", "set", "consolidate_timeout_seconds", seconds)

    return write


GOOD = (
    "for one in read():\n"
    "    answer(id=one['id'], partition='mem_' + str(one['id']), importance=one['id'],"
    " tags=['a b', one['content'][:3]])\n"
)


def places(hebb) -> list[str]:
    return [hebb.json("show", number)["partition"] for number in (1, 2, 3)]


@pytest.mark.usefixtures("inbox")
def test_rules_come_before_kinds_and_notes_take_the_rest(hebb) -> None:
    rules = {"tag:work": "mem_work", "kind:idea": "mem_ideas", "kind:fact": "mem_facts"}
    hebb("config", "set", "consolidation_rules", json.dumps(rules))
    before = hebb.json("show", 1)
    assert [row[:3] for row in hebb("consolidate", "--dry-run").rows] == [
        ["1", "mem_work", "by rule tag:work"],
        ["2", "mem_episodic", "by kind"],
        ["3", "mem_notes", "by default"],
    ]
    assert hebb.json("show", 1) == before
    done = hebb("consolidate")
    assert (done.code, done.err) == (0, "3 moved\n")
    assert places(hebb) == ["mem_work", "mem_episodic", "mem_notes"]
    assert hebb.json("show", 1) == before | {"partition": "mem_work"}
    assert hebb.json("show", 4)["partition"] == "mem_other"
    assert hebb.json("show", 5)["partition"] == INBOX
    assert hebb("consolidate").err == "0 moved\n"


@pytest.mark.usefixtures("inbox")
def test_what_waited_long_begins_to_fade_only_when_it_is_moved(hebb, at) -> None:
    now = at(900)
    hebb("consolidate")
    moved = hebb.json("show", 2)
    assert (moved["last_accessed_at"], moved["access_count"]) == (now, 0)
    assert 2 not in hebb.ids("gc", "--dry-run")


@pytest.mark.usefixtures("inbox")
def test_every_move_leaves_a_row(hebb) -> None:
    hebb("consolidate")
    found = hebb.json("audit", "--action", "consolidate")
    assert sorted((one["memory_id"], one["reason"]) for one in found) == [
        (1, "by kind"),
        (2, "by kind"),
        (3, "by default"),
    ]


def test_rules_written_by_hand_are_checked(hebb, home) -> None:
    (home / "hebb.json").write_text('{"consolidation_rules": {"tags:work": "mem_work"}}')
    error = hebb.error("consolidate")
    assert error["code"] == 6
    assert "'tags:work'" in error["message"]


def test_rule_that_leads_back_to_the_inbox_is_refused(hebb, home) -> None:
    rules = json.dumps({"tag:later": INBOX})
    error = hebb.error("config", "set", "consolidation_rules", rules)
    assert (error["code"], INBOX in error["message"]) == (2, True)
    (home / "hebb.json").write_text(f'{{"consolidation_rules": {rules}}}')
    assert hebb.error("consolidate")["code"] == 6


@pytest.mark.usefixtures("inbox")
def test_program_decides_place_importance_and_tags(hebb, program) -> None:
    program(GOOD)
    done = hebb("consolidate")
    assert (done.code, done.err) == (0, "3 moved\n")
    assert places(hebb) == ["mem_1", "mem_2", "mem_3"]
    found = hebb.json("show", 2)
    assert (found["importance"], sorted(found["tags"])) == (2, ["a b", "lun"])
    assert hebb.json("audit", 2)[0]["reason"] == "by program"


@pytest.mark.usefixtures("inbox")
def test_program_is_given_these_fields_and_no_shell(hebb, program, tmp_path) -> None:
    program(f"open({str(tmp_path / 'seen')!r}, 'w').write(sys.stdin.read())\n")
    hebb("config", "set", "consolidate_command", f"{sys.executable} '{tmp_path}/with a space.py' ;")
    hebb("consolidate")
    first = json.loads((tmp_path / "seen").read_text().splitlines()[0])
    assert first == {
        "id": 1,
        "content": "the deploy key",
        "kind": "fact",
        "tags": ["Work"],
        "importance": 5.0,
    }


@pytest.mark.usefixtures("inbox")
def test_dry_run_asks_the_program_and_writes_nothing(hebb, program, contents) -> None:
    program(GOOD)
    before = contents()["hebb.db"]
    found = hebb.json("consolidate", "--dry-run")
    assert [one["partition"] for one in found["moved"]] == ["mem_1", "mem_2", "mem_3"]
    assert contents()["hebb.db"] == before


LIES = {
    "an unknown id": ("answer(id=99, partition='mem_a', importance=1, tags=[])", "not 99"),
    "another memory": ("answer(id=4, partition='mem_a', importance=1, tags=[])", "not 4"),
    "a bad id": ("answer(id=True, partition='mem_a', importance=1, tags=[])", "not True"),
    "a bad partition": ("answer(id=1, partition='notes', importance=1, tags=[])", "'notes'"),
    "the inbox": (f"answer(id=1, partition='{INBOX}', importance=1, tags=[])", "inbox itself"),
    "importance 99": ("answer(id=1, partition='mem_a', importance=99, tags=[])", "not 99"),
    "no number": ("answer(id=1, partition='mem_a', importance=float('nan'), tags=[])", "not nan"),
    "bad tags": ("answer(id=1, partition='mem_a', importance=1, tags='x')", "a list"),
    "a blank tag": ("answer(id=1, partition='mem_a', importance=1, tags=[' '])", "not ' '"),
    "missing fields": ("answer(id=1, partition='mem_a')", "no importance, tags"),
    "no JSON": ("print('sure, here you go:')", "line 1 of the program: not JSON"),
    "no object": ("print('[1]')", "not a JSON object"),
    "a deep one": ("print('[' * 100000)", "not JSON"),
    "bytes": ("sys.stdout.buffer.write(b'\\xff\\xfe{')", "not JSON"),
    "twice": (
        "for place in ('mem_a', 'mem_b'): answer(id=1, partition=place, importance=1, tags=[])",
        "1: answered more than once",
    ),
}


@pytest.mark.usefixtures("inbox")
@pytest.mark.parametrize("lie", LIES)
def test_lying_program_harms_nothing_and_what_is_good_is_kept(hebb, program, lie) -> None:
    said, reason = LIES[lie]
    program(
        f"read()\n{said}\nsys.stdout.flush()\n"
        "print()\nanswer(id=2, partition='mem_b', importance=3, tags=['x'])\n"
    )
    before = [hebb.json("show", number) for number in (1, 3, 4)]
    done = hebb("consolidate")
    assert done.code == 1
    assert reason in done.err
    assert "1 moved, 2 left in the inbox" in done.err
    assert hebb.json("show", 2)["partition"] == "mem_b"
    assert [hebb.json("show", number) for number in (1, 3, 4)] == before


FAILURES = {
    "is silent": ("read()", "1: the program did not answer"),
    "fails": ("print('no key', file=sys.stderr); sys.exit(3)", "it ended with 3: no key"),
    "is killed": ("os.kill(os.getpid(), 9)", "it ended with -9"),
    "says too much": ("read()\nwhile True: print('x' * 100000)", "it said more than"),
    "says too much in no line": ("while True: sys.stdout.write('x' * 100000)", "said more than"),
}


@pytest.mark.usefixtures("inbox")
@pytest.mark.parametrize("failing", FAILURES)
def test_failing_program_leaves_the_inbox_as_it_was(hebb, program, failing) -> None:
    body, reason = FAILURES[failing]
    program(body)
    before = [hebb.json("show", number) for number in (1, 2, 3)]
    done = hebb("consolidate")
    assert (done.code, done.out) == (1, "")
    assert reason in done.err
    assert "hebb: 0 moved, 3 left in the inbox" in done.err
    assert [hebb.json("show", number) for number in (1, 2, 3)] == before


@pytest.mark.usefixtures("inbox")
@pytest.mark.parametrize(
    "body",
    [
        "time.sleep(60)",
        "sys.stdout.close(); os.close(1); os.close(2); time.sleep(60)",
        "os.fork() and sys.exit(0); time.sleep(60)",
    ],
    ids=["silent", "closing its output", "through its child"],
)
def test_slow_program_is_ended_and_what_it_said_is_kept(hebb, program, body) -> None:
    program(
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"answer(id=2, partition='mem_b', importance=3, tags=[])\n{body}\n",
        seconds=0.5,
    )
    done = hebb("consolidate")
    assert done.code == 1
    assert "it took longer than 0.5 s" in done.err
    assert places(hebb) == [INBOX, "mem_b", INBOX]


def test_program_that_closes_its_input_is_given_no_more(hebb, program) -> None:
    hebb.bring(*({"content": f"{n} " + "x" * 5000, "partition": INBOX} for n in range(100)))
    program("os.close(0)\nanswer(id=2, partition='mem_b', importance=3, tags=[])\n")
    done = hebb("consolidate")
    assert done.code == 1
    assert "1 moved, 99 left" in done.err


def test_much_goes_in_and_out_at_once(hebb, program) -> None:
    hebb.bring(*({"content": f"{n} " + "x" * 5000, "partition": INBOX} for n in range(100)))
    program(
        "for line in sys.stdin:\n"
        "    one = json.loads(line)\n"
        "    answer(id=one['id'], partition='mem_b', importance=3, tags=[], why='y' * 5000)\n"
    )
    assert hebb("consolidate").err == "100 moved\n"


@pytest.mark.usefixtures("inbox")
@pytest.mark.parametrize(
    ("command", "reason"),
    [("/no/such/program", "cannot be started"), ("an 'open quote", "cannot be read"), ("''", "")],
)
def test_program_that_cannot_run_is_said(hebb, command, reason) -> None:
    hebb("config", "set", "consolidate_command", command)
    done = hebb("consolidate")
    assert done.code == 1
    assert reason in done.err
    assert places(hebb) == [INBOX] * 3


@pytest.mark.usefixtures("inbox")
def test_babbling_program_is_quoted_in_part(hebb, program) -> None:
    program("read()\nfor _ in range(5000): answer(id=0)")
    done = hebb("consolidate")
    assert (done.code, done.err.count("line ")) == (1, 20)
    assert "\nand 4,980 more such lines of the program\n" in done.err
    assert len(hebb("consolidate", "--json").out) < 5000


@pytest.mark.usefixtures("inbox")
def test_failure_under_json_is_beside_the_whole_answer(hebb, program) -> None:
    program("answer(id=2, partition='mem_b', importance=3, tags=[])")
    done = hebb("consolidate", "--json")
    found = json.loads(done.out)
    assert [one["id"] for one in found["moved"]] == [2]
    assert [one["id"] for one in found["left"]] == [1, 3]
    assert json.loads(done.err)["error"]["code"] == done.code == 1


@pytest.mark.usefixtures("inbox")
def test_memory_used_while_the_program_thinks_stays(hebb, program, tmp_path, monkeypatch) -> None:
    program(
        "import subprocess\n"
        "os.environ['HEBB_NOW'] = '2026-01-02'\n"
        "subprocess.run([sys.executable, '-m', 'hebbctl', 'edit', '2', 'another text'])\n" + GOOD
    )
    done = hebb("consolidate")
    assert done.code == 1
    assert "2: changed meanwhile" in done.err
    assert places(hebb) == ["mem_1", INBOX, "mem_3"]


@pytest.mark.usefixtures("inbox")
def test_program_ended_leaves_no_process_behind(hebb, program, tmp_path) -> None:
    held = tmp_path / "held"
    held.touch()
    program(
        "import fcntl\n"
        f"held = open({str(held)!r}, 'w')\n"
        "fcntl.flock(held, fcntl.LOCK_EX)\n"
        "answer(id=2, partition='mem_b', importance=3, tags=[])\n"
        "os.fork() or (time.sleep(30), held.write('survived'), held.flush())\n",
        seconds=1,
    )
    hebb("consolidate")
    assert hebb.json("show", 2)["partition"] == "mem_b"
    with held.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # it is free when all that had it open are gone
        assert file.read() == ""
