"""Pairs as vectors, pooled for a claim and judged together (Athene UKP TU Darmstadt, 2018)."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from feverfew.lab.papers.judges import Opinion
from feverfew.lab.papers.pairwise import Table, Weigher
from feverfew.types import Evidence

__all__ = ["PooledJudge", "Vectored", "pooled"]

Floats = NDArray[np.float32]


class Vectored(Protocol):
    """Reads each piece of evidence beside its claim as a vector."""

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

    def __init__(self, inner: Vectored, weigher: Weigher) -> None:
        self._inner, self._weigher = inner, weigher

    def judge(self, claims: Sequence[str], evidence: Sequence[Sequence[Evidence]]) -> list[Opinion]:
        """Read every pair, pool, judge."""
        if not claims:
            return []
        rows = np.stack([pooled(own) for own in self._inner.vectors(claims, evidence)])
        shares = self._weigher.probabilities(Table(rows)).tolist()
        return [
            Opinion((s, r, n), list(own)) for (s, r, n), own in zip(shares, evidence, strict=True)
        ]
