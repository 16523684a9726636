"""hebb add, list, show, forget."""

from typing import Annotated, Any

import typer

from hebbctl.cli import values
from hebbctl.cli.app import Shell
from hebbctl.models import Change
from hebbctl.records import record, report
from hebbctl.render.views import FIELD_VALUE, pairs
from hebbctl.usecases import memories

app = typer.Typer(rich_markup_mode=None)
LISTED = ("id", "retention", "partition", "content")
SORTS = ("created", "accessed", "retention", "importance")


@app.command()
def add(
    ctx: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What to remember; - reads stdin.")],
    partition: Annotated[
        str | None,
        typer.Option(parser=values.partition, metavar="NAME", help="Where; else by kind."),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            parser=values.words("--kind"),
            metavar="KIND",
            help="event, fact, howto, preference or your own word.",
        ),
    ] = None,
    importance: Annotated[
        Any,
        typer.Option(parser=values.importance, metavar="0..10", help="0 is no bonus. [default: 5]"),
    ] = None,
    tags: Annotated[
        list[str] | None,
        typer.Option("--tag", parser=values.words("--tag"), metavar="TAG", help="May be repeated."),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(parser=values.words("--source"), metavar="TEXT", help="Where it comes from."),
    ] = None,
    scope: Annotated[
        str | None,
        typer.Option(parser=values.words("--scope"), metavar="NAME", help="What it belongs to."),
    ] = None,
    pin: Annotated[bool, typer.Option("--pin", help="Never forget it.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Store it a second time.")] = False,
) -> None:
    """Store one memory and print its id.

    A text that is live in the same partition and scope is not stored twice: its id is printed.
    """
    shell: Shell = ctx.obj
    added = memories.add(
        shell.session.writer,
        shell.text_of(text),
        partition=partition,
        kind=kind,
        importance=5.0 if importance is None else importance,
        tags=tags or (),
        source=source,
        scope=scope,
        pinned=pin,
        force=force,
    )
    shell.output.answer(record(added), ("id",), [record(added)])
    note = f"already there as {added.memory.id}: not stored again, nor changed"
    shell.output.note_if(added.existing, note)


@app.command("list")
def list_(
    ctx: typer.Context,
    limit: Annotated[
        Any,
        typer.Option(
            "--limit", "-n", parser=values.count("--limit"), metavar="N", help="How many at most."
        ),
    ] = None,
    sort: Annotated[
        str, typer.Option(metavar="|".join(SORTS), help="What comes first: the greatest of it.")
    ] = "created",
    partition: values.Partition = None,
    kind: values.Kind = None,
    scope: values.Scope = None,
    tags: values.Tags = None,
    since: values.Since = None,
    until: values.Until = None,
    archived: values.Archived = False,
) -> None:
    """List memories, the newest first."""
    shell: Shell = ctx.obj
    filters = values.filters(partition, kind, scope, tags, since, until, archived)
    order = values.choice("--sort", sort, SORTS)
    found = memories.listing(shell.session.reader, filters, sort=order, limit=limit)
    shell.output.answers(map(record, found), LISTED)


@app.command()
def show(ctx: typer.Context, memory_id: values.Id) -> None:
    """Show one memory with all its fields."""
    shell: Shell = ctx.obj
    found = record(memories.show(shell.session.reader, memory_id))
    shell.output.answer(found, FIELD_VALUE, pairs(found))


@app.command()
def forget(
    ctx: typer.Context,
    memory_ids: values.Ids,
    force: Annotated[bool, typer.Option("--force", help="Pinned ones, too.")] = False,
    yes: values.Yes = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
) -> None:
    """Erase memories now and for good.

    Nothing of them is left in the store. Several at once are asked for on a terminal and need
    --yes elsewhere. 'hebb archive' shelves them instead.
    """
    shell: Shell = ctx.obj
    store = shell.session.reader if dry_run else shell.session.writer
    change = memories.forget(
        store, memory_ids, force=force, dry_run=dry_run, confirm=shell.confirm(yes)
    )
    shell.output.answer(report(change), LISTED, map(record, change.changed))
    shell.output.note(changed(change))


def changed(change: Change) -> str:
    """Say in one line what a command did."""
    parts = [f"{len(change.changed)} {'would be ' if change.dry_run else ''}{change.action}"]
    if change.unchanged:
        parts.append(f"{len(change.unchanged)} already {change.unchanged[0].state}")
    if change.erasure_pending:
        parts.append("pending: another process reads an older state; the next run wipes the rest")
    if change.backups_left:
        parts.append(still_in(change.backups_left))
    return ", ".join(parts)


def still_in(backups: tuple[str, ...]) -> str:
    """Name the copies that an erasing command could not reach."""
    return f"may still be in {', '.join(backups)} (it cannot be changed: delete it by hand)"
