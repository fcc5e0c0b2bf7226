"""Claims with the evidence that people bring: what `feverfew judge` reads."""

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Raw, Struct
from msgspec.json import Decoder
from msgspec.structs import replace

from feverfew.readers.base import Record, Source
from feverfew.readers.decode import decode, objects, refuse
from feverfew.readers.feverous import read_list, read_table
from feverfew.readers.tables import as_infobox, infobox_of_keys, list_table
from feverfew.types import Cell, Table


class UserEvidence(Struct, frozen=True):
    """A claim, and the texts and the table it is to be judged by."""

    claim: str
    evidence: list[str]
    id: int | str | None = None
    table: Table | None = None
    title: str = ""
    """What an infobox is about."""


class _Line(Struct):
    claim: str
    evidence: str | list[str] | None = None
    table: Raw = Raw(b"null")
    caption: str = ""
    id: int | str | None = None


_DECODER = Decoder(_Line)
_ROWS = Decoder(list[list[str | float | int | None]])
_PARTS = Decoder(dict[str, Raw])
_KEYS = Decoder(dict[str, list[str | float | int] | str])
_FEVEROUS = {"table", "rows"}
"""Keys of tables, not of infoboxes."""
_ITEMS = re.compile(rb"\s*\[\s*\{")
"""The items of a list; an infobox's values are texts."""


def read_user_evidence(path: Path | str) -> Iterator[UserEvidence]:
    """Yield the pairs of a file of JSON lines, or of the standard input (`-`)."""
    source = Source(Path(path), str(path))
    for record in objects(source):
        line = decode(_DECODER, record, source)
        table, title = _table(line, record, source)
        if line.evidence is None and table is None:
            why = "no 'evidence' and no 'table'; give a text, a list of texts, or rows of strings"
            raise refuse(why, record, source)
        texts = [line.evidence] if isinstance(line.evidence, str) else line.evidence or []
        yield UserEvidence(line.claim, texts, line.id, table, title)


class _Labelled(Struct):
    label: str


_LABEL = Decoder(_Labelled)
_LABELS = {
    **dict.fromkeys(("S", "SUPPORTED", "SUPPORTS"), 0),
    **dict.fromkeys(("R", "REFUTED", "REFUTES"), 1),
    **dict.fromkeys(("N", "NEI", "NOT ENOUGH INFO", "NOT_ENOUGH_INFO"), 2),
}


def read_labelled_evidence(path: Path | str) -> Iterator[tuple[UserEvidence, int]]:
    """Yield claims with evidence and the label that people gave: 0 S, 1 R, 2 N."""
    source = Source(Path(path), str(path))
    for record in objects(source):
        line = decode(_DECODER, record, source)
        word = decode(_LABEL, record, source).label
        if (label := _LABELS.get(word.strip().upper())) is None:
            known = "SUPPORTED, REFUTED or NOT ENOUGH INFO"
            raise refuse(f"unknown label {word!r}; expected {known}", record, source)
        if not line.evidence:
            raise refuse("no 'evidence'; give a text, or a list of texts", record, source)
        texts = [line.evidence] if isinstance(line.evidence, str) else line.evidence
        yield UserEvidence(line.claim, texts, line.id), label


def _table(line: _Line, record: Record, source: Source) -> tuple[Table | None, str]:
    """Read the table in any of its forms; of an infobox, return its title as well."""
    data = bytes(line.table).strip()
    if data == b"null":
        return None, ""
    if data.startswith(b"{"):
        return _object(line, record, source)
    cells = decode(_ROWS, record, source, part=("table", line.table))
    rows = [["" if text is None else str(text).strip() for text in row] for row in cells]
    if infobox := as_infobox(rows):
        return infobox, line.caption
    made = tuple(
        tuple(Cell(r, c, text, r == 0) for c, text in enumerate(row)) for r, row in enumerate(rows)
    )
    return Table(0, made, line.caption), ""


def _object(line: _Line, record: Record, source: Source) -> tuple[Table, str]:
    """Read a FEVEROUS table or list, or an infobox's keys with their values."""
    parts = decode(_PARTS, record, source, part=("table", line.table))
    if _ITEMS.match(bytes(parts.get("list", b""))):
        return list_table(read_list(line.table, record, source), line.caption), ""
    if not parts or not _FEVEROUS.isdisjoint(parts):
        table = read_table(line.table, line.caption, record, source)
        # What an infobox is about stands above it.
        return (replace(table, caption=""), table.caption) if table.infobox else (table, "")
    keys = decode(_KEYS, record, source, part=("table", line.table))
    infobox, title = infobox_of_keys(
        {key: [str(v) for v in own] if isinstance(own, list) else own for key, own in keys.items()}
    )
    return infobox, title or line.caption
