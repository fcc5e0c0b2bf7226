"""Sentences searched without pages (GESIS Cologne, 2018): every sentence of a corpus is indexed.

TF-IDF over hashed words and pairs as in DrQA's search of pages, with the cosine, since sentences
differ in length; a sentence is indexed with its page's title. A claim asks with its phrases.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feverfew.corpus import Corpus
from feverfew.lab.papers.drqa import weighed
from feverfew.lab.papers.grams import BINS, Grams
from feverfew.lab.papers.spans import phrases
from feverfew.lab.papers.sparseindex import csr, open_index, write_index
from feverfew.retrieve import Candidate
from feverfew.select.context import context_of, statements
from feverfew.text import display_title
from feverfew.types import Evidence, Kind

__all__ = ["DirectSentences", "NoPages"]

_ASKED = 64
"""Claims that are asked at once: each may match a tenth of all sentences."""


class NoPages:
    """Retrieves nothing: for systems that search for sentences."""

    def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        """Return no page for any claim."""
        return [[] for _ in claims]


class DirectSentences:
    """Selects among all sentences of a corpus, whatever pages were found."""

    def __init__(self, corpus: Corpus, matrix: Any, arrays: dict[str, NDArray[Any]]) -> None:
        self._corpus, self._grams = corpus, Grams()
        self._pages, self._lines = arrays["pages"], arrays["lines"]
        self._rarity = arrays["rarity"]
        self._matrix = matrix

    @classmethod
    def build(cls, corpus: Corpus, folder: Path) -> None:
        """Index a corpus's sentences into a folder."""
        csr_matrix = csr()
        pages, lines, owners, bins, counts = _counted(corpus)
        tf_idf, rarity = weighed(bins, counts, len(pages))
        starts = np.searchsorted(owners, np.arange(len(pages) + 1))
        lengths = np.sqrt(np.bincount(owners, tf_idf**2, len(pages))).astype(np.float32)
        tf_idf = tf_idf / np.maximum(lengths, 1e-9)[owners]
        rows = csr_matrix((tf_idf, bins, starts), shape=(len(pages), BINS))
        write_index(corpus, folder, rows, {"pages": pages, "lines": lines, "rarity": rarity})

    @classmethod
    def open(cls, corpus: Corpus, folder: Path) -> "DirectSentences":
        """Open an index where it lies; it must be of this very corpus."""
        return cls(corpus, *open_index(corpus, folder, "sentences", ("pages", "lines", "rarity")))

    def select(
        self, claims: Sequence[str], pages: Sequence[Sequence[Candidate]], k: int
    ) -> list[list[Evidence]]:
        """Return the k nearest sentences of all."""
        found: list[list[Evidence]] = []
        for start in range(0, len(claims), _ASKED):
            found += self._ask(claims[start : start + _ASKED], k)
        return found

    def _ask(self, claims: Sequence[str], k: int) -> list[list[Evidence]]:
        table = csr()
        rows, columns, weights = [], [], []
        for row, claim in enumerate(claims):
            bins, counts = np.unique(self._grams.bins(_question(claim)), return_counts=True)
            own = np.log1p(counts).astype(np.float32) * self._rarity[bins]
            weights.append(own / max(float(np.linalg.norm(own)), 1e-9))
            rows.append(np.full(len(bins), row))
            columns.append(bins)
        places = (np.concatenate(rows), np.concatenate(columns))
        asked = table((np.concatenate(weights), places), shape=(len(claims), BINS))
        scores = asked @ self._matrix
        return [
            self._best(scores.indices[a:b], scores.data[a:b], k)
            for a, b in zip(scores.indptr, scores.indptr[1:], strict=False)
        ]

    def _best(self, places: NDArray[Any], scores: NDArray[Any], k: int) -> list[Evidence]:
        if len(scores) > k:
            kept = np.argpartition(-scores, k)[:k]
            places, scores = places[kept], scores[kept]
        order = np.lexsort((places, -scores))  # of equals, the sentence that came first
        found = [
            self._evidence(int(self._pages[at]), int(self._lines[at]), float(score))
            for at, score in zip(places[order], scores[order], strict=True)
        ]
        return [piece for piece in found if piece is not None]

    def _evidence(self, number: int, line: int, score: float) -> Evidence | None:
        page = self._corpus.store.page(number)
        said = statements(page) if page else []
        for at, one in enumerate(said):
            if one.ref.kind is Kind.SENTENCE and one.line == line:
                return Evidence(
                    ref=one.ref, text=one.text, context=context_of(said, at), score=score
                )
        return None


def _question(claim: str) -> str:
    return " ".join(phrases(claim)) or claim


def _counted(corpus: Corpus) -> tuple[NDArray[Any], ...]:
    """Count the bins of every sentence: where each stands; and its owner, bins and counts."""
    grams = Grams()
    pages: list[int] = []
    lines: list[int] = []
    keys, counts = [np.zeros(0, np.int64)], [np.zeros(0, np.int32)]
    for number, page in corpus.store.numbered_pages(0, corpus.store.last_number()):
        title = display_title(page.title)
        own = []
        for sentence in page.sentences:
            if sentence.text:
                # One number for a sentence and a bin, so that a page is counted at once.
                own.append(grams.bins(f"{title} | {sentence.text}") + len(pages) * BINS)
                pages.append(number)
                lines.append(sentence.index)
        if own:
            key, often = np.unique(np.concatenate(own), return_counts=True)
            keys.append(key)
            counts.append(often.astype(np.int32))
    every = np.concatenate(keys)
    owners, bins = (every // BINS).astype(np.int32), (every % BINS).astype(np.int32)
    places = np.array(pages, np.int64), np.array(lines, np.int32)
    return *places, owners, bins, np.concatenate(counts)
