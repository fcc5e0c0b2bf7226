"""The scorer: which program a claim means, and whether the claim is true; its numbers in JSON.

Every program gets an attention and a vote from one hidden layer over its features and the
claim's; the votes, weighed by attention, and a second layer over the claim's features add up.
"""

import hashlib
from importlib.resources import files

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.errors import FeverfewError
from feverfew.tables.features import PROGRAM, STATEMENT

__all__ = ["FILE", "Scorer", "ScorerWeights"]

FILE = "tables.json"
Array = NDArray[np.float32]


class ScorerWeights(Struct, frozen=True):
    """The numbers of the scorer; the temperature that calibrates it is part of them."""

    program: list[str]
    statement: list[str]
    mean: list[float]
    spread: list[float]
    """Of the program's features, then the statement's."""
    hidden: list[list[float]]
    hidden_bias: list[float]
    attention: list[float]
    vote: list[float]
    own: list[list[float]]
    own_bias: list[float]
    own_vote: list[float]
    bias: float
    speaks: list[float] = []
    """Over the statement's features: whether the table speaks of the claim at all."""
    speaks_bias: float = 0.0


class Scorer:
    """Scores the programs of a claim."""

    def __init__(self, weights: ScorerWeights) -> None:
        if (tuple(weights.program), tuple(weights.statement)) != (PROGRAM, STATEMENT):
            odd = {*weights.program, *weights.statement} ^ {*PROGRAM, *STATEMENT}
            raise FeverfewError(f"the tables' weights are of another version: {sorted(odd)}")
        self.fingerprint = hashlib.blake2b(msgspec.json.encode(weights), digest_size=8).hexdigest()
        self._mean, self._spread = (_array(part) for part in (weights.mean, weights.spread))
        self._hidden, self._hidden_bias = _array(weights.hidden), _array(weights.hidden_bias)
        self._attention, self._vote = _array(weights.attention), _array(weights.vote)
        self._own, self._own_bias = _array(weights.own), _array(weights.own_bias)
        self._own_vote, self._bias = _array(weights.own_vote), weights.bias
        self._speaks, self._speaks_bias = _array(weights.speaks), weights.speaks_bias

    @classmethod
    def shipped(cls) -> "Scorer":
        """Load the scorer that comes with feverfew."""
        data = files("feverfew.weights").joinpath(FILE).read_bytes()
        return cls(msgspec.json.decode(data, type=ScorerWeights))

    def score(self, programs: Array, statement: Array) -> tuple[float, Array, Array]:
        """Return how likely the claim is true, and every program's attention and vote."""
        split = len(PROGRAM)
        own = (statement - self._mean[split:]) / self._spread[split:]
        logit = float(np.maximum(own @ self._own + self._own_bias, 0) @ self._own_vote) + self._bias
        if not len(programs):
            nothing = np.zeros(0, np.float32)
            return _share(logit), nothing, nothing
        rows = (programs - self._mean[:split]) / self._spread[:split]
        inner = rows @ self._hidden[:split] + own @ self._hidden[split:] + self._hidden_bias
        active = np.maximum(inner, 0)
        pull = active @ self._attention
        powers = np.exp(pull - pull.max())
        attention: Array = powers / powers.sum()
        votes: Array = active @ self._vote
        return _share(logit + float(attention @ votes)), attention, votes

    def speaks(self, statement: Array) -> float:
        """Return how likely the table speaks of the claim at all."""
        split = len(PROGRAM)
        own = (statement - self._mean[split:]) / self._spread[split:]
        return _share(float(own @ self._speaks) + self._speaks_bias)


def _array(numbers: object) -> Array:
    return np.array(numbers, np.float32)


def _share(logit: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(logit, -30, 30))))
