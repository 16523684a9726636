"""Lines for cron and units for systemd: read back by their rules, they are what was meant."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hebbctl.errors import WrongUsage
from hebbctl.models import Settings, SettingValue
from hebbctl.settings import defaults
from hebbctl.usecases import timers

# What a path may hold, the signs that somebody takes for his own more often than others.
words = st.lists(
    st.text(
        st.sampled_from("ab é部 %%\\\\'\"$`;#&|<>(){}[]*?!~=-/.:") | st.characters(), max_size=12
    ).filter(lambda word: not re.search(timers.UNWRITABLE, word)),
    min_size=1,
    max_size=4,
)


def under(**values: object) -> Settings:
    found = defaults()
    return found._replace(values=found.values | values)


def crontab(**values: object) -> list[str]:
    made = timers.crontab(under(**values), lambda command: ["/bin/hebb", command], [])
    return [line.replace(" HEBB_ACTOR=cron /bin/hebb", "") for line in made.lines]


def halving(command: str) -> str:
    """What vixie-cron and cronie hand to the shell: up to a bare %, without escapes of both."""
    return re.sub(r"\\([%\\])", r"\1", re.match(r"(?:\\.|[^%\\])*", command)[0])


def unescaping(command: str) -> str:
    """What other crons hand on: they know of the escaped % alone."""
    return re.split(r"(?<!\\)%", command)[0].replace(r"\%", "%")


@pytest.mark.parametrize("cron", [halving, unescaping, str])
@given(words=words)
def test_crontab_line_means_the_same_words_to_every_cron(
    cron: Callable[[str], str], words: list[str]
) -> None:
    assert shlex.split(cron(timers._cron_line(words))) == words


@settings(max_examples=20)
@given(words=words)
def test_crontab_line_means_the_same_words_to_a_real_shell(words: list[str]) -> None:
    line = halving(timers._cron_line(words))
    shown = subprocess.run(["sh", "-c", f"printf '%s\\0' {line}"], stdout=-1).stdout
    assert shown.decode().split("\0")[:-1] == words


def unit_words(line: str) -> list[str]:
    """Split a line by the rules of systemd.syntax(7), specifiers and variables replaced."""
    found = []
    for quoted, bare in re.findall(r'"((?:\\.|[^"\\])*)"|(\S+)', line):
        plain = re.sub(r"\\(.)", r"\1", quoted) if quoted else bare
        assert not re.search(r"(?<!%)%(%%)*(?!%)|(?<!\$)\$(\$\$)*(?!\$)", plain)
        found.append(plain.replace("%%", "%").replace("$$", "$"))
    return found


@given(words=words)
def test_unit_line_means_the_same_words_to_systemd(words: list[str]) -> None:
    assert unit_words(timers._unit_line(words)) == words


@pytest.mark.parametrize("character", ["\n", "\x1b", "\0", "\u2028", "\udc80"])
def test_path_that_no_line_can_hold_is_refused_by_name(character: str) -> None:
    path = f"/home/a{character}b"
    for write in (timers.crontab, timers.units):
        with pytest.raises(WrongUsage, match="cannot stand in a schedule") as refused:
            write(defaults(), lambda command: [path], [])
        assert repr(path) in str(refused.value)


@pytest.mark.parametrize(
    ("seconds", "when"),
    [
        (1800, "*/30 * * * *"),
        (60, "* * * * *"),
        (7200, "0 */2 * * *"),
        (86_400, "0 3 * * *"),
        (604_800, "0 3 * * 1"),
    ],
)
def test_interval_that_cron_can_say_is_said_exactly(seconds: float, when: str) -> None:
    made = timers.crontab(under(forget_interval_seconds=seconds), lambda command: [command], [])
    assert made.lines == (f"{when} HEBB_ACTOR=cron gc",)
    assert len(made.notes) == 1


@pytest.mark.parametrize(
    ("seconds", "when", "said"),
    [
        (2700, "*/30 * * * *", 1800),
        (0.5, "* * * * *", 60),
        (90, "* * * * *", 60),
        (200_000, "0 3 * * *", 86_400),
        (1e300, "0 3 * * 1", 604_800),
    ],
)
def test_other_interval_becomes_the_next_shorter_one_and_that_is_told(
    seconds: float, when: str, said: int
) -> None:
    made = timers.crontab(under(forget_interval_seconds=seconds), lambda command: [command], [])
    assert made.lines == (f"{when} HEBB_ACTOR=cron gc",)
    assert made.notes[1].endswith(f"which cron cannot say: this is every {said} seconds")


@given(seconds=st.floats(60, 604_800))
def test_cron_sweeps_at_least_as_often_as_asked(seconds: float) -> None:
    [line] = crontab(forget_interval_seconds=seconds)
    said = {when: every for every, when in timers.EVERY.items()}[line.removesuffix(" gc")]
    assert said <= seconds < 7 * said


@pytest.mark.parametrize("curve", ["jarvis", "jarvis-exp"])
def test_jarvis_has_its_daily_check_under_cron_and_systemd(curve: str) -> None:
    assert "0 3 * * * gc" in crontab(curve=curve)
    assert "0 3 * * * gc" not in crontab()
    made = timers.units(under(curve=curve), lambda command: [command], [])
    assert "\nOnCalendar=*-*-* 03:00:00\n" in made.files[1].text


def test_jarvis_has_its_weekly_strengthening_on_monday_at_four() -> None:
    assert "0 4 * * 1 reinforce" in crontab(curve="jarvis")
    assert not [line for line in crontab() if "reinforce" in line]
    made = timers.units(under(curve="jarvis"), lambda command: [command], [])
    assert [one for one in made.files if "\nOnCalendar=Mon *-*-* 04:00:00\n" in one.text]


def test_same_line_is_printed_once() -> None:
    lines = crontab(curve="jarvis", forget_interval_seconds=86_400)
    assert lines.count("0 3 * * * gc") == 1


def test_setting_of_this_shell_is_not_lost_in_silence() -> None:
    value = SettingValue("half_life_days", 30, "environment", 60, "")
    for write in (timers.crontab, timers.units):
        notes = write(defaults(), lambda command: [command], [value]).notes
        assert "HEBB_HALF_LIFE_DAYS counts in this shell only" in notes[-1]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd")
@pytest.mark.parametrize("seconds", [0.001, 1.25, 1800, 1e300])
def test_systemd_accepts_the_units(tmp_path: Path, seconds: float) -> None:
    program = tmp_path / "100% $HOME \"a\" 'b' \\c" / "hebb"
    program.parent.mkdir()
    program.touch(0o755)
    made = timers.units(
        under(forget_interval_seconds=seconds, curve="jarvis"),
        lambda what: [str(program), what],
        [],
    )
    files = [tmp_path / Path(file.path).name for file in made.files]
    for path, file in zip(files, made.files, strict=True):
        path.write_text(file.text)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *map(str, files)], stderr=-1, text=True
    )
    assert (done.returncode, [line for line in done.stderr.splitlines() if "hebb" in line]) == (
        0,
        [],
    )
