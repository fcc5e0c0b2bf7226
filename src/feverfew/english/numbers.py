"""Find the numbers, measures and dates of a text, each with everything that it may mean.

>>> [(a.text, a.measure, a.value) for a in find("The 430 km road took at least two weeks.")]
[('430 km', 'length', 430000.0), ('two weeks', 'duration', 20160.0)]
"""

import re
from functools import lru_cache
from math import inf

from msgspec import Struct

from feverfew.english.dates import dates
from feverfew.english.words import (
    CARDINALS,
    ORDINALS,
    SCALES,
    Amount,
    Words,
    by_word,
    stem,
    table,
    word_set,
)

UNITS: dict[str, tuple[str, float]] = {
    unit: (measure, factor)
    for measure, units in table("units").items()
    for unit, factor in by_word(units).items()
}
"""What a unit measures, and how many of the measure's own unit it is."""
_DURATIONS = by_word(table("durations"))
CURRENCY_WORDS: dict[str, str] = by_word(table("currencies"))
CURRENCIES = frozenset(CURRENCY_WORDS.values())
_MONEY_SCALES = {"m": 10**6, "k": 1000, "b": 10**9}
"""Of money only: '$5m', but '5 m' is a length."""
_FRACTIONS: dict[str, int] = table("numbers")["fractions"]
_STOPS = word_set(table("numbers")["stops"])
_RANK_WORDS = word_set(table("numbers")["rank_words"])
_BOUNDS = {name: word_set(listed) for name, listed in table("bounds").items()}
# A bound's direction, and whether the number itself is outside.
_LEAST = dict.fromkeys(_BOUNDS["at_least"], 0) | dict.fromkeys(_BOUNDS["above"], 1)
_MOST = dict.fromkeys(_BOUNDS["at_most"], 0) | dict.fromkeys(_BOUNDS["below"], 1)
_CLOCK = re.compile(
    r"\b(\d{1,2})(?:[:.](\d{2}))?\s?([ap])\.?m\b\.?|\b(\d{1,2}):(\d{2})\b(?!:)", re.IGNORECASE
)
_SPREAD = 0.1  # "about 50" may be 45
_ROUNDING = 0.006  # 1,204 is written as 1,200


_WHOLES = ("of", "the", "its", "his", "her", "their", "all", "that")


class Found(Struct, frozen=True):
    """A text cut into words, and the amounts in it."""

    words: Words
    amounts: list[Amount]


def find(text: str) -> list[Amount]:
    """List the amounts of a text: dates first, then times and numbers, each in order."""
    return read(text).amounts


@lru_cache(maxsize=512)  # a claim meets many sentences, and a sentence often several claims
def read(text: str) -> Found:
    """Cut a text into words and find its amounts."""
    words = Words.of(text)
    found = dates(words)
    taken = {i for date in found for i in range(date.first, date.last + 1)}
    taken.update(i for i in range(len(words.low)) if words.at(i + 1) == "bc")
    clocks = _clocks(words)
    taken.update(i for clock in clocks for i in range(clock.first, clock.last + 1))
    return Found(words, [*found, *clocks, *_numbers(words, taken)])


def plain_numbers(text: str) -> list[Amount]:
    """List the numbers of a text that holds no dates, such as a cell of a table."""
    return _numbers(Words.of(text), set())


def _clocks(words: Words) -> list[Amount]:
    """Find times of day, in minutes after midnight."""
    found = []
    for match in _CLOCK.finditer(words.text):
        hour, minute = int(match[1] or match[4]), int(match[2] or match[5] or 0)
        if hour > 24 or minute > 59:
            continue
        if match[3]:
            hour = hour % 12 + 12 * (match[3].lower() == "p")
        first, last = words.covering(match.start(), match.end())
        at = 60.0 * hour + minute
        low, high, bounded = at, at, False
        before = words.at(first - 1)
        if before in ("before", "by", "after", "until", "from"):
            low, high = (at, inf) if before in ("after", "from") else (-inf, at)
            bounded = True
        found.append(words.amount(first, last, low, high, at, "clock", bounded=bounded))
    return found


def _numbers(words: Words, taken: set[int]) -> list[Amount]:
    found: list[Amount] = []
    past = -1
    for i, word in enumerate(words.low):
        starts = word[-1].isdecimal() or word in CARDINALS or word in ORDINALS or word in _FRACTIONS
        if starts and i > past and i not in taken:
            amount = _fraction(words, i) or _number(words, i, word)
            if amount is not None:
                found.append(amount)
                past = amount.last
    return _ranges(words, found)


def _fraction(words: Words, i: int) -> Amount | None:
    """Read 'half of', 'a third of', 'two thirds', 'one in five' as a share in per cent."""
    first, part, last = i, 1.0, i
    if words.at(i) in CARDINALS and words.at(i + 1) in _FRACTIONS:
        part, last = float(CARDINALS[words.at(i)]), i + 1
        if part > 1 and not words.at(last).endswith("s"):
            return None
    elif words.at(i) in CARDINALS and words.at(i + 1) == "in" and words.at(i + 2) in CARDINALS:
        whole = CARDINALS[words.at(i + 2)]
        if words.at(i - 1) not in ("", ".", ",", "about", "than", "only", "every", "that"):
            return None
        return _share(words, i, i + 2, CARDINALS[words.at(i)] / whole) if whole else None
    elif words.at(i) != "half" and not (words.at(i) in _FRACTIONS and words.at(i - 1) == "a"):
        return None
    if words.at(last + 1) not in (*_WHOLES, *((".", ",", ";", "") if last > first else ())):
        return None
    return _share(words, first, last, part / _FRACTIONS[words.at(last)])


def _share(words: Words, first: int, last: int, part: float) -> Amount:
    low, high, bounded = _bounds(words, first, 100 * part)
    spread = 0.0 if bounded else 1.0
    return words.amount(
        first, last, low - spread, high + spread, 100 * part, "share", bounded=bounded
    )


def _number(words: Words, i: int, word: str) -> Amount | None:
    before, following = words.at(i - 1), words.at(i + 1)
    if word in _FRACTIONS and word not in ORDINALS:
        return None
    if words.named(i) and (words.named(i + 1) or (i > 0 and before not in (".", '"'))):
        return None  # "Fast Five", "One Direction": names
    if word[-1].isdecimal():
        if ":" in (before, following) or (following == "s" and words.touch(i)):
            return None
        currency = before in CURRENCY_WORDS
        if words.named(i - 1) and i > 1 and before not in _RANK_WORDS and not currency:
            return None  # "Furious 7"
        if before == "+" or (before == "-" and words.named(i - 2)):
            return None  # "Blink-182"
        value = float(word.replace(",", ""))
        if following in ("st", "nd", "rd", "th"):
            return _ordinal(words, i, i + 1, value)
    elif word in ORDINALS:
        if word == "second" and before in CARDINALS:
            return None
        return _ordinal(words, i, i, ORDINALS[word])
    else:
        value = float(CARDINALS[word])
        if word == "one" and (following in _STOPS or before in ("no", "any", "this")):
            return None  # "one of the best"
    last = i
    while (scale := SCALES.get(words.at(last + 1))) is not None:
        value, last = value * scale, last + 1
    if before in CURRENCY_WORDS and (scale := _MONEY_SCALES.get(words.at(last + 1))) is not None:
        value, last = value * scale, last + 1
    if before in ("#", "number") or (before == "." and words.at(i - 2) == "no"):
        return words.amount(i, last, value, value, value, "rank")
    return _measured(words, i, last, value)


def _ordinal(words: Words, first: int, last: int, value: float) -> Amount | None:
    counted = _counted(words, last + 1)
    if words.at(last + 1) in ("and", "or") and words.at(last + 2) in ORDINALS:
        counted = _counted(words, last + 3)  # "eighth and ninth albums"
    if not counted:
        return None
    return words.amount(first, last, value, value, value, "ordinal", counted=counted)


def _measured(words: Words, first: int, last: int, value: float) -> Amount:
    measure, factor, end = "", 1.0, last
    following = words.at(last + 1)
    if following == "-":
        following, end = words.at(last + 2), last + 1
    start = first
    if (money := CURRENCY_WORDS.get(words.at(first - 1))) is not None:
        measure, start, end = money, first - 1, last
    elif following in CURRENCY_WORDS:
        measure, end = CURRENCY_WORDS[following], end + 1
    elif following == "per" and words.at(last + 2) == "cent":
        measure, end = "share", last + 2
    elif following == "year" and words.at(end + 3) == "old":
        measure = "age"
    elif following in _DURATIONS:
        measure, factor, end = "duration", _DURATIONS[following], end + 1
    elif following in UNITS:
        (measure, factor), end = UNITS[following], end + 1
    else:
        end = last
    if measure and words.at(end + 1) == "/":  # 30 km/h is no length
        measure, end = f"{measure}/{words.at(end + 2)}", min(end + 2, len(words.low) - 1)
    low, high, bounded = _bounds(words, start, value)
    counts = last + 1
    if words.at(end + 1) in ("or", "and") and (more := words.at(end + 2)) in _LEAST | _MOST:
        low, high, bounded = (value, inf, True) if more in _LEAST else (-inf, value, True)
        counts, end = end + 3, end + 2
    return words.amount(
        start,
        end,
        low * factor,
        high * factor,
        value * factor,
        measure,
        unit=factor,
        counted=_counted(words, counts),
        bounded=bounded,
    )


def _bounds(words: Words, first: int, value: float) -> tuple[float, float, bool]:
    """Say between which values a number lies, and whether it is only a bound."""
    i = first - 1
    if words.at(i) in ("us", "a", "the"):
        i -= 1
    if words.at(i) in ("than", "of") or (words.at(i - 1), words.at(i)) == ("up", "to"):
        i -= 1
    word = words.at(i)
    strictly = abs(value) * 1e-9 + 1e-9
    if word in _LEAST or word in _MOST:
        least = word in _LEAST
        outside = (_LEAST if least else _MOST)[word]
        if words.at(i - 1) in ("no", "not", "never"):  # no more than five: at most five
            least, outside = not least, 1 - outside
        if least:
            return value + strictly * outside, inf, True
        return -inf, value - strictly * outside, True
    about = word in _BOUNDS["about"]
    spread = abs(value) * (_SPREAD if about else _ROUNDING if value > 100 else 0.0)
    return value - spread, value + spread, False


def _counted(words: Words, i: int) -> tuple[str, ...]:
    found: list[str] = []
    for at in range(i, i + 4):
        word = words.at(at)
        if word == "-" and at == i:
            continue
        if not word or word in _STOPS or not word.isalpha():
            break
        found.append(stem(word))
    return tuple(found)


def _ranges(words: Words, found: list[Amount]) -> list[Amount]:
    """Join 'between 5 and 10 km', 'from 5 to 10 km' and '5–10 km' into one amount."""
    made: list[Amount] = []
    for amount in found:
        one = made[-1] if made else None
        if one is not None and one.measure in ("", amount.measure) and amount.first == one.last + 2:
            joint, opener = words.at(amount.first - 1), words.at(one.first - 1)
            factor = amount.unit if not one.measure else 1.0
            ranged = (opener, joint) in (("between", "and"), ("from", "to")) or (
                joint in ("-", "–", "to") and amount.measure not in ("", "ordinal", "rank")
            )
            if ranged and one.value * factor < amount.value and not one.bounded:
                made[-1] = words.amount(
                    one.first,
                    amount.last,
                    one.value * factor,
                    amount.value,
                    amount.value,
                    amount.measure,
                    unit=amount.unit,
                    counted=amount.counted,
                    bounded=True,
                )
                continue
        made.append(amount)
    return made
