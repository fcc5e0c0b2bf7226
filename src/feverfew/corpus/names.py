"""The names by which a title may be mentioned, folded into keys of plain words."""

from enum import IntEnum

from feverfew.text import title_key, without_parenthesis, words

__all__ = ["NameKind", "keys_of", "keys_of_shown", "lookup_key"]


class NameKind(IntEnum):
    """How a key came from a title, from the surest to the loosest."""

    FULL = 0
    ALIAS = 1
    WITHOUT_PARENTHESIS = 2
    WITHOUT_ARTICLE = 3
    WITHOUT_INITIALS = 4
    JOINED_INITIALS = 5
    BEFORE_COMMA = 6


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
