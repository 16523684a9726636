"""Projects: the store of one, made; and where everything is that a run from here would use."""

from collections.abc import Callable
from pathlib import Path

from hebbctl import places
from hebbctl.places import BACKUPS, KEY, Place
from hebbctl.reports import NamedPlace, PlacesReport, Project


def make(folder: Path, make_store: Callable[[Path], None], *, db: Path | None) -> Project:
    """Make the store of a project, or leave the one that is there."""
    path = places.make_project(folder)
    existing = path.exists()
    make_store(path)
    used = places.store(db)
    return Project(str(path), existing, str(used.path), used.origin)


def overview(store: Place, settings: Place, *, scope: str) -> PlacesReport:
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
    )
