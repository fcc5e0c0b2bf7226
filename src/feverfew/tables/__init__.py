"""All that knows a table: a typed view, programs over it, its cells, and the search for it."""

from feverfew.tables.evidence import TableEvidence, TableReader
from feverfew.tables.language import Program
from feverfew.tables.view import TableView

__all__ = ["Program", "TableEvidence", "TableReader", "TableView"]
