"""How a claim relates to a text, by numbers that know no word (University of Arizona, 2018).

What is compared: words, names and numbers in common, negations on either side, antonyms (a short
list of common ones stands in for a dictionary), lengths.
"""

import re
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from feverfew.english.words import lines, negations
from feverfew.lab.papers.vectors import content_words
from feverfew.text import fold, spelled_words, words

FEATURES = (
    "words_shared",
    "names_shared",
    "names_missing",
    "numbers_shared",
    "numbers_missing",
    "numbers_other",
    "claim_negated",
    "text_negated",
    "negated_otherwise",
    "antonyms",
    "length",
    "nothing",
)
_NUMBER = re.compile(r"\d+")


def describe(claim: str, text: str) -> list[float]:
    """Compare a claim with a text.

    >>> dict(zip(FEATURES, describe("It has 3 towns.", "It has 4 towns."), strict=True))[
    ...     "numbers_missing"
    ... ]
    1.0
    """
    said, read, content = set(words(claim)), set(words(text)), content_words(claim)
    names = {fold(word) for word in spelled_words(claim)[1:] if word[0].isupper()}
    numbers, others = (set(_NUMBER.findall(one)) for one in (claim, text))
    negated, negated_there = bool(negations(claim)), bool(negations(text))
    return [
        len(content & read) / (len(content) or 1),
        len(names & read) / (len(names) or 1),
        float(len(names - read)),
        float(len(numbers & others)),
        float(len(numbers - others)),
        float(bool(others - numbers)),
        float(negated),
        float(negated_there),
        float(negated != negated_there),
        float(opposed(said, read)),
        min(len(read) / 40, 3.0),
        float(not read),
    ]


def describe_all(claims: Sequence[str], texts: Sequence[str]) -> list[NDArray[np.float32]]:
    """Compare each claim with its text: a row of features for each."""
    pairs = zip(claims, texts, strict=True)
    return [np.array(describe(claim, text), np.float32) for claim, text in pairs]


@cache
def _opposites() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for pair in lines("antonyms"):
        left, right = (set(side.split()) for side in pair.split("|"))
        for word in left:
            found[word] = found.get(word, set()) | right
        for word in right:
            found[word] = found.get(word, set()) | left
    return found


def opposed(said: set[str], read: set[str]) -> int:
    """Count the words of one text that the other lacks, having their opposite instead.

    >>> opposed({"the", "largest", "city"}, {"the", "smallest", "city"})
    1
    """
    return sum(bool(_opposites().get(word, set()) & read) for word in said - read)
