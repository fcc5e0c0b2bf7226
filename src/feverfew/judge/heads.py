"""The heads: what is read from the encoder's features, and how `heads.json` keeps it."""

from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

__all__ = ["HEADS", "Head", "Heads", "Layer", "Reader"]

HEADS = "heads.json"

Array = NDArray[np.float32]


class Layer(Struct, frozen=True):
    """A linear layer: a row of weights for each output."""

    weights: list[list[float]]
    bias: list[float]


class Head(Struct, frozen=True):
    """A linear layer over the features: the first token's state, then the mean of all states.

    With a hidden layer, that one reads the features, through tanh, and the outputs read it. Its
    rows may be as short as the first token's state, and then read nothing else.
    """

    weights: list[list[float]]
    bias: list[float]
    hidden: Layer | None = None


class Heads(Struct, frozen=True):
    """All that a model says of a pair."""

    verdict: Head
    relevance: Head | None = None
    """Without one, evidence matters as far as it does not leave the claim open."""
    evidence_first: bool = False
    """Whether the model was taught to read the evidence before the claim."""

    @classmethod
    def read(cls, folder: Path) -> "Heads":
        """Read `heads.json` from a model's folder."""
        return msgspec.json.decode((folder / HEADS).read_bytes(), type=cls)

    def write(self, folder: Path) -> None:
        """Write `heads.json` into a model's folder."""
        (folder / HEADS).write_bytes(msgspec.json.encode(self))


class Reader:
    """Heads at work: features in, the logits of S, R, N and relevance out."""

    def __init__(self, heads: Heads) -> None:
        self._verdict = _arrays(heads.verdict)
        self._relevance = _arrays(heads.relevance) if heads.relevance else None
        if len(heads.verdict.bias) != 3 or (heads.relevance and len(heads.relevance.bias) != 1):
            raise ValueError("the verdict head has three outputs, the relevance head one")

    def __call__(self, features: Array) -> Array:
        """Return a row of four logits for each row of features."""
        verdict = _through(self._verdict, features)
        if self._relevance:
            relevance = _through(self._relevance, features)
        else:
            # As a share, this is what is left beside the share of N.
            relevance = np.logaddexp(verdict[:, :1], verdict[:, 1:2]) - verdict[:, 2:]
        return np.concatenate([verdict, relevance], 1)


def _arrays(head: Head) -> list[tuple[Array, Array]]:
    layers = [head.hidden] if head.hidden else []
    return [
        (np.array(layer.weights, np.float32).T, np.array(layer.bias, np.float32))
        for layer in (*layers, Layer(head.weights, head.bias))
    ]


def _through(layers: list[tuple[Array, Array]], values: Array) -> Array:
    *hidden, (weights, bias) = layers
    for inner, shift in hidden:
        values = np.tanh(values[:, : len(inner)] @ inner + shift)
    result: Array = values @ weights + bias
    return result
