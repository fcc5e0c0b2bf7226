"""The FEVER score: golden cases by hand, every quirk by name, and a literal second scorer."""

import random
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.errors import ScoreError
from feverfew.score import fever_score
from feverfew.types import Claim, Prediction, Ref, Verdict

S, R, N = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO


def refs(*names: str) -> tuple[Ref, ...]:
    """'A0' is sentence 0 of page A."""
    return tuple(Ref.sentence(name[:-1], int(name[-1])) for name in names)


def claim(label: Verdict, *sets: tuple[str, ...], at: int = 1) -> Claim:
    return Claim(id=at, text="x", label=label, evidence=tuple(refs(*names) for names in sets))


def said(label: Verdict, *names: str, at: int = 1) -> Prediction:
    return Prediction(id=at, label=label, evidence=refs(*names))


def means(gold: Claim, prediction: Prediction, **limits: int) -> dict[str, float]:
    return fever_score([gold], [prediction], **limits).means()


def test_golden_case_by_hand() -> None:
    gold = [
        claim(S, ("A0",), ("B1", "B2"), at=1),
        claim(R, ("C3",), at=2),
        claim(N, at=3),
        claim(S, ("D0", "E0"), at=4),
    ]
    predicted = [
        said(S, "B2", "X9", "B1", at=1),  # the second set is whole: strict; precision 2/3
        said(S, "C3", at=2),  # wrong label, right evidence: precision 1, recall 1
        said(N, "Z1", "Z2", at=3),  # an open claim needs its label only
        said(S, "D0", "Q1", "Q2", "Q3", at=4),  # half a set is worth nothing but precision 1/4
    ]
    sheet = fever_score(gold, predicted)
    precision = (2 / 3 + 1 + 1 / 4) / 3
    assert sheet.metric == "FEVER@5"
    assert sheet.means() == {
        "fever_score": 2 / 4,
        "label_accuracy": 3 / 4,
        "precision": precision,
        "recall": 2 / 3,
        "f1": 2 * precision * (2 / 3) / (precision + 2 / 3),
    }


def test_only_the_first_five_sentences_count() -> None:
    late = said(S, "X1", "X2", "X3", "X4", "X5", "A0")
    assert means(claim(S, ("A0",)), late)["fever_score"] == 0
    assert means(claim(S, ("A0",)), late)["precision"] == 0
    assert means(claim(S, ("A0",)), late, sentences=6)["fever_score"] == 1


def test_the_limit_stands_in_the_name() -> None:
    assert fever_score([claim(N)], [said(N)], sentences=7).metric == "FEVER@7"


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(ScoreError, match="FEVER takes 1 limit of at least 1"):
        fever_score([claim(N)], [said(N)], sentences=0)


def test_open_claims_enter_neither_precision_nor_recall() -> None:
    gold = [claim(N, at=1), claim(S, ("A0",), at=2)]
    found = fever_score(gold, [said(S, "X1", at=1), said(S, "A0", at=2)]).means()
    assert (found["precision"], found["recall"]) == (1, 1)


def test_evidence_counts_whatever_the_predicted_label() -> None:
    found = means(claim(S, ("A0",)), said(N, "A0"))
    assert (found["fever_score"], found["precision"], found["recall"]) == (0, 1, 1)


def test_an_empty_prediction_has_precision_one() -> None:
    assert means(claim(S, ("A0",)), said(S))["precision"] == 1


def test_duplicates_count_in_precision() -> None:
    assert means(claim(S, ("A0",)), said(S, "A0", "A0", "X1"))["precision"] == 2 / 3


def test_duplicates_use_slots() -> None:
    found = means(claim(S, ("A0",)), said(S, "X1", "X1", "X1", "X1", "X1", "A0"))
    assert found["recall"] == 0


def test_precision_is_against_the_union_of_all_sets() -> None:
    found = means(claim(S, ("A0", "A1"), ("B0",)), said(S, "A0", "B0"))
    assert found["precision"] == 1


def test_gold_without_any_evidence_has_recall_one_but_no_strict_point() -> None:
    found = means(claim(S), said(S, "A0"))
    assert (found["fever_score"], found["precision"], found["recall"]) == (0, 0, 1)


def test_an_empty_gold_set_is_always_complete() -> None:
    found = means(claim(S, ()), said(S))
    assert (found["fever_score"], found["recall"]) == (1, 1)


def test_f1_is_zero_where_the_official_tool_divides_by_zero() -> None:
    assert means(claim(S, ("A0",)), said(S, "X1"))["f1"] == 0


def test_only_open_claims_leave_precision_one_and_recall_zero() -> None:
    found = means(claim(N), said(N))
    assert (found["precision"], found["recall"], found["f1"]) == (1, 0, 0)


def test_titles_compare_after_composing_accents() -> None:
    gold = Claim(id=1, text="x", label=S, evidence=((Ref.sentence("Beyonce\u0301", 0),),))
    predicted = Prediction(id=1, label=S, evidence=(Ref.sentence("Beyonc\u00e9", 0),))
    assert fever_score([gold], [predicted]).means()["fever_score"] == 1


def test_titles_compare_by_nothing_looser_than_that() -> None:
    gold = Claim(id=1, text="x", label=S, evidence=((Ref.sentence("New_York", 0),),))
    predicted = Prediction(id=1, label=S, evidence=(Ref.sentence("New York", 0),))
    assert fever_score([gold], [predicted]).means()["fever_score"] == 0


def test_the_order_of_predictions_does_not_matter() -> None:
    gold = [claim(S, ("A0",), at=1), claim(R, ("B0",), at=2)]
    forth = [said(S, "A0", at=1), said(S, "X1", at=2)]
    assert fever_score(gold, forth).means() == fever_score(gold, forth[::-1]).means()


# A second scorer, written plainly from the rules over raw records as the files hold them, one
# list comparison at a time, joined by position.


def literal(records: list[dict[str, Any]], limit: int) -> tuple[float, ...]:
    right = strict = 0
    precisions = recalls = 0.0
    evidenced = 0
    for record in records:
        label, predicted = record["label"].upper(), record["predicted_label"].upper()
        first = [[unicodedata.normalize("NFC", p), n] for p, n in record["predicted_evidence"]]
        first = first[:limit]
        sets = [
            [[unicodedata.normalize("NFC", e[2]), e[3]] for e in group if e[2] is not None]
            for group in record["evidence"]
        ]
        whole = False
        for one in sets:
            if all(sentence in first for sentence in one):
                whole = True
        if label == predicted:
            right += 1
            if label == "NOT ENOUGH INFO" or whole:
                strict += 1
        if label != "NOT ENOUGH INFO":
            evidenced += 1
            everything = [sentence for one in sets for sentence in one]
            hits = 0.0
            for sentence in first:
                if sentence in everything:
                    hits += 1
            precisions += hits / len(first) if first else 1.0
            recalls += 1.0 if whole or not sets else 0.0
    precision = precisions / evidenced if evidenced else 1.0
    recall = recalls / evidenced if evidenced else 0.0
    f1 = 2.0 * precision * recall / (precision + recall) if precision + recall else 0.0
    return strict / len(records), right / len(records), precision, recall, f1


SPOKEN = {S: "SUPPORTS", R: "Refutes", N: "not enough info"}


def random_records(
    dice: random.Random,
) -> tuple[list[dict[str, Any]], list[Claim], list[Prediction]]:
    records, claims, predictions = [], [], []
    pages = ["A", "B_-LRB-film-RRB-", "Caf\u00e9", "Cafe\u0301"]

    def some(most: int) -> list[tuple[str, int]]:
        return [(dice.choice(pages), dice.randrange(3)) for _ in range(dice.randint(0, most))]

    for at in range(dice.randint(1, 30)):
        label, predicted = dice.choice([S, R, N]), dice.choice([S, R, N])
        sets = [] if label is N else [some(3) for _ in range(dice.randint(0, 3))]
        found = some(8)
        records.append(
            {
                "label": SPOKEN[label],
                "predicted_label": SPOKEN[predicted],
                "evidence": [[[1, 2, p, n] for p, n in one] for one in sets]
                if label is not N
                else [[[1, None, None, None]]],
                "predicted_evidence": [[p, n] for p, n in found],
            }
        )
        evidence = tuple(tuple(Ref.sentence(p, n) for p, n in one) for one in sets)
        claims.append(Claim(id=at, text="x", label=label, evidence=evidence))
        predictions.append(
            Prediction(id=at, label=predicted, evidence=tuple(Ref.sentence(p, n) for p, n in found))
        )
    return records, claims, predictions


def test_equals_the_literal_scorer_to_the_last_digit() -> None:
    dice = random.Random(1)
    for _ in range(1_500):
        records, claims, predictions = random_records(dice)
        limit = dice.randint(1, 7)
        dice.shuffle(predictions)
        ours = fever_score(claims, predictions, sentences=limit).means()
        assert tuple(ours.values()) == literal(records, limit)


SENTENCES = st.builds(Ref.sentence, st.sampled_from("AB"), st.integers(0, 3))
SETS = st.lists(st.lists(SENTENCES, min_size=1, max_size=3).map(tuple), min_size=1, max_size=3)


@given(SETS, st.lists(SENTENCES, max_size=7), st.integers(1, 7))
def test_a_correct_sentence_within_the_limit_never_lowers_recall(
    sets: list[tuple[Ref, ...]], found: list[Ref], limit: int
) -> None:
    gold = Claim(id=1, text="x", label=S, evidence=tuple(sets))

    def recall(evidence: list[Ref]) -> float:
        predicted = Prediction(id=1, label=S, evidence=tuple(evidence))
        return fever_score([gold], [predicted], sentences=limit).means()["recall"]

    if len(found) < limit:
        assert recall([*found, sets[0][0]]) >= recall(found)


@given(SETS)
def test_gold_scored_against_itself_is_one(sets: list[tuple[Ref, ...]]) -> None:
    gold = Claim(id=1, text="x", label=S, evidence=tuple(sets))
    predicted = Prediction(id=1, label=S, evidence=sets[0])
    assert set(fever_score([gold], [predicted]).means().values()) == {1.0}
