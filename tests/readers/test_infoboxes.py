"""Infoboxes as people bring them: recognised where the first column reads like keys."""

import pytest

from feverfew.readers.tables import as_infobox, infobox_of_keys

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
