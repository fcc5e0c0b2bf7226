"""FEVEROUS pages, as JSON lines or in the official SQLite database, `wiki(id, data)`."""

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

from msgspec import Raw, Struct
from msgspec.json import Decoder
from msgspec.structs import replace

from feverfew.errors import BadReference
from feverfew.readers.base import Record, Source
from feverfew.readers.blocks import LARGEST_SPAN
from feverfew.readers.decode import check_title, decode, json_keys
from feverfew.readers.files import (
    DAMAGE,
    LONGEST_LINE,
    MOST_EXPANSION,
    damage,
    head,
    lines,
    most_bytes,
    open_bytes,
)
from feverfew.readers.links import read_links, read_links_across
from feverfew.temporary import temporary_folder
from feverfew.types import (
    Block,
    Cell,
    ItemList,
    Kind,
    ListItem,
    Page,
    Ref,
    Section,
    Sentence,
    Table,
)

_PIECE = 1 << 20
SQLITE = b"SQLite format 3\x00"
"""How every SQLite file begins."""


def rows(source: Source) -> Iterator[Record]:
    """Stream the database's rows, numbered from 1; a compressed one is unpacked aside first."""
    with source.path.open("rb") as file:
        packed = not file.read(len(SQLITE)).startswith(SQLITE)
    if not packed:
        yield from _rows(source.path)
        return
    with temporary_folder() as folder:
        try:
            with open_bytes(source.path) as file, (folder / "unpacked").open("wb") as unpacked:
                left = most_bytes(source.path.stat().st_size)
                while left > 0 and (piece := file.read(_PIECE)):
                    left -= unpacked.write(piece)
        except DAMAGE as error:
            yield Record(b"", 1, damage(error))
            return
        if left <= 0:
            why = f"the file gives more than {MOST_EXPANSION} times what it stores; unpack it first"
            yield Record(b"", 1, why)
            return
        yield from _rows(folder / "unpacked")


def _rows(path: Path) -> Iterator[Record]:
    # Immutable: nothing is locked or written beside the file, so a read-only place will do.
    address = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
    number = 1
    try:
        with closing(sqlite3.connect(address, uri=True)) as database:
            database.text_factory = bytes  # invalid UTF-8 is the record's fault, not the table's
            for (data,) in database.execute("SELECT data FROM wiki"):
                if not isinstance(data, bytes):
                    yield Record(b"", number, "the row's data is not text")
                elif len(data) > LONGEST_LINE:
                    limit = LONGEST_LINE >> 20
                    yield Record(b"", number, f"the row is longer than {limit} MB")
                else:
                    yield Record(data, number)
                number += 1
    except sqlite3.OperationalError as error:
        yield Record(b"", number, f"not a FEVEROUS database, which has wiki(id, data): {error}")
    except sqlite3.DatabaseError as error:
        yield Record(b"", number, damage(error))


class _Top(Struct):
    """What a page says of itself; the last two are our own addition to the format."""

    title: str
    order: list[str] = []
    aliases: list[str] = []
    disambiguation: bool = False


class _Section(Struct):
    value: str
    level: int = 1


class _Cell(Struct):
    value: str
    id: str = ""
    is_header: bool | None = None
    row_span: int = 1
    column_span: int = 1


class _Table(Struct):
    table: list[list[_Cell]]
    type: str | None = None
    caption: str | None = None


class _Item(Struct):
    value: str
    id: str = ""
    level: int = 0


class _List(Struct, rename={"items": "list"}):
    items: list[_Item]
    type: str | None = None


_PAGE = Decoder(dict[str, Raw])
_TOP = Decoder(_Top)
_SENTENCE = Decoder(str)
# Not strict: the official files write a span as "2".
_SECTION = Decoder(_Section, strict=False)
_TABLE = Decoder(_Table, strict=False)
_LIST = Decoder(_List, strict=False)

_ELEMENT = re.compile(r"(sentence|section|table|list)_(0|[1-9][0-9]{0,5})")
_LARGEST_POSITION = 10**6
_DEEPEST = 50
_LONGEST_ID = 64


class Feverous:
    """Read FEVEROUS pages; every element keeps its official number, and so its id."""

    name = "feverous"

    def recognises(self, head: bytes, source: Source) -> bool:
        return head.startswith(SQLITE) or any({b"title", b"order"} <= k for k in json_keys(head))

    def records(self, source: Source) -> Iterator[Record]:
        return rows(source) if head(source.path).startswith(SQLITE) else lines(source)

    def parse(self, record: Record, source: Source) -> Page | None:
        raw = decode(_PAGE, record, source)
        if not any(map(_ELEMENT.fullmatch, raw)) and bytes(raw.get("title", b'""')) == b'""':
            return None  # an empty header, such as the official claim files begin with
        top = decode(_TOP, record, source)
        check_title(top.title, record, source)
        names = _reading_order(top.order, raw)
        return Page(
            top.title,
            tuple(_blocks(names, raw, record, source)),
            aliases=tuple(top.aliases),
            disambiguation=top.disambiguation,
            source=source.name,
        )


def _reading_order(order: Sequence[str], raw: Mapping[str, Raw]) -> list[str]:
    """List the elements that are there: as ordered, then those that the order forgot."""
    return [name for name in dict.fromkeys((*order, *raw)) if name in raw]


def _blocks(
    names: Sequence[str], raw: Mapping[str, Raw], record: Record, source: Source
) -> Iterator[Block]:
    sections: list[_Section] = []
    sentences: list[str] = []
    found: list[tuple[int, _Section | _Table | _List | None]] = []
    for name in names:
        if not (match := _ELEMENT.fullmatch(name)):
            continue
        kind, number, part = match[1], int(match[2]), (name, raw[name])
        if kind == "sentence":
            sentences.append(decode(_SENTENCE, record, source, part=part))
            found.append((number, None))
        elif kind == "section":
            sections.append(decode(_SECTION, record, source, part=part))
            found.append((number, sections[-1]))
        elif kind == "table":
            found.append((number, decode(_TABLE, record, source, part=part)))
        else:
            found.append((number, decode(_LIST, record, source, part=part)))
    # A link may be cut between two sentences, so all of them are read together.
    texts = iter(read_links_across(sentences))
    # Some files call the outermost level 1, others, like wikitext, 2.
    outermost = min((section.level for section in sections), default=1)
    for number, element in found:
        match element:
            case None:
                text, links = next(texts)
                yield Sentence(number, text, links)
            case _Section():
                level = 1 + _depth(element.level - outermost)
                yield Section(number, read_links(element.value)[0], level)
            case _Table():
                yield _table(number, element)
            case _List():
                yield _list(number, element)


def read_table(data: Raw, caption: str, record: Record, source: Source) -> Table:
    """Read one table in FEVEROUS's form; its own caption goes before the one given."""
    raw = decode(_TABLE, record, source, part=("table", data))
    named = [ref for row in raw.table for cell in row if (ref := _cell_ref(cell))]
    number = named[0].position[0] if named else 0
    return _table(number, raw if raw.caption else replace(raw, caption=caption))


def read_list(data: Raw, record: Record, source: Source) -> ItemList:
    """Read one list in FEVEROUS's form."""
    raw = decode(_LIST, record, source, part=("table", data))
    named = [ref for item in raw.items if (ref := _item_ref(item))]
    return _list(named[0].position[0] if named else 0, raw)


def _table(number: int, raw: _Table) -> Table:
    made: list[tuple[Cell, ...]] = []
    for row, cells in enumerate(raw.table):
        made.append(tuple(_cell(cell, row, column) for column, cell in enumerate(cells)))
    caption = read_links(raw.caption or "")[0]
    return Table(number, tuple(made), caption, raw.type == "infobox")


def _cell(raw: _Cell, row: int, column: int) -> Cell:
    text, links = read_links(raw.value)
    header = bool(raw.is_header)
    if ref := _cell_ref(raw):
        _, row, column = ref.position
        header = ref.kind is Kind.HEADER_CELL
    return Cell(row, column, text, header, _span(raw.row_span), _span(raw.column_span), links)


def _cell_ref(raw: _Cell) -> Ref | None:
    return _ref(raw.id[-_LONGEST_ID:], Kind.CELL, Kind.HEADER_CELL)


def _list(number: int, raw: _List) -> ItemList:
    outermost = min((item.level for item in raw.items), default=0)
    items: list[ListItem] = []
    for place, item in enumerate(raw.items):
        text, links = read_links(item.value)
        ref = _item_ref(item)
        index = ref.position[-1] if ref else place
        items.append(ListItem(index, text, _depth(item.level - outermost), links))
    return ItemList(number, tuple(items), (raw.type or "").startswith("ordered"))


def _item_ref(raw: _Item) -> Ref | None:
    return _ref(raw.id[-_LONGEST_ID:], Kind.ITEM)


@lru_cache(maxsize=1 << 14)  # the same ids stand on every page
def _ref(element: str, *kinds: Kind) -> Ref | None:
    """Read an id that lacks its page; one we do not understand leaves the place to decide."""
    try:
        ref = Ref.parse(f"page_{element}")
    except BadReference:
        return None
    fits = ref.kind in kinds and max(ref.position) < _LARGEST_POSITION
    return ref if fits else None


def _depth(level: int) -> int:
    return min(level, _DEEPEST)


def _span(span: int) -> int:
    return min(max(span, 1), LARGEST_SPAN)
