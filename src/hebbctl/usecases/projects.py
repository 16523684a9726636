"""Projects: the store of one, made; and where everything is that a run from here would use."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from hebbctl import places
from hebbctl.places import BACKUPS, KEY, Place


class Project(NamedTuple):
    """A project's store just made, or found there, and the store that a run from here uses."""

    path: str
    existing: bool
    in_use: str
    origin: str  # what chose the one in use


class NamedPlace(NamedTuple):
    """One file or folder of hebb's, and what says that it is there."""

    name: str
    path: str
    exists: bool
    origin: str


class PlacesReport(NamedTuple):
    """Everything that is read and written, and the project around the working directory."""

    places: tuple[NamedPlace, ...]
    project: str | None
    scope: str  # of what is added from here
    scope_origin: str  # HEBB_SCOPE, project or default


def make(folder: Path, make_store: Callable[[Path], None], *, db: Path | None) -> Project:
    """Make the store of a project, or leave the one that is there."""
    path = places.make_project(folder)
    existing = path.exists()
    make_store(path)
    used = places.store(db)
    return Project(str(path), existing, str(used.path), used.origin)


def overview(store: Place, settings: Place, *, scope: str, scope_origin: str) -> PlacesReport:
    """Say where everything is: nothing is made or opened."""
    beside = places.real(store.path)
    found = {
        "store": store,
        "settings": settings,
        "key": Place(beside.with_name(KEY), "beside the store"),
        "backups": Place(beside.with_name(BACKUPS), "beside the store"),
    }
    root = places.project()
    return PlacesReport(
        places=tuple(
            NamedPlace(name, str(place.path), place.path.exists(), place.origin)
            for name, place in found.items()
        ),
        project=str(root) if root else None,
        scope=scope,
        scope_origin=scope_origin,
    )
