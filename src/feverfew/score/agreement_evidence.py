"""Agreement on evidence: against super-annotators, and between annotators.

Against super-annotators, as in FEVER 3.4: what share of an annotator's evidence a patient expert
chose too (precision), and what share of the expert's the annotator found (recall). Elements are
pooled over annotations; means over annotations are given too.

With each other, as in FEVEROUS 3.2: over pairs of annotators of one item, how often the evidence
is identical, overlaps, or one's is a proper part of the other's.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
from msgspec import Struct

from feverfew.errors import ScoreError
from feverfew.score.agreement import Annotation, Coefficient, by_item, coefficients, label_pairs

_AT_ONCE = 1 << 20
"""Drawn items held in memory at a time."""


class Share(Struct, frozen=True):
    """A share of pooled elements with its 95 % bootstrap interval over items."""

    value: float | None
    low: float | None
    high: float | None
    mean: float | None
    """The plain mean over annotations, for which it is defined."""


class AgainstSupers(Struct, frozen=True):
    """One annotator's evidence, or everyone's (`annotator` empty), against the experts'."""

    annotator: str
    annotations: int
    precision: Share
    recall: Share


class Overlap(Struct, frozen=True):
    """How the evidence of two annotators of one item compares; shares of `pairs`."""

    pairs: int
    """Pairs of annotations of one item in which both gave evidence."""
    left_out: int
    """Pairs in which one gave none, or both."""
    identical: float
    overlapping: float
    """At least `threshold` of the smaller evidence is in the larger."""
    overlapping_union: float
    """At least `threshold` of all evidence the two gave was given by both (Jaccard)."""
    nested: float
    """One's evidence is a proper part of the other's."""
    disjoint: float
    threshold: float
    agreement: float
    """Share of these pairs with the same label."""
    agreement_if_identical: float | None
    kappa_if_identical: Coefficient | None
    """Fleiss κ over the pairs whose evidence is identical."""


class _Hits(Struct, frozen=True):
    item: str
    annotator: str
    both: int
    given: int
    expert: int


def against_supers(
    annotations: Sequence[Annotation],
    supers: Collection[str],
    *,
    samples: int = 2000,
    seed: int = 0,
) -> tuple[AgainstSupers, ...]:
    """Compare every other annotator's evidence with the super-annotators', together and each.

    Only items with a super-annotator's evidence count; the evidence of several experts is merged.
    """
    items = by_item(annotations)
    names = {a.annotator for a in annotations}
    if missing := sorted(set(supers) - names):
        known = ", ".join(sorted(names)[:20])
        raise ScoreError(f"no annotations by super-annotator {missing[0]!r}; there are: {known}")
    hits = [hit for item, said in items.items() for hit in _hits(item, said, supers)]
    if not hits:
        raise ScoreError(
            "no item has evidence from a super-annotator and from another annotator as well"
        )
    grouped = defaultdict(list)
    for hit in hits:
        grouped[hit.annotator].append(hit)
    return (
        _compare("", hits, samples, seed),
        *(_compare(name, grouped[name], samples, seed) for name in sorted(grouped)),
    )


def _hits(item: str, said: Mapping[str, Annotation], supers: Collection[str]) -> Iterable[_Hits]:
    expert = frozenset[object]().union(
        *(a.evidence or () for name, a in said.items() if name in supers)
    )
    if expert:
        for name, a in said.items():
            if name not in supers and a.evidence is not None:
                yield _Hits(item, name, len(a.evidence & expert), len(a.evidence), len(expert))


def _compare(name: str, hits: Sequence[_Hits], samples: int, seed: int) -> AgainstSupers:
    return AgainstSupers(
        name,
        len(hits),
        _share([(h.item, h.both, h.given) for h in hits], samples, seed),
        _share([(h.item, h.both, h.expert) for h in hits], samples, seed),
    )


def _share(parts: Sequence[tuple[str, int, int]], samples: int, seed: int) -> Share:
    """Pool hits over elements; resample whole items, whose annotations are dependent."""
    each = [both / whole for _, both, whole in parts if whole]
    if not each:
        return Share(None, None, None, None)
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for item, both, whole in parts:
        sums[item][0] += both
        sums[item][1] += whole
    above, below = np.array(list(sums.values()), dtype=np.float64).T
    random = np.random.default_rng(seed)
    drawn: list[float] = []
    step = max(1, _AT_ONCE // len(above))
    for start in range(0, samples, step):
        chosen = random.integers(0, len(above), (min(step, samples - start), len(above)))
        totals = below[chosen].sum(axis=1)
        drawn.extend((above[chosen].sum(axis=1)[totals > 0] / totals[totals > 0]).tolist())
    low, high = (float(q) for q in np.quantile(drawn, (0.025, 0.975))) if drawn else (None, None)
    return Share(float(above.sum() / below.sum()), low, high, sum(each) / len(each))


def overlap(
    annotations: Sequence[Annotation], *, threshold: float = 0.7, samples: int = 2000, seed: int = 0
) -> Overlap:
    """Compare the evidence of every two annotators of one item."""
    both, left_out = [], 0
    for a, b in label_pairs(by_item(annotations)):
        if a.evidence and b.evidence:
            both.append((a, b, a.evidence, b.evidence))
        else:
            left_out += 1
    if not both:
        raise ScoreError("no two annotators gave evidence for the same item")
    shared = [len(x & y) for _, _, x, y in both]
    smaller = [s / min(len(x), len(y)) for s, (_, _, x, y) in zip(shared, both, strict=True)]
    union = [s / len(x | y) for s, (_, _, x, y) in zip(shared, both, strict=True)]
    same = [pair for pair in both if pair[2] == pair[3]]
    agreed = sum(a.label == b.label for a, b, _, _ in same)
    return Overlap(
        pairs=len(both),
        left_out=left_out,
        identical=len(same) / len(both),
        overlapping=sum(o >= threshold for o in smaller) / len(both),
        overlapping_union=sum(o >= threshold for o in union) / len(both),
        nested=sum(x < y or y < x for _, _, x, y in both) / len(both),
        disjoint=shared.count(0) / len(both),
        threshold=threshold,
        agreement=sum(a.label == b.label for a, b, _, _ in both) / len(both),
        agreement_if_identical=agreed / len(same) if same else None,
        kappa_if_identical=_kappa(same, samples, seed) if same else None,
    )


def _kappa(
    pairs: Sequence[tuple[Annotation, Annotation, object, object]], samples: int, seed: int
) -> Coefficient:
    """Treat each pair as an item of its own with two labels."""
    flat = []
    for number, (a, b, _, _) in enumerate(pairs):
        flat.append(Annotation(str(number), "first", a.label))
        flat.append(Annotation(str(number), "second", b.label))
    return coefficients(flat, samples=samples, seed=seed)[0]
