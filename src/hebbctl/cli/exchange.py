"""hebb import, export."""

from pathlib import Path
from typing import Annotated

import typer

from hebbctl.cli import values
from hebbctl.cli.app import Shell
from hebbctl.cli.memories import still_in
from hebbctl.records import record, report
from hebbctl.render.views import FIELD_VALUE, pairs
from hebbctl.reports import ImportReport
from hebbctl.usecases import exchange

app = typer.Typer(rich_markup_mode=None)


@app.command("import")
def import_(
    ctx: typer.Context,
    file: values.File,
    strict: Annotated[bool, typer.Option("--strict", help="One bad line keeps all out.")] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="A known uid takes all that the line holds.")
    ] = False,
    restore_deleted: Annotated[
        bool, typer.Option("--restore-deleted", help="Also what was erased here before.")
    ] = False,
    untrusted: values.Untrusted = False,
) -> None:
    """Store memories from a JSONL file.

    One JSON object a line with at least "content". What is there already, by uid or by text, is
    left alone. Bad lines are named and the rest is stored. Of lines with one key the newest is
    current. With --untrusted, or where trust_imports is false, all of it goes into quarantine.
    Edges join what is here by uid once all is read; those with no other end here are left out.
    """
    shell: Shell = ctx.obj
    imported = exchange.import_lines(
        shell.session.writer,
        shell.session.lines_of(file),
        strict=strict,
        restore_deleted=restore_deleted,
        replace=replace,
        trusted=not untrusted and shell.session.settings.values["trust_imports"],
        most_bytes=shell.session.settings.values["max_item_bytes"],
        most_store_bytes=shell.session.settings.values["max_store_bytes"],
        progress=shell.output.progress,
    )
    _show(shell, imported)


@app.command("export")
def export(
    ctx: typer.Context,
    ids_from: Annotated[
        Path | None,
        typer.Option("--ids-from", metavar="FILE", help="Only those named in it, one a line."),
    ] = None,
) -> None:
    """Print every memory as JSONL.

    Archived ones too, with every field but ids, ordered by uid. An edge stands once, with the later
    of its two ends and its stored weight. 'hebb import' reads it. --ids-from
    takes ids, uids or prefixes, and of a line no more than what is before its first tab.
    """
    shell: Shell = ctx.obj
    store = shell.session.reader
    ids = exchange.named_in(store, shell.session.lines_of(ids_from)) if ids_from else None
    lines = exchange.export_lines(store, ids, ascii_only=shell.output.ascii_only)
    count = shell.output.lines(lines)
    shell.output.note(f"{count} exported")


def _show(shell: Shell, imported: ImportReport) -> None:
    counts = ("stored", "existing", "replaced", "deleted", "replaced_characters")
    fields = {name: value for name, value in record(imported).items() if name in counts}
    shell.output.answer(report(imported), FIELD_VALUE, pairs(fields))
    if not shell.output.as_json:  # the object says it all, and stderr is for the failure alone
        _note(shell, imported)
    shell.embed(None)
    if failure := exchange.failure(imported):
        raise failure


def _note(shell: Shell, imported: ImportReport) -> None:
    if imported.unknown_fields:
        shell.output.note(f"kept in metadata: {', '.join(imported.unknown_fields)}")
    if imported.backups_left:
        shell.output.note(still_in(imported.backups_left))
    if imported.edges_left_out:
        shell.output.note(
            f"edges left out, as their other end is not here: {imported.edges_left_out}"
        )
    if imported.deleted:
        shell.output.note("erased here before and left out: --restore-deleted brings them back")
    for number, reason in imported.rejected:
        shell.output.note(f"line {number}: {reason}")
