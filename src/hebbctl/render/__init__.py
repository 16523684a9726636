"""Values to a table, lines or JSON; failures to a line or JSON: the only place that prints."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TextIO

from hebbctl.errors import HebbError
from hebbctl.records import error_record
from hebbctl.render.cells import cell
from hebbctl.text import CONTROLS, one_line

if TYPE_CHECKING:
    from hebbctl.render.canvas import Line
    from hebbctl.render.charts import Screen

Record = dict[str, Any]


class Output:
    """How one run prints. Results go to stdout, everything else to stderr.

    ``color`` is None unless asked for; True also gives a pipe the table of a terminal. ``plain``
    draws charts in ASCII also where stdout could hold more.
    """

    def __init__(
        self,
        *,
        as_json: bool = False,
        quiet: bool = False,
        verbose: bool = False,
        color: bool | None = None,
        plain: bool = False,
    ) -> None:
        self.as_json = as_json
        self.quiet = quiet
        self.verbose = verbose
        self.color = color
        self._plain = plain
        self._bar: Any = None
        self._held: list[str] = []
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name)
            if stream is None:  # closed by the caller: >&-
                setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - for the whole run
            elif hasattr(stream, "reconfigure"):  # a character the encoding lacks becomes a ?
                stream.reconfigure(errors="replace")

    def answer(self, whole: Record, columns: Sequence[str], records: Iterable[Record]) -> None:
        """Print one answer: ``whole`` as JSON, else these columns of its records."""
        if self.as_json:
            self._json(whole)
        else:
            self._rows(columns, records)

    def answers(self, records: Iterable[Record], columns: Sequence[str]) -> None:
        """Print records: all of each as one JSON array, else these columns of it."""
        if self.as_json:
            self._json_array(records)
            return
        found = iter(records)
        first = list(islice(found, 1))
        self._rows(columns, chain(first, found))
        if not first and self._for_eyes:  # a script sees that by itself
            self.note("nothing found")

    def fact(self, whole: Record, value: object) -> None:
        """Print one answer: ``whole`` as JSON, else nothing but its one value, for $(...)."""
        if self.as_json:
            self._json(whole)
        else:
            self.text(one_line(str(value)))

    def document(self, whole: Record, text: str) -> None:
        """Print one answer that is the text of a file: ``whole`` as JSON, else it as it stands."""
        if self.as_json:
            self._json(whole)
        else:
            self.text(text)

    def summary(self, whole: Record, line: str) -> None:
        """Print an answer that is one line: ``whole`` as JSON, nothing under --quiet."""
        if self.as_json:
            self._json(whole)
        elif not self.quiet:
            self.text(one_line(line))

    def block(self, whole: Record, text: str) -> None:
        """Print one answer: ``whole`` as JSON, else a text as it is; a pipe gets it as UTF-8."""
        if self.as_json:
            self._json(whole)
            return
        if not sys.stdout.isatty() and hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(encoding="utf-8", newline="\n")
        self._stop_bar()
        sys.stdout.write(text)
        sys.stdout.flush()

    def chart(
        self,
        whole: Record,
        columns: Sequence[str],
        records: Iterable[Record],
        draw: "Callable[[Screen], list[Line]]",
        *,
        header: bool = False,
    ) -> None:
        """Print one answer: ``whole`` as JSON, a drawing on a terminal, else columns of records."""
        if self.as_json:
            self._json(whole)
        elif self._for_eyes:
            self._drawing(draw)
        else:
            self._lines(columns, records, header=header)

    def story(self, steps: Iterable[Record], ending: str) -> None:
        """Print steps as they happen, each with its day, command, result and remark."""
        if self.as_json:
            self._json([{name: step[name] for name in STEP} for step in steps])
            return
        for number, step in enumerate(steps, start=1):
            self.text(f"{number}. Day {step['day']}: {step['heading']}\n$ {step['command']}")
            self._rows(step["columns"], step["records"], header=True)
            self.text(f"{step['remark']}\n")
        self.text(ending)

    def _json(self, value: Any) -> None:
        """Print one JSON value in one line."""
        self.text(self._safe(json.dumps(value, ensure_ascii=self.ascii_only)))

    def _json_array(self, records: Iterable[Record]) -> None:
        """Print one JSON array in one line, with bounded memory."""
        self._stop_bar()
        separator = "["
        for one in records:
            sys.stdout.write(separator + self._safe(json.dumps(one, ensure_ascii=self.ascii_only)))
            separator = ", "
        sys.stdout.write("[]\n" if separator == "[" else "]\n")
        sys.stdout.flush()

    def _safe(self, written: str) -> str:
        """Return JSON whose marks that reverse or hide text no terminal obeys: as escapes."""
        return written.translate(ESCAPES) if sys.stdout.isatty() else written

    @property
    def ascii_only(self) -> bool:
        """Say whether stdout cannot hold every character: JSON then escapes them."""
        encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
        return not encoding.lower().startswith("utf")

    @property
    def plain(self) -> bool:
        """Say whether charts are drawn in ASCII."""
        return self._plain or self.ascii_only

    def _rows(
        self, columns: Sequence[str], records: Iterable[Record], *, header: bool = False
    ) -> None:
        """Print these fields of records: a table on a terminal, else lines split by tabs."""
        if self._for_eyes:
            if told := [one for one in records if not _says_nothing(one)]:
                self._table(columns, told)
        else:
            self._lines(columns, records, header=header)

    @property
    def _for_eyes(self) -> bool:
        return bool(self.color) or sys.stdout.isatty()

    def _lines(
        self, columns: Sequence[str], records: Iterable[Record], *, header: bool = False
    ) -> None:
        self._stop_bar()
        if header:
            sys.stdout.write("\t".join(columns) + "\n")
        for record in records:
            sys.stdout.write("\t".join(cell(record[column]) for column in columns) + "\n")
        sys.stdout.flush()

    def lines(self, lines: Iterable[str]) -> int:
        """Print lines as they come, with bounded memory. Returns how many."""
        count = 0
        for line in lines:
            sys.stdout.write(self._safe(line) + "\n")
            count += 1
            if count % 1000 == 0 and not sys.stdout.isatty():
                self.progress(count, 0)
        self.flush()
        return count

    def text(self, text: str) -> None:
        self._stop_bar()
        print(text, flush=True)

    def note(self, text: str) -> None:
        """Say something on stderr that is no result; under --json at the end of the run.

        A failure is then alone there: one JSON object.
        """
        if self.quiet:
            return
        if self.as_json:
            self._held.append(one_line(text))
        else:
            self._say(one_line(text))

    def note_if(self, wanted: bool, text: str) -> None:
        if wanted:
            self.note(text)

    def warning(self, text: str) -> None:
        """Say on stderr, also under --quiet, what somebody must look at though nothing failed.

        Not under --json, where the answer itself says it.
        """
        if not self.as_json:
            self._say(f"hebb: {one_line(text)}")

    def question(self, text: str) -> None:
        """Ask on stderr, where the answer is awaited, in the same line."""
        self._say(text, end="")

    def detail(self, text: str) -> None:
        if self.verbose:
            self.note(text)

    def error(self, error: HebbError) -> None:
        """Print a failure. A stderr that is closed or full cannot change the exit code."""
        lines = [f"hebb: {one_line(str(error))}"]
        if error.hint:
            lines.append(f"hint: {one_line(error.hint)}")
        self._say(json.dumps(error_record(error)) if self.as_json else "\n".join(lines))

    def _say(self, text: str, end: str = "\n") -> None:
        try:
            self._stop_bar()
            print(text, end=end, file=sys.stderr, flush=True)
        except OSError:
            _silence(sys.stderr)

    def progress(self, done: int, total: int) -> None:
        """Show on a terminal how far long work has come; 0 as ``total`` means it is unknown."""
        if self.quiet or not sys.stderr.isatty():
            return
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn

            self._bar = Progress(
                BarColumn(),
                TextColumn("{task.completed:,}"),
                console=Console(stderr=True),
                transient=True,
                redirect_stdout=False,  # else results meant for a file end up above the bar
                redirect_stderr=False,
            )
            self._bar.add_task("", total=total or None)
            self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=done, total=total or None)

    def flush(self) -> None:
        self._stop_bar()
        sys.stdout.flush()
        while self._held:
            self._say(self._held.pop(0))

    def discard(self) -> None:
        """Drop what stdout still buffers: after a failure it would fail once more, at exit."""
        with suppress(OSError):
            self._stop_bar()
        _silence(sys.stdout)

    def _stop_bar(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _table(self, columns: Sequence[str], records: list[Record]) -> None:
        from hebbctl.render.tables import table

        console = self._console()
        console.print(table(columns, records, console.width))
        sys.stdout.flush()

    def _drawing(self, draw: "Callable[[Screen], list[Line]]") -> None:
        from rich.text import Text

        from hebbctl.render.charts import Screen

        console = self._console()
        colored = console.color_system is not None
        for line in draw(Screen(console.width, self.plain, colored)):
            console.print(Text.assemble(*line, no_wrap=True), crop=False)
        sys.stdout.flush()

    def _console(self) -> Any:
        from rich.console import Console

        class Pipe(Console):
            def on_broken_pipe(self) -> None:
                raise  # the BrokenPipeError it is called for: Rich would exit with 1

        self._stop_bar()
        console = Pipe(
            force_terminal=self.color or None,
            color_system={True: "standard", False: None, None: "auto"}[self.color],
            no_color=False,  # decided above, with NO_COLOR in mind
            highlight=False,
        )
        if console.is_dumb_terminal:  # which Rich takes for 80 wide
            with suppress(OSError):
                console.width = os.get_terminal_size(sys.stdout.fileno()).columns
        console.width = max(console.width, NARROWEST)  # COLUMNS=0 is no width to print in
        return console


# What JSON leaves as it is and a terminal obeys.
ESCAPES = {code: f"\\u{code:04x}" for code in CONTROLS if code >= 127}
NARROWEST = 20  # terminal cells
STEP = ("day", "heading", "command", "records", "remark")  # what a step has in JSON


def _says_nothing(record: Record) -> bool:
    """Say whether it is a field without a value: a person does not miss it, a script would."""
    return "field" in record and record.get("value") in (None, "", [], {})


def _silence(stream: TextIO) -> None:
    """Send what a stream still buffers nowhere: it failed once and must not fail at exit."""
    with suppress(OSError, ValueError):  # in tests a stream is no file
        number = stream.fileno()
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, number)
        os.close(null)
