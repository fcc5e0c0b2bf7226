"""The ranking of sentences for claims that need several pages.

It was learned from such claims: a page that the claim does not name may matter with a sentence
that shares few words with it, and a sentence may matter because it names the next page.
"""

from collections.abc import Sequence

import numpy as np

from feverfew.corpus import Corpus
from feverfew.models.network import Network
from feverfew.retrieve import Candidate
from feverfew.select.feature_context import FeatureContext, Floats
from feverfew.select.features import FEATURES, HOP_FEATURES, hop_features, sentence_features
from feverfew.select.multihop_features import CHAIN_FEATURES, chain_features, places_on_page
from feverfew.select.sentences import evidence_of, feature_context
from feverfew.types import Evidence

__all__ = ["CHAIN_PAGES", "ChainScenes", "Chained", "diversify"]

CHAIN_PAGES = 20
"""How many of a claim's candidate pages are read, of however many there are."""


_ANOTHER = 0.5
"""What a sentence loses for each better one of its page: a claim needs all of its pages."""


def diversify(scene: FeatureContext, scores: Floats) -> Floats:
    """Let sentences of a page that has its say already stand back a little."""
    less: Floats = scores - _ANOTHER * places_on_page(scores, scene.page)
    return less


class ChainScenes:
    """Reads candidate pages, and describes every statement on them."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._first = Network.shipped("first", FEATURES, "selector.json")
        self._second = Network.shipped("second", FEATURES + HOP_FEATURES, "selector.json")

    def read(self, claim: str, pages: Sequence[Candidate]) -> tuple[FeatureContext, Floats]:
        """Return the statements of a claim's pages, and a row of features for each."""
        scene = feature_context(self._corpus, claim, pages, CHAIN_PAGES)
        if not scene.statements:
            return scene, np.zeros((0, 0), np.float32)
        rows = sentence_features(scene)
        rows = np.hstack([rows, hop_features(scene, self._first.score_array(rows))])
        return scene, chain_features(scene, rows, self._second.score_array(rows))


class Chained:
    """Selects sentences that settle a claim together."""

    def __init__(self, scenes: ChainScenes, ranker: Network) -> None:
        self._scenes, self._ranker = scenes, ranker

    @classmethod
    def open(cls, corpus: Corpus) -> "Chained":
        """Make the selector with the shipped weights."""
        return cls(
            ChainScenes(corpus), Network.shipped("sentences", CHAIN_FEATURES, "multihop.json")
        )

    def select(
        self, claims: Sequence[str], pages: Sequence[Sequence[Candidate]], k: int
    ) -> list[list[Evidence]]:
        """Return the k best sentences for each claim, best first."""
        found = []
        for claim, own in zip(claims, pages, strict=True):
            scene, rows = self._scenes.read(claim, own)
            scores = self._ranker.score_array(rows) if len(rows) else np.zeros(0, np.float32)
            found.append(evidence_of(scene, diversify(scene, scores), k))
        return found
