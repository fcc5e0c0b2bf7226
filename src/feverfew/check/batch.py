"""Check many claims: each distinct claim once, and many claims on all cores."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from feverfew.check.checker import Checker
from feverfew.corpus import Corpus
from feverfew.types import Report
from feverfew.workers import Workers, cores

_CHUNK = 32
_WORTHWHILE = 64
"""Checking fewer claims than this takes less time than starting worker processes."""


def check_many(
    claims: Sequence[str], options: dict[str, Any], workers: int | None = None
) -> Iterator[Report]:
    """Yield a report for each claim, in order; `options` are those of `Checker.open`."""
    distinct = list(dict.fromkeys(claims))
    fresh = _check(distinct, options, workers or cores())
    known: dict[str, Report] = {}
    for claim in claims:
        if claim not in known:
            known[claim] = next(fresh)
        yield known[claim]


def _check(claims: list[str], options: dict[str, Any], count: int) -> Iterator[Report]:
    chunks = [claims[at : at + _CHUNK] for at in range(0, len(claims), _CHUNK)]
    if len(claims) < _WORTHWHILE or count == 1:
        with Checker.open(**options, threads=count) as checker:
            for chunk in chunks:
                yield from checker.check(chunk)
        return
    named = options.get("corpus")
    with Corpus.open(named) if named else Corpus.sample() as corpus:
        sent = {**options, "corpus": str(corpus.path)}
    encode = msgspec.msgpack.Encoder().encode
    decode = msgspec.msgpack.Decoder(list[Report]).decode
    with Workers(f"{worker.__module__}:{worker.__name__}", sent, count) as pool:
        for answer in pool.map(map(encode, chunks)):
            yield from decode(answer)


def worker(options: dict[str, Any]) -> Callable[[bytes], bytes]:
    """Make a worker process's function: claims in, reports out."""
    checker = Checker.open(**options, threads=1)
    decode = msgspec.msgpack.Decoder(list[str]).decode
    encode = msgspec.msgpack.Encoder().encode
    return lambda payload: encode(checker.check(decode(payload)))
