"""Decomposable attention (Parikh et al., 2016): attend, compare, aggregate; in numpy."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.lab.papers.layers import Feed, Weights, dense, glorot, softmax
from feverfew.lab.papers.scored import token_scores
from feverfew.lab.papers.vectors import Vectors

__all__ = ["LONGEST", "Attention", "Tokens"]

LONGEST = (50, 300)
"""Words of a claim, and of its evidence, that are read."""
_FAR = -1e9
_GUESSED = 128
"""Pairs that are judged at once."""


class Tokens(Struct, frozen=True):
    """Claims and their evidence as rows of the vectors' table."""

    claims: list[NDArray[np.int32]]
    evidence: list[NDArray[np.int32]]
    scores: list[NDArray[np.float32]]
    """How near the sentence of each word of the evidence is to the claim; none if not asked for."""

    def __len__(self) -> int:
        return len(self.claims)

    def of(self, chosen: Sequence[int]) -> "Tokens":
        """Keep some of them."""
        claims, evidence = [self.claims[i] for i in chosen], [self.evidence[i] for i in chosen]
        return Tokens(claims, evidence, [self.scores[i] for i in chosen] if self.scores else [])

    def sizes(self) -> NDArray[np.int64]:
        """Say how long each is, so that near lengths share a batch."""
        return np.array([len(evidence) for evidence in self.evidence], np.int64)


class Attention:
    """Compares every word of a claim with the words of the evidence that it attends to."""

    def __init__(self, vectors: Vectors, weights: Weights) -> None:
        self._vectors, self.weights = vectors, weights
        self._attend, self._compare, self._join = Feed("attend"), Feed("compare"), Feed("join")

    @classmethod
    def start(
        cls, vectors: Vectors, seed: int, hidden: int = 100, *, scored: bool = False
    ) -> "Attention":
        """Begin with weights drawn by a seed; `scored`: words know how near their sentence is."""
        rng = np.random.default_rng(seed)
        weights: Weights = {"project": glorot(rng, vectors.table.shape[1] + scored, hidden)}
        model = cls(vectors, weights)
        model._attend.start(weights, rng, hidden, hidden)
        model._compare.start(weights, rng, 2 * hidden, hidden)
        model._join.start(weights, rng, 2 * hidden, hidden)
        weights["out"], weights["outb"] = glorot(rng, hidden, 3), np.zeros(3, np.float32)
        return model

    def prepare(self, claims: Sequence[str], texts: Sequence[str]) -> Tokens:
        """Look up the words of claims and of their evidence."""
        scores = []
        if self._scored:
            asked = zip(claims, texts, strict=True)
            scores = [token_scores(claim, text, LONGEST[1]) for claim, text in asked]
        return Tokens(
            [self._vectors.tokens(claim, LONGEST[0]) for claim in claims],
            [self._vectors.tokens(text, LONGEST[1]) for text in texts],
            scores,
        )

    @property
    def _scored(self) -> bool:
        """Whether the first layer has a place for scores beside the words' vectors."""
        return bool(len(self.weights["project"]) > self._vectors.table.shape[1])

    def vectors(self, inputs: Tokens) -> NDArray[np.float32]:
        """Return what the network knows of each pair before it judges: its last layer."""
        found = np.zeros((len(inputs), len(self.weights["out"])), np.float32)
        for group in _groups(inputs):
            _, (*_, joined, _) = self._forward(inputs.of(group), None)
            found[group] = joined
        return found

    def probabilities(self, inputs: Tokens) -> NDArray[np.float64]:
        """Return the shares of supported, refuted and open for each pair."""
        shares = np.zeros((len(inputs), 3))
        for group in _groups(inputs):
            logits, _ = self._forward(inputs.of(group), None)
            shares[group] = softmax(logits, -1)
        return shares

    def learn(
        self, inputs: Tokens, labels: NDArray[np.int64], rng: np.random.Generator | None
    ) -> tuple[float, Weights]:
        """Return the mean loss of a batch, and the slopes of all weights."""
        logits, memory = self._forward(inputs, rng)
        shares = softmax(logits, -1)
        rows = np.arange(len(labels))
        loss = -float(np.log(shares[rows, labels] + 1e-9).mean())
        back = shares.copy()
        back[rows, labels] -= 1
        return loss, self._backward(back / len(labels), memory)

    def _padded(
        self, tokens: list[NDArray[np.int32]], scores: list[NDArray[np.float32]]
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        table = self._vectors.table
        longest = max(map(len, tokens))
        rows = np.zeros((len(tokens), longest), np.int64)
        real = np.zeros((len(tokens), longest, 1), table.dtype)
        for at, own in enumerate(tokens):
            rows[at, : len(own)] = own
            real[at, : len(own)] = 1
        if not self._scored:
            return table[rows] * real, real
        near = np.zeros_like(real)
        for at, own_scores in enumerate(scores):
            near[at, : len(own_scores), 0] = own_scores
        return np.concatenate([table[rows] * real, near], -1), real

    def _forward(self, inputs: Tokens, rng: np.random.Generator | None) -> tuple[Any, Any]:
        w = self.weights
        words_a, real_a = self._padded(inputs.claims, [])
        words_b, real_b = self._padded(inputs.evidence, inputs.scores)
        a, b = dense(words_a, w["project"]), dense(words_b, w["project"])
        seen_a, memory_a = self._attend.forward(w, a, rng)
        seen_b, memory_b = self._attend.forward(w, b, rng)
        match = seen_a @ seen_b.swapaxes(1, 2)
        to_b = softmax(match + _FAR * (1 - real_b.swapaxes(1, 2)), 2)
        to_a = softmax(match + _FAR * (1 - real_a), 1)
        for_a, for_b = to_b @ b, to_a.swapaxes(1, 2) @ a
        compared_a, kept_a = self._compare.forward(w, np.concatenate([a, for_a], -1), rng)
        compared_b, kept_b = self._compare.forward(w, np.concatenate([b, for_b], -1), rng)
        both = np.concatenate([(compared_a * real_a).sum(1), (compared_b * real_b).sum(1)], -1)
        joined, kept = self._join.forward(w, both, rng)
        logits = joined @ w["out"] + w["outb"]
        side_a = (words_a, real_a, a, seen_a, memory_a, kept_a)
        side_b = (words_b, real_b, b, seen_b, memory_b, kept_b)
        return logits, (side_a, side_b, to_a, to_b, joined, kept)

    def _backward(self, back: NDArray[Any], memory: Any) -> Weights:
        w = self.weights
        slopes: Weights = {}
        side_a, side_b, to_a, to_b, joined, kept = memory
        words_a, real_a, a, seen_a, memory_a, kept_a = side_a
        words_b, real_b, b, seen_b, memory_b, kept_b = side_b
        slopes["out"], slopes["outb"] = joined.T @ back, back.sum(0)
        back = self._join.backward(w, slopes, back @ w["out"].T, kept)
        half = back.shape[-1] // 2
        back_a = self._compare.backward(w, slopes, back[:, None, :half] * real_a, kept_a)
        back_b = self._compare.backward(w, slopes, back[:, None, half:] * real_b, kept_b)
        width = a.shape[-1]
        on_a, on_for_a = back_a[..., :width], back_a[..., width:]
        on_b, on_for_b = back_b[..., :width], back_b[..., width:]
        on_b = on_b + to_b.swapaxes(1, 2) @ on_for_a
        on_a = on_a + to_a @ on_for_b
        match = _through_softmax(to_b, on_for_a @ b.swapaxes(1, 2), 2)
        match += _through_softmax(to_a, a @ on_for_b.swapaxes(1, 2), 1)
        on_a = on_a + self._attend.backward(w, slopes, match @ seen_b, memory_a)
        on_b = on_b + self._attend.backward(w, slopes, match.swapaxes(1, 2) @ seen_a, memory_b)
        slopes["project"] = np.tensordot(words_a, on_a, ([0, 1], [0, 1])) + np.tensordot(
            words_b, on_b, ([0, 1], [0, 1])
        )
        return slopes


def _groups(inputs: Tokens) -> Iterator[list[int]]:
    """Yield the places of pairs of near length, to be read at once."""
    order = np.argsort(inputs.sizes(), kind="stable").tolist()
    for start in range(0, len(order), _GUESSED):
        yield order[start : start + _GUESSED]


def _through_softmax(shares: NDArray[Any], back: NDArray[Any], axis: int) -> NDArray[Any]:
    slope: NDArray[Any] = shares * (back - (back * shares).sum(axis=axis, keepdims=True))
    return slope
