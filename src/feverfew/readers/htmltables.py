"""Tell a table of data from one that lays out a page, and read its rows."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice

from selectolax.lexbor import LexborNode

from feverfew.readers.blocks import Run, TableCell

__all__ = ["is_infobox", "is_layout", "read_table"]

_INFOBOX = re.compile(r"(?:^|\s)(?:infobox(?:_v\d)?|taxobox)(?:\s|$)")
_DATA = re.compile(r"(?:^|\s)(?:wikitable|sortable|dataframe)(?:\s|$)")
_NUMBER = re.compile(r"\s*(\d{1,6})")
_BLOCK_CONTENT = "p, ul, ol, dl, h1, h2, h3, h4, h5, h6, blockquote, pre, hr"
_HIDDEN = re.compile(r"display\s*:\s*none", re.IGNORECASE)

_ReadCell = Callable[[LexborNode], Sequence[Run]]


def is_infobox(table: LexborNode) -> bool:
    """Say whether a table is Wikipedia's box of facts beside an article."""
    return bool(_INFOBOX.search(table.attributes.get("class") or ""))


def is_layout(table: LexborNode) -> bool:
    """Say whether a table only places things on the page, and is to be read as text.

    That is one that says so, one of a single cell, and one that names no headers and holds
    other tables or paragraphs and lists.
    """
    attributes = table.attributes
    if attributes.get("role") in {"presentation", "none"}:
        return True
    names = attributes.get("class") or ""
    cells = (cell for row in _rows(table) for cell in _cells(row))
    first = list(islice(cells, 2))
    if len(first) < 2:
        return True
    if _INFOBOX.search(names) or _DATA.search(names):
        return False
    if any(cell.tag == "th" for cell in chain(first, cells)):
        return False
    nested = table.css("table")
    return len(nested) > 1 or bool(table.css(_BLOCK_CONTENT))


def read_table(table: LexborNode, read: _ReadCell) -> tuple[str, list[list[TableCell]]]:
    """Return a table's caption and its rows, each cell read by `read`."""
    caption = ""
    for child in table.iter():
        if child.tag == "caption":
            runs = read(child)
            caption = "".join(run if isinstance(run, str) else run.text for run in runs)
            break
    rows: list[list[TableCell]] = []
    for row in _rows(table):
        parent = row.parent
        heading = parent is not None and parent.tag == "thead"
        rows.append(
            [
                TableCell(
                    read(cell),
                    heading or cell.tag == "th",
                    _span(cell.attributes.get("rowspan")),
                    _span(cell.attributes.get("colspan")),
                )
                for cell in _cells(row)
            ]
        )
    return caption, rows


def _span(written: str | None) -> int:
    """Read a span leniently: '2;' is two, nonsense is one."""
    match = _NUMBER.match(written or "")
    return max(int(match[1]), 1) if match else 1


def _rows(table: LexborNode) -> Iterator[LexborNode]:
    """Yield a table's own rows, not those of tables within it."""
    for child in table.iter():
        if child.tag == "tr":
            if not _hidden(child):
                yield child
        elif child.tag in {"thead", "tbody", "tfoot"}:
            for row in child.iter():
                if row.tag == "tr" and not _hidden(row):
                    yield row


def _cells(row: LexborNode) -> Iterator[LexborNode]:
    for cell in row.iter():
        if cell.tag in {"td", "th"} and not _hidden(cell):
            yield cell


def _hidden(node: LexborNode) -> bool:
    style = node.attributes.get("style")
    return bool(style) and bool(_HIDDEN.search(style or ""))
