"""Draw the part of a table behind a verdict, with the used cells marked."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.text import Text

from feverfew.render.svg import escape, shorten
from feverfew.render.wording import Piece, clean
from feverfew.text import display_title
from feverfew.types import Excerpt, Kind, Report

_CELLS = (Kind.CELL, Kind.HEADER_CELL, Kind.ITEM)
_WIDEST, _COLUMNS = 24, 8
"""Limits on a terminal: characters per cell, and columns; HTML and JSON have everything."""


def apart(
    report: Report, pieces: Sequence[Piece]
) -> tuple[list[Piece], dict[Excerpt, list[Piece]]]:
    """Separate the cells of drawn tables, which need no text, from other findings."""
    tables = {(excerpt.page, excerpt.index, excerpt.listed): excerpt for excerpt in report.tables}
    rest: list[Piece] = []
    drawn: dict[Excerpt, list[Piece]] = {excerpt: [] for excerpt in report.tables}
    for piece in pieces:
        ref = piece.evidence.ref
        place = (ref.page, ref.position[0], ref.kind is Kind.ITEM) if ref.kind in _CELLS else None
        excerpt = tables.get(place) if place else None
        if excerpt is None:
            rest.append(piece)
        else:
            drawn[excerpt].append(piece)
    return rest, drawn


def _ids(cells: Sequence[Piece]) -> str:
    return ", ".join(clean(str(piece.evidence.ref)) for piece in cells)


def excerpt_lines(
    excerpt: Excerpt, ascii_only: bool, cells: Sequence[Piece] = ()
) -> Iterator[Text]:
    """Write an excerpt as text lines, with used cells in bold and brackets.

    The ids of the evidence's cells follow below.
    """
    columns = _shown(excerpt)
    used, merged = set(excerpt.marked), set(excerpt.merged)
    heads = [[_short(text) for text in level] for level in _heads(excerpt, columns)]
    body = [
        [
            ""
            if (row, at) in merged and columns[place - 1] == at - 1
            else f"[{_short(cells[at])}]"
            if (row, at) in used
            else _short(cells[at])
            for place, at in enumerate(columns)
        ]
        for row, cells in enumerate(excerpt.rows)
    ]
    grid = [*heads, *body]
    widths = (
        [max(cell_len(line[at]) for line in grid) for at in range(len(columns))] if grid else []
    )
    bar = " | " if ascii_only else " │ "
    title = _title(excerpt)
    head = Text(title.replace("›", ">") if ascii_only else title, style="underline")
    if notes := dict.fromkeys(note for piece in cells for note in piece.notes):
        head.append(f"  {', '.join(notes)}", "not underline")
    yield head
    for number, line in enumerate(grid):
        text = Text()
        for place, (cell, width) in enumerate(zip(line, widths, strict=True)):
            row = number - len(heads)
            style = _style(excerpt, row, columns[place], cell)
            text.append(cell + " " * (width - cell_len(cell)), style)
            text.append(bar if place + 1 < len(widths) else "", "dim")
        text.rstrip()
        yield text
        if number + 1 == len(heads):
            cross, line_sign = ("-+-", "-") if ascii_only else ("─┼─", "─")
            yield Text(cross.join(line_sign * width for width in widths), style="dim")
    if rest := _left_out(excerpt, len(columns)):
        yield Text(rest, style="dim")
    if cells:
        yield Text(_ids(cells), style="dim")


def _style(excerpt: Excerpt, row: int, column: int, cell: str) -> str:
    if row < 0:
        return "italic"
    if (row, column) in excerpt.marked and cell:
        return "bold"
    return "italic" if (row, column) in excerpt.row_headers else ""


def _shown(excerpt: Excerpt) -> list[int]:
    """Choose the columns to show: the first, the used ones, then the others from the left."""
    used = [column for _, column in excerpt.marked]
    order = dict.fromkeys((0, *used, *range(_width(excerpt)))) if _width(excerpt) else {}
    return sorted(list(order)[:_COLUMNS])


def _width(excerpt: Excerpt) -> int:
    return max((len(row) for row in (excerpt.header, *excerpt.rows)), default=0)


def _heads(excerpt: Excerpt, columns: Sequence[int]) -> list[list[str]]:
    """List the header's rows; a text that covers several columns, or rows, is written once."""
    if not excerpt.header:
        return []
    levels = excerpt.levels or (excerpt.header,)
    made = []
    for depth, level in enumerate(levels):
        line = []
        for place, at in enumerate(columns):
            left = columns[place - 1] if place else None
            merged = left is not None and _together(levels, depth, left, at)
            above = depth > 0 and levels[depth - 1][at] == level[at]
            line.append("" if merged or above else level[at])
        made.append(line)
    return [line for line in made if any(line)]


def _together(levels: Sequence[Sequence[str]], depth: int, one: int, other: int) -> bool:
    """Say whether a header covers two columns: it and all above are the same, not those below."""
    return (
        depth + 1 < len(levels)
        and all(level[one] == level[other] for level in levels[: depth + 1])
        and any(level[one] != level[other] for level in levels[depth + 1 :])
    )


def _short(text: str) -> str:
    return shorten(clean(text), _WIDEST)


def _title(excerpt: Excerpt) -> str:
    return clean(" › ".join(filter(None, (display_title(excerpt.page), excerpt.caption))))


def _left_out(excerpt: Excerpt, columns: int) -> str:
    """Say how many rows and columns are not shown."""
    hidden = {"row": excerpt.left_out, "column": _width(excerpt) - columns}
    parts = [
        f"{count:,} {what}{'s' if count > 1 else ''}" for what, count in hidden.items() if count
    ]
    return f"and {' and '.join(parts)} more" if parts else ""


def excerpt_html(excerpt: Excerpt, cells: Sequence[Piece] = ()) -> str:
    """Write an excerpt as an HTML table, with the ids of the evidence's cells below it."""
    head = "".join(f"<tr>{line}</tr>" for line in _html_heads(excerpt))
    body = "".join(
        f"<tr>{''.join(_html_row(excerpt, row, cells))}</tr>"
        for row, cells in enumerate(excerpt.rows)
    )
    rest = _left_out(excerpt, _width(excerpt))
    return (
        f'<div class="excerpt"><table><caption dir="auto">{escape(_title(excerpt))}</caption>'
        f"{f'<thead>{head}</thead>' if head else ''}<tbody>{body}</tbody></table>"
        f"{f'<p class=fine>{escape(rest)}</p>' if rest else ''}"
        f"{f'<p class=fine><code>{escape(_ids(cells))}</code></p>' if cells else ''}</div>\n"
    )


def _html_heads(excerpt: Excerpt) -> Iterator[str]:
    """Write the header's rows with their column and row spans."""
    used = {column for _, column in excerpt.marked}
    levels = excerpt.levels or ((excerpt.header,) if excerpt.header else ())
    for depth, level in enumerate(levels):
        line, at = [], 0
        while at < len(level):
            end = at + 1
            while end < len(level) and _together(levels, depth, at, end):
                end += 1
            if depth == 0 or levels[depth - 1][at] != level[at] or not level[at]:
                down = depth + 1
                while end == at + 1 and down < len(levels) and levels[down][at] == level[at] != "":
                    down += 1
                scope = "colgroup" if end > at + 1 else "col"
                over = f' colspan="{end - at}"' if end > at + 1 else ""
                over += f' rowspan="{down - depth}"' if down > depth + 1 else ""
                kind = ' class="used"' if used & set(range(at, end)) else ""
                line.append(f'<th scope="{scope}"{over}{kind}>{escape(clean(level[at]))}</th>')
            at = end
        yield "".join(line)


def _html_row(excerpt: Excerpt, row: int, cells: Sequence[str]) -> Iterator[str]:
    used, heads = set(excerpt.marked), set(excerpt.row_headers)
    merged = set(excerpt.merged)
    in_use = any(at_row == row for at_row, _ in used)
    for at, text in enumerate(cells):
        if (row, at) in merged:
            continue
        end = at + 1
        while (row, end) in merged:
            end += 1
        over = f' colspan="{end - at}"' if end > at + 1 else ""
        if (row, at) in heads:
            names = [*(["used"] if in_use else []), *(["chosen"] if (row, at) in used else [])]
            kind = f' class="{" ".join(names)}"' if names else ""
            yield f'<th scope="row"{over}{kind}>{escape(clean(text))}</th>'
        else:
            kind = ' class="used"' if used & {(row, place) for place in range(at, end)} else ""
            yield f"<td{over}{kind}>{escape(clean(text))}</td>"
