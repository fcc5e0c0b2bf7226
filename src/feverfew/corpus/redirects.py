"""Redirects: from another name, perhaps by way of others, to the page that bears it."""

from collections.abc import Iterable, Iterator, Mapping

from feverfew.corpus.names import NameKind, lookup_key
from feverfew.corpus.prepare import identity

__all__ = ["alias_names"]

_LONGEST_CHAIN = 8


def alias_names(
    redirects: Iterable[tuple[str, str]], pages: Mapping[int, int]
) -> Iterator[tuple[str, int, int] | None]:
    """Yield (key, kind, page) for each redirect, or None for one that leads to no page.

    `pages` numbers the pages by the identity of their titles. A page is found by its own title
    even if a redirect of that name leads elsewhere, so such a redirect gets no name: it is
    passed over.
    """
    redirects = list(redirects)
    targets = {identity(alias): target for alias, target in redirects}
    for alias, target in redirects:
        page = _follow(target, targets, pages)
        if page is None:
            yield None
        elif identity(alias) not in pages and (key := lookup_key(alias)):
            yield key, NameKind.ALIAS, page


def _follow(target: str, targets: Mapping[int, str], pages: Mapping[int, int]) -> int | None:
    """Find the page at the end of a chain of redirects; a loop has no end."""
    for _ in range(_LONGEST_CHAIN):
        number = identity(target)
        if number in pages:
            return pages[number]
        if number not in targets:
            return None
        target = targets[number]
    return None
