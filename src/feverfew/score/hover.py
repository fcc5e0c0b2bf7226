"""The HoVer score (Jiang et al., 2020), and its EM and F1 of documents and sentences.

The official script averages over the predicted claims only, which rewards leaving out hard ones.
Here a missing prediction is wrong in every column.
"""

from collections.abc import Iterable

from feverfew.score.join import Pair, join, unescaped
from feverfew.score.retrieval import overlap
from feverfew.score.sheet import DEFAULT_LIMITS, Column, Metric, Sheet
from feverfew.types import Claim, Prediction, Ref, Verdict

LABELS = frozenset({Verdict.SUPPORTED, Verdict.NOT_SUPPORTED})
(SENTENCES,) = DEFAULT_LIMITS["HoVer"]

_COLUMNS = (
    "hover_score",
    "label_accuracy",
    "precision",
    "recall",
    "f1",
    "sentence_em",
    "document_em",
    "document_f1",
)


def hover_score(
    claims: Iterable[Claim], predictions: Iterable[Prediction], *, sentences: int = SENTENCES
) -> Sheet:
    """Score predictions on HoVer's claims; only the first `sentences` of evidence count.

    Precision, recall and f1 are those of sentences, averaged over claims.
    """
    metric = Metric.of("HoVer", sentences)
    pairs = join(claims, predictions, labels=LABELS, spelling=unescaped, missing_is_wrong=True)
    return Sheet.of_rows(str(metric), pairs, (_row(pair, sentences) for pair in pairs), _COLUMNS)


def _row(pair: Pair, sentences: int) -> tuple[float, ...]:
    if pair.prediction is None:
        return (0.0,) * len(_COLUMNS)
    gold = {ref for refs in pair.gold for ref in refs}
    found = set(pair.found[:sentences])
    gold_pages, found_pages = {r.page for r in gold}, {r.page for r in found}
    # HoVer has two labels: REFUTED and NOT ENOUGH INFO are both NOT_SUPPORTED.
    right = (pair.predicted is Verdict.SUPPORTED) == (pair.claim.label is Verdict.SUPPORTED)
    by_sentence, by_page = overlap(found, gold), overlap(found_pages, gold_pages)
    return (
        float(right and _touches_every_page(found, gold)),
        float(right),
        by_sentence.precision,
        by_sentence.recall,
        by_sentence.f1,
        float(found == gold),
        float(found_pages == gold_pages),
        by_page.f1,
    )


OFFICIAL = "official_score"
_PER_PAGE = 2


def official_column(sheet: Sheet) -> Column:
    """Count as the official page does: of k hops the first k + 1 documents, two sentences each."""
    return Column(OFFICIAL, tuple(map(_official, sheet.pairs)))


def _official(pair: Pair) -> float:
    gold = {ref for refs in pair.gold for ref in refs}
    hops = pair.claim.hops or len({ref.page for ref in gold})
    kept: dict[str, list[Ref]] = {}
    for ref in pair.found:
        if ref.page in kept or len(kept) <= hops:
            kept.setdefault(ref.page, []).append(ref)
    found = {ref for refs in kept.values() for ref in refs[:_PER_PAGE]}
    right = (pair.predicted is Verdict.SUPPORTED) == (pair.claim.label is Verdict.SUPPORTED)
    return float(pair.prediction is not None and right and _touches_every_page(found, gold))


def _touches_every_page(found: set[Ref], gold: set[Ref]) -> bool:
    """Say whether at least one gold sentence of every gold page was found."""
    return {ref.page for ref in found & gold} == {ref.page for ref in gold}
