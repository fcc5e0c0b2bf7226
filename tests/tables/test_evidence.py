"""The choice of cells: those that prove a claim stand among the first."""

import numpy as np

from feverfew.tables.evidence import CELLS, FEATURES, Cells, cell_features
from feverfew.tables.view import TableView

FILMS = TableView.of_rows(
    [
        ["Year", "Film", "Director", "Result"],
        *([str(1920 + at), f"Film {at}", f"Person {at}", "Lost"] for at in range(20)),
        ["1941", "The Long Road", "Ada Berg", "Won"],
    ],
    "Awards",
    "Oslo Film Festival",
)


def test_the_cells_that_prove_a_claim_come_first() -> None:
    chosen = Cells.open().choose(["Ada Berg won in 1941 with The Long Road."], [FILMS])[0]
    assert {(cell.row, cell.column) for cell in chosen[:4]} == {(20, c) for c in range(4)}
    assert len(chosen) == CELLS
    assert [cell.score for cell in chosen] == sorted((c.score for c in chosen), reverse=True)


def test_as_many_as_are_asked_for() -> None:
    assert len(Cells.open().choose(["Ada Berg won."], [FILMS], k=3)[0]) == 3


def test_tables_without_a_body_have_no_cells() -> None:
    views = [TableView.of_rows([]), TableView.of_rows([["a"]])]
    assert Cells.open().choose(["a", "b"], views) == [[], []]


def test_features_are_named_and_finite() -> None:
    places, rows = cell_features("The most films, in 1925 and 1926.", FILMS)
    assert rows.shape == (len(places), len(FEATURES)) == (21 * 4, len(FEATURES))
    assert np.isfinite(rows).all()


def test_a_long_table_is_read_where_it_shares_words() -> None:
    view = TableView.of_rows([["Name"], *([f"name{at}"] for at in range(5000))])
    chosen = Cells.open().choose(["It was name4321."], [view])[0]
    assert (chosen[0].row, chosen[0].column) == (4321, 0)
