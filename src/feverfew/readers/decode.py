"""JSON records: split a file into objects, decode one, and say where and why that fails."""

import re
from collections.abc import Iterator
from itertools import chain
from typing import TypeVar

import msgspec
from msgspec import Raw
from msgspec.json import Decoder

from feverfew.errors import BadRecord
from feverfew.readers.base import Record, Source
from feverfew.readers.files import lines

T = TypeVar("T")

LONGEST_TITLE = 1000
"""MediaWiki allows 255 bytes; what is longer than this is text in the wrong place."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


def decode(
    decoder: msgspec.json.Decoder[T],
    record: Record,
    source: Source,
    *,
    part: tuple[str, msgspec.Raw] | None = None,
) -> T:
    """Decode a record, or one named part of it, or say in a BadRecord what is wrong with it."""
    if record.problem:
        raise refuse(record.problem, record, source)
    name, data = (f"{part[0]}: ", part[1]) if part else ("", record.data)
    try:
        return decoder.decode(data)
    except msgspec.ValidationError as error:
        why = _in_our_words(str(error))
    except msgspec.DecodeError as error:
        why = f"broken JSON: {error}"
    except RecursionError:
        why = "broken JSON: nested too deeply"
    except UnicodeDecodeError as error:
        why = f"invalid UTF-8: {error.reason}"
    raise refuse(name + why, record, source)


def refuse(why: str, record: Record, source: Source) -> BadRecord:
    """Make the error that says where the record stood."""
    return BadRecord(why, path=source.name, line=record.line)


def check_title(title: str, record: Record, source: Source) -> None:
    """Refuse a title that no reader could ever have seen above a page."""
    if not title.strip():
        raise refuse("no title", record, source)
    if len(title) > LONGEST_TITLE:
        raise refuse(f"the title is longer than {LONGEST_TITLE:,} characters", record, source)
    if _CONTROL.search(title):
        raise refuse(f"the title {title!r} holds a control character", record, source)


_LONGEST_HEADER = 1 << 16


def is_blank(record: Record) -> bool:
    """Say whether a record is an object that says nothing, as the first of FEVEROUS's files is.

    >>> is_blank(Record(b'{"id": "", "claim": " ", "evidence": [{"content": [""]}]}', 1))
    True
    """
    if not record.data.startswith(b"{") or len(record.data) > _LONGEST_HEADER:
        return False
    try:
        return _says_nothing(msgspec.json.decode(record.data))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def _says_nothing(value: object) -> bool:
    if isinstance(value, dict):
        return all(map(_says_nothing, value.values()))
    if isinstance(value, list):
        return all(map(_says_nothing, value))
    return not (value.strip() if isinstance(value, str) else value)


_MISSING = re.compile(r"Object missing required field `(\w+)`(.*)")


def _in_our_words(why: str) -> str:
    if missing := _MISSING.fullmatch(why):
        return f"no {missing[1]!r}{missing[2]}"
    return why[:1].lower() + why[1:]


# A string without an end is taken to the end, or each quote in it would be tried as its beginning.
_TOKEN = re.compile(rb'"((?:[^"\\]|\\.)*+)(?:"(\s*+:)?)?|[{}\[\]]', re.DOTALL)
_LOOKED_AT = 20


def json_keys(head: bytes) -> Iterator[frozenset[bytes]]:
    """Yield the outer keys of each of the first lines that begin a JSON object.

    The head may end in the middle of a line, and a line may be broken: whatever keys stand
    before the damage are found.

    >>> [sorted(keys) for keys in json_keys(b'{"id": 1, "lines": {"0": ""}, "te')]
    [[b'id', b'lines']]
    """
    for line in head.split(b"\n", _LOOKED_AT)[:_LOOKED_AT]:
        if not line.lstrip(b"\xef\xbb\xbf \t[").startswith(b"{"):
            continue
        depth, keys = 0, set()
        for token in _TOKEN.finditer(line[line.index(b"{") :]):
            match token[0][:1]:
                case b"{" | b"[":
                    depth += 1
                case b"}" | b"]":
                    depth -= 1
                    if not depth:
                        break
                case _ if depth == 1 and token[2]:
                    keys.add(token[1])
        yield frozenset(keys)


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
