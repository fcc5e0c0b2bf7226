"""Train the aggregator: from the encoder's readings to calibrated probabilities, with numpy."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from feverfew.judge.aggregate import Weights
from feverfew.lab.train.rows import Rows

__all__ = ["fit"]

_HIDDEN = 24
_STEPS = 600
_RATE = 0.02
_DECAY = 1e-2
_FOLDS = 5


def fit(
    rows: Rows, names: Sequence[str], seed: int = 1, decay: float = _DECAY
) -> tuple[Weights, float, float]:
    """Fit an aggregator; return it, and its accuracy and temperature on folds left out in turn."""
    x, y = np.array(rows.features, np.float64), np.array(rows.labels)
    mean, spread = x.mean(0), x.std(0) + 1e-3
    scaled = (x - mean) / spread
    claims, owner = np.unique(rows.claims, return_inverse=True)
    fold = np.random.default_rng(seed).permutation(len(claims))[owner] % _FOLDS
    logits = np.zeros((len(y), 3))
    for left_out in range(_FOLDS):
        inside = fold != left_out
        net = _train(scaled[inside], y[inside], seed, decay)
        logits[~inside] = _forward(net, scaled[~inside])[1]
    temperature = _temperature(logits, y)
    hidden, hidden_bias, out, out_bias = _train(scaled, y, seed, decay)
    weights = Weights(
        list(names),
        _rounded(mean),
        _rounded(spread),
        _rounded(hidden),
        _rounded(hidden_bias),
        _rounded(out / temperature),
        _rounded(out_bias / temperature),
    )
    return weights, float((logits.argmax(1) == y).mean()), temperature


Net = tuple[Any, Any, Any, Any]


def _forward(net: Net, x: Any) -> tuple[Any, Any]:
    hidden, hidden_bias, out, out_bias = net
    inner = np.tanh(x @ hidden + hidden_bias)
    return inner, inner @ out + out_bias


def _train(x: Any, y: Any, seed: int, decay: float) -> Net:
    """Fit by Adam on all rows at once: a few thousand of them."""
    rng = np.random.default_rng(seed)
    net = [
        rng.normal(0, 1 / np.sqrt(x.shape[1]), (x.shape[1], _HIDDEN)),
        np.zeros(_HIDDEN),
        rng.normal(0, 1 / np.sqrt(_HIDDEN), (_HIDDEN, 3)),
        np.zeros(3),
    ]
    first, second = [np.zeros_like(w) for w in net], [np.zeros_like(w) for w in net]
    for step in range(1, _STEPS + 1):
        inner, logits = _forward((net[0], net[1], net[2], net[3]), x)
        error = _softmax(logits)
        error[np.arange(len(y)), y] -= 1
        error /= len(y)
        back = (error @ net[2].T) * (1 - inner**2)
        gradients = [x.T @ back, back.sum(0), inner.T @ error, error.sum(0)]
        rate = _RATE * (1 - step / (_STEPS + 1))
        for i, gradient in enumerate(gradients):
            if i in (0, 2):
                gradient = gradient + decay * net[i]
            first[i] = 0.9 * first[i] + 0.1 * gradient
            second[i] = 0.999 * second[i] + 0.001 * gradient**2
            near = first[i] / (1 - 0.9**step)
            net[i] = net[i] - rate * near / (np.sqrt(second[i] / (1 - 0.999**step)) + 1e-8)
    return net[0], net[1], net[2], net[3]


def _softmax(logits: Any) -> Any:
    powers = np.exp(logits - logits.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def _temperature(logits: Any, y: Any) -> float:
    """Find what the logits must be divided by for the probabilities to mean what they say."""

    def loss(temperature: float) -> float:
        shares = _softmax(logits / temperature)[np.arange(len(y)), y]
        return float(-np.log(shares + 1e-12).mean())

    return min((t / 50 for t in range(20, 200)), key=loss)


def _rounded(values: Any) -> Any:
    return np.round(values, 5).tolist()
