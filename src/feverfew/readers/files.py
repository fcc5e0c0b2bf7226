"""Open any file, compressed or not, and read it by bounded lines."""

import bz2
import gzip
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast

from feverfew.readers.base import Record, Source

__all__ = ["HEAD", "LONGEST_LINE", "head", "lines", "open_bytes"]

HEAD = 1 << 16
LONGEST_LINE = 32 << 20
"""No page of Wikipedia comes near this; a longer line is a broken file."""

_MAGIC = {b"\x1f\x8b": "gz", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zst"}
_CHUNK = 1 << 20


def open_bytes(path: Path) -> IO[bytes]:
    """Open a file for reading, decompressing what its first bytes say is compressed."""
    with path.open("rb") as file:
        start = file.read(6)
    match next((kind for magic, kind in _MAGIC.items() if start.startswith(magic)), ""):
        case "gz":
            return cast(IO[bytes], gzip.open(path))
        case "bz2":
            return cast(IO[bytes], bz2.open(path))
        case "xz":
            return cast(IO[bytes], lzma.open(path))
        case "zst":
            import io

            import zstandard

            reader = zstandard.ZstdDecompressor().stream_reader(
                path.open("rb"), read_across_frames=True, closefd=True
            )
            return cast(IO[bytes], io.BufferedReader(reader, _CHUNK))
    return path.open("rb")


def head(path: Path) -> bytes:
    """Return the first decompressed bytes of a file."""
    with open_bytes(path) as file:
        return file.read(HEAD)


def lines(source: Source) -> Iterator[Record]:
    """Stream the lines that are not blank; one too long becomes a record with a problem."""
    with open_bytes(source.path) as file:
        number = 0
        while line := file.readline(LONGEST_LINE):
            number += 1
            if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
                while (rest := file.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                    pass
                limit = LONGEST_LINE >> 20
                yield Record(b"", number, f"the line is longer than {limit} MB")
            elif line := line.strip():
                yield Record(line, number)
