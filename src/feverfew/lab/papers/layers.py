"""Small layers with their gradients in numpy: what the papers' networks are made of."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Feed", "Weights", "dense", "drop", "glorot", "softmax"]

Floats = NDArray[Any]
Weights = dict[str, NDArray[Any]]


def glorot(rng: np.random.Generator, rows: int, columns: int) -> NDArray[np.float32]:
    """Draw a matrix so that signals keep their size."""
    reach = np.sqrt(6 / (rows + columns))
    return rng.uniform(-reach, reach, (rows, columns)).astype(np.float32)


def softmax(x: Floats, axis: int) -> Floats:
    """Turn numbers into shares along an axis."""
    raised = np.exp(x - x.max(axis=axis, keepdims=True))
    shares: Floats = raised / raised.sum(axis=axis, keepdims=True)
    return shares


def drop(x: Floats, share: float, rng: np.random.Generator | None) -> Floats:
    """Return what to multiply x with so that a share of it is left out while learning."""
    if rng is None or not share:
        return np.ones((), x.dtype)
    kept: Floats = (rng.random(x.shape, np.float32) >= share).astype(x.dtype) / (1 - share)
    return kept


class Feed:
    """Two layers with ReLU, of which the weights lie in a dictionary under a name."""

    def __init__(self, name: str, dropout: float = 0.2) -> None:
        self._names = tuple(f"{name}{part}" for part in ("1", "b1", "2", "b2"))
        self._dropout = dropout

    def start(self, weights: Weights, rng: np.random.Generator, inputs: int, hidden: int) -> None:
        """Draw the weights."""
        first, first_bias, second, second_bias = self._names
        weights[first], weights[second] = glorot(rng, inputs, hidden), glorot(rng, hidden, hidden)
        weights[first_bias], weights[second_bias] = np.zeros((2, hidden), np.float32)

    def forward(
        self, weights: Weights, x: Floats, rng: np.random.Generator | None
    ) -> tuple[Floats, Any]:
        """Return the output, and what `backward` needs."""
        w1, b1, w2, b2 = (weights[name] for name in self._names)
        first = drop(x, self._dropout, rng)
        x = x * first
        middle = np.maximum(dense(x, w1) + b1, 0)
        second = drop(middle, self._dropout, rng)
        kept = middle * second
        out = np.maximum(dense(kept, w2) + b2, 0)
        return out, (x, first, middle, second, kept, out)

    def backward(self, weights: Weights, slopes: Weights, back: Floats, memory: Any) -> Floats:
        """Add the weights' slopes; return the input's."""
        n1, nb1, n2, nb2 = self._names
        x, first, middle, second, kept, out = memory
        back = back * (out > 0)
        _add(slopes, n2, _flat(kept).T @ _flat(back))
        _add(slopes, nb2, _flat(back).sum(0))
        back = dense(back, weights[n2].T) * second * (middle > 0)
        _add(slopes, n1, _flat(x).T @ _flat(back))
        _add(slopes, nb1, _flat(back).sum(0))
        slope: Floats = dense(back, weights[n1].T) * first
        return slope


def dense(x: Floats, weights: Floats) -> Floats:
    """Multiply the last axis by weights, as one product: numpy makes one for each of the first."""
    made: Floats = (_flat(x) @ weights).reshape(*x.shape[:-1], -1)
    return made


def _flat(x: Floats) -> Floats:
    return x.reshape(-1, x.shape[-1])


def _add(slopes: Weights, name: str, slope: Floats) -> None:
    slopes[name] = slopes[name] + slope if name in slopes else slope
