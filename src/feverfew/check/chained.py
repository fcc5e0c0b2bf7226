"""The way of a claim that needs several pages: search in rounds, rank, read together, judge."""

import time
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from feverfew.check.chain import hop_paths_of
from feverfew.check.explain import ClaimResult, consistent
from feverfew.corpus import Corpus
from feverfew.judge import Judge, SelectedEvidence
from feverfew.judge.chains import ChainJudge, LogisticWeights, LogisticWeightSets
from feverfew.judge.judge import pieces_of
from feverfew.judge.reading import score_each
from feverfew.models.network import Network
from feverfew.models.weights_io import read_weights
from feverfew.retrieve import Hops, Retriever
from feverfew.select.multihop import Chained, ChainScenes
from feverfew.select.multihop_features import CHAIN_FEATURES
from feverfew.types import Evidence, Kind

__all__ = ["CHAIN_PIECES", "ChainWeights", "Chains"]

CHAIN_PIECES = 10
"""Sentences that a claim is judged by: as many as HoVer's score counts."""
_RANKED = 100
"""Pages that are named for HoVer's measures of retrieval; the first few are read."""
_FEW = 5
"""Of more pieces than these, none is likely to be decisive, and to ask would take long."""
_NEAR = 24
"""Statements among which as many sentences are sought, where items of lists are no evidence."""


class ChainWeights(Struct, frozen=True):
    """All that was learned from claims over several pages: `weights/chains.json`."""

    sentences: Network
    found: LogisticWeights
    given: LogisticWeights

    @classmethod
    def open(cls, model: Path | None = None) -> "ChainWeights":
        """Load the weights that lie beside a model, or those that come with feverfew."""
        return read_weights(model, "chains.json", cls)

    def judge(self, judge: Judge) -> ChainJudge:
        """Make the judge of sentences that are read together."""
        return ChainJudge(judge, LogisticWeightSets(self.found, self.given))


class Chains:
    """Finds evidence on several pages, and judges claims by it."""

    def __init__(
        self, judge: Judge, retriever: Retriever, selector: Chained, chain_judge: ChainJudge
    ) -> None:
        self._judge, self._chain_judge = judge, chain_judge
        self._retriever, self._selector = retriever, selector

    @classmethod
    def open(cls, corpus: Corpus, judge: Judge, retriever: Retriever | None = None) -> "Chains":
        """Make it with the weights of the judge's model; without a retriever, on top of `Hops`."""
        weights = ChainWeights.open(judge.folder)
        ranker = weights.sentences.expect(CHAIN_FEATURES)
        selector = Chained(ChainScenes(corpus), ranker)
        return cls(
            judge, retriever or Hops.open(corpus, judge.encoder), selector, weights.judge(judge)
        )

    @property
    def fingerprint(self) -> str:
        """Names all weights that judge."""
        return self._chain_judge.fingerprint

    def look(self, claims: Sequence[str], *, sentences_only: bool = False) -> list[ClaimResult]:
        """Find evidence for claims and judge it, without explaining anything."""
        start = time.perf_counter()
        pages = self._retriever.retrieve(claims, _RANKED)
        near = self._selector.select(claims, pages, _NEAR)
        chosen = self.read(claims, [_kept(own, sentences_only) for own in near])
        middle = time.perf_counter()
        judged = self._chain_judge.judge_found([one.reading for one in chosen])
        share = 1 / max(1, len(claims))
        seconds = {
            "find": (middle - start) * share,
            "judge": (time.perf_counter() - middle) * share,
        }
        return [
            ClaimResult(
                claim,
                own,
                one.judgement,
                seconds,
                hop_paths_of(found),
                one.settles,
                tuple(page.title for page in found),
            )
            for claim, own, one, found in zip(claims, chosen, judged, pages, strict=True)
        ]

    def read(
        self, claims: Sequence[str], evidence: Sequence[list[Evidence]]
    ) -> list[SelectedEvidence]:
        """Read each claim beside every piece of its evidence, in the order of the ranking."""
        readings = score_each(self._judge.encoder, claims, [pieces_of(own) for own in evidence])
        return [SelectedEvidence(own, one) for own, one in zip(evidence, readings, strict=True)]

    def decisive(self, looked: Sequence[ClaimResult]) -> list[set[int]]:
        """Say without which of the pieces that a verdict rests on the others say another."""
        rest = [consistent(one) for one in looked]
        asked = [
            (at, piece) for at, own in enumerate(rest) if 1 < len(own) <= _FEW for piece in own
        ]
        said = self._chain_judge.without(
            [(looked[at].chosen.reading, rest[at], left_out) for at, left_out in asked]
        )
        # Where one piece settles it, nothing is left without it.
        found = [set(own if len(own) == 1 else ()) for own in rest]
        for (at, left_out), verdict in zip(asked, said, strict=True):
            if verdict is not looked[at].judgement.verdict:
                found[at].add(left_out)
        return found


def _kept(evidence: Sequence[Evidence], sentences_only: bool) -> list[Evidence]:
    kept = [e for e in evidence if not sentences_only or e.ref.kind is Kind.SENTENCE]
    return kept[:CHAIN_PIECES]
