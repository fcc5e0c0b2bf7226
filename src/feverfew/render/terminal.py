"""Pages as text on a terminal, each element with the number its id ends in."""

from rich.console import Console
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from feverfew.text import display_title
from feverfew.types import Cell, ItemList, Page, Section, Sentence, Table

__all__ = ["print_page"]


def print_page(page: Page, console: Console) -> None:
    """Print a page in reading order."""
    console.print(Text(display_title(page.title), style="bold"))
    if page.aliases:
        console.print(Text("also: " + ", ".join(page.aliases), style="dim"))
    if page.disambiguation:
        console.print(Text("a disambiguation page", style="dim"))
    for block in page.blocks:
        match block:
            case Section():
                console.print()
                console.print(Text("  " * (block.level - 1) + block.text, style="bold underline"))
            case Sentence():
                console.print(Text.assemble((f"{block.index:>4}  ", "dim"), block.text))
            case Table():
                console.print(Padding(_grid(block), (1, 0, 1, 6)))
            case ItemList():
                for item in block.items:
                    indent = " " * 6 + "  " * item.level + "• "
                    number = (f"  item {block.index}_{item.index}", "dim")
                    console.print(Text.assemble(indent, item.text, number))


def _grid(table: Table) -> Grid:
    kind = "infobox" if table.infobox else "table"
    title = f"{kind} {table.index}" + (f": {table.caption}" if table.caption else "")
    grid = Grid(title=title, title_justify="left", show_header=False, show_lines=True)
    width = max((c.column + c.column_span for row in table.rows for c in row), default=0)
    for _ in range(width):
        grid.add_column(overflow="fold")
    for row in table.rows:
        # A cell that spans several columns or rows is printed once, where it begins.
        line = [Text("")] * width
        for cell in row:
            line[cell.column] = _cell(cell)
        grid.add_row(*line)
    return grid


def _cell(cell: Cell) -> Text:
    return Text(cell.text, style="bold" if cell.header else "")
