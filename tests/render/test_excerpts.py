"""Tables drawn in reports: headers on several levels, headers of rows, merged cells, infoboxes."""

from io import StringIO
from typing import Any

from rich.console import Console

from feverfew.check.excerpt import excerpt_of
from feverfew.render.check_html import report_html
from feverfew.render.excerpts import excerpt_html, excerpt_lines
from feverfew.render.terminal import print_report
from feverfew.tables import TableEvidence, TableView
from feverfew.types import (
    Cell,
    Context,
    Evidence,
    Excerpt,
    Finding,
    Kind,
    Ref,
    Report,
    Table,
    Verdict,
)

MEDALS = Table(
    1,
    (
        (Cell(0, 0, "Country", True, row_span=2), Cell(0, 1, "Medals", True, column_span=2)),
        (Cell(1, 0, "Gold", True), Cell(1, 1, "Silver", True)),
        (Cell(2, 0, "Norway", True), Cell(2, 1, "5"), Cell(2, 2, "6")),
        (Cell(3, 0, "Group B", column_span=3),),
        (Cell(4, 0, "Sweden", True), Cell(4, 1, "7"), Cell(4, 2, "8")),
    ),
    "Medals by <country>",
)
BOX = Table(
    0,
    (
        (Cell(0, 0, "Fritz Lang", True, column_span=2),),
        (Cell(1, 0, "Born", True), Cell(1, 1, "5 December 1890")),
        (Cell(2, 0, "Films", True), Cell(2, 1, "23")),
    ),
    infobox=True,
)


def excerpt(table: Table, *cells: tuple[int, int], title: str = "Games_-LRB-1936-RRB-") -> Excerpt:
    view = TableView.of(table, title)
    votes: Any = None  # what programs say is not drawn
    return excerpt_of(TableEvidence(title, "", table, view, "", cells, cells, votes, True), cells)


def lines(given: Excerpt, *, ascii_only: bool = False) -> list[str]:
    return [text.plain for text in excerpt_lines(given, ascii_only)]


def test_a_header_on_two_levels_has_two_lines() -> None:
    assert lines(excerpt(MEDALS, (0, 1), (1, 0), (2, 0))) == [
        "Games (1936) › Medals by <country>",
        "Country   │ Medals │",
        "          │ Gold   │ Silver",
        "──────────┼────────┼───────",
        "Norway    │ [5]    │ 6",
        "[Group B] │        │",
        "[Sweden]  │ 7      │ 8",
    ]


def test_plain_signs_where_there_are_no_others() -> None:
    drawn = "\n".join(lines(excerpt(MEDALS, (0, 1)), ascii_only=True))
    assert drawn.isascii()
    assert "Norway  | [5]" in drawn
    assert "and 2 rows more" in drawn


def test_html_knows_headers_spans_and_marks() -> None:
    page = excerpt_html(excerpt(MEDALS, (0, 1), (1, 0), (2, 0)))
    assert '<th scope="col" rowspan="2" class="used">Country</th>' in page
    assert '<th scope="colgroup" colspan="2" class="used">Medals</th>' in page
    assert '<th scope="col" class="used">Gold</th><th scope="col">Silver</th>' in page
    assert '<th scope="row" class="used">Norway</th><td class="used">5</td><td>6</td>' in page
    assert '<td colspan="3" class="used">Group B</td>' in page
    assert '<th scope="row" class="used chosen">Sweden</th>' in page
    assert "Games (1936) › Medals by &lt;country&gt;" in page


def test_an_infobox_is_drawn_as_keys_and_values() -> None:
    given = excerpt(BOX, (0, 1), title="Fritz_Lang")
    assert given.rows == (("Born", "5 December 1890"), ("Films", "23"))
    assert lines(given) == ["Fritz Lang", "Born  │ [5 December 1890]", "Films │ 23"]
    page = excerpt_html(given)
    assert "<thead>" not in page
    assert '<th scope="row" class="used">Born</th><td class="used">5 December 1890</td>' in page
    assert '<th scope="row">Films</th><td>23</td>' in page


def test_columns_that_do_not_fit_are_counted() -> None:
    cells = tuple(tuple(Cell(r, c, f"{r}.{c}", r == 0) for c in range(12)) for r in range(2))
    drawn = lines(excerpt(Table(0, cells), (0, 11)))
    assert drawn[-1] == "and 4 columns more"
    assert "[1.11]" in drawn[-2]


def test_wide_letters_keep_the_columns_straight() -> None:
    cells = (
        (Cell(0, 0, "City", True), Cell(0, 1, "n", True)),
        (Cell(1, 0, "東京"), Cell(1, 1, "1")),
    )
    drawn = lines(excerpt(Table(0, cells), (0, 1)))
    assert drawn[1] == "City │ n"
    assert drawn[3] == "東京 │ [1]"


def test_an_empty_table_is_drawn_as_its_title() -> None:
    assert lines(excerpt(Table(0, ()))) == ["Games (1936)"]
    assert "<tbody></tbody>" in excerpt_html(excerpt(Table(0, ())))


def cell(index: int, row: int, column: int) -> Finding:
    ref = Ref("Games_-LRB-1936-RRB-", Kind.CELL, (index, row, column))
    piece = Evidence(ref=ref, text="…", context=Context("Games (1936)"), score=0.0)
    shares = {Verdict.SUPPORTED: 0.9, Verdict.REFUTED: 0.05, Verdict.NOT_ENOUGH_INFO: 0.05}
    return Finding.of(piece, says=Verdict.SUPPORTED, probabilities=shares)


def test_cells_that_are_drawn_are_not_told_again_in_words() -> None:
    inside, outside = cell(1, 2, 1), cell(7, 2, 1)
    report = Report(
        claim="Norway won 5 gold medals.",
        verdict=Verdict.SUPPORTED,
        probabilities=inside.probabilities,
        evidence=(inside, outside),
        tables=(excerpt(MEDALS, (0, 1)),),
    )
    console = Console(width=90, record=True, file=StringIO())
    print_report(report, console)
    told = console.export_text()
    assert told.count("Games_-LRB-1936-RRB-_cell_1_2_1") == 1
    assert told.count("Games_-LRB-1936-RRB-_cell_7_2_1") == 1
    assert told.count("…") == 1
    page = report_html(report)
    assert page.count("Games_-LRB-1936-RRB-_cell_1_2_1") == 1
    assert page.count("<blockquote") == 1
