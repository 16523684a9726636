"""hebb related, graph, link, unlink."""

from typing import Annotated, Any

import typer

from hebbctl import fields
from hebbctl.cli import values
from hebbctl.cli.app import Shell
from hebbctl.errors import WrongUsage
from hebbctl.records import record, report
from hebbctl.render.dot import dot
from hebbctl.usecases import graph as usecase

app = typer.Typer(rich_markup_mode=None)
RELATED = ("id", "weight", "bridging", "partition", "content")
EDGES = ("memory_a", "memory_b", "weight", "bridging", "last_updated_at")
LINKED = ("action", "memory_a", "memory_b", "weight")
HEAVIEST = 1e9


def weight(written: str) -> float:
    return fields.number("--weight", written, 0, HEAVIEST)


@app.command()
def related(
    ctx: typer.Context,
    memory_id: values.Id,
    limit: Annotated[
        Any,
        typer.Option(
            "--limit", "-n", parser=values.count("--limit"), metavar="N", help="[default: 10]"
        ),
    ] = None,
) -> None:
    """Show what was used together with a memory.

    The weight is what is left of it today: a common use counts 1 and halves every 30 days. What
    shares no tag and no kind is bridging. Looking is no use.
    """
    shell: Shell = ctx.obj
    found = usecase.related(shell.session.reader, memory_id, limit=limit or 10)
    shell.output.answers(map(record, found), RELATED)


@app.command()
def graph(
    ctx: typer.Context,
    memory_id: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="Only the edges of this memory.")
    ] = None,
    as_dot: Annotated[
        bool, typer.Option("--dot", help="As a graph in the DOT language of Graphviz.")
    ] = False,
) -> None:
    """Show which memories were used together.

    One edge a line, the strongest first; --json has the memories, too. Archived ones are left out
    until they are back.
    """
    shell: Shell = ctx.obj
    _refuse_both(as_dot, as_json=shell.output.as_json)
    found = usecase.graph(shell.session.reader, memory_id)
    if as_dot:
        return shell.output.text(dot(found))
    shell.output.answer(report(found), EDGES, map(record, found.edges))
    shell.output.note_if(not found.edges, "nothing was used together")


@app.command()
def link(
    ctx: typer.Context,
    memory_id: values.Id,
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The memory it belongs to.")],
    strength: Annotated[
        Any, typer.Option("--weight", parser=weight, metavar="W", help="[default: 1]")
    ] = None,
) -> None:
    """Join two memories as if they were used together."""
    shell: Shell = ctx.obj
    changed = usecase.link(
        shell.session.changer, memory_id, other, weight=1.0 if strength is None else strength
    )
    shell.output.answer(report(changed), LINKED, [record(changed)])


@app.command()
def unlink(
    ctx: typer.Context,
    memory_id: values.Id,
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The memory it was joined with.")],
) -> None:
    """Take the edge between two memories away."""
    shell: Shell = ctx.obj
    changed = usecase.unlink(shell.session.changer, memory_id, other)
    shell.output.answer(report(changed), LINKED, [record(changed)])


def _refuse_both(as_dot: bool, *, as_json: bool) -> None:
    if as_dot and as_json:
        raise WrongUsage("--dot and --json are two forms", hint="leave one of them out")
