"""The heavy part of a build: raw records become what the parts of the corpus store.

It is pure, and runs in worker processes; a chunk of records goes in, its pages come out.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from feverfew.corpus.names import NameKind, keys_of
from feverfew.corpus.packing import Packed, Packer
from feverfew.errors import BadRecord, MissingExtra
from feverfew.model import Page, Redirect
from feverfew.readers import FORMATS, Record, Source
from feverfew.text import display_title, padded, title_key

__all__ = ["Chunk", "Prepared", "Ready", "identity", "prepare_chunk", "prepare_page", "worker"]


class Chunk(Struct, frozen=True, gc=False, array_like=True):
    """Some consecutive records of one source."""

    source: int
    path: str
    name: str
    format: str
    records: list[Record]
    position: int
    """How many bytes of the source, as it is stored, have been read with them."""


class Ready(Struct, frozen=True, gc=False, array_like=True):
    """A page, ready for every part of the corpus."""

    title: str
    identity: int
    packed: Packed
    folded_title: str
    folded_body: str
    keys: list[tuple[str, NameKind]]
    line: int = 0


class Prepared(Struct, frozen=True, gc=False, array_like=True):
    """What became of a chunk."""

    source: int
    records: int
    pages: list[Ready]
    redirects: list[Redirect]
    bad: list[tuple[str, str, int]]
    position: int


def identity(title: str) -> int:
    """Number a title so that two spellings of one page's title agree."""
    digest = hashlib.blake2b(title_key(title).encode(errors="replace"), digest_size=8)
    return int.from_bytes(digest.digest(), "little")


def prepare_page(page: Page, packer: Packer, line: int = 0) -> Ready:
    """Make a page ready for the store, the trie and the text index."""
    return Ready(
        page.title,
        identity(page.title),
        packer.pack(page),
        padded(" ".join((display_title(page.title), *page.aliases))).decode(),
        padded("\n".join(page.texts())).decode(),
        list(keys_of(page.title, page.aliases).items()),
        line,
    )


def prepare_chunk(chunk: Chunk, packer: Packer) -> Prepared:
    """Parse a chunk's records; the bad ones are listed, the others are made ready."""
    reader = FORMATS[chunk.format]
    source = Source(Path(chunk.path), chunk.name)
    pages: list[Ready] = []
    redirects: list[Redirect] = []
    bad: list[tuple[str, str, int]] = []
    for record in chunk.records:
        try:
            if record.problem:
                raise BadRecord(record.problem, path=chunk.name, line=record.line)
            parsed = reader.parse(record, source)
        except BadRecord as error:
            bad.append((error.why, error.path, error.line))
        except MissingExtra as error:
            bad.append((str(error), chunk.name, record.line))
        else:
            if isinstance(parsed, Redirect):
                redirects.append(parsed)
            elif parsed is not None:
                pages.append(prepare_page(parsed, packer, record.line))
    return Prepared(chunk.source, len(chunk.records), pages, redirects, bad, chunk.position)


def worker(dictionary: bytes) -> Callable[[bytes], bytes]:
    """Make a worker process's function: an encoded Chunk in, an encoded Prepared out."""
    packer = Packer(dictionary)
    decode = msgspec.msgpack.Decoder(Chunk).decode
    encode = msgspec.msgpack.Encoder().encode
    return lambda payload: encode(prepare_chunk(decode(payload), packer))
