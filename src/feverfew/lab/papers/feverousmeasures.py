"""Measures that only FEVEROUS's paper reports: F1 of a class, macro-F1, passages, claims alone."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from feverfew.score import bootstrap
from feverfew.score.giveaway import Giveaway, claim_only, evidence_type_only
from feverfew.score.intervals import units
from feverfew.score.join import Pair
from feverfew.score.sheet import Sheet
from feverfew.score.summary import Estimate
from feverfew.types import Claim, Kind, Ref, Verdict

__all__ = ["FROM_CLAIMS", "FROM_SHEETS", "f1_of", "guessed", "passages"]

_SAMPLES = 2_000
_CLASSES = (Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO)
_SENTENCES, _TABLES = 5, 3
Reals = NDArray[np.float64]


def f1_of(sheet: Sheet, label: Verdict | None) -> Estimate:
    """Return the F1 of a class, or the mean of all classes that occur; groups are redrawn."""
    counts = np.zeros((len(sheet.pairs), len(_CLASSES), 3))
    for at, pair in enumerate(sheet.pairs):
        for place, own in enumerate(_CLASSES):
            said, is_so = pair.predicted is own, pair.claim.label is own
            counts[at, place] = (said and is_so, said, is_so)
    unit = np.array(units(sheet))
    totals = np.zeros((int(unit.max()) + 1, *counts.shape[1:]))
    np.add.at(totals, unit, counts)
    occurs = counts[:, :, 2].sum(0) > 0
    drawn = np.random.default_rng(0).multinomial(
        len(totals), np.full(len(totals), 1 / len(totals)), size=_SAMPLES
    )
    redrawn = _f1(np.tensordot(drawn.astype(np.float64), totals, 1))
    value = _f1(totals.sum(0)[None])
    chosen = occurs if label is None else np.array([own is label for own in _CLASSES])
    if not occurs[chosen].any():
        return Estimate(0.0, 0.0, 0.0)
    low, high = np.quantile(redrawn[:, chosen].mean(1), (0.025, 0.975))
    return _in_per_cent(float(value[0, chosen].mean()), float(low), float(high))


def _f1(counts: Reals) -> Reals:
    both: Reals = 2 * counts[..., 0] / np.maximum(counts[..., 1] + counts[..., 2], 1)
    return both


def passages(sheet: Sheet) -> Estimate:
    """Return the share of a claim's sentences and tables among its first 5 and 3."""
    rows = [(_passage_recall(pair),) for pair in sheet.pairs]
    own = Sheet.of_rows("passages", sheet.pairs, rows, ("passages",), of_nothing={"passages": 0.0})
    around = bootstrap(own, samples=_SAMPLES)["passages"]
    return _in_per_cent(own.means()["passages"], around.low, around.high)


def _passage_recall(pair: Pair) -> float | None:
    gold = {_passage(ref) for refs in pair.gold for ref in refs}
    if not gold:
        return None
    found = list(dict.fromkeys(map(_passage, pair.found)))
    sentences = [own for own in found if own[1] == Kind.SENTENCE][:_SENTENCES]
    tables = [own for own in found if own[1] != Kind.SENTENCE][:_TABLES]
    return len(gold & {*sentences, *tables}) / len(gold)


def _passage(ref: Ref) -> tuple[str, str, int]:
    kind = ref.kind if ref.kind in (Kind.SENTENCE, Kind.ITEM) else "table"
    return ref.page, kind, ref.position[0] if ref.position else 0


FROM_SHEETS: dict[str, Callable[[Sheet], Estimate]] = {
    "f1_supported": lambda sheet: f1_of(sheet, Verdict.SUPPORTED),
    "f1_refuted": lambda sheet: f1_of(sheet, Verdict.REFUTED),
    "f1_open": lambda sheet: f1_of(sheet, Verdict.NOT_ENOUGH_INFO),
    "macro_f1": lambda sheet: f1_of(sheet, None),
    "passages": passages,
}
"""Measures of predictions."""
_GUESSES: dict[str, Callable[[Sequence[Claim]], Giveaway]] = {
    "claim_only": claim_only,
    "evidence_type": evidence_type_only,
}
FROM_CLAIMS = tuple(f"{name}{way}" for name in _GUESSES for way in ("", "_majority"))
"""Measures of claims without any evidence or system: the accuracy of guessing."""


def guessed(metric: str, claims: Sequence[Claim]) -> Estimate:
    """Guess from claims alone, by cross-validation; or always the most frequent answer."""
    found = _GUESSES[metric.removesuffix("_majority")](claims)
    if metric.endswith("_majority"):
        return _in_per_cent(found.majority, found.majority, found.majority)
    return _in_per_cent(found.accuracy, found.low, found.high)


def _in_per_cent(value: float, low: float, high: float) -> Estimate:
    return Estimate(*(round(100 * x, 2) for x in (value, min(low, value), max(high, value))))
