"""Find tables in a corpus: by its index of tables, and on the pages that a search has found.

All are described and ranked alike, and so are the lists of the pages found, seen as tables; what is
on a page that was found gets a start that falls with the page's rank. So neither search alone
decides: a table is found where page search misses its page, and where the claim names the page but
hardly a word of the table.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct

from feverfew.corpus import Corpus
from feverfew.corpus.tables import (
    Placed,
    TableEntry,
    cut_words,
    entry_of,
    lists_of,
    place_of,
    tables_of,
)
from feverfew.models.network import Network
from feverfew.tables.ranking import (
    FEATURES,
    FREQUENT,
    LOOKED_AT,
    TABLES,
    asked_words,
    known_words,
    table_features,
)
from feverfew.types import Page, Table

__all__ = ["PAGES", "START", "CorpusTables", "TableHit"]

PAGES = 5
"""How many of the pages that were found are asked for their tables, as in FEVEROUS's paper."""
START = 1.0
"""What a table of the first page gets, of the second half of it, of the third a third of it;
chosen on FeTaQA's training part (experiments/tables.md)."""
_BUDGET = 200_000
"""Postings that a question may cost."""
_ON_A_PAGE = 40
"""Tables of one page that are looked at: some pages have hundreds."""


class TableHit(Struct, frozen=True):
    """A table that may matter to a claim."""

    page: Page
    placed: Placed
    score: float

    @property
    def table(self) -> Table:
        """The table itself."""
        return self.placed.table

    @property
    def section(self) -> tuple[str, ...]:
        """The headings above it, outermost first."""
        return self.placed.headings


class CorpusTables:
    """Ranks a corpus's tables by the shipped network."""

    def __init__(self, corpus: Corpus, ranker: Network, start: float = START) -> None:
        self._corpus = corpus
        self._ranker = ranker
        self._start = start

    @classmethod
    def open(cls, corpus: Corpus) -> "CorpusTables":
        """Make the search with the shipped weights."""
        return cls(corpus, Network.shipped("tables", FEATURES, "table_ranker.json"))

    def find(
        self, claims: Sequence[str], pages: Sequence[Sequence[int]], k: int = TABLES
    ) -> list[list[TableHit]]:
        """Return the k best tables for each claim, near the pages found for it (their numbers)."""
        return [self._one(claim, own, k) for claim, own in zip(claims, pages, strict=True)]

    def _one(self, claim: str, pages: Sequence[int], k: int) -> list[TableHit]:
        if k < 1:
            return []
        starts = {number: self._start / (1 + rank) for rank, number in enumerate(pages[:PAGES])}
        read = self._read(starts)
        lists = [(n, placed) for n, page in read.items() for placed in lists_of(page)[:_ON_A_PAGE]]
        asked, rare = self._asked(claim, [entry_of(read[n], placed) for n, placed in lists])
        index = self._corpus.tables
        found = index.weighed(rare, LOOKED_AT, budget=_BUDGET) if index else []
        weights = {place_of(number): weight for number, weight in found}
        read |= self._read({page for page, _ in weights} - read.keys())
        tables = {number: tables_of(page) for number, page in read.items()}
        of_pages = ((n, at) for n in starts for at in range(len(tables.get(n, ()))))
        places = dict.fromkeys((*weights, *(place for place in of_pages if place[1] < _ON_A_PAGE)))
        # The index may lag behind the pages.
        there = [(n, at) for n, at in places if at < len(tables.get(n, ()))]
        known = [(n, tables[n][at], weights.get((n, at))) for n, at in there]
        known += [(n, placed, None) for n, placed in lists]
        if not known:
            return []
        entries = [entry_of(read[n], placed) for n, placed, _ in known]
        scores = [
            _shared(entry, rare) if weight is None else weight
            for (_, _, weight), entry in zip(known, entries, strict=True)
        ]
        top = max(scores)
        rows = [
            table_features(asked, known_words(entry), entry, score, top)
            for entry, score in zip(entries, scores, strict=True)
        ]
        ranked = self._ranker.score_array(np.array(rows, np.float32))
        ranked = ranked + np.array([starts.get(n, 0.0) for n, _, _ in known], np.float32)
        best = np.argsort(-ranked, kind="stable")[:k].tolist()
        return [TableHit(read[known[i][0]], known[i][1], float(ranked[i])) for i in best]

    def _asked(
        self, claim: str, lists: Sequence[TableEntry]
    ) -> tuple[dict[str, float], dict[str, float]]:
        """Weigh the claim's words that a table or a list has; return all of them, and the rare."""
        index = self._corpus.tables
        listed = {word for entry in lists for word in _words_of(entry)}

        def frequency(word: str) -> int:
            return (index.frequency(word) if index else 0) or int(word in listed)

        size = len(index) if index else len(lists)
        asked = asked_words(claim, frequency, size)
        limit = max(FREQUENT * size, 50)
        return asked, {word: weight for word, weight in asked.items() if frequency(word) <= limit}

    def _read(self, numbers: Iterable[int]) -> dict[int, Page]:
        read = ((number, self._corpus.store.page(number)) for number in numbers)
        return {number: page for number, page in read if page is not None}


def _shared(entry: TableEntry, weights: dict[str, float]) -> float:
    """Sum the weights of the words that a table has, as the index does."""
    own = _words_of(entry)
    return sum(weight for word, weight in weights.items() if word in own)


def _words_of(entry: TableEntry) -> set[str]:
    parts = [entry.page, entry.section, *entry.header, *(c for row in entry.rows for c in row)]
    return set(cut_words("\n".join(parts)))
