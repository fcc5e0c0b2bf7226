"""A page as bytes: a small head for ranking, a tail for the rest, both compressed.

Ranking looks at dozens of pages for each claim and needs little of each: the title, and what
the page says first. So the first blocks are kept apart from the rest of a long article.
"""

import hashlib
from collections.abc import Sequence

import msgspec
import zstandard
from msgspec import Struct

from feverfew.types import Block, Page, Sentence

__all__ = ["Packed", "Packer", "dictionary_sample", "train_dictionary"]

_HEAD_CHARACTERS = 1_200
_HEAD_SENTENCES = 12
_LEVEL = 1
_DICTIONARY_BYTES = 64 << 10

_encoder = msgspec.msgpack.Encoder()
_head_decoder = msgspec.msgpack.Decoder(Page)
_tail_decoder = msgspec.msgpack.Decoder(tuple[Block, ...])


class Packed(Struct, frozen=True, gc=False, array_like=True):
    """A page as it is stored; `digest` is of the content, whatever the compression."""

    head: bytes
    tail: bytes | None
    digest: int


def dictionary_sample(page: Page) -> bytes:
    """Return what of a page a dictionary is learnt from."""
    return _encoder.encode(page)[:8_192]


def train_dictionary(samples: Sequence[bytes]) -> bytes:
    """Learn what pages have in common; empty when there are too few to learn from."""
    if sum(map(len, samples)) < 8 * _DICTIONARY_BYTES:
        return b""
    return zstandard.train_dictionary(_DICTIONARY_BYTES, list(samples)).as_bytes()


class Packer:
    """Turns pages into bytes and back, with one dictionary."""

    def __init__(self, dictionary: bytes) -> None:
        shared = zstandard.ZstdCompressionDict(dictionary) if dictionary else None
        if shared is not None:
            shared.precompute_compress(level=_LEVEL)
        self._compress = zstandard.ZstdCompressor(
            level=_LEVEL,
            dict_data=shared,
            write_checksum=True,  # so that every decompression notices a changed byte
        ).compress
        self._decompress = zstandard.ZstdDecompressor(dict_data=shared).decompress

    def pack(self, page: Page) -> Packed:
        """Encode a page."""
        blocks = page.blocks
        head = _encoder.encode(page)
        if len(blocks) < _HEAD_SENTENCES and len(head) < _HEAD_CHARACTERS:
            return Packed(self._compress(head), None, _digest(head, b""))  # most are as short
        cut = _head_length(blocks)
        if cut == len(blocks):
            return Packed(self._compress(head), None, _digest(head, b""))
        head = _encoder.encode(msgspec.structs.replace(page, blocks=blocks[:cut]))
        tail = _encoder.encode(blocks[cut:])
        return Packed(self._compress(head), self._compress(tail), _digest(head, tail))

    def head(self, data: bytes) -> Page:
        """Decode a page with only its first blocks."""
        return _head_decoder.decode(self._decompress(data))

    def page(self, head: bytes, tail: bytes | None) -> Page:
        """Decode a whole page."""
        page = self.head(head)
        if tail is None:
            return page
        rest = _tail_decoder.decode(self._decompress(tail))
        return msgspec.structs.replace(page, blocks=page.blocks + rest)

    @staticmethod
    def has_checksum(head: bytes) -> bool:
        """Say whether a stored page notices damage when it is read; older corpora's do not."""
        return bool(zstandard.get_frame_parameters(head).has_checksum)

    def digest(self, head: bytes, tail: bytes | None) -> int:
        """Compute the digest of stored bytes anew."""
        return _digest(self._decompress(head), b"" if tail is None else self._decompress(tail))


def _head_length(blocks: tuple[Block, ...]) -> int:
    """Count the blocks of the head: the sentences a reader sees first, and what is between."""
    characters = sentences = 0
    for position, block in enumerate(blocks):
        if isinstance(block, Sentence):
            characters += len(block.text)
            sentences += 1
            if characters >= _HEAD_CHARACTERS or sentences >= _HEAD_SENTENCES:
                return position + 1
    return len(blocks)


def _digest(head: bytes, tail: bytes) -> int:
    # Signed, because SQLite's integers are.
    state = hashlib.blake2b(head, digest_size=8)
    if tail:
        state.update(tail)
    return int.from_bytes(state.digest(), "little", signed=True)
