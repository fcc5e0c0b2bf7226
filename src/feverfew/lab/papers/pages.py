"""Pages by parts of the claim, as the shared task's systems (2018) and FEVEROUS find them.

No parser or tagger is used: spans between stop words stand in for noun phrases, a short
list of verbs for the first verb, capitalised names for entities, and links for page views.
"""

import math
from collections.abc import Sequence

from feverfew.corpus import Corpus
from feverfew.lab.papers.tfidf import STOP_WORDS
from feverfew.retrieve import Candidate, Retriever
from feverfew.retrieve.features import Words, find_names
from feverfew.text import display_title, spelled_words, without_parenthesis, words
from feverfew.types import Page

_EACH = 3
"""Pages that each phrase may add."""
_KNOWN = """
is are was were be been has have had does do did can could will would may might must became made
won plays stars wrote directed founded released
"""
_VERBS = frozenset(_KNOWN.split())


def phrases(claim: str) -> list[str]:
    """List the spans between stop words and verbs.

    >>> phrases("Fritz Lang directed the silent film Metropolis.")
    ['Fritz Lang', 'silent film Metropolis']
    """
    found: list[list[str]] = [[]]
    for word in spelled_words(claim):
        if word.lower() in STOP_WORDS or word.lower() in _VERBS:
            found.append([])
        else:
            found[-1].append(word)
    return [" ".join(own) for own in found if own]


def prefix(claim: str) -> str:
    """Return the words before the first known verb; the whole claim if it has none.

    >>> prefix("Fritz Lang was born in Vienna.")
    'Fritz Lang'
    """
    split = spelled_words(claim)
    for at, word in enumerate(split):
        if at and word.islower() and (word in _VERBS or word.endswith("ed")):
            return " ".join(split[:at])
    return claim


class Capitals:
    """Retrieves pages that have a capitalised name of the claim, the longest names first."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        """Return the pages named in each claim."""
        return [self._one(claim, k) for claim in claims]

    def _one(self, claim: str, k: int) -> list[Candidate]:
        scores: dict[int, float] = {}
        for mention in find_names(self._corpus, Words.of(claim), most_rivals=60):
            score = mention.length / (1 + 0.05 * mention.rivals)
            scores[mention.page] = max(score, scores.get(mention.page, 0.0))
        return _best(self._corpus, scores, k)


class Phrases:
    """Retrieves by a search for each phrase; a page's title must consist of the claim's words."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        """Return the pages that each claim's phrases find."""
        return [self._one(claim, k) for claim in claims]

    def _one(self, claim: str, k: int) -> list[Candidate]:
        said = set(words(claim))
        scores: dict[int, float] = {}
        for phrase in phrases(claim):
            hits = self._corpus.text.search(words(phrase), _EACH, title_weight=4.0)
            titles = self._corpus.store.titles(number for number, _ in hits)
            for number, score in hits:
                name = words(without_parenthesis(display_title(titles.get(number, ""))))
                if name and said.issuperset(name):
                    scores[number] = max(score, scores.get(number, 0.0))
        return _best(self._corpus, scores, k)


class Prefix:
    """Retrieves by the words before the claim's first verb."""

    def __init__(self, inner: Retriever) -> None:
        self._inner = inner

    def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        """Ask the inner retriever for each claim's beginning."""
        return self._inner.retrieve([prefix(claim) for claim in claims], k)


class Popular:
    """Ranks what another retriever found anew: pages that many pages lead to come first."""

    def __init__(self, corpus: Corpus, inner: Retriever) -> None:
        self._corpus, self._inner = corpus, inner

    def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        """Return the inner retriever's pages, those that are popular first."""
        found = self._inner.retrieve(claims, 4 * k)
        return [_best(self._corpus, self._weighed(own), k) for own in found]

    def _weighed(self, pages: Sequence[Candidate]) -> dict[int, float]:
        into = self._corpus.links.into
        return {page.number: page.score * math.log(2 + len(into(page.number))) for page in pages}


class EntityPages:
    """Retrieves the pages that a claim names, then those of another retriever (FEVEROUS)."""

    def __init__(self, named: Retriever, others: Retriever) -> None:
        self._named, self._others = named, others

    def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        """Return k pages for each claim; no page twice."""
        found = []
        pairs = zip(self._named.retrieve(claims, k), self._others.retrieve(claims, k), strict=True)
        for named, others in pairs:
            known = {page.number for page in named}
            found.append([*named, *(page for page in others if page.number not in known)][:k])
        return found


def first_sentence(page: Page) -> str:
    """Return what FEVEROUS compares of a page: its title and the first sentence with text."""
    said = next((sentence.text for sentence in page.sentences if sentence.text), "")
    return f"{display_title(page.title)}\n{said}"


class NoPages:
    """Retrieves nothing: for systems that search for sentences directly."""

    def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        """Return no page for any claim."""
        return [[] for _ in claims]


def _best(corpus: Corpus, scores: dict[int, float], k: int) -> list[Candidate]:
    best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:k]
    titles = corpus.store.titles(number for number, _ in best)
    return [Candidate(n, titles[n], score) for n, score in best if n in titles]
