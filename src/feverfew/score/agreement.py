"""Agreement on labels: Fleiss κ, Krippendorff α, Gwet AC1, Cohen κ by pair.

All four compare the agreement seen (`observed`) with what chance would give (`expected`): (observed
- expected) / (1 - expected). They differ in how they define chance.

- Fleiss κ and Gwet AC1 follow Gwet's handbook where items have unequal numbers of labels: the
  shares of labels are means over items, agreement is a mean over items with two labels or more.
- Krippendorff α counts pairs of labels, and only items with two labels or more.
- Cohen κ is for two annotators, over the items that both labelled.

Where only one label was ever used, chance explains everything and there is no value: None.
Intervals are 95 % percentile bootstraps over items. Items with the same labels are interchangeable,
so whole patterns are drawn, and ten thousand samples take milliseconds.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from feverfew.errors import ScoreError
from feverfew.types import Ref

Floats: TypeAlias = npt.NDArray[np.float64]


class Annotation(Struct, frozen=True):
    """One annotator's label and evidence for one item."""

    item: str
    annotator: str
    label: str
    evidence: frozenset[Ref] | None = None
    """None if evidence was not asked for; empty if none was given."""


class Coefficient(Struct, frozen=True):
    """An agreement coefficient with its interval; None if undefined."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    observed: float
    expected: float
    items: int
    """Number of items with two labels or more: the others cannot show agreement."""


class Pair(Struct, frozen=True):
    """Two annotators: their κ, and the labels of one (rows) by those of the other (columns)."""

    first: str
    second: str
    kappa: Coefficient
    table: tuple[tuple[int, ...], ...]


class Annotator(Struct, frozen=True):
    """One annotator against all others."""

    name: str
    items: int
    shared: int
    """Pairs of labels: this annotator's and another's, of the same item."""
    agreement: float | None
    kappa: float | None
    """The mean Cohen κ with each other annotator, weighted by shared items."""


def by_item(annotations: Iterable[Annotation]) -> dict[str, dict[str, Annotation]]:
    """Group annotations by item and annotator; the same pair twice is an error."""
    items: dict[str, dict[str, Annotation]] = defaultdict(dict)
    for a in annotations:
        if a.annotator in items[a.item]:
            raise ScoreError(
                f"annotator {a.annotator!r} labelled item {a.item!r} twice; keep one of the two"
            )
        items[a.item][a.annotator] = a
    return dict(items)


def coefficients(
    annotations: Sequence[Annotation], *, samples: int = 2000, seed: int = 0
) -> tuple[Coefficient, ...]:
    """Compute Fleiss κ, Krippendorff α and Gwet AC1 over all annotators."""
    items = by_item(annotations)
    labels = sorted({a.label for a in annotations})
    place = {label: i for i, label in enumerate(labels)}
    patterns: Counter[tuple[int, ...]] = Counter()
    for said in items.values():
        row = [0] * len(labels)
        for a in said.values():
            row[place[a.label]] += 1
        patterns[tuple(row)] += 1
    if not any(sum(pattern) > 1 for pattern in patterns):
        raise ScoreError("no item was labelled by two annotators, so there is nothing to compare")
    counts = np.array(sorted(patterns), dtype=np.float64)
    times = np.array([patterns[p] for p in sorted(patterns)], dtype=np.float64)
    drawn = _draws(times, samples, seed)
    shared = int(times[counts.sum(axis=1) > 1].sum())
    found = []
    for name, measure in (("Fleiss κ", _fleiss), ("Krippendorff α", _alpha), ("Gwet AC1", _gwet)):
        seen, chance = measure(counts, times[np.newaxis])
        found.append(_coefficient(name, seen[0], chance[0], *measure(counts, drawn), items=shared))
    return tuple(found)


def cohen(
    table: Sequence[Sequence[int]], *, samples: int = 2000, seed: int = 0, name: str = "Cohen κ"
) -> Coefficient:
    """Compute Cohen's κ of a square table: rows one annotator's labels, columns the other's."""
    cells = np.array(table, dtype=np.float64)
    if cells.ndim != 2 or cells.shape[0] != cells.shape[1] or not cells.sum():
        raise ScoreError("Cohen's κ needs a square table of counts with at least one item")
    seen, chance = _cohen(cells[np.newaxis])
    drawn = _draws(cells.ravel(), samples, seed).reshape(-1, *cells.shape)
    return _coefficient(name, seen[0], chance[0], *_cohen(drawn), items=int(cells.sum()))


def pairwise(
    annotations: Sequence[Annotation], *, samples: int = 2000, seed: int = 0
) -> tuple[tuple[str, ...], tuple[Pair, ...]]:
    """Return the labels, and every two annotators who share items, with their table."""
    labels = tuple(sorted({a.label for a in annotations}))
    place = {label: i for i, label in enumerate(labels)}
    tables: dict[tuple[str, str], list[list[int]]] = {}
    for a, b in label_pairs(by_item(annotations)):
        table = tables.setdefault((a.annotator, b.annotator), [[0] * len(labels) for _ in labels])
        table[place[a.label]][place[b.label]] += 1
    pairs = (
        Pair(a, b, cohen(table, samples=samples, seed=seed), tuple(map(tuple, table)))
        for (a, b), table in sorted(tables.items())
    )
    return labels, tuple(pairs)


def label_pairs(
    items: Mapping[str, Mapping[str, Annotation]],
) -> Iterable[tuple[Annotation, Annotation]]:
    """Yield every two annotations of the same item, annotators in the order of their names."""
    for said in items.values():
        yield from combinations(sorted(said.values(), key=lambda a: a.annotator), 2)


def annotators(annotations: Sequence[Annotation], pairs: Sequence[Pair]) -> tuple[Annotator, ...]:
    """Compare each annotator with all others, to find outliers."""
    done = Counter(a.annotator for a in annotations)
    shared: Counter[str] = Counter()
    agreed: Counter[str] = Counter()
    weighed: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for pair in pairs:
        same = sum(pair.table[i][i] for i in range(len(pair.table)))
        for name in (pair.first, pair.second):
            shared[name] += pair.kappa.items
            agreed[name] += same
            if pair.kappa.value is not None:
                weighed[name].append((pair.kappa.value, pair.kappa.items))
    return tuple(
        Annotator(
            name,
            done[name],
            shared[name],
            agreed[name] / shared[name] if shared[name] else None,
            _weighted_mean(weighed[name]),
        )
        for name in sorted(done)
    )


def disagreements(annotations: Sequence[Annotation]) -> Counter[tuple[str, str]]:
    """Count the pairs of labels over all disagreements."""
    return Counter(
        (min(a.label, b.label), max(a.label, b.label))
        for a, b in label_pairs(by_item(annotations))
        if a.label != b.label
    )


def _weighted_mean(values: Sequence[tuple[float, int]]) -> float | None:
    total = sum(weight for _, weight in values)
    return sum(value * weight for value, weight in values) / total if total else None


def _draws(times: Floats, samples: int, seed: int) -> Floats:
    """Draw as many items as there are, with replacement, `samples` times; count each pattern."""
    total = times.sum()
    drawn = np.random.default_rng(seed).multinomial(int(total), times / total, size=samples)
    return drawn.astype(np.float64)


# Each measure takes patterns (patterns × labels) and how often each stands in a sample
# (samples × patterns), and returns the observed and the expected agreement of each sample.


def _observed(counts: Floats, times: Floats) -> Floats:
    size = counts.sum(axis=1)
    two = size > 1
    same = (counts * (counts - 1)).sum(axis=1)[two] / (size * (size - 1))[two]
    return _ratio(times[:, two] @ same, times[:, two].sum(axis=1))


def _label_shares(counts: Floats, times: Floats) -> Floats:
    shares: Floats = times @ (counts / counts.sum(axis=1, keepdims=True))
    shares /= times.sum(axis=1, keepdims=True)
    return shares


def _fleiss(counts: Floats, times: Floats) -> tuple[Floats, Floats]:
    return _observed(counts, times), (_label_shares(counts, times) ** 2).sum(axis=1)


def _gwet(counts: Floats, times: Floats) -> tuple[Floats, Floats]:
    shares = _label_shares(counts, times)
    labels = counts.shape[1]
    chance = (shares * (1 - shares)).sum(axis=1) / (labels - 1) if labels > 1 else shares[:, 0]
    return _observed(counts, times), chance


def _alpha(counts: Floats, times: Floats) -> tuple[Floats, Floats]:
    size = counts.sum(axis=1)
    two = size > 1
    counts, times, size = counts[two], times[:, two], size[two]
    per_label = times @ counts
    total = per_label.sum(axis=1)
    same = times @ ((counts * (counts - 1)).sum(axis=1) / (size - 1))
    by_chance = (per_label * (per_label - 1)).sum(axis=1)
    return _ratio(same, total), _ratio(by_chance, total * (total - 1))


def _cohen(tables: Floats) -> tuple[Floats, Floats]:
    total = tables.sum(axis=(1, 2))
    seen = np.trace(tables, axis1=1, axis2=2)
    chance = (tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1)
    return _ratio(seen, total), _ratio(chance, total**2)


def _ratio(above: Floats, below: Floats) -> Floats:
    """Divide; a sample with nothing to compare counts as chance agreement."""
    return np.divide(above, below, out=np.ones_like(above), where=below > 0)


def _coefficient(
    name: str, seen: float, chance: float, seens: Floats, chances: Floats, *, items: int
) -> Coefficient:
    defined = chances < 1 - 1e-12
    value = (seen - chance) / (1 - chance) if chance < 1 - 1e-12 else None
    low = high = None
    if value is not None and defined.any():
        resampled = (seens[defined] - chances[defined]) / (1 - chances[defined])
        low, high = (float(q) for q in np.quantile(resampled, (0.025, 0.975)))
    return Coefficient(
        name,
        None if value is None else float(value),
        low,
        high,
        float(seen),
        float(chance),
        items,
    )
