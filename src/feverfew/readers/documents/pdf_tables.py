"""Find the tables among the lines of a PDF's page: rows whose words leave the same gaps.

Rules are not asked for, because many tables have none: what makes a table is that three lines or
more, close to each other, are cut by the same white gutters.
"""

import re
import statistics
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from feverfew.readers.blocks import TableCell

if TYPE_CHECKING:
    from feverfew.readers.documents.pdf_layout import Line, Word

_GAP = 1.0
"""Between two columns, in units of the letters' size; blanks in justified text are narrower."""
_GUTTER = 0.35
_LEADERS = re.compile(r"(?:\. ?){4,}|…")
_BULLET = re.compile(r"[•◦▪■□‣●○–—∗*·-]|\(?(?:\d{1,3}|[a-zA-Z])[.)]|\[\d{1,3}\]")
_NUMBER = re.compile(r"[-+−–(]?[$€£¥<>≤≥]*\s?[\d.][\d.,'\s]*(?:e[-+−]?\d+)?[%)*†‡]*|[-–—]|NA")
_LONGEST_GROUP = 5
_LONGEST_CELL = 12
"""Words; what is longer on average is text in columns, not a table."""

Rows = list[list[TableCell]]


def split_segments(line: "Line") -> list[list["Word"]]:
    """Split a line where its words stand far apart."""
    made: list[list[Word]] = []
    right = 0.0
    for word in sorted(line.words, key=lambda word: word.x0):
        if made and word.x0 - right < _GAP * word.size:
            made[-1].append(word)
        else:
            made.append([word])
        right = max(right, word.x1) if made[-1] is not made[0] or len(made[-1]) > 1 else word.x1
    return made


def find_tables(lines: Sequence["Line"]) -> Iterator["Line | Rows"]:
    """Yield the lines in order, and in place of those that make a table, its rows."""
    waiting: Line | None = None
    """The line above, which may hold a table's header."""
    at = 0
    while at < len(lines):
        end = max(_run(lines, at), at + 1)
        if end - at >= 3 and (found := _table(lines[at:end], waiting)):
            rows, headed = found
            if waiting is not None and not headed:
                yield waiting
            yield rows
            waiting = None
        else:
            if waiting is not None:
                yield waiting
            yield from lines[at : end - 1]
            waiting = lines[end - 1]
        at = end
    if waiting is not None:
        yield waiting


def _run(lines: Sequence["Line"], start: int) -> int:
    """Return where a run of lines that may be rows ends."""
    at = start
    while at < len(lines):
        line = lines[at]
        segments = split_segments(line)
        if _LEADERS.search(line.text) or not any(map(str.isalnum, line.text)):
            break
        if len(segments) < 2 and not (at > start and _is_group(lines, at)):
            break
        if len(segments) == 2 and _BULLET.fullmatch(line.words[0].text):
            break
        if at > start:
            above = lines[at - 1]
            if not -0.2 * line.size < above.y0 - line.y1 < 1.6 * line.size:
                break
            if abs(line.size - above.size) > 0.25 * above.size:
                break
        at += 1
    return at


def _is_group(lines: Sequence["Line"], at: int) -> bool:
    """Say whether a line names the rows below it: a few words, and a row that follows closely."""
    line = lines[at]
    if len(line.words) > _LONGEST_GROUP or at + 1 == len(lines):
        return False
    following = lines[at + 1]
    close = -0.2 * line.size < line.y0 - following.y1 < 1.6 * line.size
    return close and len(split_segments(following)) > 1


def _table(lines: Sequence["Line"], above: "Line | None") -> tuple[Rows, bool] | None:
    """Make rows of lines; say whether the line above was taken as their header."""
    size = statistics.median(line.size for line in lines)
    whole = [line for line in lines if len(split_segments(line)) > 1]
    if len(whole) < 3:
        return None
    columns = _columns(whole, size)
    if len(columns) < 2:
        return None
    rows = [_cells(line, columns) for line in lines]
    filled = [sum(bool(cell) for cell in row) for row in rows]
    cells = [cell for row in rows for cell in row if cell]
    if statistics.mean(len(cell.split()) for cell in cells) > _LONGEST_CELL:
        return None
    if sum(count * 2 > len(columns) for count in filled) * 2 < len(rows):
        return None
    numbers = sum(bool(_NUMBER.fullmatch(cell)) for cell in cells)
    if len(columns) == 2 and numbers * 4 < len(cells) and len(rows) < 4:
        return None
    heads = _header_rows(rows)
    headed = not heads and above is not None and _is_header(above, lines[0], columns)
    if headed and above is not None:
        rows.insert(0, _nearest(above, columns))
        heads = 1
    return _with_groups(rows, heads), headed


def _is_header(above: "Line", first: "Line", columns: Sequence[tuple[float, float]]) -> bool:
    """Say whether the line above a table names its columns, though its words stand close."""
    size = first.size
    close = -0.2 * size < above.y0 - first.y1 < 1.0 * size
    within = above.x0 > columns[0][0] - size and above.x1 < columns[-1][1] + size
    enough = len(columns) - 1 <= len(above.words) <= 4 * len(columns)
    return close and within and enough and not above.text.endswith((".", ":", ";"))


def _nearest(line: "Line", columns: Sequence[tuple[float, float]]) -> list[str]:
    """Put each word into the column that it stands over, or else the nearest.

    Code sets headers flush right: a word between two columns belongs to the one on its right.
    """
    made: list[list[str]] = [[] for _ in columns]
    for word in line.words:
        middle = (word.x0 + word.x1) / 2
        before = 4.0 if line.mono else 1.0
        away = [max((left - middle) / before, middle - right, 0.0) for left, right in columns]
        made[away.index(min(away))].append(word.text)
    return [" ".join(cell) for cell in made]


def _with_groups(rows: Sequence[Sequence[str]], heads: int) -> Rows:
    """Make cells; a row that only names those below it becomes a header beside them."""
    named = [at >= heads and bool(row[0]) and not any(row[1:]) for at, row in enumerate(rows)]
    made: Rows = []
    for at, row in enumerate(rows):
        if named[at]:
            continue
        cells = [TableCell([cell], at < heads) for cell in row]
        if any(named):
            group = next((n for n in range(at - 1, -1, -1) if named[n]), -1)
            if group < 0:
                cells.insert(0, TableCell([""], at < heads))
            elif named[at - 1]:
                below = next((n for n in range(at, len(rows)) if named[n]), len(rows)) - at
                cells.insert(0, TableCell([rows[group][0]], True, below))
        made.append(cells)
    return made


def _columns(lines: Sequence["Line"], size: float) -> list[tuple[float, float]]:
    """Return where columns lie: between the gutters that no row's words cross."""
    spans = sorted(
        (segment[0].x0, max(word.x1 for word in segment))
        for line in lines
        for segment in split_segments(line)
    )
    columns = [spans[0]]
    for left, right in spans[1:]:
        if left - columns[-1][1] < _GUTTER * size:
            columns[-1] = (columns[-1][0], max(columns[-1][1], right))
        else:
            columns.append((left, right))
    return [part for column in columns for part in _parts(lines, column, size)]


def _parts(
    lines: Sequence["Line"], column: tuple[float, float], size: float
) -> list[tuple[float, float]]:
    """Split a column whose words leave a gutter before numbers: code sets them close."""
    own = [[w for w in line.words if column[0] <= w.x0 <= column[1]] for line in lines]
    spans = sorted((word.x0, word.x1) for words in own for word in words)
    parts = [spans[0]]
    for left, right in spans[1:]:
        if left - parts[-1][1] < _GUTTER * size:
            parts[-1] = (parts[-1][0], max(parts[-1][1], right))
        else:
            parts.append((left, right))
    made = parts[:1]
    for part in parts[1:]:
        inside = [w.text for words in own for w in words if part[0] <= w.x0 <= part[1]]
        numbers = sum(bool(_NUMBER.fullmatch(text)) for text in inside)
        if numbers * 2 > len(inside) and len(inside) * 2 > len(lines):
            made.append(part)
        else:
            made[-1] = (made[-1][0], part[1])
    return made


def _cells(line: "Line", columns: Sequence[tuple[float, float]]) -> list[str]:
    made: list[list[str]] = [[] for _ in columns]
    for word in sorted(line.words, key=lambda word: word.x0):
        middle = (word.x0 + word.x1) / 2
        place = next((n for n, (_, right) in enumerate(columns) if middle <= right), -1)
        made[place].append(word.text)
    return [" ".join(cell) for cell in made]


def _header_rows(rows: Sequence[Sequence[str]]) -> int:
    """Count the rows on top that name columns: words above numbers, and nothing above names."""
    if len(rows) > 2 and not rows[0][0] and sum(bool(row[0]) for row in rows) >= len(rows) - 1:
        return 1
    first = next(
        (n for n, row in enumerate(rows) if any(_NUMBER.fullmatch(c) for c in row[1:])), len(rows)
    )
    return min(first, 2) if first < len(rows) else 1
