"""Read a file as one record, and its bytes as text."""

import codecs
import re
from collections.abc import Iterator
from typing import IO

from feverfew.errors import BadRecord
from feverfew.readers.base import Record, Source
from feverfew.readers.files import DAMAGE, damage, open_bytes

__all__ = ["LARGEST_FILE", "encoding_of", "looks_like_text", "read_as_text", "whole_file"]

LARGEST_FILE = 64 << 20
"""A larger document is a disk image or a slip; the bound also holds after decompression."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# What no text holds: control characters other than blanks and escapes.
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_SAMPLE = 1 << 16


def whole_file(source: Source) -> Iterator[Record]:
    """Yield the one record that a file is; a problem instead where it cannot be read."""
    with open_bytes(source.path) as file:
        try:
            data = file.read(LARGEST_FILE + 1)
        except DAMAGE as error:
            yield Record(b"", 1, damage(error))
            return
    if len(data) > LARGEST_FILE:
        yield Record(b"", 1, f"the file is larger than {LARGEST_FILE >> 20} MB")
    else:
        yield Record(data, 1)


def read_as_text(record: Record, source: Source, declared: str = "") -> str:
    """Return a record's text; raise BadRecord where there is none.

    A byte order mark decides; then what the file declares, then UTF-8, then Windows-1252, in
    which every file that is none of these was most likely written.
    """
    if record.problem:
        raise BadRecord(record.problem, path=source.name)
    text = _decoded(record.data, declared)
    if not text.strip().strip("\0"):
        raise BadRecord("the file is empty", path=source.name)
    if not looks_like_text(text):
        raise BadRecord("the file is not text", path=source.name)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def encoding_of(file: IO[bytes]) -> str:
    """Read a file to its end in bounded memory, and name the encoding that fits all of it."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    chunk = file.read(_SAMPLE)
    for mark, name in _BOMS:
        if chunk.startswith(mark):
            return name
    try:
        while chunk:
            decoder.decode(chunk)
            chunk = file.read(_SAMPLE)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def looks_like_text(text: str) -> bool:
    """Say whether decoded bytes read as text: next to no control characters."""
    sample = text[:_SAMPLE]
    strange = len(_CONTROL.findall(sample)) + sample.count("\ufffd")
    return strange * 50 <= len(sample)


def _decoded(data: bytes, declared: str) -> str:
    for mark, name in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace")
    if declared and declared.lower() not in {"utf-8", "utf8"}:
        try:
            return data.decode(declared)
        except (LookupError, ValueError):
            pass  # an unknown or a wrong declaration: find out as if there were none
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace")
    if 2 * data[1:_SAMPLE:2].count(0) > len(data[1:_SAMPLE:2]):
        return data.decode("utf-16-le", "replace")
    # A stray byte in a file of UTF-8 must not garble all its accents.
    foreign = sum(map(len, re.findall(r"[^\x00-\x7f]+", text)))
    if text.count("\ufffd") * 10 <= foreign:
        return text
    return data.decode("cp1252", "replace")
