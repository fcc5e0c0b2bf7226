"""Read a cell: its words, and the number or the date that it holds."""

import re
from functools import lru_cache

from msgspec import Struct

from feverfew.english.dates import MONTHS
from feverfew.english.quantities import UNITS
from feverfew.text import fold

__all__ = [
    "DATE",
    "DAYS_A_YEAR",
    "NUMBER",
    "TEXT",
    "Value",
    "cell_words",
    "plain_number",
    "read_value",
]

NUMBER, DATE, TEXT = "number", "date", "text"
DAYS_A_YEAR = 372
"""As dates are counted here: every month has 31 days."""

# A fold turns signs outside ASCII into blanks, so minus signs and dashes are kept before it.
_DASHES = str.maketrans(
    {"−": "-", "–": "-", "—": "-", "‒": "-", "\u00a0": " ", "\u202f": " ", "\u2009": " "}
)
_NOTE = re.compile(r"\[[^\]\d]{0,12}\d*\]|[*†‡§¶^]+")
_WORD = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?(?![^\W_])|[^\W_]+")
_GROUPED = re.compile(r"(?<=\d)[ ](?=\d{3}(?:[ .,]|$))")
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SCALES |= {"crore": 1e7, "lakh": 1e5, "bn": 1e9}
_MONEY_SCALES = {"m": 1e6, "k": 1e3, "b": 1e9}
"""Of money only: '$5m', but '5 m' is a length."""
_NUMBER = re.compile(
    r"(?P<before>[~<>=+#]|c\.|no\.?|t(?=\d)|us|approx\.?)?\s*(?P<sign>-)?\s?(?P<money>[$€£¥₹])?\s?"
    r"(?P<sign2>-)?(?P<digits>\d+(?:,\d{3})+(?:\.\d+)?|\d*\.?\d+)"
    r"\s*(?P<unit>%|°|st\b|nd\b|rd\b|th\b|[a-z/]+(?: [a-z/]+)?)?\s*(?:\(.*\)|\+)?"
)
_TIME = re.compile(r"\+?\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{2}(?:\.\d+)?)")
_YEAR_FIRST = re.compile(r"(\d{4})\s*[-/.]\s*(\d{1,2})\s*[-/.]\s*(\d{1,2})")
_DAY_FIRST = re.compile(r"(\d{1,2})\s*[-/.]\s*(\d{1,2})\s*[-/.]\s*(\d{4})")
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_NAMED = re.compile(
    rf"(?:(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?[\s-]*(?:of\s+)?)?\b(?P<month>{_MONTH})\b\.?"
    r"(?:[\s-]*(?P<d2>\d{1,2})(?:st|nd|rd|th)?\b(?!:))?(?:\s*[,-]?\s*(?P<year>\d{4}))?"
)
_YEAR_THEN = re.compile(rf"(?P<year>\d{{4}})\s+(?P<month>{_MONTH})\s+(?P<day>\d{{1,2}})")
_LONGEST = 80
"""Letters of a cell beyond which it is a text, whatever it begins with."""


class Value(Struct, frozen=True):
    """What a cell holds. A date counts days in years of 372: every month has 31."""

    kind: str
    number: float = float("nan")
    unit: str = ""
    """What a number measures (length, mass, …), its currency, or the word after it."""
    factor: float = 1.0
    """How many of the measure's own unit the written unit is; `number` is in the former."""


_EMPTY = Value(TEXT)


@lru_cache(maxsize=1 << 16)  # the same cells stand in many rows and many programs
def read_value(text: str) -> Value:
    """Read the number or date of a cell; text has neither.

    >>> read_value("−1,200 km[3]").number, read_value("3rd May 1890") == read_value("1890-05-03")
    (-1200000.0, True)
    """
    said = _NOTE.sub(" ", text.translate(_DASHES)).lower().strip()
    said = " ".join(_GROUPED.sub("", said).split())
    if not said or len(said) > _LONGEST or not any(c.isdecimal() for c in said):
        return _EMPTY
    return _date(said) or _time(said) or _number(said) or _EMPTY


def _number(said: str) -> Value | None:
    found = _NUMBER.fullmatch(said)
    if found is None:
        return None
    number = float(found["digits"].replace(",", ""))
    unit = found["unit"] or ""
    first, _, second = unit.partition(" ")
    if first in _SCALES:
        number, first = number * _SCALES[first], second
    elif found["money"] and first in _MONEY_SCALES:
        number, first = number * _MONEY_SCALES[first], second
    if found["sign"] or found["sign2"]:
        number = -number
    if found["money"]:
        return Value(NUMBER, number, found["money"])
    if first in UNITS:
        measure, factor = UNITS[first]
        return Value(NUMBER, number * factor, measure, factor)
    return Value(NUMBER, number, "" if first in ("st", "nd", "rd", "th") else first)


def _time(said: str) -> Value | None:
    found = _TIME.fullmatch(said)
    if found is None:
        return None
    hours, minutes, seconds = (float(part or 0) for part in found.groups())
    return Value(NUMBER, 3600 * hours + 60 * minutes + seconds, "time")


def _date(said: str) -> Value | None:
    if (found := _YEAR_FIRST.match(said)) and _is_day(found[2], found[3]):
        return _day(found[1], int(found[2]), found[3])
    if (found := _DAY_FIRST.match(said)) and _is_day(found[2], found[1]):
        return _day(found[3], int(found[2]), found[1])
    if found := _YEAR_THEN.match(said):
        return _day(found["year"], MONTHS[found["month"]], found["day"])
    found = _NAMED.search(said)
    if found is None or found.start() > len("wednesday, ") or not (
        found["d1"] or found["d2"] or found["year"]
    ):  # fmt: skip
        return None
    return _day(found["year"] or "0", MONTHS[found["month"]], found["d1"] or found["d2"] or "1")


def _is_day(month: str, day: str) -> bool:
    return 1 <= int(month) <= 12 and 1 <= int(day) <= 31


def _day(year: str, month: int, day: str) -> Value:
    return Value(DATE, float(int(year) * DAYS_A_YEAR + (month - 1) * 31 + int(day) - 1))


def plain_number(word: str) -> str:
    """Spell a number in digits one way: '1,200.50' → '1200.5'."""
    word = word.replace(",", "")
    if "." in word:
        word = word.rstrip("0").rstrip(".")
    return word.lstrip("0") or "0"


@lru_cache(maxsize=1 << 16)
def cell_words(text: str) -> tuple[str, ...]:
    """Cut a cell or a claim into words without their plural; numbers are spelled one way.

    >>> cell_words("The Bulldogs' 1,200.0 points (27–0)")
    ('the', 'bulldog', '1200', 'point', '27', '0')
    """
    found = _WORD.findall(fold(_NOTE.sub(" ", text.translate(_DASHES))))
    return tuple(map(_one, found))


def _one(word: str) -> str:
    if word[0].isdecimal() and word[-1].isdecimal():
        return plain_number(word)
    if len(word) > 3 and word[-1] == "s" and word[-2] not in "su":
        return word[:-1]
    return word
