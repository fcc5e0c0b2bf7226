"""Find the tables that may settle a claim: by page, section, caption, headers and cells.

Words point to the tables that have them; rare ones weigh more. The best of these are then looked
at row by row, because a claim names a page or a row of its table more often than the table.
"""

from array import array
from collections.abc import Callable, Iterable, Sequence
from math import log
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from feverfew.corpus.tables import TableEntry, cut_words, entries_of
from feverfew.models.network import Network

__all__ = [
    "FEATURES",
    "FREQUENT",
    "LOOKED_AT",
    "TABLES",
    "KnownWords",
    "TableEntry",
    "TableFound",
    "Tables",
    "asked_words",
    "entries_of",
    "known_words",
    "table_features",
]

TABLES = 3
"""How many tables are found for a claim, as in FEVEROUS."""
LOOKED_AT = 40
"""Tables with the rarest words of a claim that are looked at row by row."""
FREQUENT = 0.08
"""Words that more than this share of the tables have are not asked for."""
_ROWS = 200
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
    """List the words over a table's cells."""
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
        """Rank tables that were described, and keep the k best."""
        if not numbers:
            return []
        scores = self._ranker.score_array(np.array(rows, np.float32))
        best = np.argsort(-scores, kind="stable")[:k].tolist()
        chosen = [(self.entries[numbers[at]], float(scores[at])) for at in best]
        return [TableFound(entry.key, entry.page, score) for entry, score in chosen]

    def describe(self, claim: str) -> tuple[list[int], list[list[float]]]:
        """Find the tables with the rarest words of a claim, and describe each beside it."""
        asked = asked_words(claim, self._frequency, len(self.entries))
        scores = np.zeros(len(self.entries), np.float32)
        for word, weight in asked.items():
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
            table_features(asked, self._known[n], self.entries[n], float(scores[n]), top)
            for n in numbers
        ]

    def _frequency(self, word: str) -> int:
        return len(self._postings.get(word, ()))


def asked_words(claim: str, frequency: Callable[[str], int], tables: int) -> dict[str, float]:
    """Weigh a claim's words by how few tables have them; what no table has is left out."""
    counts = {
        word: frequency(word)
        for word in dict.fromkeys(cut_words(claim))
        if len(word) > 1 or word.isdecimal()
    }
    # A word that every table has weighs little, but not nothing: there may be one table only.
    return {word: log((2 + tables) / (1 + count)) for word, count in counts.items() if count}


def table_features(
    asked: dict[str, float], known: KnownWords, entry: TableEntry, score: float, top: float
) -> list[float]:
    """Describe a table beside a claim."""
    total = sum(asked.values()) or 1.0

    def covers(own: frozenset[str] | set[str]) -> float:
        return sum(weight for word, weight in asked.items() if word in own) / total

    def said(own: frozenset[str]) -> float:
        return sum(1 for word in own if word in asked) / (len(own) or 1)

    shared = [
        asked.keys() & _words(" ".join(row)) for row in entry.rows[:_ROWS]
    ]  # fmt: skip
    rows = sorted(((covers(own), at) for at, own in enumerate(shared)), reverse=True)
    best = shared[rows[0][1]] if rows else set[str]()
    cells = set[str]().union(*shared)
    over = known.page | known.section | known.header
    digits = {word for word in asked if word[0].isdecimal()}
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
