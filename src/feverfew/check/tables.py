"""Look at the tables of the pages that a claim leads to, and join what they say to its report."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from feverfew.corpus import Corpus
from feverfew.judge import VERDICTS, Judge, Probabilities, likeliest
from feverfew.judge.tables import TableJudge, TableVerdict, TableView
from feverfew.judge.tables.together import of_table, together
from feverfew.judge.tables.view import NOWHERE
from feverfew.model import (
    Context,
    Evidence,
    Excerpt,
    Finding,
    Kind,
    Page,
    Ref,
    Report,
    Section,
    Table,
    Verdict,
)
from feverfew.retrieve import Candidate, Retriever
from feverfew.retrieve.features import Query
from feverfew.select.cells import CELLS, Cells
from feverfew.text import display_title, padded

__all__ = ["TableLooked", "TableReader", "joined", "with_table"]

PAGES, TABLES = 5, 3
"""Pages whose tables are looked at, and tables that programs are tried on: FEVEROUS's paper's."""
_LONGEST = 20_000
"""Letters of a table that are looked at to choose among tables."""
_SPEAKS, _SURE = 0.6, 0.6
"""A table is heard from here on: how likely it speaks of the claim, and how sure it is of its side.
Chosen on half of the sample's claims."""
_SHOWN_CELLS, _SHOWN_ROWS = 6, 8


class TableLooked(Struct, frozen=True):
    """The table that speaks most of a claim, and what it says."""

    page: str
    section: str
    table: Table
    view: TableView
    verdict: TableVerdict
    places: tuple[tuple[int, int], ...]
    """The cells that the program used, then those that were chosen beside them; 25 at most."""

    @property
    def shares(self) -> Probabilities:
        """What it says: supported, refuted, left open."""
        return of_table(self.verdict)

    @property
    def heard(self) -> bool:
        """Say whether it speaks of the claim, and not in doubt.

        An infobox is not heard: programs were learned from tables, and on infoboxes they guess.
        """
        sure = max(self.verdict.probability, 1 - self.verdict.probability)
        return not self.table.infobox and self.verdict.speaks >= _SPEAKS and sure >= _SURE

    def refs(self, places: Sequence[tuple[int, int]]) -> list[Ref]:
        """Name cells by their official ids."""
        found = []
        for row, column in places:
            cell = self.view.places[row][column]
            if cell.row == NOWHERE:
                continue
            kind = Kind.HEADER_CELL if cell.header else Kind.CELL
            found.append(Ref(self.page, kind, (self.table.index, cell.row, cell.column)))
        return list(dict.fromkeys(found))


class TableReader:
    """Finds and judges tables on the pages that a claim leads to."""

    def __init__(self, corpus: Corpus, retriever: Retriever, judge: Judge) -> None:
        self._corpus, self._retriever = corpus, retriever
        self._cells = Cells.open()
        self._judge = TableJudge.open(judge, self._cells)
        self.fingerprint = self._judge.fingerprint
        """Names all weights, the judge's too."""

    def look(self, claims: Sequence[str]) -> list[TableLooked | None]:
        """Return the table that speaks most of each claim; None where there is no table."""
        pages = self._retriever.retrieve(claims, PAGES)
        return [self._one(claim, own) for claim, own in zip(claims, pages, strict=True)]

    def _one(self, claim: str, pages: Sequence[Candidate]) -> TableLooked | None:
        found: list[tuple[float, Page, str, Table]] = []
        query = Query.of(claim, self._corpus)
        for candidate in pages:
            page = self._corpus.store.page(candidate.number)
            for section, table in _tables(page) if page else ():
                text = f"{display_title(page.title)} {section} {_text(table)}" if page else ""
                if page:
                    found.append((query.weight(padded(text)), page, section, table))
        found.sort(key=lambda one: -one[0])
        best: TableLooked | None = None
        for _, page, section, table in found[:TABLES]:
            view = TableView.of(table, display_title(page.title))
            verdict = self._judge.judge([claim], [view])[0]
            one = TableLooked(page.title, section, table, view, verdict, verdict.cells)
            if best is None or (one.heard, verdict.speaks) > (best.heard, best.verdict.speaks):
                best = one
        if best is None:
            return None
        chosen = self._cells.choose([claim], [best.view])[0]
        places = dict.fromkeys((*best.places, *((cell.row, cell.column) for cell in chosen)))
        return replace(best, places=tuple(places)[:CELLS])


def _tables(page: Page) -> list[tuple[str, Table]]:
    """List a page's tables, each with the headings above it."""
    headings: list[Section] = []
    found = []
    for block in page.blocks:
        if isinstance(block, Section):
            headings = [h for h in headings if h.level < block.level] + [block]
        elif isinstance(block, Table):
            found.append((" › ".join(h.text for h in headings if h.text), block))
    return found


def _text(table: Table) -> str:
    return " ".join([table.caption, *(c.text for row in table.rows for c in row)])[:_LONGEST]


def joined(shares: Probabilities, table: TableLooked | None) -> Probabilities:
    """Join what texts say with what a table says, where the texts leave the claim open."""
    if table is None or not table.heard or likeliest(shares) is not Verdict.NOT_ENOUGH_INFO:
        return shares
    return together(shares, table.shares)


def with_table(report: Report, looked: TableLooked | None) -> Report:
    """Let a table speak where a report that was made from texts leaves the claim open."""
    if (
        looked is None
        or not looked.heard
        or report.parts
        or report.verdict is not Verdict.NOT_ENOUGH_INFO
    ):
        return report
    supported, refuted, still_open = (report.probabilities[verdict] for verdict in VERDICTS)
    shares = joined((supported, refuted, still_open), looked)
    verdict = likeliest(shares)
    made = replace(report, probabilities=dict(zip(VERDICTS, shares, strict=True)), verdict=verdict)
    if verdict is Verdict.NOT_ENOUGH_INFO:
        return made
    says = likeliest((looked.shares[0], looked.shares[1], 0.0))
    if says is not verdict:
        return report  # the texts lean the other way, and outweigh it
    said = (f"The table says: {looked.verdict.reason}.",) if looked.verdict.reason else ()
    return replace(
        made,
        evidence=_findings(looked, says),
        sets=(tuple(looked.refs(looked.verdict.cells or looked.places)),),
        against=(),
        why=None,
        missing="",
        reasons=said,
        tables=(_excerpt(looked),),
    )


def _findings(looked: TableLooked, says: Verdict) -> tuple[Finding, ...]:
    """Name the cells that the table's verdict rests on, each with the start of its row."""
    shares = dict(zip(VERDICTS, looked.shares, strict=True))
    places = (looked.verdict.cells or looked.places)[:_SHOWN_CELLS]
    context = Context(display_title(looked.page), looked.section)
    found: dict[Ref, Finding] = {}
    for place in places:
        ref = next(iter(looked.refs([place])), None)
        if ref is None:
            continue
        text = _in_words(looked.view, *place)
        piece = Evidence(ref=ref, text=text, context=context, score=looked.verdict.speaks)
        found.setdefault(ref, Finding(evidence=piece, says=says, probabilities=shares))
    return tuple(found.values())


def _in_words(view: TableView, row: int, column: int) -> str:
    first = view.columns[0].texts[row].strip()
    own = f"{view.header_of(column)}: {view.columns[column].texts[row].strip()}"
    return own if column == 0 or not first or view.height == 1 else f"{first} › {own}"


def _excerpt(looked: TableLooked) -> Excerpt:
    """Cut out the rows that hold the cells, to be drawn."""
    view = looked.view
    used = looked.verdict.cells or looked.places
    rows = sorted(dict.fromkeys(row for row, _ in used))[:_SHOWN_ROWS]
    return Excerpt(
        page=looked.page,
        index=looked.table.index,
        caption=looked.table.caption,
        header=tuple(view.header_of(at) for at in range(len(view.columns))),
        rows=tuple(tuple(column.texts[row].strip() for column in view.columns) for row in rows),
        marked=tuple((rows.index(row), column) for row, column in used if row in rows),
        left_out=view.height - len(rows),
    )
