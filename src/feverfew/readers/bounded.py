"""Read a file in a worker process, which can be ended: one that costs too much is refused.

For single files: claims, predictions, evidence, audit reports, and documents that are added to a
corpus or checked. A build has its own way, which skips single records
(`feverfew.corpus.reading`).
"""

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar, get_args, get_type_hints

import msgspec
from msgspec import Raw

from feverfew.errors import BadRecord
from feverfew.readers.files import STDIN, most_bytes
from feverfew.readers.formats import read_pages, sources
from feverfew.types import Page, Redirect
from feverfew.workers import Budget, Overrun, Workers, progress

__all__ = ["bounded", "bounded_value", "read_pages_bounded", "worker"]

T = TypeVar("T")

_ITEMS, _BYTES = 256, 1 << 20
"""What is sent home at once, at most."""


def worker(_: None) -> Callable[[bytes], Iterator[bytes]]:
    """Make a worker process's function: a reader's name and arguments in, what it reads out."""
    encode = msgspec.msgpack.Encoder().encode

    def read(payload: bytes) -> Iterator[bytes]:
        module, name, path, arguments = msgspec.msgpack.decode(payload)
        made = getattr(import_module(module), name)(Path(path), *arguments)
        items: list[Raw] = []
        size = 0
        for place, item in enumerate(made if isinstance(made, Iterator) else [made], 1):
            items.append(Raw(encode(item)))
            size += len(items[-1])
            if len(items) == _ITEMS or size > _BYTES:
                yield encode(items)
                items, size = [], 0
            progress(place)  # each has the whole of its time
        yield encode(items)

    return read


def bounded(
    read: Callable[..., Iterator[T]],
    path: Path | str,
    *arguments: object,
    budget: Budget | None = None,
) -> Iterator[T]:
    """Yield what `read(path, *arguments)` yields, no item of which may take more than the budget.

    Nor may all of them together be far more than the file stores. Only the standard input is read
    in this process: its lines are bounded, and whoever pipes them can stop.
    """
    if str(path) == str(STDIN):
        yield from read(path, *arguments)
        return
    (kind,) = get_args(get_type_hints(read)["return"])
    yield from _read(read, kind, path, arguments, budget)


def bounded_value(
    read: Callable[..., T], path: Path | str, *arguments: object, budget: Budget | None = None
) -> T:
    """Return what `read(path, *arguments)` returns; refuse what takes more than the budget."""
    if str(path) == str(STDIN):
        return read(path, *arguments)
    (found,) = _read(read, get_type_hints(read)["return"], path, arguments, budget)
    return found  # type: ignore[no-any-return]


def _read(
    read: Callable[..., Any],
    kind: Any,
    path: Path | str,
    arguments: tuple[object, ...],
    budget: Budget | None,
) -> Iterator[Any]:
    decode = msgspec.msgpack.Decoder(list[kind]).decode
    asked = msgspec.msgpack.encode((read.__module__, read.__name__, str(path), arguments))
    left = most_bytes(_stored(Path(path)))
    with Workers(f"{__name__}:{worker.__name__}", None, 1, budget or Budget()) as pool:
        try:
            for answer in pool.stream(asked):
                left -= len(answer)
                if left < 0:
                    raise Overrun("it holds far more than it stores, which real text does not")
                yield from decode(answer)
        except Overrun as overrun:
            raise BadRecord(str(overrun), path=str(path)) from None


def _stored(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0  # the reader will say so


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
    for path in paths:
        within = root or (path if path.is_dir() else path.parent)
        for source in sources([path], root):
            try:
                for page, redirect in bounded(
                    pages_of, source.path, format, str(within), budget=budget
                ):
                    if found := page or redirect:
                        yield found
            except BadRecord as error:
                raise BadRecord(error.reason, path=source.name, line=error.line) from None


def pages_of(
    path: Path,
    format: str | None,  # noqa: A002
    root: str,
) -> Iterator[tuple[Page | None, Redirect | None]]:
    """Read pages in a form in which a page and a redirect can be told apart."""
    for found in read_pages(path, format, root=Path(root)):
        yield (found, None) if isinstance(found, Page) else (None, found)
