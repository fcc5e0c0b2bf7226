"""Number a page's sections, sentences, tables and lists in reading order.

What a reader hands over is text in runs, `["Aruba is an ", Link("Island", "island"), "."]`:
a plain string or a link each, so that a link stays where it was written. Each kind of block is
numbered from 0 on its own, which makes the official element ids.
"""

from collections.abc import Sequence

from msgspec import Struct

from feverfew.text import sentences
from feverfew.types import Block, Cell, ItemList, Link, ListItem, Section, Sentence, Table

Run = str | Link

LARGEST_SPAN = 1000
"""What browsers allow; a larger span is a slip of the pen."""


class TableCell(Struct, frozen=True):
    """A cell before it has its place in the grid."""

    runs: Sequence[Run]
    header: bool = False
    row_span: int = 1
    column_span: int = 1


class Entry(Struct, frozen=True):
    """An item of a list before it has its number; level 0 is the outermost."""

    runs: Sequence[Run]
    level: int = 0


class Blocks:
    """Collect the blocks of one page.

    >>> blocks = Blocks()
    >>> blocks.paragraph(["It is an ", Link("Island", "island"), ". It is dry."])
    >>> blocks.done()[0]
    Sentence(index=0, text='It is an island.', links=(Link(target='Island', text='island'),))
    """

    def __init__(self) -> None:
        self._blocks: list[Block] = []
        self._sections = self._sentences = self._tables = self._lists = 0

    def section(self, text: str, level: int = 1) -> None:
        """Add a heading; level 1 is the outermost below the title."""
        if text := " ".join(text.split()):
            self._blocks.append(Section(self._sections, text, level))
            self._sections += 1

    def paragraph(self, runs: Sequence[Run]) -> None:
        """Add running text, split into sentences that keep the links which begin in them."""
        whole = "".join(run if isinstance(run, str) else run.text for run in runs)
        split = sentences(whole)
        for text, links in zip(split, _links(runs, split), strict=True):
            self._blocks.append(Sentence(self._sentences, text, links))
            self._sentences += 1

    def table(
        self, rows: Sequence[Sequence[TableCell]], caption: str = "", infobox: bool = False
    ) -> None:
        """Add a table; one without any text in it is left out."""
        placed = place(rows)
        if any(cell.text for row in placed for cell in row):
            self._blocks.append(Table(self._tables, placed, " ".join(caption.split()), infobox))
            self._tables += 1

    def item_list(self, items: Sequence[Entry], ordered: bool = False) -> None:
        """Add a list; items without text are left out."""
        made: list[ListItem] = []
        for item in items:
            text, links = flatten(item.runs)
            if text:
                made.append(ListItem(len(made), text, item.level, links))
        if made:
            self._blocks.append(ItemList(self._lists, tuple(made), ordered))
            self._lists += 1

    def __len__(self) -> int:
        """Count the blocks so far."""
        return len(self._blocks)

    def done(self) -> tuple[Block, ...]:
        """Return what was collected, in reading order."""
        return tuple(self._blocks)


def flatten(runs: Sequence[Run]) -> tuple[str, tuple[Link, ...]]:
    """Join runs to one line of text, and list their links."""
    whole = "".join(run if isinstance(run, str) else run.text for run in runs)
    return " ".join(whole.split()), tuple(run for run in runs if isinstance(run, Link))


def place(rows: Sequence[Sequence[TableCell]]) -> tuple[tuple[Cell, ...], ...]:
    """Give every cell its row and its column in the grid, as a browser lays it out.

    A cell below another one's `rowspan` moves to the right, so that the column of an id is
    the column that a reader sees. Rows without cells keep their number.
    """
    # The row up to which a column is taken from above.
    taken: dict[int, int] = {}
    made: list[tuple[Cell, ...]] = []
    for number, row in enumerate(rows):
        column = 0
        cells: list[Cell] = []
        for cell in row:
            while taken.get(column, -1) >= number:
                column += 1
            height = min(max(cell.row_span, 1), LARGEST_SPAN)
            width = min(max(cell.column_span, 1), LARGEST_SPAN)
            text, links = flatten(cell.runs)
            cells.append(Cell(number, column, text, cell.header, height, width, links))
            if height > 1:
                # Bounded, or a hostile table could take millions of columns from every row.
                for below in range(column, min(column + width, LARGEST_SPAN)):
                    taken[below] = number + height - 1
            column += width
        made.append(tuple(cells))
    return tuple(made)


def _links(runs: Sequence[Run], split: Sequence[str]) -> list[tuple[Link, ...]]:
    """Return the links that begin in each sentence."""
    links = [run for run in runs if isinstance(run, Link)]
    if len(split) < 2 or not links:
        return [tuple(links)] * len(split)
    # Splitting changes blanks only, so a link is found again by the letters before it.
    waiting: list[tuple[int, Link]] = []
    letters = 0
    for run in runs:
        if isinstance(run, str):
            letters += _letters(run)
        else:
            waiting.append((letters, run))
            letters += _letters(run.text)
    waiting.reverse()
    found: list[tuple[Link, ...]] = []
    end = 0
    for text in split:
        end += _letters(text)
        inside: list[Link] = []
        while waiting and waiting[-1][0] < end:
            inside.append(waiting.pop()[1])
        found.append(tuple(inside))
    return found


def _letters(text: str) -> int:
    """Count what is not blank."""
    return len("".join(text.split()))


class Content(Struct, frozen=True):
    """A document's content, before it becomes a page."""

    blocks: tuple[Block, ...]
    titles: tuple[str, ...] = ()
    """Best first; may hold blanks and doubles: whoever makes the page sorts them out."""
    page_breaks: tuple[int, ...] = ()
    """Of a document with page numbers: how many blocks come before each page."""
    problem: str = ""
    """What could not be read, where something could not."""
