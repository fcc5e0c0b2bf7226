"""The language: programs over a table, as frozen values that print themselves.

    rows        Where(conditions)  Extreme(rows, column, largest, nth)
    condition   Is(column, words)  Than(column, relation, number)
    quantity    Number  Count(rows)  Distinct(rows, column)  Aggregate(how, rows, column)
                Of(rows, column)  Difference(left, right)
    program     Compare(left, relation, right)  Quantified(how, rows, condition)
                Alike(left rows, right rows, column)

A program is true or false of a table, or says nothing (the rows that it asks for are missing).
Columns are numbers here, and become headers in print.
"""

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

__all__ = [
    "Aggregate",
    "Alike",
    "Compare",
    "Condition",
    "Count",
    "Difference",
    "Distinct",
    "Extreme",
    "Is",
    "Number",
    "Of",
    "Program",
    "Quantified",
    "Quantity",
    "Relation",
    "Rows",
    "Than",
    "Where",
    "columns_of",
    "written",
]

Relation = Literal["=", ">", "<", "≥", "≤", "≠"]
How = Literal["sum", "mean", "max", "min"]
Many = Literal["some", "all", "none", "most", "only"]


class Is(Struct, frozen=True):
    """The cell holds these words; all of the cell where `whole`."""

    column: int
    words: tuple[str, ...]
    whole: bool = False


class Than(Struct, frozen=True):
    """The cell's number or date stands in a relation to a number."""

    column: int
    relation: Relation
    number: float


Condition = Is | Than


class Where(Struct, frozen=True):
    """The rows that meet all conditions; without one, all rows."""

    conditions: tuple[Condition, ...] = ()


class Extreme(Struct, frozen=True):
    """The row with the largest or smallest number of a column, or the nth of them."""

    rows: Where
    column: int
    largest: bool
    nth: int = 1


Rows = Where | Extreme


class Number(Struct, frozen=True):
    """A number of the claim."""

    number: float
    text: str


class Count(Struct, frozen=True):
    """How many rows."""

    rows: Rows


class Distinct(Struct, frozen=True):
    """How many different texts a column has in these rows."""

    rows: Rows
    column: int


class Aggregate(Struct, frozen=True):
    """The sum, mean, maximum or minimum of a column."""

    how: How
    rows: Rows
    column: int


class Of(Struct, frozen=True):
    """The number or date that these rows agree on, or a date's year."""

    rows: Rows
    column: int
    year: bool = False


class Difference(Struct, frozen=True):
    """One quantity less another, whichever is larger."""

    left: Of
    right: Of


Quantity = Number | Count | Distinct | Aggregate | Of | Difference


class Compare(Struct, frozen=True):
    """Two quantities stand in a relation."""

    left: Quantity
    relation: Relation
    right: Quantity


class Quantified(Struct, frozen=True):
    """Some, all, none, most or only these rows meet a condition."""

    how: Many
    rows: Rows
    condition: Condition


class Alike(Struct, frozen=True):
    """Two sets of rows share a text in a column."""

    left: Rows
    right: Rows
    column: int


Program = Compare | Quantified | Alike


def columns_of(part: Program | Quantity | Rows | Condition) -> frozenset[int]:
    """Return the columns that a program computes with."""
    match part:
        case Is(column) | Than(column):
            return frozenset((column,))
        case Where(conditions):
            return frozenset(condition.column for condition in conditions)
        case Extreme(rows, column) | Distinct(rows, column) | Of(rows, column):
            return columns_of(rows) | {column}
        case Aggregate(_, rows, column):
            return columns_of(rows) | {column}
        case Count(rows):
            return columns_of(rows)
        case Difference(left, right) | Compare(left, _, right):
            return columns_of(left) | columns_of(right)
        case Quantified(_, rows, condition):
            return columns_of(rows) | {condition.column}
        case Alike(left, right, column):
            return columns_of(left) | columns_of(right) | {column}
        case Number():
            return frozenset()


def written(part: Program | Quantity | Rows | Condition, header: Callable[[int], str]) -> str:
    """Print a program or a part of one.

    >>> written(Count(Where((Is(0, ("won",)),))), lambda column: "Result")
    'count(Result = won)'
    """

    def say(inner: Quantity | Rows | Condition) -> str:
        return written(inner, header)

    match part:
        case Is(column, words):
            return f"{header(column)} = {' '.join(words)}"
        case Than(column, relation, number):
            return f"{header(column)} {relation} {number:g}"
        case Where(conditions):
            return " and ".join(map(say, conditions)) or "all rows"
        case Extreme(rows, column, largest, nth):
            name = "row with the largest" if largest else "row with the smallest"
            place = f", number {nth}" if nth > 1 else ""
            inside = f" where {say(rows)}" if rows.conditions else ""
            return f"{name} {header(column)}{place}{inside}"
        case Number(_, text):
            return text
        case Count(rows):
            return f"count({say(rows)})"
        case Distinct(rows, column):
            return f"different({header(column)}{_where(rows, say)})"
        case Aggregate(how, rows, column):
            return f"{how}({header(column)}{_where(rows, say)})"
        case Of(rows, column, year):
            return f"{'year of ' if year else ''}{header(column)} of ({say(rows)})"
        case Difference(left, right):
            return f"difference of {say(left)} and {say(right)}"
        case Compare(left, relation, right):
            return f"{say(left)} {relation} {say(right)}"
        case Quantified(how, rows, condition):
            if how == "only":
                return f"only ({say(rows)}) has {say(condition)}"
            return f"{how} of ({say(rows)}): {say(condition)}"
        case Alike(left, right, column):
            return f"{header(column)} of ({say(left)}) = {header(column)} of ({say(right)})"


def _where(rows: Rows, say: Callable[[Rows], str]) -> str:
    return "" if rows == Where() else f" where {say(rows)}"
