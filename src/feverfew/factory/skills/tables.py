"""Claims about tables whose labels follow by computing: cells, comparisons, ranks, counts, sums.

Every claim is made in three ways: true, false by one change, and about something that the table
does not tell. Each is shown with what the table reader says to it, as the judge will read it.
"""

import random
import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from msgspec import Struct

from feverfew.factory.skills.base import Example
from feverfew.tables.evidence import TableReader
from feverfew.tables.facts import number_in_words
from feverfew.tables.values import NUMBER, TEXT
from feverfew.tables.view import Column, TableView

__all__ = ["Grid", "table_examples"]

_ROWS = (4, 400)
_LONGEST = 40
"""Letters of a name or value that a claim can say."""
_UNNAMED = re.compile(
    r"^(?:|column \d+|no\.?|#|rank|notes?|ref.*|index|id|pos\.?|unnamed.*)$", re.I
)
_TITLES = re.compile(r"[^a-z0-9]+")
_FOREIGN = re.compile(r"[a-z]{5,}(?: [a-z]{3,}){0,2}")
"""Headers that say clearly enough what they mean to be asked of another table."""
_FILES = (".csv", ".csv", ".tsv", ".xlsx", ".md")


class Grid(Struct, frozen=True):
    """A table as rows of strings, the first of which is the header."""

    title: str
    rows: list[list[str]]


class _Said(Struct, frozen=True):
    """A claim, its label, and the texts that the evidence must show for the label to follow."""

    claim: str
    label: str
    shown: tuple[str, ...] = ()


def table_examples(grids: Iterable[Grid], seed: int) -> Iterator[Example]:
    """Yield claims about each table, each with what the table says to it."""
    rng, reader, foreign = random.Random(seed), TableReader.open(), list[str]()
    for grid in grids:
        rows = _as_data(grid.rows, rng) if rng.random() < 0.5 else grid.rows
        title = _title(grid.title, rng)
        view = TableView.of_rows(rows, "", title)
        table = _Table.of(view, rng)
        if table is None:
            continue
        for make in rng.sample(_MAKERS, 4):
            for said in make(table, foreign, rng):
                text = reader.text(said.claim, view)
                if all(part in text for part in said.shown):
                    yield Example(said.claim, [("", text)], said.label)
        said_there = (table.say(c) for c in table.numbers)
        foreign = [*foreign[-200:], *(what for what in said_there if _FOREIGN.fullmatch(what))]


class _Table(Struct, frozen=True):
    """A table with a column that names its rows, and others that tell something of them."""

    view: TableView
    name: Column
    numbers: list[Column]
    texts: list[Column]
    rows: list[int]

    @classmethod
    def of(cls, view: TableView, rng: random.Random) -> "_Table | None":
        if not _ROWS[0] <= view.height <= _ROWS[1]:
            return None
        sayable = [c for c in view.columns if not _UNNAMED.match(c.header.strip())]
        unique = [
            c
            for c in sayable
            if c.kind == TEXT
            and len(set(c.texts)) == len(c.texts)
            and all(2 < len(text) <= _LONGEST for text in c.texts)
        ]
        if not unique:
            return None
        name = unique[0]
        numbers = [c for c in sayable if c.kind == NUMBER and _plain_numbers(c)]
        texts = [c for c in sayable if c.kind == TEXT and c is not name and _values(c)]
        if not numbers and not texts:
            return None
        return cls(view, name, numbers, texts, list(range(view.height)))

    def label(self, row: int) -> str:
        return self.name.texts[row]

    def say(self, column: Column) -> str:
        """Write a header as people would say it."""
        return re.sub(r"[_\s]+", " ", column.header).strip().lower()

    @property
    def noun(self) -> str:
        return self.say(self.name)


def _plain_numbers(column: Column) -> bool:
    numbers = column.numbers[~np.isnan(column.numbers)]
    years = bool(((numbers > 1000) & (numbers < 2100) & (numbers % 1 == 0)).all())
    return len(numbers) == len(column.numbers) and len(set(numbers.tolist())) > 2 and not years


def _values(column: Column) -> bool:
    texts = {text for text in column.texts if text}
    return len(texts) > 1 and all(len(text) <= _LONGEST for text in texts)


def _title(title: str, rng: random.Random) -> str:
    """Name the table as a page, or as a file."""
    if rng.random() < 0.6:
        return title
    return _TITLES.sub("-", title.lower()).strip("-") + rng.choice(_FILES)


def _as_data(rows: list[list[str]], rng: random.Random) -> list[list[str]]:
    """Write headers as those of data files."""
    joiner = rng.choice(("_", "_", " ", "-"))
    head = [_TITLES.sub(joiner, name.lower()).strip(joiner) for name in rows[0]]
    return [head, *rows[1:]]


def _written(number: float, column: Column, rng: random.Random) -> str:
    value = number / column.factor
    if value == int(value) and abs(value) >= 1000:
        return rng.choice((f"{value:,.0f}", f"{value:.0f}", number_in_words(value).split(" (")[0]))
    return f"{value:.6g}"


def _other(number: float, column: Column, rng: random.Random) -> float:
    """Return another number of the kind: another row's, or one with other digits."""
    others = sorted({n for n in column.numbers.tolist() if n != number})
    if rng.random() < 0.5:
        return float(rng.choice(others))
    step = rng.choice((0.7, 0.8, 0.9, 1.1, 1.2, 1.3, 1.5)) * number
    whole = all(n == int(n) for n in column.numbers.tolist())
    changed = float(round(step)) if whole else round(step, 2)
    return changed if changed != number else number + column.factor


# --- what is said -----------------------------------------------------------------------------


def _cells(t: _Table, foreign: Sequence[str], rng: random.Random) -> Iterator[_Said]:
    if not t.numbers:
        return
    column, row = rng.choice(t.numbers), rng.choice(t.rows)
    name, what, number = t.label(row), t.say(column), float(column.numbers[row])
    form = rng.choice(
        (
            "{name}'s {what} is {n}.", "The {what} of {name} is {n}.",
            "{name} has a {what} of {n}.", "For {name}, the table gives a {what} of {n}.",
            "{name} is listed with {n} as its {what}.",
            "The figure for {what} in the case of {name} comes to {n}.",
        )
    )  # fmt: skip
    shown = (name, column.texts[row])
    n = _written(number, column, rng)
    yield _Said(form.format(name=name, what=what, n=n), "S", shown)
    wrong = _written(_other(number, column, rng), column, rng)
    yield _Said(form.format(name=name, what=what, n=wrong), "R", shown)
    if foreign:
        yield _Said(form.format(name=name, what=rng.choice(foreign), n=n), "N", (name,))


def _bounds(t: _Table, foreign: Sequence[str], rng: random.Random) -> Iterator[_Said]:
    if not t.numbers:
        return
    column, row = rng.choice(t.numbers), rng.choice(t.rows)
    name, what, number = t.label(row), t.say(column), float(column.numbers[row])
    low, high = number * rng.uniform(0.6, 0.95), number * rng.uniform(1.05, 1.5)
    low, high = (float(f"{x:.2g}") for x in sorted((low, high)))
    if not low < number < high:
        return
    over = rng.choice(("more than", "over", "at least", "above"))
    under = rng.choice(("less than", "under", "at most", "below"))
    form = rng.choice(("{name}'s {what} is {b} {n}.", "The {what} of {name} is {b} {n}."))
    shown = (name, column.texts[row])
    for bound, limit, label in (
        (over, low, "S"), (over, high, "R"), (under, high, "S"), (under, low, "R"),
    ):  # fmt: skip
        n = _written(limit, column, rng)
        if rng.random() < 0.6:
            yield _Said(form.format(name=name, what=what, b=bound, n=n), label, shown)
    if foreign:
        n = _written(low, column, rng)
        claim = form.format(name=name, what=rng.choice(foreign), b=over, n=n)
        yield _Said(claim, "N", (name,))


def _compare(t: _Table, foreign: Sequence[str], rng: random.Random) -> Iterator[_Said]:
    if not t.numbers:
        return
    column = rng.choice(t.numbers)
    one, other = rng.sample(t.rows, 2)
    if column.numbers[one] == column.numbers[other]:
        return
    if column.numbers[one] < column.numbers[other]:
        one, other = other, one
    a, b, what = t.label(one), t.label(other), t.say(column)
    more = rng.choice(
        (
            "{a} has a higher {what} than {b}.", "The {what} of {a} is greater than that of {b}.",
            "{a} is ahead of {b} in {what}.", "Compared with {b}, {a} has the larger {what}.",
            "In {what}, {a} exceeds {b}.",
        )
    )  # fmt: skip
    less = rng.choice(
        (
            "{b} has a lower {what} than {a}.", "The {what} of {b} is smaller than that of {a}.",
            "{b} is behind {a} in {what}.", "In {what}, {b} does not reach {a}.",
        )
    )  # fmt: skip
    shown = (a, b, column.texts[one], column.texts[other])
    form = rng.choice((more, less))
    yield _Said(form.format(a=a, b=b, what=what), "S", shown)
    yield _Said(form.format(a=b, b=a, what=what), "R", shown)
    if foreign:
        yield _Said(form.format(a=a, b=b, what=rng.choice(foreign)), "N", (a, b))


def _rank(t: _Table, foreign: Sequence[str], rng: random.Random) -> Iterator[_Said]:
    if not t.numbers:
        return
    column = rng.choice(t.numbers)
    order = sorted(t.rows, key=lambda row: -column.numbers[row])
    top = [column.numbers[row] for row in (*order[:3], *order[-2:])]
    if len(set(map(float, top))) < len(top):
        return
    first, second, last = order[0], order[1], order[-1]
    what, noun = t.say(column), t.noun
    forms = {
        first: ("{a} has the highest {what}.", "No {noun} has a higher {what} than {a}.",
                "Of all those listed, {a} has the largest {what}.", "{a} comes first in {what}."),
        second: ("{a} has the second highest {what}.", "{a} comes behind one other in {what}.",
                 "{a} ranks second by {what}.", "In {what}, {a} comes right behind the leader."),
        last: ("{a} has the lowest {what}.", "No {noun} has a smaller {what} than {a}.",
               "By {what}, {a} comes last.", "Every other {noun} has a higher {what} than {a}."),
    }  # fmt: skip
    row = rng.choice((first, second, last))
    form = rng.choice(forms[row])
    shown = (t.label(row), column.texts[row])
    yield _Said(form.format(a=t.label(row), what=what, noun=noun), "S", shown)
    wrong = rng.choice([r for r in (first, second, last, *order[2:5]) if r != row])
    claim = form.format(a=t.label(wrong), what=what, noun=noun)
    yield _Said(claim, "R", (t.label(row), column.texts[row]))
    if foreign:
        claim = form.format(a=t.label(row), what=rng.choice(foreign), noun=noun)
        yield _Said(claim, "N", (t.label(row),))


def _every(t: _Table, foreign: Sequence[str], rng: random.Random) -> Iterator[_Said]:
    if not t.numbers:
        return
    column = rng.choice(t.numbers)
    least = float(column.numbers.min())
    under, over = (float(f"{least * f:.2g}") for f in (0.8, 1.4))
    if not 0 < under < least < over < float(column.numbers.max()):
        return
    what, noun = t.say(column), t.noun
    form = rng.choice(
        (
            "Every {noun} has a {what} of at least {n}.", "No {noun} has a {what} below {n}.",
            "The {what} is {n} or more for all of them.", "None has a {what} of less than {n}.",
        )
    )  # fmt: skip
    shown = (column.texts[int(column.numbers.argmin())],)
    for limit, label in ((under, "S"), (over, "R")):
        n = _written(limit, column, rng)
        yield _Said(form.format(noun=noun, what=what, n=n), label, shown)
    if foreign:
        n = _written(under, column, rng)
        yield _Said(form.format(noun=noun, what=rng.choice(foreign), n=n), "N")


def _texts(t: _Table, foreign: Sequence[str], rng: random.Random) -> Iterator[_Said]:
    if not t.texts:
        return
    column, row = rng.choice(t.texts), rng.choice(t.rows)
    value, name, what = column.texts[row], t.label(row), t.say(column)
    others = sorted({text for text in column.texts if text and text not in (value, "")})
    if not value or not others:
        return
    form = rng.choice(
        (
            "{name}'s {what} is {v}.", "The {what} given for {name} is {v}.",
            "{name} is listed under {what} as {v}.", "For {name}, the {what} reads {v}.",
        )
    )  # fmt: skip
    shown = (name, value)
    yield _Said(form.format(name=name, what=what, v=value), "S", shown)
    yield _Said(form.format(name=name, what=what, v=rng.choice(others)), "R", shown)
    if foreign:
        yield _Said(form.format(name=name, what=rng.choice(foreign), v=value), "N", (name,))


def _counts(t: _Table, foreign: Sequence[str], rng: random.Random) -> Iterator[_Said]:
    repeated = [c for c in t.texts if len(set(c.texts)) <= 8 and len(set(c.texts)) < len(c.texts)]
    if not repeated:
        return
    column = rng.choice(repeated)
    value = rng.choice(sorted({text for text in column.texts if text}))
    count, what = column.texts.count(value), t.say(column)
    form = rng.choice(
        (
            "{k} rows have {v} as their {what}.", "{v} is the {what} in {k} cases.",
            "There are {k} entries whose {what} is {v}.", "The {what} {v} occurs {k} times.",
        )
    )  # fmt: skip
    shown = (f"{count} row",)
    wrong = count + rng.choice((-2, -1, 1, 2, 3))
    if count < 2 or wrong < 2:
        return
    yield _Said(form.format(k=count, v=value, what=what), "S", shown)
    yield _Said(form.format(k=wrong, v=value, what=what), "R", shown)
    if foreign:
        yield _Said(form.format(k=count, v=value, what=rng.choice(foreign)), "N")


def _totals(t: _Table, foreign: Sequence[str], rng: random.Random) -> Iterator[_Said]:
    if not t.numbers:
        return
    column = rng.choice(t.numbers)
    mean = rng.random() < 0.5
    numbers = column.numbers / column.factor
    value = round(float(numbers.mean()), 2) if mean else float(numbers.sum())
    form = rng.choice(
        ("The average {what} is {n}.", "On average, the {what} comes to {n}.")
        if mean
        else ("The total {what} is {n}.", "In total, the {what} adds up to {n}.")
    )
    said = number_in_words(value)
    n, what = said.split(" (")[0], t.say(column)
    wrong = number_in_words(round(value * rng.choice((0.8, 0.9, 1.15, 1.3)), 2)).split(" (")[0]
    yield _Said(form.format(what=what, n=n), "S", (said,))
    yield _Said(form.format(what=what, n=wrong), "R", (said,))
    if foreign:
        yield _Said(form.format(what=rng.choice(foreign), n=n), "N")


# What is asked of tables most often is made twice as often.
_MAKERS = (
    *(_cells, _compare, _rank) * 2,
    *(_bounds, _every, _texts, _counts, _totals),
)
