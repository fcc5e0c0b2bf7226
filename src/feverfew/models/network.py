"""The ranker: one hidden layer over named features, its few numbers in a JSON file."""

import hashlib
from importlib.resources import files
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.errors import FeverfewError

__all__ = ["Network", "Ranker", "softmax"]

Matrix = NDArray[np.float32]


class Network(Struct, frozen=True):
    """One small network: features in, a score out."""

    features: list[str]
    mean: list[float]
    spread: list[float]
    hidden: list[list[float]]
    hidden_bias: list[float]
    out: list[float]


class Ranker:
    """Scores pages or sentences; made from a Network."""

    def __init__(self, network: Network, features: tuple[str, ...]) -> None:
        if tuple(network.features) != features:
            odd = set(network.features) ^ set(features)
            raise FeverfewError(f"the ranker's weights are of another version: {sorted(odd)}")
        self.fingerprint = hashlib.blake2b(msgspec.json.encode(network), digest_size=8).hexdigest()
        spread = np.array(network.spread, np.float32)
        hidden = np.array(network.hidden, np.float32)
        # The standardisation is folded into the first layer.
        self._hidden = hidden / spread[:, None]
        shift = (np.array(network.mean, np.float32) / spread) @ hidden
        self._bias = np.array(network.hidden_bias, np.float32) - shift
        self._out = np.array(network.out, np.float32)

    @classmethod
    def shipped(cls, name: str, features: tuple[str, ...], file: str = "ranker.json") -> "Ranker":
        """Load one of the networks in a file of `weights/`."""
        data = files("feverfew.weights").joinpath(file).read_bytes()
        networks = msgspec.json.decode(data, type=dict[str, Network])
        return cls(networks[name], features)

    def scores(self, rows: list[list[float]]) -> list[float]:
        """Score feature rows."""
        if not rows:
            return []
        scores: list[float] = self.score_array(np.array(rows, np.float32)).tolist()
        return scores

    def score_array(self, rows: Matrix) -> Matrix:
        """Score an array of feature rows."""
        inner = np.maximum(rows @ self._hidden + self._bias, 0)
        scores: Matrix = inner @ self._out
        return scores


def softmax(logits: NDArray[Any]) -> NDArray[Any]:
    """Turn logits, along the last axis, into shares that sum to one."""
    powers = np.exp(logits - logits.max(-1, keepdims=True))
    shares: NDArray[Any] = powers / powers.sum(-1, keepdims=True)
    return shares
