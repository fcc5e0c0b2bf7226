"""What the encoder reads of a table beside a claim: the cells chosen for it, as one text."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from feverfew.judge.linearise import linearise
from feverfew.judge.reading import Piece
from feverfew.tables.linearise import fitting, linearise_cells
from feverfew.tables.view import TableView

__all__ = ["CellChooser", "CellsRead", "Placed", "read_cells", "with_texts"]

_BESIDE, _TEXTS = 300, 500
"""Letters of cells, and of texts, where both are read at once: the encoder reads no more."""


class Placed(Protocol):
    """A place of a table's body."""

    @property
    def row(self) -> int: ...
    @property
    def column(self) -> int: ...


class CellChooser(Protocol):
    """Ranks the cells of the table beside each claim, best first: `select.cells.Cells` does."""

    @property
    def fingerprint(self) -> str: ...
    def choose(
        self, claims: Sequence[str], tables: Sequence[TableView]
    ) -> Sequence[Sequence[Placed]]: ...


class CellsRead(Struct, frozen=True):
    """The cells of a table that a claim is judged by."""

    ranked: list[tuple[int, int]]
    """All that were chosen, best first."""
    places: list[tuple[int, int]]
    """Those that are read: as many as the encoder can."""
    text: str
    """As the encoder reads them."""


def read_cells(
    chooser: CellChooser, claims: Sequence[str], tables: Sequence[TableView]
) -> list[CellsRead]:
    """Choose and write the cells that claims should be judged by: one way, in training and use."""
    found = []
    for own, view in zip(chooser.choose(claims, tables), tables, strict=True):
        ranked = [(cell.row, cell.column) for cell in own]
        places = fitting(view, ranked)
        found.append(CellsRead(ranked, places, linearise_cells(view, places)))
    return found


def with_texts(pieces: Sequence[Piece], cells: CellsRead, view: TableView) -> str:
    """Write texts and cells as one evidence, the texts first; what is too long is left out.

    >>> view = TableView.of_rows([["Year", "Film"], ["1927", "Metropolis"]], "Films")
    >>> cells = CellsRead([(0, 1), (0, 0)], [(0, 1), (0, 0)], "")
    >>> with_texts([("Fritz Lang", "He was born in Vienna.")], cells, view)
    'Fritz Lang: He was born in Vienna. | Films: Year is 1927, Film is Metropolis.'
    """
    kept: list[Piece] = []
    letters = 0
    for title, text in pieces:
        letters += len(text)
        if kept and letters > _TEXTS:
            break
        kept.append((title, text[:_TEXTS]))
    beside = linearise_cells(view, fitting(view, cells.ranked, _BESIDE))
    return " | ".join(part for part in (linearise(kept), beside) if part)
