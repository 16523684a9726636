"""Look a store over, and mend what can be mended without losing a memory."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from hebbctl import config, times
from hebbctl.errors import EmbedderError, HebbError, StoreDamaged, StoreError, Unsound
from hebbctl.places import KEY
from hebbctl.store import Store
from hebbctl.usecases import checks
from hebbctl.usecases.checks import Check

Progress = Callable[[int, int], None]

# Check -> what mends its rows, in this order.
MENDS: dict[str, Callable[[Store], None]] = {
    "references": lambda store: store.health.mend_orphans(),
    "edges": lambda store: store.health.mend_edges(),
    "values": lambda store: store.health.mend_values(),
    "times": lambda store: store.health.mend_times(),
    "contents": lambda store: store.health.mend_digests(),
    "vectors": lambda store: store.vectors.mend_odd(),
}
# After these the index holds other words than the texts.
INDEXED_ANEW = ("index", "preparation", "values", "contents")


class DoctorReport(NamedTuple):
    """How a store is. ``ok`` means no problem; ``fixed`` says what this run mended, in words.

    ``kept`` says what a rebuild left as it was, and why.
    """

    ok: bool
    store: str
    checks: tuple[Check, ...]
    fixed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


def examine(
    path: Path, settings_path: Path, reader: Callable[[], Store], *, progress: Progress
) -> DoctorReport:
    """Return how a store is; it is only read. Where there is none, that is no problem.

    Raises:
        StoreError: it cannot be opened at all.
    """
    if not path.exists():
        nothing = Check("store", "note", 0, f"there is no {path} yet", "'hebb add' makes it")
        versions = checks.versions(checks.Patient(reader(), settings_path))
        return DoctorReport(True, str(path), (nothing, versions))
    found = checks.examine(checks.Patient(reader(), settings_path), progress)
    return DoctorReport(all(one.status != "problem" for one in found), str(path), found)


def treat(
    before: DoctorReport,
    settings_path: Path,
    reader: Callable[[], Store],
    writer: Callable[[], Store | None],
    *,
    rebuild: bool,
    fix: bool,
    progress: Progress,
) -> DoctorReport:
    """Make the index and the vectors anew, or mend what was found. Returns how the store is then.

    A damaged file is left as it is: writing into it could cost what can still be read.
    """
    path = Path(before.store)
    wrong = {one.name: one for one in before.checks if one.status != "ok"}
    store = None if "store" in wrong else _opened(writer)
    if store is None or not _sound(store, wrong, fix=fix):
        return _beyond_mending(before)
    if fix:
        _mend(store, wrong)
    if rebuild or (fix and wrong.keys() & set(INDEXED_ANEW)):
        _index_anew(store, progress)
    if rebuild or (fix and wrong.keys() & {"erasures", "backups", *INDEXED_ANEW}):
        store.finish_all()
    made, kept = _vectors_anew(store, settings_path, progress) if rebuild else ("", "")
    after = examine(path, settings_path, reader, progress=progress)
    fixed = _fixed(wrong, after, rebuild=rebuild)
    return after._replace(fixed=(*fixed, made) if made else fixed, kept=(kept,) if kept else ())


def _beyond_mending(found: DoctorReport) -> DoctorReport:
    """Say the next step where a file that is damaged was left as it is."""
    hint = "it was left as it is: 'hebb backup list' names copies to restore"
    problems = ("store", "integrity")
    checks = [one._replace(hint=hint) if one.name in problems else one for one in found.checks]
    return found._replace(checks=tuple(checks))


def _opened(writer: Callable[[], Store | None]) -> Store | None:
    try:
        return writer()
    except StoreDamaged:
        return None


def _sound(store: Store, wrong: dict[str, Check], *, fix: bool) -> bool:
    """Say whether the file is fit to be written, once its plain indexes are made anew."""
    if "integrity" not in wrong:
        return True
    if not fix:
        return False
    try:
        with store.transaction():
            store.health.mend_btrees()
            _note(store, wrong["integrity"])
            if damage := store.health.damage():
                raise StoreDamaged(damage[0])
    except StoreError:
        return False
    return True


def _mend(store: Store, wrong: dict[str, Check]) -> None:
    for name, mend in MENDS.items():
        if name in wrong:
            with store.transaction():
                mend(store)
                _note(store, wrong[name])
    if "rights" in wrong:
        for file in checks.open_to_others(store):
            file.chmod(0o600)
    if "key" in wrong:
        key = store.path.with_name(KEY)
        stamp = times.stamp(store.now)
        key.rename(key.with_name(f"hebb.key.damaged-{stamp}"))
    if "journal" in wrong:
        store.health.mend_journal()
    for name in ("index", "rights", "key", "journal", "erasures", "backups"):
        if name in wrong:
            with store.transaction():
                _note(store, wrong[name])


def _note(store: Store, check: Check) -> None:
    store.audit.event("fix", f"{check.name}: {check.message}")


def _index_anew(store: Store, progress: Progress) -> None:
    with store.transaction():
        count = store.search.rebuild(progress)
        store.audit.event("fix", f"index made anew of {count} memories")


def _vectors_anew(store: Store, settings_path: Path, progress: Progress) -> tuple[str, str]:
    """Make the vectors of the chosen embedder anew, if there are any.

    Returns what was done, and why something was not; both are empty where there is no vector.
    """
    held = {one.model for one in store.vectors.held()}
    if not held:
        return "", ""
    from hebbctl import embeddings
    from hebbctl.usecases import embedding

    try:
        embedder = embedding.needed(embeddings.chosen(config.load(settings_path)))
        if embedder.name not in held:
            raise EmbedderError(f"none is by {embedder.name}", hint="'hebb embed' makes them")
        made = embedding.embed_anew(store, embedder, progress=progress).made
    except HebbError as error:
        hint = f" ({error.hint})" if error.hint else ""
        return "", f"vectors that are not made anew stay: {error}{hint}"
    done = f"{made} vectors by {embedder.name} were made anew"
    with store.transaction():
        store.audit.event("fix", done)
    return done, ""


def _fixed(wrong: dict[str, Check], after: DoctorReport, *, rebuild: bool) -> tuple[str, ...]:
    well = {one.name for one in after.checks if one.status == "ok"}
    fixed = [f"{one.name}: {one.message}" for one in wrong.values() if one.name in well]
    return (*(["the full-text index was made anew"] if rebuild else []), *fixed)


def failure(found: DoctorReport) -> HebbError | None:
    """Return what to report as the command's failure: None where there is no problem."""
    problems = [one.name for one in found.checks if one.status == "problem"]
    if not problems:
        return None
    return Unsound(
        f"{len(problems)} of {len(found.checks)} checks found a problem: {', '.join(problems)}",
        hint="each problem names its next step",
    )
