"""HoVer's pipeline (Jiang et al., 2020), trained: pages by TF-IDF, pages, sentences, a verdict.

Every stage learns as in the paper: `reader` from what the stage before it finds, `reader-all` (the
paper's BERT*) with all gold pages among it. What is measured on is never trained on.
"""

import random
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any

from msgspec import Struct
from numpy.typing import NDArray

from feverfew.lab.papers.cache import Cache
from feverfew.lab.papers.dataset import Dataset
from feverfew.lab.papers.gold import gold_pages, gold_sentences
from feverfew.lab.papers.hover_stages import (
    CachedRetriever,
    Head,
    Pair,
    ReadClaims,
    Reader,
    ReadPages,
    ReadSentences,
    WithGold,
    evidence_pair,
    page_pair,
    sentence_pair,
)
from feverfew.lab.papers.judges import VerdictModel
from feverfew.lab.papers.sentences import read_sentences
from feverfew.models.encoder import Encoder
from feverfew.retrieve import Candidate, Retriever
from feverfew.select.sentences import Selector
from feverfew.types import Claim, Evidence, Verdict

RANKED = ("reader", "reader-all", "reader-oracle", "gold-first")
"""Rankings of pages: as found; BERT*; BERT* among all gold pages; these, then BERT*'s."""
SELECTED = ("reader", "reader-all")
JUDGED = ("reader-gold", "reader-found", "reader-blind")
_CLAIMS = 800
"""Claims that every stage is trained on."""
_READ = 5
"""Pages whose sentences are read: the paper's k_p."""
_LIKELY, _CITED = 0.3, 10
"""Sentences that a verdict learns from: the paper's threshold, and as many as the score counts."""


class _Width(Struct, frozen=True):
    pages: int
    """Pages of TF-IDF that are read: the paper's k_r."""
    sentences: int
    """Sentences of a page that are read."""


_WHOLE, _TRIAL = _Width(20, 30), _Width(6, 4)
Pairs = tuple[list[Pair], list[bool], list[str]]
"""Pairs, the right answer to each, and whose each is."""


class Stages:
    """The stages' parts, each trained at its first use and then cached."""

    def __init__(
        self, dataset: Dataset, cache: Cache, encoder: Encoder, tfidf: Callable[[], Retriever]
    ) -> None:
        self._dataset, self._cache, self._reader = dataset, cache, Reader(encoder)
        self._fingerprint, self._open = encoder.fingerprint, tfidf
        self._width = _TRIAL if dataset.quick else _WHOLE

    @cached_property
    def _tfidf(self) -> Retriever:
        return CachedRetriever(self._open())

    @cached_property
    def _claims(self) -> list[Claim]:
        """Draw the claims to train on."""
        return training_claims(self._dataset.claims("hover-training").claims)

    @cached_property
    def _gold(self) -> dict[str, list[Candidate]]:
        sets = [self._dataset.claims(name).claims for name in ("hover", "hover-training")]
        corpus = self._dataset.corpus
        return {claim.text: gold_pages(corpus, claim) for own in sets for claim in own}

    def pages(self, name: str) -> Retriever:
        """Make a ranking of pages by name."""
        if name == "gold-first":
            return WithGold(self.pages("reader-all"), self._gold)
        oracle = WithGold(self._tfidf, self._gold)
        shown, kind = (self._tfidf, "found") if name == "reader" else (oracle, "with gold")
        head = self._head(f"pages {kind}", partial(self._of_pages, shown))
        inner = oracle if name == "reader-oracle" else self._tfidf
        return ReadPages(self._dataset.corpus, inner, self._reader, head, self._width.pages)

    def sentences(self, name: str) -> Selector:
        """Make a choice of sentences by name."""
        pages = self.pages("reader-all" if name == "reader" else "gold-first")
        head = self._head(f"sentences {name}", partial(self._of_sentences, pages))
        return ReadSentences(self._dataset.corpus, self._reader, head, self._width.sentences)

    def judge(self, name: str) -> VerdictModel:
        """Make a judge by name: trained on gold evidence, on what is found, or on claims alone."""
        head = self._head(f"verdicts {name}", partial(self._of_verdicts, name))
        return ReadClaims(self._reader, head, blind=name == "reader-blind")

    def _head(self, stage: str, make: Callable[[], Pairs]) -> Head:
        def train() -> dict[str, NDArray[Any]]:
            pairs, yes, owners = make()
            return Head.train(self._reader.states(pairs), yes, owners)

        ids = [claim.id for claim in self._claims]
        key = (stage, ids, self._width, self._fingerprint, self._dataset.fingerprint)
        return Head(self._cache.arrays("head of HoVer", key, train))

    def _of_pages(self, retriever: Retriever) -> Pairs:
        corpus = self._dataset.corpus
        texts = [claim.text for claim in self._claims]
        found = zip(self._claims, retriever.retrieve(texts, self._width.pages), strict=True)
        rows = [
            (page_pair(corpus, claim.text, page), page.number in self._numbers(claim), claim.group)
            for claim, own in found
            for page in own
        ]
        return _columns(rows)

    def _of_sentences(self, retriever: Retriever) -> Pairs:
        corpus, rows = self._dataset.corpus, []
        texts = [claim.text for claim in self._claims]
        for claim, own in zip(self._claims, retriever.retrieve(texts, _READ), strict=True):
            gold = {(corpus.number(r.page), r.position) for r in min(claim.evidence, key=len)}
            for page, said in zip(own, read_sentences(corpus, own), strict=True):
                rows += [
                    (
                        sentence_pair(claim.text, one),
                        (page.number, one.ref.position) in gold,
                        claim.group,
                    )
                    for one in said[: self._width.sentences]
                ]
        return _columns(rows)

    def _of_verdicts(self, name: str) -> Pairs:
        evidence: Sequence[Sequence[Evidence]] = [()] * len(self._claims)
        if name == "reader-gold":
            evidence = [gold_sentences(self._dataset.corpus, claim) for claim in self._claims]
        elif name == "reader-found":
            texts = [claim.text for claim in self._claims]
            pages = self.pages("reader-all").retrieve(texts, _READ)
            near = self.sentences("reader").select(texts, pages, _CITED)
            evidence = [[piece for piece in own if piece.score > _LIKELY] for own in near]
        asked = zip(self._claims, evidence, strict=True)
        rows = [
            (evidence_pair(c.text, own), c.label is Verdict.SUPPORTED, c.group) for c, own in asked
        ]
        return _columns(rows)

    def _numbers(self, claim: Claim) -> set[int]:
        return {page.number for page in self._gold[claim.text]}


def training_claims(claims: Sequence[Claim], most: int = _CLAIMS) -> list[Claim]:
    """Draw claims, as many of each label for each number of pages: it must not tell the label."""
    rng = random.Random(1)
    pairs: list[tuple[Claim, Claim]] = []
    for hops in sorted({claim.hops or 0 for claim in claims}):
        own = [claim for claim in claims if (claim.hops or 0) == hops]
        rng.shuffle(own)
        yes = [claim for claim in own if claim.label is Verdict.SUPPORTED]
        pairs += zip(yes, [c for c in own if c.label is Verdict.NOT_SUPPORTED], strict=False)
    rng.shuffle(pairs)
    return [claim for pair in pairs[: most // 2] for claim in pair]


def _columns(rows: Sequence[tuple[Pair, bool, str]]) -> Pairs:
    return [pair for pair, _, _ in rows], [yes for _, yes, _ in rows], [who for _, _, who in rows]
