"""Empty the inbox: each memory goes where rules, its kind or a user's program say."""

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from hebbctl import fields, policies, text
from hebbctl.errors import HebbError, WrongUsage
from hebbctl.models import Memory, Settings
from hebbctl.setting import NONE
from hebbctl.store import Store
from hebbctl.usecases.memories import BATCH
from hebbctl.usecases.names import tags as spelled

# Runs a program on lines: its lines, and what went wrong.
Ask = Callable[[str, Sequence[bytes], float], tuple[list[bytes], str | None]]
ANSWERED = ("id", "partition", "importance", "tags")
MOST_PROBLEMS = 20  # lines named: a program may babble a million of them


class Moved(NamedTuple):
    """A memory of the inbox and where it goes, with what changes on the way."""

    id: int
    partition: str
    importance: float
    tags: tuple[str, ...]
    reason: str
    content: str


class Left(NamedTuple):
    """A memory that stays in the inbox, and why."""

    id: int
    reason: str


class Consolidation(NamedTuple):
    """What became of the inbox. ``problems`` are answers about no memory that was asked about."""

    dry_run: bool
    command: str | None
    moved: tuple[Moved, ...]
    left: tuple[Left, ...]
    problems: tuple[str, ...]


def consolidate(
    store: Store, settings: Settings, *, ask: Ask, dry_run: bool = False
) -> Consolidation:
    """Move every live memory of the inbox, by rules or as the user's program answers.

    What is moved begins its idle time anew: in the inbox nothing fades. A dry run asks the program
    as well, and writes nothing.
    """
    inbox = store.memories.get_all(store.lifecycle.inbox())
    command = settings.values["consolidate_command"]
    if command == NONE or not inbox:
        found = [_by_rule(settings.values["consolidation_rules"], one) for one in inbox]
        return _finished(store, inbox, found, [], [], None, dry_run)
    seconds = settings.values["consolidate_timeout_seconds"]
    lines, failure = ask(command, [_question(one) for one in inbox], seconds)
    answers = _Answers(inbox)
    for number, line in enumerate(lines, start=1):
        answers.read(number, line)
    moved, left = answers.judged(failure or "the program did not answer")
    problems = [*answers.problems(), *([f"the program: {failure}"] if failure else [])]
    return _finished(store, inbox, moved, left, problems, command, dry_run)


def failure(found: Consolidation) -> HebbError | None:
    """Return what to report as the command's failure: None where every memory found its place."""
    if not (found.left or found.problems):
        return None
    return HebbError(
        f"{len(found.moved)} moved, {len(found.left)} left in the inbox",
        hint="what is left is as it was: correct the program and consolidate again",
    )


def _by_rule(rules: dict[str, str], memory: Memory) -> Moved:
    """Return where a memory goes by the first rule that fits, else by its kind, else to notes."""
    names = {("tag", text.name_key(tag)) for tag in memory.tags}
    names.add(("kind", text.name_key(memory.kind or "")))
    partition, reason = policies.PARTITION_OF_KIND.get(memory.kind or "", ""), "by kind"
    for rule, target in rules.items():
        field, _, name = rule.partition(":")
        if (field, text.name_key(name)) in names:
            partition, reason = target, f"by rule {rule}"
            break
    if not partition:
        partition, reason = policies.NOTES, "by default"
    return Moved(memory.id, partition, memory.importance, memory.tags, reason, memory.content)


def _question(memory: Memory) -> bytes:
    asked = {
        name: getattr(memory, name) for name in ("id", "content", "kind", "tags", "importance")
    }
    return json.dumps(asked).encode()


class _Answers:
    """The lines of a program, each believed only as far as it says something that can be done."""

    def __init__(self, asked: Sequence[Memory]) -> None:
        self._asked = {memory.id: memory for memory in asked}
        self._good: dict[int, Moved] = {}
        self._bad: dict[int, str] = {}
        self._problems: list[str] = []
        self._unnamed = 0

    def read(self, number: int, line: bytes) -> None:
        if not line.strip():
            return
        try:
            answer = _object(line)
            memory = self._meant(answer)
        except WrongUsage as error:
            if len(self._problems) < MOST_PROBLEMS:
                self._problems.append(f"line {number} of the program: {error}")
            else:
                self._unnamed += 1
            return
        if memory.id in self._good or memory.id in self._bad:
            self._bad[memory.id] = "answered more than once"
            return
        try:
            self._good[memory.id] = _answered(answer, memory)
        except WrongUsage as error:
            self._bad[memory.id] = str(error)

    def problems(self) -> list[str]:
        """Return what was wrong with lines about no memory: of a babbling program the first."""
        more = f"and {self._unnamed:,} more such lines of the program"
        return [*self._problems, *([more] if self._unnamed else [])]

    def _meant(self, answer: dict[str, Any]) -> Memory:
        found = answer.get("id")
        if not isinstance(found, int) or isinstance(found, bool) or found not in self._asked:
            raise WrongUsage(f"id must be one that was asked about, not {found!r:.60}")
        return self._asked[found]

    def judged(self, silence: str) -> tuple[list[Moved], list[Left]]:
        """Return what may be moved and what stays, in the order asked."""
        good = {one: found for one, found in self._good.items() if one not in self._bad}
        left = [Left(one, self._bad.get(one, silence)) for one in self._asked if one not in good]
        return [good[one] for one in self._asked if one in good], left


def _object(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise WrongUsage("not JSON") from error
    if not isinstance(found, dict):
        raise WrongUsage("not a JSON object")
    return found


def _answered(answer: dict[str, Any], memory: Memory) -> Moved:
    """Return what an answer says, every field in its range.

    Raises:
        WrongUsage: one is missing or cannot be.
    """
    missing = [name for name in ANSWERED if name not in answer]
    if missing:
        raise WrongUsage(f"the answer has no {', '.join(missing)}")
    partition = fields.partition(answer["partition"])
    if partition == policies.INBOX:
        raise WrongUsage(f"{partition} is the inbox itself")
    if not isinstance(answer["tags"], list):
        raise WrongUsage(f"tags must be a list of texts, not {answer['tags']!r:.60}")
    return Moved(
        memory.id,
        partition,
        fields.importance(answer["importance"]),
        tuple(dict.fromkeys(fields.words("a tag", one) for one in answer["tags"])),
        "by program",
        memory.content,
    )


def _finished(
    store: Store,
    inbox: Sequence[Memory],
    moved: Sequence[Moved],
    left: list[Left],
    problems: list[str],
    command: str | None,
    dry_run: bool,
) -> Consolidation:
    """Write what was decided, unless it is a dry run or a memory has changed since it was read."""
    moving = [one._replace(tags=spelled(store, one.tags)) for one in moved]
    if not dry_run:
        read_at = {memory.id: memory.last_accessed_at for memory in inbox}
        kept: set[int] = set()
        for start in range(0, len(moving), BATCH):
            batch = moving[start : start + BATCH]
            plan = [(*one[:5], read_at[one.id]) for one in batch]
            kept.update(store.lifecycle.consolidate(plan))
        left += [Left(one.id, "changed meanwhile") for one in moving if one.id not in kept]
        moving = [one for one in moving if one.id in kept]
    return Consolidation(dry_run, command, tuple(moving), tuple(left), tuple(problems))
