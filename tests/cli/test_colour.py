"""Colour: only on a terminal or where it is forced, and never in JSON."""

import pytest

ESCAPE = "\x1b"
MATRIX = [  # variables, options, whether a pipe gets colour
    ({}, [], False),
    ({"NO_COLOR": "1"}, [], False),
    ({"NO_COLOR": ""}, [], False),
    ({"FORCE_COLOR": "1"}, [], True),
    ({"FORCE_COLOR": "0"}, [], False),
    ({"FORCE_COLOR": ""}, [], False),
    ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, [], False),
    ({"FORCE_COLOR": "1", "NO_COLOR": ""}, [], True),
    ({"CLICOLOR_FORCE": "1"}, [], True),
    ({"CLICOLOR_FORCE": "0"}, [], False),
    ({"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, [], False),
    ({"TERM": "dumb"}, [], False),
    ({"TERM": "dumb", "FORCE_COLOR": "1"}, [], False),
    ({"PY_COLORS": "1"}, [], False),
    ({}, ["--color"], True),
    ({"NO_COLOR": "1"}, ["--color"], True),
    ({"TERM": "dumb"}, ["--color"], True),
    ({"FORCE_COLOR": "1"}, ["--no-color"], False),
    ({"CLICOLOR_FORCE": "1"}, ["--no-color"], False),
]


@pytest.mark.parametrize(("variables", "options", "coloured"), MATRIX)
def test_pipe_gets_colour_only_where_it_is_forced(
    hebb, monkeypatch, variables, options, coloured
) -> None:
    hebb("add", "x")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    for words in (["stats"], ["list"], ["recall", "x", "--peek"]):
        assert (ESCAPE in hebb(*words, *options).out) is coloured
        assert ESCAPE not in hebb(*words, *options, "--json").out
        assert ESCAPE not in hebb(*words, *options, "--json").err
    for words in (["export"], ["--version"], ["show", "9"], ["--help"]):
        done = hebb(*words, *options)
        assert ESCAPE not in done.out + done.err


@pytest.mark.parametrize("variables", [{"FORCE_COLOR": "1"}, {"NO_COLOR": "1"}, {}])
def test_help_has_no_colour_of_its_own(process, variables) -> None:
    assert ESCAPE not in process("add", "--help", **variables).out
    assert ESCAPE not in process("nonsense", **variables).err
