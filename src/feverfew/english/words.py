"""Words: the lexicons in `data/`, tokenisation, amounts, and a little grammar.

Lexicons instead of a tagger: analysing a claim must take microseconds. Callers must be conservative
about unlisted words.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

from msgspec import Struct


@cache
def word_list(name: str) -> frozenset[str]:
    """Return the words of a plain text file: `word_list("prepositions")`."""
    return word_set(_read(f"{name}.txt"))


def lines(name: str) -> list[str]:
    """Return the lines of a plain text file."""
    return _read(f"{name}.txt").splitlines()


@cache
def table(name: str) -> dict[str, Any]:
    """Return a TOML file as a dictionary; lists of words are strings, to be split.

    >>> table("numbers")["scales"]["dozen"]
    12
    """
    return tomllib.loads(_read(f"{name}.toml"))


def _read(name: str) -> str:
    text = files("feverfew.english").joinpath("data", name).read_text("utf-8")
    return "\n".join(line for line in text.splitlines() if not line.startswith("# "))


def word_set(text: str) -> frozenset[str]:
    """Make a set of the words of a text."""
    return frozenset(text.split())


def by_word(groups: dict[str, Any]) -> dict[str, Any]:
    """Give every word of a group its group's value: {"km kilometre": 1000} → {"km": 1000, …}."""
    return {word: value for listed, value in groups.items() for word in listed.split()}


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
    """Stem a word: 'acted', 'acts' → 'act'."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def content(words: Iterable[str]) -> set[str]:
    """Return the stems of the content words."""
    empty = word_list("stopwords")
    return {stem(w) for w in words if len(w) > 2 and w.isalpha() and w not in empty}


Span = tuple[int, int]

_SENTENCE_END = re.compile(r"[.!?;](?=\s)")
_LOWER_WORD = re.compile(r"(?<![^\W_])[a-z]{3,}")
"""Words that are not names, as written."""


def plain_words(text: str) -> set[str]:
    """Return the stems of the content words that are not names."""
    return content(_LOWER_WORD.findall(text))


def sentence_spans(text: str) -> Iterator[Span]:
    """Split a text at full stops and semicolons."""
    return pairwise([0, *(m.end() for m in _SENTENCE_END.finditer(text)), len(text)])


def sentence_around(text: str, start: int, end: int) -> Span:
    """Return the sentence around a place."""
    around = [one for one in sentence_spans(text) if one[1] > start and one[0] < end]
    return around[0][0], around[-1][1]


_NEGATION = re.compile(
    r"\b(?:not(?! only\b| just\b| merely\b| to be confused| \w+ than\b)|never|cannot|neither"
    r"|nor|nobody|none|nothing|nowhere|no(?= [a-z])(?! \w+ than\b)|without|lack(?:s|ed)?"
    r"|incapable|unable|impossible"
    r"|(?:has|have|had|is|was) yet to|(?:fail(?:s|ed)?|refuse[sd]?|decline[sd]?) to"
    r"|refused|rejected|denied|avoided)\b|(?<=[a-z])n['’]t\b"
    r"|^(?:Not|Never|Neither|Nobody|None|Nothing|No)(?= [a-z])"
)
_SPELLED = re.compile(r"[a-z]+")


@cache
def negation_cues() -> frozenset[str]:
    """Return the words without which nothing is negated."""
    return word_set(table("negation")["cues"])


def negations(text: str) -> list[Span]:
    """Return where the words stand that negate; in names ("No Country for Old Men") they do not.

    >>> negations("He was not only a singer, but he never acted in No Escape.")
    [(33, 38)]
    """
    # Most texts have no negation, and checking their words is far cheaper than the search.
    if (
        negation_cues().isdisjoint(_SPELLED.findall(text.lower()))
        and "n't" not in text
        and "n’t" not in text
    ):
        return []
    return [m.span() for m in _NEGATION.finditer(text)]


_NUMBERS = table("numbers")
_TENS = dict(zip(_NUMBERS["tens"].split(), range(20, 100, 10), strict=True))
CARDINALS: dict[str, int] = {
    word: n for n, word in enumerate(_NUMBERS["cardinals"].split())
} | _TENS
CARDINALS |= {
    f"{ten}-{unit}": value + CARDINALS[unit]
    for ten, value in _TENS.items()
    for unit in _NUMBERS["cardinals"].split()[1:10]
}
SCALES: dict[str, int] = _NUMBERS["scales"]
CARDINALS |= {w: SCALES[w] for w in ("dozen", "hundred", "thousand", "million", "billion")}
ORDINALS: dict[str, int] = {word: n for n, word in enumerate(_NUMBERS["ordinals"].split(), 1)}

_TOKEN = re.compile(
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.?\d+|[^\W\d_]+(?:-(?=one\b|two\b|three\b|four\b|five\b"
    r"|six\b|seven\b|eight\b|nine\b)[a-z]+)?|\S"
)
_FEW = 7
"""Number of words on either side of an amount that describe it."""
_APART = frozenset((",", ";", ":", ".", "(", ")", "and", "with"))


class Amount(Struct, frozen=True):
    """A number, a measure or a date: everything that it may mean, from `low` to `high`."""

    low: float
    high: float
    value: float
    """As written, in the measure's base unit."""
    text: str
    start: int
    end: int
    """Its position in the text."""
    first: int
    last: int
    """Its first and its last word."""
    unit: float = 1.0
    """The written unit relative to the measure's base unit."""
    measure: str = ""
    """date, clock, length, share, dollars, rank, ordinal …; "" for a plain count."""
    grain: str = ""
    """Of a date: year, date, decade, century, span (of years) or day (of some year)."""
    counted: tuple[str, ...] = ()
    """Stems of the words that follow a number: what is counted."""
    event: str = ""
    """The event of a date: born, died, released …"""
    bounded: bool = False
    """The comparison it is used with: at least 3, before 1990."""
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


_GRAMMAR = {name: word_set(words) for name, words in table("grammar").items()}
AUXILIARIES, INTRANSITIVE = _GRAMMAR["auxiliaries"], _GRAMMAR["intransitive"]
PREPOSITIONS = _GRAMMAR["prepositions"]
PAST = INTRANSITIVE | _GRAMMAR["transitive"]
PARTICIPLES = _GRAMMAR["participles"] | (
    _GRAMMAR["transitive"] - word_set("beat gave drew took underwent wrote broke")
)
VERBS = AUXILIARIES | PAST | _GRAMMAR["present"]
"""What surely is a finite verb after a subject or an "and"."""

_WORD_OR_SIGN = re.compile(r"[^\s,;:()\[\]\"“”]+|[,;:()\[\]\"“”]")


class Token(Struct, frozen=True, gc=False):
    """A word or a sign, and where it stands."""

    text: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """Split a sentence at blanks and signs; its last full stop is no part of a word."""
    found = [Token(m[0], m.start(), m.end()) for m in _WORD_OR_SIGN.finditer(text)]
    if found and len(found[-1].text) > 1 and found[-1].text[-1] in ".!?":
        last = found[-1]
        bare = last.text.rstrip(".!?") or last.text
        found[-1] = Token(bare, last.start, last.start + len(bare))
    return found


def skip_adverbs(found: Sequence[Token], at: int) -> int:
    """Return the place of the first token from `at` on that is no adverb."""
    while at < len(found) and found[at].text in _GRAMMAR["adverbs"]:
        at += 1
    return at


def first_verb(found: Sequence[Token]) -> int:
    """Return the place of the first finite verb, -1 if none is sure.

    >>> first_verb(tokens("The Man Who Fell to Earth stars David Bowie."))
    6
    """
    for at, token in enumerate(found):
        if token.text in VERBS:
            return at
        before = found[at - 1].text if at else ""
        # After a name, "stars" and the like are verbs: "Casablanca stars Humphrey Bogart".
        if token.text in _GRAMMAR["present_or_plural"] and before[:1].isupper():
            return at
    return -1


def has_verb(text: str) -> bool:
    """Say whether a text may be a sentence: one of its words may be a finite verb."""
    return any(_may_be_verb(token.text) for token in tokens(text))


def _may_be_verb(word: str) -> bool:
    return (
        word in VERBS
        or word in _GRAMMAR["present_or_plural"]
        or (word.islower() and len(word) > 4 and word.endswith("ed"))
        or word.endswith(("n't", "n’t"))
    )


def is_name(found: Sequence[Token]) -> bool:
    """Say whether tokens are one proper name: 'Fritz Lang', 'The Bank of England'."""
    if not found or not any(token.text[:1].isupper() for token in found):
        return False
    first, last = found[0].text, found[-1].text
    if first in _GRAMMAR["never_first"] or (len(found) == 1 and first in ("The", "What")):
        return False
    return (
        _capital(first)
        and (_capital(last) or last.isdigit())
        and all(
            _capital(t.text) or t.text in _GRAMMAR["within_names"] or t.text.isdigit()
            for t in found
        )
    )


def _capital(word: str) -> bool:
    return word[:1].isupper() or (word[:1].isdigit() and len(word) > 1)
