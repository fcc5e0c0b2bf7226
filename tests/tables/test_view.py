"""The typed view: spans, headers on several levels, infoboxes, and tables of every bad shape."""

import pytest

from feverfew.tables.programs import Programs
from feverfew.tables.values import DATE, NUMBER, TEXT
from feverfew.tables.view import TableView, bits_of, rows_of
from feverfew.types import Cell, Table

GAMES = [
    ["Game", "Date", "Opponent", "Result"],
    ["1", "3 May 1890", "Oslo", "Won"],
    ["2", "10 May 1890", "Bergen", "Lost"],
]


def test_columns_have_kinds() -> None:
    view = TableView.of_rows(GAMES)
    assert [column.kind for column in view.columns] == [NUMBER, DATE, TEXT, TEXT]
    assert [column.header for column in view.columns] == GAMES[0]
    assert view.columns[0].numbers.tolist() == [1, 2]


def test_a_column_with_gaps_is_still_one_of_numbers() -> None:
    view = TableView.of_rows([["n"], ["1,000"], ["–"], [""], ["2,000 [b]"], ["n/a"]])
    assert view.columns[0].kind == NUMBER


def test_units_stay_as_written_unless_they_are_mixed() -> None:
    view = TableView.of_rows([["a", "b"], ["3 km", "3 km"], ["5 km", "200 m"]])
    assert view.columns[0].numbers.tolist() == [3, 5]
    assert view.columns[1].numbers.tolist() == [3000, 200]


def test_headers_on_two_levels_and_merged_cells() -> None:
    table = Table(
        3,
        (
            (Cell(0, 0, "Team", True, row_span=2), Cell(0, 1, "Medals", True, column_span=2)),
            (Cell(1, 0, "Gold", True), Cell(1, 1, "Silver", True)),
            (Cell(2, 0, "Norway", row_span=2), Cell(2, 1, "5"), Cell(2, 2, "6")),
            (Cell(3, 0, "7"), Cell(3, 1, "8")),
        ),
    )
    view = TableView.of(table)
    assert [c.header for c in view.columns] == ["Team", "Medals: Gold", "Medals: Silver"]
    assert view.columns[0].texts == ("Norway", "Norway")
    assert view.columns[2].texts == ("6", "8")
    # The merged cell keeps the address that its table gives it.
    assert (view.places[1][0].row, view.places[1][0].column) == (2, 0)
    assert (view.places[1][2].row, view.places[1][2].column) == (3, 1)


def test_an_infobox_is_one_row() -> None:
    rows = (
        (Cell(0, 0, "Fritz Lang", True, column_span=2),),
        (Cell(1, 0, "Born", True), Cell(1, 1, "5 December 1890")),
        (Cell(2, 0, "Films", True), Cell(2, 1, "23")),
    )
    view = TableView.of(Table(0, rows, infobox=True))
    assert view.height == 1
    assert [(c.header, c.kind) for c in view.columns] == [("Born", DATE), ("Films", NUMBER)]
    assert view.places[0][1].row == 2
    named = TableView.of(Table(0, rows, infobox=True), "Fritz Lang")
    assert [c.header for c in named.columns] == ["name", "Born", "Films"]
    assert named.columns[0].texts == ("Fritz Lang",)


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [[]],
        [["only"]],
        [["a", "b"]],
        [["a"], []],
        [["a", "b"], ["1"], ["1", "2", "3", "4"], []],
        [["", ""], ["", ""]],
        [["a", "a"], ["1", "1"]],
    ],
)
def test_no_shape_is_too_bad_to_be_judged(rows: list[list[str]]) -> None:
    view = TableView.of_rows(rows)
    votes = Programs.open().run(["The first a of 1 is more than 2 only."], [view])[0]
    assert 0 <= votes.probability <= 1
    assert 0 <= votes.relevance <= 1


def test_nothing_is_said_of_an_empty_table() -> None:
    assert Programs.open().run(["Oslo won."], [TableView.of_rows([])])[0].relevance == 0


def test_sets_of_rows() -> None:
    many = list(range(0, 400, 3))
    assert rows_of(bits_of(many)) == many
    assert bits_of([0, 2]) == 0b101
    assert rows_of(0) == []
