"""Tables: typed views, programs, cell selection and table search."""

from feverfew.tables.evidence import TableEvidence, TableReader
from feverfew.tables.language import Program
from feverfew.tables.view import TableView

__all__ = ["Program", "TableEvidence", "TableReader", "TableView"]
