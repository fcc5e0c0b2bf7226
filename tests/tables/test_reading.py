"""The cells that are read beside a claim, and texts with them."""

from feverfew.tables.cells import Cells
from feverfew.tables.linearise import linearise_cells
from feverfew.tables.reading import CellsRead, read_cells, with_texts
from feverfew.tables.view import TableView

LONG = TableView.of_rows(
    [["Name", "Remark"], *([f"n{row}", "word " * 30] for row in range(30))], "Long"
)


def test_as_many_cells_are_read_as_fit() -> None:
    (found,) = read_cells(Cells.open(), ["n7 has a word."], [LONG])
    assert len(found.ranked) == 25
    assert 0 < len(found.places) < 25
    assert found.places == found.ranked[: len(found.places)]
    assert found.text == linearise_cells(LONG, found.places)
    assert (7, 0) in found.places


def test_texts_go_first_and_both_are_cut() -> None:
    ranked = [(row, 1) for row in range(30)]
    cells = CellsRead(ranked, ranked, "")
    pieces = [("A", "first " * 40), ("B", "second " * 60), ("C", "third")]
    text = with_texts(pieces, cells, LONG)
    assert text.startswith("A: first ")
    assert "third" not in text
    assert text.endswith("word.")
    assert len(text) < 1000


def test_only_one_kind_may_be_there() -> None:
    empty = TableView.of_rows([])
    assert with_texts([("", "Oslo.")], CellsRead([], [], ""), empty) == "Oslo."
    assert with_texts([], CellsRead([(0, 0)], [(0, 0)], ""), LONG) == "Long: Name is n0."
