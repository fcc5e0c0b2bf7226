"""Find tables in a corpus: by its index of tables, and on the pages that a search has found.

Both are described and ranked alike; the tables of a page that was found get a start that falls
with the page's rank. So neither search alone decides: a table is found where page search misses
its page, and where the claim names the page but hardly a word of the table.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct

from feverfew.corpus import Corpus
from feverfew.corpus.tables import TableEntry, cut_words, entries_of, headings_of, place_of
from feverfew.model import Page, Table
from feverfew.retrieve.base import Candidate
from feverfew.retrieve.ranker import Ranker
from feverfew.retrieve.tables import (
    FEATURES,
    FREQUENT,
    LOOKED_AT,
    TABLES,
    asked_words,
    known_words,
    table_features,
)

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
    place: int
    """Among the page's tables."""
    score: float

    @property
    def table(self) -> Table:
        """The table itself."""
        return self.page.tables[self.place]

    @property
    def section(self) -> tuple[str, ...]:
        """The headings above it, outermost first."""
        return headings_of(self.page)[self.place]


class CorpusTables:
    """Ranks a corpus's tables by the shipped network."""

    def __init__(self, corpus: Corpus, ranker: Ranker, start: float = START) -> None:
        self._corpus = corpus
        self._ranker = ranker
        self._start = start

    @classmethod
    def open(cls, corpus: Corpus) -> "CorpusTables":
        """Make the search with the shipped weights."""
        return cls(corpus, Ranker.shipped("tables", FEATURES, "table_ranker.json"))

    def find(
        self, claims: Sequence[str], pages: Sequence[Sequence[Candidate]], k: int = TABLES
    ) -> list[list[TableHit]]:
        """Return the k best tables for each claim, beside the pages found for it."""
        return [self._one(claim, own, k) for claim, own in zip(claims, pages, strict=True)]

    def _one(self, claim: str, pages: Sequence[Candidate], k: int) -> list[TableHit]:
        index = self._corpus.tables
        if index is None or k < 1:
            return []
        size = len(index)
        asked = asked_words(claim, index.frequency, size)
        limit = max(FREQUENT * size, 50)
        rare = {word: weight for word, weight in asked.items() if index.frequency(word) <= limit}
        found = index.weighed(rare, LOOKED_AT, budget=_BUDGET)
        weights = {place_of(number): weight for number, weight in found}
        ranks = {candidate.number: rank for rank, candidate in enumerate(pages[:PAGES])}
        read = self._with_tables(dict.fromkeys((*ranks, *(page for page, _ in weights))))
        entries = {number: entries_of(page) for number, page in read.items()}
        for number in ranks:
            for at, entry in enumerate(entries.get(number, ())[:_ON_A_PAGE]):
                if (number, at) not in weights:
                    weights[number, at] = _shared(entry, rare)
        places = [(number, at) for number, at in weights if at < len(entries.get(number, ()))]
        if not places:
            return []
        top = max(weights[place] for place in places)
        rows = [
            table_features(asked, known_words(entry), entry, weights[number, at], top)
            for number, at in places
            for entry in [entries[number][at]]
        ]
        scores = self._ranker.score_array(np.array(rows, np.float32))
        starts = [self._start / (1 + ranks[n]) if n in ranks else 0.0 for n, _ in places]
        scores = scores + np.array(starts, np.float32)
        best = np.argsort(-scores, kind="stable")[:k].tolist()
        return [TableHit(read[places[i][0]], places[i][1], float(scores[i])) for i in best]

    def _with_tables(self, numbers: Iterable[int]) -> dict[int, Page]:
        """Read pages, and keep those that have a table."""
        read = ((number, self._corpus.store.page(number)) for number in numbers)
        return {number: page for number, page in read if page is not None and page.tables}


def _shared(entry: TableEntry, weights: dict[str, float]) -> float:
    """Sum the weights of the words that a table has, as the index does."""
    parts = [entry.page, entry.section, *entry.header, *(c for row in entry.rows for c in row)]
    own = set(cut_words("\n".join(parts)))
    return sum(weight for word, weight in weights.items() if word in own)
