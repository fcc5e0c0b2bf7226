"""Read the text of a document to check."""

import sys
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from feverfew.errors import BadRecord
from feverfew.readers import FORMATS
from feverfew.readers.base import Record, Source
from feverfew.readers.bounded import read_pages_bounded
from feverfew.readers.files import LARGEST_FILE, STDIN, head, read_as_text, whole_file
from feverfew.types import ItemList, Page, Section, Sentence


class DocumentText(Struct, frozen=True):
    """A document's text, and whether its lines are those of the file."""

    text: str
    lines: bool
    """False for PDF, Word and HTML, whose text has other lines than the file."""


def read_document(path: Path) -> DocumentText:
    """Return plain text and Markdown unchanged, and the text content of PDF, Word and HTML."""
    source = Source(path, str(path))
    if path == STDIN:
        record = Record(sys.stdin.buffer.read(LARGEST_FILE), 1)
        return DocumentText(read_as_text(record, source), True)
    if not _is_laid_out(head(path), source):
        return DocumentText(read_as_text(next(whole_file(source)), source), True)
    pages = [page for page in read_pages_bounded([path]) if isinstance(page, Page)]
    text = "\n\n".join(part for page in pages for part in _paragraphs(page))
    if not text.strip():
        raise BadRecord("the document has no text", path=source.name)
    return DocumentText(text, False)


def _is_laid_out(start: bytes, source: Source) -> bool:
    """Say whether a file must be parsed to get its text."""
    return start.startswith((b"%PDF-", b"PK\x03\x04")) or FORMATS["html"].recognises(start, source)


def _paragraphs(page: Page) -> Iterator[str]:
    """Yield running text, headings and list items; tables have no sentences."""
    running: list[str] = []
    for block in page.blocks:
        if isinstance(block, Sentence):
            running.append(block.text)
            continue
        if running:
            yield " ".join(running)
            running = []
        if isinstance(block, Section):
            yield block.text
        elif isinstance(block, ItemList):
            yield from (item.text for item in block.items)
    if running:
        yield " ".join(running)
