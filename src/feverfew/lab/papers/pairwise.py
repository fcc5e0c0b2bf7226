"""Evidence judged piece by piece, and what becomes of the answers (the shared task, 2018).

- `vote`: supported or refuted where some pieces say so and the rest are silent, else the majority
  (Columbia NLP);
- `loudest`: silent pieces are left out, and the surest of the rest decides (Ohio State);
- `weighed`: a small network, taught by claims for tuning, weighs all answers with the pieces'
  ranks and scores (UCL, GESIS);
- `Consistent` drops the pieces that say the opposite of the verdict (UCL, Directed Acyclic Graph).
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from feverfew.judge import Probabilities
from feverfew.lab.papers.judges import Opinion, VerdictModel
from feverfew.lab.papers.layers import Feed, Weights, glorot, softmax
from feverfew.types import Evidence

__all__ = [
    "PIECES",
    "Consistent",
    "EachPair",
    "Table",
    "Weigher",
    "each_alone",
    "pair_features",
    "top_program",
    "vote",
]

Reals = NDArray[np.float64]
LabelPolicy = Callable[[Sequence[Evidence], Reals], Probabilities]
"""Pieces and their probabilities, a row each, become one opinion."""
PIECES = 5
"""Pieces that the network weighs."""
_OPEN = 2
_OPPOSITE = {0: 1, 1: 0}


def vote(pieces: Sequence[Evidence], shares: Reals) -> Probabilities:
    """Let pieces vote; silent ones give way to others that agree.

    >>> vote([], np.array([[0.7, 0.1, 0.2], [0.1, 0.1, 0.8], [0.0, 0.3, 0.7]]))
    (1.0, 0.0, 0.0)
    """
    counts = np.bincount(shares.argmax(1), minlength=3)
    spoken = [at for at in (0, 1) if counts[at]]
    chosen = spoken[0] if len(spoken) == 1 else int(counts.argmax())
    s, r, n = (float(at == chosen) for at in range(3))
    return s, r, n


def top_program(pieces: Sequence[Evidence], shares: Reals) -> Probabilities:
    """Follow the surest piece of those that are not silent; all silent, the claim is open.

    >>> loudest([], np.array([[0.6, 0.2, 0.2], [0.1, 0.8, 0.1], [0.0, 0.1, 0.9]]))
    (0.1, 0.8, 0.1)
    """
    said = shares.argmax(1)
    spoken = np.flatnonzero(said != _OPEN)
    among = spoken if len(spoken) else np.arange(len(shares))
    s, r, n = shares[among[shares[among].max(1).argmax()]].tolist()
    return s, r, n


class EachPair:
    """Judges every piece by itself, and joins the answers by a rule."""

    def __init__(self, inner: VerdictModel, rule: LabelPolicy) -> None:
        self._inner, self._rule = inner, rule

    def judge(self, claims: Sequence[str], evidence: Sequence[Sequence[Evidence]]) -> list[Opinion]:
        """Judge all pieces of all claims in one batch, then join each claim's."""
        answers = each_alone(self._inner, claims, evidence)
        return [
            Opinion(self._rule(own, shares) if own else (0.0, 0.0, 1.0), list(own))
            for own, shares in zip(evidence, answers, strict=True)
        ]


class Consistent:
    """Drops the pieces that, read alone, say the opposite of the inner judge's verdict."""

    def __init__(self, inner: VerdictModel, alone: VerdictModel) -> None:
        self._inner, self._alone = inner, alone

    def judge(self, claims: Sequence[str], evidence: Sequence[Sequence[Evidence]]) -> list[Opinion]:
        """Judge as the inner judge does; keep what does not contradict it, if anything is left."""
        opinions = self._inner.judge(claims, evidence)
        answers = each_alone(self._alone, claims, [one.evidence for one in opinions])
        kept = []
        for one, shares in zip(opinions, answers, strict=True):
            verdict = int(np.argmax(one.probabilities))
            opposite = _OPPOSITE.get(verdict)
            left = [
                piece
                for piece, share in zip(one.evidence, shares, strict=True)
                if int(share.argmax()) != opposite
            ]
            kept.append(Opinion(one.probabilities, left or one.evidence))
        return kept


def each_alone(
    judge: VerdictModel, claims: Sequence[str], evidence: Sequence[Sequence[Evidence]]
) -> list[Reals]:
    """Return what a judge says of each piece alone: a table of probabilities for each claim."""
    asked = [claim for claim, own in zip(claims, evidence, strict=True) for _ in own]
    said = judge.judge(asked, [[piece] for own in evidence for piece in own])
    every = np.array([one.probabilities for one in said], np.float64).reshape(-1, 3)
    ends = np.cumsum([len(own) for own in evidence])
    return [every[end - len(own) : end] for end, own in zip(ends, evidence, strict=True)]


def pair_features(pieces: Sequence[Evidence], shares: Reals) -> NDArray[np.float32]:
    """Lay the answers of the first pieces side by side, each with the piece's score."""
    row = np.zeros((PIECES, 5), np.float32)
    for at, (piece, share) in enumerate(zip(pieces[:PIECES], shares, strict=False)):
        row[at] = (*share, piece.score, 1.0)
    summary = np.concatenate([shares.max(0), shares.mean(0)]) if len(shares) else np.zeros(6)
    return np.concatenate([row.ravel(), summary.astype(np.float32)])


class Weigher:
    """A small network over the answers; as a rule, it joins them."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self._feed = Feed("weigh", dropout=0.1)

    @classmethod
    def start(cls, features: int, seed: int, hidden: int = 24, outputs: int = 3) -> "Weigher":
        """Begin with weights drawn by a seed."""
        rng = np.random.default_rng(seed)
        weights: Weights = {
            "out": glorot(rng, hidden, outputs),
            "outb": np.zeros(outputs, np.float32),
        }
        model = cls(weights)
        model._feed.start(weights, rng, features, hidden)
        return model

    def __call__(self, pieces: Sequence[Evidence], shares: Reals) -> Probabilities:
        s, r, n = self.probabilities(Table(pair_features(pieces, shares)[None]))[0].tolist()
        return s, r, n

    def probabilities(self, inputs: "Table") -> Reals:
        """Return the shares of supported, refuted and open, or of what else it tells apart."""
        hidden, _ = self._feed.forward(self.weights, inputs.rows, None)
        return softmax(hidden @ self.weights["out"] + self.weights["outb"], -1)

    def learn(
        self, inputs: "Table", labels: NDArray[np.int64], rng: np.random.Generator | None
    ) -> tuple[float, Weights]:
        """Return the mean loss of a batch, and the slopes of all weights."""
        hidden, memory = self._feed.forward(self.weights, inputs.rows, rng)
        shares = softmax(hidden @ self.weights["out"] + self.weights["outb"], -1)
        rows = np.arange(len(labels))
        loss = -float(np.log(shares[rows, labels] + 1e-9).mean())
        back = shares.copy()
        back[rows, labels] -= 1
        back = back / len(labels)
        slopes: Weights = {"out": hidden.T @ back, "outb": back.sum(0)}
        self._feed.backward(self.weights, slopes, back @ self.weights["out"].T, memory)
        return loss, slopes


class Table:
    """Rows of features, of which some can be taken."""

    def __init__(self, rows: NDArray[np.float32]) -> None:
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    def of(self, chosen: Sequence[int]) -> "Table":
        """Keep some of them."""
        return Table(self.rows[list(chosen)])

    def sizes(self) -> NDArray[np.int64]:
        """All are alike: any may share a batch."""
        return np.zeros(len(self), np.int64)
