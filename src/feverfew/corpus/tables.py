"""Tables as a corpus searches them: each is a text of its own in an index beside the full text.

So a table is found even where its page is not: by its page, headings, caption, headers and cells.
A source without tables gets no such index, and pays nothing for it. Lists, seen as tables, are not
in it: their items are searched as sentences are, and lead to their page.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from feverfew.corpus.search import TextWriter
from feverfew.readers.tables import list_table
from feverfew.text import page_name, words
from feverfew.types import Block, ItemList, Page, Provenance, Section, Table

__all__ = [
    "FOLDER",
    "PER_PAGE",
    "Placed",
    "TableEntry",
    "TableWriter",
    "cut_words",
    "entries_of",
    "entry_of",
    "lists_of",
    "place_of",
    "table_texts",
    "tables_of",
]

FOLDER = "tables"
_HEAP = 32 << 20
PER_PAGE = 1 << 20
"""Tables of a page that can be told apart; those beyond are not searched."""


class TableEntry(Struct, frozen=True):
    """A table as it is searched."""

    key: str
    """Names the table: `Page_table_2`, for example."""
    page: str
    section: str
    """The headings down to it, and its caption."""
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Placed(Struct, frozen=True):
    """A table, and the headings above it, outermost first."""

    table: Table
    headings: tuple[str, ...]
    source: Provenance | None = None


def tables_of(page: Page) -> list[Placed]:
    """List the tables of a page."""
    return [
        Placed(block, above, source)
        for block, above, source in _placed(page)
        if isinstance(block, Table)
    ]


def lists_of(page: Page) -> list[Placed]:
    """List the lists of a page, seen as tables.

    Namesakes lead on to other pages, and say nothing by themselves; one item is no list.
    """
    if page.disambiguation:
        return []
    return [
        Placed(list_table(block, "".join(above[-1:])), above, source)
        for block, above, source in _placed(page)
        if isinstance(block, ItemList) and len(block.items) > 1
    ]


def _placed(page: Page) -> Iterator[tuple[Block, tuple[str, ...], Provenance | None]]:
    """Yield what stands on a page with the headings above it, and where it stands."""
    above: list[Section] = []
    for place, block in enumerate(page.blocks):
        if isinstance(block, Section):
            above = [*(s for s in above if s.level < block.level), block]
        else:
            named = tuple(s.text for s in above if s.text and s.text != page.name)
            yield block, named, page.provenance(place)


def entries_of(page: Page) -> list[TableEntry]:
    """List the tables of a page as they are searched."""
    return [entry_of(page, one) for one in tables_of(page)]


def entry_of(page: Page, placed: Placed) -> TableEntry:
    """Write one of a page's tables as it is searched."""
    table = placed.table
    return TableEntry(
        key=f"{page.title}_table_{table.index}",
        page=page_name(page),
        section=" ".join([*placed.headings, table.caption]),
        header=tuple(cell.text for row in table.rows for cell in row if cell.header),
        rows=tuple(tuple(cell.text for cell in row) for row in table.rows),
    )


def cut_words(text: str) -> list[str]:
    """Split text into folded words without the s of the plural."""
    return [
        word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] != "s" else word
        for word in words(text)
    ]


def table_texts(page: Page) -> list[str]:
    """Write each table of a page as its different words: how often it has one does not matter."""
    made = []
    for entry in entries_of(page)[:PER_PAGE]:
        parts = [entry.page, entry.section, *entry.header, *(c for row in entry.rows for c in row)]
        made.append(" ".join(dict.fromkeys(cut_words("\n".join(parts)))))
    return made


def place_of(number: int) -> tuple[int, int]:
    """Turn a number of the index into the page's, and the table's place among the page's."""
    return divmod(number, PER_PAGE)


class TableWriter:
    """Adds and deletes the tables of pages; the index is made with the first table."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writer: TextWriter | None = None

    def add(self, pages: Iterable[tuple[int, Sequence[str]]]) -> None:
        """Add pages: their numbers, and their tables as `table_texts` writes them."""
        for page, texts in pages:
            if texts:
                first = page * PER_PAGE
                self._open().add((first + at, "", text) for at, text in enumerate(texts))

    def delete(self, page: int) -> None:
        """Delete the tables of a page."""
        if self._exists():
            self._open().delete_between(page * PER_PAGE, (page + 1) * PER_PAGE)

    def delete_after(self, page: int) -> None:
        """Delete the tables of every page with a higher number."""
        if self._exists():
            self._open().delete_after((page + 1) * PER_PAGE - 1)

    def commit(self) -> None:
        """Make all changes durable."""
        if self._writer is not None:
            self._writer.commit()

    def close(self) -> None:
        """Wait for merges under way; the writer cannot be used afterwards."""
        if self._writer is not None:
            self._writer.close()

    def abandon(self) -> None:
        """Give up what is not committed."""
        if self._writer is not None:
            self._writer.abandon()

    def _exists(self) -> bool:
        return self._writer is not None or self._folder.exists()

    def _open(self) -> TextWriter:
        if self._writer is None:
            self._writer = TextWriter(self._folder, heap=_HEAP)
        return self._writer
