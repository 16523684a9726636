"""Import and export: files in, files out, nothing lost on the way."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from hebbctl.documents import jsonl
from hebbctl.errors import BadFile, HebbError, WrongUsage
from hebbctl.models import Draft
from hebbctl.reports import ImportReport
from hebbctl.store import Store

BATCH = 5000  # lines in one transaction: other writers wait half a second at most

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
    most_bytes: float,
    most_store_bytes: float = 0,
    progress: Progress,
) -> ImportReport:
    """Store a memory for each line; what is there already, by uid or by text, is left alone.

    With ``replace`` a line whose uid is there gives that memory all it holds, and its old text is
    erased.
    A bad line is reported and the rest goes on; with ``strict`` one bad line keeps all out.
    """
    reader = _Reader(store, restore_deleted, replace, most_bytes, most_store_bytes)
    with store.bulk():
        if strict:
            _read_all_or_none(store, reader, lines, progress)
        else:
            reader.read_all(lines, progress)
    return reader.report()


def _read_all_or_none(
    store: Store, reader: "_Reader", lines: Iterable[bytes], progress: Progress
) -> None:
    try:
        with store.transaction():
            reader.read_all(lines, progress)
            if reader.rejected:
                raise _BadLineMet
    except _BadLineMet:
        reader.take_back()


class _Reader:
    """Counts what becomes of the lines while they are stored in batches."""

    def __init__(
        self,
        store: Store,
        restore_deleted: bool,
        replace: bool,
        most_bytes: float,
        most_store_bytes: float,
    ) -> None:
        self._store = store
        self._most_bytes = most_bytes
        self._most_store_bytes = most_store_bytes
        self._restore_deleted = restore_deleted
        self._overwrite = store.changes.overwrite if replace else None
        self._retexted: dict[str, str] = {}  # uid -> text, of what was replaced
        self.outcomes = {"stored": 0, "existing": 0, "replaced": 0, "deleted": 0}
        self.rejected: list[tuple[int, str]] = []
        self._replaced = 0
        self._unknown: dict[str, None] = {}  # in the order met
        self._successors: dict[str, str] = {}

    def read_all(self, lines: Iterable[bytes], progress: Progress) -> None:
        numbered = enumerate(lines, start=1)
        while batch := list(islice(numbered, BATCH)):
            self._store_batch(list(self._drafts(batch)))
            progress(batch[-1][0], 0)
        if self._successors:
            self._store.imports.link_successors(self._successors)

    def _drafts(self, batch: list[tuple[int, bytes]]) -> Iterator[tuple[int, Draft]]:
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
            yield number, line.draft

    def _store_batch(self, numbered: list[tuple[int, Draft]]) -> None:
        results = self._store.imports.add_all(
            [draft for _, draft in numbered],
            restore_deleted=self._restore_deleted,
            overwrite=self._overwrite,
            most_store_bytes=self._most_store_bytes,
        )
        for (number, draft), result in zip(numbered, results, strict=True):
            if result in self.outcomes:
                self.outcomes[result] += 1
                if result == "replaced" and draft.uid:
                    self._retexted[draft.uid] = draft.content
                if result != "existing" and draft.uid and draft.superseded_by:
                    self._successors[draft.uid] = draft.superseded_by
            else:
                self.rejected.append((number, result))

    def take_back(self) -> None:
        """Count nothing as done: the transaction around it all was rolled back."""
        self.outcomes = dict.fromkeys(self.outcomes, 0)
        self._retexted = {}

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


def export_lines(store: Store, *, ascii_only: bool) -> Iterator[str]:
    """Return every memory as a line, archived ones too, by uid."""
    return (jsonl.write(memory, ascii_only=ascii_only) for memory in store.memories.export())
