"""Tables for a terminal, laid out for its width."""

from collections.abc import Sequence
from typing import Any

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from hebbctl.render.cells import cell, figure
from hebbctl.text import one_line

CUT = "content"  # the column that gives way: one memory stays one line
SHORTEST_CUT = 12  # terminal cells
SHORTEST_HELP = 24  # below it a sentence becomes a pillar
# Shown whole, in as many lines as it takes.
FOLDED = {"value", "help", "summary", "verdict", "given", "message", "path", "tags"}
# What a narrow terminal does without, the first first.
DROPPED = (
    *("partition", "default", "origin", "uid", "help", "reason", "match", "inherited"),
    *("bm25", "match_bonus", "lent", "decay_factor", "threshold", "k_importance", "k_access"),
    *("neutral_lifetime_days", "enabled", "actor", "count", "size_bytes", "relevance"),
    *("retention", "exists", "co_occurrence", "date_bonus", "vitality", "stale_days"),
    *("last_updated_at", "bridging"),
    *("archived_at", "created_at", "state"),
    *("hit@20", "hit@1", "hit@5", "recall@20", "recall@1", "milliseconds", "hit@10"),
)
# Figures as somebody chose them, without zeros at the end; a share that is measured has three.
CHOSEN = {"value", "default", "inherited", "before", "after", "threshold"}
NARROW = 60  # terminal cells: below it a time is a date
GAP = 2


def table(columns: Sequence[str], records: Sequence[dict[str, Any]], width: int) -> Table:
    """Return a table that is no wider than ``width``, as far as its numbers let it."""
    if "hint" in columns:
        columns = [column for column in columns if column != "hint"]
        records = [_with_hint(record) for record in records]
    rows = [
        {column: _written(column, record[column], width) for column in columns}
        for record in records
    ]
    filled = [one for one in columns if not rows or any(row[one] for row in rows)]
    shown = _fitting(filled, rows, width)
    widths = {column: _width(column, rows) for column in shown}
    fixed = sum(GAP + widths[column] for column in shown if column not in {CUT, *FOLDED})
    left = max(SHORTEST_CUT, width - fixed)
    made = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="bold")
    for column in shown:
        rest = column == CUT or column in FOLDED
        made.add_column(
            column.replace("_", " "),
            overflow="fold",
            width=None if rest else widths[column],
            no_wrap=column == CUT,
        )
    for row in rows:
        made.add_row(*(_text(column, row[column], left) for column in shown))
    return made


def _with_hint(record: dict[str, Any]) -> dict[str, Any]:
    """Put the next step below what it is for: side by side both would be too narrow."""
    said = [record["message"], *([f"-> {record['hint']}"] if record["hint"] else [])]
    return record | {"message": "\n".join(said)}


def _fitting(columns: Sequence[str], rows: list[dict[str, str]], width: int) -> list[str]:
    shown = list(columns)
    all_live = all(row.get("state") == "live" for row in rows)  # then the state says nothing
    order = ("partition", *(["state"] if all_live else []), *DROPPED)
    for column in dict.fromkeys(one for one in order if one in columns[1:]):
        if sum(GAP + _least(one, rows) for one in shown) > width:
            shown.remove(column)
    return shown


def _least(column: str, rows: list[dict[str, str]]) -> int:
    if column == "help":
        return SHORTEST_HELP
    return SHORTEST_CUT if column == CUT or column in FOLDED else _width(column, rows)


def _width(column: str, rows: list[dict[str, str]]) -> int:
    """Return what a column needs at least: a header may break between its words."""
    words = column.split("_")
    return max(cell_len(part) for part in (*words, *(row[column] for row in rows)))


def _written(column: str, value: Any, width: int) -> str:
    """Write a field for the eye: a text as it stands, a time to the minute, four digits."""
    if column.endswith("_at") and isinstance(value, str):
        return value[:10] if width < NARROW else f"{value[:10]} {value[11:16]}Z"
    if column in FOLDED and isinstance(value, str):
        return "\n".join(one_line(line) for line in value.split("\n"))
    if isinstance(value, float):
        return f"{value:.3f}" if 0 < value < 1 and column not in CHOSEN else figure(value)
    if isinstance(value, list):
        return one_line(", ".join(map(str, value)))
    return cell(value)


def _text(column: str, written: str, left: int) -> Text:
    text = Text(written, style=_style(column, written))  # a str would be read as markup
    if column == CUT:
        text.truncate(left, overflow="ellipsis")
    return text


def _style(column: str, written: str) -> str:
    if column == "id":
        return "cyan"
    if column == "partition":
        return "dim"
    if column in ("retention", "score") and written:
        share = float(written)
        return "green" if share >= 0.6 else "yellow" if share >= 0.3 else "red"
    return ""
