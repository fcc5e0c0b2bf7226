"""Look at the tables that a claim leads to: find them, run programs on them, choose their cells."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from feverfew.corpus import Corpus
from feverfew.judge import Judge, Probabilities, likeliest
from feverfew.judge.tables import TableJudge, TableVerdict, TableView
from feverfew.judge.tables.together import of_table, together
from feverfew.judge.tables.view import NOWHERE
from feverfew.model import Cell, Kind, Ref, Table, Verdict
from feverfew.retrieve import Retriever
from feverfew.retrieve.corpus_tables import PAGES, CorpusTables, TableHit
from feverfew.retrieve.tables import TABLES
from feverfew.select.cells import CELLS, Cells
from feverfew.text import display_title

__all__ = ["TableLooked", "TableReader", "is_heard", "joined"]

_SPEAKS, _SURE = 0.6, 0.6
"""A table is heard from here on: how likely it speaks of the claim, and how sure it is of its side.
Chosen on half of the sample's claims."""


def is_heard(table: Table, verdict: TableVerdict) -> bool:
    """Say whether a table speaks of a claim, and not in doubt.

    An infobox is not heard: programs were learned from tables, and on infoboxes they guess.
    """
    sure = max(verdict.probability, 1 - verdict.probability)
    return not table.infobox and verdict.speaks >= _SPEAKS and sure >= _SURE


class TableLooked(Struct, frozen=True):
    """A table that may speak of a claim, and what it says."""

    page: str
    section: str
    table: Table
    view: TableView
    verdict: TableVerdict
    places: tuple[tuple[int, int], ...]
    """The cells that the program used, then those that were chosen beside them; 25 at most."""
    others: tuple["TableLooked", ...] = ()
    """The other tables that were looked at, those found first before the others."""

    @property
    def shares(self) -> Probabilities:
        """What it says: supported, refuted, left open."""
        return of_table(self.verdict)

    @property
    def heard(self) -> bool:
        """Say whether it speaks of the claim, and not in doubt."""
        return is_heard(self.table, self.verdict)

    def refs(self, places: Sequence[tuple[int, int]]) -> list[Ref]:
        """Name cells by their official ids."""
        cells = [self.view.places[row][column] for row, column in places]
        return self.named(cells)

    def named(self, cells: Sequence[Cell]) -> list[Ref]:
        """Name cells by their official ids, each once.

        What is not in the table has none; empty cells, which may only fill a ragged row, prove
        nothing.
        """
        found = [
            Ref(
                self.page,
                Kind.HEADER_CELL if cell.header else Kind.CELL,
                (self.table.index, cell.row, cell.column),
            )
            for cell in cells
            if cell.row != NOWHERE and cell.text
        ]
        return list(dict.fromkeys(found))


class TableReader:
    """Finds and judges tables, in a corpus's index of them and on the pages of a claim."""

    def __init__(
        self, corpus: Corpus, retriever: Retriever, judge: Judge, tables: int = TABLES
    ) -> None:
        self._retriever = retriever
        self._tables = tables
        self._search = CorpusTables.open(corpus)
        self._cells = Cells.open()
        self._judge = TableJudge.open(judge, self._cells)
        self.fingerprint = self._judge.fingerprint
        """Names all weights, the judge's too."""

    def look(self, claims: Sequence[str], *, every: bool = False) -> list[TableLooked | None]:
        """Return the table that speaks most of each claim; None where there is no table.

        With `every`, cells of the other tables are chosen as well.
        """
        if not self._tables or not claims:
            return [None] * len(claims)
        pages = self._retriever.retrieve(claims, PAGES)
        found = self._search.find(claims, pages, self._tables)
        return [self._one(claim, own, every) for claim, own in zip(claims, found, strict=True)]

    def _one(self, claim: str, hits: Sequence[TableHit], every: bool) -> TableLooked | None:
        looked = [self._look_at(claim, hit) for hit in hits]
        if not looked:
            return None
        best = max(looked, key=lambda one: (one.heard, one.verdict.speaks))
        others = [one for one in looked if one is not best]
        if every:
            others = [self._with_cells(claim, one) for one in others]
        return replace(self._with_cells(claim, best), others=tuple(others))

    def _look_at(self, claim: str, hit: TableHit) -> TableLooked:
        section, table = " › ".join(hit.section), hit.table
        view = TableView.of(table, display_title(hit.page.title))
        verdict = self._judge.judge([claim], [view])[0]
        return TableLooked(hit.page.title, section, table, view, verdict, verdict.cells)

    def _with_cells(self, claim: str, looked: TableLooked) -> TableLooked:
        chosen = self._cells.choose([claim], [looked.view])[0]
        places = dict.fromkeys((*looked.places, *((cell.row, cell.column) for cell in chosen)))
        return replace(looked, places=tuple(places)[:CELLS])


def joined(shares: Probabilities, table: TableLooked | None) -> Probabilities:
    """Join what texts say with what a table says, where the texts leave the claim open."""
    if table is None or not table.heard or likeliest(shares) is not Verdict.NOT_ENOUGH_INFO:
        return shares
    return together(shares, table.shares)
