"""A corpus in shards: its pages, full text and tables lie in several parts of about equal size.

    g-1f3a…/
      pages.sqlite, titles-1.*, links-1.*, text/    the catalog: what is one for all pages
      shard-0/  pages.sqlite, text/, tables/        every page whose number is a multiple of N
      shard-1/  …                                   every page whose number leaves 1, …

Pages have the same numbers in any number of shards, so that names and links are the same too. Full
text is opened as one index over the segments of all shards: words weigh what they weigh in one.

A build writes the shards, and nobody changes them afterwards: other machines may keep copies. Pages
that come later lie in the catalog, which is as a corpus without shards. A page that is taken out of
a shard is struck off in the catalog; one that is replaced is struck off, and gets a new number.
"""

import heapq
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from feverfew.corpus.checksums import STORE
from feverfew.corpus.pages import LAST, PageStore, Row, storage_errors
from feverfew.corpus.search import TextIndex, TextWriter
from feverfew.corpus.tables import FOLDER as TABLES
from feverfew.corpus.tables import PER_PAGE, TableWriter

__all__ = [
    "ShardedStore",
    "Writer",
    "create_store",
    "open_store",
    "open_tables",
    "open_text",
    "resume_store",
    "table_writer",
    "text_writer",
]

TEXT = "text"
_HEAP, _LEAST_HEAP = 96 << 20, 24 << 20
_SHARDED = "sharded"
"""Metadata: the highest number of a page in the shards."""
_STRUCK = "CREATE TABLE IF NOT EXISTS struck (page INTEGER PRIMARY KEY, tables INTEGER NOT NULL)"


def _paths(folder: Path, count: int) -> list[Path]:
    return [folder / f"shard-{number}" for number in range(count)]


def _shards(folder: Path) -> list[Path]:
    """List a generation's shards; none for one that is not sharded."""
    return _paths(folder, len(list(folder.glob("shard-*"))))


class ShardedStore(PageStore):
    """The pages of all shards and, beyond them, those that were added since."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        super().__init__(connection, path)
        self._shards: list[PageStore] = []
        self._sharded = 0
        """The highest number of a page in them."""
        self._struck: dict[int, int] = {}

    def attach(self, shards: list[PageStore]) -> None:
        """Take the shards' stores, which are closed with this one."""
        self._shards = shards
        self._sharded = int(str(self.meta(_SHARDED, 0)))
        if self._all("SELECT name FROM sqlite_master WHERE name = 'struck'"):
            self._struck = dict(self._all("SELECT page, tables FROM struck"))

    @property
    def struck(self) -> dict[int, int]:
        """The pages of shards that are gone, each with the number of its tables."""
        return self._struck

    def close(self) -> None:
        for shard in self._shards:
            shard.close()
        super().close()

    def commit(self) -> None:
        """Make everything durable; the catalog last, because it decides what counts."""
        for shard in self._shards:
            shard.commit()
        super().commit()

    def insert(self, rows: Iterable[Row]) -> None:
        """Store pages of a build."""
        for shard, some in zip(self._shards, _routed(rows, len(self._shards)), strict=True):
            shard.insert(some)
            self._sharded = max([self._sharded, *(row[0] for row in some)])
        self.set_meta(_SHARDED, self._sharded)

    def drop_uncounted(self) -> None:
        """Delete what shards committed of a build, and the catalog did not."""
        for shard in self._shards:
            with storage_errors(self._path):
                shard._sql.execute("DELETE FROM pages WHERE id > ?", (self._sharded,))

    def is_sealed(self, number: int) -> bool:
        return number <= self._sharded

    def delete(self, number: int) -> None:
        if not self.is_sealed(number):
            super().delete(number)
            return
        page = self.page(number)
        self._struck[number] = min(len(page.tables), PER_PAGE) if page is not None else 0
        with storage_errors(self._path):
            self._sql.execute(_STRUCK)
            self._sql.execute("INSERT INTO struck VALUES (?, ?)", (number, self._struck[number]))

    def count(self) -> int:
        inside = sum(shard.count() for shard in self._shards)
        return super().count() + inside - len(self._struck)

    def last_number(self) -> int:
        return max(self._sharded, super().last_number())

    def damage(self) -> list[str]:
        found = [f"shard {at}: {d}" for at, s in enumerate(self._shards) for d in s.damage()]
        return super().damage() + found

    def _find(self, columns: str, numbers: Iterable[int]) -> list[tuple]:  # type: ignore[type-arg]
        inside: list[list[int]] = [[] for _ in self._shards]
        later: list[int] = []
        for number in numbers:
            if number > self._sharded:
                later.append(number)
            elif number not in self._struck:
                inside[number % len(self._shards)].append(number)
        found = super()._find(columns, later) if later else []
        for shard, some in zip(self._shards, inside, strict=True):
            if some:
                found += shard._find(columns, some)
        found.sort(key=itemgetter(0))
        return found

    def _stream(
        self, columns: str, group: int, after: int = 0, last: int = LAST
    ) -> Iterator[tuple]:  # type: ignore[type-arg]
        streams = [shard._stream(columns, group, after, last) for shard in self._shards]
        streams.append(super()._stream(columns, group, after, last))
        merged = heapq.merge(*streams, key=itemgetter(0))
        return (row for row in merged if row[0] not in self._struck)


def create_store(folder: Path, shards: int) -> PageStore:
    """Make an empty store for a build of so many shards; 1 is a corpus without shards."""
    if shards == 1:
        return PageStore.create(folder / STORE)
    made = ShardedStore.create(folder / STORE)
    for path in _paths(folder, shards):
        path.mkdir()
    made.attach([PageStore.create(path / STORE) for path in _paths(folder, shards)])
    return made


def open_store(folder: Path, *, writable: bool = False) -> PageStore:
    """Open the store of a generation, in shards or not."""
    return _open(folder, writable=writable)


def resume_store(folder: Path) -> PageStore:
    """Open the store of a build that was cut off, as it was when it was last committed."""
    store = _open(folder, writable=True, shards_too=True)
    if isinstance(store, ShardedStore):
        store.drop_uncounted()
    return store


def _open(folder: Path, *, writable: bool, shards_too: bool = False) -> PageStore:
    if not (paths := _shards(folder)):
        return PageStore.open(folder / STORE, writable=writable)
    store = ShardedStore.open(folder / STORE, writable=writable)
    store.attach([PageStore.open(path / STORE, writable=shards_too) for path in paths])
    return store


R = TypeVar("R", bound=tuple[object, ...], contravariant=True)


class Writer(Protocol[R]):
    """What writes the full text, or the tables, of a build."""

    def add(self, pages: Iterable[R], /) -> None: ...
    def delete_after(self, number: int, /) -> None: ...
    def commit(self) -> None: ...
    def close(self) -> None: ...
    def abandon(self) -> None: ...


class _RoutedWriter(Generic[R]):
    """The writers of all shards, and that of the catalog, as one."""

    def __init__(self, shards: Sequence[Writer[R]], catalog: Writer[R]) -> None:
        self._shards = shards
        self._all: list[Writer[R]] = [*shards, catalog]

    def add(self, pages: Iterable[R]) -> None:
        """Add pages, each to its shard."""
        for shard, some in zip(self._shards, _routed(pages, len(self._shards)), strict=True):
            shard.add(some)

    def delete_after(self, number: int) -> None:
        for one in self._all:
            one.delete_after(number)

    def commit(self) -> None:
        for one in self._all:
            one.commit()

    def close(self) -> None:
        for one in self._all:
            one.close()

    def abandon(self) -> None:
        for one in self._all:
            one.abandon()


T = TypeVar("T", bound=tuple[object, ...])


def _routed(rows: Iterable[T], shards: int) -> list[list[T]]:
    """Sort rows, which begin with a page's number, by their shard."""
    found: list[list[T]] = [[] for _ in range(shards)]
    for row in rows:
        found[int(str(row[0])) % shards].append(row)
    return found


def text_writer(folder: Path) -> Writer[tuple[int, str, str]]:
    """Open the full text of a generation for a build."""
    if not (paths := _shards(folder)):
        return TextWriter(folder / TEXT)
    heap = max(_HEAP // len(paths), _LEAST_HEAP)
    shards = [TextWriter(path / TEXT, heap) for path in paths]
    return _RoutedWriter(shards, TextWriter(folder / TEXT, _LEAST_HEAP))


def table_writer(folder: Path) -> Writer[tuple[int, Sequence[str]]]:
    """Open the tables of a generation for a build."""
    if not (paths := _shards(folder)):
        return TableWriter(folder / TABLES)
    return _RoutedWriter([TableWriter(p / TABLES) for p in paths], TableWriter(folder / TABLES))


def open_text(folder: Path, store: PageStore) -> TextIndex:
    """Open the full text of a generation whose store is open."""
    if not isinstance(store, ShardedStore):
        return TextIndex.open(folder / TEXT)
    return TextIndex.open_all(
        [path / TEXT for path in (folder, *_shards(folder))], dict.fromkeys(store.struck, 1)
    )


def open_tables(folder: Path, store: PageStore) -> TextIndex | None:
    """Open the index of tables; there is none where no source had a table."""
    there = [p / TABLES for p in (folder, *_shards(folder)) if (p / TABLES).exists()]
    if not there:
        return None
    if not isinstance(store, ShardedStore):
        return TextIndex.open(folder / TABLES)
    return TextIndex.open_all(there, dict(store.struck), PER_PAGE)
