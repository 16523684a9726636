"""Import and export: files in, files out, nothing lost on the way."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from hebbctl.documents import jsonl
from hebbctl.documents.jsonl import Line
from hebbctl.errors import BadFile, HebbError, WrongUsage
from hebbctl.models import Draft
from hebbctl.reports import ImportReport
from hebbctl.store import Store
from hebbctl.usecases.partly import partly

BATCH = 5000  # lines in one transaction: other writers wait half a second at most
EXPORT_BATCH = 1000  # memories whose edges are asked for at once

Progress = Callable[[int, int], None]


class _BadLineMet(Exception):
    """Ends the transaction of a strict import that met a bad line."""


def import_lines(
    store: Store,
    lines: Iterable[bytes],
    *,
    strict: bool,
    restore_deleted: bool,
    replace: bool = False,
    trusted: bool = True,
    most_bytes: float,
    most_store_bytes: float = 0,
    progress: Progress,
) -> ImportReport:
    """Store a memory for each line; what is there already, by uid or by text, is left alone.

    With ``replace`` a line whose uid is there gives that memory all it holds, and its old text is
    erased.
    Unless ``trusted``, all that is stored is in quarantine, whatever its line says.
    A bad line is reported and the rest goes on; with ``strict`` one bad line keeps all out.
    """
    reader = _Reader(store, restore_deleted, replace, trusted, most_bytes, most_store_bytes)
    with partly(reader.told), store.bulk():
        if strict:
            _read_all_or_none(store, reader, lines, progress)
        else:
            reader.read_all(lines, progress)
    with partly(reader.told):
        return reader.report()


def _read_all_or_none(
    store: Store, reader: "_Reader", lines: Iterable[bytes], progress: Progress
) -> None:
    try:
        with store.transaction():
            reader.read_all(lines, progress)
            if reader.rejected:
                raise _BadLineMet
    except BaseException as error:
        reader.take_back()
        if not isinstance(error, _BadLineMet):
            raise


class _Reader:
    """Counts what becomes of the lines while they are stored in batches."""

    def __init__(
        self,
        store: Store,
        restore_deleted: bool,
        replace: bool,
        trusted: bool,
        most_bytes: float,
        most_store_bytes: float,
    ) -> None:
        self._trusted = trusted
        self._store = store
        self._most_bytes = most_bytes
        self._most_store_bytes = most_store_bytes
        self._restore_deleted = restore_deleted
        self._overwrite = store.changes.overwrite if replace else None
        self._retexted: dict[str, str] = {}  # uid -> text, of what was replaced
        self.outcomes = {"stored": 0, "existing": 0, "replaced": 0, "deleted": 0}
        self.rejected: list[tuple[int, str]] = []
        self._replaced = 0
        self._lines = 0  # that are dealt with
        self._unknown: dict[str, None] = {}  # in the order met
        self._successors: dict[str, str] = {}
        self._last_id = store.edges.last_id()
        self._has_edges = False
        self.edges_left_out = 0

    def read_all(self, lines: Iterable[bytes], progress: Progress) -> None:
        numbered = enumerate(lines, start=1)
        while batch := list(islice(numbered, BATCH)):
            self._store_batch(list(self._read(batch)))
            self._lines = batch[-1][0]
            progress(self._lines, 0)
        if self._successors:
            self._store.imports.link_successors(self._successors)
        if self._has_edges:
            self.edges_left_out = self._store.edges.bring_waiting(
                newer_than=self._last_id, overwrite=self._overwrite is not None
            )

    def _read(self, batch: list[tuple[int, bytes]]) -> Iterator[tuple[int, Line]]:
        for number, raw in batch:
            try:
                line = jsonl.read(raw, most_bytes=self._most_bytes)
            except WrongUsage as error:
                self.rejected.append((number, str(error)))
                continue
            if line is None:
                continue
            self._replaced += line.replaced
            self._unknown |= dict.fromkeys(line.unknown)
            if not self._trusted:
                line = line._replace(draft=line.draft._replace(trusted=False))
            yield number, line

    def _store_batch(self, numbered: list[tuple[int, Line]]) -> None:
        # With their edges in one transaction: a second import makes none between known memories.
        with self._store.transaction():
            results = self._store.imports.add_all(
                [line.draft for _, line in numbered],
                restore_deleted=self._restore_deleted,
                overwrite=self._overwrite,
                most_store_bytes=self._most_store_bytes,
            )
            self._join([line for _, line in numbered], results)
        for (number, line), result in zip(numbered, results, strict=True):
            if result in self.outcomes:
                self._count(line.draft, result)
            else:
                self.rejected.append((number, result))

    def _count(self, draft: Draft, result: str) -> None:
        self.outcomes[result] += 1
        if result == "replaced" and draft.uid:
            self._retexted[draft.uid] = draft.content
        if result != "existing" and draft.uid and draft.superseded_by:
            self._successors[draft.uid] = draft.superseded_by

    def _join(self, lines: list[Line], results: list[str]) -> None:
        """Join what the lines join, as far as both ends are here by now."""
        here = {"stored", "existing", "replaced"}
        edges = [
            (line.draft.uid, edge, result != "existing" or self._overwrite is not None)
            for line, result in zip(lines, results, strict=True)
            if line.draft.uid and result in here
            for edge in line.edges
        ]
        if edges:
            self._has_edges = True
            self._store.edges.bring(
                edges, newer_than=self._last_id, overwrite=self._overwrite is not None
            )

    def take_back(self) -> None:
        """Count nothing as done: the transaction around it all was rolled back."""
        self.outcomes = dict.fromkeys(self.outcomes, 0)
        self._retexted = {}
        self._lines = 0
        self.edges_left_out = 0

    def told(self) -> str:
        """Say how far the lines were stored, for the case that something ends it."""
        counted = ", ".join(f"{count:,} {name}" for name, count in self.outcomes.items() if count)
        return f"after {self._lines:,} lines: {counted or 'nothing stored'}" if self._lines else ""

    def report(self) -> ImportReport:
        texts = self._retexted
        wiped, left = self._store.finish_replacing(texts) if texts else (True, [])
        return ImportReport(
            **self.outcomes,
            replaced_characters=self._replaced,
            unknown_fields=tuple(self._unknown),
            rejected=tuple(sorted(self.rejected)),
            erasure_pending=not wiped,
            backups_left=tuple(map(str, left)),
            edges_left_out=self.edges_left_out,
        )


def failure(report: ImportReport) -> HebbError | None:
    """Return what to report as the command's failure: None where every line was good."""
    if not report.rejected:
        return None
    count = len(report.rejected)
    return BadFile(
        f"{count} {'line was' if count == 1 else 'lines were'} rejected, {report.stored} stored",
        hint="correct them and import again: what is stored is not stored twice",
    )


def named_in(store: Store, lines: Iterable[bytes]) -> list[int]:
    """Return the memories that the first cell of each line names, by id; a blank one names none.

    Raises:
        MemoryNotFound: there is no such memory.
        Ambiguous: there are several.
    """
    found, number = set(), 0
    with partly(lambda: f"it is in line {number}" if number else ""):
        for line in lines:
            number += 1
            if reference := line.decode("utf-8-sig", "replace").split("\t")[0].strip():
                found.add(store.memories.resolve(reference))
    return sorted(found)


def export_lines(store: Store, ids: Sequence[int] | None, *, ascii_only: bool) -> Iterator[str]:
    """Return memories as lines, by uid, archived ones too; all of them for None."""
    memories = store.memories.export(ids)
    among = None if ids is None else frozenset(ids)
    while batch := list(islice(memories, EXPORT_BATCH)):
        edges = store.edges.to_export([memory.id for memory in batch], among)
        for memory in batch:
            yield jsonl.write(memory, edges.get(memory.id, ()), ascii_only=ascii_only)
