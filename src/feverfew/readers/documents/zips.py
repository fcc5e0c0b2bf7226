"""Documents that are zip archives of XML: Word files and books."""

import io
import zipfile
import zlib
from typing import Any

from lxml import etree

from feverfew.errors import BadRecord
from feverfew.readers.base import Record, Source

__all__ = ["DAMAGED", "open_zip", "parse_xml"]

_LARGEST_UNPACKED = 256 << 20
_MOST_MEMBERS = 10_000

DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    etree.LxmlError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    NotImplementedError,
    RuntimeError,
    OSError,
    EOFError,
)
"""What reading a damaged archive raises."""


def open_zip(record: Record, source: Source, what: str, needed: str) -> zipfile.ZipFile:
    """Open a document; refuse one that lacks a member or would unpack to an absurd size."""
    archive = zipfile.ZipFile(io.BytesIO(record.data))
    members = archive.infolist()
    # Reading stops at the size that a member declares, so that it cannot lie.
    if sum(m.file_size for m in members) > _LARGEST_UNPACKED or len(members) > _MOST_MEMBERS:
        raise BadRecord(f"the {what} unpacks to an absurd size", path=source.name)
    if needed not in archive.namelist():
        raise BadRecord(f"the file is a zip archive, not a {what}", path=source.name)
    return archive


def parse_xml(data: bytes) -> Any:  # lxml has no types of its own
    """Parse XML; nothing is fetched and no entity is followed."""
    return etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))
