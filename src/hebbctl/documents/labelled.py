"""Sets that measure a recall: memories, and questions with the memories that answer them."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from hebbctl import fields
from hebbctl.documents import jsonl, locomo
from hebbctl.errors import BadFile, WrongUsage
from hebbctl.models import Draft, Question

BOM = b"\xef\xbb\xbf"
LINES = "lines"  # the sample of all memories and questions that stand in lines of their own


class Entry(NamedTuple):
    """One memory or question, the sample it is of, and where it stands in the files."""

    sample: str
    place: str
    value: Draft | Question


def read(lines: Iterable[bytes], *, file: str, number: int) -> Iterator[Entry]:
    """Return what a file holds, as it comes; ``number`` tells the samples of files apart.

    Each line is a memory as export writes it, a question, or a sample of LoCoMo. A file that is one
    JSON value is LoCoMo's own, a list of samples.

    Raises:
        BadFile: it is nothing of these; the message names the place.
    """
    numbered = enumerate(lines, start=1)
    for line_number, raw in numbered:
        beginning = raw.removeprefix(BOM).strip()
        if beginning == b"{" or beginning.startswith(b"["):
            rest = (line for _, line in numbered)
            whole = _json(b"".join([raw, *rest]), file)
            yield from _samples(whole, file, number)
        elif beginning:
            yield from _line(raw, f"{number}.{line_number}", f"{file}, line {line_number}")


def _samples(whole: Any, file: str, number: int) -> Iterator[Entry]:
    samples = whole if isinstance(whole, list) else [whole]
    for index, sample in enumerate(samples, start=1):
        yield from _sample(sample, f"{number}.{index}", f"{file}, sample {index}")


def _line(raw: bytes, sample: str, place: str) -> Iterator[Entry]:
    found = _json(raw, place)
    try:
        if not isinstance(found, dict):
            raise WrongUsage("not a JSON object")
        if "content" in found:
            line = jsonl.read(raw)
            assert line is not None  # of a blank one
            yield Entry(LINES, place, line.draft)
        elif "conversation" in found:
            yield from _sample(found, sample, place)
        else:
            yield Entry(LINES, place, _question(found))
    except WrongUsage as error:
        raise BadFile(f"{place}: {error}", hint=error.hint) from error


def _sample(found: Any, sample: str, place: str) -> Iterator[Entry]:
    try:
        values = locomo.read(found, sample)
    except WrongUsage as error:
        raise BadFile(f"{place}: {error}", hint=error.hint) from error
    return (Entry(sample, place, value) for value in values)


def _question(found: dict[str, Any]) -> Question:
    asked = found.get("question", found.get("query"))
    if asked is None:
        raise WrongUsage(
            "neither a memory nor a question",
            hint='a memory has "content", a question has "question" and "gold"',
        )
    gold = found.get("gold", [])
    if not isinstance(gold, list):
        raise WrongUsage(f"gold must be a list of uids, not {gold!r}")
    scope, category = found.get("scope"), found.get("category")
    return Question(
        text=fields.words("question", asked),
        gold=tuple(dict.fromkeys(fields.words("gold", uid) for uid in gold)),
        category=fields.label("category", category),
        scope=None if scope is None else fields.words("scope", scope),
    )


def _json(raw: bytes, place: str) -> Any:
    try:
        return json.loads(raw.removeprefix(BOM).decode())
    except UnicodeDecodeError as error:
        raise BadFile(f"{place}: not UTF-8") from error
    except ValueError as error:
        raise BadFile(f"{place}: not JSON: {error}") from error
    except RecursionError as error:
        raise BadFile(f"{place}: nested too deeply") from error
