"""Measure a data set: what it holds, whether splits are apart, and what claims give away."""

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from feverfew.english.words import negations
from feverfew.errors import MissingExtra, ScoreError
from feverfew.factory.splits import near_duplicates
from feverfew.score.bias import bias, evidence_type
from feverfew.score.giveaway import claim_only, evidence_type_only
from feverfew.text import title_key, words
from feverfew.types import Claim, Kind

GIVEAWAY, WORD, NEGATION = 0.05, 0.25, 0.10
"""Alarms: a claim-only model that far above the majority; a word with so much nPMI; labels whose
shares of negated claims differ by more."""
_SURE = 0.01
"""The false discovery rate below which a word's nPMI counts."""
_MANY = 50
"""Claims of a label below which its shares say little."""
SENTENCES, CELLS = 5, 25
"""What the official scores count of a claim's evidence."""


class Statistics(Struct, frozen=True, kw_only=True):
    """What a split holds."""

    claims: int
    labels: dict[str, int]
    tokens: float
    """A claim's mean number of words."""
    sets: float
    """Evidence sets of a claim that has any, on average."""
    elements: float
    """Elements of a set, on average."""
    several_sets: float
    """Shares of the claims that have evidence."""
    several_elements: float
    several_pages: float
    evidence_types: dict[str, int]
    hops: dict[str, dict[str, int]]
    """Number of hops, then label."""
    challenges: dict[str, int]


def statistics(claims: Sequence[Claim]) -> Statistics:
    """Count what a split holds."""
    settled = [claim for claim in claims if claim.evidence]
    sets = [one for claim in settled for one in claim.evidence]
    hops: dict[str, dict[str, int]] = {}
    for claim in claims:
        if claim.hops is not None:
            own = hops.setdefault(str(claim.hops), {})
            own[_label(claim)] = own.get(_label(claim), 0) + 1
    return Statistics(
        claims=len(claims),
        labels=dict(sorted(Counter(map(_label, claims)).items())),
        tokens=_mean([len(words(claim.text)) for claim in claims]),
        sets=_mean([len(claim.evidence) for claim in settled]),
        elements=_mean([len(one) for one in sets]),
        several_sets=_mean([len(claim.evidence) > 1 for claim in settled]),
        several_elements=_mean([all(len(one) > 1 for one in c.evidence) for c in settled]),
        several_pages=_mean([all(_pages(one) > 1 for one in c.evidence) for c in settled]),
        evidence_types=dict(sorted(Counter(evidence_type(c) or "none" for c in claims).items())),
        hops=dict(sorted(hops.items())),
        challenges=dict(sorted(Counter(c.challenge for c in claims if c.challenge).items())),
    )


def _label(claim: Claim) -> str:
    return claim.label.value if claim.label else "blind"


def _pages(refs: Sequence[object]) -> int:
    return len({getattr(ref, "page", "") for ref in refs})


def _mean(numbers: Sequence[float]) -> float:
    return round(sum(numbers) / len(numbers), 4) if numbers else 0.0


class Overlap(Struct, frozen=True, kw_only=True):
    """What two splits have in common."""

    one: str
    other: str
    claims: int
    near_duplicates: int
    groups: int
    """Pages that claims were made from, highlights or questions; 0 unless they are known."""
    evidence_pages: int
    """Allowed: pages that claims of both rest on."""
    examples: tuple[str, ...] = ()


def overlaps(splits: Mapping[str, Sequence[Claim]]) -> list[Overlap]:
    """Compare every two splits."""
    names = list(splits)
    everything = [(name, claim) for name in names for claim in splits[name]]
    near: Counter[tuple[str, str]] = Counter()
    shown: dict[tuple[str, str], list[str]] = {}
    for i, j in near_duplicates([claim.text for _, claim in everything]):
        (one, a), (other, b) = everything[i], everything[j]
        if one != other:
            near[one, other] += 1
            shown.setdefault((one, other), []).append(f"{a.text} ~ {b.text}")
    found = []
    for at, one in enumerate(names):
        for other in names[at + 1 :]:
            found.append(
                Overlap(
                    one=one,
                    other=other,
                    claims=len(_texts(splits[one]) & _texts(splits[other])),
                    near_duplicates=near[one, other],
                    groups=len(_groups(splits[one]) & _groups(splits[other])),
                    evidence_pages=len(_evidence(splits[one]) & _evidence(splits[other])),
                    examples=tuple(shown.get((one, other), [])[:3]),
                )
            )
    return found


def _texts(claims: Sequence[Claim]) -> set[tuple[str, ...]]:
    return {tuple(words(claim.text)) for claim in claims}


def _groups(claims: Sequence[Claim]) -> set[str]:
    return {claim.group for claim in claims if claim.group}


def _evidence(claims: Sequence[Claim]) -> set[str]:
    return {title_key(ref.page) for claim in claims for one in claim.evidence for ref in one}


def too_large(claim: Claim) -> bool:
    """Say whether no evidence set fits what the official scores count."""
    return bool(claim.evidence) and all(
        sum(ref.kind is Kind.SENTENCE for ref in one) > SENTENCES
        or sum(ref.kind is not Kind.SENTENCE for ref in one) > CELLS
        for one in claim.evidence
    )


class Bias(Struct, frozen=True, kw_only=True):
    """What claims give away without their evidence."""

    claim_only: float | None
    """Accuracy of a model that sees claims alone; None where it could not be asked."""
    majority: float
    evidence_type_only: float | None = None
    evidence_type_majority: float | None = None
    words: dict[str, list[tuple[str, float]]]
    """For each label, the words that go with it most, with their nPMI."""
    positions: list[tuple[str, str, float]]
    negated: dict[str, float]
    """The share of claims with a negation, by label."""
    alarms: list[str]
    note: str = ""


def measure_bias(claims: Sequence[Claim], *, folds: int = 5, seed: int = 0) -> Bias:
    """Measure what a data set's claims give away, and say what gives cause for alarm."""
    labelled = [claim for claim in claims if claim.label is not None]
    counts = Counter(map(_label, labelled))
    alarms: list[str] = []
    note = ""
    guessed = typed = None
    try:
        guessed = claim_only(labelled, folds=folds, seed=seed)
        if guessed.gain > GIVEAWAY:
            alarms.append(
                f"a model that sees claims alone is right on {guessed.accuracy:.1%}, "
                f"{guessed.gain * 100:.1f} points above the majority"
            )
        typed = evidence_type_only(labelled, folds=folds, seed=seed)
    except (MissingExtra, ScoreError) as error:
        note = str(error)
    tables = bias(labelled) if labelled else ()
    telling: dict[str, list[tuple[str, float]]] = {label: [] for label in sorted(counts)}
    positions = []
    for table in tables:
        for found in table.found:
            if found.q > _SURE or found.npmi <= 0:
                continue
            if table.features == "word" and table.outcomes == "verdict":
                telling[found.outcome].append((found.feature, round(found.npmi, 3)))
                if found.npmi > WORD:
                    alarms.append(
                        f"the word {found.feature!r} goes with {found.outcome} "
                        f"(nPMI {found.npmi:.2f})"
                    )
            elif table.features == "evidence position":
                positions.append((found.feature, found.outcome, round(found.npmi, 3)))
    negated = {
        label: _mean([bool(negations(c.text)) for c in labelled if _label(c) == label])
        for label in sorted(counts)
    }
    often = [share for label, share in negated.items() if counts[label] >= _MANY]
    if often and max(often) - min(often) > NEGATION:
        alarms.append(
            "labels differ in negated claims: "
            + ", ".join(f"{label} {share:.0%}" for label, share in negated.items())
        )
    return Bias(
        claim_only=guessed.accuracy if guessed else None,
        majority=max(counts.values(), default=0) / max(1, len(labelled)),
        evidence_type_only=typed.accuracy if typed else None,
        evidence_type_majority=typed.majority if typed else None,
        words={label: own[:10] for label, own in telling.items()},
        positions=positions,
        negated=negated,
        alarms=alarms,
        note=note,
    )
