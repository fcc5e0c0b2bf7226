"""Find the tables that may decide a claim: in a list of tables, or in a corpus.

An inverted index finds tables; rare words weigh more. The best ones are then compared row by row,
because a claim names a page or a row of its table more often than the table.

In a corpus, tables come from its index and from the pages that a search has found. All are ranked
by the same network, including the lists on these pages, as tables. Tables on a page that was found
get a bonus that falls with the page's rank. So neither search alone decides.
"""

from array import array
from collections.abc import Callable, Iterable, Sequence
from math import log
from typing import NamedTuple

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
from feverfew.types import Page, Provenance, Table

TABLES = 3
"""Number of tables per claim, as in FEVEROUS."""
LOOKED_AT = 40
"""Number of tables with the rarest words of a claim that are compared row by row."""
FREQUENT = 0.08
"""Words that more than this share of the tables have are not searched for."""
_ROWS = 200
"""Maximum number of rows that are compared with the claim."""
FEATURES = (
    "weight",
    "below_best",
    "page_covers",
    "page_said",
    "section_covers",
    "section_said",
    "header_covers",
    "header_said",
    "cells_cover",
    "row_covers",
    "two_rows_cover",
    "all_cover",
    "numbers_cover",
    "row_numbers_cover",
    "names_page",
    "rows",
)


class TableFound(Struct, frozen=True):
    """A table that may matter to a claim."""

    key: str
    page: str
    score: float


class KnownWords(NamedTuple):
    """The words of a table, where they stand."""

    page: frozenset[str]
    section: frozenset[str]
    header: frozenset[str]


def known_words(entry: TableEntry) -> KnownWords:
    """List the words above a table's cells."""
    return KnownWords(*map(_words, (entry.page, entry.section, " ".join(entry.header))))


class Tables:
    """An index of tables in memory."""

    def __init__(self, entries: Sequence[TableEntry], ranker: Network) -> None:
        self.entries = entries
        self._ranker = ranker
        postings: dict[str, array[int]] = {}
        self._known: list[KnownWords] = []
        for number, entry in enumerate(entries):
            known = known_words(entry)
            self._known.append(known)
            cells = _words(" ".join(" ".join(row) for row in entry.rows))
            for word in known.page | known.section | known.header | cells:
                postings.setdefault(word, array("i")).append(number)
        self._postings = postings

    @classmethod
    def of(cls, entries: Iterable[TableEntry]) -> "Tables":
        """Index tables, to be ranked by the shipped network."""
        return cls(list(entries), Network.shipped("tables", FEATURES, "table_ranker.json"))

    def find(self, claims: Sequence[str], k: int = TABLES) -> list[list[TableFound]]:
        """Return the k best tables for each claim, best first."""
        return [self._one(claim, k) for claim in claims]

    def _one(self, claim: str, k: int) -> list[TableFound]:
        numbers, rows = self.describe(claim)
        return self.ranked(numbers, rows, k)

    def ranked(
        self, numbers: Sequence[int], rows: Sequence[Sequence[float]], k: int
    ) -> list[TableFound]:
        """Rank tables by their features, and keep the k best."""
        if not numbers:
            return []
        scores = self._ranker.score_array(np.array(rows, np.float32))
        best = np.argsort(-scores, kind="stable")[:k].tolist()
        chosen = [(self.entries[numbers[at]], float(scores[at])) for at in best]
        return [TableFound(entry.key, entry.page, score) for entry, score in chosen]

    def describe(self, claim: str) -> tuple[list[int], list[list[float]]]:
        """Find the tables with the rarest words of a claim, and compute their features."""
        weights = claim_words(claim, self._frequency, len(self.entries))
        scores = np.zeros(len(self.entries), np.float32)
        for word, weight in weights.items():
            found = self._postings.get(word)
            if found is not None and len(found) <= max(FREQUENT * len(self.entries), 50):
                scores[np.frombuffer(found, np.int32)] += weight
        count = min(LOOKED_AT, len(scores))
        if not count or not scores.any():
            return [], []
        best = np.argpartition(-scores, count - 1)[:count]
        best = best[np.argsort(-scores[best], kind="stable")]
        numbers = [int(n) for n in best if scores[n] > 0]
        top = float(scores[numbers[0]])
        return numbers, [
            table_features(weights, self._known[n], self.entries[n], float(scores[n]), top)
            for n in numbers
        ]

    def _frequency(self, word: str) -> int:
        return len(self._postings.get(word, ()))


def claim_words(claim: str, frequency: Callable[[str], int], tables: int) -> dict[str, float]:
    """Weight a claim's words by rarity among the tables; words in no table are left out."""
    counts = {
        word: frequency(word)
        for word in dict.fromkeys(cut_words(claim))
        if len(word) > 1 or word.isdecimal()
    }
    # A word in every table weighs little, but not nothing: there may be only one table.
    return {word: log((2 + tables) / (1 + count)) for word, count in counts.items() if count}


def table_features(
    weights: dict[str, float], known: KnownWords, entry: TableEntry, score: float, top: float
) -> list[float]:
    """Compute the features of a table for a claim."""
    total = sum(weights.values()) or 1.0

    def covers(own: frozenset[str] | set[str]) -> float:
        return sum(weight for word, weight in weights.items() if word in own) / total

    def said(own: frozenset[str]) -> float:
        return sum(1 for word in own if word in weights) / (len(own) or 1)

    shared = [
        weights.keys() & _words(" ".join(row)) for row in entry.rows[:_ROWS]
    ]  # fmt: skip
    rows = sorted(((covers(own), at) for at, own in enumerate(shared)), reverse=True)
    best = shared[rows[0][1]] if rows else set[str]()
    cells = set[str]().union(*shared)
    over = known.page | known.section | known.header
    digits = {word for word in weights if word[0].isdecimal()}
    numbers = len(digits) or 1
    return [
        score / 30,
        (top - score) / 10,
        covers(known.page),
        said(known.page),
        covers(known.section),
        said(known.section),
        covers(known.header),
        said(known.header),
        covers(cells),
        covers(best | over),
        max((covers(best | own | over) for own in shared[:50]), default=0.0),
        covers(cells | over),
        len(digits & (cells | over)) / numbers,
        len(digits & (best | over)) / numbers,
        float(said(known.page) > 0.99),
        min(len(entry.rows), 50) / 25,
    ]


def _words(text: str) -> frozenset[str]:
    return frozenset(cut_words(text))


PAGES = 5
"""Number of found pages whose tables are considered, as in FEVEROUS's paper."""
START = 1.0
"""The bonus of a table on the first page; half of it on the second page, a third on the third.
Chosen on FeTaQA's training part (experiments/tables.md)."""
_BUDGET = 200_000
"""Maximum number of postings per query."""
_ON_A_PAGE = 40
"""Maximum number of tables per page: some pages have hundreds."""


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

    @property
    def source(self) -> Provenance | None:
        """Its file and, in a PDF, its page."""
        return self.placed.source


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
        words, rare = self._claim_words(claim, [entry_of(read[n], placed) for n, placed in lists])
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
            table_features(words, known_words(entry), entry, score, top)
            for entry, score in zip(entries, scores, strict=True)
        ]
        ranked = self._ranker.score_array(np.array(rows, np.float32))
        ranked = ranked + np.array([starts.get(n, 0.0) for n, _, _ in known], np.float32)
        best = np.argsort(-ranked, kind="stable")[:k].tolist()
        return [TableHit(read[known[i][0]], known[i][1], float(ranked[i])) for i in best]

    def _claim_words(
        self, claim: str, lists: Sequence[TableEntry]
    ) -> tuple[dict[str, float], dict[str, float]]:
        """Weight the claim's words that a table or a list has; return all of them, and the rare
        ones."""
        index = self._corpus.tables
        listed = {word for entry in lists for word in _words_of(entry)}

        def frequency(word: str) -> int:
            return (index.frequency(word) if index else 0) or int(word in listed)

        size = len(index) if index else len(lists)
        weights = claim_words(claim, frequency, size)
        limit = max(FREQUENT * size, 50)
        return weights, {
            word: weight for word, weight in weights.items() if frequency(word) <= limit
        }

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
