"""Calibration: Brier score, ECE, reliability, risk and coverage.

Confidence is the probability that was given to the label that was predicted. HoVer's gold has only
SUPPORTED and NOT_SUPPORTED: there, REFUTED and NOT ENOUGH INFO are added up.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import groupby

from msgspec import Struct

from feverfew.errors import ScoreError
from feverfew.types import Verdict

_TOLERANCE = 1e-3  # probabilities are often written with a few decimals only


class Answer(Struct, frozen=True):
    """A gold label, the label predicted, and the probabilities behind it."""

    gold: Verdict
    predicted: Verdict
    probabilities: Mapping[Verdict, float]
    id: int | str = ""

    @property
    def correct(self) -> bool:
        return self.gold == self.predicted

    @property
    def confidence(self) -> float:
        return self.probabilities.get(self.predicted, 0.0)


class ReliabilityBin(Struct, frozen=True):
    """The answers whose confidence lies in (low, high]; the first bin holds 0 as well."""

    low: float
    high: float
    count: int
    confidence: float
    """The mean confidence; 0 where the bin is empty."""
    accuracy: float


class Calibration(Struct, frozen=True):
    """Everything at once, ready for JSON and for the plots."""

    answers: int
    accuracy: float
    confidence: float
    brier: float
    ece: float
    """Expected calibration error: the mean gap between confidence and accuracy of the bins."""
    mce: float
    """The largest of these gaps."""
    aurc: float
    """The area under the risk–coverage curve: the mean risk over all coverages."""
    bins: tuple[ReliabilityBin, ...]
    curve: tuple[tuple[float, float], ...]
    """(coverage, risk), most confident first."""


def calibration(answers: Sequence[Answer], *, bins: int = 10) -> Calibration:
    """Measure calibration."""
    answers = _checked(answers)
    boxes = reliability_bins(answers, bins=bins)
    gaps = [abs(b.confidence - b.accuracy) for b in boxes if b.count]
    weights = [b.count / len(answers) for b in boxes if b.count]
    curve = risk_coverage(answers)
    return Calibration(
        answers=len(answers),
        accuracy=sum(a.correct for a in answers) / len(answers),
        confidence=sum(a.confidence for a in answers) / len(answers),
        brier=brier(answers),
        ece=sum(g * w for g, w in zip(gaps, weights, strict=True)),
        mce=max(gaps),
        aurc=sum(risk for _, risk in curve) / len(curve),
        bins=boxes,
        curve=curve,
    )


def brier(answers: Sequence[Answer]) -> float:
    """Return the mean squared distance of the probabilities from the truth: 0 best, 2 worst."""
    answers = _checked(answers)
    total = 0.0
    for a in answers:
        for label in {*a.probabilities, a.gold}:
            total += (a.probabilities.get(label, 0.0) - (label == a.gold)) ** 2
    return total / len(answers)


def reliability_bins(answers: Sequence[Answer], *, bins: int = 10) -> tuple[ReliabilityBin, ...]:
    """Sort answers by confidence into bins of equal width."""
    if bins < 1:
        raise ScoreError(f"a reliability diagram needs one bin or more, not {bins}")
    held: list[list[Answer]] = [[] for _ in range(bins)]
    for a in _checked(answers):
        # (low, high]: a confidence of exactly 0.5 belongs to the bin that ends there. Rounding
        # first, because 0.7 * 10 is a little more than 7.
        place = math.ceil(round(a.confidence * bins, 9)) - 1
        held[min(max(place, 0), bins - 1)].append(a)
    return tuple(
        ReliabilityBin(
            place / bins,
            (place + 1) / bins,
            len(inside),
            sum(a.confidence for a in inside) / len(inside) if inside else 0.0,
            sum(a.correct for a in inside) / len(inside) if inside else 0.0,
        )
        for place, inside in enumerate(held)
    )


def risk_coverage(answers: Sequence[Answer]) -> tuple[tuple[float, float], ...]:
    """Return the share of errors among the most confident answers, for every number of them.

    Answers of equal confidence have no order: their errors are spread evenly, which is the mean
    over all orders.
    """
    ranked = sorted(_checked(answers), key=lambda a: -a.confidence)
    curve: list[tuple[float, float]] = []
    errors = 0.0
    for _, group in groupby(ranked, key=lambda a: a.confidence):
        equal = list(group)
        wrong = sum(not a.correct for a in equal) / len(equal)
        for _ in equal:
            errors += wrong
            answered = len(curve) + 1
            curve.append((answered / len(ranked), min(errors / answered, 1.0)))
    return tuple(curve)


def accuracy_at_coverage(answers: Sequence[Answer], coverage: float) -> float:
    """Return the accuracy when only this share of claims, the most confident, is answered."""
    if not 0 < coverage <= 1:
        raise ScoreError(f"coverage is a share above 0 and up to 1, not {coverage}")
    curve = risk_coverage(answers)
    answered = max(1, math.ceil(round(coverage * len(curve), 9)))
    return 1 - curve[answered - 1][1]


def _checked(answers: Sequence[Answer]) -> list[Answer]:
    if not answers:
        raise ScoreError("there are no predictions with probabilities, so nothing to calibrate")
    folded = any(a.gold is Verdict.NOT_SUPPORTED for a in answers)
    made = []
    for a in answers:
        values = a.probabilities.values()
        if not all(math.isfinite(p) and -1e-9 <= p <= 1 + _TOLERANCE for p in values):
            why = f"{_where(a)}a probability is not between 0 and 1"
            raise ScoreError(why, side="predictions", id=a.id)
        if abs(sum(values) - 1) > _TOLERANCE:
            why = f"{_where(a)}the probabilities add up to {sum(values):.4g}, not to 1"
            raise ScoreError(why, side="predictions", id=a.id)
        made.append(_fold(a) if folded else a)
    return made


def _where(answer: Answer) -> str:
    return f"claim {answer.id}: " if answer.id != "" else ""


_OPEN = (Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO, Verdict.NOT_SUPPORTED)


def _fold(a: Answer) -> Answer:
    """Read an answer as HoVer does: SUPPORTED, or not."""
    rest = sum(a.probabilities.get(label, 0.0) for label in _OPEN)
    return Answer(
        _not_supported(a.gold),
        _not_supported(a.predicted),
        {
            Verdict.SUPPORTED: a.probabilities.get(Verdict.SUPPORTED, 0.0),
            Verdict.NOT_SUPPORTED: rest,
        },
        a.id,
    )


def _not_supported(label: Verdict) -> Verdict:
    return Verdict.NOT_SUPPORTED if label in _OPEN else label
