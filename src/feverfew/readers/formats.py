"""Find the sources in files and folders, and the reader for each; read tar archives."""

import os
import tarfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path, PurePosixPath

from feverfew.errors import BadRecord, InputError, UnknownFormat
from feverfew.readers.base import PageReader, Parsed, Partial, Record, Source
from feverfew.readers.decode import json_keys, refuse
from feverfew.readers.files import DAMAGE, HEAD, LONGEST_LINE, damage, head, open_bytes
from feverfew.types import Page, Redirect

# In the order in which they are asked: the most particular first.
_CLASSES = {
    "fever": "fever.Fever",
    "feverous": "feverous.Feverous",
    "hover": "hover.Hover",
    "mediawiki": "mediawiki.dump.MediaWiki",
    "tar": "formats.Archive",
    "html": "html.page.Html",
    "documents": "documents.reader.Documents",
}


@cache
def _reader(name: str) -> PageReader:
    module, _, kind = _CLASSES[name].rpartition(".")
    reader: PageReader = getattr(import_module(f"feverfew.readers.{module}"), kind)()
    return reader


class _Formats(Mapping[str, PageReader]):
    def __getitem__(self, name: str) -> PageReader:
        return _reader(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_CLASSES)

    def __len__(self) -> int:
        return len(_CLASSES)


FORMATS: Mapping[str, PageReader] = _Formats()
"""Every page format by the name that `--format` calls it; imported when first asked for."""

_LINE_BY_LINE = ("fever", "feverous", "hover")
DOCUMENTS = ("html", "documents")
"""The formats of which a file is one record, so that it may stand in an archive."""


def sources(
    paths: Iterable[Path | str],
    root: Path | None = None,
    on_bad: Callable[[BadRecord], None] | None = None,
) -> Iterator[Source]:
    """Yield every file, each folder's in sorted order; hidden files are left out.

    Names are relative to `root`, or else to the folder that was given. A folder that several
    links lead to is read once. A folder within that cannot be read, and a link that leads out of
    the folder given, are skipped and go to `on_bad`; without `on_bad`, they are raised.
    """
    for given in paths:
        path = Path(given)
        if path.is_dir():
            for file in _walk(path, on_bad):
                yield Source(file, _name(file, root or path))
        elif path.exists():
            yield Source(path, _name(path, root or path.parent))
        else:
            raise InputError(f"{path}: no such file or folder")


def _name(file: Path, root: Path) -> str:
    try:
        return _readable(file.absolute().relative_to(root.absolute()).as_posix())
    except ValueError:
        raise InputError(f"{file} does not lie in {root}") from None


def _walk(folder: Path, on_bad: Callable[[BadRecord], None] | None) -> Iterator[Path]:
    inside = folder.resolve()
    seen: set[tuple[int, int]] = set()

    def skip(path: str, why: str) -> None:
        bad = BadRecord(why, path=_readable(os.path.relpath(path, folder)))
        if on_bad is None:
            raise bad
        on_bad(bad)

    def unreadable(error: OSError) -> None:
        # The folder that was asked for must not be skipped in silence.
        if Path(error.filename) == folder:
            raise InputError(f"{error.filename}: {error.strerror}")
        skip(error.filename, f"the folder cannot be read: {error.strerror}")

    def stays(root: str, name: str) -> bool:
        path = os.path.join(root, name)
        if not os.path.islink(path) or Path(path).resolve().is_relative_to(inside):
            return True
        skip(path, "a link that leads out of the folder; name what it leads to as a source")
        return False

    for root, folders, files in os.walk(folder, onerror=unreadable, followlinks=True):
        stat = os.stat(root)
        if (stat.st_dev, stat.st_ino) in seen:
            folders.clear()
            continue
        seen.add((stat.st_dev, stat.st_ino))
        folders[:] = sorted(n for n in folders if not n.startswith(".") and stays(root, n))
        shown = sorted(name for name in files if not name.startswith("."))
        yield from (Path(root, name) for name in shown if stays(root, name))


def _readable(name: str) -> str:
    """Replace what is not UTF-8 in a file's name: it is stored with every page."""
    return os.fsencode(name).decode("utf-8", "replace")


def recognise(start: bytes, source: Source, names: Iterable[str] = _CLASSES) -> PageReader | None:
    """Return the first of the named readers that recognises how a source starts."""
    return next((FORMATS[n] for n in names if FORMATS[n].recognises(start, source)), None)


def _named(name: str) -> PageReader:
    if name not in FORMATS:
        raise UnknownFormat(f"unknown format {name!r}; known are {', '.join(FORMATS)}")
    return FORMATS[name]


def reader_for(source: Source, format: str | None = None) -> PageReader:  # noqa: A002
    """Return the named reader, or the one that recognises the source's content."""
    if format is not None:
        return _named(format)
    start = head(source.path)
    if reader := recognise(start, source):
        return reader
    if (
        b"\n" not in start
        and len(start) == HEAD
        and (reader := recognise(head(source.path, past_first_line=True), source, _LINE_BY_LINE))
    ):
        return reader
    if not start.strip():
        raise UnknownFormat(f"{source.name}: empty")
    if any(b"claim" in keys for keys in json_keys(start)):
        raise UnknownFormat(f"{source.name}: holds claims, not pages")
    raise UnknownFormat(
        f"{source.name}: format not recognised; if it is one of {', '.join(FORMATS)}, name it"
    )


def read_pages(
    path: Path | str,
    format: str | None = None,  # noqa: A002
    *,
    root: Path | None = None,
    on_bad: Callable[[BadRecord], None] | None = None,
) -> Iterator[Page | Redirect]:
    """Yield the pages and redirects of a file or folder.

    A document's title is its path, relative to `root` or else to what was given. What cannot be
    read, a record or a whole file, goes to `on_bad`, and reading goes on behind it; without
    `on_bad`, it is raised.
    """
    if format is not None:
        _named(format)  # a slip in the name is the caller's, not each file's
    for source in sources([path], root, on_bad):
        yield from read_source(source, format, on_bad)


def read_source(
    source: Source,
    format: str | None = None,  # noqa: A002
    on_bad: Callable[[BadRecord], None] | None = None,
) -> Iterator[Page | Redirect]:
    """Yield the pages and redirects of one file; as for `read_pages`."""
    for found in _read(source, format):
        if not isinstance(found, InputError):
            yield found
        elif on_bad is None:
            raise found
        elif isinstance(found, BadRecord):
            on_bad(found)
        else:
            why = str(found).removeprefix(f"{source.name}: ")
            on_bad(BadRecord(why, path=source.name))


def _read(source: Source, name: str | None) -> Iterator[Page | Redirect | InputError]:
    try:
        reader = reader_for(source, name)
        for record in reader.records(source):
            try:
                parsed = reader.parse(record, source)
            except BadRecord as bad:
                yield bad
            else:
                if isinstance(parsed, Partial):
                    yield parsed.page
                    yield BadRecord(parsed.problem, path=source.name)
                elif parsed is not None:
                    yield parsed
    except InputError as error:
        yield error


_MAGIC_AT = 257


class Archive:
    """Read the documents in a tar archive, compressed or not, in the archive's order."""

    name = "tar"

    def recognises(self, head: bytes, source: Source) -> bool:
        return head[_MAGIC_AT : _MAGIC_AT + 5] == b"ustar"

    def records(self, source: Source) -> Iterator[Record]:
        """Stream the members; a record is a member's name, a zero byte and its content."""
        number = 1
        with open_bytes(source.path) as file:
            try:
                # As a stream, so that memory holds one member at a time.
                with tarfile.open(fileobj=file, mode="r|", errorlevel=0) as archive:
                    for member in archive:
                        if not member.isfile() or _hidden(member.name):
                            continue
                        if member.size > LONGEST_LINE:
                            why = f"{member.name} is larger than {LONGEST_LINE >> 20} MB"
                            yield Record(b"", number, why)
                        elif content := archive.extractfile(member):
                            data = content.read()
                            name = member.name.encode("utf-8", "surrogateescape")
                            yield Record(name + b"\0" + data, number)
                        number += 1
            except (tarfile.TarError, *DAMAGE) as error:
                yield Record(b"", number, damage(error))

    def parse(self, record: Record, source: Source) -> Parsed:
        if record.problem:
            raise refuse(record.problem, record, source)
        name, _, content = record.data.partition(b"\0")
        member = name.decode("utf-8", "replace")
        inner = Source(Path(member), f"{source.name}/{member}")
        reader = recognise(content, inner, DOCUMENTS)
        if reader is None:
            raise refuse(f"{member} is not a document", record, source)
        return reader.parse(Record(content, 1), inner)


def _hidden(name: str) -> bool:
    return any(part.startswith(".") for part in PurePosixPath(name).parts)
