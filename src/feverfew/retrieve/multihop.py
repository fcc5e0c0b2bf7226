"""The state of a multi-hop search: the pages seen so far, what led to them, what they cover.

Pages come from four sources: names in the claim; full text (the whole claim, its parts, and what a
page leaves uncovered); hyperlinks of the pages read; and, if a page has no links, the titles that
its sentences mention. Every page is added once, so cycles end by themselves. No page leads to more
than a few dozen others.
"""

import re
from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.corpus import Corpus
from feverfew.corpus.names import NameKind
from feverfew.retrieve.features import (
    Lead,
    Mention,
    Query,
    Words,
    find_mentions,
    find_misspelled,
    find_names,
    mention_features,
    missing_share,
)
from feverfew.retrieve.retrievers import Candidate
from feverfew.text import padded, words

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]
Integers = NDArray[np.intp]

WINDOWS = (5, 10, 20)
"""Window lengths in the claim: a page covers neighbouring words."""
_PIECE = 12
"""Words in a part of a long claim that is searched separately."""
_STEM = 6
"""Longer words match by prefix, one letter short of this."""
_END = re.compile(r"(?<=[.!?;])\s+")


class ClaimCoverage:
    """A claim, prepared for comparison with many texts at once."""

    def __init__(self, query: Query, pieces: list[list[str]]) -> None:
        self.query = query
        self.pieces = pieces
        """The claim's sentences; long ones are split into overlapping parts, each perhaps about one
        page."""
        self.words = list(query.weights)
        self.weights: Floats = np.array(list(query.weights.values()), np.float32)
        self._keys = [_key(word) for word in self.words]
        self.numbers = [at for at, word in enumerate(self.words) if word[0].isdigit()]
        place = {word: at for at, word in enumerate(self.words)}
        self.order = np.array([place[word] for word in query.words.folded], np.intp)

    @classmethod
    def of(cls, claim: str, corpus: Corpus) -> "ClaimCoverage":
        """Prepare a claim."""
        query = Query.of(claim, corpus)
        pieces: list[list[str]] = []
        at = 0
        for sentence in _END.split(claim):
            size = len(Words.of(sentence).folded)
            own = query.words.folded[at : at + size]
            at += size
            pieces += [
                own[start : start + _PIECE]
                for start in range(0, max(1, size - _PIECE // 2), _PIECE // 2)
            ]
        return cls(query, pieces if len(pieces) > 1 else [])

    def cover(self, texts: Sequence[bytes]) -> Bools:
        """Return which of the claim's distinct words, or similar ones, each padded text has."""
        rows = [[key in text for key in self._keys] for text in texts]
        return np.array(rows, bool).reshape(len(texts), len(self.words))

    def windows(self, covered: Bools) -> Floats:
        """Return, for each row and window length, the weight of the best-covered window."""
        sums = np.zeros((len(covered), len(self.order) + 1), np.float32)
        np.cumsum(covered[:, self.order] * self.weights[self.order], 1, out=sums[:, 1:])
        best = [
            (sums[:, size:] - sums[:, :-size]).max(1) if size < sums.shape[1] else sums[:, -1]
            for size in WINDOWS
        ]
        return np.stack(best, 1)


def _key(word: str) -> bytes:
    """Pad a word for search in padded text; a long one only by its prefix."""
    if len(word) >= _STEM and not word[0].isdigit():
        return f" {word[: _STEM - 1]}".encode(errors="replace")
    return f" {word} ".encode(errors="replace")


_TEXT = 60
"""Full-text results for the whole claim."""
_PIECE_TEXT = 12
"""Full-text results for a part of it."""
_MENTIONED = 80
_NAMED = 40
"""Maximum pages that a page leads to by links or names; some link to thousands."""
_SENTENCES = 12
"""Sentences of a page that may lead to others."""
_ASKED = 12
"""Maximum pages that a page leads to by each full-text query."""
_BUDGET = 30_000
"""Number of words per query: only the rarest are used."""
_RIVALS = 12
"""Names that more pages have are ignored."""
_CONTEXT = 40
"""Bytes of context on either side of a name."""


class Edge(Struct, frozen=True):
    """How one page led to another; `parent` and `child` are indices of pages."""

    parent: int
    child: int
    sentence: int
    """The index of the parent's sentence that names the child, or was the query."""
    how: str
    """link, name or text."""
    facts: tuple[float, ...]
    group: int
    """Equal for pages with the same name at the same position: at most one is meant."""


class MultiHopSearch:
    """The pages reached from a claim, and how."""

    def __init__(self, corpus: Corpus, claim: str, seeds: Sequence[Candidate]) -> None:
        self.corpus = corpus
        self.claim = claim
        self.coverage = ClaimCoverage.of(claim, corpus)
        self.query = self.coverage.query
        self.numbers: list[int] = []
        self.place: dict[int, int] = {}
        self.titles: list[str] = []
        self.leads: list[Lead] = []
        self.texts: list[list[bytes]] = []
        """Each page's sentences, padded."""
        self.cover: Bools = np.zeros((0, len(self.coverage.words)), bool)
        """Which of the claim's words each page has, title included."""
        self.sentence_cover: list[Bools] = []
        self.rows: Floats = np.zeros((0, 0), np.float32)
        """Features of each page alone."""
        self.edges: list[Edge] = []
        self.read: set[int] = set()
        """The indices of pages that were read."""
        self.relevance: dict[int, float] = {}
        """The relevance of each of them, from 0 to 1."""
        self._groups = 0
        self._start(seeds)

    def __len__(self) -> int:
        return len(self.numbers)

    def _start(self, seeds: Sequence[Candidate]) -> None:
        """Add the pages that the claim itself leads to."""
        found = find_mentions(self.corpus, self.query.words)
        found += find_misspelled(self.corpus, self.query.words, found)
        self.mentions: dict[int, list[Mention]] = {}
        for mention in found:
            self.mentions.setdefault(mention.page, []).append(mention)
        self.covered = sorted({(m.start, m.start + m.length) for m in found})
        hits = self.corpus.text.search(self.query.words.folded, _TEXT)
        best = hits[0][1] if hits else 1.0
        self.lexical = {n: (rank, score, best) for rank, (n, score) in enumerate(hits)}
        self.seeds = {c.number: (rank, c.score) for rank, c in enumerate(seeds)}
        self.pieces: dict[int, tuple[float, float]] = {}
        for piece in self.coverage.pieces:
            hits = self.corpus.text.search(piece, _PIECE_TEXT, budget=_BUDGET)
            for rank, (number, score) in enumerate(hits):
                known = self.pieces.get(number, (0.0, 0.0))
                own = (max(known[0], 1 / (1 + rank)), max(known[1], score / hits[0][1]))
                self.pieces[number] = own
        mentioned = list(self.mentions)[:_MENTIONED]
        self.meet([*self.seeds, *mentioned, *self.lexical, *self.pieces])

    def meet(self, numbers: Sequence[int]) -> None:
        """Add pages, unless they are known or no longer in the corpus."""
        fresh = [n for n in dict.fromkeys(numbers) if n not in self.place]
        heads = self.corpus.store.heads(fresh)
        fresh = [n for n in fresh if n in heads]
        if not fresh:
            return
        leads = [Lead.of(heads[n]) for n in fresh]
        texts = [_sentences(lead) for lead in leads]
        sentences = self.coverage.cover([text for own in texts for text in own])
        ends = np.cumsum([len(own) for own in texts])
        split = np.split(sentences, ends[:-1])
        title = self.coverage.cover([lead.title for lead in leads])
        cover = title.copy()
        owner = np.repeat(np.arange(len(fresh)), [len(own) for own in texts])
        np.logical_or.at(cover, owner, sentences)
        for number, lead in zip(fresh, leads, strict=True):
            self.place[number] = len(self.numbers)
            self.numbers.append(number)
            self.titles.append(heads[number].title)
            self.leads.append(lead)
        self.texts += texts
        self.sentence_cover += split
        self.cover = np.concatenate([self.cover, cover])
        tops = np.zeros((len(fresh), len(WINDOWS)), np.float32)
        np.maximum.at(tops, owner, self.coverage.windows(sentences))
        rows = np.hstack(
            [
                np.array([self._row(*one) for one in zip(fresh, leads, strict=True)], np.float32),
                self._weights(title, cover, _first(split, len(self.coverage.words))),
                self.coverage.windows(cover),
                tops,
            ]
        )
        self.rows = np.concatenate([self.rows, rows]) if len(self.rows) else rows

    def _row(self, number: int, lead: Lead) -> list[float]:
        lexical = self.lexical.get(number)
        inner = self.seeds.get(number)
        parenthesis = words(lead.parenthesis) if lead.parenthesis else []
        known = self.query.weights
        return [
            *mention_features(self.query, lead, self.mentions.get(number, ()), self.covered),
            missing_share(lead.title.decode().split(), known),
            float(bool(parenthesis)),
            1 - missing_share(parenthesis, known),
            float(lexical is not None),
            lexical[1] / 40 if lexical else 0.0,
            lexical[1] / lexical[2] if lexical else 0.0,
            1 / (1 + lexical[0]) if lexical else 0.0,
            float(lead.disambiguation),
            inner[1] / 10 if inner else -1.0,
            1 / (1 + inner[0]) if inner else 0.0,
            *self.pieces.get(number, (0.0, 0.0)),
        ]

    def _weights(self, title: Bools, cover: Bools, first: Bools) -> Floats:
        """Return how much of the claim pages cover in title, first sentence and lead."""
        weights, beyond = self.coverage.weights, ~title
        rest = np.maximum(beyond @ weights, 0.02)
        numbers = self.coverage.numbers
        return np.stack(
            [
                title @ weights,
                first @ weights,
                cover @ weights,
                (first & beyond) @ weights / rest,
                (cover & beyond) @ weights / rest,
                cover[:, numbers].sum(1) / (len(numbers) or 1),
                (~cover[:, numbers]).sum(1) / (len(numbers) or 1),
            ],
            1,
        )

    def best_sentence(self, place: int) -> int:
        """Return the index of the sentence that covers most of the claim; -1 if there is none."""
        weights = self._sentence_weights(place)
        return int(np.argmax(weights)) if len(weights) else -1

    def _sentence_weights(self, place: int) -> Floats:
        """Return how much of the claim each sentence of a page covers."""
        # Not as a product: BLAS has warned of invalid values here, where all numbers are finite.
        weights: Floats = np.where(self.sentence_cover[place], self.coverage.weights, 0).sum(1)
        return weights

    def follow(self, places: Sequence[int]) -> None:
        """Read pages, and add those that they lead to."""
        for place in places:
            self.read.add(place)
            edges = [*self._named(place), *self._found(place)]
            self.meet([number for number, *_ in edges])
            for number, sentence, how, facts, group in edges:
                child = self.place.get(number)
                if child is not None and child != place:
                    gained = (self.cover[child] & ~self.cover[place]) @ self.coverage.weights
                    back = self.leads[place].title in self.leads[child].text
                    own = (
                        *facts,
                        float(gained),
                        float(back),
                        self._parenthesis_share(place, child),
                    )
                    self.edges.append(Edge(place, child, sentence, how, own, group))

    def _parenthesis_share(self, place: int, child: int) -> float:
        """Return the share of a title's parenthesis that the naming page has: 'X (footballer)'."""
        inside = words(self.leads[child].parenthesis) if self.leads[child].parenthesis else []
        text = self.leads[place].text
        return sum(padded(word) in text for word in inside) / len(inside) if inside else 0.0

    def _named(self, place: int) -> Iterator[tuple[int, int, str, tuple[float, ...], int]]:
        """Yield the pages that a page links to or, if it has no links, names."""
        lead = self.leads[place]
        linked = any(sentence.links for sentence in lead.sentences)
        weights = self._sentence_weights(place)
        # The best sentences come first, because the number of pages is limited.
        order = sorted(range(min(len(weights), _SENTENCES)), key=lambda at: (-weights[at], at))
        seen: set[int] = {self.numbers[place]}
        for at in order:
            text = self.texts[place][at]
            for number, name, mention in self._names(place, at, linked):
                if number in seen or len(seen) > _NAMED:
                    continue
                seen.add(number)
                facts = (
                    float(weights[at]),
                    self._context(text, name),
                    float(at == 0),
                    float(mention is None or mention.kind <= NameKind.ALIAS),
                    min(name.count(b" ") - 1, 5) / 5,
                    np.log1p(mention.rivals) / 4 if mention else 0.0,
                    float(linked),
                )
                group = self._groups + (at << 8) + (mention.start if mention else len(seen))
                yield number, at, "link" if linked else "name", facts, group
        self._groups += 1 << 16

    def _names(
        self, place: int, at: int, linked: bool
    ) -> Iterator[tuple[int, bytes, Mention | None]]:
        sentence = self.leads[place].sentences[at]
        if linked:
            for link in sentence.links:
                number = self.corpus.number(link.target)
                if number is not None:
                    yield number, padded(link.text), None
            return
        split = Words.of(sentence.text)
        for mention in find_names(self.corpus, split, _RIVALS):
            name = " ".join(split.folded[mention.start : mention.start + mention.length])
            yield mention.page, padded(name), mention

    def _context(self, text: bytes, name: bytes) -> float:
        """Return how much of the claim the context of a name covers."""
        at = text.find(name)
        if at < 0:
            return 0.0
        around = text[max(0, at - _CONTEXT) : at + len(name) + _CONTEXT]
        return float((self.coverage.cover([around]) @ self.coverage.weights)[0])

    def _found(self, place: int) -> Iterator[tuple[int, int, str, tuple[float, ...], int]]:
        """Yield full-text results for what a page leaves uncovered, and for what it says."""
        lead, cover = self.leads[place], self.cover[place]
        left = [word for word, has in zip(self.coverage.words, cover, strict=True) if not has]
        name = words(lead.base)
        best = self.best_sentence(place)
        questions = [(name + left, -1)]
        if best >= 0:
            sentence_words = Words.of(lead.sentences[best].text)
            names = [
                folded
                for spelled, folded in zip(
                    sentence_words.spelled, sentence_words.folded, strict=True
                )
                if spelled[0].isupper() and folded not in self.query.weights
            ]
            questions.append((names + left, best))
        for question, sentence in questions:
            hits = self.corpus.text.search(question, _ASKED, budget=_BUDGET)
            for rank, (number, score) in enumerate(hits):
                facts = (1 / (1 + rank), score / hits[0][1], score / 40, float(sentence >= 0))
                yield number, sentence, "text", facts, -1


def _first(covers: Sequence[Bools], width: int) -> Bools:
    """Return the coverage of each page's first sentence; zero if it has none."""
    first = np.zeros((len(covers), width), bool)
    for at, own in enumerate(covers):
        if len(own):
            first[at] = own[0]
    return first


def _sentences(lead: Lead) -> list[bytes]:
    """List the sentences of a lead, padded; its text has one per line."""
    lines = lead.text.split(b"\n")
    if len(lines) == len(lead.sentences):
        return lines
    return [padded(sentence.text) for sentence in lead.sentences]
