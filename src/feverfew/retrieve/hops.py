"""Search in rounds: what was found asks the next question.

Each round scores all pages met so far, reads the best that were not read yet, and meets the
pages that they lead to (`trail`). A page's score weighs the page, who led to it, what the best
others leave open (`trail_features`), and, once it was read, how much the encoder says it matters
to the claim, beside the sentence that led to it (`heard`). Rounds end when the best pages have all
been read: then nothing new helps.
"""

from collections.abc import Sequence

import numpy as np

from feverfew.corpus import Corpus
from feverfew.models.network import Network
from feverfew.retrieve.base import Candidate, Retriever
from feverfew.retrieve.claim_coverage import Floats
from feverfew.retrieve.encoder_rerank import Reader, hear
from feverfew.retrieve.hop_paths import ways
from feverfew.retrieve.multihop import MultiHopSearch
from feverfew.retrieve.multihop_features import TRAIL_FEATURES, trail_features
from feverfew.retrieve.ranked import Ranked

__all__ = ["ROUNDS", "SEEDS", "Hops", "beam", "extended"]

ROUNDS = (6, 5, 4)
"""How many pages are read in each round."""
SEEDS = 32
_NEAR = 12
"""A page that is not among so many best is not worth reading."""


_TOGETHER = 16
"""Claims that are led on together: what they read is read at once."""


class Hops:
    """A retriever that starts from another's pages, and follows where they lead."""

    def __init__(
        self, corpus: Corpus, inner: Retriever, rankers: Sequence[Network], reader: Reader
    ) -> None:
        self._corpus = corpus
        self._inner = inner
        self._rankers = rankers
        self._reader = reader

    @classmethod
    def open(
        cls, corpus: Corpus, reader: Reader | None = None, rounds: int = len(ROUNDS)
    ) -> "Hops":
        """Make the retriever with the shipped weights, on top of Ranked."""
        if reader is None:
            from feverfew.models.encoder import Encoder

            reader = Encoder.shipped()
        rankers = [
            Network.shipped(f"round {number}", TRAIL_FEATURES, "hops.json")
            for number in range(rounds + 1)
        ]
        return cls(corpus, Ranked.open(corpus), rankers, reader)

    def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        """Return the k best pages for each claim."""
        found: list[list[Candidate]] = []
        for start in range(0, len(claims), _TOGETHER):
            some = claims[start : start + _TOGETHER]
            seeds = self._inner.retrieve(some, SEEDS)
            trails = [MultiHopSearch(self._corpus, *one) for one in zip(some, seeds, strict=True)]
            found += [
                _best(trail, scores, k)
                for trail, scores in zip(trails, self._lead(trails), strict=True)
            ]
        return found

    def _lead(self, trails: Sequence[MultiHopSearch]) -> list[Floats]:
        """Go through all rounds; return the scores of the pages met."""
        scores = [
            self._rankers[0].score_array(trail_features(trail, np.zeros(len(trail), np.float32)))
            for trail in trails
        ]
        for width, ranker in zip(ROUNDS, self._rankers[1:], strict=False):
            ahead = [beam(*one, width) for one in zip(trails, scores, strict=True)]
            hear(self._reader, trails, ahead, scores)
            for at, (trail, places) in enumerate(zip(trails, ahead, strict=True)):
                if places:
                    trail.follow(places)
                    known = extended(scores[at], len(trail))
                    scores[at] = ranker.score_array(trail_features(trail, known))
        return scores


def _best(trail: MultiHopSearch, scores: Floats, k: int) -> list[Candidate]:
    led = ways(trail, scores)
    return [
        Candidate(trail.numbers[at], trail.titles[at], float(scores[at]), led.get(at))
        for at in np.argsort(-scores, kind="stable")[:k].tolist()
    ]


def beam(trail: MultiHopSearch, scores: Floats, width: int) -> list[int]:
    """Choose the pages to read next: the best that were not read, if they are good enough."""
    order = np.argsort(-scores, kind="stable").tolist()
    return [at for at in order[:_NEAR] if at not in trail.read][:width]


def extended(scores: Floats, count: int) -> Floats:
    """Give pages that were just met the lowest score."""
    lowest = scores.min(initial=0)
    return np.concatenate([scores, np.full(count - len(scores), lowest, np.float32)])
