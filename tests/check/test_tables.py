"""Tables of the pages found: what they say is joined to the report, with official ids."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from rich.console import Console

from feverfew.check import Checker
from feverfew.check.explain import ClaimResult
from feverfew.check.table_gate import concerns
from feverfew.check.table_report import with_table
from feverfew.check.tables import TableReader, TableResult, joined
from feverfew.check.verify import predict
from feverfew.corpus import Corpus
from feverfew.corpus.build import build
from feverfew.judge import Judge, Judgement, SelectedEvidence
from feverfew.judge.label_policy import LabelPolicy
from feverfew.judge.reading import EncoderOutput
from feverfew.render.check_html import report_html
from feverfew.render.as_json import report_json
from feverfew.render.terminal import print_report
from feverfew.tables import TableVerdict, TableView
from feverfew.types import (
    Cell,
    Claim,
    Context,
    Evidence,
    Kind,
    Ref,
    Report,
    Table,
    Verdict,
)
from making import feverous_corpus

PAGE = """{"title": "Rivers of Tarn", "order": ["sentence_0", "table_0"],
"sentence_0": "This page lists the rivers of Tarn, a land that was made up.",
"table_0": {"type": "table", "caption": "Rivers", "table": [
[{"id": "header_cell_0_0_0", "value": "River", "is_header": true},
 {"id": "header_cell_0_0_1", "value": "Province", "is_header": true},
 {"id": "header_cell_0_0_2", "value": "Bridges", "is_header": true}],
[{"id": "cell_0_1_0", "value": "Alva"}, {"id": "cell_0_1_1", "value": "Nordmark"},
 {"id": "cell_0_1_2", "value": "4"}],
[{"id": "cell_0_2_0", "value": "Berga"}, {"id": "cell_0_2_1", "value": "Sudmark"},
 {"id": "cell_0_2_2", "value": "9"}],
[{"id": "cell_0_3_0", "value": "Corra"}, {"id": "cell_0_3_1", "value": "Nordmark"},
 {"id": "cell_0_3_2", "value": "2"}]]}}"""


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checker]:
    corpus = feverous_corpus(tmp_path_factory.mktemp("tables"), PAGE)
    with Checker.open(corpus, threads=1) as opened:
        yield opened


def test_a_table_settles_what_no_sentence_says(checker: Checker) -> None:
    right, wrong = checker.check(
        ["The Alva is a river of Tarn in the province Nordmark.",
         "The Alva is a river of Tarn in the province Sudmark."]
    )  # fmt: skip
    assert (right.verdict, wrong.verdict) == (Verdict.SUPPORTED, Verdict.REFUTED)
    ids = {str(finding.ref) for finding in right.evidence}
    assert "Rivers of Tarn_cell_0_1_1" in ids
    assert any("The table says" in reason for reason in right.reasons)
    assert sum(right.probabilities.values()) == pytest.approx(1, abs=1e-4)
    excerpt = right.tables[0]
    assert excerpt.header == ("River", "Province", "Bridges")
    assert {excerpt.rows[row][column] for row, column in excerpt.marked} >= {"Nordmark"}


def test_predictions_name_cells(checker: Checker) -> None:
    claim = Claim(id=1, text="The Alva is a river of Tarn in the province Nordmark.")
    made = predict(checker, [claim], "feverous")[0]
    assert made.label is Verdict.SUPPORTED
    cells = [ref for ref in made.evidence if ref.kind is Kind.CELL]
    assert "Rivers of Tarn_cell_0_1_1" in map(str, cells)
    assert len(cells) <= 25
    assert len(set(cells)) == len(cells)
    # FEVER can cite sentences only.
    plain = predict(checker, [claim], "fever")[0]
    assert {ref.kind for ref in plain.evidence} <= {Kind.SENTENCE}


def test_a_table_about_other_things_changes_nothing(checker: Checker) -> None:
    report = checker.check(["Bees make honey in the summer."])[0]
    assert report.verdict is Verdict.NOT_ENOUGH_INFO
    assert report.tables == ()


def looked(probability: float) -> TableResult:
    table = Table(0, ((Cell(0, 0, "a", True),), (Cell(1, 0, "<b>"),)), "x & y")
    view = TableView.of(table)
    shares = (0.9 * probability, 0.9 * (1 - probability), 0.1)
    verdict = TableVerdict(shares, reason="a = b: true", cells=((0, 0),))
    return TableResult("Page", "", table, view, verdict, ((0, 0),))


def report(verdict: Verdict, *shares: float) -> Report:
    names = (Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO)
    return Report(claim="A.", verdict=verdict, probabilities=dict(zip(names, shares, strict=True)))


def test_a_table_that_knows_none_of_the_names_is_not_heard() -> None:
    view = TableView.of_rows([["Bridge", "Opened"], ["Azuma Bridge", "1931"]], title="Sumida")
    assert concerns("The Azuma Bridge is the oldest one over the Sumida.", view)
    assert concerns("The oldest one was opened in 1931.", view)
    assert not concerns("The Howrah Bridge is the oldest one over the Hooghly.", view)
    assert not concerns("In 1931 the Sumida was closed to boats from Osaka.", view)


def test_no_table_changes_nothing() -> None:
    own = report(Verdict.NOT_ENOUGH_INFO, 0.1, 0.1, 0.8)
    assert with_table(own, None) == own
    assert joined((0.1, 0.1, 0.8), None) == (0.1, 0.1, 0.8)


def test_what_texts_settle_no_table_changes() -> None:
    own = report(Verdict.SUPPORTED, 0.6, 0.2, 0.2)
    assert with_table(own, looked(0.01)) == own
    assert joined((0.6, 0.2, 0.2), looked(0.01)) == (0.6, 0.2, 0.2)


def test_texts_that_lean_the_other_way_may_outweigh_a_table() -> None:
    own = report(Verdict.NOT_ENOUGH_INFO, 0.45, 0.0, 0.55)
    assert with_table(own, looked(0.35)) == own


def test_a_table_in_doubt_is_not_heard() -> None:
    own = report(Verdict.NOT_ENOUGH_INFO, 0.1, 0.1, 0.8)
    assert with_table(own, looked(0.55)) == own
    assert with_table(own, looked(0.65)) != own


def texts(*alone: tuple[float, float, float]) -> ClaimResult:
    pieces = [
        Evidence(ref=Ref.sentence("Text", at), text="…", context=Context("Text"), score=0.0)
        for at in range(len(alone))
    ]
    judgement = Judgement((0.3, 0.1, 0.6), alone, (0.9,) * len(alone))
    return ClaimResult(
        "A.", SelectedEvidence(pieces, EncoderOutput("A.", [], [], np.zeros((0, 4)))), judgement, {}
    )


def test_sentences_stand_beside_cells_that_do_not_suffice() -> None:
    own = report(Verdict.NOT_ENOUGH_INFO, 0.4, 0.05, 0.55)
    said = texts((0.4, 0.1, 0.5), (0.1, 0.1, 0.8))
    shares = (0.366, 0.234, 0.4)  # alone, it would leave the claim open
    weak = replace(looked(0.61), verdict=replace(looked(0.61).verdict, probabilities=shares))
    assert weak.heard
    made = with_table(own, weak, said)
    assert made.verdict is Verdict.SUPPORTED
    assert [str(ref) for ref in made.sets[0]] == ["Text_sentence_0", "Page_cell_0_1_0"]
    assert [str(found.ref) for found in made.evidence] == [
        "Page_cell_0_1_0",
        "Text_sentence_0",
    ]
    # A table that settles it alone needs no sentence.
    alone = with_table(own, looked(0.95), said)
    assert [str(ref) for ref in alone.sets[0]] == ["Page_cell_0_1_0"]


def test_both_are_read_as_one_where_neither_settles_it() -> None:
    own = report(Verdict.NOT_ENOUGH_INFO, 0.2, 0.2, 0.6)
    said = texts((0.1, 0.1, 0.8), (0.3, 0.1, 0.6))
    silent = replace(looked(0.9), verdict=TableVerdict((0.1, 0.3, 0.6), reason="a = b: false"))
    assert with_table(own, silent, said) == own
    made = with_table(own, replace(silent, with_texts=(0.9, 0.05, 0.05)), said)
    assert made.verdict is Verdict.SUPPORTED
    assert made.probabilities[Verdict.SUPPORTED] == pytest.approx(0.55)
    assert [str(ref) for ref in made.sets[0]] == [
        "Text_sentence_0", "Text_sentence_1", "Page_cell_0_1_0",
    ]  # fmt: skip
    # Its program says the opposite, so it is no reason.
    assert made.reasons == (
        "Neither the sentences nor the cells settle it alone; read as one, they do.",
    )
    # As they were read first, the claim may stay open.
    unsure = with_table(own, replace(silent, with_texts=(0.45, 0.15, 0.4)), said)
    assert unsure.verdict is Verdict.NOT_ENOUGH_INFO


def test_a_table_is_asked_and_read_in_every_reading() -> None:
    """What another reading calls refuted may be left open by all: tables are asked there too."""
    said = texts((0.1, 0.1, 0.8))
    misled = replace(
        said, judgement=replace(said.judgement, rule=LabelPolicy("m", (1.0, 2.0, 0.2)))
    )
    own = report(Verdict.REFUTED, 0.1, 0.2, 0.7)
    assert with_table(own, looked(0.95), misled).verdict is Verdict.SUPPORTED
    doubtful = replace(looked(0.61).verdict, probabilities=(0.44, 0.16, 0.4))
    weak = replace(looked(0.61), verdict=doubtful)
    assert with_table(own, weak, said).verdict is Verdict.SUPPORTED
    assert with_table(own, weak, misled) == own  # so read, it is refuted, and by no table


def test_an_infobox_is_cited_but_not_heard() -> None:
    own = report(Verdict.NOT_ENOUGH_INFO, 0.1, 0.1, 0.8)
    table = looked(0.95)
    box = replace(table, table=replace(table.table, infobox=True))
    assert with_table(own, box) == own
    assert [str(ref) for ref in box.refs(box.places)] == ["Page_cell_0_1_0"]


def test_tables_are_drawn_everywhere() -> None:
    made = with_table(report(Verdict.NOT_ENOUGH_INFO, 0.1, 0.1, 0.8), looked(0.95))
    assert made.verdict is Verdict.SUPPORTED
    console = Console(width=80, record=True, file=StringIO())
    print_report(made, console)
    assert "[<b>]" in console.export_text()
    page = report_html(made)
    assert '<td class="used">&lt;b&gt;</td>' in page
    assert "x &amp; y" in page
    assert report_json(made)["tables"] == [
        {"page": "Page", "table": 0, "caption": "x & y", "header": ("a",), "rows": (("<b>",),),
         "marked": ((0, 0),), "left_out": 0, "levels": (("a",),), "row_headers": (), "merged": (),
         "listed": False}
    ]  # fmt: skip


def test_a_corpus_without_tables_has_none_to_look_at(tmp_path: Path) -> None:
    source = tmp_path / "a.txt"
    source.write_text("Oslo is a city in Norway.")
    build([source], tmp_path / "a.corpus", workers=1)
    with Corpus.open(tmp_path / "a.corpus") as corpus:
        from feverfew.retrieve import Ranked

        assert TableReader(corpus, Ranked.open(corpus), Judge.open(threads=1)).look(["Oslo."]) == [
            None
        ]
