"""Folders of documents: text, Markdown, CSV and TSV, PDF and Word.

A document's id is its file's name with its folders, which is unique and stays the same when it is
indexed again, on any machine. What people call it is its own title, or else its file's name in
words; both lead to it.
"""

from collections.abc import Iterator
from pathlib import PurePosixPath

from feverfew.errors import BadRecord
from feverfew.readers.base import Parsed, Partial, Record, Source
from feverfew.readers.blocks import Content
from feverfew.readers.documents.office import read_docx
from feverfew.readers.documents.pdf import read_pdf
from feverfew.readers.documents.spreadsheets import (
    PART_MARK,
    read_spreadsheet,
    spreadsheet_records,
)
from feverfew.readers.documents.text import read_markdown, read_plain_text
from feverfew.readers.documents.titles import names_of
from feverfew.readers.documents.workbooks import whole_workbook, workbook_records
from feverfew.readers.files import whole_file
from feverfew.types import Page

__all__ = ["Documents"]

_KINDS = {
    ".txt": "text",
    ".text": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".csv": "spreadsheet",
    ".tsv": "spreadsheet",
    ".tab": "spreadsheet",
    ".pdf": "pdf",
    ".docx": "docx",
    ".xlsx": "workbook",
    ".xlsm": "workbook",
    ".xls": "workbook",
    ".ods": "workbook",
}
_ZIP = b"PK\x03\x04"
_COMPRESSED = {".gz", ".bz2", ".xz", ".zst"}


class Documents:
    """One page a file; a long table, several."""

    name = "documents"

    def recognises(self, head: bytes, source: Source) -> bool:
        return _kind(head, source.name) != ""

    def records(self, source: Source) -> Iterator[Record]:
        if _kind(b"", source.name) == "spreadsheet":
            return spreadsheet_records(source)
        if _kind(b"", source.name) == "workbook":
            return workbook_records(source)
        return whole_file(source)

    def parse(self, record: Record, source: Source) -> Parsed:
        if record.problem:
            # A whole file has no line to look for; a row of a spreadsheet has.
            raise BadRecord(record.problem, path=source.name, line=record.line * (record.line > 1))
        title, content = _read(record, source)
        if not content.blocks:
            raise BadRecord("the document holds no text", path=source.name)
        name, aliases = names_of(content.titles, source.name)
        page = Page(
            title=title,
            blocks=content.blocks,
            aliases=aliases if title == source.name else (),
            source=source.name,
            name=name,
            page_breaks=content.page_breaks,
        )
        return Partial(page, content.problem) if content.problem else page


def _kind(head: bytes, name: str) -> str:
    """Return the kind of a document, "" if it is none: its content decides where it can."""
    path = PurePosixPath(name.lower())
    if path.suffix in _COMPRESSED:
        path = path.with_suffix("")
    if head.startswith(b"%PDF-"):
        return "pdf"
    kind = _KINDS.get(path.suffix, "")
    if head.startswith(_ZIP) and kind != "workbook" and (kind or b"word/" in head):
        return "docx"
    return kind


def _read(record: Record, source: Source) -> tuple[str, Content]:
    """Return a page's title and its content."""
    if not record.data:
        raise BadRecord("the file is empty", path=source.name)
    match _kind(record.data, source.name):
        case "spreadsheet":
            content, where = read_spreadsheet(record, source)
            return source.name + where, content
        case "workbook":
            if not record.data.startswith(PART_MARK):
                return source.name, whole_workbook(record, source)
            content, where = read_spreadsheet(record, source)
            return source.name + where, content
        case "markdown":
            return source.name, read_markdown(record, source)
        case "pdf":
            return source.name, read_pdf(record, source)
        case "docx":
            return source.name, read_docx(record, source)
        case _:
            return source.name, read_plain_text(record, source)
