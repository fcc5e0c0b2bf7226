"""The search for tables: by page, by section, by headers and by what stands in a row."""

import pytest

from feverfew.tables.search import TableEntry, Tables, entries_of
from feverfew.types import Cell, Page, Section, Table


def entry(key: str, page: str, section: str, *rows: tuple[str, ...]) -> TableEntry:
    return TableEntry(key, page, section, rows[0], rows[1:])


TABLES = [
    entry("a", "Oslo", "Football", ("Club", "Founded"), ("Ravens", "1890"), ("Larks", "1901")),
    entry("b", "Bergen", "Football", ("Club", "Founded"), ("Owls", "1890"), ("Wrens", "1905")),
    entry("c", "Bergen", "Weather", ("Month", "Rain"), ("May", "80 mm"), ("June", "95 mm")),
    *(entry(f"x{n}", f"Place {n}", "History", ("Year", "Event"), (f"{1700 + n}", f"Event {n}"))
      for n in range(60)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "key"),
    [
        ("The Ravens were founded in 1890.", "a"),
        ("The Owls of Bergen were founded in 1890.", "b"),
        ("In June, Bergen has 95 mm of rain.", "c"),
    ],
)
def test_the_right_table_is_first(claim: str, key: str) -> None:
    found = Tables.of(TABLES).find([claim])[0]
    assert found[0].key == key
    assert len(found) <= 3


def test_nothing_shared_nothing_found() -> None:
    assert Tables.of(TABLES).find(["Quite zymurgical!", ""]) == [[], []]
    assert Tables.of([]).find(["anything"]) == [[]]


def test_the_tables_of_a_page_know_the_headings_above_them() -> None:
    rows = ((Cell(0, 0, "Club", True),), (Cell(1, 0, "Ravens"),))
    page = Page(
        "Oslo_-LRB-city-RRB-",
        (
            Section(0, "Sport"),
            Section(1, "Football", 2),
            Table(0, rows, "Clubs"),
            Section(2, "Art"),
            Table(1, rows),
        ),
    )
    first, second = entries_of(page)
    assert (first.key, first.page) == ("Oslo_-LRB-city-RRB-_table_0", "Oslo (city)")
    assert first.section.split() == ["Sport", "Football", "Clubs"]
    assert second.section.split() == ["Art"]
    assert first.header == ("Club",)
