"""The program language over a table, as frozen values.

    rows        Where(conditions)  Extreme(rows, column, largest, nth)
    condition   Is(column, words)  Than(column, relation, number)
    quantity    Number  Count(rows)  Distinct(rows, column)  Aggregate(how, rows, column)
                Of(rows, column)  Difference(left, right)
    program     Compare(left, relation, right)  Quantified(how, rows, condition)
                Alike(left rows, right rows, column)

A program is true or false for a table, or undefined if the rows that it needs are missing. Columns
are indices; `words` turns them into headers.
"""

from typing import Literal

from msgspec import Struct

Relation = Literal["=", ">", "<", "≥", "≤", "≠"]
How = Literal["sum", "mean", "max", "min"]
Many = Literal["some", "all", "none", "most", "only"]


class Is(Struct, frozen=True):
    """The cell contains these words; with `whole`, exactly these."""

    column: int
    words: tuple[str, ...]
    whole: bool = False


class Than(Struct, frozen=True):
    """The cell's number or date is in a relation to a number."""

    column: int
    relation: Relation
    number: float


Condition = Is | Than


class Where(Struct, frozen=True):
    """The rows that meet all conditions; all rows if there are none."""

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
    """The absolute difference of two quantities."""

    left: Of
    right: Of


Quantity = Number | Count | Distinct | Aggregate | Of | Difference


class Compare(Struct, frozen=True):
    """Two quantities are in a relation."""

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
