"""Where a page leads to: by its hyperlinks or, where it has none, by the titles that it names."""

import hashlib
from collections.abc import Iterable
from enum import StrEnum

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.corpus.hyperlinks import targets_of
from feverfew.corpus.names import lookup_key
from feverfew.corpus.nametable import NameTable
from feverfew.corpus.pages import PageStore
from feverfew.corpus.resolve import find_number
from feverfew.corpus.titles import TitleIndex
from feverfew.types import Page

__all__ = ["Linked", "Linker", "Mentions", "key_number"]

_REMEMBERED = 200_000
_TEXT = 1 << 19
"""Letters of pages that are looked through together: enough to be fast, few enough to be near."""


class Mentions(StrEnum):
    """Of which pages the mentions of other titles are links."""

    NONE = "none"
    UNLINKED = "unlinked"
    """Of those that have no hyperlinks."""
    ALL = "all"


class Linked(Struct, frozen=True):
    """The links of some pages: pairs in order, each once."""

    sources: NDArray[np.uint32]
    targets: NDArray[np.uint32]
    missing_sources: NDArray[np.uint32]
    missing_keys: NDArray[np.uint64]
    """What is linked to and is no page, as `key_number` numbers it."""


def key_number(key: str) -> int:
    """Number a name that no page bears, so that it is known if one comes to bear it."""
    digest = hashlib.blake2b(key.encode(errors="replace"), digest_size=8)
    return int.from_bytes(digest.digest(), "little")


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
                    missing.append((number, key_number(lookup_key(target))))
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
        return _linked(pairs, missing, named)

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


def _linked(
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
