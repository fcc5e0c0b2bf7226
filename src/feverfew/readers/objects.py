"""Read the objects of a JSON file, be it a list or lines."""

import re
from collections.abc import Iterator
from itertools import chain

from msgspec import Raw
from msgspec.json import Decoder

from feverfew.readers.base import Record, Source
from feverfew.readers.decode import decode
from feverfew.readers.files import lines

__all__ = ["objects"]

# A claim in plain words may begin with a bracket, too.
_BEGINS_LIST = re.compile(rb"\[\s*(?:[{\]]|$)")
_LIST = Decoder(list[Raw])


def objects(source: Source) -> Iterator[Record]:
    """Yield a record for each line, or for each object of a list: then its number counts those."""
    found = lines(source)
    first = next(found, None)
    if first is None:
        return
    if not _BEGINS_LIST.match(first.data):
        yield from chain([first], found)
        return
    # A list ends nowhere but at its end, so it is the one form that does not stream.
    pieces = [first.data]
    for record in found:
        if record.problem:
            decode(_LIST, record, source)
        pieces.append(record.data)
    whole = Record(b"\n".join(pieces), 1)
    items = decode(_LIST, whole, source)
    for number, item in enumerate(items, 1):
        yield Record(bytes(item), number)
