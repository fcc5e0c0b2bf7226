"""Judge claims by tables that people bring, beside what their texts say."""

from collections.abc import Sequence

from msgspec import Struct

from feverfew.judge.judge import Judge
from feverfew.judge.rules import Probabilities
from feverfew.judge.tables.execute import Place
from feverfew.judge.tables.verdict import TableJudge
from feverfew.judge.tables.view import TableView
from feverfew.model import NOWHERE, Table, Verdict

__all__ = ["Asked", "Told", "judge_tables"]


class Asked(Struct, frozen=True):
    """A claim, a table with what it is about, and texts."""

    claim: str
    table: Table
    title: str
    texts: Sequence[str]


class Told(Struct, frozen=True):
    """What a table and the texts beside it say of a claim."""

    probabilities: Probabilities
    reason: str = ""
    cells: tuple[str, ...] = ()
    """The cells that it rests on, by their ids."""


def judge_tables(judge: Judge, tables: TableJudge, asked: Sequence[Asked]) -> list[Told]:
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
            told.append(Told(verdict.probabilities))
            continue
        cells = _names(one.table, view, verdict.cells or verdict.read)
        told.append(Told(verdict.probabilities, verdict.reason, cells))
    return told


def _names(table: Table, view: TableView, places: Sequence[Place]) -> tuple[str, ...]:
    cells = dict.fromkeys(view.places[row][column] for row, column in places)
    refs = (table.ref("", cell) for cell in cells if cell.row != NOWHERE)
    return tuple(f"{ref.kind}_{ref.position_text}" for ref in refs)
