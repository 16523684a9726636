"""Command lines, input and files that nobody expects: the short form of benchmarks/fuzz.py."""

import sys
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

# Last, as tests have modules of the same names.
sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
fuzz: Any = import_module("fuzz")
judges: Any = import_module("judges")
kind_of: Any = import_module("lines").kind_of

LIGHT = settings(max_examples=300, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Any:
    made = fuzz.World(tmp_path_factory.mktemp("fuzz") / "world")
    made.begin()
    return made


@pytest.fixture(scope="module")
def files(world: Any) -> Any:
    return world.files()


@LIGHT
@given(seed=st.integers(0, 2**32), damage=st.integers(0, 30))
def test_no_command_line_breaks_a_promise(world: Any, files: Any, seed: int, damage: int) -> None:
    # A seed, not st.randoms(): of the hundreds of draws for a line many would exceed its bounds.
    chance = Random(seed)
    drawing = fuzz.Lines(chance)
    world.put_back(files)
    world.prepare(drawing)
    if damage == 30:
        world.store.write_bytes(fuzz.damaged(files[world.store], chance))
    line = drawing.draw()
    before = world.files()
    done = fuzz.execute(line, world)
    after = world.files()
    assert not judges.judged(line, done, before=before, after=after), fuzz.written(line)
    changed = before.get(world.store) != after.get(world.store)
    assert damage == 30 or not changed or not fuzz.examined(world), fuzz.written(line)


def test_every_command_with_every_option_can_be_drawn() -> None:
    lines = fuzz.Lines(Random(0))
    for name, command in lines.leaves:
        valued = [one for one in command.params if not getattr(one, "is_flag", False)]
        assert {kind_of(one) for one in valued} <= {*lines.values.kinds}, name
    drawn = [lines.draw() for _ in range(1500)]
    assert {name for name, _ in lines.leaves} - {"demo"} <= {line.command for line in drawn}
    endless = [line for line in drawn if line.command == "schedule run"]
    assert all(("schedule", "run", "--once") in line.parts for line in endless)


def test_judges_see_a_failure_from_inside(world: Any, files: Any) -> None:
    world.put_back(files)
    line = fuzz.Line("list", (("list",),), True, variables=(("HEBB_TEST_CRASH", "1"),))
    found = judges.judged(line, fuzz.execute(line, world), before={}, after={})
    assert found.kind == judges.TRACEBACK


@pytest.mark.parametrize(
    ("words", "code", "out", "err", "kind"),
    [
        ("list", 9, b"", "", judges.CODE),
        ("list", 1, b"", "Traceback (most recent call last):\n", judges.TRACEBACK),
        ("list", 1, b"", "something went wrong\n", judges.SILENT),
        ("--json list", 1, b"", "hebb: no\n", judges.JSON),
        ("--json list", 1, b"", 'a note\n{"error": {"code": 1}}\n', judges.JSON),
        ("--json list", 1, b"", '{"error": {"code": 2}}\n', judges.JSON),
        ("--json list", 0, b"[NaN]\n", "", judges.JSON),
        ("--json list", 0, b"[]\n[]\n", "", judges.JSON),
        ("list", 0, b"", "", judges.WROTE),
    ],
)
def test_judges_see_each_broken_promise(words, code, out, err, kind) -> None:
    line = fuzz.Line("list", tuple((word,) for word in words.split()), True)
    found = judges.judged(line, judges.Done(code, out, err), before={}, after={Path("x"): b""})
    assert found.kind == kind


def test_examination_sees_a_damaged_store(world: Any, files: Any) -> None:
    world.put_back(files)
    content = bytearray(files[world.store])
    content[4096 * 2 : 4096 * 3] = bytes(4096)
    world.store.write_bytes(content)
    assert fuzz.examined(world).kind == judges.UNSOUND
