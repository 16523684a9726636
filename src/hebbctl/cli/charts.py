"""hebb curve, matrix."""

from functools import partial
from typing import Annotated, Any

import typer

from hebbctl import fields, policies
from hebbctl.cli import values
from hebbctl.cli.app import Shell
from hebbctl.errors import WrongUsage
from hebbctl.models import Memory
from hebbctl.records import report
from hebbctl.render import charts as drawings
from hebbctl.render.views import NEEDED, matrix_rows, needs_rows, samples
from hebbctl.usecases import charts, memories, settings
from hebbctl.usecases.charts import Curves, Matrix, Needs

app = typer.Typer(rich_markup_mode=None)
Partition = Annotated[
    str | None,
    typer.Option(
        "--partition",
        parser=values.partition,
        metavar="NAME",
        help=f"Whose policy; {policies.NOTES} unless given.",
    ),
]


def days(option: str, told: str) -> Any:
    def read(written: str) -> float:
        return fields.number(option, written, charts.SHORTEST, charts.LONGEST)

    return typer.Option(option, parser=read, metavar="N", help=told)


@app.command()
def curve(
    ctx: typer.Context,
    memory_id: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="A memory; three typical ones without.")
    ] = None,
    partition: Partition = None,
    half_life_days: values.HalfLife = None,
    k_importance: values.KImportance = None,
    k_access: values.KAccess = None,
    threshold: values.Threshold = None,
    enabled: values.Enabled = None,
    assigned: values.Assigned = None,
    days: Annotated[Any, days("--days", "Idle days to draw.")] = None,
    keep_days: Annotated[
        Any, days("--keep-days", "Say instead what it takes to survive N idle days.")
    ] = None,
) -> None:
    """Draw how retention falls, or what keeps it.

    The policy is the saved one, or what it would be with the fields given. A letter marks the day
    on which a memory is forgotten if nobody uses it; @ is where the memory ID is now.
    """
    shell: Shell = ctx.obj
    given = values.policy_fields(
        half_life_days, k_importance, k_access, threshold, enabled, assigned
    )
    _refuse_both(days, keep_days)
    memory, partition = _meant(shell, memory_id, partition)
    tried = settings.candidate(shell.session.settings, partition, given)
    if keep_days is not None:
        _show_needs(shell, charts.needs(tried, partition, memory, keep_days=keep_days), memory)
    elif memory_id:
        store = shell.session.reader_under(tried)
        _show_curves(shell, charts.of_memory(store, memory_id, tried, days=days))
    else:
        _show_curves(shell, charts.typical(tried, partition, days=days))


@app.command()
def matrix(
    ctx: typer.Context,
    partition: Partition = None,
    half_life_days: values.HalfLife = None,
    k_importance: values.KImportance = None,
    k_access: values.KAccess = None,
    threshold: values.Threshold = None,
    enabled: values.Enabled = None,
    assigned: values.Assigned = None,
) -> None:
    """Show days to forget by importance and use.

    The policy is the saved one, or what it would be with the fields given. In a pipe the first
    line names the access counts, and the first column is the importance.
    """
    shell: Shell = ctx.obj
    given = values.policy_fields(
        half_life_days, k_importance, k_access, threshold, enabled, assigned
    )
    _, partition = _meant(shell, None, partition)
    tried = settings.candidate(shell.session.settings, partition, given)
    _show_matrix(shell, charts.matrix(tried, partition))


def _meant(shell: Shell, memory_id: str | None, partition: str | None) -> tuple[Memory | None, str]:
    """Return the memory whose curve is wanted, if any, and the partition whose policy is."""
    shell.note_unused(partition)
    memory = memories.show(shell.session.reader, memory_id) if memory_id else None
    return memory, charts.partition_of(memory, partition)


def _refuse_both(days: float | None, keep_days: float | None) -> None:
    if days is not None and keep_days is not None:
        raise WrongUsage("--keep-days draws nothing", hint="leave out --days")


def _show_curves(shell: Shell, found: Curves) -> None:
    columns, rows = samples(found)
    shell.output.chart(report(found), columns, rows, partial(drawings.curves, found))


def _show_matrix(shell: Shell, found: Matrix) -> None:
    columns, rows = matrix_rows(found, ascii_only=shell.output.plain)
    draw = partial(drawings.matrix, found)
    shell.output.chart(report(found), columns, rows, draw, header=True)


def _show_needs(shell: Shell, found: Needs, memory: Memory | None) -> None:
    shell.output.answer(report(found), NEEDED, needs_rows(found))
    shell.output.note(f"to survive {found.keep_days:g} idle days in {found.partition}")
    pinned = memory is not None and memory.pinned
    shell.output.note_if(pinned, "it is pinned: it survives whatever the policy says")
    nothing = "nothing that can be set keeps a memory longer or shorter under this curve"
    shell.output.note_if(not found.needs, nothing)
    off = not found.policy["enabled"]
    shell.output.note_if(off, f"{found.partition} is not swept: nothing in it is forgotten")
