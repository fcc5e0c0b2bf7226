"""Find the links between pages: by hyperlinks or, where a page has none, by the titles it names.

A whole corpus is linked at the end of a build whose sources have hyperlinks, or that was asked to
link mentions; any other when its links are first asked for. Most never are, and looking for every
name in every page would make a build a fifth slower. When pages change, only those concerned are
read again: the changed ones, those that link to them or to a name that came or went, and, where
mentions are links, those whose text has all the words of such a name.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing
from enum import StrEnum
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from feverfew.corpus import layout
from feverfew.corpus.checksums import break_seal, digest_parts, seal_store
from feverfew.corpus.links import Linked, LinkGraph, link_files, link_rows, write_links
from feverfew.corpus.names import NameKind, hash_of_key, lookup_key, targets_of
from feverfew.corpus.nametable import LONGEST, NameTable, may_name, unique_page
from feverfew.corpus.pages import PageStore, storage_errors
from feverfew.corpus.shards import open_store, open_text
from feverfew.corpus.titles import TitleIndex, find_number
from feverfew.errors import CorpusError
from feverfew.pools import open_pool
from feverfew.temporary import temporary_folder
from feverfew.text import fold, spelled_words
from feverfew.types import Page
from feverfew.workers import cores

__all__ = ["MOST_RELINKED", "find_links", "link_pages", "mentions_when", "relink", "renew_if_many"]

_REMEMBERED = 200_000
_TEXT = 1 << 19
"""Letters of pages that are looked through together: enough to be fast, few enough to be near."""


class Mentions(StrEnum):
    """Of which pages the mentions of other titles are links."""

    NONE = "none"
    UNLINKED = "unlinked"
    """Of those that have no hyperlinks."""
    ALL = "all"


class Linker:
    """Finds the links of pages, many at a time."""

    def __init__(
        self, store: PageStore, titles: TitleIndex, mentions: Mentions, table: NameTable | None
    ) -> None:
        self._store, self._titles = store, titles
        self._mentions, self._table = mentions, table
        self._known: dict[str, int | None] = {}

    def link(self, pages: Iterable[tuple[int, Page]]) -> Linked:
        """Find where some pages lead to."""
        pairs: list[tuple[int, int]] = []
        missing: list[tuple[int, int]] = []
        named: list[NDArray[np.uint64]] = []
        texts: dict[int, str] = {}
        letters = 0
        for number, page in pages:
            linked = False
            for target in dict.fromkeys(targets_of(page)):
                linked = True
                found = self._find(target)
                if found is None:
                    missing.append((number, hash_of_key(lookup_key(target))))
                else:
                    pairs.append((number, found))
            if self._table is not None and self._reads(linked):
                texts[number] = "\n".join(page.texts())
                letters += len(texts[number])
                if letters > _TEXT:
                    named.append(_named(self._table, texts))
                    texts, letters = {}, 0
        if self._table is not None and texts:
            named.append(_named(self._table, texts))
        return _as_linked(pairs, missing, named)

    def _reads(self, linked: bool) -> bool:
        return self._mentions == Mentions.ALL or (
            self._mentions == Mentions.UNLINKED and not linked
        )

    def _find(self, target: str) -> int | None:
        """Find a page, or remember it: a few pages are linked to from everywhere."""
        if target not in self._known:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[target] = find_number(self._titles, self._store, target)
        return self._known[target]


def _named(table: NameTable, texts: dict[int, str]) -> NDArray[np.uint64]:
    """Find the pages that texts name; a pair is one number, the source in its upper half."""
    of, pages = table.find(list(texts.values()))
    sources = np.array(list(texts), np.uint64)[of]
    return sources << np.uint64(32) | pages


def _as_linked(
    pairs: list[tuple[int, int]],
    missing: list[tuple[int, int]],
    named: list[NDArray[np.uint64]],
) -> Linked:
    own = np.array([source << 32 | target for source, target in pairs], np.uint64)
    both = np.unique(np.concatenate([own, *named]))
    sources = (both >> np.uint64(32)).astype(np.uint32)
    targets = both.astype(np.uint32)
    other = sources != targets  # a page that links to itself leads nowhere
    missing = sorted(set(missing))
    return Linked(
        sources[other],
        targets[other],
        np.array([source for source, _ in missing], np.uint32),
        np.array([key for _, key in missing], np.uint64),
    )


_RANGE = 2_000
"""Pages that a worker links at a time."""
_FEW = 20_000
"""Below so many pages, starting workers costs more than they save."""
_KINDS = (np.uint32, np.uint32, np.uint32, np.uint64)

Settings = tuple[str, int, str, str]
"""The generation's folder, the version of its titles, of which pages mentions count, the table."""


def mentions_of(store: PageStore) -> Mentions:
    """Say of which pages of a corpus mentions are links."""
    return Mentions(str(store.meta("mentions", Mentions.UNLINKED.value)))


def mentions_when(asked: bool | None) -> Mentions:
    """Say of which pages mentions are links, if that is asked for, forbidden, or left open."""
    return {None: Mentions.UNLINKED, True: Mentions.ALL, False: Mentions.NONE}[asked]


def link_pages(folder: Path, store: PageStore, version: int, *, workers: int | None = None) -> None:
    """Find all links, and write them as a version; what the store holds must be committed."""
    titles_version = int(str(store.meta("titles")))
    mentions = mentions_of(store)
    last = store.last_number()
    if workers is None:
        workers = cores() if last > _FEW else 0
    with temporary_folder() as table:
        if mentions != Mentions.NONE:
            titles = TitleIndex.open(folder, titles_version, store.new_names())
            NameTable.of_titles(titles, _alive(store, last)).write(table)
        settings = (str(folder), titles_version, mentions.value, str(table))
        with storage_errors(folder):
            write_links(folder, version, last, _linked(settings, last, workers))


def _linked(settings: Settings, last: int, workers: int) -> Iterator[Linked]:
    """Yield the links of all pages, in order."""
    ranges = [msgspec.msgpack.encode((n, n + _RANGE)) for n in range(0, last, _RANGE)]
    with open_pool(worker, settings, workers) as pool:
        yield from map(_unpacked, pool.map(ranges))


def worker(settings: Settings) -> Callable[[bytes], bytes]:
    """Make a worker's function: a range of page numbers in, their links out."""
    folder, version, mentions = Path(settings[0]), settings[1], Mentions(settings[2])
    store = open_store(folder)
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
    before = store.meta("links")
    old = before if isinstance(before, int) else 0
    link_pages(folder, store, old + 1)
    store.forget_links()
    store.set_meta("links", old + 1)
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


def find_links(directory: Path, folder: Path, store: PageStore, titles: TitleIndex) -> LinkGraph:
    """Find a corpus's links, where no one has yet, and keep them for all who open it.

    Where the corpus has changed since it was opened, or nothing may be written, they are found for
    this process alone.
    """
    try:
        with layout.write_lock(directory):
            if folder.is_dir() and not store.has_changed():
                _link(folder)
                links = int(str(store.meta_now("links")))
                return LinkGraph.open(folder, links, store.relinked())
    except CorpusError:
        pass
    return _link_aside(store, titles)


def _link(folder: Path) -> None:
    with storage_errors(folder):
        break_seal(folder)
    with closing(open_store(folder, writable=True)) as store:
        if store.meta("links") is None:  # else another process has been faster
            renew_links(folder, store)
    with storage_errors(folder):
        seal_store(folder)


def _link_aside(store: PageStore, titles: TitleIndex) -> LinkGraph:
    """Find the links of what is open: the files that it was opened from may be gone."""
    mentions, last = mentions_of(store), store.last_number()
    table = None
    if mentions != Mentions.NONE:
        table = NameTable.of_titles(titles, _alive(store, last))
    linker = Linker(store, titles, mentions, table)
    ranges = (store.numbered_pages(n, n + _RANGE) for n in range(0, last, _RANGE))
    with temporary_folder() as aside:
        write_links(aside, 0, last, map(linker.link, ranges))
        return LinkGraph.open(aside, 0, [])  # mapped at once: the files may go


def _alive(store: PageStore, last: int) -> NDArray[np.bool_]:
    """Say which page numbers are in use."""
    alive = np.zeros(last + 1, bool)
    alive[[number for number, _ in store.all_titles()]] = True
    return alive


MOST_RELINKED = 20_000
"""Beyond this, or a tenth of the pages, all links are written anew: opening must stay fast."""


def relink(
    folder: Path,
    store: PageStore,
    titles: TitleIndex,
    put: Collection[int],
    removed: Collection[int],
    names: Collection[str],
) -> None:
    """Find the links of all pages that a change concerns; `titles` knows all but its new names."""
    version = store.meta("links")
    if not isinstance(version, int) or not (put or removed or names):
        return
    graph = LinkGraph.open(folder, version, store.relinked())
    mentions = mentions_of(store)
    concerned = set(put).union(*map(graph.into, removed))
    for name in names:
        concerned.update(graph.missing(hash_of_key(name)))
        for page, kind in titles.pages_named(name):
            if kind <= NameKind.ALIAS:
                concerned.update(graph.into(page))
    if mentions != Mentions.NONE:
        text = open_text(folder, store)
        for name in filter(may_name, names):
            concerned.update(text.having(name.split()))
    concerned.difference_update(removed)
    now = TitleIndex.open(folder, int(str(store.meta("titles"))), store.new_names())
    pages = list(store.some_pages(sorted(concerned)))
    table = None if mentions == Mentions.NONE else _table(store, now, (p for _, p in pages))
    linked = Linker(store, now, mentions, table).link(pages)
    store.relink(link_rows([number for number, _ in pages], linked))
    store.relink((number, b"", b"") for number in removed)


def _table(store: PageStore, titles: TitleIndex, pages: Iterable[Page]) -> NameTable:
    """Make a table of the names that some pages may have: far fewer than there are."""
    keys: set[str] = set()
    for page in pages:
        for text in page.texts():
            spelled = spelled_words(text)
            folded = [fold(word) for word in spelled]
            for start, word in enumerate(spelled):
                if not word[0].islower() or not word[0].isascii():
                    keys.update(key for key, *_ in titles.names_at(folded[start:][:LONGEST]))
    pages_named = {key: titles.pages_named(key) for key in sorted(keys) if may_name(key)}
    alive = store.titles({page for borne in pages_named.values() for page, _ in borne})
    meant = {
        key: unique_page([one for one in borne if one[0] in alive], key.count(" ") + 1)
        for key, borne in pages_named.items()
    }
    named = {key: one for key, one in meant.items() if one is not None}
    return NameTable.of(list(named), list(named.values()))


def renew_if_many(folder: Path, store: PageStore) -> None:
    """Write all links anew when those of too many pages lie beside them."""
    if not isinstance(store.meta("links"), int):
        return
    if len(store.relinked()) > max(MOST_RELINKED, store.count() // 10):
        renew_links(folder, store)
