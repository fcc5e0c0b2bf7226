"""Mine what our own retrieval finds for training claims: the sentences that come near to each.

Open claims must be learned with the evidence that a checker will really see, and relevance must
be learned against sentences that look relevant; neither can be made up.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

import msgspec
from msgspec import Struct

from feverfew.corpus import Corpus
from feverfew.retrieve import Ranked
from feverfew.select import PAGES, Sentences
from feverfew.text import words
from feverfew.types import Evidence
from feverfew.workers import Workers, cores

_KEPT = 12
_CHUNK = 64


class Found(Struct, frozen=True, gc=False, array_like=True):
    """A sentence that came near to a claim."""

    title: str
    line: int
    text: str
    score: float


class Mined(Struct, frozen=True):
    """A claim with the sentences found for it, best first."""

    claim: str
    found: list[Found]


def text_key(text: str) -> str:
    """Return what two tokenisations of one text have in common."""
    return "".join(words(text.replace("-LRB-", " ").replace("-RRB-", " ")))


def mine(claims: Iterable[str], corpus: Path, workers: int | None = None) -> Iterator[Mined]:
    """Find the nearest sentences of the nearest pages for each claim, in order."""
    encode = msgspec.msgpack.Encoder().encode
    decode = msgspec.msgpack.Decoder(list[Mined]).decode
    count = workers or cores()
    rest = iter(claims)
    factory = f"{worker.__module__}:{worker.__name__}"
    with Workers(factory, str(corpus), count) as pool:
        parts = iter(lambda: list(islice(rest, _CHUNK)), [])
        for answer in pool.map(encode(part) for part in parts):
            yield from decode(answer)


def worker(corpus: str) -> Callable[[bytes], bytes]:
    """Make a worker process's function: claims in, what was mined out."""
    opened = Corpus.open(corpus)
    retriever, selector = Ranked.open(opened), Sentences.open(opened)
    decode = msgspec.msgpack.Decoder(list[str]).decode
    encode = msgspec.msgpack.Encoder().encode

    def answer(payload: bytes) -> bytes:
        claims = decode(payload)
        found = selector.select(claims, retriever.retrieve(claims, PAGES), _KEPT)
        return encode(
            [Mined(c, [_found(e) for e in own]) for c, own in zip(claims, found, strict=True)]
        )

    return answer


def _found(evidence: Evidence) -> Found:
    return Found(evidence.ref.page, evidence.ref.position[0], evidence.text, evidence.score)
