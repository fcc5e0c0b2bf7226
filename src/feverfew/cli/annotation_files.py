"""Read what several annotators said of the same items: JSON lines, CSV or TSV."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.json import Decoder

from feverfew.cli.table_files import is_json, table_rows
from feverfew.errors import BadRecord, BadReference
from feverfew.readers.base import Record, Source
from feverfew.readers.decode import decode, refuse
from feverfew.readers.files import lines
from feverfew.score.agreement import Annotation
from feverfew.text import title_key
from feverfew.types import Ref

__all__ = ["read_annotations"]


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
