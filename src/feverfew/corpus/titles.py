"""The title trie: from every name a page may be mentioned by to the pages that have it.

A memory-mapped marisa trie numbers the keys; two arrays, memory-mapped too, say which pages have
each key and how. Names added since the trie was written lie in a small dictionary on top.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tokenize import TokenError
from typing import IO, Any

import marisa_trie
import numpy as np
from numpy.typing import NDArray

from feverfew.corpus.names import NameKind, lookup_key
from feverfew.corpus.pages import PageStore
from feverfew.errors import CorpusDamaged
from feverfew.text import title_key

__all__ = ["TitleIndex", "durable", "find_number", "map_array", "title_files", "write_titles"]

NamedPage = tuple[int, NameKind]
"""A page's number, and how the key came from its title."""

_KINDS = tuple(NameKind)


def title_files(version: int) -> dict[str, str]:
    """Name the files of one version of the trie."""
    return {part: f"titles-{version}.{part}" for part in ("trie", "offsets.npy", "bearers.npy")}


def write_titles(folder: Path, version: int, names: Iterable[tuple[str, int, int]]) -> None:
    """Write a trie of (key, kind, page) names."""
    keys: list[str] = []
    kinds: list[int] = []
    pages: list[int] = []
    for key, kind, page in names:
        keys.append(key)
        kinds.append(kind)
        pages.append(page)
    trie = marisa_trie.Trie(keys)
    owner = np.fromiter(map(trie.__getitem__, keys), np.uint32, len(keys))
    del keys
    # One number for each page named: the page, and in the low bits the kind.
    pages_named = np.array(pages, np.uint32).astype(np.uint64) << np.uint64(3)
    pages_named |= np.array(kinds, np.uint64)
    order = np.lexsort((pages_named, owner))
    offsets = np.zeros(len(trie) + 1, np.uint32)
    np.cumsum(np.bincount(owner, minlength=len(trie)), out=offsets[1:])
    files = title_files(version)
    with durable(folder / files["trie"]) as file:
        # Not by its own save, which says nothing when the last bytes find the disk full.
        file.write(trie.tobytes())
    with durable(folder / files["offsets.npy"]) as file:
        np.save(file, offsets)
    with durable(folder / files["bearers.npy"]) as file:
        np.save(file, pages_named[order])


@contextmanager
def durable(path: Path) -> Iterator[IO[bytes]]:
    """Write a file that is on disk when we are done."""
    with path.open("wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


_NOT_AN_ARRAY = (OSError, EOFError, ValueError, SyntaxError, TokenError, TypeError, LookupError)
"""What numpy raises for a damaged header, which it reads as Python source."""


def map_array(path: Path) -> NDArray[Any]:
    """Map a one-dimensional array that was written with `durable`."""
    try:
        # asarray: still mapped, but without the slow indexing of numpy's memmap class
        array = np.asarray(np.load(path, mmap_mode="r"))
    except _NOT_AN_ARRAY as error:
        raise CorpusDamaged(f"{path} is damaged ({error}); build the corpus again") from None
    if array.ndim != 1 or array.dtype.kind != "u":
        raise CorpusDamaged(f"{path} is damaged (not a list of numbers); build the corpus again")
    return array


class TitleIndex:
    """Looks names up; made by `open`."""

    def __init__(
        self,
        trie: marisa_trie.Trie,
        offsets: NDArray[np.uint32],
        pages_named: NDArray[np.uint64],
        newer: dict[str, list[NamedPage]],
    ) -> None:
        self._trie = trie
        self._offsets = offsets
        self._pages_named = pages_named
        self._newer = newer

    @classmethod
    def open(
        cls, folder: Path, version: int, newer: Iterable[tuple[str, int, int]]
    ) -> "TitleIndex":
        """Map the files of a version, and lay the newer names on top."""
        files = {part: folder / name for part, name in title_files(version).items()}
        try:
            trie = marisa_trie.Trie().mmap(str(files["trie"]))
        except (OSError, RuntimeError, ValueError) as error:
            raise CorpusDamaged(
                f"{files['trie']} is damaged ({error}); build the corpus again"
            ) from None
        offsets, pages_named = map_array(files["offsets.npy"]), map_array(files["bearers.npy"])
        if len(offsets) != len(trie) + 1 or int(offsets[-1]) != len(pages_named):
            raise CorpusDamaged(f"{files['trie']} does not fit its arrays; build the corpus again")
        overlay: dict[str, list[NamedPage]] = {}
        for key, kind, page in newer:
            overlay.setdefault(key, []).append((page, _KINDS[kind]))
        return cls(trie, offsets, pages_named, overlay)

    def __len__(self) -> int:
        return len(self._trie) + sum(key not in self._trie for key in self._newer)

    def pages_named(self, key: str) -> list[NamedPage]:
        """List the pages with a name."""
        number = self._trie.get(key)
        found: list[NamedPage] = []
        if number is not None:
            run = self._pages_named[self._offsets[number] : self._offsets[number + 1]]
            found = [(value >> 3, _KINDS[value & 7]) for value in run.tolist()]
        return found + self._newer[key] if key in self._newer else found

    def names_of(self, page: int) -> list[tuple[str, NameKind]]:
        """List every name of a page; looks at all names, and so takes a while."""
        places = np.flatnonzero(self._pages_named >> np.uint64(3) == page)
        owners = np.searchsorted(self._offsets, places, "right") - 1
        kinds = (self._pages_named[places] & np.uint64(7)).tolist()
        keys = map(self._trie.restore_key, owners.tolist())
        found = [(key, _KINDS[kind]) for key, kind in zip(keys, kinds, strict=True)]
        newer = [(k, kind) for k, named in self._newer.items() for n, kind in named if n == page]
        return found + newer

    def is_newer(self, key: str) -> bool:
        """Say whether a name was added since the trie was made."""
        return key in self._newer

    def every_name(
        self,
    ) -> tuple[list[str], NDArray[np.uint32], NDArray[np.uint64]]:
        """List all names; for each, where its pages start; and the pages, as page << 3 | kind.

        Names that are newer than the trie come last, and have none there: ask `pages_named`.
        """
        keys = list(map(self._trie.restore_key, range(len(self._trie))))
        newer = [key for key in self._newer if key not in self._trie]
        ends = np.full(len(newer), self._offsets[-1], np.uint32)
        return keys + newer, np.concatenate([self._offsets, ends]), self._pages_named

    def names_at(self, words: list[str]) -> Iterator[tuple[str, int, bool]]:
        """Yield every name that starts a run of words: (key, its words, in the plural).

        >>> list(titles.names_at(["touch", "screens", "are"]))  # doctest: +SKIP
        [('touch', 1, False), ('touch screen', 2, True)]
        """
        text = " ".join(words)
        for key in self._trie.prefixes(text):
            rest = text[len(key) : len(key) + 2]
            if not rest or rest[0] == " ":
                yield key, key.count(" ") + 1, False
            elif rest in ("s", "s "):
                yield key, key.count(" ") + 1, True
        if self._newer:
            yield from self._newer_names_at(words)

    def _newer_names_at(self, words: list[str]) -> Iterator[tuple[str, int, bool]]:
        for length in range(1, len(words) + 1):
            key = " ".join(words[:length])
            for name, plural in ((key, False), (key[:-1], key.endswith("s"))):
                if (plural or name == key) and name in self._newer and name not in self._trie:
                    yield name, length, plural


def find_number(titles: TitleIndex, store: PageStore, title: str) -> int | None:
    """Find a page's number by its title in any spelling, or by an alias."""
    pages_named = titles.pages_named(lookup_key(title))
    if not pages_named:
        return None
    wanted = title_key(title)
    written = store.titles(number for number, _ in pages_named)
    for number, own in written.items():
        if title_key(own) == wanted:
            return number
    # Not to the letter: the surest name, if only its case, accents or signs differ.
    loose = [(kind, n) for n, kind in pages_named if n in written and kind <= NameKind.ALIAS]
    return min(loose)[1] if loose else None
