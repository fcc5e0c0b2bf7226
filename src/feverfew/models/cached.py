"""An encoder that reads each pair only once, until it is told to forget.

The stages of one check ask for many of the same pairs. A pair's result does not depend on its
batch, so remembering it changes nothing but the time.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from feverfew.models.heads import WIDTH

__all__ = ["CachedEncoder", "PairReader"]

Array = NDArray[np.float32]


class PairReader(Protocol):
    """Reads pairs of claim and evidence: an encoder does."""

    @property
    def fingerprint(self) -> str: ...
    def logits(self, pairs: Sequence[tuple[str, str]]) -> Array: ...
    def relevance(self, pairs: Sequence[tuple[str, str]]) -> list[float]: ...


class CachedEncoder:
    """Wraps an encoder."""

    def __init__(self, encoder: PairReader) -> None:
        self._encoder = encoder
        self._known: dict[tuple[str, str], Array] = {}

    @property
    def fingerprint(self) -> str:
        """Names the weights."""
        return self._encoder.fingerprint

    def logits(self, pairs: Sequence[tuple[str, str]]) -> Array:
        """Return the outputs of all heads, one row per pair."""
        fresh = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        self._known.update(zip(fresh, self._encoder.logits(fresh), strict=True))
        rows = [self._known[pair] for pair in pairs]
        return np.array(rows, np.float32).reshape(-1, WIDTH)

    def relevance(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return how likely each evidence is to matter to its claim, from 0 to 1."""
        shares: list[float] = (1 / (1 + np.exp(-self.logits(pairs)[:, 3].clip(-30, 30)))).tolist()
        return shares

    def forget(self) -> None:
        """Drop what was read."""
        self._known.clear()
