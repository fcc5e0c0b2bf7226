"""The aggregator's training: it learns, it is calibrated, and its weights are what is loaded."""

import msgspec
import numpy as np
import pytest

from feverfew.errors import FeverfewError
from feverfew.judge.aggregate import Aggregator, Weights
from feverfew.lab.train.aggregator import fit
from feverfew.lab.train.rows import Rows

NAMES = ("a", "b", "c")


def noisy(count: int, seed: int = 3) -> Rows:
    """Claims whose three features lean to the right verdict, not always."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, count)
    features = rng.normal(0, 1, (count, 3))
    features[np.arange(count), labels] += 1.5
    return Rows(features.tolist(), labels.tolist(), list(range(count)))


def test_it_learns_and_means_what_it_says() -> None:
    weights, right, temperature = fit(noisy(3_000), NAMES)
    assert right > 0.7
    assert 0.8 < temperature < 1.3
    fresh = noisy(3_000, seed=4)
    said = Aggregator(weights, NAMES).probabilities(fresh.features)
    assert np.allclose(said.sum(1), 1, atol=1e-4)
    correct = said.argmax(1) == np.array(fresh.labels)
    assert abs(said.max(1).mean() - correct.mean()) < 0.03


def test_rows_of_one_claim_are_left_out_together() -> None:
    once = noisy(60)
    # Told apart only by a number of its own, a claim seen thrice would be known by heart.
    rng = np.random.default_rng(5)
    features = [[float(n), *rng.normal(0, 1, 2)] for n in range(60)]
    thrice = Rows(
        [row for row in features for _ in range(3)],
        [label for label in once.labels for _ in range(3)],
        [claim for claim in once.claims for _ in range(3)],
    )
    assert fit(thrice, NAMES)[1] < 0.6


def test_the_same_rows_give_the_same_weights() -> None:
    assert fit(noisy(200), NAMES) == fit(noisy(200), NAMES)


def test_weights_survive_being_written() -> None:
    weights = fit(noisy(200), NAMES)[0]
    again = msgspec.json.decode(msgspec.json.encode(weights), type=Weights)
    rows = noisy(20).features
    assert np.array_equal(
        Aggregator(weights, NAMES).probabilities(rows), Aggregator(again, NAMES).probabilities(rows)
    )


def test_weights_of_other_features_are_refused() -> None:
    weights = fit(noisy(60), NAMES)[0]
    with pytest.raises(FeverfewError, match="another version"):
        Aggregator(weights, ("a", "b", "d"))


def test_a_blank_one_has_no_opinion() -> None:
    said = Aggregator.blank(NAMES).probabilities([[1.0, 2.0, 3.0]])
    assert said[0] == pytest.approx([1 / 3] * 3)
    assert Aggregator.blank(NAMES).probabilities([]).shape == (0, 3)
