"""hebb recall."""

from typing import Annotated, Any

import typer

from hebbctl.cli import values
from hebbctl.cli.app import Shell
from hebbctl.models import Filters, Hit, Memory
from hebbctl.ranking import weights_of
from hebbctl.records import explained, labelled, record
from hebbctl.usecases import recall as usecase
from hebbctl.usecases.candidates import Cues

app = typer.Typer(rich_markup_mode=None)
FOUND = ("id", "score", "retention", "state", "partition", "content")
PARTS = (
    *("bm25", "match_bonus", "date_bonus", "lent", "similarity", "relevance", "co_occurrence"),
    *("retention", "decay_factor", "score"),
)
EXPLAINED = ("id", "match", *PARTS, "content")
NOTHING = dict.fromkeys(PARTS)  # the parts of the newest, which nobody ranked


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
    context: Annotated[
        list[str] | None,
        typer.Option(
            "--context", metavar="ID", help="What was used together with it; may be repeated."
        ),
    ] = None,
    use_graph: Annotated[
        bool, typer.Option("--graph/--no-graph", help="Whether common use counts.")
    ] = True,
    by_time: Annotated[
        bool, typer.Option("--by-time", help="What was found, the newest first.")
    ] = False,
) -> None:
    """Find memories; what is shown is used.

    Without QUERY the newest, or with --context what was used together with it. Use keeps a memory:
    it counts one access, starts its clock anew and joins it with what is shown beside it. A date in
    the query ("last May", 5月2号) finds what was stored then.
    """
    shell: Shell = ctx.obj
    asked = query if query is None else shell.text_of(query)
    filters = shell.filters(
        shell.session.reader,
        partition=partition,
        kind=kind,
        scope=scope,
        tags=tags,
        since=since,
        until=until,
        archived=archived,
    )._replace(superseded=archived)
    found = usecase.recall(
        shell.session.reader,
        asked,
        filters=filters,
        limit=limit or 10,
        min_score=min_score or 0.0,
        weights=weights_of(shell.session.settings),
        fallback=fallback,
        cues=_cues(shell, asked, context or [], use_graph=use_graph),
    )
    _show(shell, usecase.by_time(found) if by_time else found, explain=explain)
    _suggest(shell, asked, filters, found)
    shell.strengthen(_memories(found), peek=peek, browsing=archived)


def _show(shell: Shell, found: list[Hit], *, explain: bool) -> None:
    if not explain:
        hits = map(record, found)
        shell.output.answers(hits if shell.output.as_json else map(labelled, hits), FOUND)
        return
    records = [explained(hit) for hit in found]
    if shell.output.as_json:
        shell.output.answers(records, EXPLAINED)
    else:
        shell.output.answers([one | (one["explanation"] or NOTHING) for one in records], EXPLAINED)
        for bound in dict.fromkeys(hit.bound for hit in found if hit.bound):
            shell.output.note(bound)


def _suggest(shell: Shell, query: str | None, filters: Filters, found: list[Hit]) -> None:
    """Say what may have been meant, where nothing live holds a word of the query."""
    if query is None or not usecase.is_in_vain(found, filters):
        return
    from hebbctl.usecases import typos

    if near := typos.suggestion(shell.session.reader, query, filters):
        shell.output.note(f'did you mean "{near}"?')


def _cues(shell: Shell, query: str | None, references: list[str], *, use_graph: bool) -> Cues:
    """Return what the query names, what lies near it, and what is or was used with it.

    Under cortexgraph's ranking that is what was used last, unless something is named.
    """
    last_used = weights_of(shell.session.settings).ranking == "cortexgraph"
    store = shell.session.reader
    context = usecase.context_of(store, references, last_used=last_used) if use_graph else []
    return shell.cues(query)._replace(context=context)


def _memories(found: list[Hit]) -> list[Memory]:
    return [hit.memory for hit in found]
