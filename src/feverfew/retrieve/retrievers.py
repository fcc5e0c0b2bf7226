"""Retrievers: claims in, ranked pages out, a batch at a time.

`Ranked` is the default: titles and full text, ranked by small networks. Its first round ranks pages
mentioned in the claim and pages that match its words. Its second adds the pages that the best of
these name: many claims need two pages, and the second is often named only on the first ("stars an
actress": which one?).
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Protocol

from msgspec import Struct

from feverfew.corpus import Corpus
from feverfew.corpus.names import NameKind
from feverfew.models.network import Network
from feverfew.retrieve.features import (
    FEATURES,
    HOP_FEATURES,
    Lead,
    Mention,
    NamedOn,
    Query,
    Words,
    find_mentions,
    find_misspelled,
    find_names,
    hop_features,
    page_features,
)
from feverfew.text import words
from feverfew.types import Hop, Page


class Candidate(Struct, frozen=True, gc=False):
    """A page that may be relevant to a claim."""

    number: int
    title: str
    score: float
    via: Hop | None = None
    """How a multi-hop search reached it; None if the claim itself leads there."""


class Retriever(Protocol):
    """Finds pages for claims; retrievers are combined by wrapping one in another."""

    def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        """Return the k best pages for each claim, best first."""
        ...


class Lexical:
    """Retrieves by full text only; title and body have separate weights."""

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


def mention_score(mention: Mention, words: Words) -> float:
    """Score a mention: long, capitalised and unambiguous names first."""
    span = words.spelled[mention.start : mention.start + mention.length]
    capitals = sum(word[0].isupper() or word[0].isdigit() for word in span) / len(span)
    sure = 1.0 if mention.kind <= NameKind.ALIAS else 0.6
    slip = 0.5 if mention.plural or mention.misspelled else 1.0
    return mention.length * (0.2 + capitals) * sure * slip / (1 + 0.05 * mention.rivals)


class Titles:
    """Retrieves by mentioned titles only."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        """Return the pages mentioned in each claim."""
        return [self._one(claim, k) for claim in claims]

    def _one(self, claim: str, k: int) -> list[Candidate]:
        words = Words.of(claim)
        found = find_mentions(self._corpus, words)
        found += find_misspelled(self._corpus, words, found)
        scores: dict[int, float] = {}
        for mention in found:
            score = mention_score(mention, words)
            scores[mention.page] = max(score, scores.get(mention.page, 0.0))
        best = sorted(scores.items(), key=lambda item: -item[1])[:k]
        titles = self._corpus.store.titles(number for number, _ in best)
        return [Candidate(n, titles[n], score) for n, score in best if n in titles]


_LEXICAL = 16
"""Number of full-text results."""
_MENTIONED = 40
"""Number of pages that the claim names."""
_HOPS = ((10, 16), (3, 6))
"""Sentences of the best page and of the next one, and how many pages each may lead to."""


class Round(Struct):
    """One claim's candidates: page numbers and a row of features for each."""

    numbers: list[int]
    rows: list[list[float]]


class Ranked:
    """Retrieves with both sources and two rounds."""

    def __init__(self, corpus: Corpus, first: Network, second: Network) -> None:
        self._corpus = corpus
        self._first, self._second = first, second

    @classmethod
    def open(cls, corpus: Corpus) -> "Ranked":
        """Make the retriever with the shipped weights."""
        return cls(
            corpus,
            Network.shipped("first", FEATURES),
            Network.shipped("second", FEATURES + HOP_FEATURES),
        )

    def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        """Return the k best pages for each claim."""
        return [self._one(claim, k) for claim in claims]

    def _one(self, claim: str, k: int) -> list[Candidate]:
        search = ClaimSearch(self._corpus, claim)
        first = search.first_round()
        second = search.second_round(first, self._first.scores(first.rows))
        scores = self._second.scores(second.rows)
        best = sorted(zip(scores, second.numbers, strict=True), reverse=True)[:k]
        return [Candidate(n, search.heads[n].title, score) for score, n in best]


class ClaimSearch:
    """The state of one claim's search."""

    def __init__(self, corpus: Corpus, claim: str) -> None:
        self.corpus = corpus
        self.query = Query.of(claim, corpus)
        self.heads: dict[int, Page] = {}
        self.leads: dict[int, Lead] = {}
        self.mentions: dict[int, list[Mention]] = {}

    def first_round(self) -> Round:
        """Gather mentioned and matching pages, and describe them."""
        found = find_mentions(self.corpus, self.query.words)
        found += find_misspelled(self.corpus, self.query.words, found)
        for mention in found:
            self.mentions.setdefault(mention.page, []).append(mention)
        self.covered = sorted({(m.start, m.start + m.length) for m in found})
        hits = self.corpus.text.search(self.query.words.folded, _LEXICAL)
        best = hits[0][1] if hits else 1.0
        self.lexical = {n: (rank, score, best) for rank, (n, score) in enumerate(hits)}
        # Sorted longest first: those left out are named by a short, common word.
        mentioned = list(self.mentions)[:_MENTIONED]
        self._look_up([*self.lexical, *mentioned])
        numbers = list(self.leads)
        return Round(numbers, [self._row(number) for number in numbers])

    def second_round(self, first: Round, scores: list[float]) -> Round:
        """Add the pages that the best ones name, and compute all features again."""
        order = sorted(range(len(scores)), key=lambda i: -scores[i])
        ranks = {first.numbers[i]: (rank, scores[i]) for rank, i in enumerate(order)}
        hops: dict[int, NamedOn] = {}
        for rank, (i, (sentences, most)) in enumerate(zip(order, _HOPS, strict=False)):
            named = self._named_by(self.leads[first.numbers[i]], rank, scores[i], sentences)
            fresh = ((number, hop) for number, hop in named if number not in hops)
            hops.update(islice(fresh, most))
        rows = dict(zip(first.numbers, first.rows, strict=True))
        self._look_up([number for number in hops if number not in self.leads])
        numbers = list(self.leads)
        return Round(
            numbers,
            [
                (rows.get(n) or self._row(n))
                + hop_features(self.leads[n], hops.get(n), ranks.get(n))
                for n in numbers
            ],
        )

    def _look_up(self, numbers: Sequence[int]) -> None:
        heads = self.corpus.store.heads(numbers)
        self.heads.update(heads)
        for number in numbers:  # in the order asked for, whatever the store's
            if number in heads:
                self.leads[number] = Lead.of(heads[number])

    def _row(self, number: int) -> list[float]:
        return page_features(
            self.query,
            self.leads[number],
            self.mentions.get(number, ()),
            self.lexical.get(number),
            self.covered,
        )

    def _named_by(
        self, lead: Lead, rank: int, score: float, sentences: int
    ) -> Iterator[tuple[int, NamedOn]]:
        """Yield the pages that a lead links to, or names if there are no links."""
        own = lead.title + lead.text
        left_open = [(word, weight) for word, weight in self.query.sought if word not in own]
        linked = any(sentence.links for sentence in lead.sentences)
        texts = lead.text.split(b"\n")
        for at, sentence in enumerate(lead.sentences[:sentences]):
            weight = self.query.weight(texts[at]) if at < len(texts) else 0.0
            if linked:
                for link in sentence.links:
                    number = self.corpus.number(link.target)
                    if number is not None:
                        yield number, NamedOn(rank, score, at, weight, left_open)
            else:
                for mention in find_names(self.corpus, Words.of(sentence.text)):
                    yield mention.page, NamedOn(rank, score, at, weight, left_open, mention)
