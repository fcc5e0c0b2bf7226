"""Compare the numbers, dates, negations and directions of a claim with those of its evidence.

A conflict is reported only if the comparison is clear: the evidence must contain most of the claim,
exactly one matching amount, and nothing from which the claim's amount could be computed. Everything
else is left to the judge.

>>> [check.reason for check in checks("Ada was born in 1975.", "Ada (born 3 May 1890) is a poet.")]
['The claim says 1975; the evidence says 3 May 1890.']
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from msgspec import Struct

from feverfew.english.dates import ALWAYS, NEVER, YEAR
from feverfew.english.numbers import Found, read
from feverfew.english.words import (
    Amount,
    Span,
    Words,
    content,
    lines,
    negation_cues,
    negations,
    plain_words,
    sentence_around,
    sentence_spans,
    table,
    word_list,
    word_set,
)

_COVERED = 0.5
"""The share of the claim's words that the evidence sentence must contain for a conflict."""
_WINDOW = 9
"""Number of words around a date that describe its event."""
_SHARED = 2
"""Number of these that must be in the claim to compare the two dates."""
_UNCOUNTED = ("", "ordinal", "rank")
"""Measures that are comparable only if the same things are counted."""


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
    """Say whether a conflict is certain; agreement always is."""
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
    """Return how much of the claim, without names, the sentence around an amount covers."""
    start, end = sentence_around(given.words.text, found.start, found.end)
    wanted = plain_words(said.words.text)
    return len(wanted & plain_words(given.words.text[start:end])) / max(1, len(wanted))


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
    """Say whether the evidence's range lies within the claim's; None if they overlap in part."""
    if "day" in (date.grain, other.grain):
        return _on_day(date, (other.high if other.low == NEVER else other.low) % YEAR)
    if other.grain == "span" and other.low <= date.low and date.high <= other.high:
        return True
    if date.low <= other.low and other.high <= date.high:
        return True
    return None if other.low <= date.high and date.low <= other.high else False


def _on_day(date: Amount, day: float) -> bool | None:
    """Compare days of the year, if one of the dates has no year."""
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
    """Keep the amounts whose context is nearest to the claim.

    A bound holds for half of all numbers: that one of several lies within it says little.
    """
    before, after = map(content, said.words.around(bound.first, bound.last))

    def likeness(other: Amount) -> int:
        """Count shared words; words after a number say more about what it counts."""
        near = content([w for side in given.words.around(other.first, other.last) for w in side])
        return len(before & near) + 2 * len(after & near)

    most = max(map(likeness, among), default=0)
    return [other for other in among if likeness(other) == most]


def _settle(
    bound: Amount, among: Sequence[Amount], inside: Callable[[Amount, Amount], bool | None]
) -> Pair:
    """Compare a bound with equally likely amounts, if all give the same result."""
    answers = {inside(bound, other) for other in among}
    return Pair(bound, among[0] if among else None, answers.pop() if len(answers) == 1 else None)


def _within(bound: Amount, other: Amount) -> bool | None:
    """Say whether a number lies within a bound, nothing rounded; None: perhaps."""
    low, high = (other.low, other.high) if other.bounded else (other.value, other.value)
    if bound.low <= low and high <= bound.high:
        return True
    return False if high < bound.low or bound.high < low else None


_TITLE = re.compile(r"^([^:|]{1,80}): ")
_DISAMBIGUATION = re.compile(r"\(\d{4} [A-Za-z ]+\)|\([a-z ]*season \d+\)")
_SPELLED = re.compile(r"[a-z]+")
_OPPOSED = 0.7
"""The share of the claim's words that a sentence must contain for opposites to conflict."""
_DENIED = 0.8
"""The same for negations."""


_UNSURE = (("number", False), ("ordinal", True))
"""Not reported: these were right for fewer than 80 % of claims (experiments/checks.md)."""


class Check(Struct, frozen=True):
    """One comparison of a claim with a piece of evidence."""

    kind: str
    """number, measure, ordinal, date, bound, negation or direction."""
    agrees: bool
    claim_span: Span
    evidence_span: Span
    """The positions of the compared words in the given texts."""
    reason: str
    """A sentence for people."""


def checks(claim: str, evidence: str) -> list[Check]:
    """Compare a claim with one piece of evidence, with or without 'Title: ' before it.

    >>> [(c.kind, c.agrees) for c in checks("It is 430 km long.", "It is 430,000 m long.")]
    [('measure', True)]
    """
    masked, text = _mask_names(claim, evidence)
    made = [
        _check(pair, pair.found)
        for pair in _amounts(masked, text)
        if pair.found and pair.agrees is not None and (pair.kind, pair.agrees) not in _UNSURE
    ]
    made += _check_negation(masked, text)
    made += _check_direction(masked, text)
    return made


def _amounts(claim: str, evidence: str) -> list[Pair]:
    """Compare the amounts; with a negation, no comparison is certain."""
    pairs = compare(claim, evidence)
    if pairs and (negations(claim) or negations(evidence)):
        return [Pair(pair.claimed, pair.found) for pair in pairs]
    return pairs


def _check(pair: Pair, found: Amount) -> Check:
    claimed = pair.claimed
    if pair.kind == "bound":
        holds = "is within" if pair.agrees else "is not within"
        reason = (
            f"The evidence says {found.text}, which {holds} the limit in the claim, {claimed.text}."
        )
    elif not pair.agrees:
        reason = f"The claim says {claimed.text}; the evidence says {found.text}."
    elif claimed.text == found.text:
        reason = f"The claim and the evidence both say {claimed.text}."
    else:
        reason = f"The claim says {claimed.text}, which agrees with {found.text} in the evidence."
    spans = (claimed.start, claimed.end), (found.start, found.end)
    return Check(pair.kind, bool(pair.agrees), *spans, reason)


def _mask_names(claim: str, evidence: str) -> tuple[str, str]:
    """Hide a title that contains a number, so that '1984 (novel)' is not a year."""
    title = _TITLE.match(evidence)
    if title and any(c.isdigit() for c in title[1]):
        for name in (title[1], title[1].partition(" (")[0]):
            claim, evidence = (t.replace(name, "X" * len(name)) for t in (claim, evidence))
    if "(" in claim:
        claim = _DISAMBIGUATION.sub(lambda m: " " * len(m[0]), claim)
    return claim, evidence


_ONLY = re.compile(
    r"(?<!not )(?<!the )\b(?:only|solely|exclusively|strictly|merely|just|entirely)\b"
)


def _check_negation(claim: str, evidence: str) -> Iterator[Check]:
    """Report that one text negates what the other states in nearly the same words."""
    denied, granted = negations(claim), negations(evidence)
    if bool(denied) == bool(granted) or len(denied) + len(granted) > 1:
        return
    said, given = read(claim).words, read(evidence).words
    limits = word_list("derived") | word_set(table("negation")["limits"])
    if read(claim).amounts or not limits.isdisjoint(
        (*said.written, said.at(0), *given.written, given.at(0))
    ):
        return
    text, span = (claim, denied[0]) if denied else (evidence, granted[0])
    sentences = [sentence_around(evidence, *span)] if granted else list(sentence_spans(evidence))
    wanted = plain_words(claim) - negation_cues()
    start, end = max(sentences, key=lambda one: len(wanted & plain_words(evidence[slice(*one)])))
    if not wanted or len(wanted & plain_words(evidence[start:end])) < _DENIED * len(wanted):
        return
    one, other = ("claim", "evidence") if denied else ("evidence", "claim")
    reason = f"The {one} denies ({text[slice(*span)]}) what the {other} states."
    spans = (span, (start, end)) if denied else ((0, len(claim)), span)
    yield Check("negation", False, *spans, reason)


@cache
def _opposites() -> dict[str, list[tuple[int, int]]]:
    """Map every word to its pairs of opposites, and its side in each."""
    found: dict[str, list[tuple[int, int]]] = {}
    for pair, line in enumerate(lines("antonyms")):
        for side, listed in enumerate(line.split("|")):
            for word in listed.split():
                found.setdefault(word, []).append((pair, side))
    return found


def _check_direction(claim: str, evidence: str) -> Iterator[Check]:
    """Report that the evidence says 'fell' and the claim 'rose', all else being equal."""
    opposites = _opposites()
    if (
        opposites.keys().isdisjoint(_SPELLED.findall(claim.lower()))
        or negations(claim)
        or negations(evidence)
    ):
        return
    said, given = read(claim).words, read(evidence).words
    own = [(i, *key) for i, word in enumerate(said.low) for key in opposites.get(word, ())]
    other = [(i, *key) for i, word in enumerate(given.low) for key in opposites.get(word, ())]
    for i, pair, side in own:
        there = [(j, s) for j, p, s in other if p == pair]
        alone = sum(p == pair for _, p, _ in own) == 1
        if not alone or len(there) != 1 or there[0][1] == side:
            continue
        j = there[0][0]
        spans = said.span(i), given.span(j)
        if _mirrored(said, i, given, j, sentence_around(evidence, *spans[1])):
            reason = f"The claim says “{said.written[i]}”; the evidence says “{given.written[j]}”."
            yield Check("direction", False, *spans, reason)


def _mirrored(said: Words, i: int, given: Words, j: int, sentence: Span) -> bool:
    """Say whether two texts have the same words on the same sides of two opposites."""
    inside = [k for k, at in enumerate(given.starts) if sentence[0] <= at < sentence[1]]
    left, right = content(said.low[:i]), content(said.low[i + 1 :])
    before = content(given.low[k] for k in inside if k < j)
    after = content(given.low[k] for k in inside if k > j)
    # "A sold it to B" and "B bought it from A" do not differ.
    if (left & after) - before or (right & before) - after:
        return False
    wanted = left | right
    return len(wanted) > 1 and len(wanted & (before | after)) >= _OPPOSED * len(wanted)


_FAMILIES = ("date", "number", "ordinal")
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
"""The names of `features`, in order."""


def features(claim: str, evidence: str) -> list[float]:
    """Measure a comparison: shares of the claim's dates, numbers and ordinals, and flags."""
    masked, text = _mask_names(claim, evidence)
    pairs = _amounts(masked, text)
    made = [*_check_negation(masked, text), *_check_direction(masked, text)]
    values: list[float] = []
    for family in _FAMILIES:
        answers = [pair.agrees for pair in pairs if pair.family == family]
        count = len(answers) or 1
        values += [answers.count(answer) / count for answer in (True, False, None)]
    denied, granted = bool(negations(masked)), bool(negations(text))
    compared = [pair.agrees for pair in pairs if pair.claimed.bounded]
    narrow = _ONLY.search(masked) is not None
    flags = (
        True in compared,
        False in compared,
        any(pair.agrees is False for pair in pairs) or any(c.kind == "direction" for c in made),
        denied,
        granted,
        denied != granted,
        any(check.kind == "negation" for check in made),
        narrow,
        narrow and _ONLY.search(text) is not None,
    )
    return [*values, *map(float, flags)]
