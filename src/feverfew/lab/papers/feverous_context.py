"""Evidence in context as FEVEROUS's verdict reads it, and tables by TF-IDF (Aly et al., 2021).

The context of an element is its page's title and the headings above it; of a cell, also the nearest
header of its row and of its column, and the next one where it is a header too.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from feverfew.corpus import Corpus
from feverfew.corpus.tables import entry_of, tables_of
from feverfew.errors import NotFound
from feverfew.lab.papers.sentences import TfIdfSentences
from feverfew.retrieve import Candidate
from feverfew.select.context import statements
from feverfew.tables.search import TableHit
from feverfew.text import display_title
from feverfew.types import Cell, Context, Evidence, Kind, Page, Ref, Table

_CELLS = (Kind.CELL, Kind.HEADER_CELL)


def evidence_at(corpus: Corpus, refs: Iterable[Ref]) -> list[Evidence]:
    """Read elements of a corpus with their context, in the order given; what it lacks is empty."""
    wanted = list(refs)
    found: dict[Ref, Evidence] = {}
    for title in dict.fromkeys(ref.page for ref in wanted):
        try:
            page = corpus.page(title)
        except NotFound:
            continue
        own = [ref for ref in wanted if ref.page == title]
        found.update(zip(own, of_page(page, own), strict=True))
    return [found[ref] if ref in found else _empty(ref) for ref in wanted]


def of_page(page: Page, refs: Sequence[Ref], score: float = 0.0) -> list[Evidence]:
    """Read elements of one page with their context."""
    title = display_title(page.title)
    said = {(s.ref.kind, s.ref.position): s for s in statements(page)}
    sections = {
        placed.table.index: (placed.table, " › ".join(placed.headings))
        for placed in tables_of(page)
    }
    found = []
    for ref in refs:
        text, section = "", ""
        statement = said.get((ref.kind, ref.position))
        if statement is not None:
            text, section = statement.text, statement.section
        elif ref.position and ref.position[0] in sections:
            table, section = sections[ref.position[0]]
            text = table.caption if ref.kind is Kind.CAPTION else _said(table, ref)
        context = Context(title, section)
        found.append(Evidence(ref=ref, text=text, context=context, score=score))
    return found


def headers_of(table: Table, cell: Cell) -> list[str]:
    """Name the nearest headers of a cell's column and of its row, outermost first."""
    above = [c for row in table.rows for c in row if c.column == cell.column and c.row < cell.row]
    left = [c for row in table.rows for c in row if c.row == cell.row and c.column < cell.column]
    found: list[str] = []
    for line in (above, left):
        nearest: list[str] = []
        for other in reversed(line):
            if other.header:
                nearest.insert(0, other.text)
            if (nearest and not other.header) or len(nearest) == 2:
                break
        found += [text for text in nearest if text and text not in found]
    return found


def written(pieces: Sequence[Evidence], *, titles: str = "once") -> str:
    """Write evidence as one text: pieces of a page together, after its title; headings once.

    With `titles="each"`, the title stands before every piece; with `"none"`, nowhere, and no
    heading either.
    """
    pages: dict[str, list[Evidence]] = {}
    for piece in pieces:
        pages.setdefault(piece.context.title, []).append(piece)
    return " ".join(_under(title, own, titles) for title, own in pages.items())


def _under(title: str, pieces: Sequence[Evidence], titles: str) -> str:
    if titles == "none":
        return " ".join(piece.text for piece in pieces)
    parts = [f"{title}:"] if titles == "once" else []
    section = ""
    for piece in pieces:
        if titles == "each":
            parts.append(f"{title}:")
        if piece.context.section and piece.context.section != section:
            section = piece.context.section
            parts.append(f"{section}:")
        parts.append(piece.text if piece.text.endswith((".", "!", "?")) else f"{piece.text}.")
    return " ".join(parts)


def _said(table: Table, ref: Ref) -> str:
    """Say a cell with its headers: `Year, Apollo 15 is 1971`."""
    cells = (c for row in table.rows for c in row if ref.kind in _CELLS)
    cell = next((c for c in cells if (c.row, c.column) == ref.position[1:]), None)
    if cell is None:
        return ""
    heads = headers_of(table, cell)
    return f"{', '.join(heads)} is {cell.text}" if heads else cell.text


def _empty(ref: Ref) -> Evidence:
    return Evidence(ref=ref, text="", context=Context(display_title(ref.page)), score=0.0)


class TfIdfTables:
    """Finds the tables nearest to a claim: each is a text of its page, headings and cells."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus, self._measure = corpus, TfIdfSentences.bigram(corpus)

    def find(
        self, claims: Sequence[str], pages: Sequence[Sequence[Candidate]], k: int
    ) -> list[list[TableHit]]:
        """Return the k nearest tables on each claim's pages."""
        return [self._one(claim, own, k) for claim, own in zip(claims, pages, strict=True)]

    def _one(self, claim: str, pages: Sequence[Candidate], k: int) -> list[TableHit]:
        read = (self._corpus.store.page(candidate.number) for candidate in pages)
        known = [
            (page, placed, entry_of(page, placed))
            for page in read
            if page is not None
            for placed in tables_of(page)
        ]
        if not known:
            return []
        texts = [
            "\n".join((entry.page, entry.section, *(cell for row in entry.rows for cell in row)))
            for _, _, entry in known
        ]
        scores = self._measure.scores(claim, texts)
        best = np.argsort(-scores, kind="stable")[:k].tolist()
        return [TableHit(known[at][0], known[at][1], float(scores[at])) for at in best]
