"""The context that goes with a piece of evidence by itself (FEVEROUS, section 3).

It is the page's title and the headings down to the element; for a cell also the nearest row and
column headers, and the header before each if that is one too.
"""

from collections.abc import Iterator

from feverfew.types import Cell, ItemList, Kind, Page, Ref, Section, Sentence, Table


def context_of(page: Page, ref: Ref) -> list[Ref]:
    """Return what must be read with an element to understand it."""
    headings: list[Section] = []
    for block in page.blocks:
        if isinstance(block, Section):
            headings = [one for one in headings if one.level < block.level] + [block]
        elif _holds(block, ref):
            break
    else:
        headings = []
    context = [Ref(page.title)]
    context += [Ref(page.title, Kind.SECTION, (one.index,)) for one in headings]
    if ref.kind in (Kind.CELL, Kind.HEADER_CELL):
        context += [one for one in _headers(page, ref) if one != ref]
    return context


def _holds(block: object, ref: Ref) -> bool:
    match block:
        case Sentence():
            return ref.kind is Kind.SENTENCE and ref.position == (block.index,)
        case Table():
            kinds = (Kind.CELL, Kind.HEADER_CELL, Kind.CAPTION)
            return ref.kind in kinds and ref.position[0] == block.index
        case ItemList():
            return ref.kind is Kind.ITEM and ref.position[0] == block.index
    return False


def _headers(page: Page, ref: Ref) -> Iterator[Ref]:
    table = next((one for one in page.tables if one.index == ref.position[0]), None)
    if table is None:
        return
    _, row, column = ref.position
    grid: dict[tuple[int, int], Cell] = {}
    for cells in table.rows:
        for cell in cells:
            for down in range(max(1, cell.row_span)):
                for right in range(max(1, cell.column_span)):
                    grid.setdefault((cell.row + down, cell.column + right), cell)
    left = [grid.get((row, c)) for c in range(column - 1, -1, -1)]
    above = [grid.get((r, column)) for r in range(row - 1, -1, -1)]
    for line in (left, above):
        yield from (table.ref(page.title, cell) for cell in _nearest(line))


def _nearest(line: list[Cell | None]) -> Iterator[Cell]:
    """Yield the nearest header, and the next one if it follows at once."""
    for place, cell in enumerate(line):
        if cell is not None and cell.header:
            yield cell
            following = line[place + 1] if place + 1 < len(line) else None
            if following is not None and following.header and following is not cell:
                yield following
            return


def order_of(page: Page) -> dict[Ref, int]:
    """Number the elements of a page in reading order."""
    return {ref: place for place, (ref, _) in enumerate(page.elements())}
