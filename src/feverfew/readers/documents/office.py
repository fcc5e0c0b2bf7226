"""Word documents: headings, paragraphs, lists and tables in the order of the document."""

import io
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from feverfew.errors import BadRecord, MissingExtra
from feverfew.readers.base import Record, Source
from feverfew.readers.blocks import Blocks, Content, Entry, Run, TableCell
from feverfew.readers.documents.zips import DAMAGED, open_zip, parse_xml
from feverfew.readers.links import document_target
from feverfew.types import Link

if TYPE_CHECKING:
    from docx.document import Document

__all__ = ["read_docx"]

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
# Wrappers around blocks: content controls, tracked insertions, custom markup.
_WRAPPERS = {_W + tag for tag in ("sdt", "sdtContent", "ins", "customXml", "smartTag", "moveTo")}
# What an older Word would see, and where tracked text was moved from: the change is accepted.
_UNSEEN = {_MC + "Fallback", _W + "moveFrom"}
_NOTES = ("footnote", "endnote")
_HEADING = re.compile(r"heading ([1-9])", re.IGNORECASE)
_LIST = re.compile(r"list(?: (bullet|number|continue|paragraph))?(?: ([2-9]))?", re.IGNORECASE)
_NUMERIC = re.compile(r"[\d.,%€$£ +-]+")

_Element = Any  # lxml has no types of its own


def read_docx(record: Record, source: Source) -> Content:
    """Read a Word document; refuse one that would unpack to absurd size."""
    try:
        import docx
    except ImportError:
        raise MissingExtra("reading Word documents", "documents") from None
    try:
        open_zip(record, source, "Word document", "word/document.xml").close()
        document = docx.Document(io.BytesIO(record.data))
        reader = _Reader(document, source.name)
        reader.read(document.element.body)
        for note in _notes(document):
            reader.read(note)
        title = document.core_properties.title
    except BadRecord:
        raise
    except DAMAGED as error:
        why = f"{type(error).__name__}: {error}".rstrip(": ")
        raise BadRecord(f"the Word document is damaged ({why})", path=source.name) from None
    return Content(reader.blocks.done(), (title or "", *reader.titles[:1]))


def _notes(document: "Document") -> Iterator[_Element]:
    """Yield the footnotes and endnotes that people wrote; separators are notes of a type."""
    for kind in _NOTES:
        for relation in document.part.rels.values():
            if not relation.is_external and relation.reltype.endswith(f"/{kind}s"):
                for note in parse_xml(relation.target_part.blob).iter(f"{_W}{kind}"):
                    if note.get(_W + "type") in (None, "normal"):
                        yield note


class _Reader:
    """Walk the body and gather blocks."""

    def __init__(self, document: "Document", name: str) -> None:
        self.blocks = Blocks()
        self.titles: list[str] = []
        self._name = name
        self._styles = {style.style_id: style.name or "" for style in document.styles}
        self._targets = {
            key: rel.target_ref for key, rel in document.part.rels.items() if rel.is_external
        }
        self._entries: list[Entry] = []
        self._ordered = False

    def read(self, body: _Element) -> None:
        """Read every paragraph and table of the body."""
        for element in _unwrapped(body):
            if element.tag == _W + "p":
                self._paragraph(element)
            elif element.tag == _W + "tbl":
                self._end_list()
                self._tables(element)
        self._end_list()

    def _tables(self, table: _Element) -> None:
        """Read a table; then those in its cells, each as a table of its own."""
        waiting = [table]
        while waiting:
            outer = waiting.pop()
            self._table(outer)
            inner = [
                found
                for row in _children(outer, "tr")
                for cell in _children(row, "tc")
                for found in _children(cell, "tbl")
            ]
            waiting += reversed(inner)

    def _paragraph(self, paragraph: _Element) -> None:
        runs = self._runs(paragraph)
        text = "".join(run if isinstance(run, str) else run.text for run in runs)
        if not text.strip():
            return
        style_id = paragraph.find(f"{_W}pPr/{_W}pStyle")
        style = self._styles.get(_value(style_id), "")
        numbering = paragraph.find(f"{_W}pPr/{_W}numPr")
        heading = _HEADING.fullmatch(style)
        listed = _LIST.fullmatch(style)
        if heading or style == "Title":
            self._end_list()
            self.titles.append(text)
            self.blocks.section(text, int(heading[1]) if heading else 1)
        elif numbering is not None or (listed and listed[1] != "Paragraph"):
            level = int(_value(numbering.find(_W + "ilvl")) or 0) if numbering is not None else 0
            if listed and listed[2]:
                level = int(listed[2]) - 1
            if not self._entries:
                self._ordered = bool(listed) and "Number" in style
            self._entries.append(Entry(runs, level))
        else:
            self._end_list()
            self.blocks.paragraph(runs)

    def _end_list(self) -> None:
        self.blocks.item_list(self._entries, self._ordered)
        self._entries = []

    def _runs(self, element: _Element) -> list[Run]:
        """Return an element's text with its links; not what was deleted, nor of inner tables."""
        runs: list[Run] = []
        passed = {node for table in element.iter(_W + "tbl") for node in table.iter(*_TEXT_TAGS)}
        for node in element.iter(*_TEXT_TAGS):
            if node in passed or any(a.tag in _UNSEEN for a in node.iterancestors()):
                continue
            if node.tag == _W + "hyperlink":
                inner = list(node.iter(*_TEXT_TAGS))
                passed.update(inner)
                text = " ".join("".join(map(_text, inner)).split())
                target = document_target(self._targets.get(node.get(_R + "id"), ""), self._name)
                runs.append(Link(target, text) if target and text else text)
            else:
                runs.append(_text(node))
        return runs

    def _table(self, table: _Element) -> None:
        rows = [list(_grid_cells(row)) for row in _children(table, "tr")]
        heads = [row.find(f"{_W}trPr/{_W}tblHeader") is not None for row in _children(table, "tr")]
        made: list[list[TableCell]] = []
        texts = [[self._runs(cell) for _, cell in row] for row in rows]
        if not any(heads) and len(rows) > 1 and _names_columns(table, texts[0]):
            heads[0] = True
        for number, row in enumerate(rows):
            made.append(
                [
                    TableCell(
                        texts[number][at],
                        heads[number],
                        _height(rows, number, column),
                        _width(cell),
                    )
                    for at, (column, cell) in enumerate(row)
                    if _merge(cell) != "continue"
                ]
            )
        self.blocks.table(made)


_TEXT_TAGS = tuple(_W + tag for tag in ("t", "tab", "br", "cr", "p", "noBreakHyphen", "hyperlink"))


def _text(node: _Element) -> str:
    match node.tag.removeprefix(_W):
        case "t":
            return node.text or ""
        case "noBreakHyphen":
            return "-"
        case _:
            return " "


def _value(element: _Element | None) -> str:
    return "" if element is None else element.get(_W + "val") or ""


def _unwrapped(parent: _Element) -> Iterator[_Element]:
    for child in parent:
        if child.tag in _WRAPPERS:
            yield from _unwrapped(child)
        else:
            yield child


def _children(parent: _Element, tag: str) -> Iterator[_Element]:
    return (child for child in _unwrapped(parent) if child.tag == _W + tag)


def _grid_cells(row: _Element) -> Iterator[tuple[int, _Element]]:
    """Yield a row's cells with their columns in the grid."""
    skipped = row.find(f"{_W}trPr/{_W}gridBefore")
    column = int(_value(skipped) or 0)
    for cell in _children(row, "tc"):
        yield column, cell
        column += _width(cell)


def _width(cell: _Element) -> int:
    return max(int(_value(cell.find(f"{_W}tcPr/{_W}gridSpan")) or 1), 1)


def _merge(cell: _Element) -> str:
    """Return how a cell takes part in a merge down the column: restart, continue or not."""
    merge = cell.find(f"{_W}tcPr/{_W}vMerge")
    return "" if merge is None else _value(merge) or "continue"


def _height(rows: Sequence[Sequence[tuple[int, _Element]]], number: int, column: int) -> int:
    """Count the rows over which the cell that begins here goes on."""
    height = 1
    for row in rows[number + 1 :]:
        below = next((cell for at, cell in row if at == column), None)
        if below is None or _merge(below) != "continue":
            break
        height += 1
    return height


def _names_columns(table: _Element, first: Sequence[Sequence[Run]]) -> bool:
    """Say whether a first row that Word formats as one of headers holds names."""
    look = table.find(f"{_W}tblPr/{_W}tblLook")
    if look is None:
        return False
    marked = look.get(_W + "firstRow") == "1" or int(_value(look) or "0", 16) & 0x20
    texts = ["".join(r if isinstance(r, str) else r.text for r in runs).strip() for runs in first]
    return bool(marked) and all(text and not _NUMERIC.fullmatch(text) for text in texts)
