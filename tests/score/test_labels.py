"""Confusion matrices and per-class scores, by hand."""

import pytest

from feverfew.score.join import Pair
from feverfew.score.labels import MISSING, label_scores
from feverfew.types import Claim, Prediction, Verdict

S, R, N = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO
HALF = Verdict.NOT_SUPPORTED


def pairs(*labels: tuple[Verdict, Verdict | None]) -> list[Pair]:
    return [
        Pair(
            Claim(id=at, text="x", label=gold),
            None if predicted is None else Prediction(id=at, label=predicted),
            (),
            (),
            (),
        )
        for at, (gold, predicted) in enumerate(labels)
    ]


def test_confusion_by_hand() -> None:
    labels = label_scores(pairs((S, S), (S, S), (S, R), (R, R), (R, N), (N, S)))
    assert labels.gold == ("SUPPORTED", "REFUTED", "NOT ENOUGH INFO")
    assert labels.confusion == ((2, 1, 0), (0, 1, 1), (1, 0, 0))
    assert labels.accuracy == 3 / 6
    assert labels.classes["SUPPORTED"].precision == 2 / 3
    assert labels.classes["SUPPORTED"].recall == 2 / 3
    assert labels.classes["REFUTED"].f1 == 1 / 2
    assert labels.classes["NOT ENOUGH INFO"].f1 == 0
    assert labels.macro_f1 == pytest.approx((2 / 3 + 1 / 2 + 0) / 3)


def test_a_label_that_is_never_gold_does_not_weigh_on_the_macro_average() -> None:
    labels = label_scores(pairs((S, S), (R, N), (R, R)))
    assert labels.gold == ("SUPPORTED", "REFUTED")
    assert labels.predicted == ("SUPPORTED", "REFUTED", "NOT ENOUGH INFO")
    assert labels.macro_f1 == pytest.approx((1 + 2 / 3) / 2)


def test_hovers_two_labels_take_in_the_three() -> None:
    labels = label_scores(pairs((HALF, R), (HALF, N), (HALF, S), (S, S)))
    assert labels.predicted == ("SUPPORTED", "NOT_SUPPORTED")
    assert labels.confusion == ((1, 0), (1, 2))
    assert labels.accuracy == 3 / 4


def test_a_missing_prediction_has_its_own_column() -> None:
    labels = label_scores(pairs((S, None), (HALF, HALF)))
    assert labels.predicted == ("SUPPORTED", "NOT_SUPPORTED", MISSING)
    assert labels.confusion == ((0, 0, 1), (0, 1, 0))
    assert labels.accuracy == 1 / 2
    assert MISSING not in labels.classes
