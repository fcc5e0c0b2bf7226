"""Read sources into what a corpus stores, each record within a budget.

A source is foreign: recognising it, splitting it and parsing its records all happen in worker
processes, which can be ended. A record that overruns its budget is reported and skipped, and so is
the rest of a source that cannot be split any further, that gives far more than it stores, or whose
records overrun again and again; all that is sound is kept.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from feverfew.corpus.packing import dictionary_sample, train_dictionary
from feverfew.corpus.prepare import (
    Chunk,
    ChunkPages,
    ChunkResult,
    chunk_records,
    page_worker,
    worker,
)
from feverfew.errors import BadRecord, InputError, MissingExtra
from feverfew.pools import Pool, Where, open_pool
from feverfew.readers import FORMATS, Record, Source, reader_for
from feverfew.readers.base import Partial, SpanReader
from feverfew.readers.files import MOST_EXPANSION, bytes_read, most_bytes
from feverfew.types import Page
from feverfew.workers import Budget, Overrun, progress

__all__ = ["SourceReading", "sampler", "splitter"]

_CHUNK_RECORDS = 512
_CHUNK_BYTES = 1 << 20
_LEAST_BYTES = 1 << 14
_SAMPLE_PAGES = 1_500
_SAMPLE_BYTES, _SAMPLE_SECONDS = 256 << 10, 2.0
"""For a record of the sample: a larger or slower one is not needed."""

_RECORD_BYTES = 256
"""What each record counts at least, so that their number is bounded too."""
_MOST_OVERRUNS = 5
"""Records of a source that may overrun; the rest of it is skipped then."""


class _Split(Struct, frozen=True, array_like=True):
    """A source to split, from the first record that is not done."""

    number: int
    path: str
    name: str
    format: str | None
    done: int
    size: int


def _split(wanted: _Split) -> Iterator[Chunk]:
    """Recognise a source's format, and yield its records in chunks."""
    source = Source(Path(wanted.path), wanted.name)
    reader = reader_for(source, wanted.format)
    start = (wanted.number, wanted.path, wanted.name, reader.name)
    # Of records that an interrupted build has done, only reading them knows the place.
    if isinstance(reader, SpanReader) and not wanted.done:
        # Smaller parts of a small file, so that every worker gets some.
        size = min(max(wanted.size // 32, _LEAST_BYTES), _CHUNK_BYTES)
        spans = reader.spans(source, size)
        if spans is not None:
            yield from (Chunk(*start, [], span.end, span) for span in spans)
            return
    records: list[Record] = []
    size, total = 0, 0
    most = most_bytes(wanted.size)
    for position, record in enumerate(reader.records(source)):
        progress(position + 1)
        total += max(len(record.data), _RECORD_BYTES)
        if total > most:
            why = (
                f"the file gives more than {MOST_EXPANSION} times what it stores, which real text "
                "does not; the rest of it is skipped (unpack it first if it is sound)"
            )
            records.append(Record(b"", record.line, why))
            break
        if position < wanted.done:
            continue
        records.append(record)
        size += len(record.data)
        if len(records) == _CHUNK_RECORDS or size > _CHUNK_BYTES:
            yield Chunk(*start, records, bytes_read(source.path))
            records, size = [], 0
    if records:
        yield Chunk(*start, records, wanted.size)


def splitter(_: None) -> Callable[[bytes], Iterator[bytes]]:
    """Make a worker process's function: an encoded source in, encoded Chunks out."""
    decode = msgspec.msgpack.Decoder(_Split).decode
    encode = msgspec.msgpack.Encoder().encode
    return lambda payload: map(encode, _split(decode(payload)))


def sampler(_: None) -> Callable[[bytes], bytes]:
    """Make a worker process's function: an encoded Chunk in, samples for a dictionary out."""
    decode = msgspec.msgpack.Decoder(Chunk).decode
    encode = msgspec.msgpack.Encoder().encode
    return lambda payload: encode(_samples(decode(payload)))


def _samples(chunk: Chunk) -> list[bytes]:
    reader, source = FORMATS[chunk.format], Source(Path(chunk.path), chunk.name)
    found: list[bytes] = []
    for place, record in enumerate(chunk_records(chunk)[0], 1):
        progress(place)
        if record.problem or len(record.data) > _SAMPLE_BYTES:
            continue
        try:
            parsed = reader.parse(record, source)
        except (BadRecord, MissingExtra):
            continue  # it is reported when the source is read in earnest
        if isinstance(parsed, Partial):
            parsed = parsed.page
        if isinstance(parsed, Page):
            found.append(dictionary_sample(parsed))
    return found


class SourceReading:
    """Sources that are read by workers; without workers, in this process and unbounded."""

    def __init__(
        self,
        sources: Sequence[Source],
        sizes: Sequence[int],
        format: str | None,  # noqa: A002
        *,
        workers: Where,
        budget: Budget,
        on_unreadable: Callable[[int, InputError], None],
    ) -> None:
        self._sources, self._sizes, self._format = sources, sizes, format
        self._workers, self._budget = workers, budget
        self._on_unreadable = on_unreadable
        self._overruns: Counter[int] = Counter()
        self._left: set[int] = set()
        self._guard = threading.Lock()

    def leave(self, number: int) -> None:
        """Read no further in a source."""
        self._left.add(number)

    def dictionary(self) -> bytes:
        """Learn from the first pages what all of them have in common."""
        found: list[bytes] = []
        until = time.monotonic() + self._budget.seconds
        with closing(self._sampled()) as samples:
            for more in samples:
                found += more
                if len(found) >= _SAMPLE_PAGES or time.monotonic() > until:
                    break
        return train_dictionary(found[:_SAMPLE_PAGES])

    def results(self, dictionary: bytes, done: Sequence[int]) -> Generator[ChunkResult]:
        """Yield what becomes of the records that are not done yet, in order."""
        decode = msgspec.msgpack.Decoder(ChunkResult).decode
        with (
            self._pool(splitter) as split,
            self._pool(worker, dictionary, where=self._workers) as pool,
        ):
            for answer in pool.map(self._chunks(split, done), self._skip):
                yield decode(answer)

    def pages(self) -> Generator[ChunkPages]:
        """Yield the pages as they are read, in order."""
        nothing = [0] * len(self._sources)
        decode = msgspec.msgpack.Decoder(ChunkPages).decode
        with self._pool(splitter) as split, self._pool(page_worker, where=self._workers) as pool:
            for answer in pool.map(self._chunks(split, nothing), self._skip):
                yield decode(answer)

    def _sampled(self) -> Generator[list[bytes]]:
        nothing = [0] * len(self._sources)
        decode = msgspec.msgpack.Decoder(list[bytes]).decode
        with (
            self._pool(splitter, seconds=_SAMPLE_SECONDS) as split,
            self._pool(sampler, seconds=_SAMPLE_SECONDS) as pool,
        ):
            chunks = self._chunks(split, nothing, quiet=True)
            yield from map(decode, pool.map(chunks, _skip))

    def _pool(
        self,
        work: Callable[..., object],
        settings: object = None,
        *,
        where: Where | None = None,
        seconds: float | None = None,
    ) -> Pool:
        """Open a pool: of one process of this machine unless said, of none if there are none."""
        budget = self._budget if seconds is None else replace(self._budget, seconds=seconds)
        return open_pool(work, settings, where or (1 if self._workers else 0), budget)

    def _chunks(self, pool: Pool, done: Sequence[int], *, quiet: bool = False) -> Iterator[bytes]:
        """Yield every source's chunks; what cannot be split is reported."""
        for number, source in enumerate(self._sources):
            if number in self._left:
                continue
            wanted = _Split(
                number,
                str(source.path.absolute()),  # workers may be at home elsewhere
                source.name,
                self._format,
                done[number],
                self._sizes[number],
            )
            try:
                split = pool.stream(msgspec.msgpack.encode(wanted))
                with closing(cast(Generator[bytes], split)) as chunks:
                    for chunk in chunks:
                        yield chunk
                        if number in self._left:
                            break
            except Overrun as overrun:
                if not quiet:
                    why = f"{overrun}; the file is skipped from here on"
                    error = BadRecord(why, path=source.name, line=overrun.place)
                    self._on_unreadable(number, error)
            except InputError as unreadable:
                if not quiet:
                    self._on_unreadable(number, unreadable)

    def _skip(self, payload: bytes, overrun: Overrun) -> bytes:
        """Skip a record that overran; too many of them, and the source is skipped."""
        source = _DECODER.decode(payload).source
        with self._guard:
            self._overruns[source] += 1
            if self._overruns[source] > _MOST_OVERRUNS:
                self._left.add(source)
        if source in self._left:
            overrun = Overrun(
                f"more than {_MOST_OVERRUNS} records overran their budget; the file is skipped "
                "from here on"
            )
        return _skip(payload, overrun)


_DECODER = msgspec.msgpack.Decoder(Chunk)


def _skip(payload: bytes, overrun: Overrun) -> bytes:
    chunk = _DECODER.decode(payload)
    skipped = [*chunk.skip, (overrun.place, f"{overrun}; it is skipped")]
    return msgspec.msgpack.encode(replace(chunk, skip=skipped))
