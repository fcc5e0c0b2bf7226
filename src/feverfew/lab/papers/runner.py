"""Run a system on claims: pages, sentences, verdicts, each step kept in the cache."""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any, TypeVar

from msgspec import Struct

from feverfew.errors import NotFound
from feverfew.judge import VERDICTS
from feverfew.lab.papers.cache import Cache
from feverfew.lab.papers.dataset import Dataset, Example
from feverfew.lab.papers.experiment import System
from feverfew.lab.papers.feverous import answer
from feverfew.lab.papers.gold import gold_pages, gold_sentences, one_sentence, sampled
from feverfew.lab.papers.hover import JUDGED, RANKED, SELECTED, Stages
from feverfew.lab.papers.joining import joined
from feverfew.lab.papers.judges import Always, Chance, NetworkJudge, VerdictModel
from feverfew.lab.papers.ours import FoundJudge, GivenJudge, MultiHopJudge, OurParts
from feverfew.lab.papers.pages import (
    Capitals,
    EntityPages,
    NoPages,
    Phrases,
    Popular,
    Prefix,
    first_sentence,
)
from feverfew.lab.papers.sentences import (
    NEARNESS,
    AllSentences,
    DirectSentences,
    NearSentences,
    TfIdfSentences,
)
from feverfew.lab.papers.tfidf import DrQA
from feverfew.lab.papers.vectors import open_vectors
from feverfew.retrieve import Candidate, Lexical, Retriever, Titles
from feverfew.select.sentences import Selector
from feverfew.types import Claim, Evidence, Prediction, Verdict

Scored = TypeVar("Scored", Candidate, Evidence)
_READ_ALL = 400
"""Sentences that are read at most where nothing selects them."""
_READ = frozenset((*RANKED, *SELECTED, *JUDGED, "hops", "chains", "chains-relevant", "states"))
"""Parts that rest on our encoder, as our judge does."""
_OURS = frozenset(("ours",)) | _READ
"""Parts that rest on our own weights."""
_HELD = 1_500
"""Claims for tuning that decide when a network has learned enough."""


class Answers(Struct, frozen=True):
    """A system's predictions."""

    predictions: list[Prediction]
    rate: float = 0.0
    """Claims searched per second; 0 without a search."""


class _Pages(Struct, frozen=True):
    pages: list[list[Candidate]]
    seconds: float


RETRIEVERS: dict[str, Callable[["Runner"], Retriever]] = {
    "drqa": lambda runner: runner.drqa(cosine=False),
    "drqa-cosine": lambda runner: runner.drqa(cosine=True),
    "ours": lambda runner: runner.ours.pages(),
    "hops": lambda runner: runner.ours.multihop_pages(),
    "titles": lambda runner: Titles(runner.dataset.corpus),
    "full-text": lambda runner: Lexical(runner.dataset.corpus),
    "capitals": lambda runner: Capitals(runner.dataset.corpus),
    "phrases": lambda runner: Phrases(runner.dataset.corpus),
    "prefix": lambda runner: Prefix(Lexical(runner.dataset.corpus)),
    "popular": lambda runner: Popular(runner.dataset.corpus, Titles(runner.dataset.corpus)),
    "none": lambda runner: NoPages(),
    **{name: partial(lambda name, runner: runner.stages.pages(name), name) for name in RANKED},
    "entities": lambda runner: EntityPages(
        Capitals(runner.dataset.corpus), runner.first_sentences()
    ),
    "first-sentences": lambda runner: runner.first_sentences(),
}
SELECTORS: dict[str, Callable[["Runner"], Selector]] = {
    "bigram": lambda runner: TfIdfSentences.bigram(runner.dataset.corpus),
    "unigram": lambda runner: TfIdfSentences.unigram(runner.dataset.corpus),
    "keywords": lambda runner: runner.near("keywords"),
    "sif": lambda runner: runner.near("sif"),
    "mover": lambda runner: runner.near("mover"),
    "direct": lambda runner: runner.direct(),
    "all": lambda runner: AllSentences(runner.dataset.corpus),
    "ours": lambda runner: runner.ours.sentences(),
    "chains": lambda runner: runner.ours.multihop_sentences(),
    "chains-relevant": lambda runner: runner.ours.multihop_sentences(scored=True),
    **{
        name: partial(lambda name, runner: runner.stages.sentences(name), name) for name in SELECTED
    },
}
JUDGES: dict[str, Callable[["Runner", System], VerdictModel]] = {
    "mlp": lambda runner, system: runner.network(system),
    "da": lambda runner, system: runner.network(system),
    "da-scored": lambda runner, system: runner.network(system),
    "wordless": lambda runner, system: runner.network(system),
    "majority": lambda runner, system: Always(0),
    "open": lambda runner, system: Always(2),
    "random": lambda runner, system: Chance(),
    # What was found by others has scores that mean nothing to our judge: it is given to it.
    "ours": lambda runner, system: (FoundJudge if system.select == "ours" else GivenJudge)(
        runner.ours.judge
    ),
    "chains": lambda runner, system: MultiHopJudge(runner.ours.judge),
    **{name: partial(lambda name, runner, _: runner.stages.judge(name), name) for name in JUDGED},
}


class Runner:
    """Puts systems together over a dataset, and runs them with a cache."""

    dataset: Dataset
    cache: Cache
    ours: OurParts

    def __init__(self, dataset: Dataset, cache: Cache) -> None:
        self.dataset, self.cache = dataset, cache
        self.ours = OurParts(dataset.corpus)
        self._networks: dict[System, VerdictModel] = {}

    @cached_property
    def stages(self) -> Stages:
        """HoVer's neural stages, each trained at its first use."""
        return Stages(self.dataset, self.cache, self.ours.encoder, partial(self.drqa, cosine=False))

    def drqa(self, *, cosine: bool) -> DrQA:
        """Open DrQA's index of the corpus; the first time, build it."""
        corpus = self.dataset.corpus
        folder = self.cache.within(
            "index of DrQA", corpus.fingerprint, lambda path: DrQA.build(corpus, path)
        )
        return DrQA.open(corpus, folder, cosine=cosine)

    def direct(self) -> DirectSentences:
        """Open an index of all sentences of the corpus; the first time, build it."""
        corpus = self.dataset.corpus
        make = partial(DirectSentences.build, corpus)
        folder = self.cache.within("index of sentences", corpus.fingerprint, make)
        return DirectSentences.open(corpus, folder)

    def first_sentences(self) -> DrQA:
        """Open an index of the pages' first sentences, as FEVEROUS's baseline searches them."""
        corpus = self.dataset.corpus
        folder = self.cache.within(
            "index of first sentences",
            ("first sentences", corpus.fingerprint),
            lambda path: DrQA.build(corpus, path, first_sentence),
        )
        return DrQA.open(corpus, folder)

    def near(self, name: str) -> NearSentences:
        """Make the selector of a measure of nearness."""
        vectors = open_vectors("random" if self.dataset.quick else "glove")
        return NearSentences(self.dataset.corpus, NEARNESS[name](vectors))

    def network(self, system: System) -> VerdictModel:
        """Return one of the papers' networks, trained as the system says."""
        shaped = System(
            judge=system.judge,
            sampling=system.sampling,
            learn=system.learn,
            pairs=system.pairs,
            seeds=system.seeds,
        )
        if shaped not in self._networks:
            from feverfew.lab.papers.learning import learned

            held = self._held(shaped.sampling)
            nearest = partial(self.drqa, cosine=False)
            model = learned(shaped, self.dataset, self.cache, nearest, held)
            self._networks[shaped] = NetworkJudge(model)
        return self._networks[shaped]

    def run(self, system: System, claims: Sequence[Claim]) -> Answers:
        """Answer claims with a system; answers are cached."""
        key = (system, self.own(system), [claim.id for claim in claims], self.dataset.fingerprint)
        name = f"answers {system.judge or system.cells or system.select or system.retrieve}"
        return self.cache.value(name, key, Answers, lambda: self._run(system, claims))

    def own(self, system: System) -> str:
        """Name our own weights where a system uses them: new ones must not get old answers."""
        named = {system.retrieve, system.select, system.judge, system.cells}
        if not _OURS & named:
            return ""
        encoder = system.judge == "ours" or bool(_READ & named)
        return self.ours.fingerprint(encoder=encoder)

    def _run(self, system: System, claims: Sequence[Claim]) -> Answers:
        rate = 0.0
        if system.task == "feverous":
            return Answers(answer(self, system, claims))
        if system.evidence == "found":
            found = self._pages(system, claims)
            rate = len(claims) / found.seconds if found.seconds else 0.0
            if not system.select:
                named = (tuple(p.title for p in _above(system, own)) for own in found.pages)
                return Answers([_unjudged(c, pages=next(named)) for c in claims], rate)
        evidence = self._evidence(system, claims)
        if not system.judge:
            cited = (tuple(piece.ref for piece in own) for own in evidence)
            return Answers([_unjudged(c, evidence=next(cited)) for c in claims], rate)
        opinions = self._judge(system).judge([claim.text for claim in claims], evidence)
        return Answers(
            [
                Prediction(
                    id=claim.id,
                    label=opinion.verdict,
                    evidence=tuple(piece.ref for piece in opinion.evidence),
                    probabilities=dict(zip(VERDICTS, opinion.probabilities, strict=True)),
                )
                for claim, opinion in zip(claims, opinions, strict=True)
            ],
            rate,
        )

    def pages(self, system: System, claims: Sequence[Claim]) -> list[list[Candidate]]:
        """Find pages as a system does."""
        return self._pages(system, claims).pages

    def _evidence(self, system: System, claims: Sequence[Claim]) -> list[list[Evidence]]:
        if system.evidence != "found":
            return self.given(system, claims)
        return self.sentences(system, claims, self._pages(system, claims).pages)

    def _judge(self, system: System) -> VerdictModel:
        inner: VerdictModel = _named(JUDGES, system.judge, "judge")(self, system)
        if not system.joined and not system.consistent:
            return inner
        tuning = self.dataset.claims("fever-tuning").claims[:_HELD]
        key = (self.own(system), self.dataset.fingerprint)
        find = partial(self._evidence, system)
        return joined(system, inner, self.cache, key, tuning, find)

    def _pages(self, system: System, claims: Sequence[Claim]) -> _Pages:
        make = _named(RETRIEVERS, system.retrieve, "retriever")

        def search() -> _Pages:
            retriever = make(self)
            start = time.perf_counter()
            found = retriever.retrieve([claim.text for claim in claims], system.pages)
            return _Pages(found, time.perf_counter() - start)

        own = self.own(System(retrieve=system.retrieve))
        ids = [claim.id for claim in claims]
        key = (system.retrieve, system.pages, own, ids, self.dataset.fingerprint)
        return self.cache.value(f"pages {system.retrieve}", key, _Pages, search)

    def sentences(
        self, system: System, claims: Sequence[Claim], pages: Sequence[Sequence[Candidate]]
    ) -> list[list[Evidence]]:
        """Choose sentences as a system does."""
        most = _READ_ALL if system.select == "all" else system.sentences
        selector = _named(SELECTORS, system.select, "selector")(self)
        found = selector.select([claim.text for claim in claims], pages, most)
        # FEVER's claims are settled by sentences alone: items of lists cannot be cited.
        said = [[piece for piece in own if piece.ref.kind == "sentence"] for own in found]
        return [_above(system, own) for own in said]

    def given(self, system: System, claims: Sequence[Claim]) -> list[list[Evidence]]:
        """Take gold evidence; open claims get what the system's sampling draws."""
        corpus, rng = self.dataset.corpus, random.Random(1)
        still_open = [claim.text for claim in claims if not claim.evidence]
        drawn: Iterator[list[Candidate]] = iter(())
        if still_open:
            drawn = iter(sampled(corpus, self.drqa(cosine=False), still_open, system.sampling, 1))
        everything = AllSentences(corpus)
        found = []
        for claim in claims:
            if system.evidence == "gold-pages":
                pages = gold_pages(corpus, claim) if claim.evidence else next(drawn)
                found += everything.select([claim.text], [pages], _READ_ALL)
            elif claim.evidence:
                found.append(gold_sentences(corpus, claim))
            else:
                found.append(one_sentence(corpus, next(drawn), rng))
        return found

    def _held(self, sampling: str) -> list[Example]:
        """Make pairs of the claims for tuning, for early stopping."""
        claims = self.dataset.claims("fever-tuning").claims[:_HELD]
        key = (sampling, [c.id for c in claims], self.dataset.fingerprint)
        system = System(evidence="gold", sampling=sampling)

        def make() -> list[Example]:
            return [
                Example(
                    claim.text, " ".join(piece.text for piece in own), VERDICTS.index(claim.label)
                )
                for claim, own in zip(claims, self.given(system, claims), strict=True)
                if claim.label is not None
            ]

        return self.cache.value("held-out pairs", key, list[Example], make)


def _unjudged(claim: Claim, **found: Any) -> Prediction:
    return Prediction(id=claim.id, label=Verdict.NOT_ENOUGH_INFO, **found)


def _above(system: System, found: Sequence[Scored]) -> list[Scored]:
    """Keep what scores more than a system asks for; all, where it asks for nothing."""
    return [one for one in found if not system.above or one.score > system.above]


def _named(parts: dict[str, Any], name: str, what: str) -> Any:
    if name not in parts:
        raise NotFound(f"no {what} is called {name!r}; there are {', '.join(parts)}")
    return parts[name]
