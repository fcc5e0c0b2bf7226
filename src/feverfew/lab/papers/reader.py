"""What stands in for BERT: our encoder's states, frozen, and a small head for each question.

HoVer's paper fine-tunes a BERT-base for every stage, which two cores do not do in the time that a
table may take. Our encoder reads the same pairs; only what is read from its states is learned, by
one hidden layer. Every pair is read once, however many heads ask for it.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from feverfew.errors import InputError
from feverfew.models.linearise import plain
from feverfew.lab.papers.fitting import fit
from feverfew.lab.papers.pairwise import Table, Weigher

__all__ = ["Head", "Pair", "Reader", "Reads"]

Pair = tuple[str, str]
"""A claim, and a text that may matter to it."""
_AT_ONCE = 512
_HIDDEN = 32
_HELD = 10
"""One owner of so many, in any order, decides when a head has learned enough."""


class Reads(Protocol):
    """Reads pairs: a row of states for each."""

    def states(self, pairs: Sequence[Pair]) -> NDArray[np.float32]: ...


class Reader:
    """Remembers what an encoder read."""

    def __init__(self, encoder: Reads) -> None:
        self._encoder = encoder
        self._known: dict[Pair, NDArray[np.float16]] = {}

    def states(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        """Return the states of pairs, one or more; those read before are not read again."""
        asked = [(plain(claim), text) for claim, text in pairs]
        new = list(dict.fromkeys(pair for pair in asked if pair not in self._known))
        for start in range(0, len(new), _AT_ONCE):
            group = new[start : start + _AT_ONCE]
            rows = self._encoder.states(group).astype(np.float16)
            self._known.update(zip(group, rows, strict=True))
        return np.stack([self._known[pair] for pair in asked]).astype(np.float32)


class Head:
    """Says from a pair's states how likely the answer to one question is yes."""

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        self._mean, self._spread = arrays["mean"], arrays["spread"]
        inner = {name: own for name, own in arrays.items() if name not in ("mean", "spread")}
        self._inner = Weigher(inner)

    def __call__(self, states: NDArray[np.float32]) -> NDArray[np.float64]:
        rows = (states - self._mean) / self._spread
        return self._inner.probabilities(Table(rows))[:, 1]

    @staticmethod
    def taught(
        states: NDArray[np.float32], yes: Sequence[bool], owners: Sequence[str], seed: int = 1
    ) -> dict[str, NDArray[Any]]:
        """Fit a head; rows of one owner, a question or a page, are held out together."""
        if len(set(yes)) < 2:
            raise InputError("a head needs pairs of both kinds to learn from")
        mean, spread = states.mean(0), states.std(0) + 1e-3
        rows, labels = (states - mean) / spread, np.array(yes, np.int64)
        names = sorted(set(owners))
        np.random.default_rng(seed).shuffle(names)
        held = np.isin(np.array(owners), names[:: max(2, min(_HELD, len(names)))])
        if held.all():
            held = np.arange(len(labels)) % 2 == 0
        model = Weigher.start(rows.shape[1], seed, hidden=_HIDDEN, outputs=2)
        checked = Table(rows[held]), labels[held]
        settings = {"epochs": 40, "batch": 32, "patience": 8}
        fit(model, Table(rows[~held]), labels[~held], checked, seed=seed, rate=3e-3, **settings)
        return {**model.weights, "mean": mean, "spread": spread}
