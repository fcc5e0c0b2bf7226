"""Extract the part of a table behind a verdict."""

from collections.abc import Sequence

from feverfew.tables.evidence import TableEvidence
from feverfew.tables.view import TableView
from feverfew.types import VIRTUAL_ROW, Cell, Excerpt

_ROWS = 8


def excerpt_of(looked: TableEvidence, used: Sequence[tuple[int, int]]) -> Excerpt:
    """Extract the rows that contain the cells; an infobox becomes keys and values."""
    return _infobox(looked, used) if looked.table.infobox else _table(looked, used)


def _table(looked: TableEvidence, used: Sequence[tuple[int, int]]) -> Excerpt:
    view = looked.view
    rows = sorted(dict.fromkeys(row for row, _ in used))[:_ROWS]
    width = range(len(view.columns))
    cells = [view.places[row] for row in rows]
    return Excerpt(
        page=looked.page,
        index=looked.table.index,
        caption=looked.table.caption,
        header=tuple(view.header_of(at) for at in width),
        rows=tuple(tuple(column.texts[row].strip() for column in view.columns) for row in rows),
        marked=tuple((rows.index(row), column) for row, column in used if row in rows),
        left_out=view.height - len(rows),
        levels=_levels(view),
        row_headers=tuple(
            (at, column) for at, row in enumerate(cells) for column in width if row[column].header
        ),
        merged=tuple(
            (at, column)
            for at, row in enumerate(cells)
            for column in width[1:]
            if _same(row[column], row[column - 1])
        ),
        listed=view.listed,
    )


def _same(one: Cell, other: Cell) -> bool:
    """Say whether one cell covers both positions."""
    return one.column_span > 1 and (one.row, one.column) == (other.row, other.column)


def _levels(view: TableView) -> tuple[tuple[str, ...], ...]:
    """List the header's rows, outermost first; spanning cells are repeated in each column."""
    depth = max((len(own) for own in view.heads), default=0)
    return tuple(
        tuple(own[level].text.strip() if level < len(own) else "" for own in view.heads)
        for level in range(depth)
    )


def _infobox(looked: TableEvidence, used: Sequence[tuple[int, int]]) -> Excerpt:
    """List the keys and values that were used, and as many of the first others as fit."""
    view = looked.view
    own = [
        at
        for at in range(len(view.columns))
        if view.height and view.places[0][at].row != VIRTUAL_ROW
    ]
    named = [column for _, column in used if column in own]
    kept = sorted(list(dict.fromkeys((*named, *own)))[:_ROWS])
    return Excerpt(
        page=looked.page,
        index=looked.table.index,
        caption=looked.table.caption,
        rows=tuple((view.header_of(at), view.columns[at].texts[0].strip()) for at in kept),
        marked=tuple((at, 1) for at, column in enumerate(kept) if column in named),
        left_out=len(own) - len(kept),
        row_headers=tuple((at, 0) for at in range(len(kept))),
    )
