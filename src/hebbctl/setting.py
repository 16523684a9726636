"""One setting: what it may be, and how what is written for it is read."""

import json
import math
import re
from typing import Any, NamedTuple

from hebbctl.errors import WrongUsage, did_you_mean
from hebbctl.models import INBOX, PARTITION_NAME

NONE = "none"  # as the value of a text: there is none
FLAG = ("true", "false")


class Setting(NamedTuple):
    """One row of the table: a number in a range, true or false, or one of the ``choices``.

    By the type of its default it may also be true or false, a text, or rules: an object of texts.
    ``ends`` says whether the bounds belong to the range: ``(]``. ``reach`` is what a change of it
    touches, said by ``config set``.
    """

    name: str
    default: float | str | dict[str, str]
    help: str
    reach: str
    lowest: float = 0
    highest: float = math.inf
    ends: str = "[)"
    choices: tuple[str, ...] = ()

    @property
    def is_number(self) -> bool:
        return not isinstance(self.default, bool | str | dict)

    def allowed(self) -> str:
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        if isinstance(self.default, dict):
            return "an object of 'tag:NAME' or 'kind:NAME' and a partition for each"
        if isinstance(self.default, str):
            return f"a text, or {NONE}"
        highest = f"{self.highest:g}" if self.highest < math.inf else "no limit"
        return f"a number in {self.ends[0]}{self.lowest:g}, {highest}{self.ends[1]}"

    def read(self, value: object) -> Any:
        """Return the value, checked: a float, an int where it is whole, or what else it may be.

        Raises:
            WrongUsage: it is not one of the choices, no finite number in the range, no text, or
                no rules.
        """
        if isinstance(self.default, bool):
            return self._flag(value)
        if isinstance(self.default, dict):
            return self._rules(value)
        if self.choices:
            if value not in self.choices:
                raise WrongUsage(f"{self.name} must be {self.allowed()}, not {value!r}")
            return value
        if isinstance(self.default, str):
            return self._text(value)
        number = _number(value)
        above = number > self.lowest or (self.ends[0] == "[" and number == self.lowest)
        below = number < self.highest or (self.ends[1] == "]" and number == self.highest)
        if not (above and below):
            raise WrongUsage(f"{self.name} must be {self.allowed()}, not {value!r}")
        return int(number) if number.is_integer() and number < 1e15 else number

    def _flag(self, value: object) -> bool:
        """Return true or false, given as JSON has them or in words."""
        if isinstance(value, bool):
            return value
        if not isinstance(value, str) or value.lower() not in FLAG:
            raise self._wrong(value)
        return value.lower() == FLAG[0]

    def _text(self, value: object) -> str:
        if not isinstance(value, str) or not value.strip() or not _is_text(value):
            raise self._wrong(value)
        return value.strip()

    def _rules(self, value: object) -> dict[str, str]:
        """Return rules, given as an object or as the JSON of one."""
        found = value
        if isinstance(value, str):
            try:
                found = json.loads(value)
            except (ValueError, RecursionError):
                raise self._wrong(value) from None
        if not isinstance(found, dict):
            raise self._wrong(value)
        for rule, partition in found.items():
            _check_rule(self.name, rule, partition)
        return found

    def _wrong(self, value: object) -> WrongUsage:
        return WrongUsage(f"{self.name} must be {self.allowed()}, not {value!r}")


def _check_rule(setting: str, rule: str, partition: object) -> None:
    field, colon, name = rule.partition(":")
    if field not in ("tag", "kind") or not colon or not name.strip() or not _is_text(name):
        hint = did_you_mean(field, ("tag", "kind")) or "begin it with tag: or kind:"
        raise WrongUsage(f"{setting}: no rule can be {rule!r}", hint=hint)
    if not isinstance(partition, str) or not re.fullmatch(PARTITION_NAME, partition):
        hint = "names begin with mem_ and go on with a-z, 0-9 or _"
        raise WrongUsage(f"{setting}: {rule} has no partition {partition!r}", hint=hint)
    if partition == INBOX:
        hint = "a memory would never leave it: name another partition"
        raise WrongUsage(f"{setting}: {rule} leads back to the inbox {INBOX}", hint=hint)


def _is_text(value: str) -> bool:
    """Say whether a store can hold a text: no NUL, no byte that is not UTF-8, no half an emoji."""
    return "\0" not in value and value.encode(errors="replace").decode() == value


def written(value: Any) -> Any:
    """Return a value as it is typed: true, not yes; rules as JSON."""
    if isinstance(value, bool):
        return FLAG[not value]
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value


def _number(value: object) -> float:
    """Return nan for whatever is not a number; true and false are none."""
    try:
        return math.nan if isinstance(value, bool) else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return math.nan
