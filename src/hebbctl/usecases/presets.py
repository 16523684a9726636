"""Presets: make hebb behave like one of the systems it unifies, and take that back."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from hebbctl import config
from hebbctl.errors import BadFile, Refused, WrongUsage, did_you_mean
from hebbctl.models import Settings
from hebbctl.presets import GOVERNED, PRESETS
from hebbctl.store import Store
from hebbctl.usecases.settings import audited

Stored = dict[str, Any]
UNSHOWN = {config.PRESET, config.OVERRIDES}  # as they are: the one notes, the other nests


class PresetView(NamedTuple):
    """A preset that can be chosen. ``chosen`` says whether it was the last one."""

    name: str
    chosen: bool
    summary: str


class Changed(NamedTuple):
    """One key of the settings file before and after; None where it says nothing."""

    name: str
    before: Any
    after: Any


class PresetChange(NamedTuple):
    """What a preset changes in the settings file, or changed.

    ``kept`` are the keys that ``--undo`` leaves as they are: they were changed since.
    """

    preset: str
    dry_run: bool
    changes: tuple[Changed, ...]
    kept: tuple[str, ...]
    due_before: int
    due_after: int


def listing(path: Path) -> list[PresetView]:
    chosen = _chosen(config.stored(path))
    return [PresetView(one.name, one.name == chosen, one.summary) for one in PRESETS.values()]


def after(stored: Stored, name: str) -> Stored:
    """Return what the settings file holds after a preset.

    Raises:
        WrongUsage: there is none of that name.
    """
    if name not in PRESETS:
        hint = did_you_mean(name, PRESETS) or f"they are {', '.join(PRESETS)}"
        raise WrongUsage(f"no preset {name!r}", hint=hint)
    last = _note(stored)
    earlier = _taken_back(stored, last, {*GOVERNED})[0] if last else stored
    kept = {key: value for key, value in earlier.items() if key not in GOVERNED}
    wanted = {**kept, **PRESETS[name].settings}
    keys = {key for key in {*stored, *wanted} if stored.get(key) != wanted.get(key)}
    keys.discard(config.PRESET)
    if not keys and last and last["name"] == name:
        return stored
    if last:  # so far back, and no further: else every preset would be kept for ever
        last = {**last, "before": {**last["before"], config.PRESET: None}}
    record = {
        "name": name,
        "wrote": {key: wanted.get(key) for key in sorted(keys)},
        "before": {**{key: stored.get(key) for key in sorted(keys)}, config.PRESET: last},
    }
    return {**wanted, config.PRESET: record}


def supposed(path: Path, name: str) -> Settings:
    """Return the settings as they would be after a preset.

    Raises:
        WrongUsage: there is none of that name.
    """
    return config.load_as(path, after(config.stored(path), name))


def undone(stored: Stored) -> tuple[Stored, list[str]]:
    """Return what the file holds without the last preset, and what was changed since it.

    Raises:
        Refused: no preset was chosen.
    """
    last = _note(stored)
    if last is None:
        raise Refused("no preset was chosen: there is nothing to undo")
    return _taken_back(stored, last, set())


def _note(stored: Stored) -> Stored | None:
    """Return what the file notes of the last preset: its name, what it wrote, what was before.

    Raises:
        BadFile: it is not as it was written.
    """
    note = stored.get(config.PRESET)
    if note is None:
        return None
    parts = {"name": str, "wrote": dict, "before": dict}
    if not isinstance(note, dict) or not all(
        isinstance(note.get(part), kind) for part, kind in parts.items()
    ):
        raise BadFile(
            "what the settings file notes of the last preset is damaged",
            hint=f"take {config.PRESET!r} out of it; 'hebb config path' says where it is",
        )
    return note


def _chosen(stored: Stored) -> str:
    note = _note(stored)
    return str(note["name"]) if note else "default"


def _taken_back(stored: Stored, note: Stored, besides: set[str]) -> tuple[Stored, list[str]]:
    """Return the file with what its preset wrote as it was before, unless it was changed since."""
    found, kept = dict(stored), []
    for key, before in note["before"].items():
        untouched = key == config.PRESET or stored.get(key) == note["wrote"].get(key)
        if not untouched and key not in besides:
            kept.append(key)
        elif before is None:
            found.pop(key, None)
        else:
            found[key] = before
    return found, kept


def change(
    path: Path,
    name: str | None,
    *,
    dry_run: bool,
    audit: Store | None,
    due_under: Callable[[Settings], int],
) -> PresetChange:
    """Write a preset's settings, or, without a name, take the last one's back.

    ``due_under`` says how many memories the next sweep takes under some settings.
    """
    stored = config.stored(path)
    due_before = due_under(config.load_as(path, stored))  # it refuses a file that is not sound
    wanted, kept = _wanted(stored, name)
    found = PresetChange(
        preset=name or _chosen(wanted),
        dry_run=dry_run,
        changes=tuple(_differences(stored, wanted)),
        kept=tuple(kept),
        due_before=due_before,
        due_after=due_under(config.load_as(path, wanted)),
    )
    if not dry_run:
        before = _chosen(stored)
        around = audited(path, audit, lambda *_: f"preset: {before} -> {found.preset}")
        config.rewrite(path, lambda stored: _wanted(stored, name)[0], around)
    return found


def _wanted(stored: Stored, name: str | None) -> tuple[Stored, list[str]]:
    return (after(stored, name), []) if name is not None else undone(stored)


def _differences(stored: Stored, wanted: Stored) -> Iterator[Changed]:
    """Yield each key that differs, by name; an override's fields each for itself."""
    before, later = _flat(stored), _flat(wanted)
    for key in sorted({*before, *later}):
        if before.get(key) != later.get(key):
            yield Changed(key, before.get(key), later.get(key))


def _flat(stored: Stored) -> Stored:
    found = {key: value for key, value in stored.items() if key not in UNSHOWN}
    for partition, fields in (stored.get(config.OVERRIDES) or {}).items():
        found |= {f"{config.OVERRIDES}.{partition}.{key}": one for key, one in fields.items()}
    return found
