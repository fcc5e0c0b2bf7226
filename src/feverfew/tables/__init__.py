"""From a table to a verdict: a typed view, a small language over it, and its ranked programs."""

from feverfew.tables.language import Program
from feverfew.tables.verdict import TableJudge, TableVerdict
from feverfew.tables.view import TableView

__all__ = ["Program", "TableJudge", "TableVerdict", "TableView"]
