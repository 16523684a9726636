"""A seeded stream of things noted and asked over months, in which facts change."""

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import NamedTuple

from facts_words import ATTRIBUTES, CHATTER, SUBJECTS, THINGS, WORDS, Attribute

MEMORIES = 1850  # about, in so many days; a shorter stream has its share of them
QUESTIONS = 1000
FULL_DAYS = 180
# Slots of each role in a full stream. Beside those come false claims, and chatter up to MEMORIES.
ROLES = {"temporary": 60, "changing": 160, "steady": 420}  # the choosiest first
FALSE_CLAIMS = 90
OLD = 1 / 3  # of the days: a fact neither noted nor asked for so long is old
# How often a question is of each kind, where there is one to ask.
ASKED = {"old": 0.55, "changed": 0.22, "temporary": 0.1, "poisoned": 0.07, "recent": 0.06}
ASKED_AGAIN = 5  # days after which the same is asked again, at the earliest
UNKEYED = 0.05  # of the statements about a fact: whoever noted it gave no key
RATED = 0.3  # of the facts are given an importance other than 5
LASTS = (4, 10)  # days of a temporary fact
RECENTLY = 30  # days after which nobody asks about the end of a temporary one
CHANGES = (15, 50)  # days between two


class Statement(NamedTuple):
    """Something noted on a day. ``key`` is the fact it is about; chatter is about none."""

    day: int
    content: str
    key: str | None = None
    value: str | None = None
    keyed: bool = False  # the writer says what it is about
    poison: bool = False  # false, from a source that is not trusted
    until: int | None = None  # the last day on which it holds
    kind: str | None = None
    importance: float = 5.0


class Question(NamedTuple):
    """Something asked on the evening of a day. ``value`` is what holds then."""

    day: int
    text: str
    key: str
    value: str
    kind: str  # old, changed, temporary, poisoned, recent


class Stream(NamedTuple):
    """What is noted and asked on ``days`` days, each in its order."""

    days: int
    statements: list[Statement]
    questions: list[Question]


class Slot(NamedTuple):
    """One attribute of one subject, with all that is truly said of it."""

    key: str
    subject: str
    attribute: Attribute
    role: str
    statements: list[Statement]
    unused: list[str]  # values that are never true


def stream(seed: int, days: int = FULL_DAYS) -> Stream:
    """Return what is noted and asked. Equal arguments give equal streams."""
    chance = random.Random(seed)
    slots = list(_slots(chance, days))
    false = _false_claims(chance, slots, _scaled(FALSE_CLAIMS, days), days)
    noted = [one for slot in slots for one in slot.statements] + false
    noted += _chatter(chance, _scaled(MEMORIES, days) - len(noted), days)
    questions = list(_questions(chance, slots, false, days))
    return Stream(days, sorted(noted, key=lambda one: one.day), questions)


def _scaled(count: int, days: int) -> int:
    return round(count * days / FULL_DAYS)


def _slots(chance: random.Random, days: int) -> Iterator[Slot]:
    """Yield the facts of a stream: for each role a random choice of those that fit it."""
    pairs = [
        (subject, attribute) for attribute in ATTRIBUTES for subject in SUBJECTS[attribute.about]
    ]
    chance.shuffle(pairs)
    for role, count in ROLES.items():
        chosen = [pair for pair in pairs if _fits(role, pair[1])][: _scaled(count, days)]
        pairs = [pair for pair in pairs if pair not in chosen]
        for subject, attribute in chosen:
            yield _slot(chance, subject, attribute, role, days)


def _fits(role: str, attribute: Attribute) -> bool:
    """Say whether an attribute can play a role: not everything changes or ends."""
    if role == "temporary":
        return bool(attribute.temporary)
    return role == "steady" or not attribute.lasting


def _slot(chance: random.Random, subject: str, attribute: Attribute, role: str, days: int) -> Slot:
    values = list(WORDS[attribute.values])
    chance.shuffle(values)
    key = f"{subject}/{attribute.name}"
    kind = attribute.kind if chance.random() < 0.5 else None
    importance = _importance(chance, attribute)
    said = []
    for day, until in _times(chance, role, days):
        wordings = attribute.statements if until is None else (attribute.temporary,)
        value = values.pop()
        content = chance.choice(wordings).format(subject=subject, value=value, until=f"day {until}")
        keyed = chance.random() >= UNKEYED
        said.append(Statement(day, content, key, value, keyed, False, until, kind, importance))
    return Slot(key, subject, attribute, role, said, values)


def _importance(chance: random.Random, attribute: Attribute) -> float:
    if attribute.important:
        return chance.choice((8.0, 9.0))
    return float(chance.randint(3, 7)) if chance.random() < RATED else 5.0


def _times(chance: random.Random, role: str, days: int) -> list[tuple[int, int | None]]:
    """Return when something is said of a fact, and until when each holds; None is for good."""
    if role == "steady":
        return [(chance.randrange(days * 5 // 6), None)]
    day = chance.randrange(days // 3)
    found: list[tuple[int, int | None]] = [(day, None)]
    most = chance.randint(2, 5) if role == "changing" else chance.randint(2, 4)
    while len(found) < most:
        day += chance.randint(*CHANGES)
        until = day + chance.randint(*LASTS) if role == "temporary" else None
        if (until or day) >= days:
            break
        found.append((day, until))
        day = until or day
    return found


def _false_claims(
    chance: random.Random, slots: Sequence[Slot], count: int, days: int
) -> list[Statement]:
    """Return false values for facts, said some days after the first true one."""
    claims = []
    for slot in chance.sample(slots, count):
        day = min(days - 1, slot.statements[0].day + chance.randint(1, 40))
        value = slot.unused.pop()
        content = chance.choice(slot.attribute.statements).format(subject=slot.subject, value=value)
        claims.append(Statement(day, content, slot.key, value, keyed=True, poison=True))
    return claims


def _chatter(chance: random.Random, count: int, days: int) -> Iterator[Statement]:
    """Yield what nobody asks for, each once."""
    told = [
        form.format(subject=subject, thing=thing, other=other)
        for about, forms in CHATTER.items()
        for form, subject, thing in product(forms, SUBJECTS[about], THINGS[about])
        for other in chance.sample(SUBJECTS[about], 2)
    ]
    for content in chance.sample(sorted({*told}), count):
        kind = "event" if chance.random() < 0.6 else None
        importance = 5.0 if chance.random() < 0.5 else float(chance.randint(1, 4))
        yield Statement(chance.randrange(days), content, kind=kind, importance=importance)


def _questions(
    chance: random.Random, slots: Sequence[Slot], false: Sequence[Statement], days: int
) -> Iterator[Question]:
    """Yield questions, as many every day, about facts that are known and not just asked."""
    claimed = {one.key: one.day for one in false}
    asked: dict[str, int] = {}  # key -> the last day
    so_far = [0, *(_scaled(QUESTIONS, day + 1) for day in range(1, days))]
    for day, (before, after) in enumerate(pairwise(so_far), start=1):
        for _ in range(before, after):
            kinds: dict[str, list[Slot]] = {}
            for slot in slots:
                idle = day - asked.get(slot.key, -days)
                for kind in _kinds_of(slot, day, days, claimed=claimed, idle=idle):
                    kinds.setdefault(kind, []).append(slot)
            if kinds:
                [kind] = chance.choices(list(kinds), [ASKED[kind] for kind in kinds])
                slot = chance.choice(kinds[kind])
                asked[slot.key] = day
                text = chance.choice(slot.attribute.questions).format(subject=slot.subject)
                yield Question(day, text, slot.key, valid(slot.statements, day), kind)


def _kinds_of(
    slot: Slot, day: int, days: int, *, claimed: dict[str | None, int], idle: int
) -> Iterator[str]:
    """Yield what kinds of question about a fact can be asked on a day, ``idle`` after the last."""
    said = [one for one in slot.statements if one.day <= day]
    if not said or idle < ASKED_AGAIN:
        return
    if slot.role == "steady":
        yield "old" if min(idle, day - said[-1].day) >= OLD * days else "recent"
    if slot.role == "changing" and len(said) > 1:
        yield "changed"
    if slot.role == "temporary" and any(day - (one.until or -days) <= RECENTLY for one in said):
        yield "temporary"
    if claimed.get(slot.key, days) <= day:
        yield "poisoned"


def valid(statements: Sequence[Statement], day: int) -> str:
    """Return the value that holds on a day: the last one said that has not ended."""
    holding = [one for one in statements if one.day <= day and (one.until or day) >= day]
    return str(holding[-1].value)
