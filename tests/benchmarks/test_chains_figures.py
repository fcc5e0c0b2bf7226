"""Figures of verdicts over several pages: labels count the same, evidence apart from them."""

import sys
from pathlib import Path

import pytest

from feverfew.types import Claim, Prediction, Ref, Verdict

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from chains import Seen, balanced, by_hops, calibration, scored

sys.path.pop(0)

SEEN = [
    *(Seen(True, 2, str(at // 2), {"label": float(at < 8)}) for at in range(10)),
    *(Seen(False, 3, str(at // 2), {"label": 1.0}) for at in range(5)),
]
BOTH = (Ref.sentence("A", 0), Ref.sentence("B", 1))


def claim(number: int, label: Verdict) -> Claim:
    return Claim(id=number, text="x", label=label, evidence=(BOTH,), hops=2, group=str(number))


def said(number: int, label: Verdict, support: float, *refs: Ref) -> Prediction:
    rest = {Verdict.REFUTED: 0.0, Verdict.NOT_ENOUGH_INFO: 1 - support}
    shares = {Verdict.SUPPORTED: support, **rest}
    return Prediction(id=number, label=label, evidence=refs, probabilities=shares)


CLAIMS = [claim(1, Verdict.SUPPORTED), claim(2, Verdict.NOT_SUPPORTED)]
SAID = [
    said(1, Verdict.NOT_SUPPORTED, 0.4, *BOTH),
    said(2, Verdict.NOT_SUPPORTED, 0.1, *BOTH[:1]),
]


def test_both_labels_count_the_same() -> None:
    found = balanced(SEEN, "label")
    assert found["value"] == pytest.approx(0.9)
    assert found["plain"] == pytest.approx(13 / 15)
    assert found["low"] < found["value"] < found["high"] <= 1
    # Where one label is absent, the other is all there is.
    assert balanced(SEEN[:10], "label")["value"] == pytest.approx(0.8)
    assert {part: own["claims"] for part, own in by_hops(SEEN).items()} == {
        "2": 10,
        "3": 5,
        "all": 15,
    }


def test_evidence_counts_whatever_the_label() -> None:
    first, second = scored(CLAIMS, SAID)
    assert first.right == {"hover_score": 0, "label": 0, "evidence": 1, "sentence_recall": 1}
    assert second.right == {"hover_score": 0, "label": 1, "evidence": 0, "sentence_recall": 0.5}


def test_probabilities_are_set_against_the_truth() -> None:
    found = calibration(CLAIMS, SAID)
    assert found["ece"] == pytest.approx((0.6 + 0.1) / 2)
    assert found["area_under_the_curve"] == 1.0
