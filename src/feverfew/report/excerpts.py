"""Draw the part of a table that a verdict rests on, with the cells that were used marked."""

from collections.abc import Iterator

from rich.text import Text

from feverfew.model import Excerpt
from feverfew.report.svg import escape, shorten
from feverfew.report.wording import clean

__all__ = ["EXCERPT_STYLE", "excerpt_html", "excerpt_lines"]

_WIDEST, _COLUMNS = 24, 8
"""Letters of a cell, and columns, in a terminal; pages and JSON have all of it."""
EXCERPT_STYLE = """
.checked .excerpt{overflow-x:auto;margin:.6rem 0}
.checked .excerpt table{border-collapse:collapse;font-size:.9rem}
.checked .excerpt caption{text-align:left;font-weight:600;padding:.2rem 0}
.checked .excerpt th,.checked .excerpt td{border:1px solid var(--grid);padding:.15rem .5rem;
text-align:left}
.checked .excerpt th.used{color:var(--own)}
.checked .excerpt td.used{background:var(--mark);font-weight:600}
"""


def excerpt_lines(excerpt: Excerpt, ascii_only: bool) -> Iterator[Text]:
    """Write an excerpt as lines: columns side by side, what was used in bold and brackets."""
    columns = _shown(excerpt)
    used = set(excerpt.marked)
    grid = [[_cell(excerpt.header[at]) for at in columns]]
    for row, cells in enumerate(excerpt.rows):
        grid.append(
            [f"[{_cell(cells[at])}]" if (row, at) in used else _cell(cells[at]) for at in columns]
        )
    widths = [max(len(line[at]) for line in grid) for at in range(len(columns))]
    bar = " | " if ascii_only else " │ "
    for number, line in enumerate(grid):
        text = Text()
        for place, (cell, width) in enumerate(zip(line, widths, strict=True)):
            style = "italic" if number == 0 else "bold" if cell.startswith("[") else ""
            text.append(cell.ljust(width), style)
            text.append(bar if place + 1 < len(widths) else "", "dim")
        text.rstrip()
        yield text
    if excerpt.left_out:
        yield Text(_left_out(excerpt), style="dim")


def _shown(excerpt: Excerpt) -> list[int]:
    """Choose the columns to show: the first, those used, then the others from the left."""
    used = [column for _, column in excerpt.marked]
    order = dict.fromkeys((0, *used, *range(len(excerpt.header)))) if excerpt.header else {}
    return sorted(list(order)[:_COLUMNS])


def _cell(text: str) -> str:
    return shorten(clean(text), _WIDEST)


def _left_out(excerpt: Excerpt) -> str:
    rows = "row" if excerpt.left_out == 1 else "rows"
    return f"and {excerpt.left_out:,} {rows} more"


def excerpt_html(excerpt: Excerpt) -> str:
    """Write an excerpt as an HTML table."""
    used = set(excerpt.marked)
    columns = {column for _, column in used}
    head = "".join(
        f'<th scope="col"{" class=used" if at in columns else ""}>{escape(clean(text))}</th>'
        for at, text in enumerate(excerpt.header)
    )
    body = "".join(
        "<tr>"
        + "".join(
            f"<td{' class=used' if (row, at) in used else ''}>{escape(clean(text))}</td>"
            for at, text in enumerate(cells)
        )
        + "</tr>"
        for row, cells in enumerate(excerpt.rows)
    )
    title = " › ".join(filter(None, (excerpt.page.replace("_", " "), excerpt.caption)))
    rest = f'<p class="fine">{escape(_left_out(excerpt))}</p>' if excerpt.left_out else ""
    return (
        f'<div class="excerpt"><table><caption dir="auto">{escape(clean(title))}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}</div>\n"
    )
