"""The names of a build's pages, in memory as plain text until the trie is written.

A page's names are a line, "0the shining film\\t2the shining": the kind's digit before each key,
which holds no tab or line's end. A name takes some twenty bytes, an object a hundred.
"""

from collections.abc import Iterable, Iterator, Mapping

from feverfew.corpus.names import NameKind

__all__ = ["NameLog", "names_line"]


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
