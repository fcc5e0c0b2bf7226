"""The decision layer: monotone in what pieces say, and sure of nothing without evidence."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.errors import InputError
from feverfew.judge.combine import FEATURES, FILE, Combination, Weights, features
from feverfew.judge.readings import Piece, Readings
from feverfew.models.encoder import shipped_folder

COMBINATION = Combination.open(shipped_folder())
LOGIT = st.floats(-6, 6)


def readings(small: list[list[float]], large: list[list[float]] | None = None) -> Readings:
    count = len(small)
    sets = [tuple(range(count))] if count > 1 else []
    read = np.array(large if large is not None else small, np.float32).reshape(-1, 3)
    return Readings(
        "Alva is a river.",
        [Piece("Alva", f"Alva is a river {at}.") for at in range(count)],
        ["Alva is a river."] * count,
        np.array(small, np.float32).reshape(-1, 3),
        np.full(count, 3.0, np.float32),
        read,
        sets,
        read[: len(sets)],
        large is not None,
    )


def test_without_evidence_nothing_is_supported_or_refuted() -> None:
    assert COMBINATION.probabilities([readings([])]) == [(0.0, 0.0, 1.0)]


@pytest.mark.parametrize("large", [False, True])
@given(row=st.tuples(LOGIT, LOGIT, LOGIT), more=st.floats(0.1, 4))
def test_what_says_supported_more_strongly_never_lowers_supported(
    large: bool, row: tuple[float, float, float], more: float
) -> None:
    s, r, n = row
    before, after = (
        COMBINATION.probabilities([readings([one], [one] if large else None)])[0]
        for one in ([s, r, n], [s + more, r, n])
    )
    assert after[0] >= before[0] - 1e-9
    assert after[1] <= before[1] + 1e-9


@pytest.mark.parametrize("large", [False, True])
@given(row=st.tuples(LOGIT, LOGIT, LOGIT), more=st.floats(0.1, 4))
def test_what_says_refuted_more_strongly_never_lowers_refuted(
    large: bool, row: tuple[float, float, float], more: float
) -> None:
    s, r, n = row
    before, after = (
        COMBINATION.probabilities([readings([one], [one] if large else None)])[0]
        for one in ([s, r, n], [s, r + more, n])
    )
    assert after[1] >= before[1] - 1e-9
    assert after[0] <= before[0] + 1e-9


@given(rows=st.lists(st.tuples(LOGIT, LOGIT, LOGIT), min_size=1, max_size=5))
def test_probabilities_sum_to_one(rows: list[tuple[float, float, float]]) -> None:
    shares = COMBINATION.probabilities([readings([list(row) for row in rows])])[0]
    assert sum(shares) == pytest.approx(1)
    assert min(shares) >= 0


def test_every_feature_is_measured_for_both_sides() -> None:
    measured = features(readings([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0]]))
    assert measured.shape == (2, len(FEATURES))
    assert np.isfinite(measured).all()


def test_weights_are_never_below_zero() -> None:
    for weights in (COMBINATION._full, COMBINATION._small):
        assert (weights._own >= 0).all()
        assert (weights._against >= 0).all()


def test_weights_of_another_version_are_refused(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(
        '{"features": ["old"], "full": {"own": [[], []], "against": '
        '[[], []], "bias": [0, 0]}, "small": {"own": [[], []], '
        '"against": [[], []], "bias": [0, 0]}}'
    )
    with pytest.raises(InputError, match="another version"):
        Combination.open(tmp_path)
    (tmp_path / FILE).write_text("{")
    with pytest.raises(InputError, match="feverfew train combination"):
        Combination.open(tmp_path)


def test_a_side_that_outweighs_wins() -> None:
    count = len(FEATURES)
    weights = Weights(([1.0] * count, [1.0] * count), ([0.0] * count, [0.0] * count), (0.0, 0.0))
    combination = Combination(weights, weights)
    measured = np.array([[2.0] * count, [-2.0] * count])
    supported, refuted, neither = combination.weigh(measured, large=True)
    assert supported > neither > refuted
