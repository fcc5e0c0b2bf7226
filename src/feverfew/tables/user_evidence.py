"""Judge claims by tables that people bring, beside what their texts say."""

from collections.abc import Sequence

from msgspec import Struct

from feverfew.judge.judge import Judge
from feverfew.judge.label_policy import Probabilities
from feverfew.tables.execute import Place
from feverfew.tables.verdict import TableJudge
from feverfew.tables.view import TableView
from feverfew.types import VIRTUAL_ROW, Table, Verdict

__all__ = ["TableAnswer", "TableQuery", "judge_tables"]


class TableQuery(Struct, frozen=True):
    """A claim, a table with what it is about, and texts."""

    claim: str
    table: Table
    title: str
    texts: Sequence[str]


class TableAnswer(Struct, frozen=True):
    """What a table and the texts beside it say of a claim."""

    probabilities: Probabilities
    reason: str = ""
    cells: tuple[str, ...] = ()
    """The cells that it rests on, by their ids."""


def judge_tables(
    judge: Judge, tables: TableJudge, asked: Sequence[TableQuery]
) -> list[TableAnswer]:
    """Judge claims, one batch for all of them; an open one has no reason."""
    views = [TableView.of(one.table, one.title) for one in asked]
    verdicts = tables.judge(
        [one.claim for one in asked],
        views,
        [judge.shortened(one.claim, one.texts) for one in asked],
    )
    told = []
    for one, view, verdict in zip(asked, views, verdicts, strict=True):
        settled = judge.rule.verdict(verdict.probabilities) is not Verdict.NOT_ENOUGH_INFO
        if not settled:
            told.append(TableAnswer(verdict.probabilities))
            continue
        cells = _names(one.table, view, verdict.cells or verdict.read)
        told.append(TableAnswer(verdict.probabilities, verdict.reason, cells))
    return told


def _names(table: Table, view: TableView, places: Sequence[Place]) -> tuple[str, ...]:
    cells = dict.fromkeys(view.places[row][column] for row, column in places)
    refs = (table.ref("", cell) for cell in cells if cell.row != VIRTUAL_ROW)
    return tuple(f"{ref.kind}_{ref.position_text}" for ref in refs)
