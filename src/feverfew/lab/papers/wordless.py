"""Verdicts without any word of its own (University of Arizona, 2018): how texts relate, not what.

What is compared: words, names and numbers in common, negations on either side, antonyms, lengths.
"""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from feverfew.english.checks import negations
from feverfew.lab.papers.antonyms import opposed
from feverfew.lab.papers.grams import STOP_WORDS
from feverfew.lab.papers.layers import Weights
from feverfew.lab.papers.pairwise import Table, Weigher
from feverfew.text import fold, spelled_words, words

__all__ = ["FEATURES", "Wordless", "describe"]

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
    """Compare a claim with a text, by numbers that know no word.

    >>> dict(zip(FEATURES, describe("It has 3 towns.", "It has 4 towns."), strict=True))[
    ...     "numbers_missing"
    ... ]
    1.0
    """
    said, read = words(claim), set(words(text))
    content = {word for word in said if word not in STOP_WORDS}
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
        float(opposed(set(said), read)),
        min(len(read) / 40, 3.0),
        float(not read),
    ]


class Wordless:
    """A small network over such numbers."""

    def __init__(self, weights: Weights) -> None:
        self._inner = Weigher(weights)
        self.weights = weights

    @classmethod
    def start(cls, seed: int) -> "Wordless":
        """Begin with weights drawn by a seed."""
        return cls(Weigher.start(len(FEATURES), seed).weights)

    def prepare(self, claims: Sequence[str], texts: Sequence[str]) -> Table:
        """Compare pairs."""
        rows = [describe(claim, text) for claim, text in zip(claims, texts, strict=True)]
        return Table(np.array(rows, np.float32).reshape(-1, len(FEATURES)))

    def probabilities(self, inputs: Table) -> NDArray[np.float64]:
        """Return the shares of supported, refuted and open for each pair."""
        return self._inner.probabilities(inputs)

    def learn(
        self, inputs: Table, labels: NDArray[np.int64], rng: np.random.Generator | None
    ) -> tuple[float, Weights]:
        """Return the mean loss of a batch, and the slopes of all weights."""
        return self._inner.learn(inputs, labels, rng)
