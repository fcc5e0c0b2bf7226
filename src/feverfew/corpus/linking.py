"""Link a whole corpus: one more pass over its pages, by worker processes where there are many.

It runs at the end of a build whose sources have hyperlinks, or that was asked to link mentions. Any
other corpus is linked when its links are first asked for, as most never are, and looking for every
name in every page would make a build a fifth slower.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import numpy as np

from feverfew.corpus import layout
from feverfew.corpus.checksums import digest_parts
from feverfew.corpus.linker import Linked, Linker, Mentions
from feverfew.corpus.links import LinkGraph, link_files, write_links
from feverfew.corpus.nametable import NameTable
from feverfew.corpus.pages import PageStore, storage_errors
from feverfew.corpus.titles import TitleIndex
from feverfew.errors import CorpusBusy, CorpusError
from feverfew.workers import Workers, cores

__all__ = ["link_pages", "mentions_of", "mentions_when", "open_links", "renew_links"]

_RANGE = 2_000
"""Pages that a worker links at a time."""
_FEW = 20_000
"""Below so many pages, starting workers costs more than they save."""
_KINDS = (np.uint32, np.uint32, np.uint32, np.uint64)

Settings = tuple[str, int, str, str]
"""The generation's folder, the version of its titles, of which pages mentions count, the table."""


def mentions_of(store: PageStore) -> Mentions:
    """Say of which pages of a corpus mentions are links."""
    return Mentions(str(store.fact("mentions", Mentions.UNLINKED.value)))


def mentions_when(asked: bool | None) -> Mentions:
    """Say of which pages mentions are links, if that is asked for, forbidden, or left open."""
    return {None: Mentions.UNLINKED, True: Mentions.ALL, False: Mentions.NONE}[asked]


def link_pages(
    folder: Path,
    store: PageStore,
    version: int,
    *,
    into: Path | None = None,
    workers: int | None = None,
) -> None:
    """Find all links, and write them as a version; what the store holds must be committed."""
    titles_version = int(str(store.fact("titles")))
    mentions = mentions_of(store)
    last = store.last_number()
    if workers is None:
        workers = cores() if last > _FEW else 0
    with TemporaryDirectory(prefix="feverfew-") as table:
        if mentions != Mentions.NONE:
            titles = TitleIndex.open(folder, titles_version, store.new_names())
            alive = np.zeros(last + 1, bool)
            alive[[number for number, _ in store.all_titles()]] = True
            NameTable.of_titles(titles, alive).write(Path(table))
        settings = (str(folder), titles_version, mentions.value, table)
        with storage_errors(folder):
            write_links(into or folder, version, last, _linked(settings, last, workers))


def _linked(settings: Settings, last: int, workers: int) -> Iterator[Linked]:
    """Yield the links of all pages, in order."""
    ranges = [msgspec.msgpack.encode((n, n + _RANGE)) for n in range(0, last, _RANGE)]
    if not workers:
        work = worker(settings)
        yield from (_unpacked(work(payload)) for payload in ranges)
        return
    with Workers(f"{worker.__module__}:{worker.__name__}", settings, workers) as pool:
        yield from map(_unpacked, pool.map(ranges))


def worker(settings: Settings) -> Callable[[bytes], bytes]:
    """Make a worker's function: a range of page numbers in, their links out."""
    folder, version, mentions = Path(settings[0]), settings[1], Mentions(settings[2])
    store = PageStore.open(folder / "pages.sqlite")
    titles = TitleIndex.open(folder, version, store.new_names())
    table = None if mentions == Mentions.NONE else NameTable.open(Path(settings[3]))
    linker = Linker(store, titles, mentions, table)

    def work(payload: bytes) -> bytes:
        after, last = msgspec.msgpack.decode(payload)
        found = linker.link(store.numbered_pages(after, last))
        return msgspec.msgpack.encode([array.tobytes() for array in msgspec.structs.astuple(found)])

    return work


def _unpacked(answer: bytes) -> Linked:
    parts: list[bytes] = msgspec.msgpack.decode(answer)
    arrays = (np.frombuffer(part, kind) for part, kind in zip(parts, _KINDS, strict=True))
    return Linked(*arrays)


def renew_links(folder: Path, store: PageStore) -> None:
    """Link all pages anew, as the next version, and let the one before go."""
    before = store.fact("links")
    old = before if isinstance(before, int) else 0
    link_pages(folder, store, old + 1)
    store.forget_links()
    store.set_fact("links", old + 1)
    names = {*link_files(old).values(), *link_files(old + 1).values()}
    known = {name: part for name, part in store.parts().items() if name not in names}
    with storage_errors(folder):
        found = digest_parts(folder, known)
    for name in link_files(old).values():
        found.pop(name, None)
    store.set_parts(found)
    store.commit()
    for name in link_files(old).values():
        (folder / name).unlink(missing_ok=True)


def open_links(directory: Path, folder: Path, store: PageStore) -> LinkGraph:
    """Open a corpus's links; find them first, where no one has yet."""
    version = store.fact("links")
    if version is None:
        try:
            with layout.write_lock(directory):
                _link(folder)
        except (CorpusBusy, CorpusError):
            return _link_aside(folder, store)
        version = store.fact("links")
    return LinkGraph.open(folder, int(str(version)), store.relinked())


def _link(folder: Path) -> None:
    with closing(PageStore.open(folder / "pages.sqlite", writable=True)) as store:
        if store.fact("links") is None:  # else another process has been faster
            renew_links(folder, store)


def _link_aside(folder: Path, store: PageStore) -> LinkGraph:
    """Find the links for this process alone, where nothing may be written just now."""
    with TemporaryDirectory(prefix="feverfew-") as aside:
        link_pages(folder, store, 0, into=Path(aside))
        return LinkGraph.open(Path(aside), 0, [])  # mapped at once: the files may go
