"""Pages whose title and text share the claim's rare words."""

from collections.abc import Sequence

from feverfew.corpus import Corpus
from feverfew.retrieve.base import Candidate
from feverfew.text import words

__all__ = ["Lexical"]


class Lexical:
    """Retrieves by full text alone; title and body are weighed apart."""

    def __init__(self, corpus: Corpus, *, title_weight: float = 1.0) -> None:
        self._corpus = corpus
        self._title_weight = title_weight

    def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        """Return the pages that match each claim's words best."""
        return [self._one(claim, k) for claim in claims]

    def _one(self, claim: str, k: int) -> list[Candidate]:
        hits = self._corpus.text.search(words(claim), k, title_weight=self._title_weight)
        titles = self._corpus.store.titles(number for number, _ in hits)
        return [Candidate(n, titles[n], score) for n, score in hits if n in titles]
