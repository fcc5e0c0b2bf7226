"""The heads: what is read from the encoder's features, and how `heads.json` keeps it.

Verdicts on sentences, on cells of a table and on sentences that must be read together are each
read by a head of their own: claims about them are written, and labelled, in different ways.
"""

from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

__all__ = ["CELLS", "CHAIN", "HEADS", "KINDS", "TEXT", "WIDTH", "Head", "Heads", "Layer", "Reader"]

HEADS = "heads.json"
KINDS = ("text", "cells", "chain")
"""Kinds of evidence."""
TEXT, CELLS, CHAIN = [0, 1, 2, 3], [4, 5, 6, 3], [7, 8, 9, 3]
"""Where a row of logits has S, R, N and relevance, for each kind of evidence."""
WIDTH = 10

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
    cells: Head | None = None
    chain: Head | None = None
    """Without one of its own, a kind of evidence is read by the verdict head."""

    @classmethod
    def read(cls, folder: Path) -> "Heads":
        """Read `heads.json` from a model's folder."""
        return msgspec.json.decode((folder / HEADS).read_bytes(), type=cls)

    def write(self, folder: Path) -> None:
        """Write `heads.json` into a model's folder."""
        (folder / HEADS).write_bytes(msgspec.json.encode(self))


class Reader:
    """Heads at work: features in, rows of logits out."""

    def __init__(self, heads: Heads) -> None:
        verdicts = [heads.verdict, heads.cells or heads.verdict, heads.chain or heads.verdict]
        self._verdicts = [_arrays(head) for head in verdicts]
        self._relevance = _arrays(heads.relevance) if heads.relevance else None
        if any(len(head.bias) != 3 for head in verdicts) or (
            heads.relevance and len(heads.relevance.bias) != 1
        ):
            raise ValueError("a verdict head has three outputs, the relevance head one")

    def __call__(self, features: Array) -> Array:
        """Return a row of logits for each row of features, as `TEXT`, `CELLS`, `CHAIN` tell."""
        verdict, cells, chain = (_through(layers, features) for layers in self._verdicts)
        if self._relevance:
            relevance = _through(self._relevance, features)
        else:
            # As a share, this is what is left beside the share of N.
            relevance = np.logaddexp(verdict[:, :1], verdict[:, 1:2]) - verdict[:, 2:]
        return np.concatenate([verdict, relevance, cells, chain], 1)


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
