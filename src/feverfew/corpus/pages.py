"""The store of pages: one SQLite file, which also records the state of the other parts.

Its transactions decide what the corpus holds; the text index and the title trie follow.

A reader sees the pages as they were when it opened the store. Writers change rows in place, but
keep what they replace in `retired` for a day; a reader that finds the store changed reads through
it, and once that is gone asks to be opened again.
"""

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from msgspec import MsgspecError
from zstandard import ZstdError

from feverfew.corpus.packing import Packed, Packer
from feverfew.errors import CorpusChanged, CorpusDamaged, CorpusError
from feverfew.types import Page

__all__ = ["LAST", "LinkRow", "PageStore", "Row", "fingerprint", "storage_errors"]

_SCHEMA = """
CREATE TABLE pages (
  id INTEGER PRIMARY KEY, title TEXT NOT NULL, head BLOB NOT NULL, tail BLOB,
  digest INTEGER NOT NULL
);
CREATE TABLE redirects (alias TEXT NOT NULL, target TEXT NOT NULL);
CREATE TABLE facts (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE parts (name TEXT PRIMARY KEY, size INTEGER, digest TEXT) WITHOUT ROWID;
CREATE TABLE new_names (key TEXT NOT NULL, kind INTEGER NOT NULL, page INTEGER NOT NULL);
CREATE TABLE pending (page INTEGER PRIMARY KEY);
"""
# new_names: title keys younger than the trie. pending: pages the text index has yet to hear of.

_RELINKED = """CREATE TABLE IF NOT EXISTS relinked (
  page INTEGER PRIMARY KEY, targets BLOB NOT NULL, missing BLOB NOT NULL
)"""
# Made with the first links, so that a corpus that was never linked needs none.

_RETIRED = """CREATE TABLE IF NOT EXISTS retired (
  id INTEGER NOT NULL, title TEXT NOT NULL, head BLOB NOT NULL, tail BLOB,
  digest INTEGER NOT NULL, until INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (id, until)
)"""
# Rows that a change replaced or deleted: `until` is that change's number, `at` the time.
_KEPT_SECONDS = 24 * 3600
_AS_OF = """(
  SELECT id, title, head, tail, digest FROM pages WHERE id <= {last}
    AND id NOT IN (SELECT id FROM retired WHERE until > {change})
  UNION ALL
  SELECT id, title, head, tail, digest FROM retired AS old WHERE id <= {last} AND until =
    (SELECT min(until) FROM retired WHERE id = old.id AND until > {change})
)"""

LinkRow = tuple[int, bytes, bytes]
"""A page, the numbers of the pages that it leads to, and its targets that are no page."""
Row = tuple[int, str, bytes, bytes | None, int]
"""Number, title, head, tail and digest: a page as the table has it."""
_WRAP = 1 << 64
_GROUP = 500
LAST = (1 << 63) - 1
"""No page has a higher number."""
_UNREADABLE = (ZstdError, MsgspecError, ValueError, TypeError, MemoryError)
"""What decoding raises for bytes that were changed."""


class PageStore:
    """Pages by number; made by `create` or `open`."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._sql = connection
        self._path = path
        self._packer: Packer | None = None
        self._pages = "pages"
        """What pages are read from: the table, or its state at an earlier change."""
        self._last = LAST
        self._opened_at: int | None = None
        """The change that a reader keeps to; None for a writer."""
        self._opened_meta: dict[str, object] = {}

    @classmethod
    def create(cls, path: Path) -> Self:
        """Make an empty store for a build."""
        with storage_errors(path):
            store = cls(_connect(path), path)
            _sync_always(store._sql)
            store._sql.executescript(_SCHEMA)
            store.commit()
        return store

    @classmethod
    def open(cls, path: Path, *, writable: bool = False) -> Self:
        """Open an existing store."""
        if not path.exists():
            raise CorpusDamaged(f"{path} is missing; build the corpus again with 'feverfew index'")
        with storage_errors(path):
            try:
                connection = _connect(path, "rw" if writable else "ro")
            except sqlite3.OperationalError as error:
                if not error.sqlite_errorname.startswith("SQLITE_READONLY"):
                    raise
                _undo_half_a_change(path)
                connection = _connect(path, "ro")
        store = cls(connection, path)
        if writable:
            _sync_always(connection)
        else:
            store._keep_to_now()
        return store

    def _keep_to_now(self) -> None:
        """Let a reader see the pages and the metadata as they are now, whatever comes later."""
        # In one statement, and so in one transaction.
        query = "SELECT name, value FROM facts WHERE name NOT IN ('dictionary', 'sources')"
        found = self._all(f"{query} UNION ALL SELECT 'last', coalesce(max(id), 0) FROM pages")
        self._opened_meta = dict(found)
        self._last = _integer(self._opened_meta.pop("last"))
        self._opened_at = _integer(self._opened_meta.get("change"))

    def close(self) -> None:
        self._sql.close()

    def commit(self) -> None:
        """Make everything since the last commit durable, or nothing of it."""
        with storage_errors(self._path):
            self._sql.commit()

    def rollback(self) -> None:
        self._sql.rollback()

    # Pages

    @property
    def packer(self) -> Packer:
        """The codec with this corpus's dictionary."""
        if self._packer is None:
            self._packer = Packer(bytes(self.meta("dictionary", b"")))  # type: ignore[call-overload]
        return self._packer

    def insert(self, rows: Iterable[Row]) -> None:
        """Store pages under numbers that are new."""
        with storage_errors(self._path):
            self._sql.executemany("INSERT INTO pages VALUES (?, ?, ?, ?, ?)", rows)

    def replace(self, number: int, title: str, packed: Packed) -> None:
        """Store another version of a page under its number, and queue it for the text index."""
        self._retire(number)
        with storage_errors(self._path):
            self._sql.execute(
                "INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?, ?)",
                (number, title, packed.head, packed.tail, packed.digest),
            )

    def delete(self, number: int) -> None:
        """Delete a page, and queue that for the text index."""
        self._retire(number)
        with storage_errors(self._path):
            self._sql.execute("DELETE FROM pages WHERE id = ?", (number,))

    def _retire(self, number: int) -> None:
        """Keep a row that is about to change for those who opened the store before."""
        with storage_errors(self._path):
            self._sql.execute(_RETIRED)
            self._sql.execute(
                "INSERT OR IGNORE INTO retired SELECT *, ?, ? FROM pages WHERE id = ?",
                (self.change() + 1, int(time.time()), number),
            )
            self._sql.execute("INSERT OR IGNORE INTO pending VALUES (?)", (number,))

    def change(self) -> int:
        """Return the number of the last change, 0 if none was made since the build."""
        return _integer(self.meta_now("change"))

    def has_changed(self) -> bool:
        """Say whether the pages were changed since a reader opened the store."""
        return self._opened_at is not None and self.change() != self._opened_at

    def end_change(self) -> None:
        """Count a change, and drop retired rows that were kept long enough."""
        self.set_meta("change", self.change() + 1)
        with storage_errors(self._path):
            self._sql.execute(_RETIRED)
            old = int(time.time()) - _KEPT_SECONDS
            (dropped,) = self._all("SELECT max(until) FROM retired WHERE at < ?", (old,))[0]
            if dropped is not None:
                self._sql.execute("DELETE FROM retired WHERE until <= ?", (dropped,))
                self.set_meta("kept_since", dropped)

    def page(self, number: int) -> Page | None:
        """Return a whole page."""
        for _, title, head, tail in self._find("id, title, head, tail", [number]):
            return self._unpack(number, title, self.packer.page, head, tail)
        return None

    def heads(self, numbers: Iterable[int]) -> dict[int, Page]:
        """Return the first blocks of several pages; a number that is gone is left out."""
        head, unpack = self.packer.head, self._unpack
        found = self._find("id, title, head", numbers)
        return {number: unpack(number, title, head, data) for number, title, data in found}

    def titles(self, numbers: Iterable[int]) -> dict[int, str]:
        """Return the titles of several pages."""
        return dict(self._find("id, title", numbers))

    def all_pages(self) -> Iterator[Page]:
        """Stream every page in the order of their numbers."""
        return (page for _, page in self.numbered_pages())

    def numbered_pages(self, after: int = 0, last: int = LAST) -> Iterator[tuple[int, Page]]:
        """Stream whole pages of a range of numbers, each with its own."""
        page = self.packer.page
        for number, title, head, tail, _ in self.rows(after, last):
            yield number, self._unpack(number, title, page, head, tail)

    def numbered_heads(self) -> Iterator[tuple[int, Page]]:
        """Stream every number with the page's first blocks."""
        head = self.packer.head
        for number, title, data, _, _ in self.rows():
            yield number, self._unpack(number, title, head, data)

    def some_pages(self, numbers: Iterable[int]) -> Iterator[tuple[int, Page]]:
        """Stream whole pages with their numbers; a number that is gone is left out."""
        for number in numbers:
            if (page := self.page(number)) is not None:
                yield number, page

    def rows(self, after: int = 0, last: int = LAST) -> Iterator[Row]:
        """Stream stored rows; in small groups, or a slow reader would keep writers out."""
        return self._stream("id, title, head, tail, digest", _GROUP, after, last)

    def all_titles(self) -> Iterator[tuple[int, str]]:
        """Stream every number and title."""
        return self._stream("id, title", 20 * _GROUP)

    def digest(self, number: int) -> int:
        """Return a page's stored digest."""
        return int(self._find("id, digest", [number])[0][1])

    def is_sealed(self, number: int) -> bool:
        """Say whether a page lies where nothing is changed: it can be taken out, not replaced."""
        return False

    def count(self) -> int:
        return int(self._all("SELECT count(*) FROM pages")[0][0])

    def last_number(self) -> int:
        """Return the highest number in use, or 0."""
        return int(self._read("SELECT coalesce(max(id), 0) FROM {pages}")[0][0])

    def _find(self, columns: str, numbers: Iterable[int]) -> list[tuple]:  # type: ignore[type-arg]
        """Fetch some rows, in the order of their numbers; the first column is the number."""
        wanted = tuple(numbers)
        if len(wanted) == 1:  # a query that SQLite need not compile anew
            return self._read(f"SELECT {columns} FROM {{pages}} WHERE id = ?", wanted)
        listed = ",".join(map(str, wanted))
        return self._read(f"SELECT {columns} FROM {{pages}} WHERE id IN ({listed})")

    def _stream(
        self, columns: str, group: int, after: int = 0, last: int = LAST
    ) -> Iterator[tuple]:  # type: ignore[type-arg]
        query = (
            f"SELECT {columns} FROM {{pages}} WHERE id > ? AND id <= ? ORDER BY id LIMIT {group}"
        )
        last = min(last, self._last)
        while found := self._read(query, (after, last)):
            yield from found
            after = found[-1][0]

    def _read(self, query: str, values: tuple[object, ...] = ()) -> list[tuple]:  # type: ignore[type-arg]
        """Fetch rows of `{pages}` as they were when a reader opened the store."""
        found = self._all(query.format(pages=self._pages), values)
        if self._opened_at is None:
            return found
        # Changes are counted upwards: if none is seen now, there was none when we read.
        if self._pages == "pages" and self.has_changed():
            self._pages = _AS_OF.format(change=self._opened_at, last=self._last)
            found = self._all(query.format(pages=self._pages), values)
        if self._pages != "pages" and _integer(self.meta_now("kept_since")) > self._opened_at:
            raise CorpusChanged(
                f"{self._path} was changed more than a day ago; open it again (Corpus.reload)"
            )
        return found

    def _unpack(
        self, number: int, title: str, decode: Callable[..., Page], *data: bytes | None
    ) -> Page:
        """Decode a page, or say which one is damaged."""
        try:
            page = decode(*data)
            if page.title == title:
                return page
            why = f"it is titled {page.title!r}"
        except _UNREADABLE as error:
            why = str(error)
        raise CorpusDamaged(
            f"{self._path}: page {number} ({title}) is damaged ({why}); "
            "build the corpus again, or put the page anew with 'feverfew replace'"
        )

    # Metadata and the state of the other parts

    def meta(self, name: str, default: object = None) -> object:
        """Return a named value, as it was when a reader opened the store, or the default."""
        if self._opened_at is not None and name != "dictionary":
            return self._opened_meta.get(name, default)
        return self.meta_now(name, default)

    def meta_now(self, name: str, default: object = None) -> object:
        """Return a named value as it is at this moment, or the default."""
        found = self._all("SELECT value FROM facts WHERE name = ?", (name,))
        return found[0][0] if found else default

    def set_meta(self, name: str, value: bytes | str | int) -> None:
        with storage_errors(self._path):
            self._sql.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    def add_redirects(self, redirects: Iterable[tuple[str, str]]) -> None:
        with storage_errors(self._path):
            self._sql.executemany("INSERT INTO redirects VALUES (?, ?)", redirects)

    def redirects(self) -> Iterator[tuple[str, str]]:
        yield from self._all("SELECT alias, target FROM redirects")

    def add_names(self, names: Iterable[tuple[str, int, int]]) -> None:
        """Note title keys (key, kind, page) that the trie does not have yet."""
        with storage_errors(self._path):
            self._sql.executemany("INSERT INTO new_names VALUES (?, ?, ?)", names)

    def new_names(self) -> list[tuple[str, int, int]]:
        return self._all("SELECT key, kind, page FROM new_names")

    def clear_names(self) -> None:
        self._sql.execute("DELETE FROM new_names")

    def pending(self) -> list[int]:
        """List the pages that the text index has yet to hear of."""
        return [row[0] for row in self._all("SELECT page FROM pending")]

    def clear_pending(self) -> None:
        self._sql.execute("DELETE FROM pending")

    def forget_links(self) -> None:
        """Make room for the links of changed pages: none has changed since all were written."""
        with storage_errors(self._path):
            self._sql.execute(_RELINKED)
            self._sql.execute("DELETE FROM relinked")

    def relink(self, rows: Iterable[LinkRow]) -> None:
        """Note where changed pages lead to now."""
        with storage_errors(self._path):
            self._sql.executemany("INSERT OR REPLACE INTO relinked VALUES (?, ?, ?)", rows)

    def relinked(self) -> list[LinkRow]:
        return self._all("SELECT page, targets, missing FROM relinked")

    def parts(self) -> dict[str, tuple[int, str]]:
        """Return size and digest of every other file of the corpus, by name."""
        return {n: (s, d) for n, s, d in self._all("SELECT name, size, digest FROM parts")}

    def set_parts(self, parts: dict[str, tuple[int, str]]) -> None:
        with storage_errors(self._path):
            self._sql.execute("DELETE FROM parts")
            self._sql.executemany(
                "INSERT INTO parts VALUES (?, ?, ?)", ((n, s, d) for n, (s, d) in parts.items())
            )

    def damage(self) -> list[str]:
        """Let SQLite check its own file."""
        found = [row[0] for row in self._all("PRAGMA integrity_check(5)")]
        return [] if found == ["ok"] else found

    def _all(self, query: str, values: tuple[object, ...] = ()) -> list[tuple]:  # type: ignore[type-arg]
        with storage_errors(self._path):
            return self._sql.execute(query, values).fetchall()


def _sync_always(connection: sqlite3.Connection) -> None:
    """Let a commit last whatever happens to the power."""
    # With FULL, the journal may be there again afterwards: what was committed would be undone.
    connection.execute("PRAGMA synchronous=EXTRA")


def _undo_half_a_change(path: Path) -> None:
    """Undo what a writer was killed in the midst of writing; only who may write can."""
    try:
        _connect(path, "rw").close()
    except sqlite3.OperationalError as error:
        raise CorpusError(
            f"{path}: a change was cut off, and cannot be undone where nothing may be written "
            f"({error}); open the corpus once as a user who may write"
        ) from error


def fingerprint(digests: int) -> str:
    """Name the content by the sum of its pages' digests: equal for equal pages in any order."""
    return f"{digests % _WRAP:016x}"


def _connect(path: Path, mode: str = "rwc") -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(address, uri=True, timeout=10, check_same_thread=False)
    try:
        if mode.startswith("ro"):
            connection.execute("PRAGMA mmap_size=1073741824")
        connection.execute("PRAGMA cache_size=-8000")
        if mode != "rwc":
            connection.execute("SELECT count(*) FROM facts").fetchone()
    except sqlite3.DatabaseError:
        connection.close()
        raise
    return connection


@contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Turn what SQLite and the file system say into one of our errors."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        name = getattr(error, "sqlite_errorname", "") or ""
        if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")) or "malformed" in str(error):
            raise CorpusDamaged(f"{path} is damaged ({error}); build the corpus again") from error
        if "no such table" in str(error):
            raise CorpusDamaged(
                f"{path} is not a store of pages; build the corpus again"
            ) from error
        if name.startswith("SQLITE_FULL"):
            raise CorpusError(f"the disk is full; {path} keeps what it had") from error
        if name.startswith("SQLITE_IOERR"):
            raise CorpusError(f"{path}: {error} (is the disk full?)") from error
        raise CorpusError(f"{path}: {error}") from error
    except OSError as error:
        raise CorpusError(f"{path}: {error.strerror or error}") from error


def _integer(value: object) -> int:
    return value if isinstance(value, int) else 0
