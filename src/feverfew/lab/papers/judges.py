"""What a judge is here: claims and evidence in, opinions out; the simplest ones, and our own."""

import random
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.errors import InputError
from feverfew.judge import Judge, Probabilities, likeliest
from feverfew.judge.judge import pieces_of
from feverfew.lab.papers.attention import Attention
from feverfew.types import Evidence, Verdict

__all__ = ["Always", "Chance", "Found", "Given", "Network", "Opinion", "VerdictModel"]

_AT_ONCE = 64
_WEIGHED = 8
"""Sentences that our judge reads, to weigh the five that matter most."""


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


class Network:
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
        """Read each piece alone beside its claim: a table for each claim, a row a piece."""
        if not isinstance(self._model, Attention):
            raise InputError("this judge has no vectors of pairs; 'da' and 'da-scored' have")
        asked = [claim for claim, own in zip(claims, evidence, strict=True) for _ in own]
        texts = [piece.text for own in evidence for piece in own]
        every = self._model.vectors(self._model.prepare(asked, texts))
        ends = np.cumsum([len(own) for own in evidence]).tolist()
        return [every[end - len(own) : end] for end, own in zip(ends, evidence, strict=True)]


class Given:
    """Our judge, for evidence that is known to matter."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def judge(self, claims: Sequence[str], evidence: Sequence[Sequence[Evidence]]) -> list[Opinion]:
        """Judge by all pieces."""
        judged = []
        for start in range(0, len(claims), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            pieces = [pieces_of(own) for own in evidence[part]]
            judged += self._judge.judge(claims[part], pieces)
        return [
            Opinion(one.probabilities, list(own)) for one, own in zip(judged, evidence, strict=True)
        ]


class Found:
    """Our judge, for evidence that was found: it keeps the pieces that matter most."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def judge(self, claims: Sequence[str], evidence: Sequence[Sequence[Evidence]]) -> list[Opinion]:
        """Choose among the pieces, and judge by those chosen."""
        opinions = []
        for start in range(0, len(claims), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            near = [list(own[:_WEIGHED]) for own in evidence[part]]
            chosen = self._judge.choose(claims[part], near)
            judged = self._judge.judge_chosen(chosen)
            opinions += [
                Opinion(one.probabilities, own.evidence)
                for one, own in zip(judged, chosen, strict=True)
            ]
        return opinions


def _sure(verdict: int) -> Probabilities:
    s, r, n = (float(verdict == at) for at in range(3))
    return s, r, n
