"""FEVEROUS's baseline, part by part: pages, tables, cells, evidence with context, open claims."""

import random
from collections.abc import Sequence

import numpy as np
import pytest

from feverfew.corpus import Corpus
from feverfew.lab.papers.feverous_cells import (
    FEATURES,
    CellLabeller,
    Labelled,
    describe,
    linearised,
    sampled_rows,
)
from feverfew.lab.papers.feverous_context import TfIdfTables, evidence_at, headers_of, written
from feverfew.lab.papers.feverous_data import made_open, refuted, sample_set, without_a_piece
from feverfew.lab.papers.ours import as_pieces
from feverfew.lab.papers.pages import EntityPages, first_sentence
from feverfew.lab.papers.vectors import Vectors
from feverfew.lab.train.datasets import Answer
from feverfew.retrieve import Candidate
from feverfew.types import Cell, Claim, Page, Ref, Sentence, Table, Verdict

FILMS = Table(
    1,
    (
        (Cell(0, 0, "Year", True), Cell(0, 1, "Film", True)),
        *((Cell(r, 0, str(1920 + r)), Cell(r, 1, name)) for r, name in enumerate("abcdefgh", 1)),
    ),
)


class Known:
    """Finds the pages it was given, whatever is asked."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = numbers

    def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        found = [Candidate(n, f"Page {n}", 1.0) for n in self.numbers[:k]]
        return [found for _ in claims]


def test_pages_that_the_claim_names_come_first_and_no_page_twice() -> None:
    (found,) = EntityPages(Known(7, 8), Known(3, 7, 4, 5)).retrieve(["c"], 4)
    assert [page.number for page in found] == [7, 8, 3, 4]
    (found,) = EntityPages(Known(1, 2, 3), Known(9)).retrieve(["c"], 3)
    assert [page.number for page in found] == [1, 2, 3]


def test_only_the_first_sentence_is_compared() -> None:
    page = Page("Fritz_Lang", (Sentence(0, ""), Sentence(1, "He was born."), Sentence(2, "No.")))
    assert first_sentence(page) == "Fritz Lang\nHe was born."
    assert first_sentence(Page("Empty")) == "Empty\n"


def test_tables_of_the_pages_are_ranked(sample: Corpus) -> None:
    pages = [Candidate(sample.number(t) or 0, t, 1.0) for t in ("Moon", "Fritz Lang")]
    (found,) = TfIdfTables(sample).find(["Apollo 15 landed at Hadley Rille."], [pages], 3)
    assert (found[0].page.title, found[0].table.index) == ("Moon", 1)
    assert found[0].score > found[-1].score
    assert TfIdfTables(sample).find(["nothing"], [[]], 3) == [[]]


def test_a_cell_is_said_with_its_nearest_headers() -> None:
    corner = Cell(2, 1, "9")
    table = Table(
        0,
        (
            (Cell(0, 0, "", True), Cell(0, 1, "Medals", True)),
            (Cell(1, 0, "Team", True), Cell(1, 1, "Gold", True)),
            (Cell(2, 0, "China", True), corner),
            (Cell(3, 0, "Japan", True), Cell(3, 1, "4")),
        ),
    )
    assert headers_of(table, corner) == ["Medals", "Gold", "China"]
    # What stands above the nearest header, but is none, ends the search.
    assert headers_of(table, Cell(3, 1, "4")) == ["Medals", "Gold", "Japan"]
    assert headers_of(FILMS, Cell(2, 0, "1922")) == ["Year"]


def test_evidence_is_read_with_its_context_and_a_title_stands_once(sample: Corpus) -> None:
    refs = [Ref.parse(name) for name in ("Moon_cell_1_4_0", "Moon_cell_1_4_3", "Moon_sentence_0")]
    first, second, sentence = evidence_at(sample, refs)
    assert first.ref == refs[0]
    assert " is " in second.text
    assert "Hadley" in second.text
    assert first.context.section == second.context.section
    assert sentence.text == sample.element(refs[2])
    text = written([first, second, sentence])
    assert text.startswith("Moon: ")
    assert text.count("Moon:") == 1
    assert text.count(f"{first.context.section}:") == 1
    assert written([first, second], titles="each").count("Moon:") == 2
    assert "Moon:" not in written([first, second], titles="none")
    (lacking,) = evidence_at(sample, [Ref.sentence("No such page", 1)])
    assert lacking.text == ""


def test_cells_of_a_table_are_one_piece_and_sentences_their_own(sample: Corpus) -> None:
    names = ("Moon_cell_1_4_0", "Moon_sentence_0", "Moon_cell_1_4_3", "Moon_sentence_1")
    pieces = as_pieces(evidence_at(sample, map(Ref.parse, names)))
    assert len(pieces) == 3
    assert {piece.title for piece in pieces} == {"Moon"}
    assert "Hadley" in pieces[0].text


def test_sampled_rows_keep_headers_and_what_matters() -> None:
    gold = frozenset({(6, 1), (8, 0)})
    drawn = {
        tuple(row[0].row for row in sampled_rows(FILMS, gold, 5, random.Random(seed)).rows)
        for seed in range(20)
    }
    assert len(drawn) > 1
    for rows in drawn:
        assert len(rows) == 5
        assert {0, 6, 8} <= set(rows)
        assert list(rows) == sorted(rows)
    assert len(sampled_rows(FILMS, gold, 2, random.Random(0)).rows) == 3
    assert sampled_rows(FILMS, gold, 99, random.Random(0)).rows == FILMS.rows


def test_a_cell_is_described_by_itself_its_headers_and_what_stands_around() -> None:
    rows = describe(blank(), "The film c is from 1923.", FILMS)
    assert rows.shape == (len(linearised(FILMS)), len(FEATURES))
    at = {name: place for place, name in enumerate(FEATURES)}
    cells = {(c.row, c.column): n for n, c in enumerate(linearised(FILMS))}
    year, film, other = cells[3, 0], cells[3, 1], cells[5, 0]
    assert rows[year, at["number_said"]] == 1
    assert rows[other, at["number_said"]] == 0
    assert rows[film, at["whole"]] == 1
    assert rows[film, at["header_shared"]] == 1
    assert rows[year, at["row_most_shared"]] == 1
    assert rows[other, at["row_most_shared"]] == 0
    assert rows[cells[4, 0], at["above_shared"]] == 1
    assert describe(blank(), "c", Table(0, ())).shape == (0, len(FEATURES))


def blank() -> Vectors:
    return Vectors({}, np.zeros((0, 50), np.float32))


def test_a_labeller_learns_which_cells_are_needed() -> None:
    pytest.importorskip("torch", reason="the networks need the extra: feverfew[papers]")
    lessons = [
        Labelled(f"The film {name} is from {1920 + r}.", FILMS, frozenset({(r, 0), (r, 1)}))
        for r, name in enumerate("abcdefgh", 1)
    ]
    weights = CellLabeller.train(blank(), lessons[:6] * 4, lessons[:2], seed=1, epochs=40)
    labeller = CellLabeller(blank(), weights)
    assert 0.1 <= labeller.threshold < 0.9
    shares = {(c.row, c.column): p for c, p in labeller.shares(lessons[7].claim, FILMS)}
    chosen = {place for place, share in shares.items() if share >= labeller.threshold}
    assert {(8, 0), (8, 1)} <= chosen
    assert len(chosen) < len(shares) / 2
    assert labeller.shares("c", Table(0, ())) == []


def claim_of(*names: str) -> Claim:
    refs = tuple(map(Ref.parse, names))
    return Claim(id=1, text="c", label=Verdict.SUPPORTED, evidence=(refs,))


@pytest.mark.parametrize(
    ("names", "left"),
    [
        (["P_sentence_1", "P_cell_0_1_1", "P_cell_0_2_1"], [1, 2]),  # a sentence, or all cells
        (["P_sentence_1", "P_sentence_2"], [1]),
        (["P_cell_0_1_1", "P_cell_0_1_2", "P_cell_0_3_1"], [1, 2]),  # a row of the only table
    ],
)
def test_an_open_claim_lacks_a_sentence_a_table_or_a_row(names: list[str], left: list[int]) -> None:
    sizes = set()
    for seed in range(20):
        lacking = without_a_piece(claim_of(*names), random.Random(seed))
        assert lacking is not None
        assert lacking.label is Verdict.NOT_ENOUGH_INFO
        assert set(lacking.evidence[0]) < set(map(Ref.parse, names))
        sizes.add(len(lacking.evidence[0]))
    assert sizes == set(left)


def test_a_single_piece_cannot_be_removed() -> None:
    assert without_a_piece(claim_of("P_cell_0_1_1", "P_cell_0_1_2"), random.Random(0)) is None
    many = [claim_of("P_sentence_1", "P_sentence_2")] * 200 + [claim_of("P_sentence_1")] * 9
    labels = [claim.label for claim in made_open(many)]
    assert 5 < labels.count(Verdict.NOT_ENOUGH_INFO) < 60
    assert labels[200:] == [Verdict.SUPPORTED] * 9


def test_a_true_sentence_is_made_false_by_another_cell_of_its_column() -> None:
    rows = [["Film", "Year"], ["Metropolis", "1927"], ["Destiny", "1921"]]
    true = Answer("Metropolis is a film of 1927.", "Lang", "Films", rows, frozenset({(0, 0)}))
    assert refuted(true) == "Destiny is a film of 1927."
    rows = [["Film", "Year"], ["Metropolis", "1927"], ["2001", "x"], ["a film of four words", "y"]]
    alone = Answer("Metropolis is a film of 1927.", "Lang", "Films", rows, frozenset({(0, 0)}))
    assert refuted(alone) is None  # nothing could stand in its place
    silent = Answer("It is so.", "Lang", "Films", rows, frozenset({(0, 0)}))
    assert refuted(silent) is None


def test_what_is_learned_of_the_sample_is_not_reported() -> None:
    learned, told = sample_set("feverous-training"), sample_set("feverous")
    assert learned
    assert told
    assert {c.group for c in learned}.isdisjoint(c.group for c in told)
    assert len(sample_set("feverous-labels")) == len(learned) + len(told)
