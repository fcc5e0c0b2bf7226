"""Comma-, semicolon-, tab- and bar-separated tables.

A file is one table, whose rows are numbered as in the file: the header is row 0. A long file
becomes several pages of 2,000 rows, `prices.csv` and `prices.csv (from row 2001)`, each with the
header on top and its rows under their own numbers; so appending rows changes no id. Numbers stay
as they are written.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import IO

import msgspec
from msgspec import Struct

from feverfew.errors import BadRecord
from feverfew.readers.base import Record, Source
from feverfew.readers.blocks import Content
from feverfew.readers.files import (
    DAMAGE,
    HEAD,
    LONGEST_LINE,
    damage,
    encoding_of,
    looks_like_text,
    open_bytes,
)
from feverfew.types import Cell, Table

__all__ = ["read_spreadsheet", "spreadsheet_records"]

PART_ROWS = 2000
PART_CELLS = 200_000
_SAMPLE_ROWS = 50
_DELIMITERS = ",;\t|"
_NUMBER = re.compile(r"[-+(]?[$€£¥]?\s?\d[\d.,'\s]*%?\)?")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
# No text file starts with a zero byte: it tells a part from a whole file out of an archive.
PART_MARK = b"\0"


class Part(Struct, frozen=True, array_like=True):
    """Some rows of a file, each with its number."""

    number: int
    header: list[str]
    rows: list[tuple[int, list[str]]]
    header_at: int = 0
    caption: str = ""
    where: str = ""
    """What to add to the file's name: which sheet it is."""


_decoder = msgspec.msgpack.Decoder(Part)


class _Style(csv.excel):
    """How a file separates and quotes its cells."""

    def __init__(self, delimiter: str, quoted: bool) -> None:
        self.delimiter = delimiter
        self.quoting = csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
        super().__init__()


def spreadsheet_records(source: Source) -> Iterator[Record]:
    """Stream a file's parts in bounded memory, however long it is."""
    with open_bytes(source.path) as file:
        try:
            encoding = encoding_of(file)
        except DAMAGE as error:
            yield Record(b"", 1, damage(error))
            return
    with _as_text(open_bytes(source.path), encoding) as text:
        yield from _records(text)


def read_spreadsheet(record: Record, source: Source) -> tuple[Content, str]:
    """Read one part; return it, and what to add to the file's name to name it."""
    part = _part(record, source) if record.data.startswith(PART_MARK) else _whole(record, source)
    onward = f" (from row {part.rows[0][0]})" if part.number else ""
    return Content((part_table(part),)), part.where + onward


def part_table(part: Part, index: int = 0) -> Table:
    """Make the table of a part."""
    width = max(len(part.header), 0 if part.header else max(map(_width, part.rows), default=0))
    rows = [(part.header_at, part.header), *part.rows] if part.header else part.rows
    return Table(
        index,
        tuple(
            tuple(
                Cell(number, column, " ".join(text.split()), bool(part.header) and at == 0)
                for column, text in enumerate(_padded(cells, width))
            )
            for at, (number, cells) in enumerate(rows)
        ),
        part.caption,
    )


def _part(record: Record, source: Source) -> Part:
    try:
        return _decoder.decode(record.data[len(PART_MARK) :])
    except msgspec.DecodeError:
        # Not one of our parts: a binary file out of an archive, which begins like one.
        raise BadRecord("the file is not text", path=source.name) from None


def _whole(record: Record, source: Source) -> Part:
    data = io.BytesIO(record.data)
    encoding = encoding_of(data)
    data.seek(0)
    found = list(_records(_as_text(data, encoding)))
    if problem := next((part.problem for part in found if part.problem), ""):
        raise BadRecord(problem, path=source.name)
    if len(found) > 1:
        raise BadRecord("too many rows for a table in an archive: unpack it", path=source.name)
    return _part(found[0], source)


def _width(row: tuple[int, list[str]]) -> int:
    return len(row[1])


def _padded(cells: list[str], width: int) -> list[str]:
    return cells + [""] * (width - len(cells))


def _as_text(file: IO[bytes], encoding: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(file, encoding, errors="replace", newline="")


def _records(text: io.TextIOWrapper) -> Iterator[Record]:
    """Cut a file into parts; always yield a record, be it a problem."""
    number = parts = cells = 0
    header: list[str] = []
    rows: list[tuple[int, list[str]]] = []
    try:
        head = text.read(HEAD) + text.readline(LONGEST_LINE)
        if problem := _problem(head):
            yield Record(b"", 1, problem)
            return
        for number, row in enumerate(csv.reader(_lines(head, text), style_of(head))):
            if number == 0 and is_header(row):
                header = row
            elif any(cell.strip() for cell in row):
                rows.append((number, row))
                cells += len(row)
            if len(rows) == PART_ROWS or cells >= PART_CELLS:
                yield part_record(Part(parts, header, rows))
                rows, cells, parts = [], 0, parts + 1
    except csv.Error as error:
        yield Record(b"", number + 2, f"the row cannot be read: {error}")
    except DAMAGE as error:
        yield Record(b"", number + 2, damage(error))
    if rows or not parts:
        yield part_record(Part(parts, header, rows))


def _problem(head: str) -> str:
    if not head.strip(" \t\r\n\0\ufeff,;|"):
        return "the file is empty"
    return "" if looks_like_text(head) else "the file is not text"


def part_record(part: Part) -> Record:
    """Make the record of a part."""
    data = PART_MARK + msgspec.msgpack.encode(part)
    return Record(data, part.rows[0][0] + 1 if part.rows else 1)


def _lines(head: str, rest: io.TextIOWrapper) -> Iterator[str]:
    """Yield the lines with their ends; refuse one that never ends."""
    yield from io.StringIO(head.removeprefix("\ufeff"), newline="")
    while line := rest.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE:
            raise csv.Error(f"a line is longer than {LONGEST_LINE >> 20} MB")
        yield line


def style_of(head: str) -> _Style:
    """Find the delimiter that cuts the first rows into the same number of cells, most of all."""
    # An odd number of quotes in a short file: they are inches or slips, not quotes.
    quoted = len(head) >= HEAD or head.count('"') % 2 == 0
    best, best_score = _Style(",", quoted), (0.0, 0)
    for delimiter in _DELIMITERS:
        style = _Style(delimiter, quoted)
        try:
            rows = csv.reader(io.StringIO(head, newline=""), style)
            widths = [len(row) for row in islice(rows, _SAMPLE_ROWS) if row]
        except csv.Error:
            continue
        width, times = Counter(widths).most_common(1)[0] if widths else (1, 0)
        score = (times / len(widths), width) if width > 1 else (0.0, 0)
        if score > best_score:
            best, best_score = style, score
    return best


def is_header(row: list[str]) -> bool:
    """Say whether a first row names columns: words, and no numbers but years."""
    cells = [cell.strip() for cell in row]
    numbers = [cell for cell in cells if _NUMBER.fullmatch(cell)]
    words = any(cell for cell in cells if not _NUMBER.fullmatch(cell))
    return words and all(_YEAR.fullmatch(cell) for cell in numbers)
