"""Look at the tables that a claim leads to: find them, run programs on them, choose their cells."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from feverfew.check.hearing import Hearing, concerns
from feverfew.corpus import Corpus
from feverfew.judge import Judge, Probabilities, likeliest
from feverfew.judge.reading import Piece
from feverfew.judge.tables import TableJudge, TableVerdict, TableView
from feverfew.judge.tables.together import of_table, together
from feverfew.judge.tables.view import NOWHERE
from feverfew.model import Cell, Kind, Ref, Table, Verdict
from feverfew.retrieve import Retriever
from feverfew.retrieve.corpus_tables import PAGES, CorpusTables, TableHit
from feverfew.retrieve.tables import TABLES
from feverfew.select.cells import CELLS, Cells
from feverfew.text import display_title

__all__ = ["TableLooked", "TableReader", "joined"]


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
    hearing: Hearing = Hearing()
    with_texts: Probabilities | None = None
    """What it says when it is read as one with the texts that were found; None where it is not."""
    concerned: bool = True
    """Whether it knows the names in the claim."""

    @property
    def shares(self) -> Probabilities:
        """What it says: supported, refuted, left open."""
        return of_table(self.verdict)

    @property
    def heard(self) -> bool:
        """Say whether it speaks of the claim, and not in doubt."""
        return self.concerned and self.hearing.hears(self.table, self.verdict)

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
        self.hearing = Hearing.open(judge.folder)
        self.fingerprint = self.hearing.fingerprint(self._judge.fingerprint)
        """Names all weights, the judge's too, and when tables are heard."""

    def look(
        self,
        claims: Sequence[str],
        texts: Sequence[Sequence[Piece]] | None = None,
        *,
        every: bool = False,
    ) -> list[TableLooked | None]:
        """Return the table that speaks most of each claim; None where there is no table.

        `texts`, those found for each claim, may be read as one with it. With `every`, cells of the
        other tables are chosen as well.
        """
        if not self._tables or not claims:
            return [None] * len(claims)
        pages = self._retriever.retrieve(claims, PAGES)
        found = self._search.find(claims, pages, self._tables)
        looked = iter(
            self._judged([(c, hit) for c, own in zip(claims, found, strict=True) for hit in own])
        )
        best = [_best([next(looked) for _ in own]) for own in found]
        if self.hearing.as_one and texts is not None:
            best = self._as_one(claims, best, texts)
        return [
            self._with_cells(claim, one, every) if one else None
            for claim, one in zip(claims, best, strict=True)
        ]

    def _judged(self, asked: Sequence[tuple[str, TableHit]]) -> list[TableLooked]:
        """Judge claims by tables that were found for them, all at once."""
        views = [TableView.of(hit.table, display_title(hit.page.title)) for _, hit in asked]
        verdicts = self._judge.judge([claim for claim, _ in asked], views)
        return [
            TableLooked(
                hit.page.title,
                " › ".join(hit.section),
                hit.table,
                view,
                verdict,
                verdict.cells,
                hearing=self.hearing,
                concerned=concerns(claim, view),
            )
            for (claim, hit), view, verdict in zip(asked, views, verdicts, strict=True)
        ]

    def _as_one(
        self,
        claims: Sequence[str],
        best: Sequence[TableLooked | None],
        texts: Sequence[Sequence[Piece]],
    ) -> list[TableLooked | None]:
        """Read the best tables again, each as one with the texts found for its claim."""
        asked = [
            (claim, one, own)
            for claim, one, own in zip(claims, best, texts, strict=True)
            if one and own
        ]
        verdicts = iter(
            self._judge.judge(
                [claim for claim, _, _ in asked],
                [one.view for _, one, _ in asked],
                [own for _, _, own in asked],
            )
        )
        return [
            replace(one, with_texts=next(verdicts).probabilities) if one and own else one
            for one, own in zip(best, texts, strict=True)
        ]

    def _with_cells(self, claim: str, looked: TableLooked, every: bool) -> TableLooked:
        chosen = self._cells.choose([claim], [looked.view])[0]
        places = dict.fromkeys((*looked.places, *((cell.row, cell.column) for cell in chosen)))
        others = looked.others
        if every:
            others = tuple(self._with_cells(claim, one, False) for one in others)
        return replace(looked, places=tuple(places)[:CELLS], others=others)


def _best(looked: Sequence[TableLooked]) -> TableLooked | None:
    """Choose the table that speaks most, one that is heard before all others."""
    if not looked:
        return None
    best = max(looked, key=lambda one: (one.heard, one.verdict.speaks))
    return replace(best, others=tuple(one for one in looked if one is not best))


def joined(shares: Probabilities, table: TableLooked | None) -> Probabilities:
    """Join what texts say with what a table says, where the texts leave the claim open."""
    if table is None or not table.heard or likeliest(shares) is not Verdict.NOT_ENOUGH_INFO:
        return shares
    return table.with_texts or together(shares, table.shares)
