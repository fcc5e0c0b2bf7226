"""Multinomial logistic regression over sparse rows, in plain numpy.

Small on purpose: enough to learn a linear model of n-grams to its optimum, so that the core
install needs neither scipy nor scikit-learn.
"""

from collections import deque
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

__all__ = ["Floats", "Integers", "Rows", "fit", "loss", "minimise"]

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]


class Rows(Struct, frozen=True):
    """A sparse matrix by rows; no row and no column is empty.

    The values of row i stand at starts[i] up to starts[i + 1]; `columns` says where they belong.
    """

    starts: Integers
    columns: Integers
    values: Floats
    width: int

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]], width: int) -> "Rows":
        """Set the named columns of each row to equal values, so that its length is 1.

        Column 0 is the constant: it is 1 in every row, and need not be named.
        """
        sizes = np.array([len(row) + 1 for row in rows], dtype=np.int64)
        starts = np.concatenate(([0], np.cumsum(sizes)))
        columns = np.fromiter(
            (c for row in rows for c in (0, *row)), dtype=np.int64, count=int(starts[-1])
        )
        values = np.repeat(1 / np.sqrt(np.maximum(sizes - 1, 1)), sizes)
        values[starts[:-1]] = 1.0
        return cls(starts, columns, values, width)

    def times(self, dense: Floats) -> Floats:
        """Multiply: (rows × width) times (width × n)."""
        # Column by column: three times as fast as all at once, for a handful of columns.
        flat = np.ascontiguousarray(dense.T)
        sums = [np.add.reduceat(self.values * c[self.columns], self.starts[:-1]) for c in flat]
        return np.stack(sums, axis=1)

    def turned(self) -> "Rows":
        """Transpose; every column must be named by some row."""
        rows = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        order = np.argsort(self.columns, kind="stable")
        counts = np.bincount(self.columns, minlength=self.width)
        starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        return Rows(starts, rows[order], self.values[order], len(self.starts) - 1)


def loss(
    weights: Floats, rows: Rows, turned: Rows, truth: Floats, strength: float
) -> tuple[float, Floats]:
    """Return the penalised cross-entropy and its gradient; the constant goes unpunished."""
    scores = rows.times(weights)
    scores -= scores.max(axis=1, keepdims=True)
    logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    penalised = weights.copy()
    penalised[0] = 0.0
    value = -float((truth * logs).sum()) + 0.5 / strength * float((penalised**2).sum())
    gradient = turned.times(np.exp(logs) - truth) + penalised / strength
    return value, gradient


def fit(rows: Rows, classes: Integers, kinds: int, *, strength: float = 1.0) -> Floats:
    """Learn weights (width × kinds); a greater strength trusts the data more."""
    truth = np.zeros((len(classes), kinds))
    truth[np.arange(len(classes)), classes] = 1.0
    turned = rows.turned()
    return minimise(
        lambda weights: loss(weights, rows, turned, truth, strength),
        np.zeros((rows.width, kinds)),
        # The loss is a sum, so what counts as flat grows with the number of rows.
        tolerance=1e-5 * len(classes),
    )


def minimise(
    function: Callable[[Floats], tuple[float, Floats]],
    start: Floats,
    *,
    steps: int = 300,
    memory: int = 10,
    tolerance: float = 1e-4,
) -> Floats:
    """Descend a smooth convex function by limited-memory BFGS with backtracking.

    function: returns the value and the gradient at a point. `tolerance` is the largest part of
    the gradient at which the ground counts as flat.
    """
    point = start
    value, gradient = function(point)
    past: deque[tuple[Floats, Floats, float]] = deque(maxlen=memory)
    for _ in range(steps):
        if np.abs(gradient).max() <= tolerance:
            break
        direction = _direction(gradient, past)
        slope = float((direction * gradient).sum())
        if slope >= 0:  # rounding has spoiled the memory: begin anew, straight down
            past.clear()
            direction, slope = -gradient, -float((gradient**2).sum())
        size = 1.0 if past else min(1.0, 1.0 / float(np.abs(gradient).max()))
        for _ in range(40):
            moved = point + size * direction
            new_value, new_gradient = function(moved)
            if new_value <= value + 1e-4 * size * slope:
                break
            size /= 2
        else:
            break  # no step goes down any more: as good as rounding allows
        step, change = moved - point, new_gradient - gradient
        curvature = float((step * change).sum())
        if curvature > 1e-12:
            past.append((step, change, curvature))
        point, value, gradient = moved, new_value, new_gradient
    return point


def _direction(gradient: Floats, past: deque[tuple[Floats, Floats, float]]) -> Floats:
    """Turn the gradient by the curvature that the last steps have shown (two loops)."""
    direction = -gradient
    shares = []
    for step, change, curvature in reversed(past):
        share = float((step * direction).sum()) / curvature
        direction = direction - share * change
        shares.append(share)
    if past:
        _, change, curvature = past[-1]
        direction = direction * (curvature / float((change**2).sum()))
    for (step, change, curvature), share in zip(past, reversed(shares), strict=True):
        direction = direction + step * (share - float((change * direction).sum()) / curvature)
    return direction
