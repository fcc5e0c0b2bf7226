"""A text as its words and signs, with what the checks of numbers and dates ask of it."""

import re

from msgspec import Struct

__all__ = ["CARDINALS", "ORDINALS", "SCALES", "Words", "content", "is_number", "stem", "word_set"]


def word_set(text: str) -> frozenset[str]:
    """Make a set of the words of a text."""
    return frozenset(text.split())


_TOKEN = re.compile(
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.?\d+|[^\W\d_]+(?:-(?=one\b|two\b|three\b|four\b|five\b"
    r"|six\b|seven\b|eight\b|nine\b)[a-z]+)?|\S"
)
_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
_TEENS = "fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
CARDINALS = {word: n for n, word in enumerate(f"{_UNITS} {_TEENS}".split())}
CARDINALS |= {word: n for n, word in zip(range(20, 100, 10), _TENS.split(), strict=True)}
CARDINALS |= {
    f"{tens}-{unit}": CARDINALS[tens] + CARDINALS[unit]
    for tens in _TENS.split()
    for unit in _UNITS.split()[1:10]
}
CARDINALS |= {"dozen": 12, "hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
SCALES = {"dozen": 12, "hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
SCALES |= {"trillion": 10**12, "crore": 10**7, "lakh": 10**5}
_NTH = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_NTH += " thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
ORDINALS = {word: n for n, word in enumerate(_NTH.split(), 1)}

_EMPTY = word_set(
    """the and was were has had have been with for from that this which who whose its his her their
    they them she him also into than then there when while where during between among about over
    under after before since until not never only more most less least one two three other some
    such any each both all are but being did does done would could can may will named called known
    year years least fewer born died date time"""
)
_FEW = 7
_APART = frozenset((",", ";", ":", ".", "(", ")", "and", "with"))


class Words(Struct, frozen=True):
    """A text cut into words, numbers and signs.

    >>> Words.of("In 1,200 days.").written
    ['In', '1,200', 'days', '.']
    """

    text: str
    written: list[str]
    low: list[str]
    starts: list[int]

    @classmethod
    def of(cls, text: str) -> "Words":
        """Cut a text."""
        found = list(_TOKEN.finditer(text))
        written = [m[0] for m in found]
        return cls(text, written, [w.lower() for w in written], [m.start() for m in found])

    def at(self, i: int) -> str:
        """Return the word at a place, in lower case; "" outside the text."""
        return self.low[i] if 0 <= i < len(self.low) else ""

    def between(self, first: int, last: int) -> str:
        """Return the text from one word to another, as it is written."""
        return self.text[self.starts[first] : self.starts[last] + len(self.written[last])]

    def around(self, first: int, last: int) -> tuple[list[str], list[str]]:
        """Return the few words before and after a place, up to a sign or an "and"."""
        start, end = first, last + 1
        while start > max(0, first - _FEW) and self.low[start - 1] not in _APART:
            start -= 1
        while end < min(len(self.low), last + 1 + _FEW) and self.low[end] not in _APART:
            end += 1
        return self.low[start:first], self.low[last + 1 : end]

    def named(self, i: int) -> bool:
        """Say whether a word is written as part of a name."""
        return 0 <= i < len(self.written) and self.written[i][0].isupper()


def is_number(word: str) -> bool:
    """Say whether a word is written in digits: '12', '.5'."""
    return word[-1].isdecimal()


_IRREGULAR = {
    "children": "child",
    "people": "person",
    "men": "man",
    "women": "woman",
    "wives": "wife",
    "feet": "foot",
    "cities": "city",
    "countries": "country",
}


def stem(word: str) -> str:
    """Cut what most often differs between two uses of a word: 'acted', 'acts' → 'act'."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def content(words: list[str]) -> set[str]:
    """Return the stems of the words that say something."""
    return {stem(w) for w in words if len(w) > 2 and w.isalpha() and w not in _EMPTY}
