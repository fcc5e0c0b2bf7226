"""DrQA's page search (Chen et al., 2017): TF-IDF over hashed words and pairs, as sparse matrices.

`cosine` is what the papers describe; DrQA's own code leaves the length of pages out, which
`cosine=False` does too.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feverfew.corpus import Corpus
from feverfew.lab.papers.grams import BINS, Grams
from feverfew.lab.papers.sparseindex import csr, open_index, write_index
from feverfew.retrieve.base import Candidate
from feverfew.types import Page

__all__ = ["DrQA", "page_text", "weighed"]

_ASKED = 256
"""Claims that are asked at once."""


def page_text(page: Page) -> str:
    """Return what the papers index of a page: its sentences."""
    return " ".join(sentence.text for sentence in page.sentences)


class DrQA:
    """Retrieves the pages whose TF-IDF vectors are nearest to the claim's."""

    def __init__(
        self, corpus: Corpus, matrix: Any, arrays: dict[str, NDArray[Any]], *, cosine: bool = True
    ) -> None:
        self._corpus, self._cosine, self._grams = corpus, cosine, Grams()
        self._numbers, self._lengths = arrays["numbers"], arrays["lengths"]
        self._rarity = arrays["rarity"]
        self._matrix = matrix

    @classmethod
    def build(cls, corpus: Corpus, folder: Path, text: Callable[[Page], str] = page_text) -> None:
        """Index a corpus into a folder."""
        csr_matrix = csr()
        numbers, bins, counts, sizes = _count(corpus, text)
        tf_idf, rarity = weighed(bins, counts, len(numbers))
        starts = np.concatenate([[0], np.cumsum(sizes)])
        rows = csr_matrix((tf_idf, bins, starts), shape=(len(numbers), BINS))
        lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1))).ravel() + 1e-9
        others = {"numbers": numbers, "lengths": lengths.astype(np.float32), "rarity": rarity}
        write_index(corpus, folder, rows, others)

    @classmethod
    def open(cls, corpus: Corpus, folder: Path, *, cosine: bool = True) -> "DrQA":
        """Open an index where it lies; it must be of this very corpus."""
        found = open_index(corpus, folder, "pages", ("numbers", "lengths", "rarity"))
        return cls(corpus, *found, cosine=cosine)

    def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        """Return the k nearest pages for each claim."""
        found: list[list[Candidate]] = []
        for start in range(0, len(claims), _ASKED):
            found += self._ask(claims[start : start + _ASKED], k)
        return found

    def _ask(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        csr_matrix = csr()
        bins, counts, sizes = _unique([self._grams.bins(claim) for claim in claims])
        weights = np.log1p(counts).astype(np.float32) * self._rarity[bins]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        asked = csr_matrix((weights, bins, starts), shape=(len(claims), BINS))
        scores = asked @ self._matrix
        lengths = np.sqrt(np.asarray(asked.multiply(asked).sum(axis=1))).ravel() + 1e-9
        return [
            self._best(scores.indices[a:b], scores.data[a:b], length, k)
            for a, b, length in zip(scores.indptr, scores.indptr[1:], lengths, strict=False)
        ]

    def _best(
        self, places: NDArray[Any], scores: NDArray[Any], length: float, k: int
    ) -> list[Candidate]:
        if self._cosine:
            scores = scores / (self._lengths[places] * length)
        if len(scores) > k:
            kept = np.argpartition(-scores, k)[:k]
            places, scores = places[kept], scores[kept]
        order = np.lexsort((places, -scores))  # of equals, the page that came first
        numbers = self._numbers[places[order]].tolist()
        titles = self._corpus.store.titles(numbers)
        ranked = zip(numbers, scores[order].tolist(), strict=True)
        return [Candidate(n, titles[n], score) for n, score in ranked if n in titles]


def _count(corpus: Corpus, text: Callable[[Page], str]) -> tuple[NDArray[Any], ...]:
    grams = Grams()
    numbers: list[int] = []

    def counted() -> Iterator[NDArray[np.int64]]:
        for number, page in corpus.store.numbered_pages(0, corpus.store.last_number()):
            numbers.append(number)
            yield grams.bins(text(page))

    bins, counts, sizes = _unique(counted())
    return np.array(numbers, np.int64), bins, counts, sizes


def _unique(texts: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.int64]]:
    """Count each text's bins: all bins one after another, their counts, and how many a text."""
    bins, counts, sizes = [np.zeros(0, np.int32)], [np.zeros(0, np.int32)], []
    for found in texts:
        own, often = np.unique(found, return_counts=True)
        bins.append(own.astype(np.int32))
        counts.append(often.astype(np.int32))
        sizes.append(len(own))
    return np.concatenate(bins), np.concatenate(counts), np.array(sizes, np.int64)


def weighed(
    bins: NDArray[Any], counts: NDArray[Any], pages: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Weigh counts as DrQA does: log(1 + tf) · log((N - df + ½) / (df + ½)), never below 0."""
    frequency = np.bincount(bins, minlength=BINS).astype(np.float32)
    rarity = np.log((pages - frequency + 0.5) / (frequency + 0.5)).clip(0).astype(np.float32)
    return np.log1p(counts).astype(np.float32) * rarity[bins], rarity
