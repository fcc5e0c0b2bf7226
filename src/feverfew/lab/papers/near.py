"""How near a sentence is to a claim, as the shared task's systems measured it (2018).

- `keywords`: the share of the claim's words that the sentence has (Ohio State, UCL);
- `sif`: cosine of word vectors weighed by smooth inverse frequency (Arora et al., 2017);
- `mover`: how far words must be moved to become the other's, relaxed (Kusner et al., 2015).
"""

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from feverfew.corpus import Corpus
from feverfew.lab.papers.grams import STOP_WORDS
from feverfew.lab.papers.sentences import Nearness, Reals, nearest
from feverfew.lab.papers.vectors import Vectors
from feverfew.retrieve import Candidate
from feverfew.text import words
from feverfew.types import Evidence

__all__ = ["NEARNESS", "NearSentences", "keywords", "mover", "shared_words", "sif"]

_SMOOTH = 1e-2
"""How soon frequent words lose weight; the candidates of one claim are a small sample."""
_LONGEST = 60
"""Words of a text that are compared."""


class NearSentences:
    """Selects the sentences that a measure calls nearest."""

    def __init__(self, corpus: Corpus, measure: Nearness) -> None:
        self._corpus, self._measure = corpus, measure

    def select(
        self, claims: Sequence[str], pages: Sequence[Sequence[Candidate]], k: int
    ) -> list[list[Evidence]]:
        """Return the k nearest sentences on each claim's pages."""
        asked = zip(claims, pages, strict=True)
        return [nearest(self._corpus, claim, own, k, self._measure) for claim, own in asked]


def keywords(vectors: Vectors) -> Nearness:
    """Count words in common, but for stop words."""

    def measure(claim: str, texts: Sequence[str]) -> Reals:
        return np.array([shared_words(claim, text) for text in texts])

    return measure


def shared_words(claim: str, text: str) -> float:
    """Return the share of a claim's words, but for stop words, that a text has."""
    wanted = _content(claim)
    return len(wanted & _content(text)) / (len(wanted) or 1)


def sif(vectors: Vectors) -> Nearness:
    """Compare weighed means of word vectors, without what all of them have in common."""

    def measure(claim: str, texts: Sequence[str]) -> Reals:
        split = [words(text)[:_LONGEST] for text in (claim, *texts)]
        counts = Counter(word for own in split for word in own)
        total = sum(counts.values()) or 1
        means = np.zeros((len(split), vectors.table.shape[1]))
        for at, own in enumerate(split):
            if own:
                rows = vectors.table[vectors.tokens(" ".join(own), _LONGEST)[1:]]
                shares = np.array([_SMOOTH / (_SMOOTH + counts[word] / total) for word in own])
                means[at] = shares @ rows / len(own)
        common = np.linalg.svd(means, full_matrices=False)[2][0]
        left = means - np.outer(means @ common, common)
        lengths = np.linalg.norm(left, axis=1) + 1e-9
        cosines: Reals = left[1:] @ left[0] / (lengths[1:] * lengths[0])
        return cosines

    return measure


def mover(vectors: Vectors) -> Nearness:
    """Move every word to the nearest one of the other text; the longer way of the two counts."""

    def measure(claim: str, texts: Sequence[str]) -> Reals:
        said = _rows(vectors, claim)
        return np.array([-_way(said, _rows(vectors, text)) for text in texts])

    return measure


NEARNESS: dict[str, Callable[[Vectors], Nearness]] = {
    "keywords": keywords,
    "sif": sif,
    "mover": mover,
}
"""Measures of nearness by name."""


def _content(text: str) -> set[str]:
    return {word for word in words(text) if word not in STOP_WORDS}


def _rows(vectors: Vectors, text: str) -> Reals:
    kept = " ".join(word for word in words(text) if word not in STOP_WORDS)
    rows: Reals = vectors.table[vectors.tokens(kept, _LONGEST)[1:]].astype(np.float64)
    return rows


def _way(first: Reals, second: Reals) -> float:
    if not len(first) or not len(second):
        return 2.0  # as far as two vectors of length 1 can be apart
    squares = np.maximum(2 - 2 * first @ second.T, 0)
    ways = np.sqrt(squares)
    return float(max(ways.min(1).mean(), ways.min(0).mean()))
