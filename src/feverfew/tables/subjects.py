"""The rows, columns and numbers that a claim may speak of: what its programs are built from."""

from itertools import combinations

from msgspec import Struct

from feverfew.tables.language import Number, Than, Where
from feverfew.tables.linking import CellLink, Links, NumberLink
from feverfew.tables.values import DATE, DAYS_A_YEAR
from feverfew.tables.view import TableView

__all__ = [
    "ORDERED",
    "RowSet",
    "comparing",
    "in_unit_of",
    "is_date",
    "is_year",
    "named_beside",
    "ordered",
    "row_sets",
    "said_places",
]

_SUBJECTS, _PAIRS = 7, 8
ORDERED = 4
"""Columns that can be compared, of which so many are tried."""


class RowSet(Struct, frozen=True):
    """Rows that the claim may speak of."""

    rows: Where
    cells: tuple[CellLink, ...]
    places: int


def row_sets(links: Links, view: TableView) -> list[RowSet]:
    """List all rows, those that meet one condition, and those that meet two."""
    ones = [RowSet(Where((c.condition,)), (c,), c.places) for c in links.cells[:_SUBJECTS]]
    for number in links.numbers:
        if number.relation != "=":
            for column, share in ordered(links, view)[:ORDERED]:
                bound = _bound(number, view, column)
                if bound is None:
                    continue
                condition = Than(column, number.relation, bound)
                places = number.places | (links.columns[column].places if share else 0)
                ones.append(RowSet(Where((condition,)), (), places))
    twos = [
        RowSet(
            Where((a.rows.conditions[0], b.rows.conditions[0])),
            a.cells + b.cells,
            a.places | b.places,
        )
        for a, b in combinations(ones, 2)
        if not a.places & b.places and a.rows.conditions[0].column != b.rows.conditions[0].column
    ]
    return [RowSet(Where(), (), 0), *ones, *twos[:_PAIRS]]


def ordered(links: Links, view: TableView) -> list[tuple[int, float]]:
    """List the columns that can be compared, those that the claim names first."""
    found = []
    for column in view.columns:
        if column.ordered:
            linked = links.columns.get(column.index)
            found.append((column.index, linked.share if linked else 0.0))
    return sorted(found, key=lambda one: -one[1])


def said_places(links: Links, column: int) -> tuple[float, int]:
    """Return how much of a column's header the claim says, and where."""
    linked = links.columns.get(column)
    return (linked.share, linked.places) if linked else (0.0, 0)


def in_unit_of(number: NumberLink, view: TableView, column: int) -> Number:
    """Write a number of the claim in the unit of a column."""
    own = view.columns[column]
    return Number(number.within(own.unit, own.factor), number.text)


def is_date(view: TableView, column: int) -> bool:
    """Say whether a column holds dates."""
    return view.columns[column].kind == DATE


def is_year(number: NumberLink) -> bool:
    """Say whether a number may be a year."""
    return not number.spelled and number.number == int(number.number) and number.number > 999


def _bound(number: NumberLink, view: TableView, column: int) -> float | None:
    """Return what the cells of a column are compared with: of a year, its first or last day."""
    if not is_date(view, column):
        return in_unit_of(number, view, column).number
    if not is_year(number):
        return None
    last = DAYS_A_YEAR - 1 if number.relation in (">", "≤") else 0
    return number.number * DAYS_A_YEAR + last


def comparing(number: NumberLink) -> int:
    """The places of a number that are not its own word."""
    return number.places & (number.places - 1) if number.relation != "=" else 0


def named_beside(links: Links, view: TableView, own: RowSet) -> list[tuple[int, float]]:
    """List the columns that the claim names, but for those of the rows' own conditions."""
    taken = {c.column for c in own.rows.conditions}
    named = [(c.column, c.share) for c in links.columns.values() if c.column not in taken]
    return sorted(named, key=lambda one: -one[1])
