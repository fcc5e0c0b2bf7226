"""Sentences chosen and claims judged by one network, taught both at once (SWEEPer, BUPT, 2018).

Every pair of claim and sentence comes as a vector. One layer is shared; from it, a pointer says
which sentences matter, and what they say is pooled by how much they do, to judge the claim.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.lab.papers.judges import Opinion
from feverfew.lab.papers.layers import Weights, drop, glorot, softmax
from feverfew.lab.papers.pooling import Vectored
from feverfew.types import Evidence

__all__ = ["CITED", "Bundles", "JointJudge", "JointNetwork"]

Floats = NDArray[np.float32]
CITED = 5
"""Sentences that are kept, the likeliest first."""
_CHOICE = 0.5
"""How much choosing counts, beside judging."""
_DROPOUT = 0.2
_FAR = -1e9


class Bundles(Struct, frozen=True):
    """The vectors of each claim's sentences, a row each, and which of them are gold."""

    vectors: list[Floats]
    gold: list[NDArray[np.bool_]]

    def __len__(self) -> int:
        return len(self.vectors)

    def of(self, chosen: Sequence[int]) -> "Bundles":
        """Keep some of them."""
        return Bundles([self.vectors[i] for i in chosen], [self.gold[i] for i in chosen])

    def sizes(self) -> NDArray[np.int64]:
        """Say how many sentences each has."""
        return np.array([len(own) for own in self.vectors], np.int64)


class JointNetwork:
    """The network: vectors in, choices and verdicts out."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights

    @classmethod
    def start(cls, width: int, seed: int, hidden: int = 48) -> "JointNetwork":
        """Begin with weights drawn by a seed."""
        rng = np.random.default_rng(seed)
        return cls(
            {
                "shared": glorot(rng, width, hidden),
                "sharedb": np.zeros(hidden, np.float32),
                "point": glorot(rng, hidden, 1),
                "out": glorot(rng, hidden, 3),
                "outb": np.zeros(3, np.float32),
            }
        )

    def probabilities(self, inputs: Bundles) -> NDArray[np.float64]:
        """Return the shares of supported, refuted and open for each claim."""
        return self.both(inputs)[0]

    def both(self, inputs: Bundles) -> tuple[NDArray[np.float64], list[NDArray[np.float64]]]:
        """Return verdicts, and how much each of a claim's sentences matters."""
        logits, memory = self._forward(inputs, None)
        matters = [row[: len(own)] for row, own in zip(memory[3], inputs.vectors, strict=True)]
        return softmax(logits, -1).astype(np.float64), matters

    def learn(
        self, inputs: Bundles, labels: NDArray[np.int64], rng: np.random.Generator | None
    ) -> tuple[float, Weights]:
        """Return the mean loss of both tasks for a batch, and the slopes of all weights."""
        logits, (rows, kept, mask, matters, hidden, pooled) = self._forward(inputs, rng)
        shares, count = softmax(logits, -1), len(labels)
        places = np.arange(count)
        gold = np.zeros(matters.shape, matters.dtype)
        for at, own in enumerate(inputs.gold):
            gold[at, : len(own)] = own
        right = (matters * gold).sum(1)
        known = gold.max(1) > 0  # where no gold sentence is at hand, there is nothing to choose
        loss = -np.log(shares[places, labels] + 1e-9).sum()
        loss -= _CHOICE * np.log(right[known] + 1e-9).sum()
        back = shares.copy()
        back[places, labels] -= 1
        back = back / count
        slopes: Weights = {"out": pooled.T @ back, "outb": back.sum(0)}
        on_pooled = back @ self.weights["out"].T
        on_matters = np.einsum("bnh,bh->bn", hidden, on_pooled)
        on_points = matters * (on_matters - (on_matters * matters).sum(1, keepdims=True))
        chosen = matters - matters * gold / np.maximum(right, 1e-9)[:, None]
        on_points += _CHOICE / count * np.where(known[:, None], chosen, 0)
        slopes["point"] = np.einsum("bnh,bn->h", hidden, on_points)[:, None]
        on_hidden = matters[..., None] * on_pooled[:, None]
        on_hidden += on_points[..., None] * self.weights["point"][:, 0]
        on_hidden = on_hidden * mask * (kept > 0)
        width = rows.shape[-1]
        slopes["shared"] = rows.reshape(-1, width).T @ on_hidden.reshape(-1, on_hidden.shape[-1])
        slopes["sharedb"] = on_hidden.sum((0, 1))
        return float(loss) / count, slopes

    def _forward(self, inputs: Bundles, rng: np.random.Generator | None) -> tuple[Any, Any]:
        w = self.weights
        most = max(1, *map(len, inputs.vectors))
        rows = np.zeros((len(inputs), most, len(w["shared"])), w["shared"].dtype)
        away = np.full((len(inputs), most), _FAR, w["shared"].dtype)
        for at, own in enumerate(inputs.vectors):
            rows[at, : len(own)] = own
            away[at, : len(own)] = 0
        kept = np.maximum(rows @ w["shared"] + w["sharedb"], 0)
        mask = drop(kept, _DROPOUT, rng)
        hidden = kept * mask
        matters = softmax((hidden @ w["point"])[..., 0] + away, 1)
        pooled = np.einsum("bn,bnh->bh", matters, hidden)
        return pooled @ w["out"] + w["outb"], (rows, kept, mask, matters, hidden, pooled)


class JointJudge:
    """Judges claims, and puts the sentences that matter most first."""

    def __init__(self, inner: Vectored, network: JointNetwork) -> None:
        self._inner, self._network = inner, network

    def judge(self, claims: Sequence[str], evidence: Sequence[Sequence[Evidence]]) -> list[Opinion]:
        """Choose among each claim's pieces and judge by them; without any, a claim is open."""
        some = [at for at, own in enumerate(evidence) if own]
        opinions = [Opinion((0.0, 0.0, 1.0), []) for _ in claims]
        if not some:
            return opinions
        vectors = self._inner.vectors([claims[at] for at in some], [evidence[at] for at in some])
        gold = [np.zeros(len(own), np.bool_) for own in vectors]
        shares, matters = self._network.both(Bundles(vectors, gold))
        for at, (s, r, n), own in zip(some, shares.tolist(), matters, strict=True):
            best = np.argsort(-own, kind="stable")[:CITED].tolist()
            opinions[at] = Opinion((s, r, n), [evidence[at][i] for i in best])
        return opinions
