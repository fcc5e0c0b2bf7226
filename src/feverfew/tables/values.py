"""Parse a cell: its words, and its number or date."""

import re
from functools import lru_cache
from math import isfinite

from msgspec import Struct

from feverfew.english.dates import YEAR, dates
from feverfew.english.numbers import CURRENCIES, UNITS, plain_numbers
from feverfew.english.words import Words
from feverfew.text import fold

NUMBER, DATE, TEXT = "number", "date", "text"
DAYS_A_YEAR = YEAR

# Folding turns signs outside ASCII into blanks, so minus signs and dashes are kept before it.
_DASHES = str.maketrans(
    {"−": "-", "–": "-", "—": "-", "‒": "-", "\u00a0": " ", "\u202f": " ", "\u2009": " "}
)
_NOTE = re.compile(r"\[[^\]\d]{0,12}\d*\]|[*†‡§¶^]+")
_WORD = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?(?![^\W_])|[^\W_]+")
_GROUPED = re.compile(r"(?<=\d)[ ](?=\d{3}(?:[ .,]|$))")
_TIME = re.compile(r"\+?\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{2}(?:\.\d+)?)")
# What may come before and after the number of a numeric cell.
_BEFORE = re.compile(r"(?:[~<>=+#]|no\.?|t|us|approx\.?)?\s*(?P<sign>-)?\s?")
_AFTER = re.compile(r"\s*(?:°|(?P<unit>[a-z/]+)(?: [a-z/]+)?)?\s*(?:\(.*\)|\+)?")
_NTH = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b")
_SIGN_AFTER = re.compile(r"([$€£¥₹])\s?-")
_UNIT_WRITTEN = re.compile(r"%|[a-z/]+$")
_LONGEST = 80
"""Longer cells are text, whatever they begin with."""


class Value(Struct, frozen=True):
    """The value of a cell. A date counts days in years of 372: every month has 31."""

    kind: str
    number: float = float("nan")
    unit: str = ""
    """What a number measures (length, mass, …), its currency, or the word after it."""
    factor: float = 1.0
    """The written unit relative to the measure's base unit; `number` is in the base unit."""


_EMPTY = Value(TEXT)


@lru_cache(maxsize=1 << 16)  # The same cells occur in many rows and programs.
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
    said = _SIGN_AFTER.sub(r"-\1", _NTH.sub("", said)).lstrip("+ ").removeprefix("c.").lstrip()
    amount = next(iter(plain_numbers(said)), None)
    if amount is None or (amount.bounded and isfinite(amount.low + amount.high)):
        return None  # "5–10 kg"
    before, after = _BEFORE.fullmatch(said[: amount.start]), _AFTER.fullmatch(said[amount.end :])
    if before is None or after is None:
        return None
    number = amount.value / amount.unit * (-1 if before["sign"] else 1)
    if amount.measure in CURRENCIES:
        return Value(NUMBER, number, amount.measure)
    written = _UNIT_WRITTEN.search(amount.text)
    unit = written[0] if amount.measure and written else after["unit"] or ""
    measure, factor = UNITS.get(unit, (unit, 1.0))
    return Value(NUMBER, number * factor, measure, factor)


def _time(said: str) -> Value | None:
    found = _TIME.fullmatch(said)
    if found is None:
        return None
    hours, minutes, seconds = (float(part or 0) for part in found.groups())
    return Value(NUMBER, 3600 * hours + 60 * minutes + seconds, "time")


def _date(said: str) -> Value | None:
    # Months are known by their capital; a day of the week may precede the date.
    found = dates(Words.of(said.title()))
    if not found or found[0].grain not in ("date", "day") or found[0].start > len("wednesday, "):
        return None
    return Value(DATE, float(found[0].value))


def plain_number(word: str) -> str:
    """Normalise a number in digits: '1,200.50' → '1200.5'."""
    word = word.replace(",", "")
    if "." in word:
        word = word.rstrip("0").rstrip(".")
    return word.lstrip("0") or "0"


@lru_cache(maxsize=1 << 16)
def cell_words(text: str) -> tuple[str, ...]:
    """Split a cell or a claim into singular words with normalised numbers.

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
