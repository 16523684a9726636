"""Copy the store, list the copies, and put one in its place."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from hebbctl.errors import Refused, StoreBusy, StoreDamaged, StoreError, WrongUsage
from hebbctl.places import copies_beside
from hebbctl.reports import Backup
from hebbctl.store import Store

Confirm = Callable[[str], bool]
Say = Callable[[str], None]


class RestoreReport(NamedTuple):
    """What a backup put in place brought, and where what was there before is now."""

    store: str
    file: str
    memories: int
    stayed_erased: int  # memories of the backup that were erased here since
    saved: str | None  # a backup of the store before
    set_aside: str | None  # the store before, where it was damaged


def create(store: Store | None, target: Path | None, *, say: Say) -> Backup:
    """Copy the store, beside it or to a file that does not exist yet.

    Raises:
        StoreError: there is no store, or no place for a copy.
        Refused: the target exists.
    """
    if store is None:
        raise StoreError("there is no store to copy yet", hint="'hebb add' makes one")
    if target is not None and not target.exists():
        try:
            store.backups.remember(target)  # before it is made: a killed run leaves no unknown copy
        except StoreBusy:
            say(f"erasing will not reach {target}: another process is writing, so it is not noted")
    return store.backups.make(target)


def listing(path: Path, opened: Callable[[], Store]) -> list[Backup]:
    """Return the backups that hebb made of a store, the newest first.

    Of a damaged one they are those beside it: only the store itself knows of others.
    """
    from hebbctl.store.backups import described

    try:
        paths = opened().backups.found()
    except StoreDamaged:
        paths = copies_beside(path)
    found = [described(path) for path in paths]
    return sorted(found, key=lambda backup: (backup.made_at or 0, backup.path), reverse=True)


def restore(
    path: Path,
    file: Path,
    opened: Callable[[], Store],
    *,
    now: int,
    with_erased: bool,
    confirm: Confirm,
) -> RestoreReport:
    """Put a backup in the place of a store, which is copied or set aside first.

    Raises:
        BadFile: the backup is none, or damaged.
        Refused: the store holds memories and ``confirm`` says no. Nothing was changed.
    """
    from hebbctl.store import restoring

    if path.exists() and file.exists() and path.samefile(file):
        raise WrongUsage(f"{file} is the store itself", hint="'hebb backup list' names the backups")
    with restoring.successor(file, path, now=now) as successor:
        present = _usable(opened)
        version = present.backups.data_version() if present else None
        saved = _saved(present, path, file, confirm) if present else None
        memories, stayed = restoring.fill_in(
            successor,
            restoring.kept(path, now=now),
            with_erased=with_erased,
            actor=present.audit.actor if present else "cli",
            reason=f"backup {file}",
        )
        aside = None
        if present:
            if present.backups.data_version() != version:  # what it did would be in no copy
                raise StoreBusy(f"{path} was changed meanwhile", hint="try again; it is as it was")
            restoring.put_in(successor, path, now=now)
        else:
            aside = str(restoring.put_in_place_of_damaged(successor, path, now=now))
    return RestoreReport(str(path), str(file), memories, stayed, saved, aside)


def _saved(store: Store, path: Path, file: Path, confirm: Confirm) -> str | None:
    """Copy what is to be replaced, once that is allowed. Returns where it is, None of nothing."""
    total = store.statistics.total()
    if not total:
        return None
    if not confirm(f"Replace what is in {path} ({total} in all) by {file}?"):
        raise Refused(
            f"{path} is not empty ({total} in all): replacing it needs a confirmation",
            hint="add --yes, it is copied first; nothing was changed",
        )
    return store.backups.make().path


def _usable(opened: Callable[[], Store]) -> Store | None:
    """Return the store there is now, made if there is none; None where it is damaged."""
    try:
        store = opened()
    except StoreDamaged:
        return None
    if store.health.damage():
        store.close()  # before its log is moved: closing would delete the log of its name
        return None
    return store
