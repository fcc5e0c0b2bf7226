"""The heavy part of a build: raw records become what the parts of the corpus store.

It is pure, and runs in worker processes; a chunk of records goes in, its pages come out.
"""

from collections.abc import Callable, Sequence
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
from feverfew.types import Page, Redirect, Sentence

__all__ = [
    "Chunk",
    "ChunkResult",
    "Columns",
    "PageRow",
    "check_title_length",
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


def check_title_length(page: Page) -> None:
    """Refuse a page whose title is too long to be one; every reader's, and a caller's own."""
    if len(page.title) > LONGEST_TITLE:
        why = f"the title is longer than {LONGEST_TITLE:,} characters: {page.title[:60]!r}…"
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


def prepare_chunk(chunk: Chunk, packer: Packer) -> ChunkResult:
    """Parse a chunk's records; the bad ones are listed, the others are made ready."""
    reader = FORMATS[chunk.format]
    source = Source(Path(chunk.path), chunk.name)
    records, lines = chunk.records, 0
    if chunk.span is not None:
        records, lines = cast(SpanReader, reader).span_records(source, chunk.span)
    pages = Columns()
    redirects: list[Redirect] = []
    bad: list[tuple[str, str, int]] = []
    for record in records:
        try:
            if record.problem:
                raise BadRecord(record.problem, path=chunk.name, line=record.line)
            parsed = reader.parse(record, source)
            if isinstance(parsed, Partial):
                bad.append((parsed.problem, parsed.page.source, 0))
                parsed = parsed.page
            if isinstance(parsed, Page):
                check_title_length(parsed)
        except BadRecord as error:
            bad.append((error.reason, error.path, error.line or record.line * (record.line > 1)))
        except MissingExtra as error:
            bad.append((str(error), chunk.name, record.line))
        else:
            if isinstance(parsed, Redirect):
                redirects.append(parsed)
            elif parsed is not None:
                pages.add(parsed.title, prepare_page(parsed, packer), record.line)
    return ChunkResult(chunk.source, len(records), pages, redirects, bad, chunk.position, lines)


def worker(dictionary: bytes) -> Callable[[bytes], bytes]:
    """Make a worker process's function: an encoded Chunk in, an encoded ChunkResult out."""
    packer = Packer(dictionary)
    decode = msgspec.msgpack.Decoder(Chunk).decode
    encode = msgspec.msgpack.Encoder().encode
    return lambda payload: encode(prepare_chunk(decode(payload), packer))
