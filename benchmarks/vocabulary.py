"""Words and names for generated encyclopedias: how they are spelled, and how often they occur.

Frequencies follow Zipf and Mandelbrot twice, as in real text: some forty function words have a
steep curve of their own, content words one that starts flat; far down it falls faster and never
ends, so that the vocabulary grows with the corpus as Heaps' law says.
"""

import numpy as np
from numpy.typing import NDArray

__all__ = ["FUNCTION_WORDS", "Names", "Words", "spell"]

Numbers = NDArray[np.int64]

# fmt: off
FUNCTION_WORDS = (
    "the", "of", "in", "and", "a", "is", "to", "was", "as", "for", "by", "on", "it", "with", "at",
    "he", "from", "an", "his", "also", "has", "that", "its", "which", "first", "one", "are", "or",
    "who", "were", "known", "after", "two", "their", "most", "she", "be", "been", "this",
)
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)
# fmt: on

_ONSETS = ("b", "c", "d", "f", "g", "h", "l", "m", "n", "p", "r", "s", "t", "v", "st", "br")
_RIMES = ("a", "e", "i", "o", "an", "er", "il", "on")
# Every syllable begins with a consonant and ends in a vowel, n, r or l, so that no two series of
# syllables spell the same word.
SYLLABLES = [onset + rime for rime in _RIMES for onset in _ONSETS]
_BITS = 7
_MIX = 0x9E3779B1


def spell(numbers: Numbers, syllables: int) -> list[str]:
    """Spell each number below 128 ** syllables as a word of its own."""
    bits = _BITS * syllables
    # An odd factor permutes the numbers, so that neighbours look nothing alike.
    mixed = (numbers * _MIX + 12345) & ((1 << bits) - 1)
    columns = [((mixed >> shift) & 127).tolist() for shift in range(0, bits, _BITS)]
    s = SYLLABLES
    if syllables == 2:
        return [s[a] + s[b] for a, b in zip(*columns, strict=True)]
    if syllables == 3:
        return [s[a] + s[b] + s[c] for a, b, c in zip(*columns, strict=True)]
    return ["".join([s[digit] for digit in digits]) for digits in zip(*columns, strict=True)]


class Words:
    """The words of running text, by rank; the first are real, the rest pronounceable."""

    COMMA = 0
    CONTENT = 1 + len(FUNCTION_WORDS)
    """Where content words begin."""
    LISTED = 20_000
    """Ranks below this are drawn from a table; beyond, the law is inverted."""
    _RARE = np.int64(1 << 28)
    _TAIL = 1.75
    _RESOLUTION = 1 << 20

    def __init__(self) -> None:
        mass = self._masses()
        slots = np.floor(np.cumsum(mass) * self._RESOLUTION + 0.5).astype(np.int64)
        slots[-1] = self._RESOLUTION
        self._ranks = np.repeat(np.arange(len(mass), dtype=np.int32), np.diff(slots, prepend=0))
        self.listed = self._spellings()

    def _masses(self) -> NDArray[np.float64]:
        """Return each listed word's share of the tokens, and last that of all others."""
        function = 1 / (np.arange(1, self.CONTENT) + 0.6)
        content = (np.arange(self.LISTED - self.CONTENT) + 190.0) ** -1.42
        # What is left below the table, if the curve bends there and falls faster.
        rare = content[-1] * self.LISTED / (self._TAIL - 1)
        text = 0.61 / (content.sum() + rare)
        return np.concatenate(
            [[0.05], 0.34 * function / function.sum(), text * content, [text * rare]]
        )

    def _spellings(self) -> list[str]:
        content = np.arange(self.LISTED - self.CONTENT, dtype=np.int64)
        short = 9_000
        spelled = spell(content[:short], 2) + spell(content[short:], 3)
        # Every eleventh of the frequent ones is a number: a year or a small one.
        numbers = [*map(str, range(1, 32)), *map(str, range(2020, 1800, -1))]
        for place, number in enumerate(numbers):
            spelled[11 * place + 5] = number
        return [",", *FUNCTION_WORDS, *spelled]

    def draw(self, rng: np.random.Generator, count: int) -> Numbers:
        """Draw ranks of words."""
        ranks = self._ranks[rng.integers(0, self._RESOLUTION, count, np.uint32)].astype(np.int64)
        rare = np.flatnonzero(ranks == self.LISTED)
        ranks[rare] = _power(rng, len(rare), self.LISTED, self._TAIL, int(self._RARE))
        return np.asarray(ranks, dtype=np.int64)

    def spellings(self, ranks: Numbers) -> list[str]:
        """Spell drawn ranks."""
        rare = np.flatnonzero(ranks >= self.LISTED)
        places = ranks.copy()
        places[rare] = self.LISTED + np.arange(len(rare))
        table = self.listed + _open_spellings(ranks[rare])
        return list(map(table.__getitem__, places.tolist()))


def _power(
    rng: np.random.Generator, count: int, least: int, exponent: float, limit: int
) -> Numbers:
    """Draw from a power law between `least` and the limit."""
    drawn = least * (1 - rng.random(count)) ** (-1 / (exponent - 1))
    return np.minimum(drawn, limit - 1).astype(np.int64)


def _open_spellings(numbers: Numbers) -> list[str]:
    common = numbers < 1 << 3 * _BITS
    spelled = np.empty(len(numbers), object)
    spelled[common] = spell(numbers[common], 3)
    spelled[~common] = spell(numbers[~common], 4)
    return spelled.tolist()


class Names:
    """Names of people and places: a few given names, and endless family names."""

    def __init__(self) -> None:
        given = spell(np.arange(2_000, dtype=np.int64) + 12_000, 2)
        self._given = [name.capitalize() for name in given]

    def given(self, rng: np.random.Generator, count: int) -> list[str]:
        """Draw given names, the common ones often."""
        places = (len(self._given) ** rng.random(count)).astype(np.int64)
        return [self._given[place] for place in places.tolist()]

    def family(self, rng: np.random.Generator, count: int) -> list[str]:
        """Draw family names; one in forty has an accent."""
        ranks = _power(rng, count, 3_000, 1.9, 1 << 28) + 1_000_000
        names = [name.capitalize() for name in _open_spellings(ranks)]
        for place in np.flatnonzero(ranks % 40 == 0).tolist():
            names[place] = names[place].replace("e", "é").replace("o", "ö")
        return names
