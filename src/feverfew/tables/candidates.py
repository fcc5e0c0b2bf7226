"""Candidate programs for a claim over a table, and the rows that they use."""

from collections.abc import Iterator
from itertools import combinations

from msgspec import Struct

from feverfew.tables.language import (
    Aggregate,
    Alike,
    Compare,
    Condition,
    Count,
    Difference,
    Distinct,
    Extreme,
    Many,
    Number,
    Of,
    Program,
    Quantified,
    Relation,
    Than,
    Where,
)
from feverfew.tables.linking import CellLink, Links, NumberLink
from feverfew.tables.values import DATE, DAYS_A_YEAR
from feverfew.tables.view import TableView

KINDS = (
    "lookup",
    "all",
    "value",
    "value_than",
    "count",
    "count_than",
    "distinct",
    "extreme_is",
    "extreme_value",
    "nth",
    "compare",
    "difference",
    "alike",
    "sum",
    "mean",
    "only",
    "every",
    "none",
    "most",
    "conjunction",
)


class Candidate(Struct, frozen=True):
    """A program, with the links that led to it."""

    program: Program
    kind: str
    places: int
    """The words of the claim that it explains."""
    cells: tuple[CellLink, ...] = ()
    columns: tuple[float, ...] = ()
    """How well the claim names each column that is computed with."""
    asked: float = 0.0
    """Whether words of the claim ask for this operation: 1, against: -1."""
    number: NumberLink | None = None


_SUBJECTS, _PAIRS = 7, 8
"""Maximum numbers of row conditions and of pairs of conditions."""
ORDERED = 4
"""Maximum number of comparable columns."""


class RowSet(Struct, frozen=True):
    """Rows that the claim may refer to."""

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
    """List the comparable columns, those that the claim names first."""
    found = []
    for column in view.columns:
        if column.ordered:
            linked = links.columns.get(column.index)
            found.append((column.index, linked.share if linked else 0.0))
    return sorted(found, key=lambda one: -one[1])


def header_places(links: Links, column: int) -> tuple[float, int]:
    """Return how much of a column's header the claim contains, and where."""
    linked = links.columns.get(column)
    return (linked.share, linked.places) if linked else (0.0, 0)


def in_unit_of(number: NumberLink, view: TableView, column: int) -> Number:
    """Convert a number of the claim to the unit of a column."""
    own = view.columns[column]
    return Number(number.within(own.unit, own.factor), number.text)


def is_date(view: TableView, column: int) -> bool:
    """Say whether a column contains dates."""
    return view.columns[column].kind == DATE


def is_year(number: NumberLink) -> bool:
    """Say whether a number may be a year."""
    return not number.spelled and number.number == int(number.number) and number.number > 999


def _bound(number: NumberLink, view: TableView, column: int) -> float | None:
    """Return the value to compare the cells of a column with: for a year, its first or last day."""
    if not is_date(view, column):
        return in_unit_of(number, view, column).number
    if not is_year(number):
        return None
    last = DAYS_A_YEAR - 1 if number.relation in (">", "≤") else 0
    return number.number * DAYS_A_YEAR + last


def comparing(number: NumberLink) -> int:
    """The positions of a number's comparing words and unit."""
    return number.places & (number.places - 1) if number.relation != "=" else 0


def other_columns(links: Links, view: TableView, own: RowSet) -> list[tuple[int, float]]:
    """List the columns that the claim names, except those of the rows' conditions."""
    taken = {c.column for c in own.rows.conditions}
    named = [(c.column, c.share) for c in links.columns.values() if c.column not in taken]
    return sorted(named, key=lambda one: -one[1])


_MOST = 90
"""Maximum number of programs for a claim."""
_QUANTIFIERS: tuple[tuple[Many, str], ...] = (
    ("only", "only"),
    ("all", "all"),
    ("none", "none"),
    ("most", "majority"),
)
"""Each with the trigger that asks for it."""


def candidates(links: Links, view: TableView) -> list[Candidate]:
    """List the candidate programs of a claim, the simplest kinds first."""
    if not view.height:
        return []
    sets = row_sets(links, view)
    single = [s for s in sets if len(s.rows.conditions) == 1 and s.cells]
    found: dict[Program, Candidate] = {}
    for maker in (
        _conjunction(links),
        _lookups(links, single),
        _counts(links, view, sets),
        _extremes(links, view, sets, single),
        _comparisons(links, view, single),
        _values(links, view, single),
        _totals(links, view, sets),
        _quantified(links, single),
    ):
        room = _MOST // 4
        for one in maker:
            if one.program not in found:
                found[one.program] = one
                room -= 1
                if room <= 0:
                    break
    return list(found.values())[:_MOST]


def _conjunction(links: Links) -> Iterator[Candidate]:
    """One row contains everything that the claim names: the best links that do not overlap."""
    for exact in (False, True):
        taken, chosen = 0, list[CellLink]()
        columns: set[int] = set()
        for one in links.cells:
            if exact and not one.exact:
                continue
            if not one.places & taken and one.condition.column not in columns:
                chosen.append(one)
                taken |= one.places
                columns.add(one.condition.column)
        if len(chosen) > 1:
            rows = Where(tuple(c.condition for c in chosen))
            program = Compare(Count(rows), "≥", Number(1.0, "1"))
            yield Candidate(program, "conjunction", taken, tuple(chosen))


def _lookups(links: Links, single: list[RowSet]) -> Iterator[Candidate]:
    for subject in single:
        for value in single:
            condition = value.rows.conditions[0]
            column = subject.rows.conditions[0].column
            if condition.column == column or value.places & subject.places:
                continue
            share, named = header_places(links, condition.column)
            places, cells = subject.places | value.places | named, subject.cells + value.cells
            if subject.cells[0].weight >= value.cells[0].weight:
                some = Quantified("some", subject.rows, condition)
                yield Candidate(some, "lookup", places, cells, (share,))
            every = Quantified("all", subject.rows, condition)
            yield Candidate(every, "all", places, cells, (share,), float(links.triggers.has("all")))


def _values(links: Links, view: TableView, single: list[RowSet]) -> Iterator[Candidate]:
    for number in links.numbers:
        for subject in single:
            if number.places & subject.places:
                continue
            for column, share in ordered(links, view)[:ORDERED]:
                if column == subject.rows.conditions[0].column:
                    continue
                places = number.places | subject.places | header_places(links, column)[1]
                dated = is_date(view, column)
                if dated and not is_year(number):
                    continue
                said = in_unit_of(number, view, column)
                program = Compare(Of(subject.rows, column, dated), number.relation, said)
                kind = "value" if number.relation == "=" else "value_than"
                yield Candidate(program, kind, places, subject.cells, (share,), 0.0, number)


def _counts(links: Links, view: TableView, sets: list[RowSet]) -> Iterator[Candidate]:
    asked = float(links.triggers.has("count"))
    for number in links.numbers:
        if number.number > view.height + 20 or number.number != int(number.number):
            continue
        for own in sets:
            if own.places & number.places & ~comparing(number):
                continue
            places = own.places | number.places
            said = Number(number.number, number.text)
            kind = "count" if number.relation == "=" else "count_than"
            program = Compare(Count(own.rows), number.relation, said)
            yield Candidate(program, kind, places, own.cells, (), asked, number)
            if len(own.rows.conditions) < 2:
                for column, share in other_columns(links, view, own)[:2]:
                    distinct = Compare(Distinct(own.rows, column), number.relation, said)
                    both = places | header_places(links, column)[1]
                    differ = float(links.triggers.has("differ"))
                    yield Candidate(distinct, "distinct", both, own.cells, (share,), differ, number)


def _extremes(
    links: Links, view: TableView, sets: list[RowSet], single: list[RowSet]
) -> Iterator[Candidate]:
    large, small = links.triggers.has("large"), links.triggers.has("small")
    ordinals = [n for n in links.numbers if n.ordinal and n.number > 1]
    if not (large or small or ordinals):
        return
    words = 0
    for name in ("large", "small"):
        for place in links.triggers.at[name]:
            words |= 1 << place
    outer = [s for s in sets if len(s.rows.conditions) < 2][:5]
    nths = [1, *(int(n.number) for n in ordinals[:1])]
    for column, share in ordered(links, view)[:ORDERED]:
        named = header_places(links, column)[1]
        for largest in (True, False):
            asked = float(large if largest else small) - float(small if largest else large)
            for own in outer:
                for nth in nths:
                    if nth == 1 and ordinals and not (large or small):
                        continue
                    row = Extreme(own.rows, column, largest, nth)
                    extra = ordinals[0].places if nth > 1 else 0
                    for value in single:
                        condition = value.rows.conditions[0]
                        if condition.column == column or value.places & own.places:
                            continue
                        places = words | named | own.places | value.places | extra
                        program = Quantified("all", row, condition)
                        kind = "nth" if nth > 1 else "extreme_is"
                        cells = own.cells + value.cells
                        yield Candidate(program, kind, places, cells, (share,), asked)
                for number in links.numbers:
                    if number.places & own.places or number.ordinal or is_date(view, column):
                        continue
                    value_ = Aggregate("max" if largest else "min", own.rows, column)
                    said = in_unit_of(number, view, column)
                    places = words | named | own.places | number.places
                    program_ = Compare(value_, number.relation, said)
                    yield Candidate(
                        program_, "extreme_value", places, own.cells, (share,), asked, number
                    )


def _comparisons(links: Links, view: TableView, single: list[RowSet]) -> Iterator[Candidate]:
    more, less = links.triggers.has("more"), links.triggers.has("less")
    words = 0
    for name in ("more", "less", "same", "difference"):
        for place in links.triggers.at[name]:
            words |= 1 << place
    for a, b in combinations(single, 2):
        one, two = a.rows.conditions[0], b.rows.conditions[0]
        if one.column != two.column or a.places & b.places:
            continue
        first, second = (a, b) if _low(a.places) < _low(b.places) else (b, a)
        cells = first.cells + second.cells
        for column, share in ordered(links, view)[:ORDERED]:
            if column == one.column:
                continue
            places = a.places | b.places | words | header_places(links, column)[1]
            left, right = Of(first.rows, column), Of(second.rows, column)
            relations: tuple[tuple[Relation, bool], ...] = ((">", more), ("<", less))
            for relation, asked in relations:
                if asked or not (more or less):
                    program = Compare(left, relation, right)
                    opposed = float(asked) - float(less if relation == ">" else more)
                    yield Candidate(program, "compare", places, cells, (share,), opposed)
            if links.triggers.has("same"):
                same = Compare(left, "=", right)
                yield Candidate(same, "compare", places, cells, (share,), 1.0)
            for number in links.numbers:
                if not (number.places & (a.places | b.places) or is_date(view, column)):
                    said = in_unit_of(number, view, column)
                    gap = Compare(Difference(left, right), "=", said)
                    asked_ = float(links.triggers.has("difference"))
                    yield Candidate(
                        gap, "difference", places | number.places, cells, (share,), asked_, number
                    )
        if links.triggers.has("same"):
            for column, share in other_columns(links, view, a)[:2]:
                program_ = Alike(first.rows, second.rows, column)
                places = a.places | b.places | words | header_places(links, column)[1]
                yield Candidate(program_, "alike", places, cells, (share,), 1.0)


def _low(places: int) -> int:
    return places & -places


def _totals(links: Links, view: TableView, sets: list[RowSet]) -> Iterator[Candidate]:
    mean, total = links.triggers.has("mean"), links.triggers.has("sum")
    for how, asked in (("mean", mean), ("sum", total)):
        if not asked:
            continue
        for own in [s for s in sets if len(s.rows.conditions) < 2]:
            for column, share in ordered(links, view)[:ORDERED]:
                for number in links.numbers:
                    if number.places & own.places & ~comparing(number) or is_date(view, column):
                        continue
                    value = Aggregate("mean" if how == "mean" else "sum", own.rows, column)
                    said = in_unit_of(number, view, column)
                    places = own.places | number.places | header_places(links, column)[1]
                    for place in links.triggers.at[how]:
                        places |= 1 << place
                    program = Compare(value, number.relation, said)
                    yield Candidate(program, how, places, own.cells, (share,), 1.0, number)


def _quantified(links: Links, single: list[RowSet]) -> Iterator[Candidate]:
    every = RowSet(Where(), (), 0)
    for how, name in _QUANTIFIERS:
        if not links.triggers.has(name):
            continue
        kind = "every" if how == "all" else how
        words = 0
        for place in links.triggers.at[name]:
            words |= 1 << place
        for own in [*single, every]:
            for value in single:
                condition: Condition = value.rows.conditions[0]
                if own is not every and (
                    own.rows.conditions[0].column == condition.column or own.places & value.places
                ):
                    continue
                if how == "only" and own is every:
                    program: Program = Compare(Count(value.rows), "=", Number(1.0, "1"))
                else:
                    program = Quantified(how, own.rows, condition)
                places = own.places | value.places | words
                yield Candidate(program, kind, places, own.cells + value.cells, (), 1.0)
