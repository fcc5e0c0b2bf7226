"""The FEVEROUS score: golden cases by hand, every quirk by name, and a literal second scorer."""

import random
import unicodedata
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from feverfew.score import feverous_score
from feverfew.types import Claim, Prediction, Ref, Verdict

S, R, N = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO


def refs(*ids: str) -> tuple[Ref, ...]:
    return tuple(Ref.parse(one) for one in ids)


def claim(label: Verdict, *sets: tuple[str, ...], at: int = 1) -> Claim:
    return Claim(id=at, text="x", label=label, evidence=tuple(refs(*ids) for ids in sets))


def said(label: Verdict, *ids: str, at: int = 1) -> Prediction:
    return Prediction(id=at, label=label, evidence=refs(*ids))


def means(gold: Claim, prediction: Prediction, **limits: int) -> dict[str, float]:
    return feverous_score([gold], [prediction], **limits).means()


def cells(count: int, start: int = 0) -> tuple[str, ...]:
    return tuple(f"P_cell_0_{row}_0" for row in range(start, start + count))


def test_golden_case_by_hand() -> None:
    gold = [
        claim(S, ("P_sentence_0", "P_cell_0_1_2"), ("Q_item_0_3",), at=1),
        claim(N, ("P_sentence_4",), at=2),
        claim(R, ("T_table_caption_0", "T_header_cell_0_0_1"), at=3),
        claim(N, ("P_sentence_5",), at=4),
    ]
    predicted = [
        said(S, "P_cell_0_1_2", "P_sentence_0", "P_sentence_9", at=1),  # whole; 2/3
        said(N, at=2),  # the right label, but NOT ENOUGH INFO needs evidence too; silence is 1
        said(S, "T_header_cell_0_0_1", "T_table_caption_0", at=3),  # evidence right, label wrong
        said(N, "P_sentence_5", "Q_sentence_5", at=4),  # whole; 1/2
    ]
    sheet = feverous_score(gold, predicted)
    precision = (2 / 3 + 1 + 1 + 1 / 2) / 4
    assert sheet.metric == "FEVEROUS@5,25"
    assert sheet.means() == {
        "feverous_score": 2 / 4,
        "label_accuracy": 3 / 4,
        "precision": precision,
        "recall": 3 / 4,
        "f1": 2 * precision * (3 / 4) / (precision + 3 / 4),
    }


def test_not_enough_info_needs_evidence_too() -> None:
    assert means(claim(N, ("P_sentence_1",)), said(N))["feverous_score"] == 0
    assert means(claim(N, ("P_sentence_1",)), said(N, "P_sentence_1"))["feverous_score"] == 1


def test_not_enough_info_enters_precision_and_recall() -> None:
    found = means(claim(N, ("P_sentence_1",)), said(N, "P_sentence_2"))
    assert (found["precision"], found["recall"]) == (0, 0)


def test_the_first_five_sentences_count() -> None:
    late = tuple(f"P_sentence_{n}" for n in range(6))
    assert means(claim(S, ("P_sentence_5",)), said(S, *late))["recall"] == 0
    assert means(claim(S, ("P_sentence_5",)), said(S, *late), sentences=6)["recall"] == 1


def test_the_first_twenty_five_cells_count() -> None:
    assert means(claim(S, cells(1, 24)), said(S, *cells(25)))["recall"] == 1
    assert means(claim(S, cells(1, 25)), said(S, *cells(26)))["recall"] == 0
    assert means(claim(S, cells(1, 25)), said(S, *cells(26)), cells=26)["recall"] == 1


def test_cells_do_not_take_the_slots_of_sentences() -> None:
    found = means(claim(S, ("P_sentence_7",)), said(S, *cells(30), "P_sentence_7"))
    assert found["feverous_score"] == 1
    assert found["precision"] == 1 / 26


def test_headers_captions_and_items_share_the_slots_of_cells() -> None:
    gold = claim(S, ("P_item_0_1",))
    others = (*cells(23), "P_header_cell_0_0_0", "P_table_caption_0")
    assert means(gold, said(S, *others[1:], "P_item_0_1"))["recall"] == 1
    assert means(gold, said(S, *others, "P_item_0_1"))["recall"] == 0


def test_titles_and_sections_share_the_slots_of_sentences() -> None:
    crowd = ("P_title", "P_section_1", "P_section_2", "P_section_3", "P_section_4")
    gold = claim(S, ("P_sentence_1",))
    assert means(gold, said(S, *crowd, "P_sentence_1"))["recall"] == 0
    assert means(gold, said(S, *crowd[1:], "P_sentence_1"))["recall"] == 1


def test_duplicates_use_slots_and_count_in_precision() -> None:
    twice = ("P_sentence_0",) * 5
    assert means(claim(S, ("P_sentence_1",)), said(S, *twice, "P_sentence_1"))["recall"] == 0
    assert means(claim(S, ("P_sentence_0",)), said(S, *twice))["precision"] == 1


def test_a_header_cell_is_not_a_cell() -> None:
    found = means(claim(S, ("P_header_cell_0_0_1",)), said(S, "P_cell_0_0_1"))
    assert found["precision"] == 0


def test_an_empty_prediction_has_precision_one() -> None:
    assert means(claim(S, ("P_sentence_0",)), said(S))["precision"] == 1


def test_gold_without_any_evidence_has_recall_one_but_no_strict_point() -> None:
    found = means(claim(S), said(S))
    assert (found["feverous_score"], found["recall"]) == (0, 1)


def test_f1_is_zero_where_the_official_tool_divides_by_zero() -> None:
    assert means(claim(S, ("P_sentence_0",)), said(S, "P_sentence_1"))["f1"] == 0


def test_both_limits_stand_in_the_name() -> None:
    sheet = feverous_score([claim(N)], [said(N)], sentences=3, cells=10)
    assert sheet.metric == "FEVEROUS@3,10"


# A second scorer, written plainly from the rules over triples of strings.

TABULAR = ["cell", "header_cell", "table_caption", "item"]


def literal(records: list[dict[str, Any]], sentences: int, cells: int) -> tuple[float, ...]:
    right = strict = 0
    precisions = recalls = 0.0
    for record in records:
        first: list[list[str]] = []
        for triple in record["predicted_evidence"]:
            same = [t for t in first if (t[1] in TABULAR) == (triple[1] in TABULAR)]
            if len(same) < (cells if triple[1] in TABULAR else sentences):
                first.append(triple)
        whole = False
        for one in record["evidence"]:
            if all(triple in first for triple in one):
                whole = True
        if record["label"].upper() == record["predicted_label"].upper():
            right += 1
            strict += 1 if whole else 0
        everything = [triple for one in record["evidence"] for triple in one]
        hits = 0.0
        for triple in first:
            hits += 1.0 if triple in everything else 0.0
        precisions += hits / len(first) if first else 1.0
        recalls += 1.0 if whole or not record["evidence"] else 0.0
    total = len(records)
    precision, recall = precisions / total, recalls / total
    f1 = 2.0 * precision * recall / (precision + recall) if precision + recall else 0.0
    return strict / total, right / total, precision, recall, f1


POSITIONS = {"sentence": 1, "cell": 3, "header_cell": 3, "table_caption": 1, "item": 2}
SPOKEN = {S: "SUPPORTS", R: "refutes", N: "Not Enough Info"}


def triple(dice: random.Random) -> list[str]:
    kind = dice.choice([*POSITIONS, "sentence", "cell"])
    position = "_".join(str(dice.randrange(2)) for _ in range(POSITIONS[kind]))
    return [dice.choice(["A", "B b_1", "\u00c9t\u00e9"]), kind, position]


def as_ref(one: list[str]) -> Ref:
    return Ref.of(unicodedata.normalize("NFD", one[0]), one[1], one[2])


def test_equals_the_literal_scorer_to_the_last_digit() -> None:
    dice = random.Random(2)
    for _ in range(1_000):
        records, claims, predictions = [], [], []
        for at in range(dice.randint(1, 20)):
            label, predicted = dice.choice([S, R, N]), dice.choice([S, R, N])
            sets = [
                [triple(dice) for _ in range(dice.randint(1, 3))] for _ in range(dice.randint(0, 3))
            ]
            found = [triple(dice) for _ in range(dice.randint(0, 20))]
            records.append(
                {
                    "label": SPOKEN[label],
                    "predicted_label": SPOKEN[predicted],
                    "evidence": sets,
                    "predicted_evidence": found,
                }
            )
            evidence = tuple(tuple(as_ref(t) for t in one) for one in sets)
            claims.append(Claim(id=at, text="x", label=label, evidence=evidence))
            predictions.append(
                Prediction(id=at, label=predicted, evidence=tuple(Ref.of(*t) for t in found))
            )
        sentences, cells = dice.randint(1, 6), dice.randint(1, 12)
        dice.shuffle(predictions)
        ours = feverous_score(claims, predictions, sentences=sentences, cells=cells).means()
        assert tuple(ours.values()) == literal(records, sentences, cells)


ELEMENTS = st.sampled_from(refs("P_sentence_0", "P_sentence_1", "P_cell_0_0_0", "P_item_0_0"))
SETS = st.lists(st.lists(ELEMENTS, min_size=1, max_size=3).map(tuple), min_size=1, max_size=3)


@given(SETS, st.lists(ELEMENTS, max_size=4))
def test_a_correct_element_within_the_limit_never_lowers_recall(
    sets: list[tuple[Ref, ...]], found: list[Ref]
) -> None:
    gold = Claim(id=1, text="x", label=S, evidence=tuple(sets))

    def recall(evidence: list[Ref]) -> float:
        predicted = Prediction(id=1, label=S, evidence=tuple(evidence))
        return feverous_score([gold], [predicted]).means()["recall"]

    assert recall([*found, sets[0][0]]) >= recall(found)


@given(SETS, st.sampled_from([S, R, N]))
def test_gold_scored_against_itself_is_one(sets: list[tuple[Ref, ...]], label: Verdict) -> None:
    gold = Claim(id=1, text="x", label=label, evidence=tuple(sets))
    predicted = Prediction(id=1, label=label, evidence=sets[0])
    assert set(feverous_score([gold], [predicted]).means().values()) == {1.0}
