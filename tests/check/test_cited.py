"""What FEVEROUS's score reads: five sentences, 25 others, each by its official id."""

from msgspec.structs import replace

from feverfew.check.feverous_evidence import cited_elements
from feverfew.check.tables import TableResult
from feverfew.tables import TableVerdict, TableView
from feverfew.types import Cell, Context, Evidence, Kind, Ref, Table


def piece(ref: Ref) -> Evidence:
    return Evidence(ref=ref, text="…", context=Context("Tarn"), score=0.0)


def looked(index: int, height: int = 40, caption: str = "") -> TableResult:
    rows = (
        (Cell(0, 0, "River", True), Cell(0, 1, "Bridges", True)),
        *((Cell(r, 0, f"name {r}"), Cell(r, 1, str(r))) for r in range(1, height + 1)),
    )
    table = Table(index, rows, caption)
    view = TableView.of(table)
    places = tuple((row, column) for row in range(height) for column in (0, 1))[:25]
    return TableResult("Tarn", "", table, view, TableVerdict((0.25, 0.25, 0.5)), places)


SENTENCES = [piece(Ref.sentence("Tarn", at)) for at in range(7)]
ITEMS = [piece(Ref("Tarn", Kind.ITEM, (0, at))) for at in range(2)]


def test_five_sentences_then_twenty_five_others() -> None:
    made = cited_elements("The Alva.", [*ITEMS, *SENTENCES], looked(0))
    kinds = [ref.kind for ref in made]
    assert kinds[:5] == [Kind.SENTENCE] * 5
    assert Kind.SENTENCE not in kinds[5:]
    assert len(made) == 30
    assert len(set(made)) == 30
    assert made[5:7] == tuple(item.ref for item in ITEMS)
    assert str(made[7]) == "Tarn_cell_0_1_0"


def test_without_a_table_there_are_sentences_and_items() -> None:
    made = cited_elements("The Alva.", [*ITEMS, *SENTENCES], None)
    assert [str(ref) for ref in made[4:]] == ["Tarn_sentence_4", "Tarn_item_0_0", "Tarn_item_0_1"]


def test_headers_and_caption_that_the_claim_names_are_cited() -> None:
    made = cited_elements("Seven bridges cross it.", [], looked(2, caption="Bridges of Tarn"))
    ids = [str(ref) for ref in made]
    assert "Tarn_header_cell_2_0_1" in ids
    assert "Tarn_header_cell_2_0_0" not in ids
    assert "Tarn_table_caption_2" in ids
    plain = cited_elements("Nothing of it.", [], looked(2, caption="Bridges of Tarn"))
    assert {ref.kind for ref in plain} == {Kind.CELL}


def test_cells_of_other_tables_have_some_room() -> None:
    table = replace(looked(0), others=(looked(1), looked(2, height=1)))
    made = cited_elements("The Alva.", [], table)
    assert [sum(ref.position[0] == at for ref in made) for at in (0, 1, 2)] == [15, 8, 2]
    assert len(made) == 25


def test_what_the_program_used_is_cited_before_other_tables() -> None:
    table = replace(looked(0), others=(looked(1), looked(2)))
    heard = replace(table, verdict=TableVerdict((0.9, 0.0, 0.1), cells=table.places[:20]))
    made = cited_elements("The Alva.", [], heard)
    assert [sum(ref.position[0] == at for ref in made) for at in (0, 1, 2)] == [20, 5, 0]


def test_a_small_table_leaves_no_hole() -> None:
    table = replace(looked(0, height=2), others=(looked(1, height=2),))
    made = cited_elements("The Alva.", [], table)
    assert len(made) == len(set(made)) == 8
