"""Say what a table holds as claims: a cell, two cells, a comparison, an extreme, a count.

A claim names its table, a row by its key, and a column by its header. Only tables are used whose
headers are plain nouns and whose keys are all different, so that nothing else can be meant.
"""

import random
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files

import numpy as np
from msgspec import Struct

from feverfew.tables.values import NUMBER
from feverfew.tables.view import Column, TableView
from feverfew.text import display_title
from feverfew.types import Link, Page, Ref, Section, Table

_TABLES = tomllib.loads(files("feverfew.factory").joinpath("tables.toml").read_text("utf-8"))
_LONGEST = 45
"""Characters of a cell that a claim can say."""
_MOST_ROWS = 24
"""A claim about a whole column needs all of its cells, and scores count 25."""
_COUNTS = (
    "",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
)
_UNFIT = re.compile(
    r"[\[\]{}|/\\<>\"“”()*†‡;]|^\W*$|^(?:n/?a|none|unknown|tba|tbd|various|same)$", re.I
)
_EMPTY_TITLE = re.compile(r"[\"“”\[\]{}|]")


def _listed(name: str) -> frozenset[str]:
    return frozenset(" ".join(_TABLES[name].split()).split(", "))


_KEYS, _HEADERS, _AMOUNTS, _TIMES = map(_listed, ("keys", "headers", "amounts", "times"))


class TableClaim(Struct, frozen=True):
    """A claim about cells, whether they say so, and which cells it rests on."""

    text: str
    true: bool
    cells: tuple[Ref, ...]
    way: str
    numerical: bool = False
    subject: tuple[Link, ...] = ()
    """The links of the cell that the claim ends with."""


class Readable(Struct, frozen=True):
    """A table that claims can speak of."""

    page: str
    table: Table
    view: TableView
    name: str
    key: int
    columns: tuple[int, ...]

    @classmethod
    def of(cls, page: Page, table: Table) -> "Readable | None":
        """Look at a table; None if its headers or keys do not read well."""
        if table.infobox or _EMPTY_TITLE.search(page.title):
            return None
        view = TableView.of(table, display_title(page.title))
        key = next((c for c in view.columns if _noun(c) in _KEYS and _distinct(c)), None)
        if key is None:
            return None
        headers = Counter(map(_noun, view.columns))
        columns = tuple(
            c.index
            for c in view.columns
            if c.index != key.index and _noun(c) in _HEADERS and headers[_noun(c)] == 1
        )
        return (
            cls(page.title, table, view, _table_name(page, table), key.index, columns)
            if columns
            else None
        )

    def rows(self, column: int) -> list[int]:
        """Return the rows whose cell in a column can be said."""
        texts = self.view.columns[column].texts
        named = re.compile(r"[^\W\d]{2}")  # a number is no name of a row
        return [
            row
            for row, text in enumerate(texts)
            if sayable(text) and sayable(self.label(row)) and named.search(self.label(row))
        ]

    def label(self, row: int) -> str:
        """Return what a row is called."""
        return self.view.columns[self.key].texts[row]

    def header(self, column: int) -> str:
        """Return a column's header as a noun."""
        return _noun(self.view.columns[column])

    def refs(self, *places: tuple[int, int]) -> tuple[Ref, ...]:
        """Address cells by their row and column."""
        cells = [self.view.places[row][column] for row, column in places]
        return tuple(dict.fromkeys(self.table.ref(self.page, cell) for cell in cells))


def _noun(column: Column) -> str:
    return " ".join(column.header.lower().split())


def _distinct(column: Column) -> bool:
    texts = [text for text in column.texts if text]
    return len(texts) > 2 and len(set(texts)) == len(texts)


def sayable(text: str) -> bool:
    """Say whether a cell's text fits into a sentence."""
    return 1 < len(text) <= _LONGEST and not _UNFIT.search(text) and text.count(",") < 2


def _table_name(page: Page, table: Table) -> str:
    heading = table.caption
    for block in page.blocks:
        if block is table:
            break
        if isinstance(block, Section) and not table.caption:
            heading = block.text
    title = f"“{display_title(page.title)}”"
    heading = heading.strip(" .:")
    return (
        f"the table “{heading}” of {title}"
        if heading and len(heading) < 60 and not _EMPTY_TITLE.search(heading)
        else f"the table of {title}"
    )


class TableWriter:
    """Writes claims about one table, true or false as wanted."""

    def __init__(self, table: Readable, pool: dict[str, list[str]], rng: random.Random) -> None:
        self._t, self._pool, self._rng = table, pool, rng
        self.plain = self.same = ""
        """The last claim about a cell in the plainest words: with another value, with its own."""

    def lookup(self, true: bool, way: str = "lookup", *, at_end: bool = False) -> TableClaim | None:
        """Say what stands in a cell; at the end of the sentence, where more is to follow."""
        found = self._cell()
        if found is None:
            return None
        row, column, value = found
        self._remember(row, column, true)
        somewhere, denied = way == "at_least_one", way == "denied"
        said = value if true else (self._foreign if somewhere else self._other)(column, row)
        forms: list[str] = _TABLES[way][:1] if at_end else _TABLES[way]
        text = self._fill(
            self._rng.choice(forms), k=self._t.label(row), h=self._t.header(column), v=said
        )
        if not said or not text:
            return None
        links = self._t.view.places[row][column].links if true else ()
        places = [(row, self._t.key), (row, column)]
        if somewhere:
            places = [(r, column) for r in ([row] if true else range(self._t.view.height))]
        return TableClaim(text, true != denied, self._t.refs(*places), way, subject=links)

    def both(self, true: bool) -> TableClaim | None:
        """Say what stands in two cells of a row; the second is the wrong one."""
        columns = [c for c in self._t.columns if self._t.rows(c)]
        if len(columns) < 2:
            return None
        one, two = self._rng.sample(columns, 2)
        rows = sorted(set(self._t.rows(one)) & set(self._t.rows(two)))
        if not rows:
            return None
        row = self._rng.choice(rows)
        value = self._t.view.columns[two].texts[row]
        self._remember(row, one, False)
        said = value if true else self._other(two, row)
        text = self._fill(
            self._rng.choice(_TABLES["both"]),
            k=self._t.label(row),
            h=self._t.header(one),
            v=self._t.view.columns[one].texts[row],
            h2=self._t.header(two),
            v2=said,
        )
        places = ((row, self._t.key), (row, one), (row, two))
        return TableClaim(text, true, self._t.refs(*places), "both") if said and text else None

    def compared(self, true: bool) -> TableClaim | None:
        """Compare two rows by an amount or a time."""
        columns = [c for c in self._t.columns if self._ordered(c)]
        if not columns:
            return None
        column = self._rng.choice(columns)
        numbers = self._t.view.columns[column].numbers
        rows = [r for r in self._t.rows(column) if not np.isnan(numbers[r])]
        if len(rows) < 2:
            return None
        a, b = self._rng.sample(rows, 2)
        if numbers[a] == numbers[b]:
            return None
        if (numbers[a] > numbers[b]) != true:
            a, b = b, a
        way = "later" if self._t.header(column) in _TIMES else "more"
        text = self._fill(
            self._rng.choice(_TABLES[way]),
            a=self._t.label(a),
            b=self._t.label(b),
            h=self._t.header(column),
        )
        places = ((a, self._t.key), (a, column), (b, self._t.key), (b, column))
        return TableClaim(text, true, self._t.refs(*places), way, True) if text else None

    def most(self, true: bool) -> TableClaim | None:
        """Say which row has most of an amount."""
        amounts = [c for c in self._t.columns if self._t.header(c) in _AMOUNTS]
        columns = [c for c in amounts if self._ordered(c)]
        if not columns or self._t.view.height > _MOST_ROWS:
            return None
        column = self._rng.choice(columns)
        numbers = self._t.view.columns[column].numbers
        if np.isnan(numbers).any():
            return None
        order = sorted(range(len(numbers)), key=lambda row: -numbers[row])
        if len(order) < 4 or numbers[order[0]] == numbers[order[1]]:
            return None
        row = order[0] if true else self._rng.choice(order[1:4])
        if not sayable(self._t.label(row)):
            return None
        text = self._fill(
            self._rng.choice(_TABLES["most"]), a=self._t.label(row), h=self._t.header(column)
        )
        places = ((row, self._t.key), *((r, column) for r in range(len(numbers))))
        return TableClaim(text, true, self._t.refs(*places), "most", True) if text else None

    def counted(self, true: bool) -> TableClaim | None:
        """Say how many rows have a value."""
        if self._t.view.height > _MOST_ROWS:
            return None
        options = [
            (column, text, count)
            for column in self._t.columns
            if self._t.header(column) not in _AMOUNTS
            for text, count in sorted(Counter(self._t.view.columns[column].texts).items())
            if 2 <= count <= 9 and sayable(text)
        ]
        if not options:
            return None
        column, value, count = self._rng.choice(options)
        texts = self._t.view.columns[column].texts
        if any(value.lower() in text.lower() and text != value for text in texts):
            return None
        said = (
            count
            if true
            else self._rng.choice([n for n in (count - 1, count + 1, count + 2) if n > 1])
        )
        text = self._fill(
            self._rng.choice(_TABLES["counted"]), h=self._t.header(column), v=value, n=_COUNTS[said]
        )
        places = tuple((row, column) for row in range(len(texts)))
        return TableClaim(text, true, self._t.refs(*places), "counted", True) if text else None

    def _remember(self, row: int, column: int, true: bool) -> None:
        right, wrong = self._t.view.columns[column].texts[row], self._other(column, row)
        said = [
            self._fill(
                _TABLES["lookup"][0], k=self._t.label(row), h=self._t.header(column), v=value
            )
            for value in (right, wrong)
        ]
        self.same, self.plain = said if true else said[::-1]

    def _ordered(self, column: int) -> bool:
        own = self._t.view.columns[column]
        header = self._t.header(column)
        return own.ordered and (header in _TIMES or (header in _AMOUNTS and own.kind == NUMBER))

    def _cell(self) -> tuple[int, int, str] | None:
        options = [(row, c) for c in self._t.columns for row in self._t.rows(c)]
        if not options:
            return None
        row, column = self._rng.choice(options)
        return row, column, self._t.view.columns[column].texts[row]

    def _other(self, column: int, row: int) -> str:
        """Return another value of a column, no part of which the right one has."""
        texts = self._t.view.columns[column].texts
        right = set(re.findall(r"\w+", texts[row].lower()))
        options = sorted(
            {
                text
                for text in texts
                if sayable(text) and not right & set(re.findall(r"\w+", text.lower()))
            }
        )
        return self._rng.choice(options) if options else ""

    def _foreign(self, column: int, _row: int) -> str:
        """Return a value that other tables have under such a header, and this one nowhere."""
        if self._t.view.height > _MOST_ROWS:
            return ""
        own = " ".join(self._t.view.columns[column].texts).lower()
        options = [v for v in self._pool.get(self._t.header(column), []) if v.lower() not in own]
        return self._rng.choice(options) if options else ""

    def _fill(self, form: str, **said: str) -> str:
        if any(len(value) < 1 for value in said.values()):
            return ""
        text = form.format(t=self._t.name, **said)
        return text[0].upper() + text[1:]


def readable_tables(page: Page) -> Iterator[Readable]:
    """Yield the tables of a page that claims can speak of."""
    for table in page.tables:
        if (found := Readable.of(page, table)) is not None:
            yield found
