"""Retention curves and the matrix of days, as lines that fit a terminal."""

import math
import textwrap
from typing import Any, NamedTuple

from hebbctl import curves as forgetting_curves
from hebbctl.render.canvas import Canvas, Line, between
from hebbctl.render.cells import FAR, figure, infinity, is_far
from hebbctl.usecases.charts import Curve, Curves, Matrix

ROWS = 13  # of a chart: a quarter of the retention every third row
MOST_COLUMNS = 100  # of a chart; a wider one is harder to read
CURVES = (("A", "cyan"), ("B", "magenta"), ("C", "green"))  # letter and style
NOW = "@"
THRESHOLD = "red"
QUARTERS = (1, 0.75, 0.5, 0.25, 0)
LINES = {False: tuple("│┤└─┬"), True: tuple("||+-+")}  # of the axes; by ASCII or not
LEGEND = ("", "importance", "accesses", "time constant", "true half-life", "forgotten after")
# Days up to which a cell has this style. Both colours are set: it reads on dark and on light.
BANDS = (
    (7, "white on red"),
    (30, "black on bright_red"),
    (90, "black on yellow"),
    (180, "black on bright_yellow"),
    (365, "black on bright_green"),
    (1000, "black on green"),
    (FAR, "black on cyan"),
    (math.inf, "white on blue"),
)
TOLD = ("floor", "pinned", "disabled", "expires_at", "ttl", "lifetime")  # what else ends it
UNBROKEN = "\xa0"  # a space at which textwrap does not break a line
DROPPED = (2, 50, 25, 5, 1, 10, 100)  # accesses a narrow terminal does without, the first first


class Screen(NamedTuple):
    """What lines are made for: a width in cells, and what it can show."""

    width: int
    ascii_only: bool
    colored: bool


def curves(found: Curves, screen: Screen) -> list[Line]:
    """Return the chart of retention over idle days, and what its letters stand for."""
    one = found.curves[0]
    what = found.partition if one.id is None else f"memory {one.id} in {found.partition}"
    return [
        *_wrapped(f"{what}: retention over idle days", screen, "bold"),
        *_chart(found, screen),
        *_legend(found, screen),
        *_remarks(found, screen),
        *_policy(found.policy, screen),
    ]


def matrix(found: Matrix, screen: Screen) -> list[Line]:
    """Return the heat map of days until a memory is forgotten."""
    title = f"{found.partition}: days until forgotten, {_axes(found)}"
    return [
        *_wrapped(title, screen, "bold"),
        *_heat_map(found, screen),
        *(_scale(screen) if screen.colored else []),
        *_wrapped(
            f"{infinity(ascii_only=screen.ascii_only)} is never, or more than {FAR} days", screen
        ),
        *_policy(found.policy, screen),
    ]


def _axes(found: Matrix) -> str:
    """Return what the rows and columns are; a curve need not count either."""
    down, across = len(found.importances) > 1, len(found.access_counts) > 1
    if down and across:
        return "by importance (down) and accesses (across)"
    if down or across:
        return "by importance (down); use is not counted" if down else "by accesses (across)"
    return "whatever the importance and the accesses"


def short_days(days: float | None, *, ascii_only: bool) -> str:
    """Write days in three digits or so, or as infinite."""
    if days is None or is_far(days):
        return infinity(ascii_only=ascii_only)
    return f"{days:.0f}" if days >= 99.95 else f"{days:.3g}"


def _chart(found: Curves, screen: Screen) -> list[Line]:
    wall, tick, corner, floor, notch = LINES[screen.ascii_only]
    levels = [*QUARTERS, found.threshold]
    margin = max(len(f"{level:.3g}") for level in levels)
    columns = min(screen.width - margin - 2, MOST_COLUMNS)
    canvas = Canvas(columns, ROWS, ascii_only=screen.ascii_only)
    _draw(found, canvas)
    labels = {canvas.row(level): f"{level:.3g}" for level in levels}  # the threshold comes last
    lines: list[Line] = []
    for row in range(ROWS):
        style = THRESHOLD if row == canvas.row(found.threshold) else ""
        label = f"{labels.get(row, ''):>{margin}} "
        lines.append([(label, style), (tick if row in labels else wall, "dim"), *canvas.line(row)])
    ticks = _ticks(found.days, canvas)
    axis = corner + "".join(notch if column in ticks else floor for column in range(columns))
    indent = " " * (margin + 1)
    return [*lines, [(indent + axis, "dim")], [(f"{indent} {_tick_labels(ticks, columns)}", "")]]


def _draw(found: Curves, canvas: Canvas) -> None:
    canvas.level(found.threshold, THRESHOLD)
    for (letter, style), one in zip(CURVES, found.curves, strict=False):
        canvas.curve(_shares(one), until=_end(one, found), letter=letter.lower(), style=style)
    for (letter, style), one in zip(CURVES, found.curves, strict=False):
        end = _end(one, found)
        name = letter if end <= 1 else letter.lower()  # it names the curve, but nothing ends there
        canvas.mark(min(end, 1), between(_shares(one), min(end, 1)), name, f"bold {style}")
        if one.idle_days is not None and one.idle_days <= found.days:
            now = one.idle_days / found.days
            canvas.mark(now, between(_shares(one), now), NOW, "bold reverse")


def _shares(one: Curve) -> list[tuple[float, float]]:
    """Return the points of a curve with their days as shares of the last one."""
    last = one.points[-1][0]
    return [(day / last, retention) for day, retention in one.points]


def _end(one: Curve, found: Curves) -> float:
    """Return when it is forgotten, as a share of the days in the chart; infinity for never."""
    days = one.forgotten_after_days
    return math.inf if days is None else days / found.days


def _ticks(days: float, canvas: Canvas) -> dict[int, str]:
    """Return the columns of round numbers of days, with room for each number."""
    finest = math.floor(math.log10(days / canvas.columns))
    steps = (one * 10.0**power for power in range(finest, finest + 4) for one in (1, 2, 5))
    step = next(step for step in steps if _room(step, days) <= step / days * canvas.columns)
    return {
        canvas.column(min(step * place / days, 1)): f"{step * place:.6g}"
        for place in range(_count(step, days) + 1)
    }


def _room(step: float, days: float) -> int:
    """Return how many cells the longest number needs, with the space beside it."""
    last = _count(step, days)
    return 2 + max(len(f"{step * place:.6g}") for place in {1, max(last - 1, 0), last})


def _count(step: float, days: float) -> int:
    return int(days / step * (1 + 1e-9))  # 1.2 / 0.4 is a little less than 3


def _tick_labels(ticks: dict[int, str], columns: int) -> str:
    """Write each number below the middle of its tick, the last one only where it has the room."""
    line = ""
    for column, label in ticks.items():
        start = max(min(column - len(label) // 2, columns - len(label)), 0)
        if not line or start > len(line):
            line = f"{line:{start}}{label}"
    return line


def _legend(found: Curves, screen: Screen) -> list[Line]:
    """Return a table of the curves, or a sentence for each where that is too wide."""
    rows = [
        (
            letter,
            f"{one.importance:g}",
            f"{one.access_count}",
            f"{figure(one.time_constant_days)} d",
            f"{figure(one.true_half_life_days)} d",
            _forgotten(one),
        )
        for (letter, _), one in zip(CURVES, found.curves, strict=False)
    ]
    styles = [f"bold {style}" for _, style in CURVES]
    widths = [max(map(len, column)) for column in zip(LEGEND, *rows, strict=True)]
    if sum(widths) + 2 * len(LEGEND[1:]) > screen.width:
        return [
            line
            for row, style in zip(rows, styles, strict=False)
            for line in _sentence(row, style, screen)
        ]
    table = [
        "  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True))
        for row in (LEGEND, *rows)
    ]
    lines = zip(table[1:], styles, strict=False)
    return [[(table[0], "bold")], *([(line[:1], style), (line[1:], "")] for line, style in lines)]


def _sentence(row: tuple[str, ...], style: str, screen: Screen) -> list[Line]:
    told = ", ".join(
        f"{name} {cell.replace(' ', UNBROKEN)}"
        for name, cell in zip(LEGEND[1:], row[1:], strict=True)
    ).replace("after never", "never")
    wrapped = textwrap.wrap(told, screen.width, initial_indent="  ", subsequent_indent="  ")
    first, *others = (line.replace(UNBROKEN, " ") for line in wrapped)
    return [[(row[0], style), (first[1:], "")], *([(line, "")] for line in others)]


def _forgotten(one: Curve) -> str:
    after = "never" if one.forgotten_after_days is None else f"{figure(one.forgotten_after_days)} d"
    return f"{after} ({one.decided_by})" if one.decided_by in TOLD else after


def _remarks(found: Curves, screen: Screen) -> list[Line]:
    one = found.curves[0]
    told = [f"threshold {found.threshold:g}: the dotted line; a curve is dotted after its end"]
    if forgetting_curves.CURVES[found.policy["curve"]].gain:
        told.append("the threshold is one of vitality: retention * (accesses + 1)^beta * strength")
    if one.idle_days is not None:
        beyond = "" if one.idle_days <= found.days else ", beyond this chart"
        told.append(
            f"{NOW} now: idle {figure(one.idle_days)} d, retention {one.retention:.4g}{beyond}"
        )
    if found.verdict:
        told.append(found.verdict)
    return [line for text in told for line in _wrapped(text, screen)]


def _policy(policy: dict[str, Any], screen: Screen) -> list[Line]:
    if not policy["enabled"]:
        return _wrapped("not swept: nothing in this partition is forgotten", screen)
    reads = [name for name in forgetting_curves.CURVES[policy["curve"]].reads if name in policy]
    told = ", ".join(f"{name} {_figure(policy[name])}" for name in [*reads, "threshold"])
    told += f", floor {policy['min_retention_days']:g} d"
    curve = "" if policy["curve"] == "hebb" else f"curve {policy['curve']}, "
    return _wrapped(curve + told, screen, "dim")


def _figure(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def _heat_map(found: Matrix, screen: Screen) -> list[Line]:
    """Return the numbers, each on its colour, without the columns that do not fit."""
    label = max(len(f"{importance:g}") for importance in found.importances)
    written = [
        [str(count), *(short_days(row[place], ascii_only=screen.ascii_only) for row in found.days)]
        for place, count in enumerate(found.access_counts)
    ]
    widths = [max(map(len, column)) for column in written]
    room = screen.width - label - 1
    before = " " if sum(widths) + 2 * len(widths) <= room else ""
    shown = _fitting(found.access_counts, [len(before) + width + 1 for width in widths], room)
    lines: list[Line] = []
    for row, name in enumerate(["", *(f"{importance:g}" for importance in found.importances)]):
        line = [(f"{name:>{label}} ", "bold")]
        for place in shown:
            style = heat(found.days[row - 1][place]) if row else "bold"
            line.append((f"{before}{written[place][row]:>{widths[place]}} ", style))
        lines.append(line)
    return lines


def _fitting(access_counts: tuple[int, ...], widths: list[int], room: int) -> list[int]:
    """Return the places of the columns that fit."""
    shown = list(range(len(access_counts)))
    for count in DROPPED:
        if count in access_counts and sum(widths[place] for place in shown) > room:
            shown.remove(access_counts.index(count))
    return shown


def heat(days: float | None) -> str:
    """Return the style of a cell."""
    known = math.inf if days is None else days
    return next(style for limit, style in BANDS if known <= limit)


def _scale(screen: Screen) -> list[Line]:
    """Return what the colours mean, in as many lines as it takes."""
    sign = "<=" if screen.ascii_only else "≤"
    lines: list[Line] = [[(sign, "")]]
    used = len(sign)
    for limit, style in BANDS:
        text = f" {short_days(limit, ascii_only=screen.ascii_only)} "
        if used + len(text) > screen.width:
            lines.append([])
            used = 0
        lines[-1].append((text, style))
        used += len(text)
    return lines


def _wrapped(text: str, screen: Screen, style: str = "") -> list[Line]:
    return [[(line, style)] for line in textwrap.wrap(text, screen.width)]
