"""Claims and predictions are joined by id, and whatever does not fit is named."""

import pytest

from feverfew.errors import ScoreError
from feverfew.score.join import composed, join, unescaped
from feverfew.types import Claim, Prediction, Ref, Verdict

S, N = Verdict.SUPPORTED, Verdict.NOT_ENOUGH_INFO
LABELS = frozenset({S, N})


def claim(at: int | str, label: Verdict | None = S) -> Claim:
    return Claim(id=at, text="x", label=label)


def said(at: int | str) -> Prediction:
    return Prediction(id=at, label=S)


def test_pairs_stand_in_the_order_of_the_claims() -> None:
    pairs = join([claim(2), claim(1)], [said(1), said(2)], labels=LABELS)
    assert [(p.claim.id, p.prediction.id) for p in pairs if p.prediction] == [(2, 2), (1, 1)]


def test_a_missing_prediction_is_named() -> None:
    with pytest.raises(ScoreError, match="no prediction for claim 2; predict every claim") as e:
        join([claim(1), claim(2)], [said(1)], labels=LABELS)
    assert (e.value.side, e.value.id) == ("claims", 2)


def test_a_missing_prediction_may_count_as_wrong() -> None:
    pairs = join([claim(1), claim(2)], [said(1)], labels=LABELS, missing_is_wrong=True)
    assert pairs[1].prediction is None
    assert pairs[1].predicted is None


def test_a_repeated_prediction_is_named() -> None:
    with pytest.raises(ScoreError, match="the id 1 stands twice among the predictions") as e:
        join([claim(1)], [said(1), said(1)], labels=LABELS)
    assert (e.value.side, e.value.id) == ("predictions", 1)


def test_a_repeated_claim_is_named() -> None:
    with pytest.raises(ScoreError, match="the id 1 stands twice among the claims"):
        join([claim(1), claim(1)], [said(1)], labels=LABELS)


def test_a_prediction_without_a_claim_is_named() -> None:
    with pytest.raises(ScoreError, match="prediction for 9, but no such claim") as e:
        join([claim(1)], [said(1), said(9)], labels=LABELS)
    assert (e.value.side, e.value.id) == ("predictions", 9)


def test_an_id_that_is_text_on_one_side_gets_a_hint() -> None:
    with pytest.raises(ScoreError, match="though there is '1': write ids alike in both files"):
        join([claim(1)], [said("1")], labels=LABELS)


def test_no_claims_are_an_error() -> None:
    with pytest.raises(ScoreError, match="the gold file is empty"):
        join([], [], labels=LABELS)


def test_no_predictions_are_an_error() -> None:
    with pytest.raises(ScoreError, match="there are no predictions; the file is empty"):
        join([claim(1)], [], labels=LABELS)


def test_a_blind_claim_cannot_be_scored() -> None:
    with pytest.raises(ScoreError, match="claim 1 has no gold label"):
        join([claim(1, None)], [said(1)], labels=LABELS)


def test_another_tasks_label_is_named_with_those_expected() -> None:
    with pytest.raises(ScoreError, match="expected NOT ENOUGH INFO or SUPPORTED"):
        join([claim(1, Verdict.NOT_SUPPORTED)], [said(1)], labels=LABELS)


def test_spellings() -> None:
    assert composed("Cafe\u0301 &amp; Bar") == "Caf\u00e9 &amp; Bar"
    assert unescaped("Cafe\u0301 &amp; Bar") == "Caf\u00e9 & Bar"


def test_pages_are_those_of_the_evidence_and_then_the_others() -> None:
    prediction = Prediction(
        id=1,
        label=S,
        evidence=(Ref.sentence("B", 1), Ref.sentence("A", 0), Ref.sentence("B", 2)),
        pages=("C", "A", "D"),
    )
    (pair,) = join([claim(1)], [prediction], labels=LABELS)
    assert pair.pages == ("B", "A", "C", "D")


def named(at: int, text: str) -> Claim:
    return Claim(id=at, text=text, label=S)


def test_a_claims_text_may_stand_for_its_id_where_the_task_allows() -> None:
    claims = [named(1, "One."), named(2, "Two.")]
    pairs = join(claims, [said("Two."), said(1)], labels=LABELS, by_text=True)
    assert [p.prediction.id for p in pairs if p.prediction] == [1, "Two."]
    with pytest.raises(ScoreError, match="no prediction for claim 2"):
        join(claims, [said("Two."), said(1)], labels=LABELS)


def test_a_text_that_stands_for_two_claims_is_refused() -> None:
    with pytest.raises(ScoreError, match=r"'Same\.' stands twice"):
        join([named(1, "Same."), named(2, "Same.")], [said("Same.")], labels=LABELS, by_text=True)


def test_a_claim_predicted_by_id_and_by_text_is_refused() -> None:
    with pytest.raises(ScoreError, match=r"'One\.' stands twice among the predictions"):
        join([named(1, "One.")], [said(1), said("One.")], labels=LABELS, by_text=True)
