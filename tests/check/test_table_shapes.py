"""Tables of every bad shape on their whole way: indexed, found, judged, cited and drawn."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from feverfew.check.tables import TableReader, TableResult

from feverfew.check.excerpt import excerpt_of
from feverfew.check.feverous_evidence import cited_elements
from feverfew.corpus import Corpus
from feverfew.corpus.build import build
from feverfew.corpus.update import add
from feverfew.judge import Judge
from feverfew.render.excerpts import excerpt_html, excerpt_lines
from feverfew.retrieve import Candidate
from feverfew.types import Cell, Page, Table
from making import made

CLAIM = "The Alva of Tarn has 4 bridges, more than any other."


class Nothing:
    """A search that finds no page: tables must be found by their own words."""

    def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        return [[] for _ in claims]


def table(*rows: Sequence[str], infobox: bool = False) -> Table:
    cells = tuple(
        tuple(Cell(r, c, text, r == 0) for c, text in enumerate(row)) for r, row in enumerate(rows)
    )
    return Table(0, cells, infobox=infobox)


@cache
def judge() -> Judge:
    return Judge.open(threads=1)


def looked_at(directory: Path, claim: str = CLAIM, tables: int = 3) -> TableResult | None:
    with Corpus.open(directory) as corpus:
        return TableReader(corpus, Nothing(), judge(), tables).look([claim])[0]


SHAPES = {
    "empty": Table(0, (), "Alva"),
    "one cell": table(["Alva"]),
    "headers only": table(["Alva", "Bridges"]),
    "ragged": table(["River", "Bridges"], ["Alva"], ["Berga", "4", "5", "6"], []),
    "blank": table(["", ""], ["", "Alva"]),
    "merged": Table(
        0,
        (
            (Cell(0, 0, "River", True, row_span=9), Cell(0, 1, "Bridges", True, column_span=7)),
            (Cell(1, 1, "Alva", column_span=2), Cell(1, 3, "4", row_span=3)),
            (Cell(2, 1, "Berga"),),
        ),
    ),
    "infobox": table(["Alva"], ["Bridges", "4"], infobox=True),
    "infobox without values": table(["Alva"], infobox=True),
    "signs": table(["River", "Change"], ["Alva", "−4"], ["Berga", "1,234,567 [a]"], ["C", "∞"]),
    "mixed units": table(["River", "Length"], ["Alva", "4 km"], ["Berga", "900 m"], ["C", "2 mi"]),
}


@pytest.mark.parametrize("name", SHAPES)
def test_no_shape_is_too_bad(name: str, tmp_path: Path) -> None:
    directory = made(tmp_path, {"Moss": ["Moss is a town."]})
    add(directory, [Page("Tarn", (SHAPES[name],))])
    looked = looked_at(directory)
    assert looked is not None
    assert looked.table == SHAPES[name]
    known = {
        (cell.row, cell.column, cell.header) for row in SHAPES[name].rows for cell in row
    }  # fmt: skip
    for ref in looked.refs(looked.places):
        assert (*ref.position[1:], ref.kind == "header_cell") in known
    assert len(cited_elements(CLAIM, [], looked)) <= 25
    assert list(excerpt_lines(excerpt_of(looked), ascii_only=False))
    assert excerpt_html(excerpt_of(looked)).count("<table>") == 1


def test_none_are_looked_at_where_none_are_wanted(tmp_path: Path) -> None:
    directory = made(tmp_path, {"Moss": ["Moss is a town."]})
    add(directory, [Page("Tarn", (SHAPES["ragged"],))])
    assert looked_at(directory, tables=0) is None


def test_a_hundred_thousand_rows(tmp_path: Path) -> None:
    rows = [["River", "Bridges"], *([f"name{n}", str(n % 7)] for n in range(100_000))]
    directory = made(tmp_path, {"Moss": ["Moss is a town."]})
    add(directory, [Page("Tarn", (table(*rows),))])
    looked = looked_at(directory, "Of the rivers of Tarn, name77777 has 0 bridges.")
    assert looked is not None
    assert "Tarn_cell_0_77778_0" in map(str, looked.refs(looked.places))
    assert excerpt_of(looked).left_out > 99_000


def test_a_nested_table_is_found_by_itself(tmp_path: Path) -> None:
    text = (
        "{| class=wikitable\n! Land !! Rivers\n|-\n| Tarn\n|\n{| class=wikitable\n"
        "! River !! Bridges\n|-\n| Alva || 4\n|-\n| Berga || 9\n|}\n|}\n"
    )
    source = tmp_path / "lands.xml"
    source.write_text(
        '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/"><page><title>Lands</title>'
        f"<ns>0</ns><id>1</id><revision><id>1</id><text>{text}</text></revision></page></mediawiki>"
    )
    build([source], tmp_path / "lands.corpus", workers=0)
    looked = looked_at(tmp_path / "lands.corpus", "The Berga has 9 bridges.")
    assert looked is not None
    assert looked.table.index == 1
    assert [cell.text for row in looked.table.rows for cell in row][-2:] == ["Berga", "9"]
    assert "Lands_cell_1_2_1" in map(str, looked.refs(looked.places))
