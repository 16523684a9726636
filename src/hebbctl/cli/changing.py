"""hebb edit, touch, pin, unpin, tag."""

from collections.abc import Callable
from typing import Annotated, Any

import typer

from hebbctl import fields
from hebbctl.cli import values
from hebbctl.cli.app import Shell
from hebbctl.cli.memories import show_change
from hebbctl.cli.tree import SignedWords
from hebbctl.errors import WrongUsage
from hebbctl.models import Change
from hebbctl.store import Store
from hebbctl.usecases import changing

app = typer.Typer(rich_markup_mode=None)
NONE = "none"  # as a value takes an optional field away


@app.command()
def edit(
    ctx: typer.Context,
    memory_id: values.Id,
    text: Annotated[
        str | None,
        typer.Argument(metavar="[TEXT]", help="The new text; - reads stdin. Without: your editor."),
    ] = None,
    importance: Annotated[
        Any, typer.Option(parser=values.importance, metavar="0..10", help="How much it matters.")
    ] = None,
    partition: Annotated[
        str | None,
        typer.Option(parser=values.partition, metavar="NAME", help="Move it there."),
    ] = None,
    kind: Annotated[
        str | None, typer.Option(metavar="KIND", help="Your own word; 'none' for no kind.")
    ] = None,
    source: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Where it comes from, or 'none'.")
    ] = None,
    scope: Annotated[
        str | None,
        typer.Option(parser=values.words("--scope"), metavar="NAME", help="What it belongs to."),
    ] = None,
    ttl: Annotated[
        str | None, typer.Option(metavar="DURATION", help="As 'hebb add --ttl', or 'none'.")
    ] = None,
    expires: Annotated[
        str | None, typer.Option(metavar="WHEN", help="As 'hebb add --expires', or 'none'.")
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            parser=values.words("--key"), metavar="KEY", help="What it is about, if no other is."
        ),
    ] = None,
    no_key: Annotated[bool, typer.Option("--no-key", help="It is about nothing any more.")] = False,
    replaces: Annotated[
        str | None, typer.Option(metavar="ID", help="It takes the place of this older one.")
    ] = None,
) -> None:
    """Change the text or fields of a memory.

    What is not named stays. Without TEXT and options the text opens in $VISUAL or $EDITOR. The old
    text is erased for good. An edit counts as use.
    """
    shell: Shell = ctx.obj
    store = shell.session.changer
    named = _fields(shell, importance, partition, kind, source, scope, ttl, expires)
    named |= _key(key, none=no_key)
    before = changing.text(store, memory_id)
    change = changing.edit(
        store,
        memory_id,
        content=_content(
            shell, store, memory_id, text, before, fields_only=bool(named or replaces)
        ),
        changes=named,
        opened=before if text is None else None,
        replaces=replaces,
        most_bytes=shell.session.settings.values["max_item_bytes"],
        most_store_bytes=shell.session.settings.values["max_store_bytes"],
    )
    _show_edited(shell, change)


def _show_edited(shell: Shell, change: Change) -> None:
    show_change(shell, change)
    shell.embed([one.id for one in change.changed])


@app.command()
def touch(ctx: typer.Context, memory_ids: values.Ids) -> None:
    """Count a use of memories, as a recall does.

    For what was used without a recall that showed it: one access more, and the clock starts anew.
    Under 'on_fallback restore' an archived one is restored instead.
    """
    shell: Shell = ctx.obj
    anchor, settings = shell.restoring_anchor, shell.session.settings
    show_change(shell, changing.touch(shell.session.changer, memory_ids, settings, anchor=anchor))


@app.command()
def pin(ctx: typer.Context, memory_ids: values.Ids) -> None:
    """Keep memories whatever their retention.

    A pinned memory is ended only by its own --expires; erasing or shelving it by hand needs
    --force.
    """
    shell: Shell = ctx.obj
    show_change(shell, changing.pin(shell.session.changer, memory_ids, pinned=True))


@app.command()
def unpin(ctx: typer.Context, memory_ids: values.Ids) -> None:
    """Let pinned memories fade again."""
    shell: Shell = ctx.obj
    show_change(shell, changing.pin(shell.session.changer, memory_ids, pinned=False))


@app.command("tag", cls=SignedWords)
def tag(
    ctx: typer.Context,
    memory_id: values.Id,
    tags: Annotated[
        list[str], typer.Argument(metavar="+TAG|-TAG...", help="To add, and to take away.")
    ],
) -> None:
    """Add tags to a memory and take others away.

    Global options with one letter stand before the command here: -q would be the tag q.
    """
    shell: Shell = ctx.obj
    show_change(shell, changing.tag(shell.session.changer, memory_id, tags), ("id", "tags"))


def _content(
    shell: Shell,
    store: Store,
    memory_id: str,
    text: str | None,
    before: str,
    *,
    fields_only: bool,
) -> str | None:
    """Return the new text: as given, or, where no field is to change either, from the editor."""
    if text is not None:
        changing.refuse_id(store, text)
        return shell.text_of(text)
    if fields_only:
        return None
    return shell.edited(before, lambda: changing.draft_folder(store, memory_id))


def _key(key: str | None, *, none: bool) -> dict[str, Any]:
    if key is not None and none:
        raise WrongUsage("--key and --no-key exclude each other", hint="give one of them")
    return {"key": key} if key is not None or none else {}


def _fields(
    shell: Shell,
    importance: float | None,
    partition: str | None,
    kind: str | None,
    source: str | None,
    scope: str | None,
    ttl: str | None,
    expires: str | None,
) -> dict[str, Any]:
    """Return the fields that options name, by name; 'none' takes an optional one away."""
    found: dict[str, Any] = {"importance": importance, "partition": partition}
    if scope is not None:
        found["scope"], found["scope_kind"] = shell.session.scope(scope)
    named = {name: value for name, value in found.items() if value is not None}
    readers: dict[str, tuple[str | None, Callable[[str], Any]]] = {
        "kind": (kind, lambda given: fields.words("--kind", given)),
        "source": (source, lambda given: fields.words("--source", given)),
        "ttl_ms": (ttl, lambda given: fields.duration("--ttl", given)),
        "expires_at": (expires, shell.expiry),
    }
    for name, (given, read) in readers.items():
        if given is not None:
            named[name] = None if given == NONE else read(given)
    return named
