"""What a claim asks for, piece by piece: its words in order, and which of them a text speaks of."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from feverfew.corpus import Corpus
from feverfew.retrieve.features import Query
from feverfew.retrieve.mentions import Words

__all__ = ["WINDOWS", "Bools", "ClaimCoverage", "Floats", "Integers"]

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]
Integers = NDArray[np.intp]

WINDOWS = (5, 10, 20)
"""Words of the claim that are looked at together: one page tells of neighbouring words."""
_PIECE = 12
_STEM = 6
_END = re.compile(r"(?<=[.!?;])\s+")


class ClaimCoverage:
    """A claim, ready to be compared with many texts at once."""

    def __init__(self, query: Query, pieces: list[list[str]]) -> None:
        self.query = query
        self.pieces = pieces
        """The claim's sentences, long ones cut into overlapping runs: each may be of one page."""
        self.words = list(query.weights)
        self.weights: Floats = np.array(list(query.weights.values()), np.float32)
        self._keys = [_key(word) for word in self.words]
        self.numbers = [at for at, word in enumerate(self.words) if word[0].isdigit()]
        place = {word: at for at, word in enumerate(self.words)}
        self.order = np.array([place[word] for word in query.words.folded], np.intp)

    @classmethod
    def of(cls, claim: str, corpus: Corpus) -> "ClaimCoverage":
        """Prepare a claim."""
        query = Query.of(claim, corpus)
        pieces: list[list[str]] = []
        at = 0
        for sentence in _END.split(claim):
            size = len(Words.of(sentence).folded)
            own = query.words.folded[at : at + size]
            at += size
            pieces += [
                own[start : start + _PIECE]
                for start in range(0, max(1, size - _PIECE // 2), _PIECE // 2)
            ]
        return cls(query, pieces if len(pieces) > 1 else [])

    def cover(self, texts: Sequence[bytes]) -> Bools:
        """Say which of the claim's different words, or their like, each padded text has."""
        rows = [[key in text for key in self._keys] for text in texts]
        return np.array(rows, bool).reshape(len(texts), len(self.words))

    def windows(self, covered: Bools) -> Floats:
        """Weigh, for each row, the best run of the claim that it covers, for each length."""
        sums = np.zeros((len(covered), len(self.order) + 1), np.float32)
        np.cumsum(covered[:, self.order] * self.weights[self.order], 1, out=sums[:, 1:])
        best = [
            (sums[:, size:] - sums[:, :-size]).max(1) if size < sums.shape[1] else sums[:, -1]
            for size in WINDOWS
        ]
        return np.stack(best, 1)


def _key(word: str) -> bytes:
    """Pad a word so that it is found in padded text; a long one by its beginning only."""
    if len(word) >= _STEM and not word[0].isdigit():
        return f" {word[: _STEM - 1]}".encode(errors="replace")
    return f" {word} ".encode(errors="replace")
