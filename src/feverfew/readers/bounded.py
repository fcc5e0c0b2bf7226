"""Read pages in a worker process, which can be ended: a file that costs too much is refused.

For the few files that are added to a corpus or checked; a build has its own way, which skips single
records (`feverfew.corpus.reading`).
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from feverfew.errors import BadRecord
from feverfew.readers.formats import read_pages, sources
from feverfew.types import Page, Redirect
from feverfew.workers import Budget, Overrun, Workers

__all__ = ["read_pages_bounded", "worker"]

_DECODER = msgspec.msgpack.Decoder(tuple[Page | None, Redirect | None])


def worker(_: None) -> Callable[[bytes], Iterator[bytes]]:
    """Make a worker process's function: a file in, its encoded pages out."""
    encode = msgspec.msgpack.Encoder().encode

    def pages(payload: bytes) -> Iterator[bytes]:
        path, format, root = msgspec.msgpack.decode(payload)  # noqa: A001
        for found in read_pages(path, format, root=Path(root)):
            both = (found, None) if isinstance(found, Page) else (None, found)
            yield encode(both)

    return pages


def read_pages_bounded(
    paths: Iterable[Path],
    format: str | None = None,  # noqa: A002
    *,
    root: Path | None = None,
    budget: Budget | None = None,
) -> Iterator[Page | Redirect]:
    """Yield the pages of files and folders; raise BadRecord at the first that cannot be read.

    No page may take more than the budget; a file of which one does is refused.
    """
    factory = f"{worker.__module__}:{worker.__name__}"
    with Workers(factory, None, 1, budget or Budget()) as pool:
        for path in paths:
            within = root or (path if path.is_dir() else path.parent)
            for source in sources([path], root):
                asked = (str(source.path), format, str(within))
                try:
                    for answer in pool.stream(msgspec.msgpack.encode(asked)):
                        page, redirect = _DECODER.decode(answer)
                        if found := page or redirect:
                            yield found
                except Overrun as overrun:
                    raise BadRecord(str(overrun), path=source.name) from None
