"""From a table to a verdict: a typed view, a small language over it, and its ranked programs."""

from feverfew.judge.tables.language import Program
from feverfew.judge.tables.verdict import TableJudge, TableVerdict
from feverfew.judge.tables.view import TableView

__all__ = ["Program", "TableJudge", "TableVerdict", "TableView"]
