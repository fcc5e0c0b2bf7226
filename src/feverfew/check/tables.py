"""Look at the tables that a claim leads to: find them, run programs on them, choose their cells."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from feverfew.check.table_gate import TableGate, concerns
from feverfew.corpus import Corpus
from feverfew.judge import Judge, Probabilities, likeliest
from feverfew.judge.reading import Piece
from feverfew.retrieve import Retriever
from feverfew.tables import TableJudge, TableVerdict, TableView
from feverfew.tables.cells import CELLS, Cells
from feverfew.tables.combine import mean, of_table, together
from feverfew.tables.execute import Place
from feverfew.tables.ranking import TABLES
from feverfew.tables.search import PAGES, CorpusTables, TableHit
from feverfew.text import display_title
from feverfew.types import VIRTUAL_ROW, Cell, Ref, Table, Verdict

__all__ = ["TableReader", "TableResult", "joined"]

_SHOWN = 6


class TableResult(Struct, frozen=True):
    """A table that may speak of a claim, and what it says."""

    page: str
    section: str
    table: Table
    view: TableView
    verdict: TableVerdict
    places: tuple[Place, ...]
    """The cells that the program used, then those that were chosen beside them; 25 at most."""
    others: tuple["TableResult", ...] = ()
    """The other tables that were looked at, those found first before the others."""
    hearing: TableGate = TableGate()
    with_texts: Probabilities | None = None
    """What it says when it is read as one with the texts that were found; None where it is not:
    where it is heard by itself, or no text was found."""
    concerned: bool = True
    """Whether it knows the names in the claim."""

    @property
    def shares(self) -> Probabilities:
        """What it says: supported, refuted, left open."""
        return of_table(self.verdict)

    @property
    def rests_on(self) -> tuple[Place, ...]:
        """The cells that its program used; where there is none, the best of those chosen."""
        return self.verdict.cells or self.places[:_SHOWN]

    @property
    def heard(self) -> bool:
        """Say whether it speaks of the claim, and not in doubt."""
        return self.concerned and self.hearing.hears(self.table, self.verdict)

    def refs(self, places: Sequence[Place]) -> list[Ref]:
        """Name cells by their official ids."""
        cells = [self.view.places[row][column] for row, column in places]
        return self.named(cells)

    def named(self, cells: Sequence[Cell]) -> list[Ref]:
        """Name cells by their official ids, each once.

        What is not in the table has none; empty cells, which may only fill a ragged row, prove
        nothing.
        """
        own = (cell for cell in cells if cell.row != VIRTUAL_ROW and cell.text)
        return list(dict.fromkeys(self.table.ref(self.page, cell) for cell in own))


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
        self.hearing = TableGate.open(judge.folder)
        self.fingerprint = self.hearing.fingerprint(self._judge.fingerprint)
        """Names all weights, the judge's too, and when tables are heard."""

    def look(
        self,
        claims: Sequence[str],
        texts: Sequence[Sequence[Piece]] | None = None,
        *,
        every: bool = False,
    ) -> list[TableResult | None]:
        """Return the table that speaks most of each claim; None where there is no table.

        `texts`, those found for each claim, are read as one with it where it is not heard by
        itself. With `every`, cells of the other tables are chosen as well.
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
            asked = [() if one and one.heard else own for one, own in zip(best, texts, strict=True)]
            best = self.as_one(claims, best, asked)
        return [
            self._with_cells(claim, one, every) if one else None
            for claim, one in zip(claims, best, strict=True)
        ]

    def _judged(self, asked: Sequence[tuple[str, TableHit]]) -> list[TableResult]:
        """Judge claims by tables that were found for them, all at once."""
        views = [TableView.of(hit.table, display_title(hit.page.title)) for _, hit in asked]
        verdicts = self._judge.judge([claim for claim, _ in asked], views)
        return [
            TableResult(
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

    def as_one(
        self,
        claims: Sequence[str],
        best: Sequence[TableResult | None],
        texts: Sequence[Sequence[Piece]],
    ) -> list[TableResult | None]:
        """Read tables again, each as one with the texts found for its claim, if there are any."""
        asked = {
            at: (claims[at], one.view, texts[at])
            for at, one in enumerate(best)
            if one and texts[at]
        }
        if not asked:
            return list(best)
        read = self._judge.judge(*map(list, zip(*asked.values(), strict=True)))
        said = dict(zip(asked, read, strict=True))
        return [
            replace(one, with_texts=said[at].probabilities) if one and at in said else one
            for at, one in enumerate(best)
        ]

    def _with_cells(self, claim: str, looked: TableResult, every: bool) -> TableResult:
        chosen = self._cells.choose([claim], [looked.view])[0]
        places = dict.fromkeys((*looked.places, *((cell.row, cell.column) for cell in chosen)))
        others = looked.others
        if every:
            others = tuple(self._with_cells(claim, one, False) for one in others)
        return replace(looked, places=tuple(places)[:CELLS], others=others)


def _best(looked: Sequence[TableResult]) -> TableResult | None:
    """Choose the table that speaks most, one that is heard before all others."""
    if not looked:
        return None
    best = max(looked, key=lambda one: (one.heard, one.verdict.speaks))
    return replace(best, others=tuple(one for one in looked if one is not best))


def joined(shares: Probabilities, table: TableResult | None) -> Probabilities:
    """Join what texts say with what a table says, where the texts leave the claim open.

    A table that is heard speaks beside them. Where it is not, neither settles the claim alone, and
    what both say when they are read as one counts as much as what the texts say.
    """
    if table is None or likeliest(shares) is not Verdict.NOT_ENOUGH_INFO:
        return shares
    if table.heard:
        return together(shares, table.shares)
    return mean(shares, table.with_texts) if table.with_texts else shares
