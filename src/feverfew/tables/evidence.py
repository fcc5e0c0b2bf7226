"""A table as evidence for a claim: the cells chosen for it, in words, and what programs compute."""

from collections.abc import Sequence

from msgspec import Struct

from feverfew.tables.cells import CELLS, Cells
from feverfew.tables.execute import Place
from feverfew.tables.linearise import fitting, linearise_cells
from feverfew.tables.programs import Programs, ProgramVotes
from feverfew.tables.values import cell_words
from feverfew.tables.view import TableView
from feverfew.tables.words import in_words
from feverfew.types import VIRTUAL_ROW, Cell, Ref, Table

__all__ = ["TableEvidence", "TableReader"]

_KNOWN = 0.5
"""A table is about a claim only if it has more than this share of the claim's names."""
_CITED = 6
"""Cells that are cited where no program tells which were used."""


class TableEvidence(Struct, frozen=True):
    """What a table has to say of a claim."""

    page: str
    section: str
    table: Table
    view: TableView
    text: str
    """The chosen cells in words, as the encoders read them."""
    places: tuple[Place, ...]
    """The chosen cells, best first: rows and columns of the view's body."""
    votes: ProgramVotes
    about: bool
    """Whether the table knows most of the names in the claim."""

    def cited(self, supported: bool) -> tuple[Place, ...]:
        """Return the cells that a verdict rests on: what the best program for it used."""
        best = self.votes.top_program(supported)
        if best is not None:
            program = self.votes.tried.candidates[best].program
            used = self.view.rests_on(self.votes.tried.runner.cells(program))
            if self.refs(used):
                return used
        return self.places[:_CITED]

    def reason(self, supported: bool) -> str:
        """Say what the best program for a verdict computed; empty where there is none."""
        best = self.votes.top_program(supported)
        if best is None:
            return ""
        tried = self.votes.tried
        return in_words(tried.candidates[best].program, tried.outcomes[best], self.view)

    def refs(self, places: Sequence[Place]) -> list[Ref]:
        """Name cells by their official ids, each once."""
        return self.named([self.view.places[row][column] for row, column in places])

    def named(self, cells: Sequence[Cell]) -> list[Ref]:
        """Name cells by their official ids; empty cells, and those not in the table, have none."""
        own = (cell for cell in cells if cell.row != VIRTUAL_ROW and cell.text)
        return list(dict.fromkeys(self.table.ref(self.page, cell) for cell in own))


class TableReader:
    """Chooses cells and runs programs."""

    def __init__(self, cells: Cells, programs: Programs) -> None:
        self._cells, self._programs = cells, programs

    @classmethod
    def open(cls) -> "TableReader":
        """Open the shipped weights."""
        return cls(Cells.open(), Programs.open())

    @property
    def fingerprint(self) -> str:
        """Names the weights."""
        return self._cells.fingerprint + self._programs.fingerprint

    def read(
        self, claim: str, table: Table, view: TableView, page: str = "", section: str = ""
    ) -> TableEvidence:
        """Choose the cells for a claim, and run the programs that it may mean."""
        ranked = self._ranked(claim, view)
        return TableEvidence(
            page,
            section,
            table,
            view,
            linearise_cells(view, fitting(view, ranked)),
            tuple(ranked[:CELLS]),
            self._programs.hear([claim], [view])[0],
            _about(claim, view),
        )

    def cells_text(self, claim: str, view: TableView) -> str:
        """Write the cells chosen for a claim as the encoders read them."""
        return linearise_cells(view, fitting(view, self._ranked(claim, view)))

    def _ranked(self, claim: str, view: TableView) -> list[Place]:
        return [(cell.row, cell.column) for cell in self._cells.choose([claim], [view])[0]]


def _about(claim: str, view: TableView) -> bool:
    names = set(cell_words(" ".join(w for w in claim.split()[1:] if w[:1].isupper())))
    return not names or len(names & view.words) > _KNOWN * len(names)
