"""Describe the result of a program over a table in plain English."""

from feverfew.tables.execute import Outcome
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
    Where,
)
from feverfew.tables.values import cell_words
from feverfew.tables.view import TableView

_RELATION: dict[Relation, str] = {
    "=": "",
    ">": "more than ",
    "<": "less than ",
    "≥": "at least ",
    "≤": "at most ",
    "≠": "not ",
}
_HOW = {"sum": "total", "mean": "average", "max": "largest", "min": "smallest"}


def in_words(program: Program, outcome: Outcome, view: TableView) -> str:
    """Describe the result of a program, and what the claim says.

    >>> view = TableView.of_rows([["Team", "Result"], ["A", "Won"], ["B", "Won"]])
    >>> wins = Count(Where((Is(1, ("won",)),)))
    >>> in_words(Compare(wins, "=", Number(3, "three")), Outcome(False, 2), view)
    'The table has 2 rows with Result Won; the claim says three.'
    """
    say = _Words(view)
    what = "list" if view.listed else "table"
    match program:
        case Compare(Count(rows), "≥", Number(1)):
            some = "a row" if outcome.truth else "no row"
            return f"The {what} has {some}{say.where(rows)}."
        case Compare(left, relation, Number(_, text)):
            if outcome.value is None:
                return f"The {what} does not give {say.quantity(left)}."
            found = f"{outcome.value:,.10g}" if abs(outcome.value) >= 3000 else f"{outcome.value:g}"
            claim = f"the claim says {_RELATION[relation]}{text}"
            match left:
                case Count(rows):
                    noun = "row" if outcome.value == 1 else "rows"
                    return f"The {what} has {found} {noun}{say.where(rows)}; {claim}."
                case Distinct(rows, column):
                    name = view.header_of(column)
                    return f"The {what} has {found} different {name}{say.where(rows)}; {claim}."
            return f"In the {what}, {say.quantity(left)} is {found}; {claim}."
        case Compare(left, relation, right):
            holds = "" if outcome.truth else "not "
            more = _RELATION[relation] or "the same as "
            return (
                f"In the {what}, {say.quantity(left)} is {holds}{more.strip()} "
                f"{say.quantity(right)}."
            )
        case Quantified(how, rows, condition):
            return say.quantified(how, rows, condition, outcome.truth)
        case Alike(left, right, column):
            holds = "the same" if outcome.truth else "another"
            return (
                f"The rows{say.where(left)} have {holds} {view.header_of(column)} as those"
                f"{say.where(right)}."
            )


def condition_in_words(view: TableView, condition: Condition) -> str:
    """Describe a condition: 'Result Won'."""
    return _Words(view).condition(condition)


class _Words:
    def __init__(self, view: TableView) -> None:
        self._view = view

    def condition(self, condition: Condition) -> str:
        header = self._view.header_of(condition.column)
        if isinstance(condition, Is):
            return f"{header} {self._as_written(condition)}"
        return f"{header} {_RELATION[condition.relation]}{condition.number:g}"

    def _as_written(self, condition: Is) -> str:
        """Spell words as in a cell that contains them."""
        wanted = set(condition.words)
        texts = self._view.columns[condition.column].texts
        fitting = (text.strip() for text in texts if wanted <= set(cell_words(text)))
        return min(fitting, key=len, default=" ".join(condition.words))

    def where(self, rows: Rows) -> str:
        """Describe rows after a noun."""
        match rows:
            case Where(()):
                return ""
            case Where(conditions):
                return f" with {' and '.join(map(self.condition, conditions))}"
            case Extreme(inner, column, largest, nth):
                size = "largest" if largest else "smallest"
                place = f" (place {nth})" if nth > 1 else ""
                return f" with the {size} {self._view.header_of(column)}{place}{self.where(inner)}"

    def quantity(self, quantity: Quantity) -> str:
        """Describe a quantity."""
        header = self._view.header_of
        match quantity:
            case Number(_, text):
                return text
            case Count(rows):
                return f"the number of rows{self.where(rows)}"
            case Distinct(rows, column):
                return f"the number of different {header(column)}{self.where(rows)}"
            case Aggregate(how, rows, column):
                return f"the {_HOW[how]} {header(column)}{self._among(rows)}"
            case Of(rows, column, year):
                name = f"the year of {header(column)}" if year else header(column)
                return f"{name}{self._of(rows)}"
            case Difference(left, right):
                return f"the difference between {self.quantity(left)} and {self.quantity(right)}"

    def _among(self, rows: Rows) -> str:
        return f" of the rows{self.where(rows)}" if rows != Where() else ""

    def _of(self, rows: Rows) -> str:
        match rows:
            case Where((Is() as only,)):
                return f" of {self._as_written(only)}"
        return self._among(rows)

    def quantified(self, how: str, rows: Rows, condition: Condition, truth: bool | None) -> str:
        """Describe which rows meet a condition."""
        has, named = self.condition(condition), self.where(rows)
        if truth is None:
            return f"The table does not say which rows{named} have {has}."
        match how, truth:
            case ("some", True) | ("none", False):
                return f"Some rows{named} have {has}."
            case ("none", True) | ("some", False):
                return f"No row{named} has {has}."
            case "only", _:
                only = "Only" if truth else "Not only"
                return f"{only} the rows{named} have {has}."
        start = {"all": "All", "most": "Most"}[how] if truth else f"Not {how}"
        return f"{start} rows{named} have {has}."
