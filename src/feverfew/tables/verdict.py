"""Judge claims by tables: encoder, programs, words and numbers weighed into one verdict."""

import hashlib
from collections.abc import Sequence

from msgspec import Struct

from feverfew.judge.aggregate import Aggregator
from feverfew.judge.judge import Judge, Probabilities
from feverfew.judge.linearise import plain
from feverfew.judge.reading import Piece
from feverfew.models.heads import CELLS, TEXT
from feverfew.tables.execute import Place
from feverfew.tables.language import Program
from feverfew.tables.programs import Programs, ProgramVotes, explained
from feverfew.tables.reading import CellChooser, CellsRead, read_cells, with_texts
from feverfew.tables.table_features import (
    BOTH,
    TABLE,
    TableReading,
    TextsRead,
    both_features,
    table_features,
)
from feverfew.tables.view import TableView

__all__ = ["FILE", "TableJudge", "TableVerdict"]

FILE = "table_verdict.json"
"""The two aggregators: `table`, for tables alone, and `both`, for tables beside texts."""
_NOTHING: Probabilities = (0.0, 0.0, 1.0)


class TableVerdict(Struct, frozen=True):
    """What a table, and the texts beside it if there are any, say of a claim."""

    probabilities: Probabilities
    program: Program | None = None
    """The program that speaks loudest for this verdict."""
    value: float | None = None
    reason: str = ""
    """For people: 'count(Result = won) = 3, the claim says 4'."""
    cells: tuple[Place, ...] = ()
    """Places of the body (row, column) that the program looked at; of a list, whole rows."""
    read: tuple[Place, ...] = ()
    """Those that the encoder read, best first."""

    @property
    def probability(self) -> float:
        """That the claim is true, if the table speaks of it at all."""
        return self.probabilities[0] / max(1e-9, self.probabilities[0] + self.probabilities[1])

    @property
    def speaks(self) -> float:
        """That the table speaks of the claim."""
        return self.probabilities[0] + self.probabilities[1]


class TableJudge:
    """Weighs what the encoder reads in cells, what programs compute, and texts beside them."""

    def __init__(
        self,
        judge: Judge,
        cells: CellChooser,
        programs: Programs,
        table: Aggregator,
        both: Aggregator,
    ) -> None:
        self._judge, self._cells, self._programs = judge, cells, programs
        self._table, self._both = table, both

    @classmethod
    def open(cls, judge: Judge, cells: CellChooser) -> "TableJudge":
        """Open the weights that lie beside a judge's model."""
        return cls(
            judge,
            cells,
            Programs.open(),
            Aggregator.open("table", TABLE, judge.folder, FILE),
            Aggregator.open("both", BOTH, judge.folder, FILE),
        )

    @classmethod
    def untrained(cls, judge: Judge, cells: CellChooser) -> "TableJudge":
        """Make one that reads, but knows not how to weigh: what training starts from."""
        return cls(judge, cells, Programs.open(), Aggregator.blank(TABLE), Aggregator.blank(BOTH))

    @property
    def fingerprint(self) -> str:
        """Names all weights: the judge's, and those for tables."""
        parts = (self._judge, self._cells, self._programs, self._table, self._both)
        joined = "".join(part.fingerprint for part in parts)
        return hashlib.blake2b(joined.encode(), digest_size=8).hexdigest()

    def read(self, claims: Sequence[str], tables: Sequence[TableView]) -> list[TableReading]:
        """Read claims beside their tables, without weighing anything."""
        return self._read(claims, tables, read_cells(self._cells, claims, tables))

    def read_texts(
        self,
        claims: Sequence[str],
        tables: Sequence[TableView],
        texts: Sequence[Sequence[Piece]],
    ) -> list[TextsRead]:
        """Read the texts that stand beside tables, by themselves and with the chosen cells."""
        cells = read_cells(self._cells, claims, tables)
        return self._read_texts(claims, tables, texts, cells)

    def judge(
        self,
        claims: Sequence[str],
        tables: Sequence[TableView],
        texts: Sequence[Sequence[Piece]] | None = None,
    ) -> list[TableVerdict]:
        """Judge each claim by the table beside it, and by texts where there are some."""
        beside = texts or [()] * len(claims)
        cells = read_cells(self._cells, claims, tables)
        readings = self._read(claims, tables, cells)
        weighed = self.weigh(readings)
        told = [at for at, own in enumerate(beside) if own]
        read = self._read_texts(
            [claims[at] for at in told],
            [tables[at] for at in told],
            [beside[at] for at in told],
            [cells[at] for at in told],
        )
        both = self.weigh_both([readings[at] for at in told], read)
        for at, row in zip(told, both, strict=True):
            weighed[at] = row
        return [
            _verdict(row, reading.said, reading.view, own)
            for row, reading, own in zip(weighed, readings, cells, strict=True)
        ]

    def weigh(self, readings: Sequence[TableReading]) -> list[Probabilities]:
        """Weigh what was read; an empty table leaves everything open."""
        rows = self._table.probabilities([table_features(one) for one in readings])
        return [
            (s, r, n) if one.view.height else _NOTHING
            for (s, r, n), one in zip(rows.tolist(), readings, strict=True)
        ]

    def weigh_both(
        self, readings: Sequence[TableReading], texts: Sequence[TextsRead]
    ) -> list[Probabilities]:
        """Weigh what was read with texts; beside an empty table, they say all."""
        rows = self._both.probabilities(
            [both_features(one, told) for one, told in zip(readings, texts, strict=True)]
        )
        return [
            (s, r, n) if one.view.height else told.alone
            for (s, r, n), one, told in zip(rows.tolist(), readings, texts, strict=True)
        ]

    def _read(
        self, claims: Sequence[str], tables: Sequence[TableView], cells: Sequence[CellsRead]
    ) -> list[TableReading]:
        pairs = [(plain(claim), own.text) for claim, own in zip(claims, cells, strict=True)]
        logits = self._judge.encoder.logits(pairs)[:, CELLS]
        said = self._programs.hear(claims, tables)
        return [
            TableReading(claim, view, own.text, row, heard)
            for claim, view, own, row, heard in zip(
                claims, tables, cells, logits, said, strict=True
            )
        ]

    def _read_texts(
        self,
        claims: Sequence[str],
        tables: Sequence[TableView],
        texts: Sequence[Sequence[Piece]],
        cells: Sequence[CellsRead],
    ) -> list[TextsRead]:
        alone = self._judge.judge(claims, texts)
        joint = [
            with_texts(own, chosen, view)
            for own, chosen, view in zip(texts, cells, tables, strict=True)
        ]
        pairs = [(plain(claim), text) for claim, text in zip(claims, joint, strict=True)]
        logits = self._judge.encoder.logits(pairs)[:, TEXT]
        return [
            TextsRead(one.probabilities, text, row)
            for one, text, row in zip(alone, joint, logits, strict=True)
        ]


def _verdict(
    probabilities: Probabilities, said: ProgramVotes, view: TableView, cells: CellsRead
) -> TableVerdict:
    """Join the program that speaks loudest for the likelier side."""
    best = said.top_program(probabilities[0] >= probabilities[1])
    if best is None:
        return TableVerdict(probabilities, read=tuple(cells.places))
    program, outcome = said.tried.candidates[best].program, said.tried.outcomes[best]
    return TableVerdict(
        probabilities,
        program,
        outcome.value,
        explained(program, outcome, view),
        view.rests_on(said.tried.runner.cells(program)),
        tuple(cells.places),
    )
