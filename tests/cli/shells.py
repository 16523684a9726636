"""Real shells with hebb's completion: what they offer at a TAB, and what TAB and Enter run."""

import fcntl
import os
import pty
import select
import shutil
import struct
import subprocess
import termios
from pathlib import Path
from typing import Self

import pytest

COMPLETIONS = Path(__file__).parents[2] / "completions"
PATIENCE = 30  # seconds without a sign of life: only a broken shell takes them
PROMPT = "ready> "
CONTROL_G = b"\x07"
FILES = ["evil$(: >ran).jsonl", "my file.jsonl", "notes.jsonl"]

# hebb here says with which words it was called. Control-G says what probe, completed like hebb, got
# at the last TAB: also nothing where Bash itself sees no place for a completion.
BASH = f"""
PS1='{PROMPT}' HISTFILE=
source "$SCRIPTS/hebb.bash"
hebb() {{ printf '%s\\n' "$@" >&$ANSWERS; printf '\\0' >&$ANSWERS; }}
offered=()
_probe() {{ _hebb "$@" 2>>errors; offered=("${{COMPREPLY[@]}}") COMPREPLY=(); }}
_say() {{
    printf '%s\\n' "${{offered[@]}}" >&$ANSWERS
    printf '\\0' >&$ANSWERS
    offered=() READLINE_LINE=
}}
bind -x '"\\C-g": _say'
complete -F _probe probe
"""
# TAB alone completes, where zsh's own would first expand; control-G inserts every match.
ZSH = f"""
PS1='{PROMPT}' HISTFILE=
fpath=($SCRIPTS $fpath)
autoload -Uz compinit && compinit -u -D
hebb() {{ printf '%s\\n' "$@" >&$ANSWERS; printf '\\0' >&$ANSWERS }}
_insert_all() {{ compstate[insert]=all }}
_all() {{ comppostfuncs=(_insert_all); _main_complete 2>>errors }}
zle -C all complete-word _all
probe() {{ zle all; print -rn -- "$BUFFER" >&$ANSWERS; printf '\\0' >&$ANSWERS; BUFFER= }}
zle -N probe
bindkey '^G' probe
bindkey '^I' complete-word
"""


def program(name: str) -> str:
    """Return where a shell is; without it a test is skipped, but not in CI."""
    found = shutil.which(name)
    if found is None:
        refuse = pytest.fail if os.environ.get("CI") else pytest.skip
        refuse(f"{name} is not installed")
    return found


def environment(folder: Path, scripts: Path = COMPLETIONS) -> dict[str, str]:
    """Return one without a home, in which every program leaves a mark in the working folder."""
    return {
        "PATH": str(traps(folder)),
        "HOME": "/dev/null/home",  # not even root can write there
        "ZDOTDIR": str(folder),
        "TERM": "xterm",
        "LC_ALL": "C.UTF-8",
        "SCRIPTS": str(scripts),
    }


def traps(folder: Path) -> Path:
    found = folder / "traps"
    found.mkdir(exist_ok=True)
    for name in ("python", "python3", "hebb"):
        (found / name).write_text("#!/bin/sh\n: >ran\n")
        (found / name).chmod(0o700)
    return found


def workplace(folder: Path) -> Path:
    """Make the working folder, with some files to be completed."""
    found = folder / "work"
    (found / "sub").mkdir(parents=True, exist_ok=True)
    for name in FILES:
        (found / name).touch()
    return found


class Terminal:
    """A shell on a terminal of its own."""

    def __init__(self, words: list[str], folder: Path, scripts: Path = COMPLETIONS) -> None:
        self.work = workplace(folder)
        self.screen = ""
        self._answers, answers = os.pipe()
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
        self._process = subprocess.Popen(
            words,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=self.work,
            env=environment(folder, scripts) | {"ANSWERS": str(answers)},
            pass_fds=[answers],
            start_new_session=True,
        )
        os.close(slave)
        os.close(answers)
        self.wait_for(PROMPT)

    def wait_for(self, text: str) -> None:
        """Read the screen until it shows a text."""
        while text not in self.screen:
            self._read()

    def type(self, keys: bytes) -> None:
        os.write(self._master, keys)

    def answer(self) -> str:
        """Return what the shell writes next into its pipe, up to a NUL."""
        found = b""
        while not found.endswith(b"\0"):
            found += self._read()
        return found[:-1].decode()

    def _read(self) -> bytes:
        """Read what there is of the screen; return what there is of an answer."""
        ready, _, _ = select.select([self._master, self._answers], [], [], PATIENCE)
        assert ready, f"no answer; the screen shows {self.screen!r}"
        if self._master in ready:
            self.screen += os.read(self._master, 65536).decode(errors="replace")
        return os.read(self._answers, 65536) if self._answers in ready else b""

    def run(self, line: str) -> list[str]:
        """Type a line, TAB and Enter, and return the words that hebb is then called with."""
        self.type(f"{line}\t\n".encode())
        return self.answer().splitlines()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._master)
        os.close(self._answers)


class Bash(Terminal):
    def __init__(self, folder: Path, scripts: Path = COMPLETIONS) -> None:
        setup = folder / "bashrc"
        setup.write_text(BASH)
        words = [program("bash"), "--noprofile", "--rcfile", str(setup), "-i"]
        super().__init__(words, folder, scripts)

    def offers(self, line: str) -> set[str]:
        """Return what a TAB at the end of the line offers, but for files."""
        self.type(b"probe" + line.removeprefix("hebb").encode() + b"\t" + CONTROL_G)
        return set(self.answer().split())


class Zsh(Terminal):
    def __init__(self, folder: Path, scripts: Path = COMPLETIONS) -> None:
        (folder / ".zshrc").write_text(ZSH)
        super().__init__([program("zsh"), "--no-globalrcs", "-i"], folder, scripts)

    def offers(self, line: str) -> set[str]:
        """Return what control-G inserts for the last word of the line."""
        self.type(line.encode() + CONTROL_G)
        found = self.answer()
        begun = line.rpartition(" ")[2]
        if found == line:
            return set()
        matches = found.removeprefix(line.removesuffix(begun))
        return {word.rpartition("=")[2] for word in matches.split()}


class Fish:
    """Fish answers without a terminal, by ``complete -C``."""

    def __init__(self, folder: Path, scripts: Path = COMPLETIONS) -> None:
        self.work = workplace(folder)
        self._environment = environment(folder, scripts)
        self._program = program("fish")

    def described(self, line: str) -> dict[str, str]:
        """Return what is offered with its description, files, too."""
        script = 'source "$SCRIPTS/hebb.fish"; complete -C "$argv"'
        done = subprocess.run(
            [self._program, "--no-config", "-c", script, line],
            cwd=self.work,
            env=self._environment,
            capture_output=True,
            encoding="utf-8",
        )
        with (self.work / "errors").open("a") as errors:
            errors.write(done.stderr)
        rows = (row.partition("\t") for row in done.stdout.splitlines())
        return {word: help for word, _, help in rows}

    def offers(self, line: str) -> set[str]:
        return {word.rpartition("=")[2] for word in self.described(line)} - {*FILES, "sub/"}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        """There is nothing to close: each question is a process of its own."""


SHELLS = {"bash": Bash, "zsh": Zsh, "fish": Fish}
