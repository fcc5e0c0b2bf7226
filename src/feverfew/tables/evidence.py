"""A table as evidence for a claim: selected cells in words, and the results of programs.

Cells are selected by features of the cell in its context: many relevant cells share no word with
the claim, but are in a row that does, or under a header that the claim asks for.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.models.network import Network
from feverfew.tables.execute import Place, Runner
from feverfew.tables.facts import table_facts
from feverfew.tables.linking import STOP, Links, link
from feverfew.tables.programs import Programs, ProgramVotes
from feverfew.tables.values import DATE, NUMBER, cell_words
from feverfew.tables.view import TableView, rows_of
from feverfew.tables.words import in_words
from feverfew.types import VIRTUAL_ROW, Cell, Provenance, Ref, Table

CELLS = 25
"""Number of selected cells: as many as FEVEROUS's score counts."""
FEATURES = (
    "cell_share",
    "cell_weight",
    "cell_exact",
    "claim_share",
    "header_named",
    "header_share",
    "row_weight",
    "row_best",
    "row_rank",
    "row_cells",
    "row_above",
    "row_exact",
    "row_others",
    "column_best",
    "column_cells",
    "column_hits",
    "column_number",
    "column_date",
    "first_column",
    "place",
    "number_new",
    "empty",
    "repeated",
    "beside_best",
    "same_as_above",
    "counts",
    "extreme",
    "rows",
    "row_hit_number",
    "in_column_named_rows",
)
_ROWS = 300
"""In tables with more rows, only rows that share a word with the claim are considered."""


class ChosenCell(Struct, frozen=True):
    """A position in a table's body, and its score."""

    row: int
    column: int
    score: float


class Cells:
    """Ranks the cells of a table by the shipped network."""

    def __init__(self, ranker: Network) -> None:
        self._ranker = ranker
        self.fingerprint = ranker.fingerprint

    @classmethod
    def open(cls) -> "Cells":
        """Open the selector with the shipped weights."""
        return cls(Network.shipped("cells", FEATURES, "cells.json"))

    def choose(
        self, claims: Sequence[str], tables: Sequence[TableView], k: int = CELLS
    ) -> list[list[ChosenCell]]:
        """Return the k best cells of each claim's table, best first."""
        return [self._one(claim, view, k) for claim, view in zip(claims, tables, strict=True)]

    def _one(self, claim: str, view: TableView, k: int) -> list[ChosenCell]:
        places, rows = cell_features(claim, view)
        if not places:
            return []
        scores = self._ranker.score_array(rows)
        best = np.argsort(-scores, kind="stable")[:k].tolist()
        return [ChosenCell(places[at][0], places[at][1], float(scores[at])) for at in best]


def cell_features(claim: str, view: TableView) -> tuple[list[tuple[int, int]], NDArray[np.float32]]:
    """Compute the features of every cell of the body."""
    links = link(claim, view)
    width = len(view.columns)
    share, exact = _matches(claim, view, links)
    weight, hit = share[1], share[0] >= _HIT
    rows = _rows(view, hit)
    if not width or not len(rows):
        return [], np.zeros((0, len(FEATURES)), np.float32)
    row_weight = weight.sum(1)
    rank = np.empty(view.height, np.float32)
    rank[np.argsort(-row_weight, kind="stable")] = np.arange(view.height)
    best_row = int(row_weight.argmax())
    top = float(row_weight.max()) or 1.0
    per_row, per_column = hit.sum(1), hit.sum(0)
    named = np.zeros((2, width), np.float32)
    for column, linked in links.columns.items():
        named[:, column] = (float(linked.share > 0.9), linked.share)
    kinds = [column.kind for column in view.columns]
    counts = Counter(text for column in view.columns for text in column.texts)
    number_new = _new_numbers(links)
    made = np.zeros((len(rows), width, len(FEATURES)), np.float32)
    says_extreme = float(links.triggers.has("large") or links.triggers.has("small"))
    says_count = float(any(links.triggers.has(name) for name in ("count", "all", "majority")))
    for at, row in enumerate(rows):
        above = row - 1 if row else row
        for column in range(width):
            text = view.columns[column].texts[row]
            own = weight[row, column]
            made[at, column] = (
                share[0][row, column],
                own / 3,
                exact[row, column],
                own / (links.content.bit_count() or 1),
                named[0, column],
                named[1, column],
                row_weight[row] / 4,
                row_weight[row] / top,
                min(rank[row], 10) / 10,
                per_row[row] / width,
                row_weight[above] / top,
                exact[row].sum() / 2,
                (row_weight[row] - own) / top,
                weight[:, column].max() / 3,
                min(per_column[column], 10) / 5,
                per_column[column] / view.height,
                float(kinds[column] == NUMBER),
                float(kinds[column] == DATE),
                float(column == 0),
                column / width,
                number_new if kinds[column] == NUMBER else 0.0,
                float(not text.strip(" -–—")),
                min(counts[text], 10) / 10,
                1.0 / (1 + abs(row - best_row)),
                float(row > 0 and text == view.columns[column].texts[above]),
                says_count,
                says_extreme,
                min(view.height, 40) / 20,
                float(exact[row, column] and text[:1].isdecimal()),
                named[1, column] * row_weight[row] / top,
            )
    places = [(row, column) for row in rows for column in range(width)]
    return places, made.reshape(len(places), len(FEATURES))


_HIT = 0.5
"""The share of a cell's words that the claim must have for the cell to count as named."""


def _matches(
    claim: str, view: TableView, links: Links
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Match every cell with the claim: share of the cell, weight (rare words count more),
    exactness."""
    words = frozenset(links.words)
    text = f" {' '.join(links.words)} "
    size = len(view.entries) or 1
    found = np.zeros((2, view.height, len(view.columns)), np.float32)
    exact = np.zeros((view.height, len(view.columns)), np.float32)
    seen = {n for word in words - STOP for n in view.index.get(word, ())}
    for number in seen:
        entry = view.entries[number]
        own = set(entry.words)
        shared = own & words
        heavy = [word for word in shared if word not in STOP]
        rare = sum(1.0 + float(np.log(size / len(view.index[word]))) / 6 for word in heavy)
        share = (len(shared) - 0.5 * (len(shared) - len(heavy))) / len(own)
        whole = f" {' '.join(entry.words)} " in text
        rows = entry.rows
        found[0, rows, entry.column] = share
        found[1, rows, entry.column] = rare * (0.4 + 0.6 * share)
        exact[rows, entry.column] = float(whole)
    # Links by another spelling ("second" for "2") count as well.
    runner = Runner(view)
    for linked in links.cells:
        rows = rows_of(runner.rows(linked.condition))
        column = linked.condition.column
        found[0, rows, column] = np.maximum(found[0, rows, column], linked.share)
        found[1, rows, column] = np.maximum(found[1, rows, column], 0.7 * linked.weight)
    return found, exact


def _rows(view: TableView, hit: NDArray[np.bool_]) -> list[int]:
    if view.height <= _ROWS:
        return list(range(view.height))
    found: list[int] = np.flatnonzero(hit.any(1))[:_ROWS].tolist()
    return found


def _new_numbers(links: Links) -> float:
    """Count the claim's numbers that are not in the table: they may be computed."""
    own = [n for n in links.numbers if not n.ordinal]
    return sum(1 for n in own if not n.places & links.known) / (len(own) or 1)


_KNOWN = 0.5
"""A table is relevant to a claim only if it has more than this share of the claim's names."""
_CITED = 6
"""Number of cells that are cited if no program says which were used."""


class TableEvidence(Struct, frozen=True):
    """What a table says about a claim."""

    page: str
    section: str
    table: Table
    view: TableView
    text: str
    """The table in words, as the encoders read it."""
    places: tuple[Place, ...]
    """The selected cells, best first: rows and columns of the view's body."""
    shown: tuple[Place, ...]
    """The cells that the text shows."""
    votes: ProgramVotes
    about: bool
    """Whether the table has most of the names in the claim."""
    source: Provenance | None = None

    def cited(self, supported: bool) -> tuple[Place, ...]:
        """Return the cells behind a verdict: those that its best program used."""
        best = self.votes.top_program(supported)
        if best is not None:
            program = self.votes.tried.candidates[best].program
            used = self.view.rests_on(self.votes.tried.runner.cells(program))
            if self.refs(used):
                return used
        return self.shown[:_CITED] or self.places[:_CITED]

    def reason(self, supported: bool) -> str:
        """Describe the result of the best program for a verdict; "" if there is none."""
        best = self.votes.top_program(supported)
        if best is None:
            return ""
        tried = self.votes.tried
        return in_words(tried.candidates[best].program, tried.outcomes[best], self.view)

    def refs(self, places: Sequence[Place]) -> list[Ref]:
        """Return the official ids of cells, without duplicates."""
        return self.named([self.view.places[row][column] for row, column in places])

    def named(self, cells: Sequence[Cell]) -> list[Ref]:
        """Yield the official ids of cells; empty cells, and those not in the table, have none."""
        own = (cell for cell in cells if cell.row != VIRTUAL_ROW and cell.text)
        return list(dict.fromkeys(self.table.ref(self.page, cell) for cell in own))


class TableReader:
    """Selects cells and runs programs."""

    def __init__(self, cells: Cells, programs: Programs) -> None:
        self._cells, self._programs = cells, programs

    @classmethod
    def open(cls) -> "TableReader":
        """Open the shipped weights."""
        return cls(Cells.open(), Programs.open())

    @property
    def fingerprint(self) -> str:
        """Names the weights."""
        return self._cells.fingerprint + self._programs.fingerprint

    def read(
        self,
        claim: str,
        table: Table,
        view: TableView,
        page: str = "",
        section: str = "",
        source: Provenance | None = None,
    ) -> TableEvidence:
        """Select cells for a claim and run its candidate programs."""
        votes = self._programs.run([claim], [view])[0]
        ranked = self._ranked(claim, view)
        facts = table_facts(view, votes.tried.links, votes.tried.runner, ranked)
        return TableEvidence(
            page,
            section,
            table,
            view,
            facts.text,
            tuple(ranked),
            facts.places,
            votes,
            _about(claim, votes.tried.links),
            source,
        )

    def text(self, claim: str, view: TableView) -> str:
        """Write a table in words for a claim, as the encoders read it."""
        return table_facts(view, link(claim, view), Runner(view), self._ranked(claim, view)).text

    def _ranked(self, claim: str, view: TableView) -> list[Place]:
        return [(cell.row, cell.column) for cell in self._cells.choose([claim], [view])[0]]


def _about(claim: str, links: Links) -> bool:
    """Say whether a table has most of the names in a claim, in any spelling."""
    capital = (word for word in claim.split()[1:] if word[:1].isupper())
    names = set(cell_words(" ".join(word.removesuffix("'s") for word in capital)))
    places = links.known | links.caption
    for cell in links.cells:
        places |= cell.places
    covered = {word for at, word in enumerate(links.words) if places >> at & 1}
    return not names or len(names & covered) > _KNOWN * len(names)
