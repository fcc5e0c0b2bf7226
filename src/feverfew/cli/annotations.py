"""Read annotations of claims: labels and types, as JSON lines, CSV or TSV."""

import csv
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path

from msgspec import Struct
from msgspec.json import Decoder

from feverfew.errors import BadRecord, BadReference
from feverfew.readers.base import Record, Source
from feverfew.readers.decode import decode, refuse
from feverfew.readers.files import DAMAGE, damage, head, lines, open_bytes
from feverfew.score.agreement import Annotation
from feverfew.text import title_key
from feverfew.types import Ref


def is_json(source: Source) -> bool:
    """Say whether a file begins like JSON rather than like a table."""
    return head(source.path).lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"["))


def table_rows(source: Source, columns: Mapping[str, str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield each row's line number and its cells by our names of the columns.

    columns: the headings that are known → our name; each of our names must be there.
    """
    lines = _lines(source)
    first = next(lines, "")
    # The header says which sign parts the columns: no heading holds one.
    sign = max("\t,;", key=first.count)
    rows = csv.reader(chain([first], lines), delimiter=sign)
    try:
        headings = [name.strip().lower() for name in next(rows, [])]
        place = {columns[name]: i for i, name in enumerate(headings) if name in columns}
        if missing := [name for name in dict.fromkeys(columns.values()) if name not in place]:
            wanted = ", ".join(dict.fromkeys(columns.values()))
            raise BadRecord(
                f"no column {missing[0]!r} in the header; expected {wanted}, parted by commas, "
                "semicolons or tabs, or a JSON object a line",
                path=source.name,
                line=1,
            )
        for row in rows:
            if not any(cell.strip() for cell in row):
                continue
            if len(row) != len(headings):
                why = f"{len(row)} columns where the header has {len(headings)}"
                raise BadRecord(why, path=source.name, line=rows.line_num)
            yield rows.line_num, {name: row[i].strip() for name, i in place.items()}
    except csv.Error as error:
        raise BadRecord(str(error), path=source.name, line=rows.line_num) from None


def _lines(source: Source) -> Iterator[str]:
    number = 0
    try:
        with open_bytes(source.path) as file:
            for number, line in enumerate(file, 1):
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        why = f"invalid UTF-8: {error.reason}"
        raise BadRecord(why, path=source.name, line=number) from None
    except DAMAGE as error:
        raise BadRecord(damage(error), path=source.name, line=number + 1) from None


class _Line(Struct, array_like=True, forbid_unknown_fields=True):
    page: str
    line: int


class _Raw(Struct):
    id: int | str
    annotator: int | str
    label: str
    evidence: list[str | _Line] | None = None


_RAW = Decoder(_Raw)
_COLUMNS = {"item": "item", "id": "item", "annotator": "annotator", "label": "label"}


def read_annotations(path: Path) -> Iterator[Annotation]:
    """Yield the annotations of a file; raise at the first that is bad or given twice.

    JSON lines: {"id", "annotator", "label", "evidence"?: [element id or [page, line], …]}.
    CSV and TSV: a header with item (or id), annotator and label; other columns are ignored.
    """
    source = Source(path, str(path))
    seen: dict[tuple[str, str], int] = {}
    for number, annotation in _from_json(source) if is_json(source) else _from_table(source):
        key = annotation.item, annotation.annotator
        if key in seen:
            why = (
                f"annotator {annotation.annotator!r} labels item {annotation.item!r} again "
                f"(first in line {seen[key]}); keep one of the two"
            )
            raise BadRecord(why, path=source.name, line=number)
        seen[key] = number
        yield annotation


def _from_json(source: Source) -> Iterator[tuple[int, Annotation]]:
    for record in lines(source):
        raw = decode(_RAW, record, source)
        try:
            evidence = None if raw.evidence is None else frozenset(map(_ref, raw.evidence))
        except BadReference as error:
            raise refuse(str(error), record, source) from None
        said = Annotation(str(raw.id), str(raw.annotator), raw.label.strip(), evidence)
        _check(said, record.line, source)
        yield record.line, said


def _ref(given: str | _Line) -> Ref:
    """Read an element; titles are spelled alike, since annotators may use different tools."""
    if isinstance(given, _Line):
        ref = Ref.of(given.page, "sentence", str(given.line))
    else:
        ref = Ref.parse(given)
    return Ref(title_key(ref.page), ref.kind, ref.position)


def _from_table(source: Source) -> Iterator[tuple[int, Annotation]]:
    for number, row in table_rows(source, _COLUMNS):
        said = Annotation(row["item"], row["annotator"], row["label"])
        _check(said, number, source)
        yield number, said


def _check(said: Annotation, number: int, source: Source) -> None:
    for name, value in (("item", said.item), ("annotator", said.annotator), ("label", said.label)):
        if not value.strip():
            raise refuse(f"the {name} is empty", Record(b"", number), source)


class _RawType(Struct):
    id: int | str
    type: str


_RAW_TYPE = Decoder(_RawType)


def read_claim_types(path: Path) -> dict[str, str]:
    """Return claim types by id, ids as text; a claim with two types is an error."""
    source = Source(path, str(path))
    types: dict[str, str] = {}
    for number, name, kind in _read_types(source):
        if not kind:
            raise BadRecord(f"claim {name!r} has no type", path=source.name, line=number)
        if types.setdefault(name, kind) != kind:
            why = f"claim {name!r} is of type {types[name]!r} already"
            raise BadRecord(why, path=source.name, line=number)
    return types


def _read_types(source: Source) -> Iterator[tuple[int, str, str]]:
    if is_json(source):
        for record in lines(source):
            raw = decode(_RAW_TYPE, record, source)
            yield record.line, str(raw.id), raw.type.strip()
    else:
        for number, row in table_rows(source, {"id": "id", "type": "type"}):
            yield number, row["id"], row["type"]
