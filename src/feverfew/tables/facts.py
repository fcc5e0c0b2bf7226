"""What a table says to a claim, in words: the rows that it speaks of, and what can be computed.

Rows are chosen whole, because the cell that matters often shares no word with the claim: it stands
beside those that do. Extremes, counts and sums are computed where the claim's words ask for them,
over the rows that meet its conditions. Whether the claim is true is left to the judge.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct

from feverfew.english.dates import MONTHS
from feverfew.models.inputs import plain
from feverfew.tables.execute import Place, Runner
from feverfew.tables.language import Where
from feverfew.tables.linking import Links
from feverfew.tables.values import NUMBER
from feverfew.tables.view import Column, TableView, rows_of
from feverfew.tables.words import condition_in_words
from feverfew.types import VIRTUAL_ROW

_ROW, _ROWS, _COMPUTED = 170, 380, 320
"""Letters of one row, of all rows, and of what is computed: what is longer would be cut."""
_WHOLE = 560
"""Letters of a table that is shown whole."""
_CELL = 120
_SHOWN = 4
"""Rows that are shown where not all of a table fits."""
_COLUMNS, _VALUES, _DISTINCT = 2, 5, 12
"""Columns whose extremes are computed; values of a column that are counted, of at most so many."""
_TIMES = frozenset(("first", "last", "earliest", "latest", "oldest", "newest", "recent"))
_NO_AMOUNT = frozenset(("year", "date", "rank", "no.", "#", "id"))
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ]00:00.*)?")
_DIGITS = re.compile(r"\d{5,15}")
_SUPERLATIVE = re.compile(r"[a-z]{2,}est")
_MONTH_NAMES = {number: name.title() for name, number in MONTHS.items() if len(name) > 3} | {
    5: "May"
}


class TableFacts(Struct, frozen=True):
    """A table in words, and the cells of the rows that are shown."""

    text: str
    places: tuple[Place, ...]


def table_facts(
    view: TableView, links: Links, runner: Runner, ranked: Sequence[Place]
) -> TableFacts:
    """Describe a table as far as a claim speaks of it; `ranked` are the cells chosen for it."""
    whole = view.height < _WHOLE // 20 and _letters(view) <= _WHOLE
    rows = list(range(view.height)) if whole else _rows(view, links, runner)
    most = _WHOLE if whole else _ROWS
    longest = most if whole else max(_ROW, most // max(1, len(rows)))
    shown, places = list[str](), list[Place]()
    letters = 0
    for row in rows:
        columns = _columns(view, links, row, ranked, longest)
        cells = [
            f"{view.header_of(at)} is {spell(view.columns[at].texts[row])[:_CELL]}"
            for at in columns
        ]
        letters += sum(map(len, cells)) + 2 * len(cells)
        if shown and letters > most:
            break
        shown.append(f"{', '.join(cells)}.")
        places += [(row, at) for at in columns]
    over = ", ".join(part for part in (view.title, view.caption) if part)
    computed = list(_computed(view, links, runner)) if view.height > 1 else []
    said = " ".join([*shown, *_fitting(computed, _COMPUTED)])
    return TableFacts(plain(f"{over}: {said}" if over else said), tuple(places))


def spell(text: str) -> str:
    """Spell dates and large numbers as sentences do.

    >>> spell("1992-04-30"), spell("3700000"), spell("Vienna")
    ('30 April 1992', '3,700,000 (3.7 million)', 'Vienna')
    """
    text = text.strip()
    date = _ISO.fullmatch(text)
    if date and 1 <= int(date[2]) <= 12:
        return f"{int(date[3])} {_MONTH_NAMES[int(date[2])]} {date[1]}"
    return number_in_words(float(text)) if _DIGITS.fullmatch(text) else text


def number_in_words(number: float) -> str:
    """Write a number with separators, and a large one also in millions or billions."""
    written = f"{number:,.10g}" if abs(number) >= 10_000 else f"{number:.10g}"
    for size, name in ((1e9, "billion"), (1e6, "million")):
        if abs(number) >= size:
            return f"{written} ({number / size:.3g} {name})"
    return written


def _fitting(texts: Sequence[str], most: int) -> Iterator[str]:
    letters = 0
    for text in texts:
        letters += len(text) + 1
        if letters > most:
            return
        yield text


# --- rows -----------------------------------------------------------------------------------


def _letters(view: TableView) -> int:
    return sum(len(c.header) + len(text) + 6 for c in view.columns for text in c.texts if text)


def _rows(view: TableView, links: Links, runner: Runner) -> list[int]:
    """Choose rows: the best one, then those that add most of what the claim says."""
    held: dict[int, int] = {}
    for cell in links.cells:
        for row in rows_of(runner.rows(cell.condition)):
            held[row] = held.get(row, 0) | cell.places
    held = {row: places & links.content for row, places in held.items()}
    most = max((places.bit_count() for places in held.values()), default=0)
    chosen: list[int] = []
    covered = 0
    while held and len(chosen) < _SHOWN:
        # What is new counts most; among equals, the row that has most, then the first.
        row = max(held, key=lambda r: ((held[r] & ~covered).bit_count(), held[r].bit_count(), -r))
        places = held.pop(row)
        if not places & ~covered and places.bit_count() < most:
            break
        covered |= places
        chosen.append(row)
    return chosen or [0]


def _columns(
    view: TableView, links: Links, row: int, ranked: Sequence[Place], longest: int
) -> list[int]:
    """Choose the cells of a row: all if they fit; else those that are linked, ranked, first."""
    filled = [
        column.index
        for column in view.columns
        if column.texts[row].strip() and view.places[row][column.index].row != VIRTUAL_ROW
    ]
    linked = {cell.condition.column for cell in links.cells} | links.columns.keys()
    rank = {column: at for at, (own, column) in enumerate(ranked) if own == row}
    order = sorted(filled, key=lambda at: (at not in linked, rank.get(at, len(ranked)), at))
    kept, letters = list[int](), 0
    for at in order:
        letters += len(view.header_of(at)) + min(len(view.columns[at].texts[row]), _CELL) + 6
        if kept and letters > longest:
            break
        kept.append(at)
    return sorted(kept)


# --- what is computed -----------------------------------------------------------------------


def _computed(view: TableView, links: Links, runner: Runner) -> Iterator[str]:
    asks = links.triggers.has
    subsets = _subsets(view, links, runner)
    superlative = any(_SUPERLATIVE.fullmatch(word) for word in links.words)
    compares = any(number.relation != "=" for number in links.numbers)
    if superlative or compares or any(map(asks, ("large", "small", "all", "none", "order"))):
        for subset in subsets[:2]:
            for column in _measured(view, links, subset):
                yield from _extremes(view, column, subset)
    if asks("sum") or asks("mean"):
        for subset in subsets[:2]:
            for column in _measured(view, links, subset):
                numbers = column.numbers[subset.rows]
                numbers = numbers[~np.isnan(numbers)]
                if len(numbers) and column.kind == NUMBER:
                    total, mean = float(numbers.sum()), round(float(numbers.mean()), 2)
                    yield (
                        f"The total {column.header}{subset.named} is {number_in_words(total)}, "
                        f"the average {number_in_words(mean)}."
                    )
    if _counts(view, links):
        what = "list" if view.listed else "table"
        for subset in subsets:
            noun = "row" if len(subset.rows) == 1 else "rows"
            yield f"The {what} has {len(subset.rows)} {noun}{subset.named}."
        for column in view.columns:
            if column.index in links.columns:
                yield from _tally(column)


class _Subset(Struct, frozen=True):
    """Rows that meet some of a claim's conditions."""

    named: str
    rows: list[int]
    columns: frozenset[int]
    """Those of the conditions, in which the rows do not differ."""


def _subsets(view: TableView, links: Links, runner: Runner) -> list[_Subset]:
    """List the rows that meet the claim's conditions, the most special first; all rows last."""
    several = [
        cell.condition
        for cell in links.cells
        if 1 < runner.rows(cell.condition).bit_count() < view.height
    ][:2]
    wheres = [Where((condition,)) for condition in several]
    if len(several) > 1 and several[0].column != several[1].column:
        wheres.insert(0, Where(tuple(several)))
    found = []
    for where in (*wheres, Where()):
        rows = rows_of(runner.rows(where))
        if rows:
            named = " and ".join(condition_in_words(view, one) for one in where.conditions)
            columns = frozenset(one.column for one in where.conditions)
            found.append(_Subset(f" with {named}" if named else "", rows, columns))
    return found


def _measured(view: TableView, links: Links, subset: _Subset) -> list[Column]:
    """List the columns that can be compared, named ones first; years only if the claim orders."""
    ordered = [c for c in view.columns if c.ordered and c.index not in subset.columns]
    amounts = [c for c in ordered if c.kind == NUMBER and c.header.casefold() not in _NO_AMOUNT]
    if not amounts or not _TIMES.isdisjoint(links.words):
        amounts = ordered
    return sorted(amounts, key=lambda column: column.index not in links.columns)[:_COLUMNS]


def _extremes(view: TableView, column: Column, subset: _Subset) -> Iterator[str]:
    known = [row for row in subset.rows if not np.isnan(column.numbers[row])]
    if len(known) < 2:
        return
    order = sorted(known, key=lambda row: -column.numbers[row])

    def said(row: int) -> str:
        label = _label(view, row, subset.columns | {column.index})
        return f"{spell(column.texts[row])[:_CELL]}{label}"

    yield (
        f"The largest {column.header}{subset.named} is {said(order[0])}, then {said(order[1])}; "
        f"the smallest is {said(order[-1])}."
    )


def _label(view: TableView, row: int, without: frozenset[int]) -> str:
    """Name a row by the column whose cells differ most."""
    named = max(
        (c for c in view.columns if c.index not in without and c.texts[row].strip()),
        key=lambda column: (len(set(column.texts)), -column.index),
        default=None,
    )
    return f" ({named.header} {spell(named.texts[row])[:40]})" if named else ""


def _counts(view: TableView, links: Links) -> bool:
    asked = ("count", "only", "majority", "differ", "all", "none")
    small = any(number.number <= view.height for number in links.numbers)
    return small or any(map(links.triggers.has, asked))


def _tally(column: Column) -> Iterator[str]:
    counts = Counter(text.strip() for text in column.texts if text.strip())
    if 1 < len(counts) <= _DISTINCT and len(counts) < len(column.texts):
        most = ", ".join(f"{spell(text)[:40]} {n}" for text, n in counts.most_common(_VALUES))
        yield f"Rows by {column.header}: {most}."
