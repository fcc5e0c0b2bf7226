"""The FEVEROUS score (Aly et al., 2021), as the shared task's scorer computes it."""

from collections.abc import Iterable

from feverfew.score.fever import LABELS, covers, precision
from feverfew.score.join import Pair, join
from feverfew.score.sheet import DEFAULT_LIMITS, Metric, Sheet
from feverfew.types import Claim, Kind, Prediction, Ref

SENTENCES, CELLS = DEFAULT_LIMITS["FEVEROUS"]

# Titles and sections share the sentences' slots: the rule names only these four.
_CELLS = frozenset({Kind.CELL, Kind.HEADER_CELL, Kind.CAPTION, Kind.ITEM})


def feverous_score(
    claims: Iterable[Claim],
    predictions: Iterable[Prediction],
    *,
    sentences: int = SENTENCES,
    cells: int = CELLS,
) -> Sheet:
    """Score predictions on FEVEROUS's claims, with so many sentences and cells of evidence.

    The sheet's means are feverous_score, label_accuracy, precision, recall and f1.
    """
    metric = Metric.of("FEVEROUS", sentences, cells)
    pairs = join(claims, predictions, labels=LABELS, by_text=True)
    return Sheet.of_rows(
        str(metric),
        pairs,
        (_row(pair, sentences, cells) for pair in pairs),
        ("feverous_score", "label_accuracy", "precision", "recall"),
        f1_of=("precision", "recall"),
    )


def _row(pair: Pair, sentences: int, cells: int) -> tuple[float, float, float, float]:
    # Unlike FEVER, NOT ENOUGH INFO needs its evidence too and enters every average.
    right = pair.predicted is pair.claim.label
    evidence = kept(pair.found, sentences, cells)
    complete = covers(evidence, pair.gold)
    return (
        float(right and complete),
        float(right),
        precision(evidence, pair.gold),
        float(complete or not pair.gold),
    )


def kept(found: tuple[Ref, ...], sentences: int = SENTENCES, cells: int = CELLS) -> tuple[Ref, ...]:
    """Keep, in order, the first cells and the first of everything else; duplicates use slots."""
    free_sentences, free_cells = sentences, cells
    chosen: list[Ref] = []
    for ref in found:
        if ref.kind in _CELLS:
            free_cells -= 1
            if free_cells >= 0:
                chosen.append(ref)
        else:
            free_sentences -= 1
            if free_sentences >= 0:
                chosen.append(ref)
    return tuple(chosen)
