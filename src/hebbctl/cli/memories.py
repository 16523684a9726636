"""hebb add, list, show, forget."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, NamedTuple

import typer

from hebbctl import fields
from hebbctl.cli import values
from hebbctl.cli.app import Shell
from hebbctl.errors import WrongUsage
from hebbctl.models import Added, Change
from hebbctl.records import labelled, record, report
from hebbctl.render.views import FIELD_VALUE, pairs
from hebbctl.store import Store
from hebbctl.text import counted
from hebbctl.usecases import adding, memories

app = typer.Typer(rich_markup_mode=None)
LISTED = ("id", "retention", "partition", "content")
LABELLED = ("id", "retention", "state", "partition", "content")
CHAIN = ("id", "state", "created_at", "archived_at", "content")
SORTS = ("created", "accessed", "retention", "importance")


@app.command()
def add(
    ctx: typer.Context,
    text: Annotated[
        str | None, typer.Argument(metavar="TEXT", help="What to remember; - reads stdin.")
    ] = None,
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
    strength: Annotated[
        Any,
        typer.Option(
            parser=values.strength,
            metavar="S",
            help="To begin with; only curves memorybank and cortexgraph read it. [default: 1]",
        ),
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
        typer.Option(
            parser=values.words("--scope"),
            metavar="NAME",
            help="What it belongs to. [default: HEBB_SCOPE, else the project]",
        ),
    ] = None,
    scope_kind: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(fields.SCOPE_KINDS),
            help="session: it ends with its --session, by 'hebb forget --ended'.",
        ),
    ] = None,
    session: Annotated[
        str | None,
        typer.Option(
            parser=values.words("--session"), metavar="NAME", help="The talk it was said in."
        ),
    ] = None,
    pin: Annotated[
        bool, typer.Option("--pin", help="It never fades; only its own --expires ends it.")
    ] = False,
    ttl: Annotated[
        Any,
        typer.Option(
            parser=values.duration("--ttl"), metavar="DURATION", help="It ends so long unused: 7d."
        ),
    ] = None,
    expires: Annotated[
        str | None,
        typer.Option(metavar="WHEN", help="It ends then, used or not: 2026-12-24, or 3d from now."),
    ] = None,
    literal: Annotated[
        str | None, typer.Option("--text", metavar="TEXT", help="TEXT, with a dash at first or -.")
    ] = None,
    key: values.Key = None,
    replaces: Annotated[
        str | None, typer.Option(metavar="ID", help="It takes the place of this one, and its key.")
    ] = None,
    untrusted: values.Untrusted = False,
    force: Annotated[
        bool, typer.Option("--force", help="Store it a second time; supersede a pinned one.")
    ] = False,
) -> None:
    """Store one memory and print its id.

    A text that is live in the same partition and scope is not stored twice: its id is printed.
    What --key or --replaces supersedes goes to the archive; where the new one ends by --expires, it
    is live again after that. A pinned memory is superseded only with --force.
    """
    shell: Shell = ctx.obj
    content = shell.text_given(text, literal)
    added = adding.add(
        shell.session.writer,
        content,
        partition=partition,
        kind=kind,
        importance=5.0 if importance is None else importance,
        strength=1.0 if strength is None else strength,
        tags=tags or (),
        source=source,
        scope=_scope(shell, scope, scope_kind, session),
        session=session,
        pinned=pin,
        ttl_ms=ttl,
        expires_at=None if expires is None else shell.expiry(expires),
        key=key,
        replaces=replaces,
        trusted=not untrusted,
        force=force,
        most_bytes=shell.session.settings.values["max_item_bytes"],
        most_store_bytes=shell.session.settings.values["max_store_bytes"],
        settings=shell.session.settings,
    )
    shell.output.fact(record(added), added.memory.id)
    _note_added(shell, added)
    shell.embed([added.memory.id])


def _note_added(shell: Shell, added: Added) -> None:
    """Say what else came of adding a memory, and what its user may want to do next."""
    new = added.memory
    changed = "" if added.superseded else ", nor changed"
    shell.output.note_if(added.existing, f"already there as {new.id}: not stored again{changed}")
    which = ", ".join(str(one.id) for one in added.superseded)
    shell.output.note_if(bool(which), f"superseded: {which}")
    for one in added.similar[:1]:
        shell.output.note(
            f"if it brings {one.id} up to date: hebb edit {new.id} --replaces {one.id}"
        )


def _scope(
    shell: Shell, scope: str | None, kind: str | None, session: str | None
) -> tuple[str, str]:
    """Return the scope that is meant, and its kind; a session's own scope is called as it is.

    Raises:
        WrongUsage: the kind is none, or it is a session's and no session is named.
    """
    if kind is None:
        return shell.session.scope(scope)
    fields.choice("--scope-kind", kind, fields.SCOPE_KINDS)
    if kind == "session" and session is None:
        raise WrongUsage("--scope-kind session needs the session", hint="add --session NAME")
    if kind == "session":
        return scope or session or "", kind
    return shell.session.scope(scope)[0], kind


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
    source: values.Source = None,
    session: values.OfSession = None,
    since: values.Since = None,
    until: values.Until = None,
    archived: values.Archived = False,
    pinned: Annotated[bool, typer.Option("--pinned", help="Only what is pinned.")] = False,
    untrusted: Annotated[bool, typer.Option("--untrusted", help="Only what is in quarantine.")] = (
        False
    ),
) -> None:
    """List memories, the newest first."""
    shell: Shell = ctx.obj
    filters = shell.filters(
        shell.session.reader,
        partition=partition,
        kind=kind,
        scope=scope,
        tags=tags,
        since=since,
        until=until,
        archived=archived,
    )
    filters = filters._replace(
        source=source, session=session, trusted=not untrusted and None, pinned=pinned or None
    )
    order = values.choice("--sort", sort, SORTS)
    found = memories.listing(shell.session.reader, filters, sort=order, limit=limit)
    _show_list(shell, map(record, found), labelled_too=archived or untrusted)


def _show_list(shell: Shell, records: Iterable[dict[str, Any]], *, labelled_too: bool) -> None:
    if shell.output.as_json:
        shell.output.answers(records, LISTED)
    elif labelled_too:
        shell.output.answers(map(labelled, records), LABELLED)
    else:
        shell.output.answers(map(_warned, records), LISTED)


def _warned(found: dict[str, Any]) -> dict[str, Any]:
    """Put a label where there is no state to say it."""
    return found if found["trusted"] else found | {"content": f"(untrusted) {found['content']}"}


@app.command()
def show(
    ctx: typer.Context,
    memory_id: values.Id,
    history: Annotated[
        bool, typer.Option("--history", help="What it replaced, and what replaced it.")
    ] = False,
) -> None:
    """Show one memory with all its fields.

    With --history all that stood in its place before and after it, the oldest first.
    """
    shell: Shell = ctx.obj
    if history:
        _show_history(shell, memory_id)
        return
    found = record(memories.show(shell.session.reader, memory_id))
    shell.output.answer(found, FIELD_VALUE, pairs(found))


def _show_history(shell: Shell, memory_id: str) -> None:
    from hebbctl.usecases import succession

    chain = map(record, succession.history(shell.session.reader, memory_id))
    shell.output.answers(chain if shell.output.as_json else map(labelled, chain), CHAIN)


@app.command()
def forget(
    ctx: typer.Context,
    memory_ids: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ID...]", help="Ids, uids, or the beginning of one."),
    ] = None,
    query: Annotated[
        str | None, typer.Option(metavar="TEXT", help="All that hold each of these words.")
    ] = None,
    tags: values.Tags = None,
    source: values.Source = None,
    partition: values.Partition = None,
    scope: values.TypedScope = None,
    session: values.OfSession = None,
    ended: Annotated[
        bool, typer.Option("--ended", help="Of the --session only what was to end with it.")
    ] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="All that the other options leave; alone, everything.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Pinned ones, too.")] = False,
    yes: values.Yes = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
    no_copy: Annotated[
        bool, typer.Option("--no-copy", help="Keep none, although restorable is true.")
    ] = False,
    copies: Annotated[
        bool, typer.Option("--copies", help="Erase kept copies of what is erased: by ID, or all.")
    ] = False,
) -> None:
    """Erase memories now and for good.

    By ID, or all that fit every given option, live and archived. Nothing of them is left in the
    store, unless restorable is true: then the audit keeps a copy, for 'hebb restore ID', until
    'hebb forget --copies'. Several at once are asked for on a terminal and need --yes elsewhere.
    'hebb archive' shelves them instead. With --ended the --session has ended: what was added with
    --scope-kind session goes, unless it was promoted, pinned or moved to another scope since.
    """
    shell: Shell = ctx.obj
    if copies:
        return _forget_copies(shell, memory_ids or [], yes=yes, dry_run=dry_run)
    chosen = Selection(
        *(memory_ids or [], query, tags, source, partition, scope, session, everything, ended)
    )
    chosen.refuse_unclear()
    store = shell.session.reader if dry_run else shell.session.changer
    change = memories.forget(
        store,
        _selected(shell, store, chosen),
        reason=chosen.reason(),
        force=force,
        dry_run=dry_run,
        confirm=shell.confirm(yes),
        keep_copy=shell.session.settings.values["restorable"] and not no_copy,
    )
    _show_erased(shell, change, force=force)


def _forget_copies(shell: Shell, references: list[str], *, yes: bool, dry_run: bool) -> None:
    from hebbctl.usecases import copies  # which no other command needs

    store = shell.session.reader if dry_run else shell.session.changer
    found = copies.forget(store, references, dry_run=dry_run, confirm=shell.confirm(yes))
    shell.output.answer(report(found), ("id",), ({"id": one} for one in found.copies))
    copied = counted(len(found.copies), "copy")
    parts = [f"{copied} {'would be ' if dry_run else ''}erased"]
    shell.output.note(", ".join([*parts, *unfinished(found.erasure_pending, found.backups_left)]))


def _show_erased(shell: Shell, change: Change, *, force: bool) -> None:
    """Show what was erased, and say of a dry run what the run itself would refuse."""
    show_change(shell, change)
    pinned = [str(memory.id) for memory in change.changed if memory.pinned]
    refused = change.dry_run and pinned and not force
    shell.output.note_if(bool(refused), f"pinned: {', '.join(pinned)}: it needs --force")


class Selection(NamedTuple):
    """What is to be forgotten: ids, or options that narrow the whole store."""

    ids: list[str]
    query: str | None
    tags: list[str] | None
    source: str | None
    partition: str | None
    scope: str | None
    session: str | None
    everything: bool
    ended: bool

    def refuse_unclear(self) -> None:
        by_options = any(value not in (None, False) for value in self[1:])
        if bool(self.ids) == by_options:
            raise WrongUsage(
                "ids and other options exclude each other" if by_options else "forget what?",
                hint="give ids, or options such as --scope and --tag",
            )
        if self.ended and self.session is None:
            raise WrongUsage("--ended of which session?", hint="add --session NAME")

    def reason(self) -> str:
        """Say how it was chosen, for the audit: by which options, never by what was in them."""
        given = [name for name, value in self._asdict().items() if value and name != "ids"]
        return f"by {', '.join(given)}" if given else "by hand"


def _selected(shell: Shell, store: Store, chosen: Selection) -> list[int]:
    if chosen.ids:
        return memories.resolved(store, chosen.ids)
    filters = shell.filters(
        store,
        partition=chosen.partition,
        scope=chosen.scope,
        tags=chosen.tags,
        archived=None,
        usual_scope=False,  # what is erased is what was typed
    )
    filters = filters._replace(source=chosen.source, session=chosen.session)
    return memories.selected(store, filters, chosen.query, ended=chosen.ended)


def show_change(shell: Shell, change: Change, columns: Sequence[str] = LISTED) -> None:
    """Print the memories that a command changed, and in one line what it did."""
    shell.output.answer(report(change), columns, map(record, change.changed))
    shell.output.note(changed(change))


COPIES_KEPT = "the audit keeps a copy of each: 'hebb restore ID', or 'hebb forget --copies'"
ALREADY = {"restored": "already live", "edited": "as before", "tagged": "as before"}


def changed(change: Change) -> str:
    """Say in one line what a command did."""
    parts = [f"{len(change.changed)} {'would be ' if change.dry_run else ''}{change.action}"]
    if change.unchanged:
        already = ALREADY.get(change.action, f"already {change.action}")
        parts.append(f"{len(change.unchanged)} {already}")
    for what, others in (("superseded", change.superseded), ("live again", change.returned)):
        if others:
            parts.append(f"{what}: {', '.join(str(one.id) for one in others)}")
    if change.action == "archived" and change.changed:
        parts.append("the text is kept: 'hebb restore' brings it back")
    if change.copies_kept:
        parts.append(COPIES_KEPT)
    return ", ".join([*parts, *unfinished(change.erasure_pending, change.backups_left)])


def unfinished(erasure_pending: bool, backups_left: tuple[str, ...]) -> Iterator[str]:
    """Yield what an erasing command could not do."""
    if erasure_pending:
        yield "pending: another process reads an older state; the next run wipes the rest"
    if backups_left:
        yield still_in(backups_left)


def still_in(backups: tuple[str, ...]) -> str:
    """Name the copies that an erasing command could not reach."""
    what_next = "it could not be changed: close what uses it, or delete it by hand"
    return f"may still be in {', '.join(backups)} ({what_next})"
