"""Fit a weight for each feature with logistic regression, calibrated on claims left out in turn."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import PredefinedSplit, cross_val_predict

from feverfew.errors import InputError
from feverfew.judge.chains import LogisticWeights
from feverfew.models.network import sigmoid

__all__ = ["Examples", "Fitted", "fit"]

_FOLDS = 5
_RIDGES = (1.0, 3.0, 10.0, 30.0, 100.0)
_SLOPES = tuple(step / 20 for step in range(4, 31))


class Examples(Struct, frozen=True):
    """Rows of features, whether each is supported, its weight, and whose it is."""

    rows: list[list[float]]
    supported: list[bool]
    counts: list[float]
    owners: list[str]
    """Rows of one owner, a question or a page, are left out together."""

    @classmethod
    def empty(cls) -> "Examples":
        """Begin with none."""
        return cls([], [], [], [])

    def add(self, row: list[float], supported: bool, count: float, owner: str) -> None:
        """Add an example."""
        self.rows.append(row)
        self.supported.append(supported)
        self.counts.append(count)
        self.owners.append(owner)


class Fitted(Struct, frozen=True):
    """What was fitted, and its weighted accuracy on the examples left out."""

    weighing: LogisticWeights
    accuracy: float
    ridge: float
    slope: float


def fit(examples: Examples, names: Sequence[str], seed: int = 1) -> Fitted:
    """Fit the weights; cross-validation chooses the ridge penalty and the slope.

    The slope multiplies the sums, so that the probabilities are calibrated.
    """
    x, y = np.array(examples.rows, np.float64), np.array(examples.supported, bool)
    if not 0 < y.sum() < len(y):
        raise InputError("claims of both labels are needed: give more of them")
    count = np.array(examples.counts) / np.mean(examples.counts)
    mean, spread = x.mean(0), x.std(0) + 1e-3
    scaled = (x - mean) / spread
    owners, owner = np.unique(examples.owners, return_inverse=True)
    folds = PredefinedSplit(np.random.default_rng(seed).permutation(len(owners))[owner] % _FOLDS)
    tried = []
    for ridge in _RIDGES:
        sums = cross_val_predict(
            _model(ridge),
            scaled,
            y,
            cv=folds,
            method="decision_function",
            params={"sample_weight": count},
        )
        losses = {s: log_loss(y, sigmoid(s * sums), sample_weight=count) for s in _SLOPES}
        slope = min(losses, key=lambda s: losses[s])
        tried.append((losses[slope], ridge, slope, sums))
    _, ridge, slope, sums = min(tried, key=lambda one: one[0])
    model = _model(ridge).fit(scaled, y, sample_weight=count)
    right = float(np.average((sums > 0) == y, weights=count))
    values = (mean, spread, slope * model.coef_[0], slope * model.intercept_)
    means, spreads, weights, bias = (np.round(own, 5).tolist() for own in values)
    return Fitted(
        LogisticWeights(list(names), means, spreads, weights, bias[0]), right, ridge, slope
    )


def _model(ridge: float) -> LogisticRegression:
    return LogisticRegression(C=1 / ridge, solver="newton-cholesky", tol=1e-6)
