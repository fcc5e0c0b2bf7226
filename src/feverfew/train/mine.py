"""Mine what our own retrieval finds for training claims: the sentences that come near to each.

Open claims must be learned with the evidence that a checker will really see, and relevance must
be learned against sentences that look relevant; neither can be made up.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import msgspec
from msgspec import Struct

from feverfew.corpus import Corpus
from feverfew.parallel import Workers, cores
from feverfew.retrieve import Ranked
from feverfew.retrieve.features import Query
from feverfew.text import display_title, padded

__all__ = ["Found", "Mined", "mine", "worker"]

_PAGES = 5
_KEPT = 12
_CHUNK = 64
_FIRST_PAGES = (0.12, 0.08, 0.04, 0.02, 0.0)
"""What a sentence gains from the rank of its page."""


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
    retriever = Ranked.open(opened)
    decode = msgspec.msgpack.Decoder(list[str]).decode
    encode = msgspec.msgpack.Encoder().encode
    return lambda payload: encode(_mine(decode(payload), opened, retriever))


def _mine(claims: Sequence[str], corpus: Corpus, retriever: Ranked) -> list[Mined]:
    mined = []
    for claim, candidates in zip(claims, retriever.retrieve(claims, _PAGES), strict=True):
        query = Query.of(claim, corpus)
        pages = corpus.store.heads(candidate.number for candidate in candidates)
        found = []
        for candidate, bonus in zip(candidates, _FIRST_PAGES, strict=False):
            title = display_title(candidate.title)
            named = query.weight(padded(title))
            for sentence in pages[candidate.number].sentences:
                if sentence.text:
                    alone = query.weight(padded(sentence.text))
                    both = query.weight(padded(f"{title} {sentence.text}"))
                    score = bonus + both + 0.3 * alone + 0.1 * named
                    found.append(Found(candidate.title, sentence.index, sentence.text, score))
        found.sort(key=lambda sentence: -sentence.score)
        mined.append(Mined(claim, found[:_KEPT]))
    return mined
