"""Ask the Chinese questions of MemoryBank and print which of them find a turn that answers."""

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

import command

LOOKED_AT = 5  # results in which an answer counts as found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "folder", type=Path, help="it holds zh.jsonl, en.jsonl and questions_zh.jsonl"
    )
    folder = parser.parse_args().folder
    questions = read_lines(folder / "questions_zh.jsonl")
    with tempfile.TemporaryDirectory() as home:
        for attempt in ("first", "again"):
            for name in ("zh.jsonl", "en.jsonl"):
                import_file(home, folder / name, attempt)
        found = sum(ask(home, question) for question in questions)
    print(f"{found} of {len(questions)} with a gold turn in the first {LOOKED_AT}")


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def import_file(home: str, path: Path, attempt: str) -> None:
    counts = json.loads(command.output(home, "import", "--json", str(path)))
    print(f"{path.name}, {attempt}: {counts['stored']} stored, {counts['existing']} existing")


def ask(home: str, question: dict[str, Any]) -> bool:
    """Ask one question without leaving a trace, print its line, and say whether it was found."""
    options = ["--json", "--peek", "--scope", question["scope"], "-n", str(LOOKED_AT)]
    results = json.loads(command.output(home, "recall", *options, "--", question["query"]))
    uids = [result["uid"] for result in results]
    ranks = [uids.index(gold) + 1 for gold in question["gold"] if gold in uids]
    rank = f"hit {min(ranks)}" if ranks else "miss "
    print(f"{rank}  {question['query']}  {' '.join(question['gold'])}")
    return bool(ranks)


if __name__ == "__main__":
    main()
