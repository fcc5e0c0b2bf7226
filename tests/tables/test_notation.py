"""What one cell does not say about its number or date, its table does."""

import numpy as np
import pytest

from feverfew.tables.notation import header_unit
from feverfew.tables.view import TableView


def numbers(*cells: str, beside: tuple[str, ...] = ()) -> list[float]:
    """Read a column of cells, with others beside it."""
    others = beside or ("",) * len(cells)
    rows = [["Name", "Value"], *([other, cell] for cell, other in zip(cells, others, strict=True))]
    return list(map(float, TableView.of_rows(rows).columns[1].numbers))


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (("1.204,50", "12,5", "1.204"), [1204.5, 12.5, 1204.0]),
        (("1,204.50", "12.5", "1,204"), [1204.5, 12.5, 1204.0]),
        (("1,204", "1,300"), [1204.0, 1300.0]),
        (("1.204", "1.300"), [1.204, 1.3]),  # nothing tells that these are thousands
        (("1,204,000", "2,5"), [1204000.0]),  # of two ways of writing, the English one counts
        (("1'204'000", "7"), [1204000.0, 7.0]),
        (("(1,204)", "3"), [-1204.0, 3.0]),
        (("1.204,50 €", "7,25 €"), [1204.5, 7.25]),
        (("12,5 %", "7,25 %"), [12.5, 7.25]),
    ],
)
def test_decimal_commas_thousands_and_losses(cells: tuple[str, ...], expected: list[float]) -> None:
    assert numbers(*cells)[: len(expected)] == pytest.approx(expected)


def test_one_column_tells_how_the_others_are_written() -> None:
    assert numbers("1.204", "1.300", beside=("12,5", "3,75")) == [1204.0, 1300.0]


def test_a_column_tells_whether_the_day_comes_first() -> None:
    day_first, month_first = (
        numbers("03/04/2023", "31/12/2023"),
        numbers("03/04/2023", "12/31/2023"),
    )
    assert day_first[1] == month_first[1]
    assert day_first[0] == numbers("2023-04-03")[0]
    assert month_first[0] == numbers("2023-03-04")[0]
    assert numbers("03.04.2023") == numbers("2023-04-03")


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("Length (km)", ("length", 1000.0)),
        ("Length [km]", ("length", 1000.0)),
        ("Length, km", ("length", 1000.0)),
        ("Length in km", ("length", 1000.0)),
        ("Revenue (EUR million)", ("euros", 1e6)),
        ("Revenue (EUR m)", ("euros", 1e6)),
        ("Revenue in millions of euros", ("euros", 1e6)),
        ("Revenue ($000s)", ("dollars", 1e3)),
        ("Share (%)", ("share", 1.0)),
        ("Population [thousands]", ("", 1.0)),
        ("Number in stock", ("", 1.0)),
        ("Name (short)", ("", 1.0)),
        ("Name", ("", 1.0)),
    ],
)
def test_units_in_headers(header: str, expected: tuple[str, float]) -> None:
    assert header_unit(header) == expected


def test_cells_keep_their_text() -> None:
    view = TableView.of_rows([["A", "Revenue (EUR million)"], ["x", "1.204,50"], ["y", "2,5"]])
    column = view.columns[1]
    assert column.texts == ("1.204,50", "2,5")
    assert (column.unit, column.factor) == ("euros", 1e6)
    assert np.array_equal(column.numbers, [1204.5, 2.5])
