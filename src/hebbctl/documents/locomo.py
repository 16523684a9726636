"""Samples of LoCoMo: a conversation of many sessions, and questions with their evidence."""

import re
from collections.abc import Iterator
from typing import Any

from hebbctl import fields, policies
from hebbctl.errors import WrongUsage
from hebbctl.models import Draft, Question

SESSION = r"session_\d+"
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
# Such as 1:56 pm on 8 May, 2023.
DATED = (
    r"(0?\d|1[0-2]):(\d{2}) ([ap])m on (\d{1,2}) "
    rf"((?:{'|'.join(MONTHS)})[a-z]*),? (\d{{4}})"
)
# An id of a turn, several of which may stand in one text. Some in the public file are written
# "D:11:26" or "D30:05".
TURN = r"D:?(\d{1,9}):(\d{1,9})"


def read(sample: Any, name: str) -> list[Draft | Question]:
    """Return each turn as a memory, then the questions; ``name`` begins every uid and session.

    A turn is dated as its session is, which is all the set says; their order is that of the file.
    Evidence that names no turn stays as it stands: as a uid that no memory has.

    Raises:
        WrongUsage: it is no such sample; the message says where.
    """
    conversation = sample.get("conversation") if isinstance(sample, dict) else None
    if not isinstance(conversation, dict):
        raise WrongUsage("no conversation", hint="a sample is an object of conversation and qa")
    asked = sample.get("qa", [])
    if not isinstance(asked, list):
        raise WrongUsage("qa must be a list of questions")
    found: list[Draft | Question] = []
    for session in conversation:
        if re.fullmatch(SESSION, session):
            found += _turns(conversation, session, name)
    found += [_question(one, f"question {place}", name) for place, one in enumerate(asked, 1)]
    return found


def _turns(conversation: dict[str, Any], session: str, name: str) -> Iterator[Draft]:
    turns = conversation[session]
    if not isinstance(turns, list):
        raise WrongUsage(f"{session} must be a list of turns")
    created_at = _moment(f"{session}_date_time", conversation) if turns else None
    for place, turn in enumerate(turns, start=1):
        where = f"{session}, turn {place}"
        if not isinstance(turn, dict) or _turn_ids(turn.get("dia_id")) == []:
            raise WrongUsage(f'{where}: no dia_id such as "D1:3"')
        yield Draft(
            content=_said(turn, where),
            partition=policies.NOTES,
            uid=f"{name}:{_turn_ids(turn['dia_id'])[0]}",
            created_at=created_at,
            session=f"{name}:{session}",
        )


def _said(turn: dict[str, Any], where: str) -> str:
    """Return a turn as one text: who speaks, what is said, and what a picture sent along shows."""
    for part in ("speaker", "text", "blip_caption"):
        if not isinstance(turn.get(part, ""), str):
            raise WrongUsage(f"{where}: {part} must be a text, not {turn[part]!r}")
    picture = turn.get("blip_caption")
    said = [turn.get("text"), f"[{picture}]" if picture else None]
    words = " ".join(one for one in said if one)
    if not words.strip():
        raise WrongUsage(f"{where}: neither a text nor a blip_caption")
    return fields.content(f"{turn['speaker']}: {words}" if turn.get("speaker") else words)


def _moment(name: str, conversation: dict[str, Any]) -> int:
    written = conversation.get(name)
    match = re.fullmatch(DATED, written.strip().lower()) if isinstance(written, str) else None
    if not match:
        return fields.moment(name, written)
    hour, minute, half, day, month, year = match.groups()
    of_day = int(hour) % 12 + (12 if half == "p" else 0)
    number = MONTHS.index(month[:3]) + 1
    return fields.moment(name, f"{year}-{number:02}-{int(day):02}T{of_day:02}:{minute}Z")


def _question(asked: Any, where: str, name: str) -> Question:
    if not isinstance(asked, dict):
        raise WrongUsage(f"{where}: not an object")
    given = asked.get("evidence") or []
    evidence = [given] if isinstance(given, str) else given
    if not isinstance(evidence, list) or not all(isinstance(one, str) for one in evidence):
        raise WrongUsage(f"{where}: evidence must be a text or a list of texts, not {given!r}")
    named = [turn for one in evidence for turn in _turn_ids(one) or [one]]
    return Question(
        text=fields.words(f"{where}: question", asked.get("question")),
        gold=tuple(dict.fromkeys(f"{name}:{turn}" for turn in named)),
        category=fields.label(f"{where}: category", asked.get("category")),
    )


def _turn_ids(written: Any) -> list[str]:
    """Return the ids of turns in a text, each in one spelling."""
    found = re.findall(TURN, written) if isinstance(written, str) else []
    return [f"D{int(session)}:{int(turn)}" for session, turn in found]
