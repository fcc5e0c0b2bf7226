"""Write cells as the text that the encoder reads: one way, in training and in use."""

from collections.abc import Sequence

from feverfew.judge.linearise import plain
from feverfew.judge.tables.view import TableView

__all__ = ["linearise_cells"]


def linearise_cells(view: TableView, places: Sequence[tuple[int, int]]) -> str:
    """Write places of a table's body (row, column) as sentences: one a row, `header is text`.

    Rows stand in the order in which they are first named, their cells from left to right; the
    page's title and the caption go before all. Empty cells are left out.

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
            if (text := view.columns[column].texts[row].strip())
        ]
        if cells:
            said.append(f"{', '.join(cells)}.")
    over = ", ".join(part for part in (view.title, view.caption) if part)
    return plain(f"{over}: {' '.join(said)}" if over else " ".join(said))
