"""Judges: claims and evidence in, opinions out; combined by wrapping.

Some of the shared task's systems (2018) read each piece of evidence alone:

- `vote`: supported or refuted where some pieces say so and the rest are neutral, else the majority
  (Columbia NLP);
- `surest`: neutral pieces are left out, and the surest of the rest decides (Ohio State);
- `EachPair` with a trained rule weighs all answers with the pieces' scores (UCL, GESIS);
- `PooledJudge` pools the vectors of all pairs (Athene UKP TU Darmstadt);
- `JointJudge` also chooses the pieces (SWEEPer, BUPT);
- `Consistent` drops the pieces that say the opposite of the verdict (UCL, Directed Acyclic Graph).
"""

import random
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.errors import InputError
from feverfew.judge import Probabilities, likeliest
from feverfew.types import Evidence, Verdict

Reals = NDArray[np.float64]
Floats = NDArray[np.float32]
Rule = Callable[[Sequence[Evidence], Reals], Probabilities]
"""Pieces and their probabilities, a row each, become one opinion."""
PIECES = 5
"""Pieces that a trained rule weighs."""
CITED = 5
"""Sentences that the joint network keeps, the likeliest first."""
_OPEN = 2
_OPPOSITE = {0: 1, 1: 0}


class Opinion(Struct, frozen=True):
    """What a judge thinks of a claim, and the evidence it rests on, best first."""

    probabilities: Probabilities
    evidence: list[Evidence]

    @property
    def verdict(self) -> Verdict:
        """The likeliest."""
        return likeliest(self.probabilities)


class VerdictModel(Protocol):
    """Judges claims by evidence; combined by wrapping one in another."""

    def judge(
        self, claims: Sequence[str], evidence: Sequence[Sequence[Evidence]]
    ) -> list[Opinion]: ...


class Always:
    """Says the same of every claim: all open, or the training set's most frequent label."""

    def __init__(self, verdict: int) -> None:
        self._verdict = verdict

    def judge(self, claims: Sequence[str], evidence: Sequence[Sequence[Evidence]]) -> list[Opinion]:
        """Ignore everything."""
        return [Opinion(_sure(self._verdict), list(own)) for own in evidence]


class Chance:
    """Says anything, each verdict as often."""

    def __init__(self, seed: int = 1) -> None:
        self._rng = random.Random(seed)

    def judge(self, claims: Sequence[str], evidence: Sequence[Sequence[Evidence]]) -> list[Opinion]:
        """Draw verdicts."""
        return [Opinion(_sure(self._rng.randrange(3)), list(own)) for own in evidence]


class NetworkJudge:
    """One of the papers' networks, which reads all evidence as one text."""

    def __init__(self, model: Any) -> None:
        self._model = model

    def judge(self, claims: Sequence[str], evidence: Sequence[Sequence[Evidence]]) -> list[Opinion]:
        """Judge by all pieces, one after another."""
        texts = [" ".join(piece.text for piece in own) for own in evidence]
        shares = self._model.probabilities(self._model.prepare(claims, texts)).tolist()
        return [
            Opinion((s, r, n), list(own)) for (s, r, n), own in zip(shares, evidence, strict=True)
        ]

    def vectors(
        self, claims: Sequence[str], evidence: Sequence[Sequence[Evidence]]
    ) -> list[NDArray[np.float32]]:
        """Read each piece alone with its claim: an array for each claim, a row for each piece."""
        if not hasattr(self._model, "vectors"):
            raise InputError("this judge has no vectors of pairs; 'da' and 'da-scored' have")
        asked = [claim for claim, own in zip(claims, evidence, strict=True) for _ in own]
        texts = [piece.text for own in evidence for piece in own]
        every = self._model.vectors(self._model.prepare(asked, texts))
        ends = np.cumsum([len(own) for own in evidence]).tolist()
        return [every[end - len(own) : end] for end, own in zip(ends, evidence, strict=True)]


def vote(pieces: Sequence[Evidence], shares: Reals) -> Probabilities:
    """Let pieces vote; neutral ones give way to others that agree.

    >>> vote([], np.array([[0.7, 0.1, 0.2], [0.1, 0.1, 0.8], [0.0, 0.3, 0.7]]))
    (1.0, 0.0, 0.0)
    """
    counts = np.bincount(shares.argmax(1), minlength=3)
    spoken = [at for at in (0, 1) if counts[at]]
    chosen = spoken[0] if len(spoken) == 1 else int(counts.argmax())
    s, r, n = (float(at == chosen) for at in range(3))
    return s, r, n


def surest(pieces: Sequence[Evidence], shares: Reals) -> Probabilities:
    """Follow the surest piece of those that are not neutral; the claim is open if all are.

    >>> surest([], np.array([[0.6, 0.2, 0.2], [0.1, 0.8, 0.1], [0.0, 0.1, 0.9]]))
    (0.1, 0.8, 0.1)
    """
    said = shares.argmax(1)
    spoken = np.flatnonzero(said != _OPEN)
    among = spoken if len(spoken) else np.arange(len(shares))
    s, r, n = shares[among[shares[among].max(1).argmax()]].tolist()
    return s, r, n


class EachPair:
    """Judges every piece by itself, and joins the answers by a rule."""

    def __init__(self, inner: VerdictModel, rule: Rule) -> None:
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


class PairVectors(Protocol):
    """Reads each piece of evidence with its claim as a vector."""

    def vectors(
        self, claims: Sequence[str], evidence: Sequence[Sequence[Evidence]]
    ) -> list[Floats]:
        """Return a table for each claim, a row for each of its pieces."""
        ...


def pooled(vectors: Floats) -> Floats:
    """Join the vectors of a claim's pairs: their mean, and the largest of each number.

    >>> pooled(np.array([[1, 4], [3, 0]], np.float32)).tolist()
    [2.0, 2.0, 3.0, 4.0]
    """
    if not len(vectors):
        return np.zeros(2 * vectors.shape[1], np.float32)
    return np.concatenate([vectors.mean(0), vectors.max(0)])


class PooledJudge:
    """Judges a claim by the pooled vectors of its pairs."""

    def __init__(self, inner: PairVectors, network: Any) -> None:
        self._inner, self._network = inner, network

    def judge(self, claims: Sequence[str], evidence: Sequence[Sequence[Evidence]]) -> list[Opinion]:
        """Read every pair, pool, judge."""
        if not claims:
            return []
        rows = [pooled(own) for own in self._inner.vectors(claims, evidence)]
        shares = self._network.probabilities(rows).tolist()
        return [
            Opinion((s, r, n), list(own)) for (s, r, n), own in zip(shares, evidence, strict=True)
        ]


class JointJudge:
    """Judges claims, and puts the sentences that matter most first."""

    def __init__(self, inner: PairVectors, network: Any) -> None:
        self._inner, self._network = inner, network

    def judge(self, claims: Sequence[str], evidence: Sequence[Sequence[Evidence]]) -> list[Opinion]:
        """Choose among each claim's pieces and judge by them; without any, a claim is open."""
        some = [at for at, own in enumerate(evidence) if own]
        opinions = [Opinion((0.0, 0.0, 1.0), []) for _ in claims]
        if not some:
            return opinions
        vectors = self._inner.vectors([claims[at] for at in some], [evidence[at] for at in some])
        shares = self._network.probabilities([(own, None) for own in vectors])
        for at, (s, r, n), own in zip(some, shares.tolist(), vectors, strict=True):
            best = np.argsort(-self._network.weights_of(own), kind="stable")[:CITED].tolist()
            opinions[at] = Opinion((s, r, n), [evidence[at][i] for i in best])
        return opinions


def _sure(verdict: int) -> Probabilities:
    s, r, n = (float(verdict == at) for at in range(3))
    return s, r, n
