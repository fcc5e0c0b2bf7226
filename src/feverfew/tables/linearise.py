"""Write cells as the text that the encoder reads: one way, in training and in use."""

from collections.abc import Sequence

from feverfew.models.linearise import plain
from feverfew.tables.view import TableView
from feverfew.types import VIRTUAL_ROW

__all__ = ["fitting", "linearise_cells"]

_LETTERS, _CELL = 480, 160
"""Letters that are read of a table's cells in all, and of one cell: what is longer would be cut."""


def fitting(
    view: TableView, ranked: Sequence[tuple[int, int]], most: int = _LETTERS
) -> list[tuple[int, int]]:
    """Keep the first places, as many as can be read at once; at least one."""
    kept: list[tuple[int, int]] = []
    letters = 0
    for row, column in ranked:
        letters += len(view.header_of(column)) + len(view.columns[column].texts[row][:_CELL]) + 6
        if kept and letters > most:
            break
        kept.append((row, column))
    return kept


def linearise_cells(view: TableView, places: Sequence[tuple[int, int]]) -> str:
    """Write places of a table's body (row, column) as sentences: one a row, `header is text`.

    Rows stand in the order in which they are first named, their cells from left to right; the
    page's title and the caption go before all. Empty cells are left out, long ones cut, and so is
    an infobox's own name, which is the title.

    >>> view = TableView.of_rows([["Year", "Film"], ["1927", "Metropolis"]], "Films", "Fritz Lang")
    >>> linearise_cells(view, [(0, 1), (0, 0)])
    'Fritz Lang, Films: Year is 1927, Film is Metropolis.'
    """
    rows: dict[int, set[int]] = {}
    for row, column in places:
        rows.setdefault(row, set()).add(column)
    said = []
    for row, columns in rows.items():
        cells = [
            f"{view.header_of(column)} is {text}"
            for column in sorted(columns)
            if (text := view.columns[column].texts[row].strip()[:_CELL])
            and view.places[row][column].row != VIRTUAL_ROW
        ]
        if cells:
            said.append(f"{', '.join(cells)}.")
    over = ", ".join(part for part in (view.title, view.caption) if part)
    return plain(f"{over}: {' '.join(said)}" if over else " ".join(said))
