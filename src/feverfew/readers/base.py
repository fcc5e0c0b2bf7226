"""What a reader is: it splits a file into raw records cheaply, and parses one record purely.

Splitting streams in one process; parsing is the heavy part and runs in many. A record knows
where it stood, so that a bad one can be reported, skipped and counted, and so that a build
that was interrupted can go on behind the last record it kept.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, runtime_checkable

from msgspec import Struct

from feverfew.types import Page, Redirect


class Partial(Struct, frozen=True):
    """A page of which something could not be read, and what: to be indexed and reported."""

    page: Page
    problem: str


Parsed = Page | Redirect | Partial | None
"""What becomes of a record: None is a record that rightly holds no page (a header, a talk page)."""


class Source(Struct, frozen=True):
    """A file to read: where it lies, and the name that records and pages cite."""

    path: Path
    name: str
    """Relative to what the user gave, so that it is stable across machines."""


class Record(Struct, frozen=True, gc=False):
    """A raw piece of a source, not yet understood."""

    data: bytes
    line: int
    """Line, row or running number in the source, from 1: whatever a person would look for."""
    problem: str = ""
    """Set when splitting itself already found the record unreadable."""


class Span(Struct, frozen=True, gc=False, array_like=True):
    """A part of a file of lines: the bytes from `start` to `end`, cut where lines end."""

    start: int
    end: int


class PageReader(Protocol):
    """One file format that holds pages."""

    name: str
    """What `--format` calls it."""

    def recognises(self, head: bytes, source: Source) -> bool:
        """Say whether the first decompressed kilobytes of a source are of this format."""
        ...

    def records(self, source: Source) -> Iterator[Record]:
        """Stream a source's raw records; cheap, sequential, bounded memory."""
        ...

    def parse(self, record: Record, source: Source) -> Parsed:
        """Turn one record into a page; pure, and raises BadRecord for what it cannot read."""
        ...


@runtime_checkable
class SpanReader(Protocol):
    """A format of which workers may read their own parts of a file; more than a PageReader."""

    def spans(self, source: Source, size: int) -> Iterator[Span] | None:
        """Cut a source into parts of about `size` bytes, or say that it has to be streamed."""
        ...

    def span_records(self, source: Source, span: Span) -> tuple[list[Record], int]:
        """Return a part's records, their lines counted from its start, and how many it has."""
        ...
