"""Associations between properties of claims and verdicts: nPMI, as in FEVEROUS 3.2.

Normalised pointwise mutual information is log(p(x, y) / p(x) p(y)) / -log p(x, y): 1 if two things
occur only together, 0 if they are independent, -1 if they never occur together. A claim counts once
for each property, however often it has the property.

Rare words reach high values by chance. So each association has a p-value (likelihood-ratio test of
its 2 × 2 table) and a q-value, the false discovery rate (Benjamini and Hochberg) over all tests of
its table.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from feverfew.errors import ScoreError
from feverfew.types import Claim, Kind, Ref

LEAST = 10
"""Properties of fewer claims are left out: their values are too uncertain."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_GROUPS = {
    Kind.SENTENCE: "sentence",
    Kind.CELL: "table",
    Kind.HEADER_CELL: "table",
    Kind.CAPTION: "table",
    Kind.ITEM: "list",
}


class Association(Struct, frozen=True):
    """The association of a property with an outcome."""

    feature: str
    outcome: str
    together: int
    with_feature: int
    with_outcome: int
    npmi: float
    p: float
    q: float


class Table(Struct, frozen=True):
    """All associations between one kind of property and one kind of outcome, strongest first."""

    features: str
    outcomes: str
    claims: int
    found: tuple[Association, ...]


def npmi(together: int, one: int, other: int, total: int) -> float:
    """Return the normalised pointwise mutual information of two things counted over claims.

    >>> npmi(10, 10, 10, 100), npmi(1, 10, 10, 100), npmi(0, 10, 10, 100)
    (1.0, 0.0, -1.0)
    """
    if not together:
        return -1.0
    if together == total:
        return 0.0  # both are everywhere: neither tells anything of the other
    information = math.log(together * total / (one * other))
    # min: rounding puts a perfect association a hair above 1.
    return min(1.0, max(-1.0, information / -math.log(together / total)))


def associations(
    rows: Iterable[tuple[Iterable[str], str]], *, least: int = LEAST
) -> tuple[Association, ...]:
    """Associate every property with every outcome, strongest first.

    rows: one for each claim, its properties and its outcome.
    """
    features: Counter[str] = Counter()
    outcomes: Counter[str] = Counter()
    together: Counter[tuple[str, str]] = Counter()
    for properties, outcome in rows:
        outcomes[outcome] += 1
        for feature in set(properties):
            features[feature] += 1
            together[feature, outcome] += 1
    total = outcomes.total()
    raw = []
    for feature, n in features.items():
        # A property of every claim cannot discriminate.
        if least <= n < total:
            for outcome, m in outcomes.items():
                both = together[feature, outcome]
                raw.append((feature, outcome, both, n, m, _p_value(both, n, m, total)))
    qs = _false_finds([row[-1] for row in raw])
    made = [
        Association(feature, outcome, both, n, m, npmi(both, n, m, total), p, q)
        for (feature, outcome, both, n, m, p), q in zip(raw, qs, strict=True)
    ]
    return tuple(sorted(made, key=lambda a: (-a.npmi, -a.together, a.feature, a.outcome)))


def _p_value(both: int, n: int, m: int, total: int) -> float:
    """Return the likelihood-ratio test's p of the 2 × 2 table, one degree of freedom."""
    statistic = 0.0
    for seen, row, column in (
        (both, n, m),
        (n - both, n, total - m),
        (m - both, total - n, m),
        (total - n - m + both, total - n, total - m),
    ):
        if seen:
            statistic += 2 * seen * math.log(seen * total / (row * column))
    return math.erfc(math.sqrt(max(statistic, 0.0) / 2))


def _false_finds(ps: Sequence[float]) -> list[float]:
    """Turn p-values into Benjamini and Hochberg's q-values, in the same order."""
    qs = [1.0] * len(ps)
    least = 1.0
    for rank, place in reversed(list(enumerate(sorted(range(len(ps)), key=ps.__getitem__), 1))):
        least = min(least, ps[place] * len(ps) / rank)
        qs[place] = least
    return qs


def tokens(text: str) -> list[str]:
    """Split a claim into lower-case words; an apostrophe does not end one."""
    return _WORD.findall(text.lower())


def evidence_type(claim: Claim) -> str | None:
    """Return the type of the claim's first evidence set: sentences, cells, or both.

    As in the FEVEROUS score, captions and list items count as cells.
    """
    kinds = {ref.kind for ref in next(iter(claim.evidence), ())}
    if not kinds:
        return None
    if kinds == {Kind.SENTENCE}:
        return "sentences"
    return "sentences and cells" if Kind.SENTENCE in kinds else "cells"


def positions(claim: Claim) -> set[str]:
    """Return the positions of the claim's evidence on their pages, by kind.

    The position is the element's number among its own kind, from 0: {"sentence 0", "table 1–4"}.
    """
    return {place for refs in claim.evidence for ref in refs if (place := _position(ref))}


def _position(ref: Ref) -> str:
    if ref.kind not in _GROUPS:
        return ""
    number = ref.position[0]
    bucket = "0" if not number else "after 20"
    for low, high in ((1, 4), (5, 9), (10, 20)):
        if low <= number <= high:
            bucket = f"{low}–{high}"
    return f"{_GROUPS[ref.kind]} {bucket}"


Properties = Callable[[Claim], Iterable[str]]

_PROPERTIES: dict[str, Properties] = {
    "evidence position": positions,
    "evidence type": lambda claim: [t] if (t := evidence_type(claim)) else [],
    "challenge": lambda claim: [claim.challenge] if claim.challenge else [],
    "hops": lambda claim: [f"{claim.hops} hops"] if claim.hops is not None else [],
}


def bias(
    claims: Sequence[Claim],
    claim_types: Mapping[int | str, str] | None = None,
    *,
    least: int = LEAST,
) -> tuple[Table, ...]:
    """Associate words, positions, evidence types, challenges, hops and claim types with verdicts.

    With claim types, words are associated with them too. Tables of nothing are left out.
    """
    labelled = [(c, c.label.value) for c in claims if c.label is not None]
    if not labelled:
        raise ScoreError("no claim has a label, so there is nothing to associate with it")
    types = claim_types or {}
    tables = [_table("word", "verdict", labelled, lambda c: tokens(c.text), least)]
    if types:
        typed = [(c, types[c.id]) for c in claims if c.id in types]
        if not typed:
            known = ", ".join(repr(i) for i in list(types)[:3])
            raise ScoreError(f"no claim has a type: the ids of the types begin {known}")
        tables.append(_table("word", "claim type", typed, lambda c: tokens(c.text), least))
        of_type = [(c, label) for c, label in labelled if c.id in types]
        tables.append(_table("claim type", "verdict", of_type, lambda c: [types[c.id]], least))
    for name, properties in _PROPERTIES.items():
        # Only claims that have the property: FEVER's NOT ENOUGH INFO claims have no evidence, and
        # would make every position of evidence look like a sign of the other verdicts.
        having = [(c, label) for c, label in labelled if properties(c)]
        tables.append(_table(name, "verdict", having, properties, least))
    return tuple(table for table in tables if table.found)


def _table(
    features: str,
    outcomes: str,
    rows: Sequence[tuple[Claim, str]],
    properties: Properties,
    least: int,
) -> Table:
    found = associations(((properties(c), outcome) for c, outcome in rows), least=least)
    return Table(features, outcomes, len(rows), found)


def outcomes_of(table: Table) -> dict[str, list[Association]]:
    """Group a table by outcome, each strongest first."""
    grouped: dict[str, list[Association]] = defaultdict(list)
    for a in table.found:
        grouped[a.outcome].append(a)
    return dict(grouped)
