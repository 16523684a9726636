"""hebb recall."""

from typing import Annotated, Any

import typer

from hebbctl.cli import values
from hebbctl.cli.app import Shell
from hebbctl.models import Hit, Memory
from hebbctl.records import explained, labelled, record
from hebbctl.usecases import recall as usecase

app = typer.Typer(rich_markup_mode=None)
FOUND = ("id", "score", "retention", "state", "partition", "content")
PARTS = ("bm25", "match_bonus", "lent", "relevance", "retention", "decay_factor", "score")
EXPLAINED = ("id", "match", *PARTS, "content")


@app.command()
def recall(
    ctx: typer.Context,
    query: Annotated[
        str | None, typer.Argument(metavar="[QUERY]", help="Plain text; - reads stdin.")
    ] = None,
    limit: Annotated[
        Any,
        typer.Option(
            "--limit",
            "-n",
            parser=values.count("--limit"),
            metavar="N",
            help="At most. [default: 10]",
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
    peek: Annotated[bool, typer.Option("--peek", help="Do not count it as use.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Show the parts of scores.")] = False,
    fallback: Annotated[
        bool, typer.Option("--fallback/--no-fallback", help="Archived ones after live ones.")
    ] = True,
    archived: values.Archived = False,
) -> None:
    """Find memories; what is shown is used.

    Without QUERY the newest. Use keeps a memory: it counts one access and starts its clock anew.
    """
    shell: Shell = ctx.obj
    found = usecase.recall(
        shell.session.reader,
        query if query is None else shell.text_of(query),
        filters=shell.filters(
            shell.session.reader,
            partition=partition,
            kind=kind,
            scope=scope,
            tags=tags,
            since=since,
            until=until,
            archived=archived,
        )._replace(superseded=archived),
        limit=limit or 10,
        min_score=min_score or 0.0,
        decay_floor=shell.session.settings.values["decay_floor"],
        fallback=fallback,
    )
    _show(shell, found, explain=explain)
    shell.strengthen(_memories(found), peek=peek, browsing=archived)


def _show(shell: Shell, found: list[Hit], *, explain: bool) -> None:
    if not explain:
        hits = map(record, found)
        shell.output.answers(hits if shell.output.as_json else map(labelled, hits), FOUND)
        return
    floor = shell.session.settings.values["decay_floor"]
    records = [explained(hit, floor) for hit in found]
    if shell.output.as_json:
        shell.output.answers(records, EXPLAINED)
    else:
        shell.output.answers([one | one["explanation"] for one in records], EXPLAINED)
        for bound in dict.fromkeys(hit.bound for hit in found if hit.bound):
            shell.output.note(bound)


def _memories(found: list[Hit]) -> list[Memory]:
    return [hit.memory for hit in found]
