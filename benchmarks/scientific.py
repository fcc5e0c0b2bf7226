"""SEM-TAB-FACTS' development part: statements on tables of scientific papers, of which none was
ever learned from, so that they show how the judge of tables does on what is foreign to it."""

import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from feverfew.lab.train.tableclaims import TableClaim
from feverfew.tables import TableView

__all__ = ["scientific_claims"]

ARCHIVE = "semtabfacts/dev_v1.1.zip"
LABELS = {"entailed": 0, "refuted": 1, "unknown": 2}


def scientific_claims(tables: Path) -> list[TableClaim]:
    """Read every statement once: it stands in the input's folder, too, without its label."""
    with zipfile.ZipFile(tables / ARCHIVE) as archive:
        documents = sorted(n for n in archive.namelist() if "/output/" in n and n.endswith(".xml"))
        return [
            claim
            for name in documents
            if not name.startswith("__MACOSX")
            for claim in _claims(ElementTree.fromstring(archive.read(name)), name)
        ]


def _claims(document: ElementTree.Element, name: str) -> Iterator[TableClaim]:
    for table in document.iter("table"):
        view = TableView.of_rows(_rows(table), _text(table.find("caption")))
        for said in table.iter("statement"):
            label = LABELS[said.get("type", "")]
            yield TableClaim(_text(said), view, label, f"{name} {table.get('id')}")


def _rows(table: ElementTree.Element) -> list[list[str]]:
    """Lay the cells out in a grid, in every place that they span."""
    places = {
        (row, column): _text(cell)
        for cell in table.iter("cell")
        for row in _span(cell, "row")
        for column in _span(cell, "col")
    }
    height, width = (1 + max((at[side] for at in places), default=-1) for side in (0, 1))
    return [[places.get((row, column), "") for column in range(width)] for row in range(height)]


def _span(cell: ElementTree.Element, side: str) -> range:
    return range(int(cell.get(f"{side}-start", 0)), int(cell.get(f"{side}-end", 0)) + 1)


def _text(element: ElementTree.Element | None) -> str:
    return " ".join((element.get("text") or "").split()) if element is not None else ""
