"""hebb inject."""

from typing import Annotated, Any

import typer

from hebbctl import blocks, fields
from hebbctl.cli import values
from hebbctl.cli.app import Shell
from hebbctl.errors import StoreError
from hebbctl.ranking import weights_of
from hebbctl.records import report
from hebbctl.text import counted
from hebbctl.usecases import injection
from hebbctl.usecases.injection import Injection

app = typer.Typer(rich_markup_mode=None)
FORMS = tuple(blocks.FORMS)
CEILING = "inject_max_tokens"
COOLDOWN = "inject_renewal_cooldown_hours"


def _budget(written: str) -> int:
    return fields.whole("--budget", written, 0, 10**9)


@app.command()
def inject(
    ctx: typer.Context,
    query: Annotated[
        str | None, typer.Argument(metavar="[QUERY]", help="Plain text; - reads stdin.")
    ] = None,
    budget: Annotated[
        Any,
        typer.Option(
            parser=_budget,
            metavar="N",
            help="Tokens at most, about. [default and ceiling: inject_max_tokens]",
        ),
    ] = None,
    form: Annotated[
        str, typer.Option("--format", metavar="|".join(FORMS), help="How to write the block.")
    ] = "markdown",
    limit: Annotated[
        Any,
        typer.Option(
            "--limit", "-n", parser=values.count("--limit"), metavar="N", help="Memories at most."
        ),
    ] = None,
    partition: values.Partition = None,
    kind: values.Kind = None,
    scope: values.Scope = None,
    tags: values.Tags = None,
    since: values.Since = None,
    until: values.Until = None,
    min_score: Annotated[
        Any,
        typer.Option(
            parser=values.share("--min-score"), metavar="0..1", help="Nothing that scores less."
        ),
    ] = None,
    peek: Annotated[
        bool, typer.Option("--peek", "--dry-run", help="Renew nothing, whatever the settings.")
    ] = False,
) -> None:
    """Print memories as a block for a prompt.

    With QUERY what answers it, without one what is retained best; pinned ones first. Whole
    memories only, in a fence that no text can close; with too small a budget nothing. Tokens are
    estimated. Stale, untrusted, archived memories and what the next sweep takes stay out. It
    counts as no use.
    """
    shell: Shell = ctx.obj
    asked = query if query is None else shell.text_of(query)
    found = injection.inject(
        shell.session.reader,
        asked,
        filters=shell.filters(
            shell.session.reader,
            partition=partition,
            kind=kind,
            scope=scope,
            tags=tags,
            since=since,
            until=until,
            archived=False,
        ),
        budget=_allowed(shell, budget),
        form=values.choice("--format", form, FORMS),
        limit=limit,
        min_score=min_score or 0.0,
        weights=weights_of(shell.session.settings),
        cues=shell.cues(asked),
    )
    shell.output.block(report(found), found.text)
    _tell(shell, found)
    _renew(shell, found, peek=peek)


def _allowed(shell: Shell, asked: int | None) -> int:
    """Return the budget: what was asked for, but no more than the settings allow a call."""
    ceiling = int(shell.session.settings.values[CEILING])
    if asked is None or asked <= ceiling:
        return ceiling if asked is None else asked
    raising = f"'hebb config set {CEILING} {asked}' raises it"
    shell.output.note(f"--budget {asked} is above {CEILING}, so {ceiling} counts; {raising}")
    return ceiling


def _tell(shell: Shell, found: Injection) -> None:
    """Say what took how many tokens, if that is wanted, and why nothing came out."""
    for one in found.items:
        shell.output.detail(f"{one.id}: {one.tokens} tokens")
    for left in found.skipped:
        size = "" if left.tokens is None else f" ({left.tokens} tokens)"
        shell.output.detail(f"{left.id}: skipped, {left.reason}{size}")
    count = counted(len(found.items), "memory")
    shell.output.detail(f"{count}, {found.tokens} of {found.budget} tokens")
    wrapper = blocks.Block(found.format).tokens
    sizes = [one.tokens for one in found.skipped if one.tokens is not None]
    if found.budget <= wrapper:
        shell.output.note(
            f"a budget of {found.budget} tokens holds nothing: the block around takes {wrapper}"
        )
    elif not found.items and (sizes or found.more):
        smallest = wrapper + min(sizes, default=0)
        least = f": with the block around, the smallest takes {smallest}" if sizes else ""
        shell.output.note(f"nothing fits into {found.budget} tokens{least}")


def _renew(shell: Shell, found: Injection, *, peek: bool) -> None:
    """Renew what was offered where the settings say so. It cannot fail: the answer is out."""
    hours = shell.session.settings.values[COOLDOWN]
    if peek or not hours or not found.items or shell.session.imagined_now is not None:
        return
    try:
        injection.renew(
            shell.session.strengthener, found.items, cooldown_hours=hours, size=found.tokens
        )
    except StoreError as error:
        shell.output.detail(f"not renewed: {error}")
