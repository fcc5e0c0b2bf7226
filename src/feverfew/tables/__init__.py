"""All that knows a table: a typed view, a small language over it, its programs, cells and search."""

from feverfew.tables.evidence import TableEvidence, TableReader
from feverfew.tables.language import Program
from feverfew.tables.view import TableView

__all__ = ["Program", "TableEvidence", "TableReader", "TableView"]
