"""Print the sections of a page on a terminal; what only a page can draw is left out."""

from collections.abc import Sequence

from rich.table import Table

from feverfew.cli.common import stdout
from feverfew.render.page import DataTable, Figure, Section, Words

__all__ = ["print_sections"]


def print_sections(sections: Sequence[Section]) -> None:
    """Print headings, words and tables to stdout."""
    out = stdout()
    for place, section in enumerate(sections):
        if place:
            out.print()
        out.print(section.heading, style="bold", markup=False)
        for part in section.parts:
            match part:
                case Words():
                    out.print(part.text, markup=False)
                case DataTable():
                    out.print(_table(part))
                case Figure():
                    pass


def _table(data: DataTable) -> Table:
    table = Table(caption=data.caption or None, caption_justify="left", box=None, pad_edge=False)
    for place, name in enumerate(data.columns):
        numbers = all(isinstance(row[place], int | float | None) for row in data.rows)
        table.add_column(
            name, justify="right" if numbers else "left", overflow="fold", no_wrap=numbers
        )
    for row in data.rows:
        table.add_row(*map(_cell, row))
    return table


def _cell(value: object) -> str:
    match value:
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            return f"{value:.3f}"
    from rich.markup import escape

    return escape(str(value))
