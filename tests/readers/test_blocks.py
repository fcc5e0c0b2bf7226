from hypothesis import given
from hypothesis import strategies as st

from feverfew.readers.blocks import Blocks, Entry, TableCell, flatten, place
from feverfew.types import ItemList, Link, ListItem, Section, Sentence, Table

BERLIN = Link("Berlin", "Berlin")


def test_each_kind_is_numbered_from_zero_in_reading_order() -> None:
    blocks = Blocks()
    blocks.paragraph(["One. Two."])
    blocks.section("Later", 1)
    blocks.table([[TableCell(["a"])]], "Caption")
    blocks.item_list([Entry(["x"]), Entry(["y"], level=1)], ordered=True)
    blocks.section("Last", 2)
    blocks.paragraph(["Three."])
    blocks.table([[TableCell(["b"])]], infobox=True)
    first, second, later, table, items, last, third, box = blocks.done()
    assert (first, second) == (Sentence(0, "One."), Sentence(1, "Two."))
    assert (later, last) == (Section(0, "Later", 1), Section(1, "Last", 2))
    assert isinstance(table, Table)
    assert (table.index, table.caption, table.infobox) == (0, "Caption", False)
    assert items == ItemList(0, (ListItem(0, "x"), ListItem(1, "y", 1)), ordered=True)
    assert third == Sentence(2, "Three.")
    assert isinstance(box, Table)
    assert (box.index, box.infobox) == (1, True)


def test_a_sentence_keeps_the_links_written_in_it_not_those_that_look_alike() -> None:
    blocks = Blocks()
    blocks.paragraph(["Berlin is  large.\nThe city of ", BERLIN, " is old. So is ", BERLIN, "."])
    links = [block.links for block in blocks.done() if isinstance(block, Sentence)]
    assert links == [(), (BERLIN,), (BERLIN,)]


def test_what_is_empty_takes_no_number() -> None:
    blocks = Blocks()
    blocks.section("  ")
    blocks.paragraph([" \n "])
    blocks.table([[TableCell([" "])], []])
    blocks.item_list([Entry([""])])
    assert blocks.done() == ()


def test_cells_below_a_row_span_move_to_the_right() -> None:
    rows = place(
        [
            [TableCell(["Year"], True, row_span=2), TableCell(["Sales"], True, column_span=2)],
            [TableCell(["Home"], True), TableCell(["Abroad"], True)],
            [TableCell(["1927"]), TableCell(["3"]), TableCell(["4"])],
        ]
    )
    at = {cell.text: (cell.row, cell.column) for row in rows for cell in row}
    assert at == {
        "Year": (0, 0),
        "Sales": (0, 1),
        "Home": (1, 1),
        "Abroad": (1, 2),
        "1927": (2, 0),
        "3": (2, 1),
        "4": (2, 2),
    }


def test_absurd_spans_are_bounded() -> None:
    wide = TableCell(["x"], row_span=10**9, column_span=10**9)
    rows = place([[wide] * 20, *([[TableCell(["y"])]] * 500)])
    assert rows[0][0].row_span == rows[0][0].column_span == 1000
    assert len(rows) == 501


RUNS = st.lists(
    st.text("ab. \n", max_size=8)
    | st.builds(Link, st.just("T"), st.text("cd. ").filter(str.strip)),
    max_size=8,
)


@given(RUNS)
def test_no_letter_and_no_link_is_lost(runs: list[str | Link]) -> None:
    blocks = Blocks()
    blocks.paragraph(runs)
    text, links = flatten(runs)
    found = [block for block in blocks.done() if isinstance(block, Sentence)]
    assert "".join("".join(s.text.split()) for s in found) == "".join(text.split())
    assert tuple(link for sentence in found for link in sentence.links) == links


@given(st.lists(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), max_size=5), max_size=6))
def test_no_two_cells_of_a_table_share_an_id(spans: list[list[tuple[int, int]]]) -> None:
    rows = place([[TableCell(["x"], False, h, w) for h, w in row] for row in spans])
    at = [(cell.row, cell.column) for row in rows for cell in row]
    assert len(at) == len(set(at))
