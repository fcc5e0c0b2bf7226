"""The names of pages: the keys they are found by, redirects, and the targets of links.

A build keeps names as lines of plain text until the trie is written, "0the shining film\\t2the
shining": the kind's digit before each key, which holds no tab or line break. A name takes some
twenty bytes so, an object a hundred.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum

from feverfew.text import title_key, without_parenthesis, words
from feverfew.types import ItemList, Page, Sentence, Table

__all__ = [
    "NameKind",
    "NameLog",
    "alias_names",
    "any_links",
    "hash_of_key",
    "keys_of",
    "keys_of_shown",
    "lookup_key",
    "names_line",
    "targets_of",
    "title_hash",
]


class NameKind(IntEnum):
    """How a key came from a title, from the surest to the loosest."""

    FULL = 0
    ALIAS = 1
    WITHOUT_PARENTHESIS = 2
    WITHOUT_ARTICLE = 3
    WITHOUT_INITIALS = 4
    JOINED_INITIALS = 5
    BEFORE_COMMA = 6


def title_hash(title: str) -> int:
    """Hash a title, so that two spellings of one page's title agree."""
    return hash_of_key(title_key(title))


def hash_of_key(key: str) -> int:
    """Hash a title's `title_key`, or a name's key, to 64 bits."""
    digest = hashlib.blake2b(key.encode(errors="replace"), digest_size=8)
    return int.from_bytes(digest.digest(), "little")


_ARTICLES = {"the", "a", "an"}


def lookup_key(title: str) -> str:
    """Return the key of the title itself; one of signs alone, such as "!!!", is its own."""
    shown = title_key(title)
    return " ".join(words(shown)) or shown


def keys_of(title: str, aliases: tuple[str, ...] = ()) -> dict[str, NameKind]:
    """Return every key of a page, with the surest way it came about.

    >>> keys_of("The_Shining_-LRB-film-RRB-")  # doctest: +NORMALIZE_WHITESPACE
    {'the shining film': <NameKind.FULL: 0>, 'the shining': <NameKind.WITHOUT_PARENTHESIS: 2>,
     'shining': <NameKind.WITHOUT_ARTICLE: 3>}
    """
    return keys_of_shown(title_key(title), aliases)


def keys_of_shown(shown: str, aliases: tuple[str, ...] = ()) -> dict[str, NameKind]:
    """Return the same for a title whose `title_key` is already known; the first is FULL."""
    parts = words(shown)
    keys = {" ".join(parts) or shown: NameKind.FULL}
    for alias in aliases:
        keys.setdefault(lookup_key(alias), NameKind.ALIAS)
    base = without_parenthesis(shown) if shown.endswith(")") else shown
    if base != shown:
        parts = words(base)
        keys.setdefault(" ".join(parts), NameKind.WITHOUT_PARENTHESIS)
    if len(parts) > 1:
        if parts[0] in _ARTICLES:
            keys.setdefault(" ".join(parts[1:]), NameKind.WITHOUT_ARTICLE)
        if "," in base:
            keys.setdefault(" ".join(words(base.partition(",")[0])), NameKind.BEFORE_COMMA)
        if 1 in map(len, parts):
            _initials(parts, keys)
    keys.pop("", None)
    return keys


def _initials(parts: list[str], keys: dict[str, NameKind]) -> None:
    """Add "george bush" for "George W. Bush" and "jk rowling" for "J. K. Rowling"."""
    inner = [p for i, p in enumerate(parts) if len(p) > 1 or i in (0, len(parts) - 1)]
    if 1 < len(inner) < len(parts) and len(inner[0]) > 1:
        keys.setdefault(" ".join(inner), NameKind.WITHOUT_INITIALS)
    first = next((i for i, part in enumerate(parts) if len(part) > 1), len(parts))
    if first > 1 and not any(part.isdigit() for part in parts[:first]):
        joined = ["".join(parts[:first]), *parts[first:]]
        keys.setdefault(" ".join(joined), NameKind.JOINED_INITIALS)


def names_line(keys: Mapping[str, NameKind]) -> str:
    """Write a page's names as the log keeps them."""
    return "\t".join([f"{int(kind)}{key}" for key, kind in keys.items()])


class NameLog:
    """Grows by pages with consecutive numbers; read once, at the end."""

    def __init__(self) -> None:
        self._blocks: list[tuple[int, bytes]] = []

    def add(self, first: int, lines: Iterable[str]) -> None:
        """Add the names of pages, the first of which has this number."""
        self._blocks.append((first, "\n".join(lines).encode()))

    def drain(self) -> Iterator[tuple[str, int, int]]:
        """Yield every name as (key, kind, page), and let go of it."""
        self._blocks.reverse()
        while self._blocks:
            first, block = self._blocks.pop()
            for page, line in enumerate(block.decode().split("\n"), first):
                if line:
                    for name in line.split("\t"):
                        yield name[1:], int(name[0]), page


_LONGEST_CHAIN = 8


def alias_names(
    redirects: Iterable[tuple[str, str]], pages: Mapping[int, int]
) -> Iterator[tuple[str, int, int] | None]:
    """Yield (key, kind, page) for each redirect, or None for one that leads to no page.

    `pages` numbers the pages by the title_hash of their titles. A page is found by its own title
    even if a redirect of that name leads elsewhere, so such a redirect gets no name: it is
    passed over.
    """
    redirects = list(redirects)
    targets = {title_hash(alias): target for alias, target in redirects}
    for alias, target in redirects:
        page = _follow(target, targets, pages)
        if page is None:
            yield None
        elif title_hash(alias) not in pages and (key := lookup_key(alias)):
            yield key, NameKind.ALIAS, page


def _follow(target: str, targets: Mapping[int, str], pages: Mapping[int, int]) -> int | None:
    """Find the page at the end of a chain of redirects; a loop has no end."""
    for _ in range(_LONGEST_CHAIN):
        number = title_hash(target)
        if number in pages:
            return pages[number]
        if number not in targets:
            return None
        target = targets[number]
    return None


def targets_of(page: Page) -> Iterator[str]:
    """Yield what a page links to, as it is written there."""
    for block in page.blocks:
        match block:
            case Sentence():
                for link in block.links:
                    yield link.target
            case Table():
                for row in block.rows:
                    for cell in row:
                        for link in cell.links:
                            yield link.target
            case ItemList():
                for item in block.items:
                    for link in item.links:
                        yield link.target


def any_links(page: Page) -> bool:
    """Say whether a page has hyperlinks."""
    return next(targets_of(page), None) is not None
