"""Judge a claim by a table that somebody brings, beside what their texts say."""

from functools import cache
from typing import Any

from feverfew.judge.tables.together import Shares, of_table, together
from feverfew.judge.tables.verdict import TableJudge
from feverfew.judge.tables.view import TableView
from feverfew.model import Cell, Kind, Table

__all__ = ["judge_table"]


@cache
def _judge() -> TableJudge:
    return TableJudge.open()


def judge_table(claim: str, table: Table, texts: Shares) -> tuple[Shares, dict[str, Any]]:
    """Return the shares of S, R and N, and what to say of the table: the reason and its cells."""
    view = TableView.of(table)
    verdict = _judge().judge([claim], [view])[0]
    told: dict[str, Any] = {}
    if verdict.reason:
        told["reason"] = verdict.reason
    if verdict.cells:
        cells = dict.fromkeys(view.places[row][column] for row, column in verdict.cells)
        told["cells"] = [_name(table, cell) for cell in cells]
    return together(texts, of_table(verdict)), told


def _name(table: Table, cell: Cell) -> str:
    kind = Kind.HEADER_CELL if cell.header else Kind.CELL
    return f"{kind}_{table.index}_{cell.row}_{cell.column}"
