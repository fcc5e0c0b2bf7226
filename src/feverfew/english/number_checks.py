"""Compare the numbers, dates, quantities and negations of a claim with those of its evidence.

A difference is called a conflict only where the two are comparable: dates of the same event,
quantities in the same measure or of the same things. All else is left open.

>>> [check.reason for check in checks("Ada was born in 1975.", "Ada (born 3 May 1890) is a poet.")]
['the claim says 1975, the evidence says 3 May 1890']
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar

from msgspec import Struct

from feverfew.english.dates import ALWAYS, NEVER, YEAR, Date, dates
from feverfew.english.negation import Denial, negations, only
from feverfew.english.quantities import Quantity, quantities
from feverfew.english.wording import CARDINALS, ORDINALS, Words, content

__all__ = ["FEATURES", "Check", "checks", "features"]

_DIGIT = re.compile(r"\d")
_SPELLED = re.compile(r"[a-z]+")
_NUMBER_WORDS = frozenset((*CARDINALS, *ORDINALS))
_TITLE = re.compile(r"^([^:|]{1,80}): ")
_DISAMBIGUATION = re.compile(r"\(\d{4} [A-Za-z ]+\)|\([a-z ]*season \d+\)")
_SPELLED_WORD = re.compile(r"(?<![^\W_])[a-z]{3,}")
"""Words that are no names, as written."""
_GOVERNED = 45
"""Letters after a denial that it speaks of."""
_DENIED = 0.5
_WINDOW = 9
_SHARED = 2
_COVERED = 0.6


_Number = TypeVar("_Number", Date, Quantity)


class Check(Struct, frozen=True):
    """One comparison of a claim with a piece of evidence."""

    kind: str
    """year, date, decade, century, day, number, quantity, ordinal, rank, negation or only."""
    claimed: str
    """As the claim writes it."""
    found: str
    """As the evidence writes it; "" where nothing comparable is there."""
    agrees: bool | None
    """None: nothing comparable, or compatible without settling it."""
    compared: bool = False
    """The claim compares: before 1990, at least three."""

    @property
    def reason(self) -> str:
        """Say it for people."""
        if self.kind == "negation":
            if self.agrees is False:
                one, other = ("the claim", "the evidence")
                if not self.claimed:
                    one, other = other, one
                return f"{one} denies ({self.claimed or self.found}) what {other} states"
            return "both deny it" if self.agrees else "only one of the two denies something"
        if not self.found:
            return f"the evidence has nothing to compare with {self.claimed}"
        if self.agrees:
            return f"the claim and the evidence agree on {self.claimed}"
        return f"the claim says {self.claimed}, the evidence says {self.found}"


class _Read(Struct, frozen=True):
    words: Words
    dates: list[Date]
    quantities: list[Quantity]


@lru_cache(maxsize=512)  # a claim meets many sentences, and a sentence often several claims
def _read(text: str) -> _Read:
    words = Words.of(text)
    found = dates(words)
    taken = {i for date in found for i in range(date.first, date.last + 1)}
    return _Read(words, found, quantities(words, taken))


def _has_number(text: str) -> bool:
    if _DIGIT.search(text):
        return True
    return not _NUMBER_WORDS.isdisjoint(_SPELLED.findall(text.lower()))


def _without_names(claim: str, evidence: str) -> tuple[str, str]:
    """Take the page's name out of both, so that the year in '1984 (novel)' is not a date."""
    title = _TITLE.match(evidence)
    if title and any(c.isdigit() for c in title[1]):
        name = title[1]
        evidence = evidence[title.end() :]
        for spelled in (name, name.partition(" (")[0]):
            claim, evidence = claim.replace(spelled, "It"), evidence.replace(spelled, "It")
    if "(" in claim:
        claim = _DISAMBIGUATION.sub("", claim)
    return claim, evidence


def checks(claim: str, evidence: str) -> list[Check]:
    """Compare a claim with one piece of evidence, a sentence under its title or without one."""
    claim, evidence = _without_names(claim, evidence)
    denied, granted = negations(claim), negations(evidence)
    made = _check_words(claim, evidence, denied, granted)
    if _has_number(claim):
        said, given = _read(claim), _read(evidence)
        made += [_check_date(d, said, given) for d in _alone(said.dates)]
        made += [_check_quantity(q, said, given) for q in said.quantities]
        if denied:
            # "was not born in 1990": another date is no conflict then.
            made = [_eased(check) for check in made]
    return made


def _eased(check: Check) -> Check:
    if check.agrees is not False or check.kind == "negation":
        return check
    return Check(check.kind, check.claimed, check.found, None, check.compared)


def _alone(found: list[Date]) -> list[Date]:
    """A span's ends are asked for one by one; a bounded pair stands twice, and is asked once."""
    return list({(d.first, d.last): d for d in found if d.kind != "span"}.values())


def _check_date(date: Date, said: _Read, given: _Read) -> Check:
    among = [other for other in given.dates if _comparable(date, other)]
    if date.bounded:
        alike = [other for other in among if date.role and other.role == date.role]
        near = [other for other in alike or among if _same_event(date, other, said, given)]
        return _settled(date, date.kind, _likest(date, near, said, given), _inside)
    overlap: Date | None = None
    apart: list[Date] = []
    for other in among:
        inside = _inside(date, other)
        if inside:
            return Check(date.kind, date.text, other.text, True)
        if inside is None:
            overlap = overlap or other
        elif not other.named and _same_event(date, other, said, given):
            apart.append(other)
    if overlap is not None:
        return Check(date.kind, date.text, overlap.text, None)
    if apart and not date.named:
        nearest = min(apart, key=lambda other: other.role != date.role)
        return Check(date.kind, date.text, nearest.text, False)
    return Check(date.kind, date.text, "", None)


def _likest(
    bound: _Number, among: Sequence[_Number], said: _Read, given: _Read
) -> Sequence[_Number]:
    """Keep what is said most nearly of what the claim says.

    A bound holds for half of all numbers: that one of several lies within it says little.
    """
    before, after = map(content, said.words.around(bound.first, bound.last))

    def likeness(other: _Number) -> int:
        """Count shared words; those after a number say more of what it counts."""
        near = content([w for side in given.words.around(other.first, other.last) for w in side])
        return len(before & near) + 2 * len(after & near)

    most = max(map(likeness, among), default=0)
    return [other for other in among if likeness(other) == most]


def _settled(
    bound: _Number,
    kind: str,
    among: Sequence[_Number],
    inside: Callable[[_Number, _Number], bool | None],
) -> Check:
    """Say what numbers that are equally likely meant say of a bound, where they say the same."""
    if not among:
        return Check(kind, bound.text, "", None, compared=True)
    answers = {inside(bound, other) for other in among}
    answer = answers.pop() if len(answers) == 1 else None
    return Check(kind, bound.text, among[0].text, answer, compared=True)


def _comparable(date: Date, other: Date) -> bool:
    if "day" in (date.kind, other.kind) and not {date.kind, other.kind} <= {"day", "date"}:
        return False
    one, two = date.role, other.role
    # What happened at a birth is nothing else; other events may be told in many ways.
    return one == two or not (one and two) or date.named or not {one, two} & {"born", "died"}


def _inside(date: Date, other: Date) -> bool | None:
    """Say whether what the evidence says lies within what the claim says; None: in part."""
    if "day" in (date.kind, other.kind):
        return _on_day(date, (other.high if other.low == NEVER else other.low) % YEAR)
    if other.kind == "span" and other.low <= date.low and date.high <= other.high:
        return True
    if date.low <= other.low and other.high <= date.high:
        return True
    return None if other.low <= date.high and date.low <= other.high else False


def _on_day(date: Date, day: int) -> bool | None:
    """Compare days of the year, where one of the two is without its year."""
    if not date.bounded:
        return date.low == date.high and date.low % YEAR == day
    if date.low > NEVER and date.high < ALWAYS:
        return None
    return day > (date.low - 1) % YEAR if date.high == ALWAYS else day < (date.high + 1) % YEAR


def _same_event(date: Date, other: Date, said: _Read, given: _Read) -> bool:
    if date.role and date.role == other.role:
        return True
    if {date.role, other.role} in ({"began", "released"}, {"began", "founded"}):
        return True
    near = content(given.words.low[max(0, other.first - _WINDOW) : other.last + _WINDOW])
    return len(near & content(said.words.low)) >= (1 if date.bounded else _SHARED)


def _check_quantity(quantity: Quantity, said: _Read, given: _Read) -> Check:
    kind = quantity.measure if quantity.measure in ("ordinal", "rank") else ""
    kind = kind or ("quantity" if quantity.measure else "number")
    among = [other for other in given.quantities if other.measure == quantity.measure]
    if quantity.bounded:
        return _check_bound(quantity, kind, among, said, given)
    apart: Quantity | None = None
    near: Quantity | None = None
    for other in among:
        meets = quantity.low <= other.high and other.low <= quantity.high
        if kind != "quantity" and not set(quantity.counted) & set(other.counted):
            near = other if meets else near
            continue
        rounded = 0.03 * max(abs(quantity.low), abs(quantity.high))
        if meets or (kind == "quantity" and abs(quantity.low - other.low) <= rounded):
            return Check(kind, quantity.text, other.text, True)
        apart = apart or other
    if near is not None:  # the same number, of what seem to be other things
        return Check(kind, quantity.text, near.text, None)
    if apart is None:
        return Check(kind, quantity.text, "", None)
    return Check(kind, quantity.text, apart.text, False)


def _check_bound(
    bound: Quantity, kind: str, among: list[Quantity], said: _Read, given: _Read
) -> Check:
    if kind != "quantity":
        alike = [other for other in among if set(bound.counted) & set(other.counted)]
        # One number alone is what is meant, whatever it is called: 9 reviews are by 9 critics.
        among = alike or (among if len(among) == 1 else [])
    return _settled(bound, kind, _likest(bound, among, said, given), _within)


def _within(bound: Quantity, other: Quantity) -> bool | None:
    """Say whether a number lies within a bound, nothing rounded; None: perhaps."""
    low, high = (other.low, other.high) if other.bounded else (other.value, other.value)
    if bound.low <= low and high <= bound.high:
        return True
    return False if high < bound.low or bound.high < low else None


def _check_words(
    claim: str, evidence: str, denied: list[Denial], granted: list[Denial]
) -> list[Check]:
    made = []
    if denied or granted:
        agrees: bool | None = None
        predicate = content(_SPELLED_WORD.findall(claim))
        if denied and not granted:
            agrees = (
                False if _share(predicate, _SPELLED_WORD.findall(evidence)) >= _COVERED else None
            )
        elif denied and granted:
            agrees = True if _share_after(predicate, evidence, granted) >= _DENIED else None
        elif _share_after(predicate, evidence, granted) >= _DENIED:
            agrees = False
        claimed, found = (cues[0][0] if cues else "" for cues in (denied, granted))
        made.append(Check("negation", claimed, found, agrees))
    if narrow := only(claim):
        other = only(evidence)
        made.append(Check("only", narrow, other, True if other else None))
    return made


def _share(wanted: set[str], words: list[str]) -> float:
    return len(wanted & content(words)) / len(wanted) if wanted else 0.0


def _share_after(wanted: set[str], evidence: str, granted: list[Denial]) -> float:
    """How much of the claim stands in the few words that a denial governs."""
    return max(
        _share(wanted, _SPELLED_WORD.findall(evidence[end : end + _GOVERNED])) for _, end in granted
    )


_FAMILIES = {
    "date": ("year", "date", "decade", "century", "day"),
    "number": ("number", "quantity", "rank"),
    "ordinal": ("ordinal",),
}
FEATURES: tuple[str, ...] = (
    *(f"{family}_{how}" for family in _FAMILIES for how in ("agrees", "conflicts", "open")),
    "compared_agrees",
    "compared_conflicts",
    "conflict",
    "negated_claim",
    "negated_evidence",
    "negation_differs",
    "negation_conflicts",
    "only_claim",
    "only_evidence",
)
"""What `features` measures, in its order."""
_NOTHING = (0.0,) * len(FEATURES)


def features(claim: str, evidence: str) -> tuple[float, ...]:
    """Measure a comparison: shares of the claim's dates, numbers and ordinals, and flags."""
    made = checks(claim, evidence)
    if not made:
        return _NOTHING
    values: list[float] = []
    for kinds in _FAMILIES.values():
        answers = [check.agrees for check in made if check.kind in kinds]
        count = len(answers) or 1
        values += [answers.count(answer) / count for answer in (True, False, None)]
    negation = next((check for check in made if check.kind == "negation"), None)
    narrow = next((check for check in made if check.kind == "only"), None)
    flags = (
        any(check.compared and check.agrees for check in made),
        any(check.compared and check.agrees is False for check in made),
        any(check.agrees is False and check.kind != "negation" for check in made),
        negation is not None and bool(negation.claimed),
        negation is not None and bool(negation.found),
        negation is not None and bool(negation.claimed) != bool(negation.found),
        negation is not None and negation.agrees is False,
        narrow is not None,
        narrow is not None and bool(narrow.found),
    )
    return (*values, *map(float, flags))
