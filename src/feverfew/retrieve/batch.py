"""Many claims at once, on all cores."""

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from feverfew.corpus import Corpus
from feverfew.retrieve.base import Candidate, Retriever
from feverfew.retrieve.named import open_retriever
from feverfew.workers import Workers, cores

__all__ = ["Batch", "worker"]

_CHUNK = 64
_WORTHWHILE = 500
"""Fewer claims than this are answered sooner than worker processes start."""

_Request = tuple[list[str], int]


class Batch:
    """A retriever that shares a large batch among processes, each with the corpus open."""

    def __init__(
        self, corpus: Path, workers: int | None = None, *, retriever: str = "ranked"
    ) -> None:
        self._corpus = corpus
        self._name = retriever
        self._count = workers or cores()
        self._pool: Workers | None = None
        self._alone: Retriever | None = None

    def __enter__(self) -> "Batch":
        return self

    def __exit__(self, *error: object) -> None:
        if self._pool is not None:
            self._pool.__exit__(*error)  # type: ignore[arg-type]

    def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        """Return the k best pages for each claim."""
        if self._count == 1 or (self._pool is None and len(claims) < _WORTHWHILE):
            if self._alone is None:
                self._alone = open_retriever(self._name, Corpus.open(self._corpus))
            return self._alone.retrieve(claims, k)
        if self._pool is None:
            factory = f"{worker.__module__}:{worker.__name__}"
            self._pool = Workers(factory, (str(self._corpus), self._name), self._count).__enter__()
        encode = msgspec.msgpack.Encoder().encode
        decode = msgspec.msgpack.Decoder(list[list[Candidate]]).decode
        parts = (claims[i : i + _CHUNK] for i in range(0, len(claims), _CHUNK))
        answers = self._pool.map(encode((list(part), k)) for part in parts)
        return [found for answer in answers for found in decode(answer)]


def worker(settings: tuple[str, str]) -> Callable[[bytes], bytes]:
    """Make a worker process's function: claims in, candidates out."""
    corpus, name = settings
    retriever = open_retriever(name, Corpus.open(corpus))
    decode = msgspec.msgpack.Decoder(_Request).decode
    encode = msgspec.msgpack.Encoder().encode

    def answer(payload: bytes) -> bytes:
        claims, k = decode(payload)
        return encode(retriever.retrieve(claims, k))

    return answer
