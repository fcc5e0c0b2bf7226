"""Sentences ranked by TF-IDF, as FEVER's baseline does it: with pairs as DrQA, or words alone.

How rare an n-gram is, is counted among the very sentences that a claim may choose from.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from feverfew.corpus import Corpus
from feverfew.lab.papers.grams import Grams
from feverfew.retrieve import Candidate
from feverfew.select.context import Statement, context_of, statements
from feverfew.types import Evidence, Kind

__all__ = ["AllSentences", "Nearness", "Reals", "TfIdfSentences", "nearest", "read_sentences"]

Reals = NDArray[np.float64]
Nearness = Callable[[str, Sequence[str]], Reals]
"""A claim and texts in, a number for each text out: the nearer, the higher."""


def read_sentences(corpus: Corpus, pages: Sequence[Candidate]) -> list[list[Statement]]:
    """Read the sentences of candidate pages, page by page."""
    found = []
    for candidate in pages:
        page = corpus.store.page(candidate.number)
        own = statements(page) if page else []
        found.append([said for said in own if said.ref.kind is Kind.SENTENCE])
    return found


def nearest(
    corpus: Corpus, claim: str, pages: Sequence[Candidate], k: int, score: Nearness
) -> list[Evidence]:
    """Rank the sentences of a claim's pages by how near they are to it."""
    said = read_sentences(corpus, pages)
    places = [(page, at) for page, own in enumerate(said) for at in range(len(own))]
    if not places:
        return []
    scores = score(claim, [said[page][at].text for page, at in places])
    best = np.argsort(-scores, kind="stable")[:k].tolist()
    return [
        Evidence(
            ref=said[page][at].ref,
            text=said[page][at].text,
            context=context_of(said[page], at),
            score=float(scores[i]),
        )
        for i, (page, at) in ((i, places[i]) for i in best)
    ]


class TfIdfSentences:
    """Selects the sentences nearest to the claim."""

    def __init__(self, corpus: Corpus, grams: Grams, *, okapi: bool) -> None:
        self._corpus, self._grams, self._okapi = corpus, grams, okapi

    @classmethod
    def bigram(cls, corpus: Corpus) -> "TfIdfSentences":
        """As DrQA weighs: words and pairs without stop words, logarithms of counts."""
        return cls(corpus, Grams(), okapi=True)

    @classmethod
    def unigram(cls, corpus: Corpus) -> "TfIdfSentences":
        """As NLTK weighs: words alone, stop words too, plain counts."""
        return cls(corpus, Grams(pairs=False, stop_words=True), okapi=False)

    def select(
        self, claims: Sequence[str], pages: Sequence[Sequence[Candidate]], k: int
    ) -> list[list[Evidence]]:
        """Return the k nearest sentences on each claim's pages."""
        asked = zip(claims, pages, strict=True)
        return [nearest(self._corpus, claim, own, k, self.scores) for claim, own in asked]

    def scores(self, claim: str, texts: Sequence[str]) -> Reals:
        """Compute the cosine between the claim and each text."""
        counted = [np.unique(self._grams.bins(t), return_counts=True) for t in (claim, *texts)]
        known, place = np.unique(np.concatenate([b for b, _ in counted]), return_inverse=True)
        owner = np.repeat(np.arange(len(counted)), [len(b) for b, _ in counted])
        counts = np.concatenate([c for _, c in counted]).astype(np.float64)
        frequency = np.bincount(place[owner > 0], minlength=len(known)).astype(np.float64)
        table = np.zeros((len(counted), len(known)))
        table[owner, place] = (np.log1p(counts) if self._okapi else counts) * self._rarity(
            frequency, len(texts)
        )[place]
        lengths = np.sqrt((table**2).sum(1)) + 1e-9
        cosines: Reals = table[1:] @ table[0] / (lengths[1:] * lengths[0])
        return cosines

    def _rarity(self, frequency: Reals, texts: int) -> Reals:
        if self._okapi:
            rarity: Reals = np.log((texts - frequency + 0.5) / (frequency + 0.5)).clip(0)
        else:
            rarity = np.log(texts / np.maximum(frequency, 1))
        return rarity


class AllSentences:
    """Selects nothing: every sentence of every page, in reading order, up to k."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def select(
        self, claims: Sequence[str], pages: Sequence[Sequence[Candidate]], k: int
    ) -> list[list[Evidence]]:
        """Return the first k sentences of each claim's pages."""
        return [self._one(own)[:k] for own in pages]

    def _one(self, pages: Sequence[Candidate]) -> list[Evidence]:
        return [
            Evidence(
                ref=own[at].ref, text=own[at].text, context=context_of(own, at), score=-float(rank)
            )
            for rank, own in enumerate(read_sentences(self._corpus, pages))
            for at in range(len(own))
        ]
