"""Retrieve for many claims on all cores; open retrievers by name."""

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from feverfew.corpus import Corpus
from feverfew.errors import InputError
from feverfew.retrieve.hops import Hops
from feverfew.retrieve.retrievers import Candidate, Lexical, Ranked, Retriever, Titles
from feverfew.workers import Workers, cores

RETRIEVERS: dict[str, Callable[[Corpus], Retriever]] = {
    "ranked": Ranked.open,
    "hops": Hops.open,
    "lexical": Lexical,
    "titles": Titles,
}


def open_retriever(name: str, corpus: Corpus) -> Retriever:
    """Open a retriever by its name."""
    if name not in RETRIEVERS:
        raise InputError(f"no retriever {name!r}; there are {', '.join(RETRIEVERS)}")
    return RETRIEVERS[name](corpus)


_CHUNK = 64
_WORTHWHILE = 500
"""Retrieving for fewer claims than this takes less time than starting worker processes."""

_Request = tuple[list[str], int]


class Batch:
    """A retriever that distributes a large batch over processes."""

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
