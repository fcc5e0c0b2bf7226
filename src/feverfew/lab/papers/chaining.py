"""Our own way of claims over several pages, as parts that stand beside HoVer's."""

from collections.abc import Sequence

from msgspec.structs import replace

from feverfew.check.chained import ChainWeights
from feverfew.corpus import Corpus
from feverfew.judge import Judge
from feverfew.judge.features import relevance
from feverfew.judge.judge import pieces_of
from feverfew.judge.reading import score_each
from feverfew.lab.papers.judges import Opinion
from feverfew.retrieve import Candidate
from feverfew.select.base import Selector
from feverfew.select.multihop import Chained, ChainScenes
from feverfew.select.multihop_features import CHAIN_FEATURES
from feverfew.types import Evidence, Kind

__all__ = ["ChainReading", "Relevant", "chained"]

_NEAR = 24
"""Statements among which sentences are sought, as `check --hops` does."""
_AT_ONCE = 32


def chained(corpus: Corpus) -> "SentencesOnly":
    """Open our ranking of sentences for such claims."""
    ranker = ChainWeights.open().sentences.expect(CHAIN_FEATURES)
    return SentencesOnly(Chained(ChainScenes(corpus), ranker))


class SentencesOnly:
    """Leaves out the items of lists, which HoVer's claims cannot cite."""

    def __init__(self, inner: Selector) -> None:
        self._inner = inner

    def select(
        self, claims: Sequence[str], pages: Sequence[Sequence[Candidate]], k: int
    ) -> list[list[Evidence]]:
        """Return the k best sentences for each claim."""
        near = self._inner.select(claims, pages, max(k, _NEAR))
        return [[piece for piece in own if piece.ref.kind is Kind.SENTENCE][:k] for own in near]


class Relevant:
    """Scores what another selector chose by how likely our encoder says it matters."""

    def __init__(self, inner: Selector, judge: Judge) -> None:
        self._inner, self._encoder = inner, judge.encoder

    def select(
        self, claims: Sequence[str], pages: Sequence[Sequence[Candidate]], k: int
    ) -> list[list[Evidence]]:
        """Return the same pieces in the same order, with a score from 0 to 1."""
        chosen = self._inner.select(claims, pages, k)
        readings = score_each(self._encoder, claims, [pieces_of(own) for own in chosen])
        return [
            [replace(p, score=s) for p, s in zip(own, relevance(one.alone).tolist(), strict=True)]
            for own, one in zip(chosen, readings, strict=True)
        ]


class ChainReading:
    """Our judge of sentences that must be read together, as HoVer asks it."""

    def __init__(self, judge: Judge, *, given: bool) -> None:
        self._judge, self._given = judge, given
        self._chains = ChainWeights.open(judge.folder).judge(judge)

    def judge(self, claims: Sequence[str], evidence: Sequence[Sequence[Evidence]]) -> list[Opinion]:
        """Say supported or not."""
        likely: list[float] = []
        for start in range(0, len(claims), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            pieces = [pieces_of(list(own)) for own in evidence[part]]
            if self._given:
                judged = self._chains.judge_given(claims[part], pieces)
            else:
                readings = score_each(self._judge.encoder, claims[part], pieces)
                judged = [one.judgement for one in self._chains.judge_found(readings)]
            likely += [one.probabilities[0] for one in judged]
        return [
            Opinion((p, 1 - p, 0.0), list(own)) for p, own in zip(likely, evidence, strict=True)
        ]
