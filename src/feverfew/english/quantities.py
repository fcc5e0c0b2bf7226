"""Find counts, measures and places in an order, each with its bounds and with what is counted."""

from math import inf

from msgspec import Struct

from feverfew.english.wording import CARDINALS, ORDINALS, SCALES, Words, is_number, stem, word_set

__all__ = ["Quantity", "quantities"]

# Each unit: what it measures, and how many of the measure's own unit it is.
_MEASURES = {
    "length": {
        "km kilometre kilometer kilometres kilometers": 1000.0,
        "mile miles mi": 1609.344,
        "m metre meter metres meters": 1.0,
        "ft foot feet": 0.3048,
        "cm centimetre centimeter centimetres centimeters": 0.01,
        "inch inches": 0.0254,
    },
    "mass": {
        "kg kilogram kilograms kilo kilos": 1.0,
        "lb lbs pound pounds": 0.45359237,
        "ton tons tonne tonnes": 1000.0,
    },
    "share": {"% percent": 1.0},
    "age": {"yearold": 1.0},
    "minutes": {"minute minutes min": 1.0, "hour hours": 60.0},
}
UNITS = {
    unit: (measure, factor)
    for measure, units in _MEASURES.items()
    for listed, factor in units.items()
    for unit in listed.split()
}
_MONEY = {"$": "dollars", "€": "euros", "£": "pounds", "₹": "rupees"}
_MONEY_WORDS = {"dollar": "dollars", "dollars": "dollars", "euros": "euros", "usd": "dollars"}
# Whether the number itself is outside.
_ABOVE = word_set(
    "more over exceeding exceed exceeds exceeded above excess higher greater surpassed"
)
_BELOW = word_set("fewer less under below lower smaller")
_LEAST = {"least": 0, "minimum": 0} | dict.fromkeys(_ABOVE, 1)
_MOST = {"most": 0, "maximum": 0, "up": 0} | dict.fromkeys(_BELOW, 1)
_NEARLY = word_set("about around approximately nearly almost roughly some circa estimated")
# Beyond these words, what follows a number is not what it counts.
_STOPS = word_set(
    """. , ; : ( ) and or in of on at by to for from with the a an as is was were has had that who
    which over between before after during per until than more"""
)
_SPREAD = 0.1
_ROUNDING = 0.006


class Quantity(Struct, frozen=True):
    """A number: everything that it may mean, from `low` to `high`."""

    low: float
    high: float
    value: float
    """As it is written, in the measure's own unit."""
    text: str
    first: int
    last: int
    measure: str = ""
    """What it measures (length, share, dollars, rank …); "" for a plain count."""
    counted: tuple[str, ...] = ()
    """Stems of the words that follow: what is counted."""
    bounded: bool = False
    """Said with a comparing word: at least 3, more than 5."""


def quantities(words: Words, taken: set[int]) -> list[Quantity]:
    """Find the numbers of a text in order, passing over the places of its dates."""
    found = []
    past = -1
    for i, word in enumerate(words.low):
        if not (word[-1].isdecimal() or word in CARDINALS or word in ORDINALS):
            continue
        if i > past and i not in taken:
            read = _read(words, i, word)
            if read is not None:
                found.append(read)
                past = read.last
    return found


def _read(words: Words, i: int, word: str) -> Quantity | None:
    if words.named(i) and (words.named(i + 1) or (i > 0 and words.at(i - 1) not in (".", '"'))):
        return None  # "Fast Five", "One Direction": names
    if is_number(word):
        if ":" in (words.at(i - 1), words.at(i + 1)) or words.at(i + 1) in ("s", "bc", "am", "pm"):
            return None  # a time of day, a year long ago
        if words.named(i - 1) and i > 1 and words.at(i - 1) not in ("no", "number", "rank"):
            return None  # "Furious 7"
        if words.at(i - 1) == "+" or (words.at(i - 1) == "-" and words.named(i - 2)):
            return None  # "Blink-182"
        value = float(word.replace(",", ""))
        if words.at(i + 1) in ("st", "nd", "rd", "th"):
            return _ordinal(words, i, i + 1, value)
    elif word in ORDINALS:
        if word == "second" and words.at(i - 1) in CARDINALS:
            return None
        return _ordinal(words, i, i, ORDINALS[word])
    else:
        value = float(CARDINALS[word])
        if word == "one" and (
            words.at(i + 1) in _STOPS or words.at(i - 1) in ("no", "any", "this")
        ):
            return None  # "one of the best"
    last = i
    while (scale := SCALES.get(words.at(last + 1))) is not None:
        value, last = value * scale, last + 1
    if words.at(i - 1) in ("#", "number") or (words.at(i - 1) == "." and words.at(i - 2) == "no"):
        return Quantity(value, value, value, words.between(i, last), i, last, "rank")
    return _measured(words, i, last, value)


def _ordinal(words: Words, first: int, last: int, value: float) -> Quantity | None:
    counted = _counted(words, last + 1)
    if words.at(last + 1) in ("and", "or") and words.at(last + 2) in ORDINALS:
        counted = _counted(words, last + 3)  # "eighth and ninth albums"
    if not counted:
        return None
    text = words.between(first, last)
    return Quantity(value, value, value, text, first, last, "ordinal", counted)


def _measured(words: Words, first: int, last: int, value: float) -> Quantity:
    measure, factor, end = "", 1.0, last
    following = words.at(last + 1)
    if following == "-":
        following, end = words.at(last + 2), last + 1
    if (money := _MONEY.get(words.at(first - 1))) is not None:
        measure = money
    elif following in _MONEY_WORDS:
        measure = _MONEY_WORDS[following]
    elif following in UNITS:
        measure, factor = UNITS[following]
        end += 1
    elif following == "year" and words.at(end + 3) == "old":
        measure = "age"
    else:
        end = last
    low, high, bounded = _bounds(words, first, value)
    return Quantity(
        low * factor,
        high * factor,
        value * factor,
        words.between(first, end),
        first,
        last,
        measure,
        _counted(words, last + 1),
        bounded,
    )


def _bounds(words: Words, first: int, value: float) -> tuple[float, float, bool]:
    i = first - 2 if words.at(first - 1) in _MONEY else first - 1
    if words.at(i) in ("us", "a"):
        i -= 1
    if words.at(i) == "than" or (words.at(i - 1), words.at(i)) in (("up", "to"), ("excess", "of")):
        i -= 1
    word = words.at(i)
    strictly = abs(value) * 1e-9 + 1e-9
    if word in _LEAST or word in _MOST:
        least = word in _LEAST
        outside = (_LEAST if least else _MOST)[word]
        if words.at(i - 1) in ("no", "not"):  # no more than five: at most five
            least, outside = not least, 1 - outside
        if least:
            return value + strictly * outside, inf, True
        return -inf, value - strictly * outside, True
    spread = abs(value) * (_SPREAD if word in _NEARLY else _ROUNDING if value > 100 else 0.0)
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
