"""The aggregator: one hidden layer from named features to calibrated probabilities."""

import hashlib
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.errors import FeverfewError
from feverfew.models.encoder import shipped_folder

__all__ = ["FILE", "Aggregator", "Weights"]

FILE = "aggregator.json"

Array = NDArray[np.float32]


class Weights(Struct, frozen=True):
    """The numbers of one aggregator; the temperature that calibrates it is part of `out`."""

    features: list[str]
    mean: list[float]
    spread: list[float]
    hidden: list[list[float]]
    hidden_bias: list[float]
    out: list[list[float]]
    out_bias: list[float]


class Aggregator:
    """Turns feature rows into probabilities of S, R and N."""

    def __init__(self, weights: Weights, features: tuple[str, ...]) -> None:
        if tuple(weights.features) != features:
            odd = sorted(set(weights.features) ^ set(features))
            raise FeverfewError(f"the aggregator's weights are of another version: {odd}")
        self.fingerprint = hashlib.blake2b(msgspec.json.encode(weights), digest_size=8).hexdigest()
        self._mean = np.array(weights.mean, np.float32)
        self._spread = np.array(weights.spread, np.float32)
        self._hidden = np.array(weights.hidden, np.float32)
        self._hidden_bias = np.array(weights.hidden_bias, np.float32)
        self._out = np.array(weights.out, np.float32)
        self._out_bias = np.array(weights.out_bias, np.float32)

    @classmethod
    def open(
        cls, name: str, features: tuple[str, ...], folder: Path, file: str = FILE
    ) -> "Aggregator":
        """Load one of the aggregators that lie beside a model."""
        path = folder / file
        if not path.is_file():  # a user's own model, without one of its own
            path = shipped_folder() / file
        return cls(msgspec.json.decode(path.read_bytes(), type=dict[str, Weights])[name], features)

    @classmethod
    def blank(cls, features: tuple[str, ...]) -> "Aggregator":
        """Make one that knows nothing yet: what training starts from."""
        zeros = [0.0] * len(features)
        inner = [[0.0] for _ in features]
        return cls(
            Weights(
                list(features), zeros, [1.0] * len(features), inner, [0.0], [[0.0] * 3], [0.0] * 3
            ),
            features,
        )

    def probabilities(self, rows: list[list[float]]) -> Array:
        """Return a row of three probabilities for each row of features."""
        if not rows:
            return np.zeros((0, 3), np.float32)
        scaled = (np.array(rows, np.float32) - self._mean) / self._spread
        inner = np.tanh(scaled @ self._hidden + self._hidden_bias)
        logits = inner @ self._out + self._out_bias
        powers = np.exp(logits - logits.max(1, keepdims=True))
        found: Array = powers / powers.sum(1, keepdims=True)
        return found
