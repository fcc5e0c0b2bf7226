"""The small network: named features in, scores or probabilities out, weights in JSON.

A file of weights is a JSON object of networks by name. Each network says which features it was
trained on, so that weights of another version are refused instead of giving nonsense.
"""

import hashlib
from collections.abc import Sequence
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.errors import InputError, NotFound
from feverfew.models.weights_io import shipped_weights

__all__ = ["Network", "sigmoid", "softmax"]

Array = NDArray[np.float32]


class Network(Struct, frozen=True, omit_defaults=True, dict=True):
    """One hidden layer over standardised features; without hidden units, a linear model.

    >>> plain = Network(["length"], [10.0], [5.0], [], [], [2.0])
    >>> plain.scores([[10.0], [15.0]])
    [0.0, 2.0]
    """

    features: list[str]
    mean: list[float]
    spread: list[float]
    hidden: list[list[float]]
    """A row for each feature; empty for a linear model."""
    hidden_bias: list[float]
    out: list[float | list[float]]
    """A number for each hidden unit; a row of numbers where there are several outputs."""
    out_bias: list[float] = []
    activation: Literal["relu", "tanh"] = "relu"

    @classmethod
    def load(cls, path: Path, features: Sequence[str] | None = None) -> "dict[str, Network]":
        """Read a file of networks by name; with `features`, all must have been trained on them."""
        try:
            networks = msgspec.json.decode(path.read_bytes(), type=dict[str, Network])
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from None
        except msgspec.MsgspecError as error:
            raise InputError(f"{path}: not a file of networks: {error}; train it again") from None
        if features is None:
            return networks
        return {
            name: network.expect(features, f"{path}: {name}") for name, network in networks.items()
        }

    @classmethod
    def shipped(cls, name: str, features: Sequence[str], file: str = "ranker.json") -> "Network":
        """Load a network from a file of `weights/`."""
        networks = _shipped(file)
        if name not in networks:
            raise NotFound(f"{file} has no network {name!r}; it has {', '.join(networks)}")
        return networks[name].expect(features, f"{file}: {name}")

    def expect(self, features: Sequence[str], source: str = "the network") -> "Network":
        """Return this network; raise `InputError` if it was trained on other features."""
        if self.features != list(features):
            odd = sorted(set(self.features) ^ set(features)) or "the order of its features differs"
            raise InputError(f"{source}: the weights are of another version: {odd}; train it again")
        return self

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of all numbers: equal for equal networks."""
        return hashlib.blake2b(msgspec.json.encode(self), digest_size=8).hexdigest()

    @cached_property
    def _layers(self) -> list[tuple[Array, Array]]:
        """Return the layers' weights and biases, the standardisation folded into the first."""
        spread = np.array(self.spread, np.float32)
        out = np.array(self.out, np.float32)
        layers: list[tuple[Any, Any]]
        layers = [(np.array(self.hidden, np.float32), np.array(self.hidden_bias, np.float32))]
        layers = [*(layers if self.hidden else []), (out, np.array(self.out_bias or 0, np.float32))]
        first, bias = layers[0]
        shift = (np.array(self.mean, np.float32) / spread) @ first
        layers[0] = ((first.T / spread).T, bias - shift)
        return layers

    def scores(self, rows: Sequence[Sequence[float]]) -> list[float]:
        """Score feature rows."""
        if not rows:
            return []
        scores: list[float] = self.score_array(np.array(rows, np.float32)).tolist()
        return scores

    @np.errstate(
        divide="ignore", invalid="ignore", over="ignore"
    )  # BLAS warns of what lies behind an array, not of its numbers
    def score_array(self, rows: Array) -> Array:
        """Score an array of feature rows: a number for each, or a row of several outputs."""
        *hidden, (out, out_bias) = self._layers
        for weights, bias in hidden:
            inner = rows @ weights + bias
            rows = np.maximum(inner, 0) if self.activation == "relu" else np.tanh(inner)
        scores: Array = rows @ out + out_bias
        return scores

    def probabilities(self, rows: Sequence[Sequence[float]] | Array) -> Array:
        """Return the probabilities of the outputs for each row."""
        table = np.array(rows, np.float32).reshape(len(rows), len(self.features))
        scores = self.score_array(table)
        return sigmoid(scores) if scores.ndim == 1 else softmax(scores)


@cache
def _shipped(file: str) -> dict[str, Network]:
    """Decode a file of `weights/`, once."""
    shipped_weights(file)  # compares it with its digest
    return Network.load(Path(str(files("feverfew.weights"))) / file)


def softmax(scores: NDArray[Any], axis: int = -1) -> NDArray[Any]:
    """Turn scores into probabilities that sum to 1 along an axis.

    >>> softmax(np.array([0.0, 0.0])).tolist()
    [0.5, 0.5]
    """
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True, initial=-np.inf))
    shares: NDArray[Any] = powers / powers.sum(axis=axis, keepdims=True)
    return shares


def sigmoid(scores: NDArray[Any]) -> NDArray[Any]:
    """Turn each score into a probability."""
    shares: NDArray[Any] = 1 / (1 + np.exp(-np.clip(scores, -30, 30)))
    return shares
