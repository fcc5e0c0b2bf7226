"""Jupyter notebooks: text, code line by line, and what it printed; tables of data as tables."""

from contextlib import suppress

from msgspec import Struct, field
from msgspec.json import Decoder

from feverfew.errors import BadRecord
from feverfew.readers.base import Record, Source
from feverfew.readers.blocks import Blocks, Content
from feverfew.readers.decode import decode
from feverfew.readers.documents.text import read_markdown_into
from feverfew.readers.html.page import read_markup
from feverfew.readers.html.sites import document_site

__all__ = ["read_notebook"]

_Text = str | list[str]
_HTML = "text/html"
_PLAIN = "text/plain"


class _Output(Struct):
    """What a cell printed; up to version 3 of the format, `data` was not there."""

    output_type: str = ""
    data: dict[str, object] = {}
    text: _Text = ""
    html: _Text = ""


class _Cell(Struct):
    cell_type: str
    source: _Text = ""
    input: _Text = ""
    outputs: list[_Output] = []
    level: int = 1


class _Sheet(Struct):
    cells: list[_Cell] = []


class _Metadata(Struct):
    title: str = ""
    name: str = ""


class _Notebook(Struct):
    nbformat: int
    cells: list[_Cell] = []
    worksheets: list[_Sheet] = []
    metadata: _Metadata = field(default_factory=_Metadata)


_DECODER = Decoder(_Notebook)


def read_notebook(record: Record, source: Source) -> Content:
    """Read a notebook of any version."""
    notebook = decode(_DECODER, Record(record.data, 0), source)
    blocks = Blocks()
    titles = [notebook.metadata.title]
    for cell in [*notebook.cells, *(cell for sheet in notebook.worksheets for cell in sheet.cells)]:
        text = _joined(cell.source or cell.input)
        match cell.cell_type:
            case "markdown":
                titles.append(read_markdown_into(blocks, text, source))
            case "heading":
                titles.append(text)
                blocks.section(text, cell.level)
            case "code":
                _lines(text, blocks)
                for output in cell.outputs:
                    _read_output(output, blocks, source)
    named = (*filter(None, titles), notebook.metadata.name)
    return Content(blocks.done(), named[:1])


def _read_output(output: _Output, blocks: Blocks, source: Source) -> None:
    data = {kind: _joined(text) for kind, text in output.data.items()}
    if markup := data.get(_HTML) or _joined(output.html):
        before = len(blocks)
        with suppress(BadRecord):  # of a widget, not text: plain text mostly says the same
            read_markup(markup, blocks, document_site(source.name), source.name)
        if len(blocks) > before:
            return
    if output.output_type != "error":
        _lines(data.get(_PLAIN) or _joined(output.text), blocks)


def _lines(text: str, blocks: Blocks) -> None:
    for line in text.splitlines():
        blocks.paragraph([line])


def _joined(text: object) -> str:
    if isinstance(text, list):
        return "".join(piece for piece in text if isinstance(piece, str))
    return text if isinstance(text, str) else ""
