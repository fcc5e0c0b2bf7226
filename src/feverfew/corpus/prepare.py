"""The heavy part of a build: raw records become what the parts of the corpus store.

It is pure, and runs in worker processes; a chunk of records goes in, its pages come out.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import compress
from pathlib import Path
from typing import cast

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from feverfew.corpus.names import NameKind, any_links, hash_of_key, keys_of_shown, names_line
from feverfew.corpus.packing import Packed, Packer
from feverfew.corpus.tables import table_texts
from feverfew.errors import BadRecord, MissingExtra
from feverfew.readers import FORMATS, Record, Source
from feverfew.readers.base import Partial, Span, SpanReader
from feverfew.readers.decode import LONGEST_TITLE
from feverfew.text import display_title, spaced, title_key
from feverfew.types import ItemList, Page, Redirect, Sentence, Table
from feverfew.workers import progress

__all__ = [
    "Chunk",
    "ChunkPages",
    "ChunkResult",
    "Columns",
    "PageRow",
    "check_page",
    "chunk_records",
    "page_worker",
    "parse_chunk",
    "prepare_chunk",
    "prepare_page",
    "worker",
]


class Chunk(Struct, frozen=True, gc=False, array_like=True):
    """Some consecutive records of one source: themselves, or where in the file to read them."""

    source: int
    path: str
    name: str
    format: str
    records: list[Record]
    position: int
    """How many bytes of the source, as it is stored, have been read with them."""
    span: Span | None = None
    skip: list[tuple[int, str]] = []
    """Records, counted from 1, that overran their budget, and how; 0 for the whole chunk."""


class PageRow(Struct, frozen=True, gc=False):
    """A page, ready for every part of the corpus."""

    title_hash: int
    packed: Packed
    folded_title: str
    folded_body: str
    keys: dict[str, NameKind]
    linked: bool
    """Whether it has hyperlinks."""
    tables: list[str] = []
    """As `table_texts` writes them."""


class Columns(Struct, gc=False, array_like=True):
    """Pages, ready for every part of the corpus, a list for each of their qualities.

    Lists are much cheaper to hand over than objects, and go into the store as they are.
    """

    titles: list[str] = []
    hashes: list[int] = []
    heads: list[bytes] = []
    tails: list[bytes | None] = []
    digests: list[int] = []
    folded_titles: list[str] = []
    folded_bodies: list[str] = []
    names: list[str] = []
    """As `names_line` writes them."""
    lines: list[int] = []
    linked: list[bool] = []
    tables: list[list[str]] = []

    def add(self, title: str, ready: PageRow, line: int) -> None:
        """Add a page."""
        self.titles.append(title)
        self.hashes.append(ready.title_hash)
        self.heads.append(ready.packed.head)
        self.tails.append(ready.packed.tail)
        self.digests.append(ready.packed.digest)
        self.folded_titles.append(ready.folded_title)
        self.folded_bodies.append(ready.folded_body)
        self.names.append(names_line(ready.keys))
        self.lines.append(line)
        self.linked.append(ready.linked)
        self.tables.append(ready.tables)

    def only(self, wanted: Sequence[bool]) -> "Columns":
        """Return those of the pages that are wanted."""
        return Columns(*(list(compress(column, wanted)) for column in astuple(self)))


class ChunkResult(Struct, frozen=True, gc=False, array_like=True):
    """What became of a chunk."""

    source: int
    records: int
    pages: Columns
    redirects: list[Redirect]
    bad: list[tuple[str, str, int]]
    position: int
    lines: int = 0
    """Of a part of a file: how many lines it has; all others are counted from its start."""


class ChunkPages(Struct, frozen=True, gc=False, array_like=True):
    """The pages of a chunk, as they were read."""

    source: int
    pages: list[Page]
    redirects: list[Redirect]
    bad: list[tuple[str, str, int]]
    lines: int = 0


MOST_ELEMENTS = 200_000
MOST_CHARACTERS = 32 << 20


def check_page(page: Page) -> None:
    """Refuse a page that is too large to be one; every reader's, and a caller's own."""
    if len(page.title) > LONGEST_TITLE:
        why = f"the title is longer than {LONGEST_TITLE:,} characters: {page.title[:60]!r}…"
        raise BadRecord(why, path=page.source)
    elements = characters = 0
    for block in page.blocks:
        match block:
            case Table(rows=rows):
                elements += sum(map(len, rows))
                characters += sum(len(cell.text) for row in rows for cell in row)
            case ItemList(items=items):
                elements += len(items)
                characters += sum(len(item.text) for item in items)
            case _:
                elements += 1
                characters += len(block.text)
    if elements > MOST_ELEMENTS:
        why = f"the page has more than {MOST_ELEMENTS:,} sentences, items and cells; split it"
        raise BadRecord(why, path=page.source)
    if characters > MOST_CHARACTERS:
        why = f"the page has more than {MOST_CHARACTERS >> 20} million characters; split it"
        raise BadRecord(why, path=page.source)


def prepare_page(page: Page, packer: Packer) -> PageRow:
    """Make a page ready for the store, the trie and the text index."""
    shown = title_key(page.title)
    keys = keys_of_shown(shown, page.aliases)
    title = next(iter(keys), "")
    # The first key has the title's words, unless there are none, or entities.
    if page.aliases or "&" in page.title or not title[:1].isalnum():
        title = spaced(" ".join((display_title(page.title), *page.aliases)))
    texts = [block.text for block in page.blocks if type(block) is Sentence]
    tables: list[str] = []
    if len(texts) < len(page.blocks):
        texts, tables = list(page.texts()), table_texts(page)
    return PageRow(
        hash_of_key(shown),
        packer.pack(page),
        title,
        spaced("\n".join(texts)),
        keys,
        any_links(page),
        tables,
    )


def chunk_records(chunk: Chunk) -> tuple[list[Record], int]:
    """Return a chunk's records, and how many lines they take where it is a part of a file."""
    records, lines = chunk.records, 0
    if chunk.span is not None:
        reader = cast(SpanReader, FORMATS[chunk.format])
        source = Source(Path(chunk.path), chunk.name)
        records, lines = reader.span_records(source, chunk.span)
    for place, why in chunk.skip:
        if 0 < place <= len(records):
            records[place - 1] = Record(b"", records[place - 1].line, why)
    return records, lines


def prepare_chunk(chunk: Chunk, packer: Packer) -> ChunkResult:
    """Parse a chunk's records; the bad ones are listed, the others are made ready."""
    pages = Columns()
    redirects: list[Redirect] = []
    bad: list[tuple[str, str, int]] = []
    for place, why in chunk.skip:
        if not place:
            bad.append((why, chunk.name, 0))
            return ChunkResult(chunk.source, 0, pages, redirects, bad, chunk.position)
    records, lines = chunk_records(chunk)
    for parsed, line in _parsed(chunk, records, bad):
        if isinstance(parsed, Redirect):
            redirects.append(parsed)
        else:
            pages.add(parsed.title, prepare_page(parsed, packer), line)
    return ChunkResult(chunk.source, len(records), pages, redirects, bad, chunk.position, lines)


def parse_chunk(chunk: Chunk) -> ChunkPages:
    """Parse a chunk's records, and leave the pages as they are."""
    bad = [(why, chunk.name, 0) for place, why in chunk.skip if not place]
    records, lines = ([], 0) if bad else chunk_records(chunk)
    found = [parsed for parsed, _ in _parsed(chunk, records, bad)]
    return ChunkPages(
        chunk.source,
        [one for one in found if isinstance(one, Page)],
        [one for one in found if isinstance(one, Redirect)],
        bad,
        lines,
    )


def _parsed(
    chunk: Chunk, records: Sequence[Record], bad: list[tuple[str, str, int]]
) -> Iterator[tuple[Page | Redirect, int]]:
    """Yield what records hold, and their lines; list those that are bad."""
    reader = FORMATS[chunk.format]
    source = Source(Path(chunk.path), chunk.name)
    for place, record in enumerate(records, 1):
        progress(place)
        try:
            if record.problem:
                raise BadRecord(record.problem, path=chunk.name, line=record.line)
            parsed = reader.parse(record, source)
            if isinstance(parsed, Partial):
                bad.append((parsed.problem, parsed.page.source, 0))
                parsed = parsed.page
            if isinstance(parsed, Page):
                check_page(parsed)
        except BadRecord as error:
            bad.append((error.reason, error.path, error.line or record.line * (record.line > 1)))
        except MissingExtra as error:
            bad.append((str(error), chunk.name, record.line))
        else:
            if parsed is not None:
                yield parsed, record.line


def page_worker(_: None) -> Callable[[bytes], bytes]:
    """Make a worker process's function: an encoded Chunk in, encoded ChunkPages out."""
    decode = msgspec.msgpack.Decoder(Chunk).decode
    encode = msgspec.msgpack.Encoder().encode
    return lambda payload: encode(parse_chunk(decode(payload)))


def worker(dictionary: bytes) -> Callable[[bytes], bytes]:
    """Make a worker process's function: an encoded Chunk in, an encoded ChunkResult out."""
    packer = Packer(dictionary)
    decode = msgspec.msgpack.Decoder(Chunk).decode
    encode = msgspec.msgpack.Encoder().encode
    return lambda payload: encode(prepare_chunk(decode(payload), packer))
