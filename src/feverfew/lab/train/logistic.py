"""Fit a weight for each feature, calibrated on claims left out in turn, with numpy."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.errors import InputError
from feverfew.judge.chains import LogisticWeights

__all__ = ["Examples", "Fitted", "fit"]

Reals = NDArray[np.float64]
_FOLDS = 5
_STEPS = 30
_RIDGES = (1.0, 3.0, 10.0, 30.0, 100.0)
_SLOPES = tuple(step / 20 for step in range(4, 31))


class Examples(Struct, frozen=True):
    """Rows of features, whether each is supported, how much it counts, and whose it is."""

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
    """What was fitted, and how it did on what was left out, each label counting the same."""

    weighing: LogisticWeights
    accuracy: float
    ridge: float
    slope: float


def fit(examples: Examples, names: Sequence[str], seed: int = 1) -> Fitted:
    """Fit by Newton's method; the ridge and the slope are those that do best on what is left out.

    The slope is what the sums are multiplied with, so that shares mean what they say.
    """
    x, y = np.array(examples.rows, np.float64), np.array(examples.supported, np.float64)
    if not 0 < y.sum() < len(y):
        raise InputError("claims of both labels are needed: give more of them")
    count = np.array(examples.counts) / np.mean(examples.counts)
    mean, spread = x.mean(0), x.std(0) + 1e-3
    scaled = np.hstack([(x - mean) / spread, np.ones((len(x), 1))])
    owners, owner = np.unique(examples.owners, return_inverse=True)
    fold = np.random.default_rng(seed).permutation(len(owners))[owner] % _FOLDS
    tried = []
    for ridge in _RIDGES:
        sums = np.zeros(len(y))
        for left_out in range(_FOLDS):
            inside = fold != left_out
            sums[~inside] = scaled[~inside] @ _newton(
                scaled[inside], y[inside], count[inside], ridge
            )
        slope = min(_SLOPES, key=lambda s: _loss(s * sums, y, count))
        tried.append((_loss(slope * sums, y, count), ridge, slope, sums))
    _, ridge, slope, sums = min(tried, key=lambda one: one[0])
    weights = slope * _newton(scaled, y, count, ridge)
    right = float(np.average((sums > 0) == (y > 0), weights=count))
    kept = [np.round(values, 5).tolist() for values in (mean, spread, weights)]
    weighing = LogisticWeights(list(names), kept[0], kept[1], kept[2][:-1], kept[2][-1])
    return Fitted(weighing, right, ridge, slope)


def _newton(x: Reals, y: Reals, count: Reals, ridge: float) -> Reals:
    """Find the weights, the last of them the bias, which is not drawn to zero."""
    weights = np.zeros(x.shape[1])
    drawn = np.full(x.shape[1], ridge)
    drawn[-1] = 1e-6
    for _ in range(_STEPS):
        shares = 1 / (1 + np.exp(-(x @ weights).clip(-30, 30)))
        slope = x.T @ (count * (shares - y)) + drawn * weights
        curve = (x * (count * shares * (1 - shares))[:, None]).T @ x + np.diag(drawn)
        step = np.linalg.solve(curve, slope)
        weights = weights - step
        if np.abs(step).max() < 1e-6:
            break
    return weights


def _loss(sums: Reals, y: Reals, count: Reals) -> float:
    return float(np.average(np.logaddexp(0, np.where(y > 0, -sums, sums)), weights=count))
