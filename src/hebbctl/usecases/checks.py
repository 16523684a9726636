"""What the doctor looks at, in the order of the report: one function for each row."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hebbctl import __version__, config, text
from hebbctl.errors import HebbError, StoreBusy, StoreError
from hebbctl.places import KEY, resolved
from hebbctl.secrets import KEY_BYTES
from hebbctl.store import Store
from hebbctl.store.owed import is_running, owed

if TYPE_CHECKING:
    from hebbctl.embeddings import Embedder

Progress = Callable[[int, int], None]

FIX = "'hebb doctor --fix' "
OTHERS = 0o077  # the rights of anybody but the user


class Check(NamedTuple):
    """One thing the doctor looked at. ``hint`` is the next step, None where there is none."""

    name: str
    status: str  # ok, note, problem
    count: int  # type: ignore[assignment]  # hides tuple.count: the name is the JSON contract
    message: str
    hint: str | None = None


class Patient(NamedTuple):
    """A store to be looked at, and the settings that go with it."""

    store: Store
    settings_path: Path


def examine(patient: Patient, progress: Progress) -> tuple[Check, ...]:
    """Return one row for each check. Nothing is written."""
    found = []
    for name, check in CHECKS.items():
        found.append(_guarded(name, check, patient))
        progress(len(found), len(CHECKS))
    return tuple(found)


def _guarded(name: str, check: Callable[[Patient], Check], patient: Patient) -> Check:
    try:
        return check(patient)._replace(name=name)
    except StoreBusy as error:
        return Check(name, "note", 0, f"not checked: {error}", error.hint)
    except StoreError as error:
        return Check(name, "problem", 1, f"cannot be checked: {error}", error.hint)


def _sound(message: str) -> Check:
    return Check("", "ok", 0, message)


def _note(count: int, message: str, hint: str | None) -> Check:
    return Check("", "note", count, message, hint)


def _problem(count: int, message: str, hint: str) -> Check:
    return Check("", "problem", count, message, hint)


def _counted(counts: dict[str, int]) -> str:
    """Write the counts that are not 0, such as ``tags 2, edges 1``."""
    return ", ".join(f"{name} {count}" for name, count in counts.items() if count)


def _named(paths: list[Path]) -> str:
    return ", ".join(map(str, paths))


def _integrity(patient: Patient) -> Check:
    damage = patient.store.health.damage()
    if damage:
        return _problem(
            len(damage),
            f"the file is damaged: {damage[0]}",
            f"{FIX}mends it if only an index is; else 'hebb backup restore FILE'",
        )
    return _sound("every page of the file is sound")


def _rules(patient: Patient) -> Check:
    broken = patient.store.health.broken_rules()
    if broken:
        return _problem(
            len(broken),
            f"another program wrote what the schema forbids: {'; '.join(broken)}",
            "correct it with that program, or 'hebb backup restore FILE'",
        )
    return _sound("every row keeps the rules of the schema")


def _references(patient: Patient) -> Check:
    orphans = patient.store.health.orphans()
    if any(orphans.values()):
        return _problem(
            sum(orphans.values()),
            f"what they belong to is gone: {_counted(orphans)}",
            f"{FIX}removes them; no memory goes",
        )
    return _sound("everything refers to something that is there")


def _edges(patient: Patient) -> Check:
    crooked = patient.store.health.crooked_edges()
    if any(crooked.values()):
        return _problem(
            sum(crooked.values()),
            f"another program made edges that cannot be: {_counted(crooked)}",
            f"{FIX}turns those in the wrong order round and removes the others",
        )
    return _sound("every edge joins two memories, the older one first")


def _index(patient: Patient) -> Check:
    health = patient.store.health
    sound = health.index_is_sound()
    if sound is False:
        return _problem(1, "the full-text index is damaged", f"{FIX}makes it anew")
    counts = health.index_gaps() | {"differing words": _differing_words(patient)}
    if any(counts.values()):
        return _problem(
            sum(counts.values()),
            f"the full-text index does not fit the texts: {_counted(counts)}",
            f"{FIX}makes it anew",
        )
    if sound is None:
        return _note(0, "the index fits the texts; its pages were not checked", "it is read-only")
    return _sound("the full-text index fits the texts")


def _differing_words(patient: Patient) -> int:
    """Count nothing where another version prepared the words: the preparation has its own row."""
    health = patient.store.health
    same = health.figures()["text_version"] == text.VERSION
    return health.differing_words() if same else 0


def _preparation(patient: Patient) -> Check:
    version = patient.store.health.figures()["text_version"]
    if version != text.VERSION:
        return _note(
            1,
            f"indexed by preparation {version}, this hebb has {text.VERSION}",
            "the next command that writes makes the index anew",
        )
    return _sound(f"indexed by this version's preparation, {version}")


def _contents(patient: Patient) -> Check:
    changed = patient.store.health.changed_contents()
    if changed:
        return _problem(
            changed,
            "texts were changed by another program: they are not found by their words",
            f"{FIX}takes them as they are now",
        )
    return _sound("no text was changed by another program")


def _values(patient: Patient) -> Check:
    broken = patient.store.health.broken_values()
    if any(broken.values()):
        return _problem(
            sum(broken.values()),
            f"no reader can show them: {_counted(broken)}",
            f"{FIX}writes bytes that are no text as \\xNN and keeps metadata as damaged_metadata",
        )
    return _sound("every value can be shown")


def _times(patient: Patient) -> Check:
    future = patient.store.health.future_times()
    if future:
        return _problem(
            future,
            "memories were made, used or archived in the future: till then they do not fade",
            f"check this computer's clock first; then {FIX}takes now",
        )
    return _sound("no time lies in the future")


def _erasures(patient: Patient) -> Check:
    mark = patient.store.health.figures().get("erasure_pending")
    if mark and is_running(mark):
        return _note(0, "another process is just wiping what it erased", "look again later")
    if mark:
        return _problem(
            1,
            "words of erased memories may still be in the file",
            f"close what reads the store; {FIX}or the next command that writes wipes them",
        )
    return _sound("no erasure is pending")


def _backups(patient: Patient) -> Check:
    backups = patient.store.backups
    uids, texts = backups.erased(), backups.edited()
    holding, unreadable = [], []
    for copy in [*backups.found(), *backups.migration_copies()]:
        try:
            if backups.holding(copy, uids, texts):
                holding.append(copy)
        except StoreError:
            unreadable.append(copy)
    debts = owed(patient.store.health.figures())
    if holding and any(map(is_running, debts.runs.values())):
        return _note(0, "another process is just erasing from the copies", "look again later")
    if holding:
        return _problem(
            len(holding), f"what was erased is still in {_named(holding)}", f"{FIX}erases it"
        )
    if unreadable:
        return _note(len(unreadable), f"cannot be read: {_named(unreadable)}", "delete it by hand")
    if gone := [one for one in debts.copies if not one.is_file()]:
        return _note(
            len(gone),
            f"not there: {_named(gone)}",
            "what was erased since is erased from it as soon as it is back; if it is gone,"
            " all is well",
        )
    return _sound(f"{len(backups.found())} found, none holds what was erased")


def _leftovers(patient: Patient) -> Check:
    backups, settings = patient.store.backups, patient.settings_path
    left = backups.migration_copies() + backups.set_aside() + backups.drafts()
    left += backups.editing_drafts()
    left += [one for one in [settings.with_name(f"{settings.name}.new")] if one.exists()]
    left += [one for one in _key(patient).parent.glob("hebb.key.*") if one.suffix != ".part"]
    if left:
        return _note(
            len(left),
            f"left by earlier runs: {_named(left)}",
            "delete them when nothing needs them",
        )
    return _sound("no earlier run left a file")


def _journal(patient: Patient) -> Check:
    mode = patient.store.health.figures()["journal_mode"]
    if mode != "wal" and not _is_marked_wal(patient.store.path):
        return _note(
            1,
            f"the journal mode is {mode} on {_filesystem(patient.store.path)}: readers and writers"
            " wait for each other",
            f"{FIX}switches to WAL; where the disk refuses that, as network disks do,"
            " 'hebb backup create FILE' copies the store to a local one, for HEBB_DB to name",
        )
    return _sound("write-ahead log: readers and writers do not wait for each other")


def _filesystem(path: Path) -> str:
    """Return the kind of file system a store is on, such as nfs4, where Linux tells."""
    try:
        mounts = [line.split() for line in Path("/proc/mounts").read_text("utf-8").splitlines()]
        above = [(where, kind) for _, where, kind, *_ in mounts if path.is_relative_to(where)]
        return max(above, key=lambda one: len(one[0]))[1]
    except (OSError, ValueError):
        return "this file system"


def _is_marked_wal(path: Path) -> bool:
    """Ask the file itself: opened where nothing can be written, SQLite calls every mode delete."""
    with path.open("rb") as file:
        return file.read(19)[18:] == b"\2"  # Source: sqlite.org/fileformat2.html, 1.3.3


def _rights(patient: Patient) -> Check:
    readable = open_to_others(patient.store)
    if readable:
        return _problem(
            len(readable), f"others may use {_named(readable)}", f"{FIX}makes them yours alone"
        )
    folder = resolved(patient.store.path).parent
    if folder.stat().st_mode & OTHERS:
        return _note(1, f"others may look into {folder}", f"chmod 700 {folder}, if it is hebb's")
    return _sound("the files are yours alone")


def open_to_others(store: Store) -> list[Path]:
    """Return the store's files and copies that anybody but the user may read or write."""
    beside = [store.path.with_name(store.path.name + ending) for ending in ("-wal", "-shm")]
    copies = store.backups.found() + store.backups.migration_copies() + store.backups.set_aside()
    files = [store.path, *beside, store.path.with_name(KEY), *copies]
    return [one for one in files if one.is_file() and one.stat().st_mode & OTHERS]


def _key(patient: Patient) -> Path:
    return patient.store.path.with_name(KEY)


def _audit_key(patient: Patient) -> Check:
    key = _key(patient)
    if not key.exists():
        return _sound(f"{key} will be made when it is needed")
    if key.stat().st_size != KEY_BYTES:
        return _problem(
            1,
            f"{key} does not hold {KEY_BYTES} bytes: nothing can be archived or erased",
            f"put the right one back, or {FIX}sets it aside for a new one",
        )
    return _sound("the key of the audit's hashes is whole")


def _settings(patient: Patient) -> Check:
    try:
        unknown = config.load(patient.settings_path).unknown
    except HebbError as error:
        return _problem(1, str(error), error.hint or "correct it there")
    if unknown:
        return _note(len(unknown), f"keys without meaning: {', '.join(unknown)}", "remove them")
    return _sound("the settings can be read")


def versions(patient: Patient) -> Check:
    """Return what would have to be known of whoever reports a fault."""
    figures = patient.store.health.figures()
    python = ".".join(map(str, sys.version_info[:3]))
    found = _sound(
        f"hebb {__version__}, schema {figures['schema']}, Python {python},"
        f" SQLite {figures['sqlite']} with {figures['built_with']}"
    )
    return found._replace(name="versions")


def _vectors(patient: Patient) -> Check:
    """Say whether recall goes by meaning, too, and if not, why."""
    from hebbctl import embeddings

    vectors = patient.store.vectors
    if odd := vectors.odd():
        fewer = [one for one in vectors.held() if one.size != odd.get(one.model, one.size)]
        return _problem(
            sum(one.count for one in fewer),
            f"vectors of several sizes by one model: {', '.join(odd)}",
            f"{FIX}drops the fewer",
        )
    try:
        embedder = embeddings.chosen(config.load(patient.settings_path))
    except HebbError:
        return _sound("not checked: the settings cannot be read")  # which has its own row
    held = {one.model: one.count for one in vectors.held()}
    current = held.pop(embedder.name, 0) if embedder else 0
    if held:
        return _note(
            sum(held.values()),
            f"{_meaning(patient, embedder, current)}; vectors of other models: {_counted(held)}",
            "'hebb embed --remove others' drops them, unless you go back to that embedder",
        )
    return _sound(_meaning(patient, embedder, current))


def _meaning(patient: Patient, embedder: "Embedder | None", current: int) -> str:
    if embedder is None:
        return "search by meaning is off: the setting embedder is none"
    if obstacle := embedder.obstacle():
        return f"search by meaning is off: {obstacle}" + (
            f" ({obstacle.hint})" if obstacle.hint else ""
        )
    missing = patient.store.vectors.wanting(embedder.name, everything=False, ids=None)
    if not current:
        return "search by meaning is off: there are no vectors; 'hebb embed' makes them"
    rest = f"; {missing} have none: 'hebb embed'" if missing else ""
    return f"search by meaning is on: {current} vectors by {embedder.name}{rest}"


CHECKS: dict[str, Callable[[Patient], Check]] = {
    "integrity": _integrity,
    "rules": _rules,
    "references": _references,
    "edges": _edges,
    "index": _index,
    "preparation": _preparation,
    "contents": _contents,
    "values": _values,
    "times": _times,
    "erasures": _erasures,
    "backups": _backups,
    "leftovers": _leftovers,
    "journal": _journal,
    "rights": _rights,
    "key": _audit_key,
    "settings": _settings,
    "vectors": _vectors,
    "versions": versions,
}
