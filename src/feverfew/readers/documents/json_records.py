"""JSON and JSON lines of records.

Records whose values are all short are the rows of one table, as in a CSV file, whose columns are
their keys. Any other record is a page of its own, `articles.jsonl (record 3)`, called by its title
or name: short values stand in a box of facts, long ones are text under their key, a list of objects
is a table, and an object a section. A file that is one object is one page; if all that it holds is
a list of records (`{"results": […]}`), these are read.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice

import msgspec
from msgspec.json import Decoder

from feverfew.errors import BadRecord
from feverfew.readers.base import Record, Source
from feverfew.readers.blocks import Blocks, Content, Entry, TableCell
from feverfew.readers.decode import decode
from feverfew.readers.documents.spreadsheets import (
    PART_CELLS,
    PART_MARK,
    PART_ROWS,
    Part,
    part_record,
)
from feverfew.readers.documents.text import read_paragraphs
from feverfew.readers.documents.workbooks import written
from feverfew.readers.files import lines, whole_file

__all__ = ["holds_records", "json_records", "read_json_record", "whole_json"]

_Object = Mapping[str, object]
_ANY: Decoder[object] = Decoder()
_BEGINS = re.compile(rb"\s*[\[{]")
_SAMPLE = 50
_LONGEST_CELL = 200
_DEEPEST = 6
_TITLES = ("title", "name", "headline", "heading", "subject", "label")
_TEXT_KEYS = {"text", "body", "content", "description", "abstract", "summary"}


def holds_records(head: bytes, suffix: str) -> bool:
    """Say whether a file begins as JSON does: lines of it must hold an object each."""
    head = head.removeprefix(b"\xef\xbb\xbf")
    if suffix == ".json":
        return bool(_BEGINS.match(head))
    return any(_is_object(line) for line in head.split(b"\n")[:_SAMPLE])


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(_ANY.decode(line), dict)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def json_records(source: Source, suffix: str) -> Iterator[Record]:
    """Stream a file's records: parts of a table, or one for each page."""
    if suffix != ".json":
        yield from _split(lines(source), source)
        return
    for whole in whole_file(source):
        if whole.problem:
            yield whole
        else:
            yield from _records(whole, source)


def _records(whole: Record, source: Source) -> Iterator[Record]:
    """Split the content of a whole file."""
    data = whole.data.removeprefix(b"\xef\xbb\xbf")
    try:
        found = decode(_ANY, Record(data, 0), source)
    except BadRecord as bad:
        by_line = [Record(line, at) for at, line in enumerate(data.split(b"\n"), 1) if line.strip()]
        if len(by_line) > 1 and _is_object(by_line[0].data):
            yield from _split(iter(by_line), source)
        else:
            yield Record(b"", 1, bad.reason)
        return
    if isinstance(found, dict):
        listed = _only_list(found)
        if not listed:
            yield Record(data, 1)
            return
        found = found[listed]
    if not isinstance(found, list) or not found:
        yield Record(b"", 1, "the file holds no records")
    elif all(isinstance(item, dict) for item in found):
        raw = (Record(msgspec.json.encode(item), at) for at, item in enumerate(found, 1))
        yield from _split(raw, source)
    else:
        yield Record(msgspec.json.encode({"": found}), 1)


def _only_list(found: _Object) -> str:
    """Return the key of the list of records, where all else is a word about it."""
    lists = [key for key, value in found.items() if isinstance(value, list)]
    if len(lists) != 1 or any(isinstance(value, dict) for value in found.values()):
        return ""
    items = found[lists[0]]
    if isinstance(items, list) and len(items) > 1 and _are_objects(items):
        return lists[0]
    return ""


def _split(raw: Iterator[Record], source: Source) -> Iterator[Record]:
    """Make the parts of a table of records that are all short, else a page of each."""
    first = list(islice(raw, _SAMPLE))
    known = [found for record in first if (found := _object(record, source)) is not None]
    everything = chain(first, raw)
    if len(known) > 1 and all(map(_is_row, known)):
        yield from _table_parts(everything, source)
        return
    for record in everything:
        yield record if record.problem else Record(PART_MARK + record.data, record.line)


def _object(record: Record, source: Source) -> dict[str, object] | None:
    try:
        found = decode(_ANY, record, source)
    except BadRecord:
        return None
    return found if isinstance(found, dict) else None


def _table_parts(raw: Iterator[Record], source: Source) -> Iterator[Record]:
    parts = cells = 0
    keys: dict[str, None] = {}
    rows: list[tuple[int, dict[str, object]]] = []
    for number, record in enumerate(raw, 1):
        found = _object(record, source)
        if found is None:
            yield Record(record.data, record.line, record.problem or "not a JSON object")
            continue
        keys.update(dict.fromkeys(found))
        rows.append((number, found))
        cells += len(found)
        if len(rows) == PART_ROWS or cells >= PART_CELLS:
            yield _part(parts, keys, rows)
            keys, rows, cells, parts = {}, [], 0, parts + 1
    if rows:
        yield _part(parts, keys, rows)


def _part(
    number: int, keys: Mapping[str, None], rows: list[tuple[int, dict[str, object]]]
) -> Record:
    texts = [(at, [_written(found.get(key)) for key in keys]) for at, found in rows]
    return part_record(Part(number, [_key(key) for key in keys], texts))


def whole_json(record: Record, source: Source) -> Record:
    """Return the one record of a file out of an archive; refuse one of several."""
    found = list(_records(record, source))
    if len(found) > 1:
        raise BadRecord("too many records for a file in an archive: unpack it", path=source.name)
    if found[0].problem:
        raise BadRecord(found[0].problem, path=source.name)
    return found[0]


def read_json_record(record: Record, source: Source) -> tuple[Content, str]:
    """Read one record; return it, and what to add to the file's name to name it."""
    marked = record.data.startswith(PART_MARK)
    plain = Record(record.data.removeprefix(PART_MARK), record.line * marked)
    found = decode(_ANY, plain, source)
    if not isinstance(found, dict):
        raise BadRecord("not a JSON object", path=source.name, line=plain.line)
    blocks = Blocks()
    _read_object(found, blocks, 1)
    by_name = {key.lower(): value for key, value in found.items() if isinstance(value, str)}
    titles = tuple(by_name[key] for key in _TITLES if key in by_name)
    return Content(blocks.done(), titles), f" (record {record.line})" if marked else ""


def _read_object(found: _Object, blocks: Blocks, level: int) -> None:
    """Read short values first, in a box, then what is long, under its key."""
    short = {
        key: text for key, value in found.items() if _is_short(value) and (text := _written(value))
    }
    rows = [[TableCell([_key(k)], header=True), TableCell([text])] for k, text in short.items()]
    blocks.table(rows, infobox=True)
    for key, value in found.items():
        if _is_short(value):
            continue
        if key and (key.lower() not in _TEXT_KEYS or not isinstance(value, str)):
            blocks.section(_key(key), level)
        if isinstance(value, str):
            read_paragraphs(value, blocks)
        elif isinstance(value, dict) and _are_rows(list(value.values())):
            keyed = {name: row for name, row in value.items() if isinstance(row, dict)}
            _read_rows(list(keyed.values()), blocks, list(keyed))
        elif isinstance(value, dict):
            if level < _DEEPEST:
                _read_object(value, blocks, level + 1)
            else:
                blocks.paragraph([_written(value)])
        elif isinstance(value, list) and _are_rows(value):
            _read_rows([row for row in value if isinstance(row, dict)], blocks)
        elif isinstance(value, list) and all(isinstance(item, list) for item in value):
            blocks.table([[TableCell([_written(cell)]) for cell in row] for row in value])
        elif isinstance(value, list) and _are_objects(value) and level < _DEEPEST:
            for item in value:
                _read_object(item, blocks, level + 1)
        elif isinstance(value, list):
            blocks.item_list([Entry([_written(item)]) for item in value])


def _read_rows(rows: Sequence[_Object], blocks: Blocks, names: Sequence[str] = ()) -> None:
    keys = list(dict.fromkeys(key for row in rows for key in row))
    head = [TableCell([_key(key)], header=True) for key in keys]
    made = [[TableCell([_written(row.get(key))]) for key in keys] for row in rows]
    if names:
        head.insert(0, TableCell([""], header=True))
        for name, row in zip(names, made, strict=True):
            row.insert(0, TableCell([_key(name)], header=True))
    blocks.table([head, *made])


def _is_short(value: object) -> bool:
    """Say whether a value fits into a cell."""
    match value:
        case str():
            return len(value) <= _LONGEST_CELL and "\n" not in value.strip()
        case list():
            return all(not isinstance(i, list | dict) for i in value) and (
                len(_written(value)) <= _LONGEST_CELL
            )
        case dict():
            return False
        case _:
            return True


def _is_row(found: _Object) -> bool:
    return all(map(_is_short, found.values()))


def _are_objects(values: Sequence[object]) -> bool:
    return all(isinstance(value, dict) for value in values)


def _are_rows(values: Sequence[object]) -> bool:
    return len(values) > 1 and all(isinstance(value, dict) and _is_row(value) for value in values)


def _key(key: str) -> str:
    """Write a key as people do: 'birth_date' is a birth date."""
    return key.replace("_", " ").strip()


def _written(value: object) -> str:
    """Write a value on one line."""
    match value:
        case None:
            return ""
        case list():
            return ", ".join(filter(None, map(_written, value)))
        case dict():
            return "; ".join(f"{_key(k)}: {_written(v)}" for k, v in value.items())
        case _:
            return written(value)
