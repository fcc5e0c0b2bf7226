"""Tar archives of documents: each member is read as if it were a file of its own."""

import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from feverfew.readers.base import Parsed, Record, Source
from feverfew.readers.decode import refuse
from feverfew.readers.files import DAMAGE, LONGEST_LINE, damage, open_bytes
from feverfew.readers.recognise import DOCUMENTS, recognise

__all__ = ["Archive"]

_MAGIC_AT = 257


class Archive:
    """Read the documents in a tar archive, compressed or not, in the archive's order."""

    name = "tar"

    def recognises(self, head: bytes, source: Source) -> bool:
        return head[_MAGIC_AT : _MAGIC_AT + 5] == b"ustar"

    def records(self, source: Source) -> Iterator[Record]:
        """Stream the members; a record is a member's name, a zero byte and its content."""
        number = 1
        with open_bytes(source.path) as file:
            try:
                # As a stream, so that memory holds one member at a time.
                with tarfile.open(fileobj=file, mode="r|", errorlevel=0) as archive:
                    for member in archive:
                        if not member.isfile() or _hidden(member.name):
                            continue
                        if member.size > LONGEST_LINE:
                            why = f"{member.name} is larger than {LONGEST_LINE >> 20} MB"
                            yield Record(b"", number, why)
                        elif content := archive.extractfile(member):
                            data = content.read()
                            name = member.name.encode("utf-8", "surrogateescape")
                            yield Record(name + b"\0" + data, number)
                        number += 1
            except (tarfile.TarError, *DAMAGE) as error:
                yield Record(b"", number, damage(error))

    def parse(self, record: Record, source: Source) -> Parsed:
        if record.problem:
            raise refuse(record.problem, record, source)
        name, _, content = record.data.partition(b"\0")
        member = name.decode("utf-8", "replace")
        inner = Source(Path(member), f"{source.name}/{member}")
        reader = recognise(content, inner, DOCUMENTS)
        if reader is None:
            raise refuse(f"{member} is not a document", record, source)
        return reader.parse(Record(content, 1), inner)


def _hidden(name: str) -> bool:
    return any(part.startswith(".") for part in PurePosixPath(name).parts)
