"""Find the sources in files and folders, and the reader that understands each."""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from feverfew.errors import BadRecord, InputError, UnknownFormat
from feverfew.model import Page, Redirect
from feverfew.readers.base import PageReader, Source
from feverfew.readers.fever import Fever
from feverfew.readers.files import head

__all__ = ["FORMATS", "read_pages", "reader_for", "sources"]

_READERS: tuple[PageReader, ...] = (Fever(),)
"""In the order in which they are asked: the most particular first."""

FORMATS: dict[str, PageReader] = {reader.name: reader for reader in _READERS}


def sources(paths: Iterable[Path | str]) -> Iterator[Source]:
    """Yield every file, folders in sorted order; hidden files and folders are left out."""
    for given in paths:
        path = Path(given)
        if path.is_dir():
            for file in _walk(path, set()):
                yield Source(file, file.relative_to(path).as_posix())
        elif path.exists():
            yield Source(path, path.name)
        else:
            raise InputError(f"{path}: no such file or folder")


def _walk(folder: Path, above: set[tuple[int, int]]) -> Iterator[Path]:
    stat = folder.stat()
    here = (stat.st_dev, stat.st_ino)
    if here in above:
        return  # a link to a folder that we are in
    with os.scandir(folder) as entries:
        names = sorted(entry.name for entry in entries if not entry.name.startswith("."))
    for name in names:
        path = folder / name
        if path.is_dir():
            yield from _walk(path, above | {here})
        elif path.is_file():
            yield path


def reader_for(source: Source, format: str | None = None) -> PageReader:  # noqa: A002
    """Return the named reader, or the one that recognises the source's content."""
    if format is not None:
        if format not in FORMATS:
            raise UnknownFormat(f"unknown format {format!r}; known are {', '.join(FORMATS)}")
        return FORMATS[format]
    start = head(source.path)
    for reader in FORMATS.values():
        if reader.recognises(start, source):
            return reader
    raise UnknownFormat(
        f"{source.name}: not recognised; name its format, one of {', '.join(FORMATS)}"
    )


def read_pages(
    path: Path | str,
    format: str | None = None,  # noqa: A002
    *,
    on_bad: Callable[[BadRecord], None] | None = None,
) -> Iterator[Page | Redirect]:
    """Yield the pages and redirects of a file or folder.

    A record that cannot be read goes to `on_bad`, and reading goes on behind it; without
    `on_bad`, it is raised.
    """
    for source in sources([path]):
        reader = reader_for(source, format)
        for record in reader.records(source):
            try:
                parsed = reader.parse(record, source)
            except BadRecord as bad:
                if on_bad is None:
                    raise
                on_bad(bad)
                continue
            if parsed is not None:
                yield parsed
