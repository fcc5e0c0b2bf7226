"""Shared parts of the skill generators: page text, claims cut from sentences, labelled pairs."""

import random
import re
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from feverfew.factory.statements import Statement, statements
from feverfew.text import display_title, without_parenthesis

_PARENTHESES = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])")
_VAGUE = re.compile(
    r"\b(?:this|these|those|latter|former|such|same|above|following|aforementioned|respectively"
    r"|then|there)\b|[;:\"“”()*]",
    re.I,
)
_PRONOUN = re.compile(r"^(He|She|It) (?=[a-z])")
_OPENER = re.compile(r"^(?:However|Additionally|Furthermore|Moreover|In addition|Today|Also), ")
_SHORTEST, _LONGEST = 20, 170
"""Characters of a claim."""
_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve"


class Example(Struct, frozen=True):
    """A claim with evidence and the label that follows: S, R or N."""

    claim: str
    evidence: list[tuple[str, str]]
    label: str


class PageText(Struct, frozen=True):
    """The sentences of a page."""

    title: str
    sentences: Sequence[str]

    @property
    def name(self) -> str:
        """The title as a sentence would say it."""
        return without_parenthesis(display_title(self.title))

    def claims(self) -> Iterator[tuple[int, str]]:
        """Yield each sentence that reads well on its own, with its place."""
        for at, sentence in enumerate(self.sentences):
            if (claim := claimable(sentence, self.name)) is not None:
                yield at, claim

    def statements(self) -> Iterator[tuple[int, Statement]]:
        """Yield what the sentences state in a form that can be said otherwise."""
        for at, sentence in enumerate(self.sentences):
            yield from ((at, said) for said in statements(sentence, self.title))


Generator = Callable[[PageText, PageText, random.Random], Iterator[Example]]
"""Takes a page, another page of the corpus, and a source of chance."""


def claimable(sentence: str, name: str) -> str | None:
    """Return a sentence as a claim that names its subject, or None if it needs its context.

    >>> claimable("However, she won the cup (her first) in 1990.", "Ada Brook") is None
    True
    >>> claimable("She also won the cup (her first) in 1990.", "Ada Brook")
    'Ada Brook won the cup in 1990.'
    """
    text = " ".join(_PARENTHESES.sub("", sentence).split()).replace(" ,", ",").replace(",,", ",")
    text = _OPENER.sub("", text).replace(" also ", " ")
    text = _PRONOUN.sub(lambda _: f"{name} ", text)
    if not text.startswith((name, f"The {name}", name.split()[-1] + " ")):
        return None
    if not _SHORTEST <= len(text) <= _LONGEST or not text.endswith(".") or _VAGUE.search(text):
        return None
    surname = name.split()[-1]
    if text.startswith(f"{surname} ") and not text.startswith(name):
        text = name + text[len(surname) :]
    return text


def context(page: PageText, at: int, rng: random.Random) -> list[tuple[str, str]]:
    """Return a sentence as evidence: alone, or among neighbours on its page."""
    start = end = at
    if rng.random() < 0.4:
        start, end = max(0, at - rng.randint(0, 2)), min(len(page.sentences) - 1, at + 1)
    return _pieces(page, range(start, end + 1), rng)


def silent(
    page: PageText, at: int, rng: random.Random, words: Sequence[str] = ()
) -> list[tuple[str, str]]:
    """Return one or two other sentences of the page that contain none of the given words."""
    taken = [word.casefold() for word in words]
    others = [
        i
        for i, text in enumerate(page.sentences)
        if i != at and len(text) > 30 and not any(word in text.casefold() for word in taken)
    ]
    chosen = sorted(rng.sample(others, min(len(others), rng.randint(1, 2))))
    return _pieces(page, chosen, rng)


def _pieces(page: PageText, places: Sequence[int], rng: random.Random) -> list[tuple[str, str]]:
    title = page.title if rng.random() < 0.85 or places[:1] != [0] else ""
    return [(title, page.sentences[i]) for i in places]


def number_word(number: int, rng: random.Random | None = None) -> str:
    """Write a small number as a word, or a large one in digits."""
    words = _NUMBERS.split()
    if 0 <= number < len(words) and (rng is None or rng.random() < 0.7):
        return words[number]
    return f"{number:,}"
