"""Fitting a weight for each feature: it learns, it is calibrated, and labels count the same."""

import numpy as np
import pytest

from feverfew.errors import InputError
from feverfew.lab.train.logistic import Examples, fit


def noisy(count: int, seed: int, share: float = 0.5) -> Examples:
    """Claims of which the first of three features tells something."""
    rng = np.random.default_rng(seed)
    made = Examples.empty()
    for at in range(count):
        supported = bool(rng.random() < share)
        row = rng.normal(0, 1, 3)
        row[0] += 1.5 if supported else -1.5
        made.add(row.tolist(), supported, 0.5 / (share if supported else 1 - share), str(at // 2))
    return made


def test_it_learns_and_means_what_it_says() -> None:
    fitted = fit(noisy(2_000, 1), "abc")
    assert fitted.accuracy > 0.9
    weights = np.abs(fitted.weighing.weights)
    assert weights[0] > 5 * weights[1:].max()
    fresh = noisy(2_000, 2)
    said = np.array(fitted.weighing.support(fresh.rows))
    true = np.array(fresh.supported)
    assert ((said > 0.5) == true).mean() > 0.9
    assert abs(np.maximum(said, 1 - said).mean() - ((said > 0.5) == true).mean()) < 0.02


def test_labels_count_the_same_however_many_there_are() -> None:
    fitted = fit(noisy(3_000, 3, share=0.85), "abc")
    assert fitted.weighing.support([[0.0, 0.0, 0.0]])[0] == pytest.approx(0.5, abs=0.1)


def test_one_label_alone_teaches_nothing() -> None:
    with pytest.raises(InputError, match="both labels"):
        fit(noisy(20, 1, share=1 - 1e-9), "abc")
