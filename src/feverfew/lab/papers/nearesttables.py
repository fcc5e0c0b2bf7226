"""Tables of the pages found, ranked by TF-IDF, as FEVEROUS's baseline does it."""

from collections.abc import Sequence

import numpy as np

from feverfew.corpus import Corpus
from feverfew.corpus.tables import entry_of, tables_of
from feverfew.lab.papers.sentences import TfIdfSentences
from feverfew.retrieve import Candidate
from feverfew.tables.search import TableHit

__all__ = ["TfIdfTables"]


class TfIdfTables:
    """Finds the tables nearest to a claim: each is a text of its page, headings and cells."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus, self._measure = corpus, TfIdfSentences.bigram(corpus)

    def find(
        self, claims: Sequence[str], pages: Sequence[Sequence[Candidate]], k: int
    ) -> list[list[TableHit]]:
        """Return the k nearest tables on each claim's pages."""
        return [self._one(claim, own, k) for claim, own in zip(claims, pages, strict=True)]

    def _one(self, claim: str, pages: Sequence[Candidate], k: int) -> list[TableHit]:
        read = (self._corpus.store.page(candidate.number) for candidate in pages)
        known = [
            (page, placed, entry_of(page, placed))
            for page in read
            if page is not None
            for placed in tables_of(page)
        ]
        if not known:
            return []
        texts = [
            "\n".join((entry.page, entry.section, *(cell for row in entry.rows for cell in row)))
            for _, _, entry in known
        ]
        scores = self._measure.scores(claim, texts)
        best = np.argsort(-scores, kind="stable")[:k].tolist()
        return [TableHit(known[at][0], known[at][1], float(scores[at])) for at in best]
