"""Claims with the evidence that people bring: what `feverfew judge` reads."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Raw, Struct
from msgspec.json import Decoder

from feverfew.model import Cell, Table
from feverfew.readers.base import Record, Source
from feverfew.readers.decode import decode, refuse
from feverfew.readers.feverous import read_table
from feverfew.readers.objects import objects

__all__ = ["Brought", "read_brought"]


class Brought(Struct, frozen=True):
    """A claim, and the texts and the table it is to be judged by."""

    claim: str
    evidence: list[str]
    id: int | str | None = None
    table: Table | None = None


class _Line(Struct):
    claim: str
    evidence: str | list[str] | None = None
    table: Raw = Raw(b"null")
    caption: str = ""
    id: int | str | None = None


_DECODER = Decoder(_Line)
_ROWS = Decoder(list[list[str | float | int | None]])


def read_brought(path: Path | str) -> Iterator[Brought]:
    """Yield the pairs of a file of JSON lines, or of the standard input (`-`)."""
    source = Source(Path(path), str(path))
    for record in objects(source):
        line = decode(_DECODER, record, source)
        table = _table(line, record, source)
        if line.evidence is None and table is None:
            why = "no 'evidence' and no 'table'; give a text, a list of texts, or rows of strings"
            raise refuse(why, record, source)
        texts = [line.evidence] if isinstance(line.evidence, str) else line.evidence or []
        yield Brought(line.claim, texts, line.id, table)


def _table(line: _Line, record: Record, source: Source) -> Table | None:
    """Read rows of strings, the first of which is the header, or a FEVEROUS table."""
    data = bytes(line.table).strip()
    if data == b"null":
        return None
    if data.startswith(b"{"):
        return read_table(line.table, line.caption, record, source)
    rows = decode(_ROWS, record, source, part=("table", line.table))
    return Table(
        0,
        tuple(
            tuple(
                Cell(r, c, "" if text is None else str(text).strip(), r == 0)
                for c, text in enumerate(row)
            )
            for r, row in enumerate(rows)
        ),
        line.caption,
    )
