"""Run programs over a table: truth value, result, and the cells that were used.

Sets of rows are bit masks, and every condition is evaluated once, so that a hundred programs over
one table share most of their work.
"""

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.tables.language import (
    Aggregate,
    Alike,
    Compare,
    Condition,
    Count,
    Difference,
    Distinct,
    Extreme,
    Is,
    Number,
    Of,
    Program,
    Quantified,
    Quantity,
    Relation,
    Rows,
    Than,
    Where,
)
from feverfew.tables.values import DAYS_A_YEAR
from feverfew.tables.view import TableView, bits_of, rows_of

Place = tuple[int, int]
_CLOSE = 1e-6
_SHOWN = 25
"""Maximum number of cells that a program cites."""


class Outcome(Struct, frozen=True):
    """The outcome of a program."""

    truth: bool | None
    """None if the rows or numbers that it needs do not exist."""
    value: float | None = None
    """The value of its left side, if that is a number."""


_SILENT = Outcome(None)


class Runner:
    """Runs programs over one table, and caches shared parts."""

    def __init__(self, view: TableView) -> None:
        self.view = view
        self._rows: dict[Rows | Condition, int] = {}
        self._quantities: dict[Quantity, float | None] = {}

    def run(self, program: Program) -> Outcome:
        """Run one program."""
        match program:
            case Compare(left, relation, right):
                one, other = self.quantity(left), self.quantity(right)
                if one is None or other is None:
                    return Outcome(None, one)
                return Outcome(_holds(one, relation, other), one)
            case Quantified(how, rows, condition):
                return self._quantified(how, self.rows(rows), self.rows(condition))
            case Alike(left, right, column):
                texts = self.view.columns[column].texts
                one_, other_ = (
                    {texts[row].casefold() for row in rows_of(self.rows(side))}
                    for side in (left, right)
                )
                return Outcome(not one_.isdisjoint(other_)) if one_ and other_ else _SILENT

    def rows(self, wanted: Rows | Condition) -> int:
        """Evaluate a set of rows, as a bit mask."""
        found = self._rows.get(wanted)
        if found is None:
            found = self._rows[wanted] = self._find(wanted)
        return found

    def _find(self, wanted: Rows | Condition) -> int:
        match wanted:
            case Is(column, words, whole):
                return self._holding(column, words, whole)
            case Than(column, relation, number):
                with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                    mask = _relate(self.view.columns[column].numbers, relation, number)
                return bits_of(np.flatnonzero(mask).tolist())
            case Where(conditions):
                found = self.view.every
                for condition in conditions:
                    found &= self.rows(condition)
                return found
            case Extreme(rows, column, largest, nth):
                return self._extreme(self.rows(rows), column, largest, nth)

    def _holding(self, column: int, words: tuple[str, ...], whole: bool) -> int:
        view = self.view
        numbers = set.intersection(*(set(view.index.get(word, ())) for word in words))
        found = 0
        for number in numbers:
            entry = view.entries[number]
            if entry.column == column and (not whole or entry.words == words):
                found |= bits_of(entry.rows)
        return found

    def _extreme(self, rows: int, column: int, largest: bool, nth: int) -> int:
        numbers = self.view.columns[column].numbers
        inside = np.array(rows_of(rows), np.intp)
        known = inside[~np.isnan(numbers[inside])]
        if len(known) < nth or len(known) < 2:
            return 0
        values = np.sort(np.unique(numbers[known]))
        if len(values) < nth:
            return 0
        wanted = values[-nth] if largest else values[nth - 1]
        return bits_of(known[numbers[known] == wanted].tolist())

    def quantity(self, wanted: Quantity) -> float | None:
        """Evaluate a quantity; None if the table has no value for it."""
        if wanted not in self._quantities:
            self._quantities[wanted] = self._measure(wanted)
        return self._quantities[wanted]

    def _measure(self, wanted: Quantity) -> float | None:
        match wanted:
            case Number(number):
                return number
            case Count(rows):
                return float(self.rows(rows).bit_count())
            case Distinct(rows, column):
                texts = self.view.columns[column].texts
                return float(len({texts[row] for row in rows_of(self.rows(rows))}))
            case Aggregate(how, rows, column):
                numbers = self._numbers(rows, column)
                return float(getattr(np, how)(numbers)) if len(numbers) else None
            case Of(rows, column, year):
                numbers = self._numbers(rows, column)
                numbers = numbers // DAYS_A_YEAR if year else numbers
                same = len(numbers) > 0 and float(numbers.min()) == float(numbers.max())
                return float(numbers[0]) if same else None
            case Difference(left, right):
                one, other = self.quantity(left), self.quantity(right)
                return None if one is None or other is None else abs(one - other)

    def _numbers(self, rows: Rows, column: int) -> NDArray[np.float64]:
        numbers = self.view.columns[column].numbers
        chosen = self.rows(rows)
        if chosen != self.view.every:
            numbers = numbers[rows_of(chosen)]
        return numbers[~np.isnan(numbers)]

    def _quantified(self, how: str, rows: int, meets: int) -> Outcome:
        both, asked = (rows & meets).bit_count(), rows.bit_count()
        if not asked:
            return _SILENT
        truth = {
            "some": both > 0,
            "all": both == asked,
            "none": both == 0,
            "most": 2 * both > asked,
            "only": both > 0 and meets & ~rows == 0,
        }[how]
        return Outcome(truth, float(both))

    def cells(self, program: Program) -> list[Place]:
        """List the positions (row, column of the body) that a program uses, the selected ones
        first."""
        found: dict[Place, None] = {}
        self._visit(program, found)
        return list(found)[:_SHOWN]

    def _visit(self, part: Program | Quantity | Rows | Condition, found: dict[Place, None]) -> None:
        match part:
            case Compare(left, _, right) | Difference(left, right):
                self._visit(left, found)
                self._visit(right, found)
            case Quantified(_, rows, condition):
                both = self.rows(rows) & self.rows(condition)
                for row in rows_of(both or self.rows(rows))[:_SHOWN]:
                    found[row, condition.column] = None
                self._visit(rows, found)
            case Alike(left, right, column):
                for side in (left, right):
                    self._visit(Of(side, column), found)
            case Count(rows):
                self._visit(rows, found)
            case Distinct(rows, column) | Aggregate(_, rows, column) | Of(rows, column):
                for row in rows_of(self.rows(rows))[:_SHOWN]:
                    found[row, column] = None
                self._visit(rows, found)
            case Where(conditions):
                # If no row meets all conditions, those that meet the first show the actual values.
                met = self.rows(part) or (self.rows(conditions[0]) if conditions else 0)
                for row in rows_of(met)[:_SHOWN]:
                    for condition in conditions:
                        found[row, condition.column] = None
            case Extreme(rows, column):
                for row in rows_of(self.rows(part))[:_SHOWN]:
                    found[row, column] = None
                self._visit(rows, found)
            case _:
                pass


def _relate(numbers: NDArray[np.float64], relation: str, number: float) -> NDArray[np.bool_]:
    close = _CLOSE * max(1.0, abs(number))
    match relation:
        case ">":
            return numbers > number + close
        case "<":
            return numbers < number - close
        case "≥":
            return numbers >= number - close
        case "≤":
            return numbers <= number + close
        case "≠":
            return np.abs(numbers - number) > close
    return np.abs(numbers - number) <= close


def _holds(one: float, relation: Relation, other: float) -> bool:
    if relation in "=≠":
        # The claim may round: 12.3 for 12.34, but never 4 for 3.
        places = 0 if other == round(other) else 1 if round(other, 1) == other else 2
        equal = abs(one - other) <= _CLOSE * max(1.0, abs(other)) or (
            one != round(one) and abs(one - other) <= 0.5 * 10**-places
        )
        return equal == (relation == "=")
    return bool(_relate(np.array([one]), relation, other)[0])
