"""Compare the amounts of a claim with those of its evidence.

A conflict is sure only where it is clear what is compared: the evidence must say most of what the
claim says, hold one amount that fits, and nothing that the claim's amount could follow from.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from feverfew.english.dates import ALWAYS, NEVER, YEAR
from feverfew.english.lexicon import content, word_list
from feverfew.english.numbers import Found, read
from feverfew.english.words import Amount

__all__ = ["Pair", "Span", "compare", "plain_words", "sentence_around", "sentence_spans"]

Span = tuple[int, int]

_SENTENCE_END = re.compile(r"[.!?;](?=\s)")
_LOWER_WORD = re.compile(r"(?<![^\W_])[a-z]{3,}")
"""Words that are no names, as written."""
_COVERED = 0.5
"""The share of the claim's words that the evidence's sentence must hold for a conflict."""
_WINDOW = 9
_SHARED = 2
_UNCOUNTED = ("", "ordinal", "rank")
"""Measures of amounts that are comparable only if the same things are counted."""


class Pair(Struct, frozen=True):
    """An amount of the claim, the one of the evidence that it is compared with, and the result."""

    claimed: Amount
    found: Amount | None = None
    agrees: bool | None = None

    @property
    def kind(self) -> str:
        measure = self.claimed.measure
        if self.claimed.bounded:
            return "bound"
        if measure in ("date", "ordinal"):
            return measure
        return "number" if measure in _UNCOUNTED else "measure"

    @property
    def family(self) -> str:
        measure = self.claimed.measure
        return measure if measure in ("date", "ordinal") else "number"


def compare(claim: str, evidence: str) -> list[Pair]:
    """Compare every amount of the claim with the one of the evidence that it fits best."""
    said = read(claim)
    if not said.amounts:
        return []
    given = read(evidence)
    compare = {True: _compare_date, False: _compare_number}
    pairs = [compare[amount.measure == "date"](amount, said, given) for amount in said.amounts]
    return [
        pair if _is_sure(pair, said, given) else Pair(pair.claimed, pair.found) for pair in pairs
    ]


def _is_sure(pair: Pair, said: Found, given: Found) -> bool:
    """Say whether a conflict is sure; agreement always is."""
    if pair.agrees is not False or pair.found is None:
        return True
    claimed, found = pair.claimed, pair.found
    derived = word_list("derived")
    own = set(said.words.low[max(0, claimed.first - 4) : claimed.first] if claimed.bounded else ())
    # "three years later than the Nordbahnhof": what the claim says may follow by arithmetic.
    if not derived.isdisjoint(given.words.low) or derived & set(said.words.low) - own:
        return False
    if claimed.measure != "share" and any(_is_fraction(other) for other in given.amounts):
        return False
    same_event = bool(claimed.event) and claimed.event == found.event
    rivals = [
        other
        for other in given.amounts
        if (other.event == claimed.event if same_event else other.measure == claimed.measure)
        or (not other.measure and not other.counted and claimed.measure != "date")
    ]
    # "a 2005 film released on 4 March 2005" gives one date, not two.
    if any(other.low > found.high or found.low > other.high for other in rivals):
        return False
    if sum(other.measure == claimed.measure for other in said.amounts) > 1:
        return False
    if (found.bounded and not claimed.bounded) or _follows(claimed, found, given):
        return False
    if given.words.at(found.last + 1) in ("a", "an", "/"):  # "3 euros an hour"
        return False
    return same_event or _coverage(said, given, found) >= _COVERED


def _is_fraction(amount: Amount) -> bool:
    return amount.measure == "share" and not amount.text.endswith(("%", "t"))  # per cent


def _follows(claimed: Amount, found: Amount, given: Found) -> bool:
    """Say whether an amount is a sum, a difference or a product of two in the evidence."""
    unit = YEAR if claimed.measure == "date" else found.unit
    one, wanted = found.value / unit, claimed.value / unit
    others = [a.value / a.unit for a in given.amounts if a is not found and a.measure != "date"]
    sums = {round(n, 6) for b in others for n in (one + b, one - b, one * b)}
    return round(wanted // 1 if claimed.measure == "date" else wanted, 6) in sums


def _coverage(said: Found, given: Found, found: Amount) -> float:
    """Return how much of the claim, names left out, the sentence around an amount says."""
    start, end = sentence_around(given.words.text, found.start, found.end)
    wanted = plain_words(said.words.text)
    return len(wanted & plain_words(given.words.text[start:end])) / max(1, len(wanted))


def plain_words(text: str) -> set[str]:
    """Return the stems of the words that say something and are no names."""
    return content(_LOWER_WORD.findall(text))


def sentence_spans(text: str) -> Iterator[Span]:
    """Cut a text at full stops and semicolons."""
    return pairwise([0, *(m.end() for m in _SENTENCE_END.finditer(text)), len(text)])


def sentence_around(text: str, start: int, end: int) -> Span:
    """Return the sentence around a place."""
    around = [one for one in sentence_spans(text) if one[1] > start and one[0] < end]
    return around[0][0], around[-1][1]


def _compare_date(date: Amount, said: Found, given: Found) -> Pair:
    others = [o for o in given.amounts if o.measure == "date" and _comparable(date, o)]
    if date.bounded:
        alike = [other for other in others if _same_event(date, other, said, given)]
        return _settle(date, _most_alike(date, alike or others, said, given), _inside)
    overlap: Amount | None = None
    apart: list[Amount] = []
    for other in others:
        inside = _inside(date, other)
        if inside:
            return Pair(date, other, True)
        if inside is None:
            overlap = other
        elif _same_event(date, other, said, given):
            apart.append(other)
    if overlap is not None or date.named or not apart:
        return Pair(date, overlap)
    return Pair(date, min(apart, key=lambda other: other.event != date.event), False)


def _comparable(date: Amount, other: Amount) -> bool:
    grains = {date.grain, other.grain}
    if "day" in grains and not grains <= {"day", "date"}:
        return False
    one, two = date.event, other.event
    # A birth is nothing else; other events may be told in many ways.
    return one == two or not (one and two) or date.named or not {one, two} & {"born", "died"}


def _inside(date: Amount, other: Amount) -> bool | None:
    """Say whether what the evidence says lies within what the claim says; None: in part."""
    if "day" in (date.grain, other.grain):
        return _on_day(date, (other.high if other.low == NEVER else other.low) % YEAR)
    if other.grain == "span" and other.low <= date.low and date.high <= other.high:
        return True
    if date.low <= other.low and other.high <= date.high:
        return True
    return None if other.low <= date.high and date.low <= other.high else False


def _on_day(date: Amount, day: float) -> bool | None:
    """Compare days of the year, where one of the two is without its year."""
    if not date.bounded:
        return date.low == date.high and date.low % YEAR == day
    if date.low > NEVER and date.high < ALWAYS:
        return None
    return day > (date.low - 1) % YEAR if date.high == ALWAYS else day < (date.high + 1) % YEAR


def _same_event(date: Amount, other: Amount, said: Found, given: Found) -> bool:
    if date.event and date.event == other.event:
        return True
    if {date.event, other.event} in ({"began", "released"}, {"began", "founded"}):
        return True
    near = content(given.words.low[max(0, other.first - _WINDOW) : other.last + _WINDOW])
    return len(near & content(said.words.low)) >= (1 if date.bounded else _SHARED)


def _compare_number(amount: Amount, said: Found, given: Found) -> Pair:
    among = [other for other in given.amounts if other.measure == amount.measure]
    if amount.measure in _UNCOUNTED:
        alike = [other for other in among if set(amount.counted) & set(other.counted)]
        # One number alone is what is meant, whatever it is called: 9 reviews are by 9 critics.
        among = alike or (among if amount.bounded and len(among) == 1 else [])
    if amount.bounded:
        return _settle(amount, _most_alike(amount, among, said, given), _within)
    for other in among:
        meets = amount.low <= other.high and other.low <= amount.high
        rounded = 0.0 if amount.measure in (*_UNCOUNTED, "clock") else 0.03 * abs(amount.value)
        if meets or abs(amount.value - other.value) <= rounded:
            return Pair(amount, other, True)
    return Pair(amount, among[0], False) if among else Pair(amount)


def _most_alike(
    bound: Amount, among: Sequence[Amount], said: Found, given: Found
) -> Sequence[Amount]:
    """Keep the amounts that are said most nearly of what the claim says.

    A bound holds for half of all numbers: that one of several lies within it says little.
    """
    before, after = map(content, said.words.around(bound.first, bound.last))

    def likeness(other: Amount) -> int:
        """Count shared words; those after a number say more of what it counts."""
        near = content([w for side in given.words.around(other.first, other.last) for w in side])
        return len(before & near) + 2 * len(after & near)

    most = max(map(likeness, among), default=0)
    return [other for other in among if likeness(other) == most]


def _settle(
    bound: Amount, among: Sequence[Amount], inside: Callable[[Amount, Amount], bool | None]
) -> Pair:
    """Compare a bound with amounts that are equally likely meant, if they say the same."""
    answers = {inside(bound, other) for other in among}
    return Pair(bound, among[0] if among else None, answers.pop() if len(answers) == 1 else None)


def _within(bound: Amount, other: Amount) -> bool | None:
    """Say whether a number lies within a bound, nothing rounded; None: perhaps."""
    low, high = (other.low, other.high) if other.bounded else (other.value, other.value)
    if bound.low <= low and high <= bound.high:
        return True
    return False if high < bound.low or bound.high < low else None
