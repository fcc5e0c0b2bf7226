"""Run a declared system on claims: pages, sentences, verdicts, each step kept in the cache."""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from importlib.resources import files
from pathlib import Path
from typing import Any

from msgspec import Struct

from feverfew.errors import NotFound
from feverfew.judge import VERDICTS, Judge
from feverfew.lab.papers.answering import above, of_evidence, of_pages
from feverfew.lab.papers.cache import Cache, fingerprint
from feverfew.lab.papers.chaining import ChainReading, Relevant, chained
from feverfew.lab.papers.dataset import Dataset, Example
from feverfew.lab.papers.direct import DirectSentences, NoPages
from feverfew.lab.papers.drqa import DrQA
from feverfew.lab.papers.entities import EntityPages, first_sentence
from feverfew.lab.papers.experiment import System
from feverfew.lab.papers.feverous import answer
from feverfew.lab.papers.gold import gold_pages, gold_sentences, one_sentence, sampled
from feverfew.lab.papers.hover import JUDGED, RANKED, SELECTED, Stages
from feverfew.lab.papers.joining import joined
from feverfew.lab.papers.judges import Always, Chance, Found, Given, Network, VerdictModel
from feverfew.lab.papers.learning import learned
from feverfew.lab.papers.near import NEARNESS, NearSentences
from feverfew.lab.papers.sentences import AllSentences, TfIdfSentences
from feverfew.lab.papers.spans import Capitals, Phrases, Popular, Prefix
from feverfew.lab.papers.vectors import open_vectors
from feverfew.retrieve import Candidate, Hops, Lexical, Ranked, Retriever, Titles
from feverfew.select import Sentences
from feverfew.select.base import Selector
from feverfew.types import Claim, Evidence, Prediction

__all__ = ["JUDGES", "RETRIEVERS", "SELECTORS", "Answers", "Runner"]

_READ_ALL = 400
"""Sentences that are read at most where none are chosen."""
_READ = frozenset((*RANKED, *SELECTED, *JUDGED, "hops", "chains", "chains-relevant", "states"))
"""Parts that rest on our encoder, as our judge does."""
_OURS = frozenset(("ours",)) | _READ
"""Parts that rest on our own weights."""
_HELD = 1_500
"""Claims for tuning that decide when a network has learned enough."""


class Answers(Struct, frozen=True):
    """What a system said of claims."""

    predictions: list[Prediction]
    rate: float = 0.0
    """Claims that its search answered in a second; 0 where nothing was searched."""


class _Pages(Struct, frozen=True):
    pages: list[list[Candidate]]
    seconds: float


def _ranked(name: str, lab: "Runner") -> Retriever:
    return lab.stages.pages(name)


def _chosen(name: str, lab: "Runner") -> Selector:
    return lab.stages.sentences(name)


def _judged(name: str, lab: "Runner", system: System) -> VerdictModel:
    return lab.stages.judge(name)


RETRIEVERS: dict[str, Callable[["Runner"], Retriever]] = {
    "drqa": lambda lab: lab.drqa(cosine=False),
    "drqa-cosine": lambda lab: lab.drqa(cosine=True),
    "ours": lambda lab: Ranked.open(lab.world.corpus),
    "hops": lambda lab: Hops.open(lab.world.corpus, lab.own_judge.encoder),
    "titles": lambda lab: Titles(lab.world.corpus),
    "full-text": lambda lab: Lexical(lab.world.corpus),
    "capitals": lambda lab: Capitals(lab.world.corpus),
    "phrases": lambda lab: Phrases(lab.world.corpus),
    "prefix": lambda lab: Prefix(Lexical(lab.world.corpus)),
    "popular": lambda lab: Popular(lab.world.corpus, Titles(lab.world.corpus)),
    "none": lambda lab: NoPages(),
    **{name: partial(_ranked, name) for name in RANKED},
    "entities": lambda lab: EntityPages(Capitals(lab.world.corpus), lab.first_sentences()),
    "first-sentences": lambda lab: lab.first_sentences(),
}
SELECTORS: dict[str, Callable[["Runner"], Selector]] = {
    "bigram": lambda lab: TfIdfSentences.bigram(lab.world.corpus),
    "unigram": lambda lab: TfIdfSentences.unigram(lab.world.corpus),
    "keywords": lambda lab: lab.near("keywords"),
    "sif": lambda lab: lab.near("sif"),
    "mover": lambda lab: lab.near("mover"),
    "direct": lambda lab: lab.direct(),
    "all": lambda lab: AllSentences(lab.world.corpus),
    "ours": lambda lab: Sentences.open(lab.world.corpus),
    "chains": lambda lab: chained(lab.world.corpus),
    "chains-relevant": lambda lab: Relevant(chained(lab.world.corpus), lab.own_judge),
    **{name: partial(_chosen, name) for name in SELECTED},
}
JUDGES: dict[str, Callable[["Runner", System], VerdictModel]] = {
    "mlp": lambda lab, system: lab.network(system),
    "da": lambda lab, system: lab.network(system),
    "da-scored": lambda lab, system: lab.network(system),
    "wordless": lambda lab, system: lab.network(system),
    "majority": lambda lab, system: Always(0),
    "open": lambda lab, system: Always(2),
    "random": lambda lab, system: Chance(),
    # What was found by others has scores that mean nothing to our judge: it is given to it.
    "ours": lambda lab, system: (Found if system.select == "ours" else Given)(lab.own_judge),
    "chains": lambda lab, system: ChainReading(lab.own_judge, given=system.evidence != "found"),
    **{name: partial(_judged, name) for name in JUDGED},
}


class Runner:
    """A world and a cache, in which systems are put together and run."""

    world: Dataset
    cache: Cache

    def __init__(self, world: Dataset, cache: Cache) -> None:
        self.world, self.cache = world, cache
        self._networks: dict[System, VerdictModel] = {}

    @cached_property
    def own_judge(self) -> Judge:
        """Our shipped judge, opened once."""
        return Judge.open()

    @cached_property
    def stages(self) -> Stages:
        """HoVer's neural stages, each trained when it is first asked for."""
        return Stages(
            self.world, self.cache, self.own_judge.encoder, partial(self.drqa, cosine=False)
        )

    def drqa(self, *, cosine: bool) -> DrQA:
        """Open DrQA's index of the corpus; the first time, build it."""
        corpus = self.world.corpus
        folder = self.cache.within(
            "index of DrQA", corpus.fingerprint, lambda path: DrQA.build(corpus, path)
        )
        return DrQA.open(corpus, folder, cosine=cosine)

    def direct(self) -> DirectSentences:
        """Open an index of all sentences of the corpus; the first time, build it."""
        corpus = self.world.corpus
        make = partial(DirectSentences.build, corpus)
        folder = self.cache.within("index of sentences", corpus.fingerprint, make)
        return DirectSentences.open(corpus, folder)

    def first_sentences(self) -> DrQA:
        """Open an index of the pages' first sentences, as FEVEROUS's baseline searches them."""
        corpus = self.world.corpus
        folder = self.cache.within(
            "index of first sentences",
            ("first sentences", corpus.fingerprint),
            lambda path: DrQA.build(corpus, path, first_sentence),
        )
        return DrQA.open(corpus, folder)

    def near(self, name: str) -> NearSentences:
        """Make the selector of a measure of nearness."""
        vectors = open_vectors("random" if self.world.quick else "glove")
        return NearSentences(self.world.corpus, NEARNESS[name](vectors))

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
            held = self._held(shaped.sampling)
            nearest = partial(self.drqa, cosine=False)
            model = learned(shaped, self.world, self.cache, nearest, held)
            self._networks[shaped] = Network(model)
        return self._networks[shaped]

    def run(self, system: System, claims: Sequence[Claim]) -> Answers:
        """Answer claims with a system; what was answered before is remembered."""
        key = (system, self.own(system), [claim.id for claim in claims], self.world.fingerprint)
        name = f"answers {system.judge or system.cells or system.select or system.retrieve}"
        return self.cache.value(name, key, Answers, lambda: self._run(system, claims))

    def own(self, system: System) -> str:
        """Name our own weights, where a system uses them: better ones answer anew."""
        named = {system.retrieve, system.select, system.judge, system.cells}
        if not _OURS & named:
            return ""
        encoder = self.own_judge.fingerprint if system.judge == "ours" or _READ & named else ""
        return fingerprint(encoder, [f.read_text("utf-8") for f in _weights()])

    def _run(self, system: System, claims: Sequence[Claim]) -> Answers:
        rate = 0.0
        if system.task == "feverous":
            return Answers(answer(self, system, claims))
        if system.evidence == "found":
            found = self._pages(system, claims)
            rate = len(claims) / found.seconds if found.seconds else 0.0
            if not system.select:
                pairs = zip(claims, found.pages, strict=True)
                return Answers([of_pages(c, above(system, own)) for c, own in pairs], rate)
        evidence = self._evidence(system, claims)
        if not system.judge:
            said = zip(claims, evidence, strict=True)
            return Answers([of_evidence(claim, own) for claim, own in said], rate)
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
        tuning = self.world.claims("fever-tuning").claims[:_HELD]
        key = (self.own(system), self.world.fingerprint)
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
        key = (system.retrieve, system.pages, own, ids, self.world.fingerprint)
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
        return [above(system, own) for own in said]

    def given(self, system: System, claims: Sequence[Claim]) -> list[list[Evidence]]:
        """Take gold evidence; open claims get what the system's sampling draws."""
        corpus, rng = self.world.corpus, random.Random(1)
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
        """Make pairs of the claims for tuning, to stop learning by."""
        claims = self.world.claims("fever-tuning").claims[:_HELD]
        key = (sampling, [c.id for c in claims], self.world.fingerprint)
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


def _weights() -> list[Path]:
    return sorted(Path(str(files("feverfew.weights"))).glob("*.json"))


def _named(parts: dict[str, Any], name: str, what: str) -> Any:
    if name not in parts:
        raise NotFound(f"no {what} is called {name!r}; there are {', '.join(parts)}")
    return parts[name]
