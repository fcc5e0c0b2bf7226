"""Folders of documents: text, Markdown, tables, PDF, Word, books, mail, notebooks, JSON.

A document's id is its file's name with its folders, which is unique and stays the same when it is
indexed again, on any machine. What people call it is its own title, or else its file's name in
words; both lead to it.
"""

from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from feverfew.errors import BadRecord
from feverfew.readers.base import Parsed, Partial, Record, Source
from feverfew.readers.blocks import Content
from feverfew.readers.decode import json_keys
from feverfew.readers.documents.epub import read_epub
from feverfew.readers.documents.json_records import (
    holds_records,
    json_records,
    read_json_record,
    whole_json,
)
from feverfew.readers.documents.mail import read_mail
from feverfew.readers.documents.notebooks import read_notebook
from feverfew.readers.documents.office import read_docx
from feverfew.readers.documents.pdf import read_pdf
from feverfew.readers.documents.rst import read_rst
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
    ".rst": "rst",
    ".csv": "spreadsheet",
    ".tsv": "spreadsheet",
    ".tab": "spreadsheet",
    ".pdf": "pdf",
    ".docx": "docx",
    ".epub": "epub",
    ".eml": "mail",
    ".ipynb": "notebook",
    ".json": "json",
    ".jsonl": "json",
    ".ndjson": "json",
    ".xlsx": "workbook",
    ".xlsm": "workbook",
    ".xls": "workbook",
    ".ods": "workbook",
}
_READERS: dict[str, Callable[[Record, Source], Content]] = {
    "text": read_plain_text,
    "markdown": read_markdown,
    "rst": read_rst,
    "pdf": read_pdf,
    "docx": read_docx,
    "epub": read_epub,
    "mail": read_mail,
    "notebook": read_notebook,
}
_ZIP = b"PK\x03\x04"
_ZIPPED = {"docx", "epub", "workbook"}
_COMPRESSED = {".gz", ".bz2", ".xz", ".zst"}


class Documents:
    """One page a file; a long table, several."""

    name = "documents"

    def recognises(self, head: bytes, source: Source) -> bool:
        kind = _kind(head, source.name)
        if kind == "json":
            # A file of claims looks alike, and is none of ours.
            claims = any(b"claim" in keys for keys in json_keys(head))
            return not claims and holds_records(head, _suffix(source.name))
        return kind != ""

    def records(self, source: Source) -> Iterator[Record]:
        match _kind(b"", source.name):
            case "spreadsheet":
                return spreadsheet_records(source)
            case "workbook":
                return workbook_records(source)
            case "json":
                return json_records(source, _suffix(source.name))
            case _:
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


def _suffix(name: str) -> str:
    path = PurePosixPath(name.lower())
    return (path.with_suffix("") if path.suffix in _COMPRESSED else path).suffix


def _kind(head: bytes, name: str) -> str:
    """Return the kind of a document, "" if it is none: its content decides where it can."""
    if head.startswith(b"%PDF-"):
        return "pdf"
    kind = _KINDS.get(_suffix(name), "")
    if head.startswith(_ZIP) and kind not in _ZIPPED and (kind or b"word/" in head):
        return "docx"
    return kind


def _read(record: Record, source: Source) -> tuple[str, Content]:
    """Return a page's title and its content."""
    if not record.data:
        raise BadRecord("the file is empty", path=source.name)
    kind = _kind(record.data, source.name)
    is_part = record.data.startswith(PART_MARK)
    if kind == "json" and not is_part:
        record = whole_json(record, source)
        is_part = record.data.startswith(PART_MARK)
    if kind == "json" and (not is_part or record.data[1:2] == b"{"):
        content, where = read_json_record(record, source)
    elif kind == "spreadsheet" or (kind in {"workbook", "json"} and is_part):
        content, where = read_spreadsheet(record, source)
    elif kind == "workbook":
        content, where = whole_workbook(record, source), ""
    else:
        content, where = _READERS.get(kind, read_plain_text)(record, source), ""
    return source.name + where, content
