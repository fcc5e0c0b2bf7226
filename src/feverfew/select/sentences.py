"""Rank the sentences of the candidate pages, by named features.

First round: each sentence alone. Second round: all of them again, relative to the best of the
first: what it leaves uncovered, which page it names, which sentence names its page. Many claims
need two sentences. `MultiHopSentences` ranks for claims that need several pages: there a page that
the claim does not name may matter with a sentence that shares few words with it.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from feverfew.corpus import Corpus
from feverfew.models.network import Network
from feverfew.retrieve import Candidate
from feverfew.retrieve.features import Query
from feverfew.select.context import (
    FeatureContext,
    Floats,
    Statement,
    context_of,
    related_words,
    statements,
)
from feverfew.select.features import (
    FEATURES,
    HOP_FEATURES,
    MULTIHOP_FEATURES,
    hop_features,
    multihop_features,
    places_on_page,
    sentence_features,
)
from feverfew.types import Evidence


class Selector(Protocol):
    """Chooses evidence; selectors are combined by wrapping one in another."""

    def select(
        self, claims: Sequence[str], pages: Sequence[Sequence[Candidate]], k: int
    ) -> list[list[Evidence]]:
        """Return the k best pieces of evidence on each claim's pages, best first."""
        ...


PAGES = 8
"""Number of candidate pages that are read."""


class Sentences:
    """Selects sentences by the shipped networks."""

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

    @np.errstate(
        divide="ignore", invalid="ignore", over="ignore"
    )  # BLAS warns of what lies behind an array
    def select(
        self, claims: Sequence[str], pages: Sequence[Sequence[Candidate]], k: int
    ) -> list[list[Evidence]]:
        """Return the k best sentences for each claim, best first."""
        return [self._one(claim, own, k) for claim, own in zip(claims, pages, strict=True)]

    def _one(self, claim: str, pages: Sequence[Candidate], k: int) -> list[Evidence]:
        context = feature_context(self._corpus, claim, pages)
        if not context.statements:
            return []
        rows = sentence_features(context)
        first = self._first.score_array(rows)
        scores = self._second.score_array(np.hstack([rows, hop_features(context, first)]))
        return evidence_of(context, scores, k)


def evidence_of(context: FeatureContext, scores: Floats, k: int) -> list[Evidence]:
    """Take the k best statements of a context, best first."""
    best = np.argsort(-scores, kind="stable")[:k].tolist()
    return [
        _evidence(context, at, float(scores[at]), best[:place]) for place, at in enumerate(best)
    ]


def _evidence(context: FeatureContext, at: int, score: float, better: list[int]) -> Evidence:
    page = int(context.page[at])
    own = context.page_statements[page]
    place = at - int(np.searchsorted(context.page, page))
    # The claim does not name the page, but better evidence on another one does.
    hop = bool(context.title_missing[page]) and any(
        context.names[page, other] for other in better if context.page[other] != page
    )
    return Evidence(
        ref=own[place].ref,
        text=own[place].text,
        context=context_of(own, place),
        score=score,
        hop=int(hop),
        source=own[place].source,
    )


def feature_context(
    corpus: Corpus, claim: str, pages: Sequence[Candidate], count: int = PAGES
) -> FeatureContext:
    """Read a claim's candidate pages, without disambiguation pages: what they say may be about a
    namesake.
    """
    found: list[list[Statement]] = []
    for candidate in pages[:count]:
        page = corpus.store.page(candidate.number)
        found.append(statements(page) if page and not page.disambiguation else [])
    return FeatureContext(Query.of(claim, corpus), pages[:count], found, related_words())


MULTIHOP_PAGES = 20
"""Maximum number of candidate pages that are read."""


_ANOTHER = 0.5
"""The penalty of a sentence for each better one on its page: a claim needs all of its pages."""


def diversify(context: FeatureContext, scores: Floats) -> Floats:
    """Penalise further sentences of the same page."""
    less: Floats = scores - _ANOTHER * places_on_page(scores, context.page)
    return less


class MultiHopContexts:
    """Reads candidate pages and computes the features of all statements."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._first = Network.shipped("first", FEATURES, "selector.json")
        self._second = Network.shipped("second", FEATURES + HOP_FEATURES, "selector.json")

    def read(self, claim: str, pages: Sequence[Candidate]) -> tuple[FeatureContext, Floats]:
        """Return the statements of a claim's pages, and a row of features for each."""
        context = feature_context(self._corpus, claim, pages, MULTIHOP_PAGES)
        if not context.statements:
            return context, np.zeros((0, 0), np.float32)
        rows = sentence_features(context)
        rows = np.hstack([rows, hop_features(context, self._first.score_array(rows))])
        return context, multihop_features(context, rows, self._second.score_array(rows))


class MultiHopSentences:
    """Selects sentences that decide a claim together."""

    def __init__(self, contexts: MultiHopContexts, ranker: Network) -> None:
        self._contexts, self._ranker = contexts, ranker

    @classmethod
    def open(cls, corpus: Corpus) -> "MultiHopSentences":
        """Make the selector with the shipped weights."""
        return cls(
            MultiHopContexts(corpus),
            Network.shipped("sentences", MULTIHOP_FEATURES, "multihop.json"),
        )

    @np.errstate(
        divide="ignore", invalid="ignore", over="ignore"
    )  # BLAS warns of what lies behind an array
    def select(
        self, claims: Sequence[str], pages: Sequence[Sequence[Candidate]], k: int
    ) -> list[list[Evidence]]:
        """Return the k best sentences for each claim, best first."""
        found = []
        for claim, own in zip(claims, pages, strict=True):
            context, rows = self._contexts.read(claim, own)
            scores = self._ranker.score_array(rows) if len(rows) else np.zeros(0, np.float32)
            found.append(evidence_of(context, diversify(context, scores), k))
        return found
