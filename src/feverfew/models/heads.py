"""The heads: what is computed from the encoder's features, and how `heads.json` stores it.

A model may have one verdict head for everything, or one each for sentences, for table cells and
for sentences that must be read together.
"""

from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

__all__ = ["CELLS", "CHAIN", "HEADS", "KINDS", "TEXT", "WIDTH", "Head", "Heads", "Layer", "Reader"]

HEADS = "heads.json"
KINDS = ("text", "cells", "chain")
"""Kinds of evidence."""
TEXT, CELLS, CHAIN = [0, 1, 2, 3], [4, 5, 6, 3], [7, 8, 9, 3]
"""The columns of S, R, N and relevance in a row of logits, for each kind of evidence."""
WIDTH = 10

Array = NDArray[np.float32]


class Layer(Struct, frozen=True):
    """A linear layer: a row of weights for each output."""

    weights: list[list[float]]
    bias: list[float]


class Head(Struct, frozen=True):
    """A linear layer over the features: the first token's state, then the mean of all states.

    With a hidden layer, that layer reads the features and the outputs read its tanh. Its rows may
    be as short as the first token's state; it then ignores the mean.
    """

    weights: list[list[float]]
    bias: list[float]
    hidden: Layer | None = None


class Heads(Struct, frozen=True):
    """Everything a model predicts for a pair, and what it reads."""

    verdict: Head
    relevance: Head | None = None
    """Without one, evidence is as relevant as it is likely to support or refute the claim."""
    evidence_first: bool = False
    """Whether the model was trained with the evidence before the claim."""
    cells: Head | None = None
    chain: Head | None = None
    """Without a head of its own, a kind of evidence is read by the verdict head."""
    inputs: Literal["segments", "positions"] = "segments"
    """What goes in with each token: its segment (BERT) or its position (MPNet)."""

    @classmethod
    def read(cls, folder: Path) -> "Heads":
        """Read `heads.json` from a model's folder."""
        return msgspec.json.decode((folder / HEADS).read_bytes(), type=cls)

    def write(self, folder: Path) -> None:
        """Write `heads.json` into a model's folder."""
        (folder / HEADS).write_bytes(msgspec.json.encode(self))


class Reader:
    """The heads as arrays: features in, rows of logits out."""

    def __init__(self, heads: Heads) -> None:
        verdicts = [heads.verdict, heads.cells or heads.verdict, heads.chain or heads.verdict]
        self._verdicts = [_arrays(head) for head in verdicts]
        self._relevance = _arrays(heads.relevance) if heads.relevance else None
        if any(len(head.bias) != 3 for head in verdicts) or (
            heads.relevance and len(heads.relevance.bias) != 1
        ):
            raise ValueError("a verdict head has three outputs, the relevance head one")

    def __call__(self, features: Array) -> Array:
        """Return a row of logits for each row of features; see `TEXT`, `CELLS` and `CHAIN`."""
        verdict, cells, chain = (_through(layers, features) for layers in self._verdicts)
        if self._relevance:
            relevance = _through(self._relevance, features)
        else:
            # The logit of 1 - P(N).
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
    # One product per row: a product over all rows would sum in an order that depends on them.
    rows = values[:, None, :]
    for inner, shift in hidden:
        rows = np.tanh(rows[:, :, : len(inner)] @ inner + shift)
    result: Array = (rows @ weights + bias)[:, 0]
    return result
