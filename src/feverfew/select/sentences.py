"""The cheap ranking of sentences: every sentence of the candidate pages, by named features.

First round: each sentence by itself. Second round: all of them anew, beside the best of the
first: what it leaves open, whom it names, who names it. Many claims need two sentences.
"""

from collections.abc import Sequence

import numpy as np

from feverfew.corpus import Corpus
from feverfew.models.network import Network
from feverfew.retrieve import Candidate
from feverfew.retrieve.features import Query
from feverfew.select.context import Statement, context_of, statements
from feverfew.select.feature_context import FeatureContext, Floats
from feverfew.select.features import FEATURES, HOP_FEATURES, hop_features, sentence_features
from feverfew.select.related import related_words
from feverfew.types import Evidence

__all__ = ["PAGES", "Sentences", "evidence_of", "feature_context"]

PAGES = 8
"""How many of a claim's candidate pages are read."""


class Sentences:
    """Selects sentences by the shipped networks alone."""

    def __init__(self, corpus: Corpus, first: Network, second: Network) -> None:
        self._corpus = corpus
        self._first, self._second = first, second

    @classmethod
    def open(cls, corpus: Corpus) -> "Sentences":
        """Make the selector with the shipped weights."""
        return cls(
            corpus,
            Network.shipped("first", FEATURES, "selector.json"),
            Network.shipped("second", FEATURES + HOP_FEATURES, "selector.json"),
        )

    def select(
        self, claims: Sequence[str], pages: Sequence[Sequence[Candidate]], k: int
    ) -> list[list[Evidence]]:
        """Return the k best sentences for each claim, best first."""
        return [self._one(claim, own, k) for claim, own in zip(claims, pages, strict=True)]

    def _one(self, claim: str, pages: Sequence[Candidate], k: int) -> list[Evidence]:
        scene = feature_context(self._corpus, claim, pages)
        if not scene.statements:
            return []
        rows = sentence_features(scene)
        first = self._first.score_array(rows)
        scores = self._second.score_array(np.hstack([rows, hop_features(scene, first)]))
        return evidence_of(scene, scores, k)


def evidence_of(scene: FeatureContext, scores: Floats, k: int) -> list[Evidence]:
    """Take the k best statements of a scene, best first."""
    best = np.argsort(-scores, kind="stable")[:k].tolist()
    return [_evidence(scene, at, float(scores[at]), best[:place]) for place, at in enumerate(best)]


def _evidence(scene: FeatureContext, at: int, score: float, better: list[int]) -> Evidence:
    page = int(scene.page[at])
    own = scene.said[page]
    place = at - int(np.searchsorted(scene.page, page))
    # The claim does not name the page, but better evidence on another one does.
    hop = bool(scene.title_missing[page]) and any(
        scene.names[page, other] for other in better if scene.page[other] != page
    )
    return Evidence(
        ref=own[place].ref,
        text=own[place].text,
        context=context_of(own, place),
        score=score,
        hop=int(hop),
    )


def feature_context(
    corpus: Corpus, claim: str, pages: Sequence[Candidate], count: int = PAGES
) -> FeatureContext:
    """Read a claim's candidate pages.

    One that lists what else bears a name proves nothing: of a namesake, all else is true.
    """
    said: list[list[Statement]] = []
    for candidate in pages[:count]:
        page = corpus.store.page(candidate.number)
        said.append(statements(page) if page and not page.disambiguation else [])
    return FeatureContext(Query.of(claim, corpus), pages[:count], said, related_words())
