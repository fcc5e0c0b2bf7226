"""A list seen as a table, as FEVEROUS sees it: so its items can be counted, ordered and compared.

A row is an item that has none below it, a column a depth of nesting; what an item stands below
covers its rows, as a row's header does. (The paper writes it turned: its rows are depths.)
"""

from collections.abc import Iterator

from feverfew.types import VIRTUAL_ROW, Cell, ItemList, Kind, ListItem, Ref, Table

__all__ = ["ListTable", "list_table"]


class ListTable(Table, frozen=True, gc=False, array_like=True):
    """A table whose cells are a list's items: their rows are the items' numbers."""

    def ref(self, page: str, cell: Cell) -> Ref:
        """Address the item that a cell is."""
        return Ref(page, Kind.ITEM, (self.index, cell.row))


def list_table(listed: ItemList, heading: str = "") -> ListTable:
    """Make a table of a list; the heading above it says what its items are.

    >>> sides = (ListItem(0, "Side one"), ListItem(1, "So What", 1), ListItem(2, "Blues", 1))
    >>> for row in list_table(ItemList(0, sides), "Songs").rows:
    ...     print([(cell.row, cell.text, cell.row_span) for cell in row])
    [(-1, 'Songs', 1), (-1, 'Songs', 1)]
    [(0, 'Side one', 2), (1, 'So What', 1)]
    [(2, 'Blues', 1)]
    """
    items = [item for item in listed.items if item.text]
    depths = sorted({item.level for item in items})
    heads = tuple(Cell(VIRTUAL_ROW, column, heading, True) for column in range(len(depths)))
    return ListTable(listed.index, (heads, *_rows(items, depths)))


def _rows(items: list[ListItem], depths: list[int]) -> Iterator[tuple[Cell, ...]]:
    levels = [depths.index(item.level) for item in items]
    row: list[Cell] = []
    above: list[int] = []
    for at, (item, level) in enumerate(zip(items, levels, strict=True)):
        height = _height(levels, at)
        leaf = height == 0
        above = [other for other in above if other < level]
        # Where depths are left out, the places between are empty.
        between = range(above[-1] + 1 if above else 0, level)
        row += [Cell(VIRTUAL_ROW, column, "", row_span=max(height, 1)) for column in between]
        row.append(Cell(item.index, level, item.text, not leaf, max(height, 1)))
        above.append(level)
        if leaf:
            row += [Cell(VIRTUAL_ROW, column, "") for column in range(level + 1, len(depths))]
            yield tuple(row)
            row = []


def _height(levels: list[int], at: int) -> int:
    """Count the rows that an item covers: the items below it with none below themselves."""
    count, place = 0, at + 1
    while place < len(levels) and levels[place] > levels[at]:
        count += place + 1 == len(levels) or levels[place + 1] <= levels[place]
        place += 1
    return count
