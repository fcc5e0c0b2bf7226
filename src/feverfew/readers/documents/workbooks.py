"""Excel and OpenDocument spreadsheets: a page for each sheet that is shown, a long one in parts.

Rows and columns are numbered as in the sheet, from 0. Values are written as people read them: 1204,
not 1204.0, and dates as 2024-03-01. Titles above a table are its caption. How a cell is formatted
(as a percentage, say) is not known.
"""

import datetime
import io
from collections.abc import Iterator, Sequence

from feverfew.errors import BadRecord, MissingExtra
from feverfew.readers.base import Record, Source
from feverfew.readers.blocks import Content
from feverfew.readers.documents.spreadsheets import (
    PART_CELLS,
    PART_ROWS,
    Part,
    is_header,
    part_record,
    part_table,
)
from feverfew.readers.files import whole_file

_MOST_COLUMNS = 1000
_MOST_CELLS = 20_000_000
"""Of one sheet, empty ones too: a slip far down or right makes a sheet vast."""
_Value = object


def workbook_records(source: Source) -> Iterator[Record]:
    """Yield the parts of every sheet, or the reason why there are none."""
    for record in whole_file(source):
        if record.problem:
            yield record
            return
        try:
            yield from map(part_record, workbook_parts(record, source))
        except BadRecord as bad:
            yield Record(b"", 1, bad.reason)


def workbook_parts(record: Record, source: Source) -> Iterator[Part]:
    """Yield the rows of every sheet that is shown and has any."""
    try:
        import python_calamine as calamine
    except ImportError:
        raise MissingExtra("reading spreadsheets", "documents") from None
    try:
        book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(record.data))
        shown = [
            sheet.name
            for sheet in book.sheets_metadata
            if sheet.visible is calamine.SheetVisibleEnum.Visible
            and sheet.typ is calamine.SheetTypeEnum.WorkSheet
        ]
        found = 0
        for name in shown:
            sheet = book.get_sheet_by_name(name)
            if sheet.total_height * sheet.total_width > _MOST_CELLS:
                raise BadRecord(f"the sheet {name!r} has too many rows and columns", path="")
            left, top = (sheet.start or (0, 0))[1], (sheet.start or (0, 0))[0]
            rows = sheet.to_python(skip_empty_area=True)
            for part in _parts(rows, top, left, name, f" ({name})" if len(shown) > 1 else ""):
                found += 1
                yield part
    except calamine.PasswordError:
        raise BadRecord("the spreadsheet is encrypted", path=source.name) from None
    except (calamine.CalamineError, ValueError, OSError, OverflowError) as error:
        raise BadRecord(f"the spreadsheet is damaged ({error})", path=source.name) from None
    if not found:
        raise BadRecord("the spreadsheet is empty", path=source.name)


def whole_workbook(record: Record, source: Source) -> Content:
    """Read a workbook out of an archive: all sheets are tables of one page."""
    parts = list(workbook_parts(record, source))
    if any(part.number for part in parts):
        raise BadRecord("too many rows for a sheet in an archive: unpack it", path=source.name)
    return Content(tuple(part_table(part, at) for at, part in enumerate(parts)))


def _parts(
    rows: Sequence[Sequence[_Value]], top: int, left: int, name: str, where: str
) -> Iterator[Part]:
    titles: list[str] = []
    header: list[str] = []
    header_at, number, cells = -1, 0, 0
    body: list[tuple[int, list[str]]] = []
    caption = name
    for at, row in enumerate(rows, top):
        texts = [""] * left + [written(value) for value in row[:_MOST_COLUMNS]]
        filled = sum(map(bool, texts))
        if not filled:
            continue
        if header_at < 0 and not body:
            if filled == 1 and sum(map(bool, map(written, _next(rows, at - top)))) > 1:
                titles.append(next(filter(None, texts)))
                continue
            caption = " – ".join([*titles, name]) if titles else name
            if is_header([text for text in texts if text]):
                header, header_at = texts, at
                continue
        body.append((at, texts))
        cells += len(texts)
        if len(body) == PART_ROWS or cells >= PART_CELLS:
            yield Part(number, header, body, max(header_at, 0), caption, where)
            body, cells, number = [], 0, number + 1
    if body or (header and not number):
        yield Part(number, header, body, max(header_at, 0), caption, where)


def _next(rows: Sequence[Sequence[_Value]], at: int) -> Sequence[_Value]:
    """Return the first row below one that holds anything."""
    return next((row for row in rows[at + 1 :] if any(value != "" for value in row)), ())


def written(value: _Value) -> str:
    """Write a value as people read it.

    >>> written(1204.0), written(0.1 + 0.2), written(datetime.date(2024, 3, 1))
    ('1204', '0.3', '2024-03-01')
    """
    match value:
        case bool():
            return "TRUE" if value else "FALSE"
        case float():
            return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.12g}"
        case datetime.datetime():
            midnight = value.time() == datetime.time()
            return value.date().isoformat() if midnight else value.isoformat(" ", "minutes")
        case datetime.date() | datetime.time():
            return value.isoformat()
        case _:
            return " ".join(str(value).split())
