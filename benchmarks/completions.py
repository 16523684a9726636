"""Print how long one TAB takes in Bash, zsh and fish, in milliseconds."""

import argparse
import os
import pty
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

SCRIPTS = Path(__file__).parents[1] / "completions"
LINE = "hebb --db x config set "
WORDS = LINE.split()
# What one process runs as often as it is told, after what it runs once.
BASH = f"""
source "$SCRIPTS/hebb.bash"
COMP_LINE='{LINE}' COMP_WORDS=({" ".join(WORDS)} '') COMP_CWORD={len(WORDS)}
for ((run = 0; run < RUNS; run++)); do _hebb hebb ''; done
"""
FISH = f"""
source "$SCRIPTS/hebb.fish"
set -l run 0
while test $run -lt $RUNS
    complete -C '{LINE}' >/dev/null
    set run (math $run + 1)
end
"""
# A completion needs the line editor, so zsh gets a terminal; a start hook stands for the key.
ZSH = f"""
fpath=($SCRIPTS $fpath)
autoload -Uz compinit && compinit -u -D
_quiet() {{ compstate[insert]= compstate[list]= }}
_all() {{ comppostfuncs=(_quiet); _main_complete }}
zle -C all complete-word _all
zle-line-init() {{
    for ((run = 0; run < RUNS; run++)); do BUFFER='{LINE}' CURSOR={len(LINE)}; zle all; done
    exit
}}
zle -N zle-line-init
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=300, help="completions in a process [300]")
    runs = parser.parse_args().runs
    print(f"{'shell':<8}{'ms a TAB':>10}   of {LINE!r}")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / ".zshrc").write_text(ZSH, "utf-8")
        for words in (
            ["bash", "--norc", "-c", BASH],
            ["zsh", "--no-globalrcs", "-i"],
            ["fish", "--no-config", "-c", FISH],
        ):
            if shutil.which(words[0]):
                print(f"{words[0]:<8}{one_tab(words, folder, runs):>10.2f}")


def one_tab(words: list[str], folder: str, runs: int) -> float:
    """Return what a run costs: many runs in a process less one run, the best of three each."""
    many, one = (min(milliseconds(words, folder, n) for _ in range(3)) for n in (runs + 1, 1))
    return (many - one) / runs


def milliseconds(words: list[str], folder: str, runs: int) -> float:
    variables = {"SCRIPTS": str(SCRIPTS), "ZDOTDIR": folder, "TERM": "xterm", "RUNS": str(runs)}
    master, slave = pty.openpty()
    began = time.perf_counter()
    subprocess.run(words, stdin=slave, stdout=slave, stderr=slave, env=os.environ | variables)
    took = (time.perf_counter() - began) * 1000
    os.close(slave)
    os.close(master)
    return took


if __name__ == "__main__":
    main()
