"""Places: where the store and the settings of a run are, and why there."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from hebbctl.environment import home_folder, variable, working_folder
from hebbctl.errors import StoreError, WrongUsage

PROJECT = ".hebb"  # the folder that 'hebb init' makes
STORE = "hebb.db"
SETTINGS = "hebb.json"
KEY = "hebb.key"  # beside the store, of the audit's hashes
BACKUPS = "backups"  # beside the store


class Place(NamedTuple):
    """A file, whether it is there or not, and what chose it: an option, a variable, a project."""

    path: Path
    origin: str


def store(option: Path | None) -> Place:
    """Return where the store is: named, in HEBB_HOME, of the project, or of the user.

    Raises:
        WrongUsage: what is named is no file's name.
        StoreError: nothing names one, and the user has no home.
    """
    return _named(option, "--db", "HEBB_DB", STORE) or _project_file(STORE) or _users_store()


def settings(option: Path | None, *, db: Path | None) -> Place:
    """Return where the settings are; a project's govern its own store and no other.

    Raises:
        WrongUsage: what is named is no file's name.
        StoreError: nothing names a place, and the user has no home.
    """
    if named := _named(option, "--config", "HEBB_CONFIG", SETTINGS):
        return named
    own_store = _named(db, "--db", "HEBB_DB", STORE)
    if own_store and own_store.path.parent.name == PROJECT:  # as cron names a project's store
        return Place(own_store.path.with_name(SETTINGS), "project")
    return (None if own_store else _project_file(SETTINGS)) or _users_settings()


def _named(option: Path | None, spelling: str, name: str, file: str) -> Place | None:
    if option:
        return _file(option, spelling, file)
    if chosen := variable(name):
        return _file(Path(chosen), name, file)
    home = variable("HEBB_HOME")
    return Place(Path(home, file), "HEBB_HOME") if home else None


def _file(path: Path, origin: str, file: str) -> Place:
    """Return the place of a file; beside what has no name, as . and / have none, nothing can be."""
    if not path.name:
        raise WrongUsage(
            f"{origin} must name a file, not the folder {path}", hint=f"such as {path / file}"
        )
    return Place(path, origin)


def _users_store() -> Place:
    return _xdg("XDG_DATA_HOME", ".local/share", STORE)


def overlooked_store(path: Path) -> Path | None:
    """Return the user's own store if it is there and another one than that at ``path``."""
    try:
        own = _users_store().path
    except StoreError:
        return None
    return own if own != path and _is_there(own) else None


def _users_settings() -> Place:
    return _xdg("XDG_CONFIG_HOME", ".config", SETTINGS)


def _xdg(name: str, otherwise: str, file: str) -> Place:
    base = Path(variable(name) or "")
    if base.is_absolute():
        return Place(base / "hebb" / file, name)
    try:  # unset, or relative: "ignore it", says the XDG specification
        return Place(home_folder() / otherwise / "hebb" / file, "default")
    except RuntimeError as error:
        raise StoreError(
            "cannot find a home directory", hint="pass --db or set HEBB_HOME"
        ) from error


def _project_file(file: str) -> Place | None:
    root = project_with_store()
    return Place(root / PROJECT / file, "project") if root else None


def project_with_store() -> Path | None:
    """Return the nearest folder at or above the working directory with a store of this user.

    Somebody else's is passed over: a folder that all may write to could hold one as a trap.
    """
    return next(filter(_holds_own_store, _roots()), None)


def project() -> Path | None:
    """Return the project around the working directory: a folder with a store or a repository."""
    for root in _roots():
        if _holds_own_store(root) or _is_there(root / ".git"):
            return root
    return None


def _roots() -> Iterator[Path]:
    """Yield the working directory and those above it, each linked worktree as its repository."""
    here = working_folder()
    for folder in (here, *here.parents) if here else ():
        yield main_worktree(folder) or folder


def main_worktree(folder: Path) -> Path | None:
    """Return the folder of the repository that a linked git worktree belongs to, if it is one.

    Source: gitrepository-layout(5): its .git is a file that names a folder, whose file
    ``commondir`` names the repository's own .git.
    """
    try:
        named = (folder / ".git").read_text("utf-8").removeprefix("gitdir:").strip()
        administrative = folder / named
        common = administrative / (administrative / "commondir").read_text("utf-8").strip()
    except (OSError, ValueError):  # no worktree, not readable, or no text
        return None
    common = resolved(common)
    return common.parent if common.name == ".git" else None  # a bare one has no folder of files


def _holds_own_store(root: Path) -> bool:
    """Say whether a folder has a store whose files, and links to such, are all the user's own."""
    store, settings = root / PROJECT / STORE, root / PROJECT / SETTINGS
    try:
        owners = {path.lstat().st_uid for path in (store.parent, store)}
        owners |= {settings.lstat().st_uid} if os.path.lexists(settings) else set()
    except (OSError, ValueError):
        return False
    return owners == {os.geteuid()} and store.exists()


def real(path: Path) -> Path:
    """Return the file that a link leads to: what belongs beside a store is beside that one."""
    return resolved(path) if path.is_symlink() else path


def resolved(path: Path) -> Path:
    """Return a path without links. Of a link that leads to itself it is just a part.

    Not Path.resolve(): for such a link it raises a RuntimeError before Python 3.13.
    """
    return Path(os.path.realpath(path))


def copies_beside(store: Path) -> list[Path]:
    """Return the copies of a store that are in the folder beside it, which others may share."""
    file = real(store)
    own = re.compile(rf"{re.escape(file.stem)}-\d{{8}}T\d{{6}}Z(-\d+)?\.db")  # named by time
    return sorted(one for one in (file.parent / BACKUPS).glob("*.db") if own.fullmatch(one.name))


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def make_project(folder: Path) -> Path:
    """Make the folder of a project's store, ignored by git, and return where the store belongs.

    Raises:
        WrongUsage: there is no such folder.
        StoreError: it cannot be written.
    """
    if not folder.is_dir():
        raise WrongUsage(f"no folder {str(folder)!r}", hint="make it first, or leave it out")
    try:
        here = folder.resolve(strict=True)
    except OSError as error:
        raise WrongUsage(f"cannot use folder {str(folder)!r}: {error.strerror}") from error
    repository = next((one for one in (here, *here.parents) if _is_there(one / ".git")), here)
    root = main_worktree(repository) or here
    if (root / PROJECT).is_symlink():
        raise WrongUsage(f"{root / PROJECT} is a link", hint="a store is made in a real folder")
    try:
        private_folder(root / PROJECT)
        ignored = root / PROJECT / ".gitignore"
        if not ignored.exists():
            ignored.touch(mode=0o600)
            ignored.write_text("*\n")
    except OSError as error:
        raise StoreError(f"cannot make {root / PROJECT}: {error.strerror}") from error
    return root / PROJECT / STORE


def private_folder(path: Path) -> None:
    """Make a folder and those above it, as far as they are missing, for the user alone."""
    if not path.parent.exists():
        private_folder(path.parent)
    path.mkdir(mode=0o700, exist_ok=True)


def synced(path: Path) -> None:
    """Wait until a file or the names in a folder are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
