"""The systems that feverfew is measured against: bm25s, SQLite FTS5 and title matching.

Each gets a fair chance: bm25s reads the file with the same fast JSON decoder, is built with its
default and with its fastest settings, and saving its index is not timed; FTS5 searches without
stop words, which cost it most.
"""

import re
import sqlite3
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from feverfew.text import display_title, without_parenthesis, words

__all__ = ["Bm25s", "ExactTitles", "Fts5", "interleave", "read_texts"]

K1, B = 0.9, 0.4


class _Line(Struct):
    id: str
    text: str


def read_texts(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the title and the text of every page that has a title."""
    decode = msgspec.json.Decoder(_Line).decode
    with path.open("rb") as lines:
        for line in lines:
            row = decode(line)
            if row.id:
                yield row.id, row.text


class Bm25s:
    """bm25s over title and text together, English stop words, with or without a stemmer."""

    def __init__(self, index: Any, titles: list[str], stemmer: Any) -> None:
        self._index, self._titles, self._stemmer = index, titles, stemmer

    @classmethod
    def build(
        cls, source: Path, folder: Path, *, stem: bool = False, matrix: str = "numpy"
    ) -> dict[str, float]:
        """Tokenise and index, then save; return the seconds of each part.

        `matrix` is its way to build the matrix: numpy unless told; scipy is the fastest here.
        """
        import bm25s

        stemmer = _stemmer() if stem else None
        start = time.perf_counter()
        titles: list[str] = []
        texts: list[str] = []
        for title, text in read_texts(source):
            titles.append(title)
            texts.append(f"{title.replace('_', ' ')} {text}")
        read = time.perf_counter()
        tokens = bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False)
        tokenised = time.perf_counter()
        index = bm25s.BM25(k1=K1, b=B, csc_backend=matrix)
        index.index(tokens, show_progress=False)
        done = time.perf_counter()
        index.save(str(folder), show_progress=False)
        (folder / "titles.json").write_bytes(msgspec.json.encode(titles))
        return {
            "pages": len(titles),
            "seconds": done - start,
            "read": read - start,
            "tokenise": tokenised - read,
            "index": done - tokenised,
            "save": time.perf_counter() - done,
        }

    @classmethod
    def open(cls, folder: Path, *, stem: bool) -> "Bm25s":
        """Load a saved index, to be searched with numba."""
        import bm25s

        index = bm25s.BM25.load(str(folder), backend="numba", show_progress=False)
        index.backend = "numba"
        index.compile()
        titles = msgspec.json.decode((folder / "titles.json").read_bytes(), type=list[str])
        return cls(index, titles, _stemmer() if stem else None)

    def search(self, claims: Sequence[str], k: int, threads: int = 1) -> list[list[str]]:
        """Return the titles of the best pages for each claim; tokenising is included."""
        import bm25s

        tokens = bm25s.tokenize(
            list(claims),
            stopwords="en",
            stemmer=self._stemmer,
            return_ids=False,
            show_progress=False,
        )
        found, _ = self._index.retrieve(tokens, k=k, n_threads=threads, show_progress=False)
        return [[self._titles[number] for number in row] for row in found.tolist()]


def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")


class Fts5:
    """SQLite's full-text search over title and body, contentless, for any of the words."""

    def __init__(self, database: sqlite3.Connection, stop_words: frozenset[str]) -> None:
        self._database, self._stop_words = database, stop_words

    @classmethod
    def build(cls, source: Path, folder: Path) -> dict[str, float]:
        """Index, in one transaction; return the seconds."""
        folder.mkdir(parents=True)
        start = time.perf_counter()
        database = sqlite3.connect(folder / "fts.sqlite")
        database.executescript(
            """PRAGMA journal_mode=off; PRAGMA synchronous=off;
            CREATE TABLE page (number INTEGER PRIMARY KEY, title TEXT);
            CREATE VIRTUAL TABLE text USING fts5
            (title, body, content='', tokenize="unicode61 remove_diacritics 2");"""
        )
        pages = 0
        with database:
            for pages, (title, text) in enumerate(read_texts(source), 1):
                database.execute("INSERT INTO page VALUES (?, ?)", (pages, title))
                database.execute(
                    "INSERT INTO text (rowid, title, body) VALUES (?, ?, ?)",
                    (pages, title.replace("_", " "), text),
                )
        database.close()
        return {"pages": pages, "seconds": time.perf_counter() - start}

    @classmethod
    def open(cls, folder: Path) -> "Fts5":
        """Open the database for reading."""
        from bm25s.stopwords import STOPWORDS_EN

        database = sqlite3.connect(f"file:{folder / 'fts.sqlite'}?mode=ro", uri=True)
        return cls(database, frozenset(STOPWORDS_EN))

    def search(self, claims: Sequence[str], k: int) -> list[list[str]]:
        """Return the titles of the best pages for each claim."""
        return [self._one(claim, k) for claim in claims]

    def _one(self, claim: str, k: int) -> list[str]:
        asked = dict.fromkeys(words(claim))
        kept = [word for word in asked if word not in self._stop_words] or list(asked)
        rows = self._database.execute(
            """SELECT title FROM
            (SELECT rowid AS number, rank FROM text WHERE text MATCH ? ORDER BY rank LIMIT ?)
            JOIN page USING (number) ORDER BY rank""",
            (" OR ".join(f'"{word}"' for word in kept), k),
        )
        return [title for (title,) in rows]


class ExactTitles:
    """Titles that occur in the claim word for word, longest first; a parenthesis may be missing."""

    def __init__(self, titles: Iterable[str]) -> None:
        self._bearers: dict[str, list[str]] = {}
        for title in titles:
            shown = display_title(title)
            for name in dict.fromkeys((shown, without_parenthesis(shown))):
                key = sys.intern(" ".join(_spelled(name)))
                pages_named = self._bearers.setdefault(key, [])
                # A page with exactly this name comes before those with a parenthesis.
                pages_named.insert(0, title) if name == shown else pages_named.append(title)

    def search(self, claims: Sequence[str], k: int) -> list[list[str]]:
        """Return the titles found in each claim."""
        return [self._one(claim, k) for claim in claims]

    def _one(self, claim: str, k: int) -> list[str]:
        split = _spelled(claim)
        found: dict[str, None] = {}
        for length in range(min(12, len(split)), 0, -1):
            for start in range(len(split) - length + 1):
                for title in self._bearers.get(" ".join(split[start : start + length]), ()):
                    found.setdefault(title)
        return list(found)[:k]


def _spelled(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def interleave(first: Sequence[str], second: Sequence[str], k: int) -> list[str]:
    """Take from two rankings in turn, each page once."""
    mixed = (title for pair in zip_longest(first, second) for title in pair if title is not None)
    return list(dict.fromkeys(mixed))[:k]
