"""Find the dates of a text with their bounds and events."""

import re
from itertools import pairwise

from msgspec.structs import replace

from feverfew.english.words import ORDINALS, Amount, Words, table, word_set

_LISTED = table("dates")
MONTHS: dict[str, int] = {name: n for n, name in enumerate(_LISTED["months"].split(), 1)}
MONTHS |= {name[:3]: n for name, n in MONTHS.items() if name != "may"} | {"sept": 9}
YEAR, _MONTH = 372, 31  # days as they are counted here: every month has 31
NEVER, ALWAYS = -(10**9), 10**9
_EVENTS: dict[str, str] = {
    word: event for event, listed in _LISTED["events"].items() for word in listed.split()
}
_WORKS, _NO_YEAR_AFTER, _NO_YEAR_BEFORE, _UNTIL, _OPENERS = (
    word_set(_LISTED[name])
    for name in ("works", "no_year_after", "no_year_before", "until", "openers")
)
_BOUNDS: dict[str, int] = _LISTED["bounds"]
_THAN = {"earlier": "before", "later": "after"}
_PEOPLES = ("an", "ish", "ese", "ch", "lish", "ic", "tch", "eek", "wiss", "li")
_STARTERS = frozenset((*MONTHS, *ORDINALS, "twenty"))
_NUMERIC = re.compile(
    r"(?<![\w.])(?:(?P<y1>\d{4}) ?([-/.]) ?(?P<m1>\d{1,2}) ?\2 ?(?P<d1>\d{1,2})"
    r"|(?P<d2>\d{1,2}) ?([-/.]) ?(?P<m2>\d{1,2}) ?\6 ?(?P<y2>\d{4}))(?![\w-])"
)
_REACH = 9
"""Number of words before a date in which to look for its event."""


def dates(words: Words) -> list[Amount]:
    """Find the dates of a text, in order; they are measured in days."""
    found: list[Amount] = []
    past = -1
    numeric = _numeric(words)
    for i, word in enumerate(words.low):
        if i > past and (word[-1].isdecimal() or word in _STARTERS):
            date = numeric.get(i) or _read(words, i)
            if date is not None:
                found.append(_placed(words, date))
                past = date.last
    return _joined(words, found)


def _date(words: Words, first: int, last: int, low: int, days: int, grain: str) -> Amount:
    return words.amount(first, last, low, low + days - 1, low, "date", grain=grain)


def _numeric(words: Words) -> dict[int, Amount]:
    """Read 1890-05-03 and 03/05/1890, day first unless only the month can be first."""
    found = {}
    for match in _NUMERIC.finditer(words.text):
        year, month, day = (int(match[f"{part}1"] or match[f"{part}2"]) for part in ("y", "m", "d"))
        if month > 12 and match["y2"]:
            month, day = day, month
        if 1 <= month <= 12 and 1 <= day <= 31:
            first, last = words.covering(match.start(), match.end())
            found[first] = _day(words, first, last, year, month, day)
    return found


def _read(words: Words, i: int) -> Amount | None:
    word = words.low[i]
    if word[-1].isdecimal():
        return _from_digits(words, i, word)
    if word in MONTHS and words.named(i):
        return _from_month(words, i)
    if word == "twenty" and words.at(i + 1) == "-" and words.at(i + 2) == "first":
        return _century(words, i, i + 3, 21) if words.at(i + 3) == "century" else None
    if word in ORDINALS and words.at(i + 1).startswith("centur"):
        return _century(words, i, i + 1, ORDINALS[word])
    return None


def _from_digits(words: Words, i: int, word: str) -> Amount | None:
    if len(word) > 4 or not word.isdecimal():
        return None
    value, after = int(word), i + 1
    if words.at(after) in ("st", "nd", "rd", "th"):
        after += 1
        if words.at(after).startswith("centur"):
            return _century(words, i, after, value)
    if value <= 31 and words.at(after) in ("of", "-"):
        after += 1
    if 1 <= value <= 31 and words.at(after) in MONTHS and words.named(after):
        at = after + (2 if words.at(after + 1) in (",", "-") else 1)
        year = _year(words, at)
        return _day(words, i, at if year else after, year, MONTHS[words.at(after)], value)
    year = _year(words, i)
    if not year:
        return None
    day = words.at(i + 2)
    if words.at(i + 1) in MONTHS and words.named(i + 1) and day.isdecimal() and 0 < int(day) < 32:
        return _day(words, i, i + 2, year, MONTHS[words.at(i + 1)], int(day))  # "1890 May 3"
    return _of_year(words, i, year)


def _of_year(words: Words, i: int, year: int) -> Amount:
    following, low = words.at(i + 1), year * YEAR
    if following == "s" or (following in ("'", "’") and words.at(i + 2) == "s"):
        if year % 10 == 0:
            years = 100 if year % 100 == 0 and year < 2000 else 10
            return _date(words, i, i + (1 if following == "s" else 2), low, years * YEAR, "decade")
    elif following in ("-", "–"):
        last = i + (3 if words.at(i + 2) == "-" else 2)
        short = words.at(last)
        if len(short) == 2 and short.isdecimal():
            years = year - year % 100 + int(short) - year + 1  # "1915–16"
            if years > 1:
                return _date(words, i, last, low, years * YEAR, "span")
    return _date(words, i, i, low, YEAR, "year")


def _from_month(words: Words, i: int) -> Amount | None:
    month, after = MONTHS[words.low[i]], i + 1
    if words.at(after) == ".":
        after += 1
    day = words.at(after)
    if day.isdecimal() and 1 <= int(day) <= 31:
        last = after
        if words.at(last + 1) in ("st", "nd", "rd", "th"):
            last += 1
        at = _past_comma(words, last + 1)
        year = _year(words, at)
        return _day(words, i, at if year else last, year, month, int(day))
    after = _past_comma(words, after)
    if words.at(after) == "of":
        after += 1
    year = _year(words, after)
    if not year:
        return None
    return _date(words, i, after, year * YEAR + (month - 1) * _MONTH, _MONTH, "date")


def _past_comma(words: Words, i: int) -> int:
    return i + 1 if words.at(i) == "," else i


def _year(words: Words, i: int) -> int:
    word = words.at(i)
    if len(word) != 4 or not word.isdecimal() or not 1000 <= int(word) <= 2100:
        return 0
    before = words.at(i - 1)
    if words.at(i + 1) in _NO_YEAR_BEFORE or before in _NO_YEAR_AFTER:
        return 0
    if before == "than" and words.at(i - 2) not in _THAN:
        return 0
    return int(word)


def _day(words: Words, first: int, last: int, year: int, month: int, day: int) -> Amount:
    at = year * YEAR + (month - 1) * _MONTH + day - 1
    return _date(words, first, last, at, 1, "date" if year else "day")


def _century(words: Words, first: int, last: int, nth: int) -> Amount:
    # Nobody who says "the 20th century" means to leave out 1900 or 2000.
    return _date(words, first, last, (nth - 1) * 100 * YEAR, 101 * YEAR, "century")


def _placed(words: Words, date: Amount) -> Amount:
    """Add what happened on a date, and whether it is only a bound."""
    low, high = date.low, date.high
    sign = _sign(words, date)
    if sign < 0:
        low, high = NEVER, (date.low - 1 if sign == -1 else date.high)
    elif sign > 0:
        low, high = (date.high + 1 if sign == 1 else date.low), ALWAYS
    event = _event(words, date)
    before, after = words.at(date.first - 1), words.at(date.last + 1)
    work = event == "released" and before in ("a", "an")  # "a 1999 Tamil film"
    named = (
        date.grain == "year"
        and not (sign or work)
        and (
            (words.named(date.last + 1) and not after.endswith(_PEOPLES))
            or (words.named(date.first - 1) and before not in _OPENERS)
        )
    )
    return replace(date, low=low, high=high, event=event, bounded=sign != 0, named=named)


def _sign(words: Words, date: Amount) -> int:
    """Return how a date bounds: -1 before it, -2 no later, 1 after it, 2 no earlier, 0 not."""
    i = date.first - 1
    before = words.at(i)
    if before == "by":
        return _BOUNDS["by"]
    if before in ("the", "year", "mid", "early", "late", "-"):
        i -= 1
        before = words.at(i)
    if before == "to" and words.at(i - 1) == "prior":
        before = "before"
    elif "prior" in (words.at(date.first - 3), words.at(date.first - 4)):
        before = "before"  # "prior to the year 1990"
    elif before == "than":
        before = _THAN.get(words.at(i - 1), "")
        if before and words.at(i - 2) in ("no", "not"):
            return -2 if before == "after" else 2
    sign = _BOUNDS.get(before, 0)
    return 0 if sign == _BOUNDS["by"] else sign


def _event(words: Words, date: Amount) -> str:
    if words.at(date.first - 1) in ("a", "an", "the", "'", "’") and any(
        word in _WORKS for word in words.low[date.last + 1 : date.last + 12]
    ):
        return "released"
    for back in range(1, _REACH):
        word = words.at(date.first - back)
        if word in (".", ";", ""):
            break
        if word in _EVENTS:
            return _EVENTS[word]
    return ""


def _joined(words: Words, found: list[Amount]) -> list[Amount]:
    """Read two dates with a dash, "to" or "and" between them as a span, or as a life."""
    made = list(found)
    for k, (one, two) in enumerate(pairwise(found)):
        gap = words.low[one.last + 1 : two.first]
        if not gap or len(gap) > 3:
            continue
        opener = words.at(one.first - 1)
        if gap[0] == "and" and opener == "between":
            first = words.starts[one.first - 1]
            made[k] = made[k + 1] = replace(
                one,
                high=two.high,
                text=words.text[first : two.end],
                end=two.end,
                last=two.last,
                grain="year",
                bounded=True,
            )
        elif gap[0] in _UNTIL and one.low < two.low:
            life = one.grain == two.grain == "date" or two.low - one.low > 20 * YEAR
            if life and opener in ("(", ";", "") and one.first < 40 and not one.named:
                made[k], made[k + 1] = replace(one, event="born"), replace(two, event="died")
            elif not one.bounded:
                text = words.text[one.start : two.end]
                made.append(
                    replace(one, high=two.high, text=text, end=two.end, last=two.last, grain="span")
                )
    return list(dict.fromkeys(made))
