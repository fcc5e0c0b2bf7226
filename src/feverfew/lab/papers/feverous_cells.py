"""Label a table's cells as needed or not, in place of FEVEROUS's sequence labeller.

The paper fine-tunes RoBERTa on the claim followed by the table's cells in reading order. That
cannot be trained here; instead a small network reads each cell of the same linearised table by how
near its words, its headers', its row's and its column's are to the claim's, by word vectors. As in
the paper, it learns from tables of which some rows are sampled.
"""

import random
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.lab.papers.tfidf import STOP_WORDS
from feverfew.lab.papers.vectors import Vectors
from feverfew.text import words
from feverfew.types import Cell, Table

Reals = NDArray[np.float32]
_OWN = ("near", "nearest", "shared", "whole", "number", "number_said")
_OVER = ("header_near", "header_shared", "is_header", "empty", "words", "left", "top")
_AROUND = ("row_most", "row_mean", "column_most", "column_mean", "above", "below")
FEATURES = (*_OWN, *_OVER, *(f"{where}_{what}" for where in _AROUND for what in _OWN[:4]))
"""Features of a cell: its own words, its headers and place, and its surroundings."""
SAMPLED = 10
"""Rows of a table that are learned from: as many as must be, and others by chance."""
_LONGEST = 20
"""Words of a cell that are read."""
_NEGATIVES = 3
"""Cells that do not matter for one that does, while learning."""
_NUMBER = re.compile(r"\d[\d.,]*")


class Labelled(Struct, frozen=True):
    """A claim, one of its tables, and the cells there that it needs."""

    claim: str
    table: Table
    gold: frozenset[tuple[int, int]]


def linearised(table: Table) -> list[Cell]:
    """List a table's cells in reading order; a cell that spans several rows is listed once."""
    return [cell for row in table.rows for cell in row]


def sampled_rows(
    table: Table, gold: frozenset[tuple[int, int]], most: int, rng: random.Random
) -> Table:
    """Keep headers, rows with cells that matter, and others by chance, in their order."""
    needed = [
        at
        for at, row in enumerate(table.rows)
        if any((cell.row, cell.column) in gold for cell in row) or all(c.header for c in row)
    ]
    others = [at for at in range(len(table.rows)) if at not in needed]
    drawn = rng.sample(others, max(0, min(len(others), most - len(needed))))
    kept = tuple(table.rows[at] for at in sorted((*needed, *drawn)))
    return Table(table.index, kept, table.caption, table.infobox)


def describe(vectors: Vectors, claim: str, table: Table) -> Reals:
    """Return a row of features for every cell of the linearised table."""
    cells = linearised(table)
    if not cells:
        return np.zeros((0, len(FEATURES)), np.float32)
    said = [word for word in words(claim) if word not in STOP_WORDS]
    compare = _Comparison(vectors, said, f" {' '.join(words(claim))} ")
    own = np.array([compare.own(cell.text) for cell in cells], np.float32)
    rows, columns = (np.array([getattr(c, at) for c in cells]) for at in ("row", "column"))
    heads = np.array([cell.header for cell in cells])
    over = np.zeros((len(cells), len(_OVER)), np.float32)
    for at, cell in enumerate(cells):
        near = ((rows == cell.row) & (columns < cell.column)) | (
            (columns == cell.column) & (rows < cell.row)
        )
        above = own[near & heads]
        over[at] = (
            above[:, 0].max(initial=0.0),
            above[:, 2].max(initial=0.0),
            cell.header,
            not cell.text.strip(" -–—"),
            min(len(words(cell.text)), 10) / 10,
            cell.column / (columns.max() + 1),
            cell.row / (rows.max() + 1),
        )
    return np.concatenate([own, over, _around(own[:, :4], rows, columns)], 1).astype(np.float32)


def _around(own: Reals, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Reals:
    """Say how near a cell's row and column are, and the rows above and below it."""
    parts = []
    for line in (rows, columns):
        names, place = np.unique(line, return_inverse=True)
        most = np.full((len(names), own.shape[1]), -1.0, np.float32)
        np.maximum.at(most, place, own)
        total = np.zeros_like(most)
        np.add.at(total, place, own)
        parts += [most[place], (total / np.bincount(place)[:, None])[place]]
        if line is rows:
            padded = np.pad(most, ((1, 1), (0, 0)))
            beyond = [padded[place], padded[place + 2]]
    return np.concatenate([*parts, *beyond], 1)


class _Comparison:
    """Compares the words of cells with those of a claim."""

    def __init__(self, vectors: Vectors, said: Sequence[str], text: str) -> None:
        self._vectors, self._said, self._text = vectors, frozenset(said), text
        self._rows = vectors.table[vectors.tokens(" ".join(said), 60)[1:]]
        self._known: dict[str, float] = {}

    def own(self, text: str) -> tuple[float, ...]:
        read = [word for word in words(text)[:_LONGEST] if word not in STOP_WORDS]
        if not read:
            return (0.0,) * len(_OWN)
        best = [self._nearest(word) for word in read]
        shared = sum(word in self._said for word in read) / len(read)
        number = bool(_NUMBER.fullmatch(text.strip()))
        whole = f" {' '.join(words(text))} " in self._text
        return sum(best) / len(best), max(best), shared, whole, number, number and whole

    def _nearest(self, word: str) -> float:
        if word not in self._known:
            row = self._vectors.table[self._vectors.tokens(word, 1)[1:]]
            most = float((row @ self._rows.T).max(initial=0.0)) if len(row) else 0.0
            self._known[word] = 1.0 if word in self._said else min(most, 0.95)
        return self._known[word]


class CellLabeller:
    """Says of each cell how likely a claim needs it."""

    def __init__(self, vectors: Vectors, arrays: dict[str, NDArray[Any]]) -> None:
        from feverfew.lab.papers.networks import Mlp

        self._vectors, self._network = vectors, Mlp.of(arrays)
        self.threshold = float(arrays["threshold"])
        """From where on a cell counts as needed."""

    @staticmethod
    def train(
        vectors: Vectors,
        examples: Sequence[Labelled],
        held: Sequence[Labelled],
        seed: int,
        *,
        epochs: int = 30,
    ) -> dict[str, NDArray[Any]]:
        """Fit the network; return its weights, and the threshold chosen on held-out tables."""
        from feverfew.lab.papers.networks import Mlp, fit

        rng = random.Random(seed)
        sampled = [
            Labelled(one.claim, sampled_rows(one.table, one.gold, SAMPLED, rng), one.gold)
            for one in examples
        ]
        rows, labels = _thinned(*_rows(vectors, sampled), rng)
        every, gold = _rows(vectors, held)
        model = Mlp(len(FEATURES), hidden=32, outputs=2).drawn(seed)
        checked = _thinned(every, gold, rng)
        settings: dict[str, Any] = {"seed": seed, "epochs": epochs, "batch": 64, "patience": 10}
        fit(model, rows, labels, checked, **settings)
        shares = model.probabilities(every)[:, 1]
        best = max(np.arange(0.1, 0.9, 0.05), key=lambda at: _f1(shares >= at, gold == 1))
        return {**model.arrays(), "threshold": np.array(best, np.float32)}

    def shares(self, claim: str, table: Table) -> list[tuple[Cell, float]]:
        """Return every cell of a table with how likely the claim needs it."""
        cells = linearised(table)
        if not cells:
            return []
        found = self._network.probabilities(describe(self._vectors, claim, table))[:, 1]
        return list(zip(cells, found.tolist(), strict=True))


def _rows(vectors: Vectors, examples: Sequence[Labelled]) -> tuple[Reals, NDArray[np.int64]]:
    rows = [describe(vectors, one.claim, one.table) for one in examples]
    labels = [
        int((cell.row, cell.column) in one.gold)
        for one in examples
        for cell in linearised(one.table)
    ]
    every = np.concatenate([np.zeros((0, len(FEATURES)), np.float32), *rows])
    return every, np.array(labels, np.int64)


def _thinned(
    rows: Reals, labels: NDArray[np.int64], rng: random.Random
) -> tuple[Reals, NDArray[np.int64]]:
    """Leave out most of the cells that do not matter: they would drown the others."""
    needed, others = np.flatnonzero(labels == 1), np.flatnonzero(labels == 0).tolist()
    drawn = rng.sample(others, min(len(others), max(1, _NEGATIVES * len(needed))))
    kept = np.sort(np.concatenate([needed, np.array(drawn, np.int64)]))
    return rows[kept], labels[kept]


def _f1(said: NDArray[np.bool_], gold: NDArray[np.bool_]) -> float:
    both = float((said & gold).sum())
    return 2 * both / max(1.0, float(said.sum() + gold.sum()))
