"""Search in rounds: what was found asks the next question.

Each round scores all pages met so far, reads the best that were not read yet, and meets the
pages that they lead to (`trail`). A page's score weighs the page, who led to it, and what the
best others leave open (`trail_features`). Rounds end when the best pages have all been read:
then nothing new helps.
"""

from collections.abc import Sequence

import numpy as np

from feverfew.corpus import Corpus
from feverfew.retrieve.asked import Floats
from feverfew.retrieve.base import Candidate, Retriever
from feverfew.retrieve.ranked import Ranked
from feverfew.retrieve.ranker import Ranker
from feverfew.retrieve.trail import Trail
from feverfew.retrieve.trail_features import TRAIL_FEATURES, trail_features
from feverfew.retrieve.ways import ways

__all__ = ["ROUNDS", "SEEDS", "Hops", "beam", "extended"]

ROUNDS = (6, 5, 4)
"""How many pages are read in each round."""
SEEDS = 32
_NEAR = 12
"""A page that is not among so many best is not worth reading."""


class Hops:
    """A retriever that starts from another's pages, and follows where they lead."""

    def __init__(self, corpus: Corpus, inner: Retriever, rankers: Sequence[Ranker]) -> None:
        self._corpus = corpus
        self._inner = inner
        self._rankers = rankers

    @classmethod
    def open(cls, corpus: Corpus) -> "Hops":
        """Make the retriever with the shipped weights, on top of Ranked."""
        rankers = [
            Ranker.shipped(f"round {number}", TRAIL_FEATURES, "hops.json")
            for number in range(len(ROUNDS) + 1)
        ]
        return cls(corpus, Ranked.open(corpus), rankers)

    def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        """Return the k best pages for each claim."""
        seeds = self._inner.retrieve(claims, SEEDS)
        return [self._one(claim, own, k) for claim, own in zip(claims, seeds, strict=True)]

    def _one(self, claim: str, seeds: Sequence[Candidate], k: int) -> list[Candidate]:
        trail = Trail(self._corpus, claim, seeds)
        unknown: Floats = np.zeros(len(trail), np.float32)
        scores = self._rankers[0].score_array(trail_features(trail, unknown))
        for width, ranker in zip(ROUNDS, self._rankers[1:], strict=True):
            places = beam(trail, scores, width)
            if not places:
                break
            trail.follow(places)
            scores = ranker.score_array(trail_features(trail, extended(scores, len(trail))))
        best = np.argsort(-scores, kind="stable")[:k].tolist()
        led = ways(trail, scores)
        return [
            Candidate(trail.numbers[at], trail.titles[at], float(scores[at]), led.get(at))
            for at in best
        ]


def beam(trail: Trail, scores: Floats, width: int) -> list[int]:
    """Choose the pages to read next: the best that were not read, if they are good enough."""
    order = np.argsort(-scores, kind="stable").tolist()
    return [at for at in order[:_NEAR] if at not in trail.read][:width]


def extended(scores: Floats, count: int) -> Floats:
    """Give pages that were just met the lowest score."""
    lowest = scores.min(initial=0)
    return np.concatenate([scores, np.full(count - len(scores), lowest, np.float32)])
