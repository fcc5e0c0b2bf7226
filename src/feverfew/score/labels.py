"""Label measures: the confusion matrix, and precision, recall and F1 of each class."""

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from feverfew.score.join import Pair
from feverfew.score.sheet import harmonic
from feverfew.types import Verdict

MISSING = "(missing)"
"""The label of a missing prediction."""


class ClassScore(Struct, frozen=True):
    """How well one label was predicted."""

    precision: float
    """Of those given this label, the share that has it; 0 if none was given it."""
    recall: float
    """Of those that have this label, the share that was given it; 0 if none has it."""
    f1: float
    gold: int
    predicted: int


class Labels(Struct, frozen=True):
    """The confusion matrix and the measures of each label."""

    gold: tuple[str, ...]
    """The rows of the confusion matrix."""
    predicted: tuple[str, ...]
    """Its columns."""
    confusion: tuple[tuple[int, ...], ...]
    classes: dict[str, ClassScore]
    accuracy: float
    macro_f1: float
    """The mean F1 of the classes that occur among the gold labels."""


def label_scores(pairs: Iterable[Pair]) -> Labels:
    """Count gold labels against predicted ones; HoVer's predictions become its two labels."""
    counts: Counter[tuple[str, str]] = Counter()
    known = tuple(pairs)
    two_way = any(p.claim.label is Verdict.NOT_SUPPORTED for p in known)
    for pair in known:
        if pair.claim.label is not None:
            counts[pair.claim.label.value, _said(pair, two_way)] += 1
    order = [v.value for v in Verdict]
    gold = tuple(v for v in order if any(g == v for g, _ in counts))
    predicted = tuple(v for v in [*order, MISSING] if v in gold or any(p == v for _, p in counts))
    confusion = tuple(tuple(counts[g, p] for p in predicted) for g in gold)
    total = sum(counts.values())
    classes = {name: _class_score(name, counts) for name in predicted if name != MISSING}
    return Labels(
        gold,
        predicted,
        confusion,
        classes,
        sum(counts[g, g] for g in gold) / total if total else 0.0,
        sum(classes[g].f1 for g in gold) / len(gold) if gold else 0.0,
    )


def _said(pair: Pair, two_way: bool) -> str:
    if pair.predicted is None:
        return MISSING
    if two_way and pair.predicted is not Verdict.SUPPORTED:
        return Verdict.NOT_SUPPORTED.value
    return pair.predicted.value


def _class_score(name: str, counts: Counter[tuple[str, str]]) -> ClassScore:
    gold = sum(n for (g, _), n in counts.items() if g == name)
    predicted = sum(n for (_, p), n in counts.items() if p == name)
    hits = counts[name, name]
    precision = hits / predicted if predicted else 0.0
    recall = hits / gold if gold else 0.0
    return ClassScore(precision, recall, harmonic(precision, recall), gold, predicted)
