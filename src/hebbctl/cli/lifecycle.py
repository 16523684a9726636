"""hebb promote, reinforce, consolidate."""

from typing import Annotated

import typer

from hebbctl.cli import values
from hebbctl.cli.app import Shell
from hebbctl.cli.memories import show_change
from hebbctl.errors import WrongUsage
from hebbctl.records import record, report
from hebbctl.usecases import consolidation, lifecycle, merging
from hebbctl.usecases.consolidation import Consolidation

app = typer.Typer(rich_markup_mode=None)
MOVED = ("id", "partition", "reason", "content")
SIMILAR = ("keep", "merge", "overlap", "together", "content", "other")
REINFORCED = ("id", "frequency", "importance", "content")
NO_RULE = (
    "nothing is promoted by use: move_after_accesses is 0, and so are promote_at_vitality,"
    " promote_uses and promote_after_accesses; 'hebb promote ID' does it by hand"
)


@app.command()
def promote(
    ctx: typer.Context,
    memory_ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID...]", help="These, however often used.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would move.")] = False,
) -> None:
    """Move up what earned it: it lives longer there.

    Without ID what was used enough in mem_notes and mem_episodic moves to mem_semantic: by
    move_after_accesses, promote_at_vitality or promote_uses. By promote_after_accesses, and by hand
    under curve amnesia, a memory gets a ttl of 365 days at least instead. No time to live and no
    max_lifetime_days ends a promoted memory. What is stale is not promoted, except by hand.
    """
    shell: Shell = ctx.obj
    settings = shell.session.settings
    store = shell.session.reader if dry_run else shell.session.changer
    change = lifecycle.promote(
        store, settings, shell.session.policy_of, references=memory_ids or (), dry_run=dry_run
    )
    show_change(shell, change)
    shell.output.note_if(not (memory_ids or lifecycle.is_promoting(settings)), NO_RULE)


@app.command()
def reinforce(ctx: typer.Context, dry_run: values.DryRun = False) -> None:
    """Raise the frequency of important memories.

    For once a week, as jarvis does: what is live, of importance 7 or more and in use gets a tenth
    more frequency, up to 10. It has no effect on how a memory fades.
    """
    shell: Shell = ctx.obj
    store = shell.session.reader if dry_run else shell.session.changer
    change = lifecycle.reinforce(store, dry_run=dry_run)
    show_change(shell, change, REINFORCED)
    shell.output.note("frequency has no effect on retention: they fade as before")


@app.command()
def consolidate(
    ctx: typer.Context,
    memory_ids: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ID...]", help="For --merge: the one that stays, then the others."),
    ] = None,
    similar: Annotated[
        bool, typer.Option("--similar", help="Only list pairs that may say the same.")
    ] = False,
    merge: Annotated[
        bool, typer.Option("--merge", help="Make one of these memories; see below.")
    ] = False,
    dry_run: values.DryRun = False,
) -> None:
    """Empty the inbox by rules or a program of yours.

    What is in mem_hippocampus moves by consolidation_rules, else by its kind, else to mem_notes,
    and begins to fade from there. With a consolidate_command that program decides, in a dry run,
    too: it gets a JSON line {id, content, kind, tags, importance} for each, and answers {id,
    partition, importance, tags}. That is the only way a text leaves hebb here. What it does not
    answer well stays in the inbox and is named; the exit code is then 1.

    --similar lists live memories of which half the words are the same, those used together first,
    and changes nothing. --merge gives the first ID the tags, uses and edges of the others, which
    are archived as superseded by it; 'hebb restore --force' lets one of them take its place.
    """
    shell: Shell = ctx.obj
    if similar or merge or memory_ids:
        return _similar(shell, memory_ids or [], merge=merge, similar=similar, dry_run=dry_run)
    store = shell.session.reader if dry_run else shell.session.changer
    found = consolidation.consolidate(
        store, shell.session.settings, ask=shell.session.ask, dry_run=dry_run
    )
    _show(shell, found)


def _similar(
    shell: Shell, references: list[str], *, merge: bool, similar: bool, dry_run: bool
) -> None:
    if merge == similar or merge != bool(references):
        raise WrongUsage("merge what?", hint="give --merge with ids, or --similar alone")
    if similar:
        pairs = merging.similar(shell.session.reader)
        shell.output.answers(map(record, pairs), SIMILAR)
        return
    store = shell.session.reader if dry_run else shell.session.changer
    most_edges = shell.session.settings.values["graph_edges_per_memory"]
    show_change(
        shell, merging.merge(store, references, most_edges=int(most_edges), dry_run=dry_run)
    )


def _show(shell: Shell, found: Consolidation) -> None:
    shell.output.answer(report(found), MOVED, map(record, found.moved))
    failure = consolidation.failure(found)
    if shell.output.as_json and failure:  # the object says it all: stderr is for the failure alone
        raise failure
    for one in found.left:
        shell.output.note(f"left in the inbox: {one.id}: {one.reason}")
    for problem in found.problems:
        shell.output.note(problem)
    if failure:
        raise failure
    would = "would be " if found.dry_run else ""
    shell.output.note(f"{len(found.moved)} {would}moved")
