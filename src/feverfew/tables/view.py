"""A typed view of a table: its columns with their headers, kinds and numbers, and its words.

Spans are filled, so that every place of the grid has a text, and every place knows the cell
it came from. An infobox is seen as one row whose columns are its keys.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.readers.tables import ListTable
from feverfew.tables.notation import has_decimal_commas, header_unit, plain_column
from feverfew.tables.values import DATE, NUMBER, TEXT, Value, cell_words, read_value
from feverfew.types import VIRTUAL_ROW, Cell, Table

Numbers = NDArray[np.float64]
_TYPED = 0.6
"""The share of a column's cells that must hold a number for it to be one of numbers."""
_HEADS = 4
"""Rows that may be headers, at most."""


class Column(Struct, frozen=True):
    """A column of the body."""

    index: int
    header: str
    """All levels, outermost first: 'Medals: Gold'."""
    kind: str
    unit: str
    texts: tuple[str, ...]
    numbers: Numbers
    """A number or a date for each row; nan where there is none."""
    factor: float = 1.0
    """The written unit, in the measure's own, where all cells share it; numbers are in it."""

    @property
    def ordered(self) -> bool:
        """Say whether its cells can be compared."""
        return self.kind != TEXT


class Entry(Struct, frozen=True):
    """A text of a column, and the rows that hold it."""

    column: int
    words: tuple[str, ...]
    rows: list[int]


class TableView:
    """A table as programs see it."""

    def __init__(
        self,
        columns: tuple[Column, ...],
        height: int,
        places: Sequence[Sequence[Cell]],
        heads: Sequence[Sequence[Cell]],
        caption: str,
        title: str,
        *,
        listed: bool = False,
    ) -> None:
        self.columns = columns
        self.height = height
        self.places = places
        """The cell behind each place of the body, by row and column."""
        self.heads = heads
        """The header cells of each column, outermost first."""
        self.caption = caption
        self.title = title
        self.listed = listed
        self.every = (1 << height) - 1

    @classmethod
    def of_rows(
        cls, rows: Sequence[Sequence[str]], caption: str = "", title: str = ""
    ) -> "TableView":
        """Make a view of rows of strings, the first of which is the header."""
        made = tuple(
            tuple(Cell(r, c, text.strip(), r == 0) for c, text in enumerate(row))
            for r, row in enumerate(rows)
        )
        return cls.of(Table(0, made, caption), title)

    @classmethod
    def of(cls, table: Table, title: str = "") -> "TableView":
        """Make a view of a page's table."""
        grid = _filled(table)
        if table.infobox and grid:
            heads, body = _turned(grid)
            if title and body:  # whose infobox it is stands above it, not in it
                heads.insert(0, [Cell(VIRTUAL_ROW, 0, "name", True)])
                body[0].insert(0, Cell(VIRTUAL_ROW, 0, title))
        else:
            count = _head_rows(grid)
            heads, body = [list(column) for column in zip(*grid[:count], strict=True)], grid[count:]
        width = len(grid[0]) if grid and not table.infobox else len(heads)
        heads = heads or [[] for _ in range(width)]
        commas = has_decimal_commas(cell.text for row in body for cell in row)
        columns = tuple(
            _column(at, _joined(heads[at]), [row[at].text for row in body], commas)
            for at in range(width)
        )
        listed = isinstance(table, ListTable)
        return cls(columns, len(body), body, heads, table.caption, title, listed=listed)

    @cached_property
    def entries(self) -> list[Entry]:
        """Every different text of every column."""
        found: list[Entry] = []
        for column in self.columns:
            rows: dict[str, list[int]] = {}
            for row, text in enumerate(column.texts):
                rows.setdefault(text, []).append(row)
            found += [
                Entry(column.index, words, own)
                for text, own in rows.items()
                if (words := cell_words(text))
            ]
        return found

    @cached_property
    def index(self) -> dict[str, list[int]]:
        """The entries, by number, that hold a word."""
        found: dict[str, list[int]] = {}
        for number, entry in enumerate(self.entries):
            for word in set(entry.words):
                found.setdefault(word, []).append(number)
        return found

    @cached_property
    def words(self) -> set[str]:
        """All words of its cells, headers, caption and title."""
        heads = " ".join(column.header for column in self.columns)
        return {*self.index, *cell_words(f"{self.title} {self.caption} {heads}")}

    def rests_on(self, places: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        """Name what proves something: an item of a list only does with all that it stands below."""
        if not self.listed:
            return tuple(places)
        rows = dict.fromkeys(row for row, _ in places)
        return tuple((row, column) for row in rows for column in range(len(self.columns)))

    def header_of(self, column: int) -> str:
        """Name a column for people."""
        return self.columns[column].header or f"column {column + 1}"


def bits_of(rows: Sequence[int]) -> int:
    """Turn row numbers into a set of rows, a bit each."""
    if len(rows) < 50:
        found = 0
        for row in rows:
            found |= 1 << row
        return found
    mask = np.zeros(max(rows) + 1, bool)
    mask[list(rows)] = True
    return int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little")


def rows_of(bits: int) -> list[int]:
    """List the rows of a set.

    >>> rows_of(bits_of([0, 3]))
    [0, 3]
    """
    data = np.frombuffer(bits.to_bytes((bits.bit_length() + 7) // 8, "little"), np.uint8)
    return np.flatnonzero(np.unpackbits(data, bitorder="little")).tolist()


def _filled(table: Table) -> list[list[Cell]]:
    """Give every place the cell that covers it; ragged rows are filled with empty cells."""
    places: dict[tuple[int, int], Cell] = {}
    width = 0
    height = len(table.rows)
    for r, row in enumerate(table.rows):
        c = 0
        for cell in row:
            while (r, c) in places:
                c += 1
            for down in range(min(cell.row_span, height - r)):
                for right in range(cell.column_span):
                    places.setdefault((r + down, c + right), cell)
            c += cell.column_span
            width = max(width, c)
    return [
        [places.get((r, c)) or Cell(r, c, "") for c in range(width)] for r in range(height)
    ]  # fmt: skip


def _head_rows(grid: list[list[Cell]]) -> int:
    count = 0
    for row in grid[:_HEADS]:
        if not all(cell.header or not cell.text for cell in row):
            break
        count += 1
    # A table of nothing but headers is all body, but for its first row.
    return min(count, 1) if count == len(grid) else count


def _turned(grid: list[list[Cell]]) -> tuple[list[list[Cell]], list[list[Cell]]]:
    """See an infobox as one row: each of its rows is a key and its value."""
    heads: list[list[Cell]] = []
    body: list[Cell] = []
    over: Cell | None = None
    for row in grid:
        different = list(dict.fromkeys(cell for cell in row if cell.text))
        keys = [cell for cell in different if cell.header]
        rest = [cell for cell in different if not cell.header]
        if keys and not rest:
            over = keys[0]
        for cell in rest:
            heads.append([*([over] if over and not keys else []), *keys])
            body.append(cell)
    return heads, [body] if body else []


def _joined(cells: Sequence[Cell]) -> str:
    return ": ".join(dict.fromkeys(" ".join(cell.text.split()) for cell in cells if cell.text))


def _column(index: int, header: str, texts: list[str], commas: bool) -> Column:
    read = [read_value(text) for text in plain_column(texts, commas=commas)]
    said = sum(1 for text in texts if text.strip(" -–—?")) or 1
    kinds = Counter(value.kind for value in read)
    kind = TEXT
    if kinds[NUMBER] + kinds[DATE] >= _TYPED * said:
        kind = DATE if kinds[DATE] > kinds[NUMBER] else NUMBER
    numbers, unit, factor = _numbers(read, kind), _unit(read, kind), _factor(read)
    numbers = numbers / factor
    if kind == NUMBER and not unit:
        unit, factor = header_unit(header)
    return Column(index, header, kind, unit, tuple(texts), numbers, factor)


def _numbers(read: list[Value], kind: str) -> Numbers:
    # In a column of words a number here and there still can be asked for.
    wanted = NUMBER if kind == TEXT else kind
    return np.array([v.number if v.kind == wanted else np.nan for v in read], np.float64)


def _factor(read: list[Value]) -> float:
    """Return the unit that all cells are written in; 1 where they differ."""
    factors = {value.factor for value in read if value.kind == NUMBER}
    return factors.pop() if len(factors) == 1 else 1.0


def _unit(read: list[Value], kind: str) -> str:
    units = Counter(value.unit for value in read if value.kind == NUMBER and value.unit)
    return units.most_common(1)[0][0] if units and kind == NUMBER else ""
