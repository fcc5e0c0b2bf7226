"""Keep codings in a file: a JSON line each, saved as soon as it is made."""

import os
from pathlib import Path

import msgspec

from feverfew.errors import BadRecord, InputError
from feverfew.readers.base import Record, Source
from feverfew.readers.decode import decode, refuse
from feverfew.score.errors import GRAPH, Coding

__all__ = ["add_coding", "read_codings"]

_CODING = msgspec.json.Decoder(Coding)


def read_codings(path: Path) -> dict[int | str, Coding]:
    """Return the codings by claim; none where the file does not exist yet.

    A last line without an end was cut off while it was written: it is dropped, and its claim
    will be asked about again.
    """
    if not path.exists():
        if not path.parent.is_dir():  # said now, not after the first claim is coded
            raise InputError(f"{path}: there is no folder {path.parent}; make it first")
        return {}
    data = path.read_bytes()
    whole, cut, _ = data.rpartition(b"\n")
    source = Source(path, str(path))
    codings: dict[int | str, Coding] = {}
    for number, line in enumerate((whole + cut).splitlines(), 1):
        if not line.strip():
            continue
        record = Record(line, number)
        coding = decode(_CODING, record, source)
        if coding.outcome not in GRAPH.outcomes:
            known = ", ".join(GRAPH.outcomes)
            raise refuse(f"unknown outcome {coding.outcome!r}; known are {known}", record, source)
        if coding.id in codings:
            why = f"claim {coding.id!r} is coded twice; keep one of the two lines"
            raise BadRecord(why, path=source.name, line=number)
        codings[coding.id] = coding
    return codings


def add_coding(path: Path, coding: Coding) -> None:
    """Append one coding, durable on return."""
    try:
        with path.open("ab+") as file:
            _drop_cut_line(file.fileno())
            file.write(msgspec.json.encode(coding) + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None


def _drop_cut_line(file: int) -> None:
    """Cut the file behind its last whole line, as reading it did."""
    size = os.fstat(file).st_size
    data = os.pread(file, size, 0)
    if (end := data.rfind(b"\n") + 1) < size:
        os.ftruncate(file, end)
