"""hebb gc, archive, restore."""

from typing import Annotated, Any

import typer

from hebbctl.cli import values
from hebbctl.cli.app import Shell
from hebbctl.cli.memories import COPIES_KEPT, show_change, still_in
from hebbctl.errors import WrongUsage
from hebbctl.records import record, report
from hebbctl.reports import SweepReport
from hebbctl.text import counted
from hebbctl.usecases import forgetting, memories

app = typer.Typer(rich_markup_mode=None)
SWEPT = ("id", "outcome", "reason", "retention", "partition", "content")


@app.command()
def gc(
    ctx: typer.Context,
    threshold: Annotated[
        Any,
        typer.Option(
            parser=values.share("--threshold"),
            metavar="0..1",
            help="Replaces every threshold for this run.",
        ),
    ] = None,
    partition: values.Partition = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
    purge: Annotated[bool, typer.Option("--purge", help="Also erase the whole archive.")] = False,
    yes: values.Yes = False,
) -> None:
    """Sweep: shelve what has faded.

    It prints one line; --dry-run and --verbose name each memory. What was shelved longer than
    archive_days ago is erased. Under 'on_forget erase' what has faded is erased at once; more than
    gc_max_share of what is live then needs --yes.
    """
    shell: Shell = ctx.obj
    shell.note_unused(partition)
    swept = forgetting.sweep(
        shell.session.reader if dry_run else shell.session.changer,
        shell.session.settings,
        shell.session.policy_of,
        threshold=threshold,
        partition=partition,
        purge=purge,
        dry_run=dry_run,
        confirm=shell.confirm(yes),
        progress=shell.output.progress,
        spare=shell.session.actor == "cron" and not yes,
    )
    _show(shell, swept)


@app.command()
def archive(
    ctx: typer.Context,
    memory_ids: values.Ids,
    force: Annotated[bool, typer.Option("--force", help="Pinned ones, too.")] = False,
) -> None:
    """Shelve memories by hand.

    The text stays in the store, and 'hebb restore' brings it back, until archive_days are over.
    """
    shell: Shell = ctx.obj
    change = memories.archive(shell.session.changer, memory_ids, force=force)
    show_change(shell, change)


@app.command()
def restore(
    ctx: typer.Context,
    memory_ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID...]", help="Ids, uids or prefixes.")
    ] = None,
    sweep: Annotated[
        Any,
        typer.Option(
            parser=values.count("--sweep"), metavar="N", help="All that this sweep shelved."
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Supersede what has taken their place.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would come back.")
    ] = False,
) -> None:
    """Bring archived memories back.

    Their clock starts anew, so that the next sweep leaves them. A superseded one comes back only
    where no other is live in its place, or by --force, which supersedes that one in turn. What was
    erased while restorable was true comes back, too, by its id or uid.
    """
    shell: Shell = ctx.obj
    if bool(memory_ids) == (sweep is not None):
        raise WrongUsage("restore what?", hint="give ids, or --sweep and its number")
    change = memories.restore(
        shell.session.reader if dry_run else shell.session.changer,
        memory_ids or (),
        sweep=sweep,
        anchor=shell.session.settings.values["restore_anchor"],
        force=force,
        dry_run=dry_run,
    )
    show_change(shell, change)


def _show(shell: Shell, swept: SweepReport) -> None:
    warn_of_spared(shell, swept)
    if not (swept.dry_run or shell.output.verbose):
        shell.output.summary(report(swept), summary(swept))
        return
    shell.output.answer(report(swept), SWEPT, map(record, swept.memories))
    shell.output.note(summary(swept))


def warn_of_spared(shell: Shell, swept: SweepReport) -> None:
    """Say, also under --quiet, that a sweep nobody watches would have erased suspiciously much."""
    if swept.spared:
        would = "would be " if swept.dry_run else ""
        shell.output.warning(
            f"{counted(swept.spared, 'memory')} {would}archived, not erased: more than gc_max_share"
            " of all; 'hebb restore --sweep' brings them back, 'hebb gc --purge' erases them"
        )


def summary(swept: SweepReport) -> str:
    asks = "; it needs --yes" if swept.needs_yes else ""
    would = "would be " if swept.dry_run else ""
    number = f"sweep {swept.sweep}: " if swept.sweep else ""
    pending = " (pending: another process still reads)" if swept.erasure_pending else ""
    left = f"; {still_in(swept.backups_left)}" if swept.backups_left else ""
    counts = f"{swept.archived} {would}archived, {swept.erased} {would}erased"
    back = f", {swept.restored} {would}restored" if swept.restored else ""
    copies = f"; {COPIES_KEPT}" if swept.copies_kept else ""
    return f"{number}{counts}{back}{asks}{copies}{pending}{left}"
