"""A text as its words, numbers and signs, and an amount found in it."""

import re

from msgspec import Struct

from feverfew.english.lexicon import table

__all__ = ["CARDINALS", "ORDINALS", "SCALES", "Amount", "Words"]

_LISTED = table("numbers")
_TENS = dict(zip(_LISTED["tens"].split(), range(20, 100, 10), strict=True))
CARDINALS: dict[str, int] = {word: n for n, word in enumerate(_LISTED["cardinals"].split())} | _TENS
CARDINALS |= {
    f"{ten}-{unit}": value + CARDINALS[unit]
    for ten, value in _TENS.items()
    for unit in _LISTED["cardinals"].split()[1:10]
}
SCALES: dict[str, int] = _LISTED["scales"]
CARDINALS |= {w: SCALES[w] for w in ("dozen", "hundred", "thousand", "million", "billion")}
ORDINALS: dict[str, int] = {word: n for n, word in enumerate(_LISTED["ordinals"].split(), 1)}

_TOKEN = re.compile(
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.?\d+|[^\W\d_]+(?:-(?=one\b|two\b|three\b|four\b|five\b"
    r"|six\b|seven\b|eight\b|nine\b)[a-z]+)?|\S"
)
_FEW = 7
_APART = frozenset((",", ";", ":", ".", "(", ")", "and", "with"))


class Amount(Struct, frozen=True):
    """A number, a measure or a date: everything that it may mean, from `low` to `high`."""

    low: float
    high: float
    value: float
    """As it is written, in the measure's own unit."""
    text: str
    start: int
    end: int
    """Where it stands in the text."""
    first: int
    last: int
    """Its first and its last word."""
    unit: float = 1.0
    """How many of the measure's own unit the written unit is."""
    measure: str = ""
    """date, clock, length, share, dollars, rank, ordinal …; "" for a plain count."""
    grain: str = ""
    """Of a date: year, date, decade, century, span (of years) or day (of some year)."""
    counted: tuple[str, ...] = ()
    """Stems of the words that follow a number: what is counted."""
    event: str = ""
    """What is said to have happened on a date: born, died, released …"""
    bounded: bool = False
    """Said with a comparing word: at least 3, before 1990."""
    named: bool = False
    """Part of a name, as in '1952 Summer Olympics'."""


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

    def named(self, i: int) -> bool:
        """Say whether a word is written as part of a name."""
        return 0 <= i < len(self.written) and self.written[i][0].isupper()

    def touch(self, i: int) -> bool:
        """Say whether no blank is between a word and the next."""
        return self.starts[i] + len(self.written[i]) == self.starts[i + 1]

    def span(self, i: int) -> tuple[int, int]:
        """Return where a word stands in the text."""
        return self.starts[i], self.starts[i] + len(self.written[i])

    def covering(self, start: int, end: int) -> tuple[int, int]:
        """Return the first and the last word between two offsets."""
        inside = [i for i, at in enumerate(self.starts) if start <= at < end]
        return inside[0], inside[-1]

    def amount(
        self,
        first: int,
        last: int,
        low: float,
        high: float,
        value: float,
        measure: str,
        *,
        unit: float = 1.0,
        grain: str = "",
        counted: tuple[str, ...] = (),
        bounded: bool = False,
    ) -> Amount:
        """Make an amount of the words from `first` to `last`."""
        start, end = self.starts[first], self.starts[last] + len(self.written[last])
        return Amount(
            low,
            high,
            value,
            self.text[start:end],
            start,
            end,
            first,
            last,
            unit,
            measure,
            grain,
            counted,
            bounded=bounded,
        )

    def around(self, first: int, last: int) -> tuple[list[str], list[str]]:
        """Return the few words before and after a place, up to a sign or an "and"."""
        start, end = first, last + 1
        while start > max(0, first - _FEW) and self.low[start - 1] not in _APART:
            start -= 1
        while end < min(len(self.low), last + 1 + _FEW) and self.low[end] not in _APART:
            end += 1
        return self.low[start:first], self.low[last + 1 : end]
