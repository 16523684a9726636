"""The README tells the truth: its console blocks run, its tables match the code."""

import fnmatch
import math
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from hebbctl import curves, policies
from hebbctl.cli.commands import ENTRIES
from hebbctl.errors import ExitCode
from hebbctl.models import Memory, Traits
from hebbctl.presets import PRESETS
from hebbctl.reports import (
    AuditEntry,
    CopiesErased,
    Explanation,
    ImportReport,
    Preview,
    Stats,
    SweepReport,
)
from hebbctl.setting import written
from hebbctl.settings import SETTINGS, defaults
from hebbctl.usecases.benchmark import RecallReport
from hebbctl.usecases.charts import Curves, Matrix, Needs
from hebbctl.usecases.comparing import Comparison
from hebbctl.usecases.consolidation import Consolidation
from hebbctl.usecases.forecasting import Forecast
from hebbctl.usecases.injection import Injection
from hebbctl.usecases.projects import PlacesReport, Project

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```console\n(.*?)^```", README, re.M | re.S)


def steps(block: str) -> list[tuple[str, list[str], int]]:
    """Split a block into (command, expected output lines, exit code)."""
    found = []
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, *lines = part.splitlines()
        code = 0
        if lines and (match := re.fullmatch(r"exit: (\d+)", lines[-1])):
            code, lines = int(match[1]), lines[:-1]
        found.append((command, lines, code))
    return found


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder with this hebb as a program."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "hebb").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m hebbctl "$@"\n')
    (folder / "hebb").chmod(0o755)
    return folder


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.splitlines()[0])
def test_console_block_prints_what_it_shows(block: str, tmp_path: Path, programs: Path) -> None:
    environment = {**os.environ, "HEBB_HOME": str(tmp_path), "HEBB_NOW": "2026-01-01T00:00:00Z"}
    environment["PATH"] = f"{programs}:{environment['PATH']}"
    for command, expected, code in steps(block):
        if command.startswith(("export ", "unset ")):
            name, _, value = command.split()[1].partition("=")
            environment |= {name: value} if name == "HEBB_NOW" and value else {}
            continue
        done = subprocess.run(
            ["bash", "-c", f"set -o pipefail; {command}"],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert done.returncode == code, done.stdout
        pattern = "\n".join(expected).replace("[", "[[]").replace("...", "*") + "\n"
        assert fnmatch.fnmatchcase(done.stdout, pattern), done.stdout


def test_exit_code_table_matches_the_enum() -> None:
    rows = re.findall(r"^\| (\d+) \| (\w+) \|", README, re.M)
    assert rows == [(str(int(code)), code.name) for code in ExitCode]


def test_command_table_matches_the_command_tree() -> None:
    commands = README.partition("## Commands")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", commands, re.M)
    assert rows == [(name, entry.summary) for name, entry in ENTRIES.items()]


def test_settings_table_matches_the_settings() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\S+) \| (an? .+|one .+) \| (.+) \|$", README, re.M)
    assert rows == [
        (row.name, str(written(row.default)), row.allowed(), row.help) for row in SETTINGS.values()
    ]


@pytest.mark.parametrize("partition", ["mem_notes", *policies.BUILT_IN])
def test_partition_table_shows_both_numbers_of_every_half_life(partition: str) -> None:
    policy = policies.effective(partition, defaults())
    lifetimes = [
        policies.lifetime(policy, Traits(importance, 0)) or math.inf for importance in (0, 5)
    ]
    row = [
        f"{policy.half_life_days} d",
        f"{curves.true_half_life_days(policy, Traits(0, 0)):.1f} d",
        f"{policy.k_importance:g}",
        f"{policy.k_access:g}",
        f"{policy.threshold:g}",
        *(f"{lifetime / policies.DAY:.1f} d" for lifetime in lifetimes),
    ]
    [written] = re.findall(rf"^\| `{partition}`[^|]*\| (.+) \|$", README, re.M)
    assert written.split(" | ") == row


def test_preset_table_matches_the_presets() -> None:
    section = README.partition("## Coming from")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| `([\w-]+)` \|.*\| ([^|]+) \| [^|]+ \|$", section, re.M))
    assert list(rows) == list(PRESETS)
    for name, ends in rows.items():
        chosen = defaults().values | PRESETS[name].settings
        assert f"{chosen['forget_threshold']:g}" in ends
        assert ("stale" in ends) == bool(chosen["stale_threshold"])
        assert f"stale below {chosen['stale_threshold']:g}" in ends or "stale" not in ends


def test_each_departure_from_the_sources_is_told() -> None:
    """As many as were declared: three, one, three, two and four."""
    section = README.partition("Where hebb departs")[2].partition("\n## ")[0]
    systems = re.findall(r"^\| ([A-Za-z][\w-]+) \|(?: [^|]+ \|){3}$", section, re.M)
    declared = {"hebb-mind": 3, "JARVIS": 1, "CortexGraph": 3, "MemoryBank": 2, "amnesia": 4}
    assert Counter(systems) == {"system": 1} | declared


@pytest.mark.parametrize(
    ("command", "model"),
    [
        ("bench recall", RecallReport),
        ("gc", SweepReport),
        ("consolidate", Consolidation),
        ("stats", Stats),
        ("forget --copies", CopiesErased),
        ("forecast", Forecast),
        ("compare", Comparison),
        ("curve --keep-days", Needs),
        ("curve", Curves),
        ("import", ImportReport),
        ("init", Project),
        ("inject", Injection),
        ("matrix", Matrix),
        ("path", PlacesReport),
        ("policy preview", Preview),
    ],
)
def test_json_table_names_every_key(command: str, model: Any) -> None:
    [keys] = re.findall(rf"^\| `{command}` \| `schema ([^`]+)` \|", README, re.M)
    assert keys.split() == list(model._fields)


def test_glossary_explains_every_field_of_a_memory_and_of_stats() -> None:
    glossary = (ROOT / "docs" / "fields.md").read_text("utf-8")
    fields = re.findall(r"^\| `(\w+)` \| .{3,} \|$", glossary, re.M)
    assert fields == [*Memory._fields, *Stats._fields]


def test_readme_names_every_field_of_the_audit() -> None:
    [fields] = re.findall(r"^\| `audit` \| an array of `([^`]+)`", README, re.M)
    assert fields.split() == list(AuditEntry._fields)


def test_readme_names_every_field_of_a_memory_and_no_other_of_an_explanation() -> None:
    [memory] = re.findall(r"A memory has `([^`]+)`", README)
    assert memory.split() == list(Memory._fields)
    [explanation] = re.findall(r"^\| `explain` \| `schema ([^`]+)` …", README, re.M)
    assert set(explanation.split()) < set(Explanation._fields)


def test_ci_runs_exactly_the_test_command_of_the_readme() -> None:
    commands = re.findall(r"^```sh\n(.*?)\n```", README, re.M | re.S)
    assert commands[1] in (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
