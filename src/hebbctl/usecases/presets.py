"""Presets: make hebb behave like one of the systems it unifies, and take that back."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from hebbctl import config
from hebbctl.errors import Refused, WrongUsage, did_you_mean
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
    chosen = config.stored(path).get(config.PRESET, {}).get("name", "default")
    return [PresetView(one.name, one.name == chosen, one.summary) for one in PRESETS.values()]


def after(stored: Stored, name: str) -> Stored:
    """Return what the settings file holds after a preset.

    Raises:
        WrongUsage: there is none of that name.
    """
    if name not in PRESETS:
        hint = did_you_mean(name, PRESETS) or f"they are {', '.join(PRESETS)}"
        raise WrongUsage(f"no preset {name!r}", hint=hint)
    earlier, _ = _taken_back(stored, {*GOVERNED}) if config.PRESET in stored else (stored, [])
    kept = {key: value for key, value in earlier.items() if key not in GOVERNED}
    wanted = {**kept, **PRESETS[name].settings}
    keys = {key for key in {*stored, *wanted} if stored.get(key) != wanted.get(key)}
    keys.discard(config.PRESET)
    last = stored.get(config.PRESET)
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


def undone(stored: Stored) -> tuple[Stored, list[str]]:
    """Return what the file holds without the last preset, and what was changed since it.

    Raises:
        Refused: no preset was chosen.
    """
    if config.PRESET not in stored:
        raise Refused("no preset was chosen: there is nothing to undo")
    return _taken_back(stored, set())


def _taken_back(stored: Stored, besides: set[str]) -> tuple[Stored, list[str]]:
    """Return the file with what its preset wrote as it was before, unless it was changed since."""
    record = stored[config.PRESET]
    found, kept = dict(stored), []
    for key, before in record["before"].items():
        untouched = key == config.PRESET or stored.get(key) == record["wrote"].get(key)
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
    wanted, kept = _wanted(stored, name)
    found = PresetChange(
        preset=name or wanted.get(config.PRESET, {}).get("name", "default"),
        dry_run=dry_run,
        changes=tuple(_differences(stored, wanted)),
        kept=tuple(kept),
        due_before=due_under(config.load_as(path, stored)),
        due_after=due_under(config.load_as(path, wanted)),
    )
    if not dry_run:
        before = stored.get(config.PRESET, {}).get("name", "default")
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
