"""Sentences chosen as the papers do it: by TF-IDF, by nearness of words, or from all pages.

- `bigram`, `unigram`: TF-IDF as in FEVER's baseline; how rare an n-gram is, is counted among the
  very sentences that a claim may choose from;
- `keywords`: the share of the claim's words that the sentence has (Ohio State, UCL, 2018);
- `sif`: cosine of word vectors weighed by smooth inverse frequency (Arora et al., 2017);
- `mover`: how far words must move to become the other's, relaxed (Kusner et al., 2015);
- `direct`: every sentence of the corpus is indexed, and no page is needed (GESIS Cologne, 2018).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from feverfew.corpus import Corpus
from feverfew.lab.papers.pages import phrases
from feverfew.lab.papers.tfidf import STOP_WORDS, Grams, TfIdfIndex
from feverfew.lab.papers.vectors import Vectors, shared_words
from feverfew.retrieve import Candidate
from feverfew.select.context import Statement, context_of, statements
from feverfew.text import display_title, words
from feverfew.types import Evidence, Kind

Reals = NDArray[np.float64]
Nearness = Callable[[str, Sequence[str]], Reals]
"""A claim and texts in, a number for each text out: the nearer, the higher."""
_SMOOTH = 1e-2
"""How soon frequent words lose weight; the candidates of one claim are a small sample."""
_LONGEST = 60
"""Words of a text that are compared."""


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
    return [evidence_of(said[places[i][0]], places[i][1], float(scores[i])) for i in best]


def evidence_of(said: Sequence[Statement], at: int, score: float) -> Evidence:
    """Make evidence of one of a page's statements."""
    return Evidence(ref=said[at].ref, text=said[at].text, context=context_of(said, at), score=score)


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
            evidence_of(own, at, -float(rank))
            for rank, own in enumerate(read_sentences(self._corpus, pages))
            for at in range(len(own))
        ]


class DirectSentences(TfIdfIndex):
    """Selects among all sentences of a corpus, whatever pages were found.

    A sentence is indexed with its page's title; a claim asks with its phrases.
    """

    what, columns = "sentences", ("pages", "lines")

    @classmethod
    def build(cls, corpus: Corpus, folder: Path) -> None:
        """Index a corpus's sentences into a folder."""
        pages: list[int] = []
        lines: list[int] = []

        def texts() -> Iterator[str]:
            for number, page in corpus.store.numbered_pages(0, corpus.store.last_number()):
                title = display_title(page.title)
                for sentence in page.sentences:
                    if sentence.text:
                        pages.append(number)
                        lines.append(sentence.index)
                        yield f"{title} | {sentence.text}"

        cls.write(corpus, folder, texts(), {"pages": pages, "lines": lines})

    @classmethod
    def open(cls, corpus: Corpus, folder: Path) -> "DirectSentences":
        """Open an index; it must be of this very corpus."""
        return cls(corpus, *cls.read(corpus, folder))

    def select(
        self, claims: Sequence[str], pages: Sequence[Sequence[Candidate]], k: int
    ) -> list[list[Evidence]]:
        """Return the k nearest sentences of all."""
        questions = [" ".join(phrases(claim)) or claim for claim in claims]
        nearest = self.nearest(questions, k, cosine=True)
        found = [[self._evidence(row, score) for row, score in own] for own in nearest]
        return [[piece for piece in own if piece is not None] for own in found]

    def _evidence(self, row: int, score: float) -> Evidence | None:
        page = self._corpus.store.page(int(self._arrays["pages"][row]))
        line = int(self._arrays["lines"][row])
        said = statements(page) if page else []
        for at, one in enumerate(said):
            if one.ref.kind is Kind.SENTENCE and one.line == line:
                return evidence_of(said, at, score)
        return None


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
