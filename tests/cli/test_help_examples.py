"""Help tells the truth: every example it shows runs, in a real shell."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hebbctl.cli.commands import ENTRIES

EXAMPLES = [(name, line) for name, entry in ENTRIES.items() for line in entry.examples]
MEMORIES = (
    {"content": "the deploy key lives in vault/ci", "kind": "fact", "tags": ["home"]},
    {"content": "部署 runs on Friday", "session": "talk-7"},
    {"content": "shelved", "archived_at": "2026-03-20"},
    {"content": "lunch", "kind": "event", "importance": 0},
)

ASKED = {
    "questions.jsonl": '{"question": "what file?", "gold": ["a"]}',
    "locomo10.json": """[{"conversation": {
        "session_1": [{"speaker": "Ida", "dia_id": "D1:1", "text": "The kettle is blue"}],
        "session_1_date_time": "1:56 pm on 8 May, 2023"},
        "qa": [{"question": "What is blue?", "evidence": ["D1:1"], "category": 4}]}]""",
}


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder of commands: this hebb, an editor that leaves all as it is, and no log of git's."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, line in (
        ("hebb", f'exec "{sys.executable}" -m hebbctl "$@"'),
        ("editor", "exit 0"),
        ("git", "echo a commit message"),
    ):
        (folder / name).write_text(f"#!/bin/sh\n{line}\n")
        (folder / name).chmod(0o755)
    return folder


@pytest.mark.parametrize(("name", "line"), EXAMPLES, ids=[line for _, line in EXAMPLES])
def test_example_of_the_help_runs(name, line, hebb, programs, tmp_path, at) -> None:
    hebb.bring(*MEMORIES)
    at(100)
    hebb("gc", "--quiet")
    at(101)
    hebb("restore", 1)
    if "restore notes.db" in line:
        hebb("backup", "create", tmp_path / "notes.db")
    if name == "import":
        (tmp_path / "notes.jsonl").write_text('{"content": "from a file"}\n')
    if name == "bench":
        (tmp_path / "notes.jsonl").write_text('{"uid": "a", "content": "from a file"}\n')
        for asked in ("questions.jsonl", "locomo10.json"):
            (tmp_path / asked).write_text(ASKED[asked])
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line}"],
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "EDITOR": "editor"},
        input=b"the deploy key lives in vault/ci",
        capture_output=True,
    )
    assert (done.returncode, b"error" in done.stderr) == (0, False), done.stderr.decode()


def test_every_command_has_an_example_that_begins_with_it() -> None:
    for name, entry in ENTRIES.items():
        assert entry.examples
        assert all(f"hebb {name}" in example for example in entry.examples)
