"""What each field of a memory may hold: one check for every door."""

import math
from typing import Any

from hebbctl import policies, text, times
from hebbctl.errors import Refused, WrongUsage

WEAKEST, STRONGEST = 1e-9, 1e9  # strength
MOST_ACCESSES = 10**15
SHORTEST_PREFIX = 3  # characters of a uid that stand for it
LARGEST_ID = 2**63 - 1
SCOPE_KINDS = ("session", "project", "global")


def id_in(reference: str) -> int | None:
    """Return the id that a user typed, or None for a uid or its beginning.

    Digits are an id, unless they begin with 0 as the uids made here do.
    """
    digits = reference.isascii() and reference.isdigit()
    if not digits or (reference != "0" and reference.startswith("0")):
        return None
    return min(int(reference[:20]), LARGEST_ID)  # one that no memory has


def number(name: str, given: Any, low: float, high: float) -> float:
    """Return a finite number of the range, given as a number or as text.

    Raises:
        WrongUsage: it is anything else; true and false are no numbers.
    """
    if type(given) is float and low <= given <= high and given != math.inf:  # as nearly always
        return given
    try:
        found = math.nan if isinstance(given, bool) else float(given)
    except (TypeError, ValueError, OverflowError):
        found = math.nan
    if not low <= found <= high or math.isinf(found):
        limits = f"from {low:g} to {high:g}" if math.isfinite(high) else f"of {low:g} or more"
        raise WrongUsage(f"{name} must be a number {limits}, not {given!r}")
    return found


def importance(given: Any) -> float:
    return number("importance", given, 0, 10)


def whole(name: str, given: Any, low: int, high: int) -> int:
    if isinstance(given, int) and not isinstance(given, bool) and low <= given <= high:
        return given  # as it is: a float holds no more than 53 bits
    found = number(name, given, low, high)
    if not found.is_integer():
        raise WrongUsage(f"{name} must be a whole number, not {given!r}")
    return int(found)


def moment(name: str, given: Any) -> int:
    """Return a time in Unix milliseconds."""
    try:
        return times.parse_time(given)
    except (TypeError, AttributeError, ValueError, OverflowError) as error:
        raise WrongUsage(
            f"{name} must be a time, not {given!r}", hint="write it like 2026-01-31T09:00:00Z"
        ) from error


def duration(name: str, given: Any) -> int:
    """Return a length of time in milliseconds."""
    try:
        return times.parse_duration(given)
    except (TypeError, AttributeError, ValueError, OverflowError) as error:
        raise WrongUsage(
            f"{name} must be a duration above 0, not {given!r}",
            hint="write it like 7d, 12h or 1h30m; the units are s, m, h, d and w",
        ) from error


def partition(given: Any) -> str:
    if not isinstance(given, str) or not policies.is_partition(given):
        raise WrongUsage(
            f"no partition can be called {given!r}",
            hint="names begin with mem_ and go on with a-z, 0-9 or _",
        )
    return given


def words(name: str, given: Any) -> str:
    """Return a name or label: text that is not blank, without space around it."""
    if not isinstance(given, str) or not given.strip():
        raise WrongUsage(f"{name} must be a text that is not empty, not {given!r}")
    return text.cleaned(given)[0].strip()


def label(name: str, given: Any) -> str:
    """Return a label that may be a number, or none at all: then it is empty."""
    if given is None:
        return ""
    if isinstance(given, int) and not isinstance(given, bool):
        return str(given)
    return words(name, given)


def content(given: Any, *, most_bytes: float = math.inf) -> str:
    """Return what is to be remembered, as given but for characters no door can carry.

    ``most_bytes`` bounds its length in UTF-8.
    """
    if not isinstance(given, str):
        raise WrongUsage(f"content must be a text, not {given!r}")
    if not given.strip():
        raise WrongUsage("nothing to remember: the text is empty")
    clean, _ = text.cleaned(given)
    refuse_longer(clean, most_bytes)
    return clean


def refuse_longer(content: str, most_bytes: float) -> None:
    if 4 * len(content) <= most_bytes:  # no character takes more, so nothing is to be counted
        return
    size_bytes = len(content.encode())
    if size_bytes > most_bytes:
        raise WrongUsage(
            f"the text has {size_bytes:,} bytes, more than max_item_bytes {most_bytes:,g}",
            hint="store it in parts, or 'hebb config set max_item_bytes' to more",
        )


def refuse_fuller(held_bytes: int, added_bytes: int, most_bytes: float) -> None:
    """Refuse what would fill a store beyond ``most_bytes``; 0 is no limit.

    Raises:
        Refused: all texts together would be longer.
    """
    after = held_bytes + added_bytes
    if most_bytes and added_bytes > 0 and after > most_bytes:
        raise Refused(
            f"the store is full: its texts would have {after:,} bytes,"
            f" more than max_store_bytes {most_bytes:,g} ({held_bytes:,} now)",
            hint="'hebb gc --purge' or 'hebb forget' makes room, or set max_store_bytes to more",
        )


def flag(name: str, given: Any) -> bool:
    if not isinstance(given, bool):
        raise WrongUsage(f"{name} must be true or false, not {given!r}")
    return given


def choice(name: str, given: Any, choices: tuple[str, ...]) -> str:
    if given not in choices:
        raise WrongUsage(f"{name} must be one of {', '.join(choices)}, not {given!r}")
    return str(given)
