"""Read the table sets, split by table or page in code: what is trained on, what is reported."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from feverfew.errors import InputError
from feverfew.readers.files import open_bytes
from feverfew.readers.tables import infobox_of_keys
from feverfew.tables.view import TableView

REPORTED = 102
"""Of 256 tables, so many are only reported on: of TabFact, those of its validation part."""


class Statement(Struct, frozen=True):
    """A statement that is true (1) or false (0) of a table."""

    table: str
    text: str
    label: int


class TabFact(Struct, frozen=True):
    """TabFact's tables, and its statements in two parts with no table in common."""

    tables: dict[str, dict[str, Any]]
    training: list[Statement]
    reported: list[Statement]

    def views(self, statements: Iterable[Statement]) -> dict[str, TableView]:
        """Make a view of each table that statements speak of."""
        wanted = {one.table for one in statements}
        return {
            name: TableView.of_rows(self.tables[name]["rows"], self.tables[name]["caption"])
            for name in wanted
        }


def bucket(name: str) -> int:
    """Put a name into one of 256 buckets; it never changes."""
    return hashlib.blake2b(name.encode(), digest_size=1).digest()[0]


def read_tabfact(data: Path) -> TabFact:
    """Read the statements: the training part and three fifths of the tables of the other."""
    tables = {row["id"]: row for row in read_rows(data / "tabfact_tables.jsonl.gz")}
    training = list(_statements(data / "tabfact_train.jsonl.gz"))
    reported: list[Statement] = []
    for one in _statements(data / "tabfact_val.jsonl.gz"):
        (reported if bucket(one.table) < REPORTED else training).append(one)
    return TabFact(tables, training, reported)


def _statements(path: Path) -> Iterator[Statement]:
    for row in read_rows(path):
        yield Statement(row["table"], row["statement"], int(row["label"]))


def infobox_view(infobox: dict[str, list[str]]) -> TableView:
    """See one of InfoTabS' infoboxes, keys with their values, as a page's."""
    table, title = infobox_of_keys(infobox)
    return TableView.of(table, title)


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the JSON lines of a file."""
    if not path.is_file():
        raise InputError(f"{path} is needed, and does not exist")
    with open_bytes(path) as lines:
        yield from map(msgspec.json.decode, lines)


class Answer(Struct, frozen=True):
    """A true sentence of FeTaQA, its table, and the cells of its body that prove it."""

    text: str
    page: str
    section: str
    rows: list[list[str]]
    gold: frozenset[tuple[int, int]]

    def view(self) -> TableView:
        """Make a view of its table."""
        return TableView.of_rows(self.rows, self.section, self.page)


class FeTaQA(Struct, frozen=True):
    """FeTaQA's sentences in two parts with no page in common."""

    training: list[Answer]
    reported: list[Answer]


def read_fetaqa(data: Path) -> FeTaQA:
    """Read the sentences: three fifths of the pages to train on, two to report."""
    found = FeTaQA([], [])
    for row in read_rows(data / "fetaqa.jsonl.gz"):
        # The first row is the header, and is not part of the body.
        gold = frozenset((r - 1, c) for r, c in row["highlighted_cell_ids"] if r)
        if gold:
            page = row["table_page_title"]
            one = Answer(row["answer"], page, row["table_section_title"], row["table_array"], gold)
            (found.reported if bucket(page) < REPORTED else found.training).append(one)
    return found
