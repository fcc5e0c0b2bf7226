"""The FEVER score (Thorne et al., 2018), as the shared task's scorer computes it."""

from collections.abc import Iterable

from feverfew.score.join import Pair, join
from feverfew.score.sheet import DEFAULT_LIMITS, Metric, Sheet
from feverfew.types import Claim, Prediction, Ref, Verdict

LABELS = frozenset({Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO})
(SENTENCES,) = DEFAULT_LIMITS["FEVER"]


def fever_score(
    claims: Iterable[Claim], predictions: Iterable[Prediction], *, sentences: int = SENTENCES
) -> Sheet:
    """Score predictions on FEVER's claims; only the first `sentences` of evidence count.

    The sheet's means are fever_score, label_accuracy, precision, recall and f1.
    """
    metric = Metric.of("FEVER", sentences)
    pairs = join(claims, predictions, labels=LABELS)
    return Sheet.of_rows(
        str(metric),
        pairs,
        (_row(pair, sentences) for pair in pairs),
        ("fever_score", "label_accuracy", "precision", "recall"),
        # If no claim needs evidence, the official tool returns this.
        of_nothing={"precision": 1.0, "recall": 0.0},
        f1_of=("precision", "recall"),
    )


def _row(pair: Pair, sentences: int) -> tuple[float, float, float | None, float | None]:
    right = pair.predicted is pair.claim.label
    if pair.claim.label is Verdict.NOT_ENOUGH_INFO:
        # Evidence does not matter for a claim that has no gold evidence.
        return float(right), float(right), None, None
    kept = pair.found[:sentences]
    complete = covers(kept, pair.gold)
    # A claim whose gold evidence is missing altogether has full recall, but no strict point:
    # the official tool asks for one complete set, and there is none.
    recalled = complete or not pair.gold
    return float(right and complete), float(right), precision(kept, pair.gold), float(recalled)


def covers(kept: tuple[Ref, ...], gold: tuple[tuple[Ref, ...], ...]) -> bool:
    """Say whether the kept evidence contains a complete gold set."""
    have = set(kept)
    return any(have.issuperset(refs) for refs in gold)


def precision(kept: tuple[Ref, ...], gold: tuple[tuple[Ref, ...], ...]) -> float:
    """Return hits over predicted, against the union of the gold sets; duplicates count.

    An empty prediction has precision 1.
    """
    if not kept:
        return 1.0
    union = {ref for refs in gold for ref in refs}
    return sum(ref in union for ref in kept) / len(kept)
