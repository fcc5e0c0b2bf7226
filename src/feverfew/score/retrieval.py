"""Retrieval measures of the three papers.

Each measure gives a value for one pair, or None where the pair does not enter its average.
Pages rank by the first piece of evidence that names them; `predicted_pages` follow.
"""

from collections.abc import Callable, Hashable, Iterable
from collections.abc import Set as AbstractSet

from msgspec import Struct

from feverfew.errors import NotFound
from feverfew.score.fever import covers
from feverfew.score.join import Pair
from feverfew.score.sheet import Column, Metric, Sheet
from feverfew.types import Kind, Ref, Verdict

_CELLS = frozenset({Kind.CELL, Kind.HEADER_CELL})


class Overlap(Struct, frozen=True):
    """How well one set matches another."""

    precision: float
    recall: float
    f1: float


def overlap(found: AbstractSet[Hashable], gold: AbstractSet[Hashable]) -> Overlap:
    """Compare two sets; two empty ones agree, one empty one has nothing in common."""
    if not found and not gold:
        return Overlap(1.0, 1.0, 1.0)
    common = len(found & gold)
    if not common:
        return Overlap(0.0, 0.0, 0.0)
    precision, recall = common / len(found), common / len(gold)
    return Overlap(precision, recall, 2 * precision * recall / (precision + recall))


# FEVER, table 2: could an ideal judge still be right?


def document_support(pair: Pair, k: int) -> float | None:
    """1 if the first k pages hold all pages of one gold set; open claims are left out."""
    if pair.claim.label is Verdict.NOT_ENOUGH_INFO:
        return None
    have = set(pair.pages[:k])
    gold = pair.gold
    return float(not gold or any(all(ref.page in have for ref in refs) for refs in gold))


def document_oracle(pair: Pair, k: int) -> float:
    """1 if a judge that errs only for want of pages is right; open claims always are."""
    supported = document_support(pair, k)
    return 1.0 if supported is None else supported


def sentence_support(pair: Pair, k: int) -> float | None:
    """1 if the first k pieces of evidence hold one gold set; open claims are left out."""
    if pair.claim.label is Verdict.NOT_ENOUGH_INFO:
        return None
    return float(not pair.gold or covers(pair.found[:k], pair.gold))


def sentence_oracle(pair: Pair, k: int) -> float:
    """1 if a judge that errs only for want of evidence is right; open claims always are."""
    supported = sentence_support(pair, k)
    return 1.0 if supported is None else supported


# HoVer, tables 3 to 5.


def hit(pair: Pair, k: int) -> float:
    """1 if every gold page is among the first k."""
    return float({ref.page for ref in _union(pair)}.issubset(pair.pages[:k]))


def document_em(pair: Pair, k: int) -> float:
    """1 if the pages of the first k pieces of evidence are exactly the gold pages."""
    return float({r.page for r in pair.found[:k]} == {r.page for r in _union(pair)})


def document_f1(pair: Pair, k: int) -> float:
    """F1 of the pages of the first k pieces of evidence."""
    return overlap({r.page for r in pair.found[:k]}, {r.page for r in _union(pair)}).f1


def page_em(pair: Pair, k: int) -> float:
    """1 if the first k pages, whatever evidence they have, are exactly the gold pages."""
    return float(set(pair.pages[:k]) == {r.page for r in _union(pair)})


def page_f1(pair: Pair, k: int) -> float:
    """F1 of the first k pages, whatever evidence they have."""
    return overlap(set(pair.pages[:k]), {r.page for r in _union(pair)}).f1


def sentence_em(pair: Pair, k: int) -> float:
    """1 if the first k pieces of evidence are exactly the gold ones."""
    return float(set(pair.found[:k]) == _union(pair))


def sentence_f1(pair: Pair, k: int) -> float:
    """F1 of the first k pieces of evidence."""
    return overlap(set(pair.found[:k]), _union(pair)).f1


# FEVEROUS, table 4: the share of a claim's gold elements that were found, whatever its label.


def document_recall(pair: Pair, k: int) -> float | None:
    """The share of gold pages among the first k pages."""
    return _share({ref.page for ref in _union(pair)}, pair.pages, k)


def sentence_recall(pair: Pair, k: int) -> float | None:
    """The share of gold sentences among the first k sentences."""
    gold = {ref for ref in _union(pair) if ref.kind is Kind.SENTENCE}
    return _share(gold, (ref for ref in pair.found if ref.kind is Kind.SENTENCE), k)


def table_recall(pair: Pair, k: int) -> float | None:
    """The share of tables with gold cells among the first k tables."""
    gold = {_table(ref) for ref in _union(pair) if ref.kind in _CELLS}
    named = (_table(r) for r in pair.found if r.kind in _CELLS or r.kind is Kind.CAPTION)
    return _share(gold, named, k)


def cell_recall(pair: Pair, k: int) -> float | None:
    """The share of gold cells among the first k cells, headers included."""
    gold = {ref for ref in _union(pair) if ref.kind in _CELLS}
    return _share(gold, (ref for ref in pair.found if ref.kind in _CELLS), k)


def _union(pair: Pair) -> set[Ref]:
    return {ref for refs in pair.gold for ref in refs}


def _table(ref: Ref) -> tuple[str, int]:
    return ref.page, ref.position[0]


def _share(gold: AbstractSet[Hashable], ranked: Iterable[Hashable], k: int) -> float | None:
    """Return the share of gold among the first k that differ; None where there is no gold."""
    if not gold:
        return None
    first = list(dict.fromkeys(ranked))[:k]
    return len(gold & set(first)) / len(gold)


MEASURES: dict[str, Callable[[Pair, int], float | None]] = {
    "DocumentSupport": document_support,
    "DocumentOracle": document_oracle,
    "SentenceSupport": sentence_support,
    "SentenceOracle": sentence_oracle,
    "Hit": hit,
    "DocumentEM": document_em,
    "DocumentF1": document_f1,
    "PageEM": page_em,
    "PageF1": page_f1,
    "SentenceEM": sentence_em,
    "SentenceF1": sentence_f1,
    "DocumentRecall": document_recall,
    "SentenceRecall": sentence_recall,
    "TableRecall": table_recall,
    "CellRecall": cell_recall,
}
"""How each named measure of retrieval is computed for one pair."""


def retrieval_column(pairs: Iterable[Pair], metric: Metric) -> Column:
    """Compute one named measure for every pair; a missing prediction is wrong."""
    if metric.name not in MEASURES:
        raise NotFound(f"{metric} is not a measure of retrieval; there are {', '.join(MEASURES)}")
    measure, (k,) = MEASURES[metric.name], metric.limits
    return Column(str(metric), tuple(measure(pair, k) for pair in pairs))


def retrieval_sheet(pairs: tuple[Pair, ...], metrics: Iterable[Metric]) -> Sheet:
    """Compute several named measures for the same pairs."""
    columns = tuple(retrieval_column(pairs, metric) for metric in metrics)
    return Sheet(columns[0].name, pairs, columns)
