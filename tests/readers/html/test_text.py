import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from feverfew.readers.blocks import place
from feverfew.readers.html.text import is_infobox, is_layout, read_table


def table(markup: str) -> LexborNode:
    found = LexborHTMLParser(markup).css_first("table")
    assert found is not None
    return found


def grid(markup: str) -> list[list[tuple[int, int, str, bool]]]:
    _, rows = read_table(table(markup), lambda cell: [cell.text()])
    return [[(c.row, c.column, c.text, c.header) for c in row] for row in place(rows)]


def test_rows_of_every_part_of_a_table_are_read_in_order() -> None:
    found = grid(
        "<table><thead><tr><td>A<td>B</thead><tbody><tr><th>c<td>d</tbody><tr><td>e<td>f</table>"
    )
    assert found == [
        [(0, 0, "A", True), (0, 1, "B", True)],
        [(1, 0, "c", True), (1, 1, "d", False)],
        [(2, 0, "e", False), (2, 1, "f", False)],
    ]


def test_a_cell_stands_in_the_column_that_a_reader_sees() -> None:
    found = grid(
        "<table><tr><th rowspan='2'>a<th colspan=2>b<tr><td>c<td>d"
        "<tr><td rowspan='x'>e<td>f</table>"
    )
    assert [[cell[:3] for cell in row] for row in found] == [
        [(0, 0, "a"), (0, 1, "b")],
        [(1, 1, "c"), (1, 2, "d")],
        [(2, 0, "e"), (2, 1, "f")],
    ]


def test_spans_are_read_leniently() -> None:
    _, ((cell,),) = read_table(
        table("<table><tr><td rowspan=' 3;' colspan='0'>a</table>"), lambda cell: [cell.text()]
    )
    assert (cell.row_span, cell.column_span) == (3, 1)


def test_hidden_rows_and_cells_and_rows_of_inner_tables_do_not_count() -> None:
    found = grid(
        "<table><tr style='display:none'><td>x<tr><td style='display: none'>y<td>a"
        "<td><table><tr><td>in<td>ner</table></table>"
    )
    assert [[cell[:3] for cell in row] for row in found] == [[(0, 0, "a"), (0, 1, "inner")]]


def test_the_caption_is_the_tables_own() -> None:
    outer = "<table><tr><td>a<td><table><caption>inner</caption><tr><td>b</table></table>"
    assert read_table(table(outer), lambda cell: [cell.text()])[0] == ""
    own = "<table><caption>Rulers</caption><tr><td>a</table>"
    assert read_table(table(own), lambda cell: [cell.text()])[0] == "Rulers"


@pytest.mark.parametrize(
    ("markup", "layout"),
    [
        ("<table><tr><td>only</table>", True),
        ("<table></table>", True),
        ("<table role=presentation><tr><th>a<td>b</table>", True),
        ("<table><tr><td><p>a</p><td>b</table>", True),
        ("<table><tr><td><table><tr><td>a<td>b</table><td>c</table>", True),
        ("<table><tr><td>a<td>b</table>", False),
        ("<table><tr><th>a<td><ul><li>b</ul></table>", False),
        ("<table class='sortable wikitable'><tr><td><p>a</p><td>b</table>", False),
        ("<table class=infobox><tr><td><p>a</p><tr><td>b</table>", False),
    ],
)
def test_layout_is_told_from_data(markup: str, layout: bool) -> None:
    assert is_layout(table(markup)) is layout


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("infobox", True),
        ("infobox_v2 vcard", True),
        ("noprint infobox", True),
        ("infobox-subbox", False),
        ("wikitable", False),
        ("", False),
    ],
)
def test_infoboxes(names: str, expected: bool) -> None:
    assert is_infobox(table(f"<table class='{names}'><tr><td>a</table>")) is expected
