"""Options that several commands share, and what their values may be."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from hebbctl import fields
from hebbctl.errors import WrongUsage


def strength(written: str) -> float:
    return fields.number("--strength", written, fields.WEAKEST, fields.STRONGEST)


def importance(written: str) -> float:
    return fields.importance(written)


def share(option: str) -> Callable[[str], float]:
    return lambda written: fields.number(option, written, 0, 1)


def count(option: str) -> Callable[[str], int]:
    return lambda written: fields.whole(option, written, 1, 10**9)


def words(option: str) -> Callable[[str], str]:
    return lambda written: fields.words(option, written)


def duration(option: str) -> Callable[[str], int]:
    return lambda written: fields.duration(option, written)


def number(option: str) -> Callable[[str], float]:
    return lambda written: fields.number(option, written, -1e300, 1e300)


def choice(name: str, written: str, choices: tuple[str, ...]) -> str:
    return fields.choice(name, written, choices)


def partition(written: str) -> str:
    return fields.partition(written)


def assignment(written: str) -> tuple[str, str]:
    """Read FIELD=VALUE; whoever knows the fields checks both.

    Raises:
        WrongUsage: there is no = in it.
    """
    name, sign, value = written.partition("=")
    if not sign:
        raise WrongUsage(f"--set needs FIELD=VALUE, not {written!r}", hint="--set curve=power")
    return name.strip().lower().replace("-", "_"), value.strip()


Id = Annotated[str, typer.Argument(metavar="ID", help="An id, a uid, or the beginning of one.")]
Ids = Annotated[
    list[str], typer.Argument(metavar="ID...", help="Ids, uids, or the beginning of one.")
]
Partition = Annotated[
    str | None, typer.Option(parser=partition, metavar="NAME", help="Only this partition.")
]
Kind = Annotated[
    str | None, typer.Option(parser=words("--kind"), metavar="KIND", help="Only this kind.")
]
Scope = Annotated[
    str | None,
    typer.Option(
        parser=words("--scope"), metavar="NAME", help="Only this scope. [default: HEBB_SCOPE]"
    ),
]
TypedScope = Annotated[
    str | None, typer.Option(parser=words("--scope"), metavar="NAME", help="Only this scope.")
]
Tags = Annotated[
    list[str] | None,
    typer.Option(
        "--tag", parser=words("--tag"), metavar="TAG", help="Only with this tag; may be repeated."
    ),
]
Source = Annotated[
    str | None, typer.Option(parser=words("--source"), metavar="TEXT", help="Only from there.")
]
OfSession = Annotated[
    str | None,
    typer.Option(parser=words("--session"), metavar="NAME", help="Only of this session."),
]
Since = Annotated[
    str | None,
    typer.Option(metavar="WHEN", help="Created since: 2026-01-31, 2026-01-31T09:00Z or 7d ago."),
]
Until = Annotated[
    str | None, typer.Option(metavar="WHEN", help="Created until then, that day included.")
]
Archived = Annotated[bool, typer.Option("--archived", help="The archive instead of what is live.")]
Key = Annotated[
    str | None,
    typer.Option(
        parser=words("--key"),
        metavar="KEY",
        help="What it is about; it supersedes the current one.",
    ),
]
Untrusted = Annotated[
    bool, typer.Option("--untrusted", help="In quarantine until 'hebb trust' releases it.")
]
HalfLife = Annotated[
    Any,
    typer.Option(
        "--half-life-days",
        parser=number("--half-life-days"),
        metavar="DAYS",
        help="(0, 3650]",
    ),
]
KImportance = Annotated[
    Any,
    typer.Option("--k-importance", parser=number("--k-importance"), metavar="K", help="[0, 10]"),
]
KAccess = Annotated[
    Any, typer.Option("--k-access", parser=number("--k-access"), metavar="K", help="[0, 10]")
]
Threshold = Annotated[
    Any,
    typer.Option("--threshold", parser=number("--threshold"), metavar="SHARE", help="(0, 1)"),
]
Enabled = Annotated[
    bool | None, typer.Option("--enabled/--disabled", help="Whether it forgets at all.")
]
Assigned = Annotated[
    list[Any] | None,
    typer.Option(
        "--set",
        parser=assignment,
        metavar="FIELD=VALUE",
        help="Another field, such as curve=power; may be repeated.",
    ),
]
Preset = Annotated[
    str | None,
    typer.Option("--preset", metavar="NAME", help="As if 'hebb config preset' had chosen it."),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only say what would change.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
File = Annotated[Path, typer.Argument(metavar="FILE", help="A file, or - for stdin.")]


def policy_fields(
    half_life_days: float | None,
    k_importance: float | None,
    k_access: float | None,
    threshold: float | None,
    enabled: bool | None,
    assigned: list[tuple[str, str]] | None,
) -> dict[str, Any]:
    return {
        "half_life_days": half_life_days,
        "k_importance": k_importance,
        "k_access": k_access,
        "threshold": threshold,
        "enabled": enabled,
        **dict(assigned or ()),
    }
