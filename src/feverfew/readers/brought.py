"""Claims with the evidence that people bring: what `feverfew judge` reads."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.json import Decoder

from feverfew.readers.base import Source
from feverfew.readers.decode import decode, refuse
from feverfew.readers.objects import objects

__all__ = ["Brought", "read_brought"]


class Brought(Struct, frozen=True):
    """A claim, and the texts it is to be judged by."""

    claim: str
    evidence: list[str]
    id: int | str | None = None


class _Line(Struct):
    claim: str
    evidence: str | list[str] | None = None
    table: object = None
    id: int | str | None = None


_DECODER = Decoder(_Line)


def read_brought(path: Path | str) -> Iterator[Brought]:
    """Yield the pairs of a file of JSON lines, or of the standard input (`-`)."""
    source = Source(Path(path), str(path))
    for record in objects(source):
        line = decode(_DECODER, record, source)
        if line.table is not None and line.evidence is None:
            raise refuse("tables cannot be judged yet; give 'evidence' as text", record, source)
        if line.evidence is None:
            raise refuse("no 'evidence'; give a text or a list of texts", record, source)
        texts = [line.evidence] if isinstance(line.evidence, str) else line.evidence
        yield Brought(line.claim, texts, line.id)
