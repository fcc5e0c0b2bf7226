"""Say a number of a true text otherwise: as a bound, or wrongly.

"It has 2,794 employees." → "It has more than 2,600 employees." (supported), "It has under 2,000
employees." (refuted); "in 1998" → "before 2001", "after 1998". People compare with what they read,
and hardly a claim of FEVER does.
"""

import random
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

_YEAR = re.compile(r"\b[Ii]n (1[5-9]\d\d|20[0-2]\d)\b(?![-–,]? ?\d|s\b|'| [A-Z])")
_COUNT = re.compile(
    r"(?<![\w$.,/:-])(\$?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?( million| billion|%)?"
    r"(?= [a-z]{3,}|%?[.,]? |%?[.,]?$)"
)
_COUNTED = re.compile(
    r" (?:(?!(?:of|in|and|to|by|at|on|was|is|for|from|the|or) )[a-z]+s|people|men|women|children)\b"
)
_COMPARED = re.compile(
    r"\b(?:than|over|under|least|most|about|around|approximately|nearly|almost|some|to|up|between"
    r"|before|after|since|until|exceeding|above|below|circa|number|and|or|season|episode"
    r"|(?!The )[A-Z][\w.]*) $"
)
"""Said before a number: it is a bound already, or no count, as in "Route 66"."""
_MORE, _FEWER = ("more than", "over", "at least"), ("less than", "under", "at most")
_AFTER, _BEFORE = ("after", "after", "later than"), ("before", "before", "prior to", "by")
_SMALL = 20
"""Below this, steps are of one to three; from here on, a share of the number."""
_NEAR = (0.01, 0.03, 0.06, 0.1, 0.2, 0.3, 0.5)
_FAR = (0.1, 0.2, 0.3, 0.5)
"""By how much another number differs; what is nearer than the latter may be rounded."""


class Bound(Struct, frozen=True):
    """A text with one of its numbers said otherwise."""

    claim: str
    number: str
    """As the true text has it."""
    supported: bool


def bounds(text: str, rng: random.Random) -> Iterator[Bound]:
    """Yield a supported and a refuted way to say each number of a true text, in any order."""
    for found in _YEAR.finditer(text):
        for supported in (True, False):
            said = _dated(int(found[1]), supported, rng)
            said = said.capitalize() if found[0][0] == "I" else said
            yield _with(text, found, said, found[1], supported)
    for found in _COUNT.finditer(text):
        if _is_count(text, found):
            for supported in (True, False):
                said = _counted(found, supported, rng)
                if said:
                    yield _with(text, found, said, found[2], supported)


def _with(text: str, found: re.Match[str], said: str, number: str, supported: bool) -> Bound:
    return Bound(text[: found.start()] + said + text[found.end() :], number, supported)


def _dated(year: int, supported: bool, rng: random.Random) -> str:
    step = rng.choice((1, 1, 2, 3, 5, 8, 15))
    if not supported and rng.random() < 0.3:
        return f"in {year + rng.choice((-step, step))}"
    if rng.random() < 0.5:
        word = rng.choice(_AFTER)
        return f"{word} {year - step if supported else year + rng.choice((0, step))}"
    word = rng.choice(_BEFORE)
    wrong = year - step if word == "by" else year - rng.choice((0, step))
    return f"{word} {year + step if supported else wrong}"


def _is_count(text: str, found: re.Match[str]) -> bool:
    if _COMPARED.search(text[: found.start()]) or text[: found.start()].endswith(("(", '"')):
        return False
    money, share = found[1] or found[4], found[4] == "%"
    if not (money or share) and not _COUNTED.match(text, found.end()):
        return False
    return not re.fullmatch(r"1[5-9]\d\d|20[0-2]\d", found[2]) or bool(money)


def _counted(found: re.Match[str], supported: bool, rng: random.Random) -> str:
    value = float(found[2].replace(",", "") + (found[3] or ""))
    if value <= 1:
        return ""
    if not supported and rng.random() < 0.3:
        return _written(_away(value, rng.choice((-1, 1)), rng, _FAR), found)
    up = rng.random() < 0.5
    word = rng.choice(_MORE if up else _FEWER)
    if word.startswith("less") and not (found[1] or found[4]) and rng.random() < 0.8:
        word = "fewer than"
    # A bound that is the number itself: "at least 5" is then right, "more than 5" wrong.
    right_at = word.startswith("at ")
    if rng.random() < 0.2 and right_at == supported:
        return f"{word} {_written(value, found)}"
    other = _away(value, -1 if up == supported else 1, rng)
    return f"{word} {_written(other, found)}" if other > 0 else ""


def _away(value: float, sign: int, rng: random.Random, shares: Sequence[float] = _NEAR) -> float:
    """Return a number near another one, in one direction, round where it is large."""
    if value < _SMALL:
        step = rng.choice((1, 1, 2, 3))
        return value + sign * (step if value == int(value) else step / 2)
    other = value * (1 + sign * rng.choice(shares))
    if value != int(value):
        return round(other, 1) if round(other, 1) != value else value + sign
    digits = rng.choice((0, 1, 2)) if value >= 1000 else 0
    rounded = round(other, -digits)
    return rounded if (rounded - value) * sign > 0 else value + sign


def _written(value: float, like: re.Match[str]) -> str:
    number = f"{round(value):,}" if value == int(value) else f"{value:.{len(like[3] or '.0') - 1}f}"
    if "," not in like[2] and value < 10_000:
        number = number.replace(",", "")
    return f"{like[1]}{number}{like[4] or ''}"
