"""Compare the numbers, dates, negations and directions of a claim with those of its evidence.

A conflict is reported only where it is clear what is compared: the evidence must say nearly all
that the claim says and hold one amount that fits. Everything else is left to the judge.

>>> [check.reason for check in checks("Ada was born in 1975.", "Ada (born 3 May 1890) is a poet.")]
['The claim says 1975; the evidence says 3 May 1890.']
"""

import re
from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from feverfew.english.amounts import (
    Pair,
    Span,
    compare,
    plain_words,
    sentence_around,
    sentence_spans,
)
from feverfew.english.lexicon import content, lines, table, word_list, word_set
from feverfew.english.numbers import read
from feverfew.english.words import Amount, Words

__all__ = ["FEATURES", "Check", "checks", "features", "negations"]

_TITLE = re.compile(r"^([^:|]{1,80}): ")
_DISAMBIGUATION = re.compile(r"\(\d{4} [A-Za-z ]+\)|\([a-z ]*season \d+\)")
_SPELLED = re.compile(r"[a-z]+")
_OPPOSED = 0.7
"""The share of the claim's words that a sentence must hold for opposites to be a conflict."""
_DENIED = 0.8
"""The same where a negation is."""


_UNSURE = (("number", False), ("ordinal", True))
"""Not reported: these were right for fewer than 80 % of claims (experiments/checks.md)."""


class Check(Struct, frozen=True):
    """One comparison of a claim with a piece of evidence."""

    kind: str
    """number, measure, ordinal, date, bound, negation or direction."""
    agrees: bool
    claim_span: Span
    evidence_span: Span
    """Where the compared words stand in the texts given."""
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
    """Compare the amounts; where something is denied, no comparison is sure."""
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
    """Hide the page's title where it holds a number, so that '1984 (novel)' is not a year."""
    title = _TITLE.match(evidence)
    if title and any(c.isdigit() for c in title[1]):
        for name in (title[1], title[1].partition(" (")[0]):
            claim, evidence = (t.replace(name, "X" * len(name)) for t in (claim, evidence))
    if "(" in claim:
        claim = _DISAMBIGUATION.sub(lambda m: " " * len(m[0]), claim)
    return claim, evidence


_NEGATION = re.compile(
    r"\b(?:not(?! only\b| just\b| merely\b| to be confused| \w+ than\b)|never|cannot|neither"
    r"|nor|nobody|none|nothing|nowhere|no(?= [a-z])(?! \w+ than\b)|without|lack(?:s|ed)?"
    r"|incapable|unable|impossible"
    r"|(?:has|have|had|is|was) yet to|(?:fail(?:s|ed)?|refuse[sd]?|decline[sd]?) to"
    r"|refused|rejected|denied|avoided)\b|(?<=[a-z])n['’]t\b"
    r"|^(?:Not|Never|Neither|Nobody|None|Nothing|No)(?= [a-z])"
)
_ONLY = re.compile(
    r"(?<!not )(?<!the )\b(?:only|solely|exclusively|strictly|merely|just|entirely)\b"
)


@cache
def _cues() -> frozenset[str]:
    return word_set(table("negation")["cues"])


def negations(text: str) -> list[Span]:
    """Return where the words stand that negate; in names ("No Country for Old Men") they do not.

    >>> negations("He was not only a singer, but he never acted in No Escape.")
    [(33, 38)]
    """
    # Most texts deny nothing, and a look at their words is far cheaper than the search.
    if (
        _cues().isdisjoint(_SPELLED.findall(text.lower()))
        and "n't" not in text
        and "n’t" not in text
    ):
        return []
    return [m.span() for m in _NEGATION.finditer(text)]


def _check_negation(claim: str, evidence: str) -> Iterator[Check]:
    """Report that one text denies what the other states in nearly the same words."""
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
    wanted = plain_words(claim) - _cues()
    start, end = max(sentences, key=lambda one: len(wanted & plain_words(evidence[slice(*one)])))
    if not wanted or len(wanted & plain_words(evidence[start:end])) < _DENIED * len(wanted):
        return
    one, other = ("claim", "evidence") if denied else ("evidence", "claim")
    reason = f"The {one} denies ({text[slice(*span)]}) what the {other} states."
    spans = (span, (start, end)) if denied else ((0, len(claim)), span)
    yield Check("negation", False, *spans, reason)


@cache
def _opposites() -> dict[str, list[tuple[int, int]]]:
    """Give every word the pairs of opposites that it belongs to, and its side in each."""
    found: dict[str, list[tuple[int, int]]] = {}
    for pair, line in enumerate(lines("antonyms")):
        for side, listed in enumerate(line.split("|")):
            for word in listed.split():
                found.setdefault(word, []).append((pair, side))
    return found


def _check_direction(claim: str, evidence: str) -> Iterator[Check]:
    """Report that the evidence says 'fell' where the claim says 'rose', all else being equal."""
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
"""What `features` measures, in its order."""


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
