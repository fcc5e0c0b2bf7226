"""The retrieval tables of the three papers, by hand."""

import pytest

from feverfew.errors import NotFound
from feverfew.score import Metric
from feverfew.score import retrieval as measures
from feverfew.score.join import Pair, join
from feverfew.score.retrieval import overlap, retrieval_column, retrieval_sheet
from feverfew.types import Claim, Prediction, Ref, Verdict

S, N = Verdict.SUPPORTED, Verdict.NOT_ENOUGH_INFO
LABELS = frozenset(Verdict)


def pair(
    *sets: tuple[str, ...], found: tuple[str, ...] = (), pages: str = "", label: Verdict = S
) -> Pair:
    gold = tuple(tuple(Ref.parse(one) for one in ids) for ids in sets)
    claim = Claim(id=1, text="x", label=label, evidence=gold)
    evidence = tuple(Ref.parse(one) for one in found)
    predicted = Prediction(id=1, label=S, evidence=evidence, pages=tuple(pages))
    return join([claim], [predicted], labels=LABELS)[0]


TWO_PAGES = (("A_sentence_0", "B_sentence_0"), ("C_sentence_0",))


def test_fully_supported_needs_all_pages_of_one_set() -> None:
    assert measures.document_support(pair(*TWO_PAGES, pages="AXB"), 2) == 0
    assert measures.document_support(pair(*TWO_PAGES, pages="AXB"), 3) == 1
    assert measures.document_support(pair(*TWO_PAGES, pages="AC"), 2) == 1


def test_fully_supported_leaves_open_claims_out_and_the_oracle_knows_them() -> None:
    open_claim = pair(label=N, pages="X")
    assert measures.document_support(open_claim, 1) is None
    assert measures.document_oracle(open_claim, 1) == 1
    assert measures.sentence_support(open_claim, 1) is None
    assert measures.sentence_oracle(open_claim, 1) == 1


def test_oracle_accuracy_of_table_2_by_hand() -> None:
    claims = [
        Claim(id=1, text="x", label=S, evidence=((Ref.sentence("A", 0),),)),
        Claim(id=2, text="x", label=S, evidence=((Ref.sentence("B", 0),),)),
        Claim(id=3, text="x", label=N),
    ]
    said = [Prediction(id=n, label=S, pages=("A", "C")) for n in (1, 2, 3)]
    pairs = join(claims, said, labels=LABELS)
    assert retrieval_column(pairs, Metric.parse("DocumentSupport@5")).mean() == 1 / 2
    assert retrieval_column(pairs, Metric.parse("DocumentOracle@5")).mean() == 2 / 3


def test_sentence_support_counts_the_first_k() -> None:
    one = pair(*TWO_PAGES, found=("A_sentence_0", "X_sentence_0", "B_sentence_0"))
    assert measures.sentence_support(one, 2) == 0
    assert measures.sentence_oracle(one, 2) == 0
    assert measures.sentence_support(one, 3) == 1


def test_hit_needs_every_gold_page() -> None:
    one = pair(("A_sentence_0", "B_sentence_3"), found=("B_sentence_1",), pages="XA")
    assert measures.hit(one, 2) == 0
    assert measures.hit(one, 3) == 1


def test_exact_match_and_f1_of_pages_and_sentences() -> None:
    one = pair(("A_sentence_0", "B_sentence_0"), found=("A_sentence_0", "B_sentence_9"))
    assert measures.document_em(one, 10) == 1
    assert measures.document_f1(one, 10) == 1
    assert measures.sentence_em(one, 10) == 0
    assert measures.sentence_f1(one, 10) == 1 / 2
    assert measures.document_em(one, 1) == 0
    assert measures.document_f1(one, 1) == pytest.approx(2 / 3)
    assert measures.sentence_f1(one, 1) == pytest.approx(2 / 3)


def test_pages_beyond_the_evidence_do_not_spoil_exact_match() -> None:
    one = pair(("A_sentence_0",), found=("A_sentence_0",), pages="XYZ")
    assert measures.document_em(one, 10) == 1


MIXED = ("A_sentence_0", "A_sentence_1", "B_cell_0_1_1", "B_header_cell_0_0_1", "C_cell_2_0_0")


def test_recall_of_pages_sentences_tables_and_cells() -> None:
    one = pair(MIXED, found=("X_cell_0_0_0", "A_sentence_1", "B_cell_0_1_1", "B_cell_0_5_5"))
    assert measures.document_recall(one, 2) == 1 / 3
    assert measures.document_recall(one, 3) == 2 / 3
    assert measures.sentence_recall(one, 5) == 1 / 2
    assert measures.table_recall(one, 1) == 0
    assert measures.table_recall(one, 2) == 1 / 2
    assert measures.cell_recall(one, 25) == 1 / 3
    assert measures.cell_recall(one, 1) == 0


def test_a_caption_names_its_table() -> None:
    assert measures.table_recall(pair(MIXED, found=("B_table_caption_0",)), 1) == 1 / 2


def test_a_claim_without_such_gold_does_not_enter() -> None:
    sentence_only = pair(("A_sentence_0",), found=("B_cell_0_0_0",))
    assert measures.table_recall(sentence_only, 3) is None
    assert measures.cell_recall(sentence_only, 25) is None
    assert measures.sentence_recall(pair(("B_cell_0_0_0",)), 5) is None


def test_recall_is_against_the_union_of_the_sets() -> None:
    one = pair(("A_sentence_0",), ("A_sentence_1",), found=("A_sentence_0",))
    assert measures.sentence_recall(one, 5) == 1 / 2


def test_overlap_of_empty_sets() -> None:
    assert overlap(set(), set()).f1 == 1
    assert overlap({1}, set()).f1 == overlap(set(), {1}).f1 == 0


def test_a_sheet_names_its_columns_with_their_limits() -> None:
    sheet = retrieval_sheet((pair(MIXED),), [Metric.parse("Hit@5"), Metric.parse("Hit@10")])
    assert [column.name for column in sheet.columns] == ["Hit@5", "Hit@10"]


def test_an_official_score_is_no_measure_of_retrieval() -> None:
    with pytest.raises(NotFound, match="FEVER@5 is not a measure of retrieval"):
        retrieval_column((), Metric.parse("FEVER@5"))
