"""The one file that settings are read from and written to."""

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from copy import deepcopy
from pathlib import Path
from typing import Any

from hebbctl import environment
from hebbctl.errors import NO_ROOM, BadFile, DiskFull, StoreBusy, WrongUsage
from hebbctl.models import PARTITION_NAME, Settings, SettingValue
from hebbctl.places import private_folder, resolved, synced
from hebbctl.setting import Setting
from hebbctl.settings import OVERRIDE_FIELDS, SETTINGS, setting

LOCK_POLL_SECONDS = 0.02
Stored = dict[str, Any]  # the file's object
# What a change of the file happens inside of: told the file's object before and after, and the
# bytes to be written.
Around = Callable[[Stored, Stored, bytes], AbstractContextManager[None]]
OVERRIDES = "forgetting_overrides"
PRESET = "preset"  # the last one, with what it wrote and what was there before
MEND = "correct it or move it away"


def load(path: Path) -> Settings:
    """Read every setting as it stands now: default < file < environment.

    Raises:
        BadFile: the file is not a JSON object, or holds a value out of range.
        WrongUsage: an environment variable does.
    """
    return load_as(path, stored(path))


def load_as(path: Path, stored: dict[str, Any]) -> Settings:
    """Read every setting as if the file held this."""
    with _blaming(path):
        overrides, unknown = _overrides(stored.get(OVERRIDES, {}))
    known = {*SETTINGS, OVERRIDES, PRESET}
    unknown = [*(key for key in stored if key not in known), *unknown]
    values = {name: _value(path, stored, row).value for name, row in SETTINGS.items()}
    return Settings(values, overrides, tuple(unknown))


def value(path: Path, name: str) -> SettingValue:
    return _value(path, stored(path), setting(name))


def listing(path: Path) -> list[SettingValue]:
    found = stored(path)
    return [_value(path, found, row) for row in SETTINGS.values()]


def _value(path: Path, stored: dict[str, Any], row: Setting) -> SettingValue:
    variable = f"HEBB_{row.name.upper()}"
    written = environment.variable(variable)
    if written is not None:
        try:
            return SettingValue(row.name, row.read(written), "environment", row.default, row.help)
        except WrongUsage as error:
            raise WrongUsage(f"{variable}: {error}") from error
    if stored.get(row.name) is not None:
        with _blaming(path):
            found = row.read(stored[row.name])
        return SettingValue(row.name, found, "file", row.default, row.help)
    return SettingValue(row.name, row.default, "default", row.default, row.help)


def _overrides(stored: Any) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Return the overrides without what they leave to inherit, and the keys they cannot hold."""
    if not isinstance(stored, dict):
        raise WrongUsage(f"{OVERRIDES} must be an object of partitions, not {stored!r}")
    found: dict[str, dict[str, Any]] = {}
    unknown = []
    for partition, fields in stored.items():
        if not re.fullmatch(PARTITION_NAME, partition):
            unknown.append(f"{OVERRIDES}.{partition}")
            continue
        if not isinstance(fields, dict):
            raise WrongUsage(f"{OVERRIDES}.{partition} must be an object, not {fields!r}")
        found[partition] = {}
        for field, given in fields.items():
            if field not in OVERRIDE_FIELDS and field != "enabled":
                unknown.append(f"{OVERRIDES}.{partition}.{field}")
            elif given is not None:
                found[partition][field] = _override(f"{OVERRIDES}.{partition}.{field}", given)
    return found, unknown


def _override(place: str, given: Any) -> Any:
    field = place.rpartition(".")[2]
    if field == "enabled":
        if not isinstance(given, bool):
            raise WrongUsage(f"{place} must be true or false, not {given!r}")
        return given
    try:
        return OVERRIDE_FIELDS[field].read(given)
    except WrongUsage as error:
        raise WrongUsage(f"{place}: {error}") from error


def _alone(before: Stored, after: Stored, content: bytes) -> AbstractContextManager[None]:
    return nullcontext()


def change(path: Path, name: str, written: str, around: Around = _alone) -> SettingValue:
    """Write one setting, atomically. Keys this version does not know are kept."""
    row = setting(name)
    chosen = row.read(written)
    with _editing(path, around) as found:
        found[row.name] = chosen
    return value(path, name)


def remove(path: Path, name: str, around: Around = _alone) -> SettingValue:
    """Take one setting out of the file, also one whose value is out of range."""
    row = setting(name)
    with _editing(path, around) as found:
        found.pop(row.name, None)
    return value(path, name)


def change_override(
    path: Path, partition: str, fields: dict[str, Any], around: Around = _alone
) -> None:
    """Write the given fields of one partition's override; the others keep their value."""
    with _editing(path, around) as found:
        overrides = found.setdefault(OVERRIDES, {})
        with _blaming(path):
            _overrides(overrides)
        overrides[partition] = (overrides.get(partition) or {}) | fields


def remove_override(path: Path, partition: str, fields: list[str], around: Around = _alone) -> None:
    """Take fields of one partition's override out of the file, or all of it where none is named."""
    with _editing(path, around) as found:
        overrides = found.get(OVERRIDES)
        if not isinstance(overrides, dict) or not isinstance(overrides.get(partition), dict):
            return
        override = overrides[partition]
        for field in fields or list(override):
            override.pop(field, None)
        if not override:
            del overrides[partition]


def rewrite(path: Path, change: Callable[[Stored], Stored], around: Around = _alone) -> None:
    """Replace all that the file holds, atomically, by what ``change`` makes of it."""
    with _editing(path, around) as found:
        wanted = change(dict(found))
        found.clear()
        found.update(wanted)


@contextmanager
def _editing(path: Path, around: Around) -> Iterator[Stored]:
    """Give the file's object to be changed, and write it back: under a lock, atomically.

    The writing happens inside ``around``, which is told what it changes.
    """
    target = resolved(path)  # a link to a file elsewhere stays a link
    try:
        private_folder(target.parent)
        with _locked(target):
            found = stored(target)
            before = deepcopy(found)
            yield found
            content = _encoded(found)
            if content != _encoded(before):
                with around(before, found, content):
                    _write(target, content)
    except OSError as error:
        if error.errno in NO_ROOM:
            raise DiskFull(path) from error
        raise BadFile(
            f"cannot write {path}: {error.strerror or error}", hint="nothing was changed"
        ) from error
    except RecursionError as error:  # what can be read may still be too deep to be written back
        raise BadFile(f"cannot write {path}: it is nested too deeply", hint=MEND) from error


def _write(path: Path, content: bytes) -> None:
    draft = path.with_name(f"{path.name}.new")
    descriptor = os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
    with open(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    synced(path.parent)


def _encoded(stored: dict[str, Any]) -> bytes:
    try:
        return json.dumps(stored, indent=2, ensure_ascii=False).encode() + b"\n"
    except UnicodeEncodeError:  # half of a surrogate pair: only an escape holds it
        return json.dumps(stored, indent=2).encode() + b"\n"


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    lock = os.open(path.with_name(f"{path.name}.lock"), os.O_CREAT | os.O_WRONLY, 0o600)
    try:
        _wait_for(lock, path)
        yield
    finally:
        os.close(lock)


@contextmanager
def held_if_free(path: Path) -> Iterator[bool]:
    """Keep others from changing a settings file, unless one is just doing so: say which."""
    import fcntl

    try:
        lock = os.open(path.with_name(f"{path.name}.lock"), os.O_WRONLY)
    except FileNotFoundError:  # nobody can be changing it
        yield True
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        free = True
    except BlockingIOError:
        free = False
    try:
        yield free
    finally:
        os.close(lock)


def _wait_for(lock: int, path: Path) -> None:
    """Take the lock of the settings file, or give up as a writer of the store does.

    Raises:
        StoreBusy: another process held it all the time.
    """
    import fcntl
    import time

    seconds = environment.busy_timeout()
    for _ in range(int((5 if seconds is None else seconds) / LOCK_POLL_SECONDS)):
        try:
            return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(LOCK_POLL_SECONDS)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise StoreBusy(
            f"{path} is being changed by another process", hint="try again when it is done"
        ) from error


@contextmanager
def _blaming(path: Path) -> Iterator[None]:
    """Report a wrong value in the file as the file's fault, not the command's."""
    try:
        yield
    except WrongUsage as error:
        raise BadFile(
            f"{path}: {error}", hint="correct it there, or 'hebb config unset' it"
        ) from error


def stored(path: Path) -> dict[str, Any]:
    """Return all that the file holds, unchecked.

    Raises:
        BadFile: it cannot be read, or holds no JSON object.
    """
    try:
        found = json.loads(path.read_text("utf-8-sig"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise BadFile(f"cannot read {path}: {error.strerror or error}") from error
    except ValueError as error:
        raise BadFile(f"cannot read {path}: {error}", hint=MEND) from error
    except RecursionError as error:
        raise BadFile(f"cannot read {path}: it is nested too deeply", hint=MEND) from error
    if not isinstance(found, dict):
        raise BadFile(f"cannot read {path}: it must hold one JSON object")
    return found
