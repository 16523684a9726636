"""Print how long short commands take as real processes, in units of a bare Python."""

import argparse
import subprocess
import sys
import tempfile
import time
from statistics import median

import command

TARGET = "recall --json"
TARGET_RATIO = 7.5  # times a bare Python

BARE = "python -c pass"
COMMANDS = {
    "--version": ["--version"],
    "--help": ["--help"],
    "add": ["add"],  # each round adds another text
    "recall --json": ["recall", "--json", "tabs"],
    "stats --json": ["stats", "--json"],
    "list": ["list"],
    "gc": ["gc"],
}
NOTES = """
{"content": "Indent with tabs in this repository"}
{"content": "The release branch is cut on Thursdays", "kind": "fact"}
{"content": "I prefer short answers", "kind": "preference"}
{"content": "发布前先跑一遍测试", "kind": "howto"}
{"content": "Tabs, not spaces, also in the Makefile", "importance": 7}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=30, help="runs of each command [30]")
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as home:
        command.output(home, "import", "-", stdin=NOTES)
        one_round(home, "warm-up")  # writes the bytecode
        times = [one_round(home, f"round {number}") for number in range(rounds)]
    show({name: [one[name] for one in times] for name in times[0]})


def one_round(home: str, label: str) -> dict[str, float]:
    """Run every command once, so that a slow moment of the machine meets all of them."""
    times = {BARE: milliseconds([sys.executable, "-c", "pass"], home)}
    for name, words in COMMANDS.items():
        text = [f"the note of {label}"] if name == "add" else []
        times[name] = milliseconds([*command.hebb(), *words, *text], home)
    return times


def milliseconds(words: list[str], home: str) -> float:
    environment = command.environment(home)
    began = time.perf_counter()
    subprocess.run(words, env=environment, stdout=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - began) * 1000


def show(times: dict[str, list[float]]) -> None:
    least, middle = min(times[BARE]), median(times[BARE])
    print(f"{'command':<16}{'least ms':>10}{'ratio':>8}{'median ms':>11}{'ratio':>8}")
    for name, found in times.items():
        low, mid = min(found), median(found)
        print(f"{name:<16}{low:>10.1f}{low / least:>8.2f}{mid:>11.1f}{mid / middle:>8.2f}")
    print(f"target: {TARGET} at most {TARGET_RATIO} times {BARE}")


if __name__ == "__main__":
    main()
