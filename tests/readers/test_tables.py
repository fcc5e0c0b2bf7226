"""Lists seen as tables: rows of items, columns of depths, cells that are items."""

import pytest

from feverfew.readers.tables import as_infobox, infobox_of_keys, list_table
from feverfew.tables import TableView
from feverfew.types import ItemList, ListItem, Ref


def listed(*items: tuple[int, str]) -> ItemList:
    return ItemList(3, tuple(ListItem(n, text, level) for n, (level, text) in enumerate(items)))


def rows(view: TableView) -> list[list[str]]:
    return [[column.texts[row] for column in view.columns] for row in range(view.height)]


FLAT = listed((0, "Rope"), (0, "Vertigo"))
NESTED = listed((0, "Side one"), (1, "So What"), (1, "Blue in Green"), (0, "Side two"),
                (1, "All Blues"))  # fmt: skip
MIXED = listed((0, "Picture"), (0, "Screenplay"), (1, "Julius"), (2, "twice"), (1, "Philip"))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (FLAT, [["Rope"], ["Vertigo"]]),
        (NESTED, [["Side one", "So What"], ["Side one", "Blue in Green"],
                  ["Side two", "All Blues"]]),
        (MIXED, [["Picture", "", ""], ["Screenplay", "Julius", "twice"],
                 ["Screenplay", "Philip", ""]]),
        (listed((2, "Only"), (5, "below")), [["Only", "below"]]),
        (listed((1, "Deep first"), (0, "Then not")), [["", "Deep first"], ["Then not", ""]]),
        (listed((0, ""), (0, "One")), [["One"]]),
        (listed(), []),
    ],
)  # fmt: skip
def test_items_are_rows_and_depths_are_columns(given: ItemList, expected: list[list[str]]) -> None:
    assert rows(TableView.of(list_table(given, "Songs"), "Kind of Blue")) == expected


def test_a_cell_is_addressed_as_the_item_that_it_is() -> None:
    table = list_table(NESTED, "Songs")
    view = TableView.of(table)
    assert [str(table.ref("Page", view.places[row][1])) for row in range(3)] == [
        "Page_item_3_1", "Page_item_3_2", "Page_item_3_4",
    ]  # fmt: skip
    assert {table.ref("Page", view.places[row][0]) for row in (0, 1)} == {
        Ref.parse("Page_item_3_0")
    }


def test_an_item_proves_something_only_with_what_it_stands_below() -> None:
    view = TableView.of(list_table(NESTED, "Songs"))
    assert view.rests_on([(0, 0), (1, 0)]) == ((0, 0), (0, 1), (1, 0), (1, 1))
    assert TableView.of_rows([["a", "b"], ["c", "d"]]).rests_on([(0, 1)]) == ((0, 1),)


def test_the_heading_above_says_what_the_items_are() -> None:
    view = TableView.of(list_table(NESTED, "Songs"))
    assert [column.header for column in view.columns] == ["Songs", "Songs"]


def test_a_hundred_thousand_items_are_read() -> None:
    many = listed(*((n % 3, f"item {n}") for n in range(99_999)))
    assert TableView.of(list_table(many)).height == 33_333


BORN = [["Born", "5 May 1900"], ["Died", "1 June 1980"], ["Occupation", "Poet"]]


def keys(rows: list[list[str]]) -> list[str] | None:
    table = as_infobox(rows)
    return None if table is None else [row[0].text for row in table.rows]


@pytest.mark.parametrize("head", [["", ""], ["Key", "Value"], ["field", "details"]])
def test_a_header_that_says_nothing_is_left_out(head: list[str]) -> None:
    assert keys([head, *BORN]) == ["Born", "Died", "Occupation"]
    # Under such a header, keys need not be well known.
    assert keys([head, ["Gear", "5"], ["Tyres", "4"]]) == ["Gear", "Tyres"]


def test_keys_may_begin_in_the_first_row() -> None:
    assert keys(BORN) == ["Born", "Died", "Occupation"]


def test_a_header_above_one_row_is_keys_and_values() -> None:
    table = as_infobox([["Name", "Born", "Club"], ["Ada", "1990", "Oslo"]])
    assert table is not None
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["Name", "Ada"], ["Born", "1990"], ["Club", "Oslo"]
    ]  # fmt: skip
    # Cells keep the places at which they were brought.
    assert [(row[1].row, row[1].column) for row in table.rows] == [(1, 0), (1, 1), (1, 2)]


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [["Born", "1900"]],
        [["Country", "Capital"], ["Norway", "Oslo"], ["Peru", "Lima"]],
        [["", ""], ["Born", "1"], ["Born", "2"]],
        [["", ""], ["1990", "1"], ["1991", "2"]],
        [["", ""], ["", "1"], ["Died", "2"]],
        [["Born", "1900", "x"], ["Died", "1980", "y"], ["Occupation", "Poet", "z"]],
        [["Born", "1900"], ["Died"], ["Occupation", "Poet"]],
        [["1", "2"], ["3", "4"]],
    ],
)
def test_other_tables_are_not_infoboxes(rows: list[list[str]]) -> None:
    assert as_infobox(rows) is None


def test_keys_with_values() -> None:
    table, title = infobox_of_keys(
        {"title": ["Ada", "Byrd"], "Born": "1900", "Sons": ["A  x", "B"]}
    )
    assert title == "Ada Byrd"
    assert table.infobox
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["Born", "1900"],
        ["Sons", "A x, B"],
    ]
