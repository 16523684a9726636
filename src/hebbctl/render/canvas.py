"""Curves in character cells: braille dots where the terminal has them, else letters."""

from collections.abc import Sequence
from itertools import groupby

Piece = tuple[str, str]  # text and style
Line = list[Piece]
Points = Sequence[tuple[float, float]]  # both are shares 0..1, the first ones ascending

BRAILLE = 0x2800  # of a cell without dots
DOT_BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # by row and column of a dot
SPARSE = 3  # every third dot of a curve that has ended


class Canvas:
    """A grid of cells. From left to right x goes from 0 to 1, from bottom to top y does.

    Of two curves in one cell the later one gives it its colour; a mark covers both.
    """

    def __init__(self, columns: int, rows: int, *, ascii_only: bool) -> None:
        self.columns = columns
        self.rows = rows
        self._ascii_only = ascii_only
        self._across, self._down = (1, 1) if ascii_only else (2, 4)  # dots in a cell
        self._dots: dict[tuple[int, int], int] = {}
        self._owners: dict[tuple[int, int], Piece] = {}
        self._marks: dict[tuple[int, int], Piece] = {}

    def row(self, y: float) -> int:
        return self._dot_row(y) // self._down

    def column(self, x: float) -> int:
        return self._dot_column(x) // self._across

    def level(self, y: float, style: str) -> None:
        """Draw a dotted line from left to right."""
        for dot in range(0, self.columns * self._across, self._across):
            self._draw(dot, self._dot_row(y), ("-", style))

    def curve(self, points: Points, *, until: float, letter: str, style: str) -> None:
        """Draw a line through points that never rises, dotted where x is beyond ``until``."""
        width = self.columns * self._across
        before = self._dot_row(points[0][1])
        for dot in range(width):
            x = dot / (width - 1)
            row = self._dot_row(between(points, x))
            if x <= until:
                for one in range(min(before + 1, row), row + 1):
                    self._draw(dot, one, (letter, style))
            elif dot % SPARSE == 0:
                self._draw(dot, row, (letter, style))
            before = row

    def mark(self, x: float, y: float, letter: str, style: str) -> None:
        """Put a letter there, or beside it where another one stands: to the right if it fits."""
        row, column = self.row(y), self.column(x)
        places = sorted(range(self.columns), key=lambda one: (one < column, abs(one - column)))
        free = next(one for one in places if (row, one) not in self._marks)
        self._marks[row, free] = (letter, style)

    def line(self, row: int) -> Line:
        cells = [self._cell(row, column) for column in range(self.columns)]
        runs = groupby(cells, key=lambda cell: cell[1])
        return [("".join(text for text, _ in run), style) for style, run in runs]

    def _dot_row(self, y: float) -> int:
        return round((1 - y) * (self.rows * self._down - 1))

    def _dot_column(self, x: float) -> int:
        return round(x * (self.columns * self._across - 1))

    def _draw(self, dot: int, dot_row: int, owner: Piece) -> None:
        cell = dot_row // self._down, dot // self._across
        bit = DOT_BITS[dot_row % self._down][dot % self._across]
        self._dots[cell] = self._dots.get(cell, 0) | bit
        self._owners[cell] = owner

    def _cell(self, row: int, column: int) -> Piece:
        if (row, column) in self._marks:
            return self._marks[row, column]
        if (row, column) not in self._owners:
            return " ", ""
        letter, style = self._owners[row, column]
        return letter if self._ascii_only else chr(BRAILLE + self._dots[row, column]), style


def between(points: Points, x: float) -> float:
    """Return y at ``x``, on a straight line between the two points around it."""
    (left, low), (right, high) = points[0], points[-1]
    for place, (one, y) in enumerate(points):
        if one >= x:
            left, low = points[max(place - 1, 0)]
            right, high = one, y
            break
    share = (x - left) / (right - left) if right > left else 1.0
    return low + share * (high - low)
