"""Read the type of each claim: JSON lines, CSV or TSV."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.json import Decoder

from feverfew.cli.table_files import is_json, table_rows
from feverfew.errors import BadRecord
from feverfew.readers.base import Source
from feverfew.readers.decode import decode
from feverfew.readers.files import lines

__all__ = ["read_claim_types"]


class _Raw(Struct):
    id: int | str
    type: str


_RAW = Decoder(_Raw)


def read_claim_types(path: Path) -> dict[str, str]:
    """Return claim types by id, ids as text; a claim with two types is an error."""
    source = Source(path, str(path))
    types: dict[str, str] = {}
    for number, name, kind in _read(source):
        if not kind:
            raise BadRecord(f"claim {name!r} has no type", path=source.name, line=number)
        if types.setdefault(name, kind) != kind:
            why = f"claim {name!r} is of type {types[name]!r} already"
            raise BadRecord(why, path=source.name, line=number)
    return types


def _read(source: Source) -> Iterator[tuple[int, str, str]]:
    if is_json(source):
        for record in lines(source):
            raw = decode(_RAW, record, source)
            yield record.line, str(raw.id), raw.type.strip()
    else:
        for number, row in table_rows(source, {"id": "id", "type": "type"}):
            yield number, row["id"], row["type"]
