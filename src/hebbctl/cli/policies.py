"""hebb policy."""

from typing import Annotated

import typer

from hebbctl.cli import values
from hebbctl.cli.app import Shell
from hebbctl.cli.forgetting import SWEPT
from hebbctl.records import record, report
from hebbctl.render.views import policy
from hebbctl.reports import Preview
from hebbctl.text import counted
from hebbctl.usecases import settings

app = typer.Typer(rich_markup_mode=None)
group = typer.Typer(help="Read and change how a partition forgets.", rich_markup_mode=None)
app.add_typer(group, name="policy")
LISTED = (
    "partition",
    "live",
    "enabled",
    "half_life_days",
    "true_half_life_days",
    "k_importance",
    "k_access",
    "threshold",
    "neutral_lifetime_days",
)
SHOWN = ("field", "value", "origin", "inherited")
Name = Annotated[
    str, typer.Argument(parser=values.partition, metavar="PARTITION", help="Such as mem_facts.")
]


@group.command("list")
def list_(ctx: typer.Context) -> None:
    """List the policy of every partition."""
    shell: Shell = ctx.obj
    found = settings.policy_list(shell.session.reader, shell.session.settings)
    shell.output.answers(map(record, found), LISTED)


@group.command("show")
def show(ctx: typer.Context, partition: Name) -> None:
    """Show one policy and where each field comes from."""
    shell: Shell = ctx.obj
    found = settings.policy_show(shell.session.reader, partition, shell.session.settings)
    shell.output.answer(report(found), SHOWN, policy(found))
    shell.note_unused(partition)


@group.command("set")
def set_(
    ctx: typer.Context,
    partition: Name,
    half_life_days: values.HalfLife = None,
    k_importance: values.KImportance = None,
    k_access: values.KAccess = None,
    threshold: values.Threshold = None,
    enabled: values.Enabled = None,
    assigned: values.Assigned = None,
) -> None:
    """Change some fields of a policy; the others stay."""
    shell: Shell = ctx.obj
    given = values.policy_fields(
        half_life_days, k_importance, k_access, threshold, enabled, assigned
    )
    path, audit = shell.session.changeable_settings, shell.session.writer_without_settings
    found = settings.policy_set(path, shell.session.reader, partition, given, audit)
    shell.output.answer(report(found), SHOWN, policy(found))
    shell.note_unused(partition, although_set=True)


@group.command("clear")
def clear(
    ctx: typer.Context,
    partition: Name,
    fields: Annotated[
        list[str] | None, typer.Argument(metavar="[FIELD...]", help="Only these fields.")
    ] = None,
) -> None:
    """Let a partition inherit again."""
    shell: Shell = ctx.obj
    path, audit = shell.session.changeable_settings, shell.session.writer_without_settings
    found = settings.policy_clear(
        path, lambda: shell.session.reader, partition, fields or [], audit
    )
    shell.output.answer(report(found), SHOWN, policy(found))
    shell.note_unused(partition)


@group.command("preview")
def preview(
    ctx: typer.Context,
    partition: Name,
    half_life_days: values.HalfLife = None,
    k_importance: values.KImportance = None,
    k_access: values.KAccess = None,
    threshold: values.Threshold = None,
    enabled: values.Enabled = None,
    assigned: values.Assigned = None,
) -> None:
    """Show what gc would take, also under other values."""
    shell: Shell = ctx.obj
    given = values.policy_fields(
        half_life_days, k_importance, k_access, threshold, enabled, assigned
    )
    tried = settings.candidate(shell.session.settings, partition, given)
    store = shell.session.reader_under(tried)
    found = settings.policy_preview(shell.session.reader, store, partition, tried)
    _show_preview(shell, found)


def _show_preview(shell: Shell, found: Preview) -> None:
    shell.note_unused(found.partition)
    shell.output.answer(report(found), SWEPT, map(record, found.memories))
    shell.output.note(
        f"{found.forgotten} of {counted(found.live, 'live memory')} would be forgotten,"
        f" {found.forgotten_now} under the saved policy"
    )
