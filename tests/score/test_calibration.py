import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.errors import ScoreError
from feverfew.score.calibration import (
    Answer,
    accuracy_at_coverage,
    brier,
    calibration,
    reliability_bins,
    risk_coverage,
)
from feverfew.types import Verdict

S, R, N = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO


def answer(confidence: float, right: bool = True) -> Answer:
    """Make a prediction of SUPPORTED with this confidence."""
    return Answer(S if right else R, S, {S: confidence, R: 1 - confidence})


def test_brier_by_hand() -> None:
    one = Answer(S, S, {S: 0.7, R: 0.2, N: 0.1})  # .09 + .04 + .01
    two = Answer(N, R, {S: 0.1, R: 0.9})  # .01 + .81 + 1
    assert brier([one]) == pytest.approx(0.14)
    assert brier([one, two]) == pytest.approx((0.14 + 1.82) / 2)


def test_a_certain_answer_is_perfect_or_the_worst() -> None:
    assert brier([Answer(S, S, {S: 1.0})]) == 0
    assert brier([Answer(R, S, {S: 1.0})]) == 2


def test_ece_by_hand() -> None:
    """Bins of five: (.8, 1] holds three at .9, two right; (.4, .6] holds one at .5, wrong."""
    found = calibration([answer(0.9), answer(0.9), answer(0.9, False), answer(0.5, False)], bins=5)
    assert found.ece == pytest.approx(3 / 4 * (0.9 - 2 / 3) + 1 / 4 * 0.5)
    assert found.mce == pytest.approx(0.5)
    assert (found.answers, found.accuracy) == (4, 0.5)
    assert found.confidence == pytest.approx(0.8)


def test_bins_hold_their_upper_edge() -> None:
    for confidence in (0.1, 0.2, 0.3, 0.6, 0.7, 1.0):
        boxes = reliability_bins([answer(confidence)])
        assert [b.high for b in boxes if b.count] == [pytest.approx(confidence)]
    assert reliability_bins([answer(0.0)])[0].count == 1


def test_risk_coverage_by_hand() -> None:
    curve = risk_coverage([answer(0.6, False), answer(0.9), answer(0.8), answer(0.7, False)])
    assert [c for c, _ in curve] == [0.25, 0.5, 0.75, 1]
    assert [r for _, r in curve] == pytest.approx([0, 0, 1 / 3, 1 / 2])
    found = calibration([answer(0.6, False), answer(0.9), answer(0.8), answer(0.7, False)])
    assert found.aurc == pytest.approx((0 + 0 + 1 / 3 + 1 / 2) / 4)


def test_equal_confidence_has_no_order() -> None:
    one = risk_coverage([answer(0.5), answer(0.5, False)])
    other = risk_coverage([answer(0.5, False), answer(0.5)])
    assert one == other == ((0.5, 0.5), (1.0, 0.5))


def test_accuracy_at_coverage() -> None:
    answers = [answer(0.9), answer(0.8), answer(0.7, False), answer(0.6, False)]
    assert accuracy_at_coverage(answers, 0.5) == 1
    assert accuracy_at_coverage(answers, 0.51) == pytest.approx(2 / 3)
    assert accuracy_at_coverage(answers, 1) == 0.5
    assert accuracy_at_coverage(answers, 0.001) == 1
    for coverage in (0, 1.1, -1):
        with pytest.raises(ScoreError, match="coverage"):
            accuracy_at_coverage(answers, coverage)


def test_hovers_gold_folds_refuted_and_open() -> None:
    answers = [
        Answer(Verdict.NOT_SUPPORTED, R, {S: 0.2, R: 0.5, N: 0.3}),
        Answer(S, S, {S: 0.6, R: 0.3, N: 0.1}),
    ]
    found = calibration(answers)
    assert found.accuracy == 1
    assert found.confidence == pytest.approx((0.8 + 0.6) / 2)
    assert found.brier == pytest.approx((2 * 0.04 + 2 * 0.16) / 2)


def test_bad_probabilities_name_the_claim() -> None:
    with pytest.raises(ScoreError, match=r"claim 7: the probabilities add up to 1\.1"):
        calibration([Answer(S, S, {S: 0.9, R: 0.2}, 7)])
    with pytest.raises(ScoreError, match="claim x: a probability"):
        calibration([Answer(S, S, {S: 1.5, R: -0.5}, "x")])
    with pytest.raises(ScoreError, match="not between"):
        brier([Answer(S, S, {S: float("nan")})])
    with pytest.raises(ScoreError, match="no predictions"):
        calibration([])
    with pytest.raises(ScoreError, match="one bin"):
        calibration([answer(0.5)], bins=0)


answers_strategy = st.lists(
    st.builds(answer, st.floats(0, 1), st.booleans()), min_size=1, max_size=40
)


@given(answers_strategy, st.integers(1, 20))
def test_everything_stays_in_its_range(answers: list[Answer], bins: int) -> None:
    found = calibration(answers, bins=bins)
    assert sum(b.count for b in found.bins) == found.answers == len(answers)
    assert 0 <= found.ece <= found.mce <= 1
    assert 0 <= found.aurc <= 1
    assert 0 <= found.brier <= 2 + 1e-9
    assert found.curve[-1][1] == pytest.approx(1 - found.accuracy)
    for box in found.bins:
        if box.count:
            assert box.low - 1e-6 <= box.confidence <= box.high + 1e-6


@given(answers_strategy)
def test_order_does_not_matter(answers: list[Answer]) -> None:
    one, other = calibration(answers), calibration(answers[::-1])
    assert one.aurc == pytest.approx(other.aurc)
    assert one.ece == pytest.approx(other.ece)
