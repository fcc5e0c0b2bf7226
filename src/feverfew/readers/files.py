"""Open any file, compressed or not, and read it line by line or whole."""

import bz2
import codecs
import gzip
import io
import lzma
import math
import os
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast
from weakref import WeakValueDictionary

from feverfew.errors import BadRecord, InputError
from feverfew.readers.base import Record, Source, Span

if TYPE_CHECKING:
    from zstandard import ZstdDecompressionObj

HEAD = 1 << 16
LONGEST_LINE = 32 << 20
"""No page of Wikipedia comes near this; a longer line is a broken file."""
STDIN = Path("-")

DAMAGE = (OSError, EOFError, zlib.error, lzma.LZMAError)
"""What reading raises in the middle of a truncated or corrupt file."""

_COMPRESSED = {
    "gz": re.compile(rb"\x1f\x8b\x08"),
    # A text may begin with "BZh"; what follows it in a compressed file, none does.
    "bz2": re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"),
    "xz": re.compile(rb"\xfd7zXZ\x00"),
    "zst": re.compile(rb"\x28\xb5\x2f\xfd"),
}
_CHUNK = 1 << 17
_BUFFER = 1 << 20
_PIECE = 1 << 13
_ZST_CHUNK = 1 << 14  # small: a frame of repetitions grows a thousandfold
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

MOST_EXPANSION = 50
_FREE_BYTES = 8 << 20
"""A file may give 50 times the bytes that it stores, and 8 MB more; text is compressed to a tenth
or so."""

_opened: WeakValueDictionary[Path, io.BufferedReader] = WeakValueDictionary()
"""The files that are being read, so that one can ask how far."""


def open_bytes(path: Path) -> IO[bytes]:
    """Open a file for reading, decompressing what its first bytes say is compressed."""
    if path.exists() and not path.is_file():
        # A pipe would make us wait for ever.
        raise InputError(f"{path}: not a regular file")
    try:
        with path.open("rb") as file:
            start = file.read(10)
        stored = _opened[path] = cast(io.BufferedReader, path.open("rb", _BUFFER))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    match next((kind for kind, magic in _COMPRESSED.items() if magic.match(start)), ""):
        case "gz":
            return cast(IO[bytes], _Gzip(stored))
        case "bz2":
            return _Bzip2(stored)
        case "xz":
            return _Xz(stored)
        case "zst":
            return io.BufferedReader(_Zstandard(stored), _CHUNK)
    return stored


def bytes_read(path: Path) -> int:
    """Say how much of a file, as it is stored, has been read; 0 once it is closed."""
    stored = _opened.get(path)
    return 0 if stored is None or stored.closed else stored.tell()


def most_bytes(stored: int) -> int:
    """Say how much a file of so many bytes may give; whatever gives more is made to hurt."""
    return _FREE_BYTES + MOST_EXPANSION * stored


def head(path: Path, *, past_first_line: bool = False) -> bytes:
    """Return the first decompressed bytes of a file: of a damaged one, what is left of them.

    Past the first line, if that is what one asks for and the line ends at all: a broken one may
    hide what all the others are.
    """
    found = bytearray()
    with open_bytes(path) as file:
        try:
            if past_first_line:
                skipped = 0
                while (line := file.readline(_CHUNK)) and not line.endswith(b"\n"):
                    skipped += len(line)
                    if skipped > 2 * LONGEST_LINE:
                        return b""
            while len(found) < HEAD and (more := file.read1(HEAD - len(found))):  # type: ignore[attr-defined]
                found += more
        except DAMAGE:
            pass  # reading the whole will say so, and where
    return bytes(found)


def lines(source: Source) -> Iterator[Record]:
    """Stream the lines that are not blank, of a file or of the standard input (`-`).

    A line too long, and the place from which on a file cannot be decompressed, become records
    with a problem.
    """
    opened: AbstractContextManager[IO[bytes]] = (
        nullcontext(sys.stdin.buffer) if source.path == STDIN else open_bytes(source.path)
    )
    with opened as file:
        yield from filter(_is_filled, _numbered(file))


def spans(source: Source, size: int) -> Iterator[Span] | None:
    """Cut a file of lines into parts of about `size` bytes; None if it is compressed."""
    with open_bytes(source.path) as opened:
        compressed = not isinstance(getattr(opened, "raw", None), io.FileIO)
    return None if compressed else _spans(source.path, size)


def _spans(path: Path, size: int) -> Iterator[Span]:
    with path.open("rb", buffering=0) as file:
        start, length = 0, os.fstat(file.fileno()).st_size
        while start < length:
            try:
                end = file.seek(start + size - 1)
                while (piece := file.read(_PIECE)) and b"\n" not in piece:
                    end += len(piece)
                end = min(end + piece.find(b"\n") + 1, length)
            except OSError:
                end = length  # reading this part will say so, and where
            yield Span(start, end)
            start = end


def span_lines(source: Source, span: Span) -> tuple[list[Record], int]:
    """Return a part's lines that are not blank, numbered from its start, and count them all."""
    records: list[Record] = []
    count = 0
    try:
        with source.path.open("rb", _BUFFER) as file:
            file.seek(span.start)
            for record in _numbered(file, span.end - span.start, whole=not span.start):
                count = record.line
                if _is_filled(record):
                    records.append(record)
    except OSError as error:
        records.append(Record(b"", count + 1, damage(error)))
    return records, count


def _numbered(file: IO[bytes], size: float = math.inf, *, whole: bool = True) -> Iterator[Record]:
    """Stream every line of a file, or those of the next `size` bytes."""
    number = 1
    try:
        while size > 0 and (line := file.readline(LONGEST_LINE)):
            size -= len(line)
            if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
                while (rest := file.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                    size -= len(rest)
                size -= len(rest)
                limit = LONGEST_LINE >> 20
                yield Record(b"", number, f"the line is longer than {limit} MB")
            else:
                line = line.strip()
                if number == 1 and whole:
                    line = line.removeprefix(_BYTE_ORDER_MARK)
                yield Record(line, number)
            number += 1
    except DAMAGE as error:
        yield Record(b"", number, damage(error))


def _is_filled(record: Record) -> bool:
    return bool(record.data or record.problem)


def damage(error: BaseException) -> str:
    """Say that a file cannot be read on, and why."""
    return f"the file is damaged from here on: {error}"


# The library's own readers leave a file that they were given open.


class _Gzip(gzip.GzipFile):
    def __init__(self, stored: io.BufferedReader) -> None:
        super().__init__(fileobj=stored)
        self._stored = stored

    def close(self) -> None:
        super().close()
        self._stored.close()


class _Bzip2(bz2.BZ2File):
    def __init__(self, stored: io.BufferedReader) -> None:
        super().__init__(stored)
        self._stored = stored

    def close(self) -> None:
        super().close()
        self._stored.close()


class _Xz(lzma.LZMAFile):
    def __init__(self, stored: io.BufferedReader) -> None:
        super().__init__(stored)
        self._stored = stored

    def close(self) -> None:
        super().close()
        self._stored.close()


class _Zstandard(io.RawIOBase):
    """Decompress frame after frame, and notice, unlike zstandard's own reader, a cut last one."""

    def __init__(self, stored: io.BufferedReader) -> None:
        self._file = stored
        self._frame: ZstdDecompressionObj | None = None
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        while not self._ready:
            if not self._decompress():
                return 0
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def close(self) -> None:
        self._file.close()
        super().close()

    def _decompress(self) -> bool:
        import zstandard

        if not (chunk := self._file.read(_ZST_CHUNK)):
            if self._frame is not None:
                raise EOFError("the last frame is cut off")
            return False
        pieces: list[bytes] = []
        try:
            while chunk:
                frame = self._frame or zstandard.ZstdDecompressor().decompressobj()
                pieces.append(frame.decompress(chunk))
                self._frame, chunk = (None, frame.unused_data) if frame.eof else (frame, b"")
        except zstandard.ZstdError as error:
            raise OSError(str(error)) from None
        self._ready = memoryview(b"".join(pieces))
        return True


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
