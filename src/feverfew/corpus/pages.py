"""The store of pages: one SQLite file, which also keeps the books for the other parts.

Its transactions decide what the corpus holds; the text index and the title trie follow.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import MsgspecError
from zstandard import ZstdError

from feverfew.corpus.packing import Packed, Packer
from feverfew.errors import CorpusDamaged, CorpusError
from feverfew.types import Page

__all__ = ["LinkRow", "PageStore", "Row", "fingerprint", "storage_errors"]

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

LinkRow = tuple[int, bytes, bytes]
"""A page, the numbers of the pages that it leads to, and its targets that are no page."""
Row = tuple[int, str, bytes, bytes | None, int]
"""Number, title, head, tail and digest: a page as the table has it."""
_WRAP = 1 << 64
_GROUP = 500
_LAST = (1 << 63) - 1
_ROWS = "SELECT id, title, head, tail, digest FROM pages"


class PageStore:
    """Pages by number; made by `create` or `open`."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._sql = connection
        self._path = path
        self._packer: Packer | None = None

    @classmethod
    def create(cls, path: Path) -> "PageStore":
        """Make an empty store for a build."""
        with storage_errors(path):
            store = cls(_connect(path), path)
            store._sql.executescript(_SCHEMA)
            store.commit()
        return store

    @classmethod
    def open(cls, path: Path, *, writable: bool = False) -> "PageStore":
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
            connection.execute("PRAGMA synchronous=FULL")
        return store

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
        """Put another version of a page under its number, and note it for the text index."""
        with storage_errors(self._path):
            self._sql.execute(
                "INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?, ?)",
                (number, title, packed.head, packed.tail, packed.digest),
            )
            self._sql.execute("INSERT OR IGNORE INTO pending VALUES (?)", (number,))

    def delete(self, number: int) -> None:
        """Take a page out, and note it for the text index."""
        with storage_errors(self._path):
            self._sql.execute("DELETE FROM pages WHERE id = ?", (number,))
            self._sql.execute("INSERT OR IGNORE INTO pending VALUES (?)", (number,))

    def page(self, number: int) -> Page | None:
        """Return a whole page."""
        found = self._all("SELECT head, tail FROM pages WHERE id = ?", (number,))
        with _unpacking(self._path):
            return self.packer.page(*found[0]) if found else None

    def heads(self, numbers: Iterable[int]) -> dict[int, Page]:
        """Return the first blocks of several pages; a number that is gone is left out."""
        wanted = ",".join(map(str, numbers))
        found = self._all(f"SELECT id, head FROM pages WHERE id IN ({wanted})")
        with _unpacking(self._path):
            head = self.packer.head
            return {number: head(data) for number, data in found}

    def titles(self, numbers: Iterable[int]) -> dict[int, str]:
        """Return the titles of several pages."""
        wanted = ",".join(map(str, numbers))
        return dict(self._all(f"SELECT id, title FROM pages WHERE id IN ({wanted})"))

    def all_pages(self) -> Iterator[Page]:
        """Stream every page in the order of their numbers."""
        with _unpacking(self._path):
            page = self.packer.page
            for _, _, head, tail, _ in self.rows():
                yield page(head, tail)

    def numbered_heads(self) -> Iterator[tuple[int, Page]]:
        """Stream every number with the page's first blocks."""
        with _unpacking(self._path):
            head = self.packer.head
            for number, _, data, _, _ in self.rows():
                yield number, head(data)

    def digest(self, number: int) -> int:
        """Return a page's stored digest."""
        return int(self._all("SELECT digest FROM pages WHERE id = ?", (number,))[0][0])

    def rows(self, after: int = 0, last: int = _LAST) -> Iterator[Row]:
        """Stream stored rows; in small groups, or a slow reader would keep writers out."""
        query = f"{_ROWS} WHERE id > ? AND id <= ? LIMIT {_GROUP}"
        while group := self._all(query, (after, last)):
            yield from group
            after = group[-1][0]

    def some_pages(self, numbers: Iterable[int]) -> Iterator[tuple[int, Page]]:
        """Stream whole pages with their numbers; a number that is gone is left out."""
        with _unpacking(self._path):
            for number in numbers:
                if (page := self.page(number)) is not None:
                    yield number, page

    def numbered_pages(self, after: int, last: int) -> Iterator[tuple[int, Page]]:
        """Stream whole pages of a range of numbers, each with its own."""
        with _unpacking(self._path):
            page = self.packer.page
            for number, _, head, tail, _ in self.rows(after, last):
                yield number, page(head, tail)

    def all_titles(self) -> Iterator[tuple[int, str]]:
        """Stream every number and title."""
        with storage_errors(self._path):
            yield from self._sql.execute("SELECT id, title FROM pages ORDER BY id")

    def count(self) -> int:
        return int(self._all("SELECT count(*) FROM pages")[0][0])

    def last_number(self) -> int:
        """Return the highest number in use, or 0."""
        return int(self._all("SELECT coalesce(max(id), 0) FROM pages")[0][0])

    # The books

    def meta(self, name: str, default: object = None) -> object:
        """Return a fact that was set, or the default."""
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


@contextmanager
def _unpacking(path: Path) -> Iterator[None]:
    """Turn what decoding says of changed bytes into one of our errors."""
    try:
        yield
    except (ZstdError, MsgspecError, ValueError, TypeError, MemoryError) as error:
        raise CorpusDamaged(
            f"{path} holds a damaged page ({error}); run 'feverfew fsck'"
        ) from error
