"""Find dates in text, each with its bounds and with what is said to have happened then."""

from msgspec import Struct

from feverfew.english.wording import ORDINALS, Words, is_number, word_set

__all__ = ["ALWAYS", "NEVER", "YEAR", "Date", "dates"]

_MONTHS = "january february march april may june july august september october november december"
MONTHS = {name: n for n, name in enumerate(_MONTHS.split(), 1)}
MONTHS |= {name[:3]: n for name, n in MONTHS.items() if name != "may"} | {"sept": 9}
YEAR, _MONTH = 372, 31  # days as they are counted here: every month has 31
NEVER, ALWAYS = -(10**9), 10**9

_ROLES = {
    "born": "born birth birthday birthdate birthplace",
    "died": "died dies death dead killed assassinated murdered executed suicide passed",
    "released": "released release premiered premiere premieres aired airs published opened issued "
    "debuted debut out broadcast came launched theaters theatres",
    "founded": "founded formed established created incorporated instituted founding formation "
    "inception built constructed completed introduced invented",
    "began": "began begun started begin starts begins",
    "ended": "ended ends disbanded dissolved closed concluded finished cancelled canceled split",
    "married": "married marriage wed wedding",
    "won": "won wins awarded received win earned",
    "elected": "elected inaugurated appointed sworn",
}
ROLE_OF = {word: role for role, listed in _ROLES.items() for word in listed.split()}
_WORKS = word_set(
    """film album song single novel book series show game movie ep mixtape drama comedy thriller
    play musical documentary sitcom comic poem sequel soundtrack remake"""
)
_BEFORE = {"before": -1, "pre": -1, "preceding": -1, "by": -2, "after": 1, "post": 1, "past": 1}
_THAN = {"earlier": "before", "later": "after"}
_NO_YEAR = frozenset(("$", "€", "£", "#", "over", "under", "least", "most", "exceeding"))
"""What follows these is no year: under 2000 cases."""
_DASHES = frozenset(("-", "–", "—", "to", "until", "till", "through"))
_COUNTED = word_set(
    """people persons residents inhabitants soldiers men women students members miles kilometres
    kilometers metres meters feet square acres hectares copies employees pounds dollars euros
    points episodes votes seats tons tonnes species"""
)
_PEOPLES = ("an", "ish", "ese", "ch", "lish", "ic", "tch", "eek", "wiss", "li")
_STARTERS = frozenset((*MONTHS, *ORDINALS, "twenty"))
_REACH = 9


class Date(Struct, frozen=True):
    """A date: every day that it may mean, from `low` to `high`; both ends belong to it."""

    low: int
    high: int
    text: str
    first: int
    last: int
    role: str = ""
    kind: str = "year"
    """year, date, decade, century, span (of years) or day (of some year)."""
    bounded: bool = False
    """Said with a comparing word: before 1990, between 1990 and 1995."""
    named: bool = False
    """Part of a name, as in '1952 Summer Olympics'."""


def dates(words: Words) -> list[Date]:
    """Find the dates of a text, in order."""
    found: list[Date] = []
    past = -1
    for i, word in enumerate(words.low):
        if i > past and (word[-1].isdecimal() or word in _STARTERS):
            read = _read(words, i)
            if read is not None:
                found.append(_placed(words, read))
                past = read.last
    return _joined(words, found)


def _read(words: Words, i: int) -> Date | None:
    word = words.low[i]
    if is_number(word):
        return _from_digits(words, i, word)
    if word in MONTHS and words.written[i][0].isupper():
        return _from_month(words, i)
    if word == "twenty" and words.at(i + 1) == "-" and words.at(i + 2) == "first":
        return _century(words, i, i + 3, 21) if words.at(i + 3) == "century" else None
    if word in ORDINALS and words.at(i + 1).startswith("centur"):
        return _century(words, i, i + 1, ORDINALS[word])
    return None


def _from_digits(words: Words, i: int, word: str) -> Date | None:
    if len(word) > 4 or not word.isdecimal():
        return None
    value, after = int(word), i + 1
    if words.at(after) in ("st", "nd", "rd", "th"):
        after += 1
        if words.at(after).startswith("centur"):
            return _century(words, i, after, value)
    if value <= 31 and words.at(after) == "of":
        after += 1
    if 1 <= value <= 31 and words.at(after) in MONTHS and words.named(after):
        month, year = MONTHS[words.at(after)], _year(words, _past_comma(words, after + 1))
        last = _past_comma(words, after + 1) if year else after
        return _day(words, i, last, year, month, value)
    year = _year(words, i)
    if not year:
        return None
    return _of_year(words, i, year)


def _of_year(words: Words, i: int, year: int) -> Date:
    last = i
    following = words.at(i + 1)
    if following == "s" or (following in "'’" and following and words.at(i + 2) == "s"):
        last = i + 1 if following == "s" else i + 2
        if year % 10 == 0:
            span = 100 if year % 100 == 0 and year < 2000 else 10
            low = year * YEAR
            return Date(low, low + span * YEAR - 1, words.between(i, last), i, last, kind="decade")
        last = i
    low = year * YEAR
    short = words.at(i + 2)
    if following in ("-", "–") and words.at(i + 2) == "-":
        short = words.at(i + 3)
    if following in ("-", "–") and len(short) == 2 and short.isdecimal():
        end = year - year % 100 + int(short)  # "1915–16"
        if end > year:
            last = i + (2 if short == words.at(i + 2) else 3)
            high = end * YEAR + YEAR - 1
            return Date(low, high, words.between(i, last), i, last, kind="span")
    return Date(low, low + YEAR - 1, words.between(i, last), i, last)


def _from_month(words: Words, i: int) -> Date | None:
    month, after = MONTHS[words.low[i]], i + 1
    if words.at(after) == ".":
        after += 1
    day = words.at(after)
    if day.isdecimal() and 1 <= int(day) <= 31:
        last = after
        if words.at(last + 1) in ("st", "nd", "rd", "th"):
            last += 1
        year = _year(words, _past_comma(words, last + 1))
        return _day(words, i, _past_comma(words, last + 1) if year else last, year, month, int(day))
    after = _past_comma(words, after)
    if words.at(after) == "of":
        after += 1
    year = _year(words, after)
    if not year:
        return None
    low = year * YEAR + (month - 1) * _MONTH
    return Date(low, low + _MONTH - 1, words.between(i, after), i, after, kind="date")


def _past_comma(words: Words, i: int) -> int:
    return i + 1 if words.at(i) == "," else i


def _year(words: Words, i: int) -> int:
    word = words.at(i)
    if len(word) != 4 or not word.isdecimal() or not 1000 <= int(word) <= 2100:
        return 0
    before = words.at(i - 1)
    if words.at(i + 1) in _COUNTED or before in _NO_YEAR:
        return 0
    if before == "than" and words.at(i - 2) not in _THAN:
        return 0
    return int(word)


def _day(words: Words, first: int, last: int, year: int, month: int, day: int) -> Date:
    at = year * YEAR + (month - 1) * _MONTH + day - 1
    return Date(at, at, words.between(first, last), first, last, kind="date" if year else "day")


def _century(words: Words, first: int, last: int, nth: int) -> Date:
    low = (nth - 1) * 100 * YEAR
    # Nobody who says "the 20th century" means to leave out 1900 or 2000.
    return Date(low, low + 101 * YEAR - 1, words.between(first, last), first, last, kind="century")


def _placed(words: Words, date: Date) -> Date:
    """Say of a date what happened then, and whether it is only a bound."""
    before = words.at(date.first - 1)
    low, high, bounded = date.low, date.high, False
    if before in ("the", "year", "mid", "early", "late") or before == "-":
        before = words.at(date.first - 2)
    if before == "to" and words.at(date.first - 2) == "prior":
        before = "before"
    elif words.at(date.first - 3) == "prior" or words.at(date.first - 4) == "prior":
        before = "before"  # "prior to the year 1990"
    elif before == "than":
        before = _THAN.get(words.at(date.first - 2), "")
    sign = _BEFORE.get(before, 0)
    if sign < 0 and (sign == -1 or words.at(date.first - 1) == "by"):
        low, high, bounded = NEVER, (date.low - 1 if sign == -1 else date.high), True
    elif sign > 0:
        low, high, bounded = date.high + 1, ALWAYS, True
    role = _role(words, date)
    work = role == "released" and words.at(date.first - 1) in ("a", "an")  # "a 1999 Tamil film"
    named = (
        date.kind == "year"
        and not (bounded or work)
        and (
            (words.named(date.last + 1) and not words.at(date.last + 1).endswith(_PEOPLES))
            or (words.named(date.first - 1) and words.at(date.first - 1) not in _OPENERS)
        )
    )
    return Date(
        low,
        high,
        date.text,
        date.first,
        date.last,
        role,
        date.kind,
        bounded,
        named,
    )


_OPENERS = word_set("in on by since from after before during until the a an around for")


def _role(words: Words, date: Date) -> str:
    i = date.first - 1
    if words.at(i) in ("a", "an", "the") or words.at(i) in ("'", "’"):
        ahead = words.low[date.last + 1 : date.last + 12]
        if any(word in _WORKS for word in ahead):
            return "released"
    for back in range(1, _REACH):
        word = words.at(date.first - back)
        if word in (".", ";", ""):
            break
        if word in ROLE_OF:
            return ROLE_OF[word]
    return ""


def _joined(words: Words, found: list[Date]) -> list[Date]:
    """Read two dates with a dash, "to" or "and" between them as a span, or as a life."""
    made = list(found)
    for k in range(len(found) - 1):
        one, two = found[k], found[k + 1]
        gap = words.low[one.last + 1 : two.first]
        if not gap or len(gap) > 3:
            continue
        opener = words.at(one.first - 1)
        if gap[0] == "and" and opener == "between":
            span = words.between(one.first - 1, two.last)
            made[k] = Date(one.low, two.high, span, one.first, two.last, one.role, "year", True)
            made[k + 1] = made[k]
        elif gap[0] in _DASHES and one.low < two.low:
            life = one.kind == two.kind == "date" or two.low - one.low > 20 * YEAR
            if life and opener in ("(", ";", "") and one.first < 40 and not one.named:
                made[k] = _with_role(one, "born")
                made[k + 1] = _with_role(two, "died")
            elif not one.bounded:
                span = words.between(one.first, two.last)
                whole = Date(one.low, two.high, span, one.first, two.last, one.role, "span")
                made.append(whole)
    return made


def _with_role(date: Date, role: str) -> Date:
    return Date(date.low, date.high, date.text, date.first, date.last, role, date.kind)
