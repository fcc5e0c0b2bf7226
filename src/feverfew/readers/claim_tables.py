"""Claims in tables (CSV, TSV, Excel, OpenDocument) and in Markdown.

A table has a column called `claim`; `id` and `label` are read if they are there, and all others are
kept for the output. A table without such a column is refused, never read as lines of text.
"""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

from feverfew.errors import BadRecord, InputError
from feverfew.readers.base import Source
from feverfew.readers.documents.spreadsheets import is_header, style_of
from feverfew.readers.documents.workbooks import workbook_parts
from feverfew.readers.files import read_as_text, whole_file
from feverfew.types import Claim, Verdict

_SEPARATED = {".csv", ".tsv", ".tab"}
_WORKBOOKS = {".xlsx", ".xlsm", ".xls", ".ods"}
_MARKDOWN = {".md", ".markdown"}
_CLAIM = ("claim", "claims", "statement")
_ID = ("id", "uid", "claim_id")
_LABEL = ("label", "verdict", "gold", "claim_label")
_LABELS = {
    "supports": Verdict.SUPPORTED,
    "supported": Verdict.SUPPORTED,
    "support": Verdict.SUPPORTED,
    "refutes": Verdict.REFUTED,
    "refuted": Verdict.REFUTED,
    "contradict": Verdict.REFUTED,
    "not enough info": Verdict.NOT_ENOUGH_INFO,
    "not enough information": Verdict.NOT_ENOUGH_INFO,
    "not enough evidence": Verdict.NOT_ENOUGH_INFO,
    "nei": Verdict.NOT_ENOUGH_INFO,
}
_ITEM = re.compile(r"(?:[-*+•]|\d{1,4}[.)])\s+(?:\[[ xX]\]\s+)?")


def plain_label(word: str) -> Verdict | None:
    """Read a label as people and other data sets write it; None for what is no verdict of ours.

    >>> plain_label("Not_Enough_Info").value, plain_label("Conflicting Evidence")
    ('NOT ENOUGH INFO', None)
    """
    return _LABELS.get(" ".join(word.replace("_", " ").lower().split()))


def claim_table(path: Path) -> str:
    """Say whether a file's name is that of a table or of Markdown: its kind, or nothing."""
    suffix = path.suffix.lower()
    for kind, known in (
        ("csv", _SEPARATED),
        ("workbook", _WORKBOOKS),
        ("markdown", _MARKDOWN),
    ):
        if suffix in known:
            return kind
    return ""


def read_claim_table(path: Path, kind: str) -> Iterator[Claim]:
    """Yield the claims of a table or of a Markdown file."""
    source = Source(path, str(path))
    (record,) = whole_file(source)
    if kind == "workbook":
        for part in workbook_parts(record, source):
            rows = [(part.header_at, part.header), *part.rows] if part.header else part.rows
            yield from _claims([(at + 1, cells) for at, cells in rows], str(path))
        return
    text = read_as_text(record, source)
    if kind == "markdown":
        yield from _listed(text)
        return
    reader = csv.reader(io.StringIO(text, newline=""), style_of(text[: 1 << 16]))
    try:
        read = [(reader.line_num, row) for row in reader if any(row)]
    except csv.Error as error:
        raise BadRecord(str(error), path=str(path), line=reader.line_num) from None
    yield from _claims(read, str(path))


def looks_separated(first: str) -> bool:
    """Say whether a first line is the header of a table with claims: for what has no name."""
    try:
        cells = next(csv.reader([first], style_of(first)), [])
    except csv.Error:  # a carriage return in the midst of it: no line of a table
        return False
    return len(cells) > 1 and is_header(cells) and _column(cells, _CLAIM) is not None


def _claims(rows: list[tuple[int, list[str]]], name: str) -> Iterator[Claim]:
    if not rows:
        return
    _, header = rows[0]
    names = [" ".join(cell.split()) for cell in header]
    claim = _column(names, _CLAIM)
    if claim is None:
        shown = ", ".join(repr(cell) for cell in names[:10]) or "none"
        raise InputError(f"{name}: no column is called 'claim'; its columns are {shown}")
    id_, label = _column(names, _ID), _column(names, _LABEL)
    for number, (line, row) in enumerate(rows[1:], 1):
        cells = [cell.strip() for cell in row] + [""] * (len(names) - len(row))
        if not cells[claim]:
            raise BadRecord("the claim is empty", path=name, line=line)
        own = cells[id_] if id_ is not None else ""
        yield Claim(
            id=(int(own) if own.isdecimal() and len(own) < 16 else own) or number,
            text=cells[claim],
            label=plain_label(cells[label]) if label is not None else None,
            columns=dict(zip(names, cells, strict=False)),
        )


def _column(names: list[str], wanted: tuple[str, ...]) -> int | None:
    lower = [name.strip().lower() for name in names]
    return next((lower.index(name) for name in wanted if name in lower), None)


def _listed(text: str) -> Iterator[Claim]:
    """Yield the items and lines of Markdown, without headings, tables, code and quotes' marks."""
    code = False
    for number, line in enumerate(text.split("\n"), 1):
        said = line.strip()
        if said.startswith("```"):
            code = not code
        if code or not said or said.startswith(("#", "```", "|", "---", "<!--")):
            continue
        said = _ITEM.sub("", said.removeprefix("> "), count=1)
        if said := re.sub(r"(\*\*|__|`)(.+?)\1", r"\2", said).strip():
            yield Claim(id=number, text=said)
