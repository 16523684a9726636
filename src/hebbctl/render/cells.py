"""One field as text in one line."""

import json
from typing import Any

from hebbctl.text import one_line

FAR = 3650  # days to forget: what lies beyond is shown as infinite


def cell(value: Any) -> str:
    """Write a field in one line, so that tabs and line ends only ever separate cells."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list | dict):
        value = json.dumps(value, ensure_ascii=False) if value else ""
    return one_line(str(value).replace("\\", "\\\\"))


def figure(value: float) -> str:
    """Write a number for the eye: four digits, and no power of ten."""
    return f"{value:.4g}" if abs(value) < 1000 else f"{value:.0f}"


def is_far(days: float | None) -> bool:
    """Say whether days to forget are never, or so many that the number says nothing."""
    return days is None or days > FAR


def infinity(*, ascii_only: bool) -> str:
    return "inf" if ascii_only else "∞"
