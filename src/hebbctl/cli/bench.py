"""hebb bench."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Annotated, Any

import typer

from hebbctl.cli import values
from hebbctl.cli.app import Shell
from hebbctl.documents.labelled import Entry
from hebbctl.records import report
from hebbctl.render.views import measures
from hebbctl.text import counted
from hebbctl.times import format_time
from hebbctl.usecases import benchmark
from hebbctl.usecases.benchmark import Conditions, RecallReport
from hebbctl.usecases.embedding import needed
from hebbctl.usecases.evidence import DEEPEST, Answer

app = typer.Typer(rich_markup_mode=None)
group = typer.Typer(
    help="Measure recall on questions whose answers are known.", rich_markup_mode=None
)
app.add_typer(group, name="bench")


@group.command("recall")
def recall(
    ctx: typer.Context,
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="A labelled set; - is stdin.")
    ],
    questions: Annotated[
        list[Path] | None,
        typer.Option("--questions", metavar="FILE", help="One more file: its questions."),
    ] = None,
    together: Annotated[
        bool, typer.Option("--together", help="One store for all samples, not one for each.")
    ] = False,
    no_decay: Annotated[
        bool, typer.Option("--no-decay", help="As if all were retained: decay_floor is 1.")
    ] = False,
    no_neighbours: Annotated[
        bool, typer.Option("--no-neighbours", help="Hits lend nothing to their session.")
    ] = False,
    no_dates: Annotated[
        bool, typer.Option("--no-dates", help="As if no question named a day.")
    ] = False,
    no_graph: Annotated[
        bool, typer.Option("--no-graph", help="Common use has no share of a score.")
    ] = False,
    meaning: Annotated[
        bool, typer.Option("--meaning", help="By vectors, too, made first: see 'hebb embed'.")
    ] = False,
    semantic_weight: Annotated[
        Any,
        typer.Option(
            parser=values.share("--semantic-weight"), metavar="0..1", help="The share of meaning."
        ),
    ] = None,
    use_settings: Annotated[
        bool, typer.Option("--use-settings", help="Your settings, not the default ones.")
    ] = False,
) -> None:
    """Print how much of the answers a recall finds.

    A FILE holds lines: memories as 'hebb export' prints them, and questions, {"question": "...",
    "gold": ["uid", ...], "category": "...", "scope": "..."}, of which the last two may be missing.
    Or it is LoCoMo's own JSON: each turn becomes a memory of its session, and each sample has a
    store of its own.

    recall@k is the share of a question's gold memories among its first k results, hit@k the share
    of questions with at least one there, mrr the mean of 1 / the rank of the first. What names no
    memory that is there is left out and counted. The questions are asked a day after the last
    memory, or at --now. Settings are the defaults, unless --use-settings or --config is given.
    The stores are thrown away; yours is not looked at, and nothing counts as used. --verbose
    also prints the ranks of each question's gold memories.
    """
    shell: Shell = ctx.obj
    given = [*files, *(questions or ())]
    without = {"decay": no_decay, "neighbours": no_neighbours, "dates": no_dates}
    without["graph"] = no_graph
    conditions = _conditions(shell, given, without, together=together, use_settings=use_settings)
    conditions = _by_meaning(shell, conditions, meaning=meaning, weight=semantic_weight)
    _show(shell, benchmark.measure(_entries(shell, given), conditions, _teller(shell)))


def _conditions(
    shell: Shell, files: list[Path], without: dict[str, bool], *, together: bool, use_settings: bool
) -> Conditions:
    session = shell.session
    return Conditions(
        files=tuple(map(str, files)),
        scratch=lambda settings: session.scratch(settings)[0],
        settings=session.settings if use_settings else session.settings_if_named,
        without=tuple(name for name, wanted in without.items() if wanted),
        together=together,
        filled_at=session.now,
        asked_at=session.now if session.imagined_now is not None else None,
        stopwatch=session.stopwatch,
        days_named=session.days_named,
        embedder=None,
    )


def _by_meaning(
    shell: Shell, conditions: Conditions, *, meaning: bool, weight: float | None
) -> Conditions:
    """Return the conditions with vectors, if they are wanted, and the weight they then have."""
    settings = conditions.settings
    if weight is not None:
        settings = settings._replace(values=settings.values | {"semantic_weight": weight})
    embedder = needed(shell.session.embedder) if meaning or weight is not None else None
    return conditions._replace(settings=settings, embedder=embedder)


def _entries(shell: Shell, files: list[Path]) -> Iterator[Entry]:
    return benchmark.entries([(str(path), shell.session.lines_of(path)) for path in files])


def _teller(shell: Shell) -> Callable[[Answer], None]:
    """Return how to hear of each answer: as a line under --verbose, else as progress."""
    counted = count(1)

    def tell(answer: Answer) -> None:
        shell.output.detail(f"{_ranks(answer)}: {answer.question}")
        shell.output.progress(next(counted), 0)

    return tell


def _ranks(answer: Answer) -> str:
    return " ".join(map(str, answer.ranks)) or f"not in {DEEPEST}"


def _show(shell: Shell, found: RecallReport) -> None:
    columns, rows = measures(found)
    shell.output.answer(report(found), columns, rows)
    if not shell.output.as_json:  # the object says it all
        shell.output.note(_asked(found))
        shell.output.note_if(any(found.left_out.values()), _left_out(found))
        absent = f"named by the others as gold, but not there: {found.gold_missing}"
        shell.output.note_if(found.gold_missing > 0, absent)


def _asked(found: RecallReport) -> str:
    when = "a day after the last memory" if found.asked_at is None else format_time(found.asked_at)
    memories, stores = counted(found.memories, "memory"), counted(found.stores, "store")
    asked = f"{counted(found.questions, 'question')} asked of {memories} in {stores}, {when}"
    return f"{asked}, without {' and '.join(found.without)}" if found.without else asked


def _left_out(found: RecallReport) -> str:
    without, absent = found.left_out["no_gold"], found.left_out["gold_not_there"]
    return f"left out: {without} without gold, {absent} whose gold is not there"
