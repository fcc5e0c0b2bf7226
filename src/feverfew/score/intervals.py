"""Statistics of scores: bootstrap intervals, paired bootstrap, McNemar's test.

The unit of resampling is a claim, or a group of claims from one source (`Claim.group`), because
such claims are dependent.
"""

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.errors import ScoreError
from feverfew.score.sheet import Sheet

SAMPLES = 10_000
LEVEL = 0.95
_BLOCK = 4_000_000

Floats = NDArray[np.float64]


class Interval(Struct, frozen=True):
    """A 95 % percentile interval."""

    low: float
    high: float


class Difference(Struct, frozen=True):
    """The difference of A's and B's scores, with its interval and p-value."""

    a: float
    b: float
    difference: float
    low: float
    high: float
    p: float


class McNemar(Struct, frozen=True):
    """McNemar's test: the claims that only one of two systems got right."""

    only_a: int
    only_b: int
    p_exact: float
    chi_squared: float
    """With the correction for continuity."""
    p_chi_squared: float


def bootstrap(
    sheet: Sheet, *, samples: int = SAMPLES, seed: int = 0, level: float = LEVEL
) -> dict[str, Interval]:
    """Compute a percentile interval for every mean of a sheet, resampling claims or groups."""
    (drawn,) = _redrawn([sheet], samples, seed)
    return {name: percentiles(values, level) for name, values in drawn.items() if len(values)}


def paired_bootstrap(
    a: Sheet, b: Sheet, *, samples: int = SAMPLES, seed: int = 0, level: float = LEVEL
) -> dict[str, Difference]:
    """Compare two sheets over the same claims with paired resampling.

    p is two-sided: twice the share of samples whose difference is on the other side of zero.
    """
    if [p.claim.id for p in a.pairs] != [p.claim.id for p in b.pairs]:
        raise ScoreError(
            "the two sheets are not about the same claims; score both on one gold file"
        )
    drawn_a, drawn_b = _redrawn([a, b], samples, seed)
    means_a, means_b = a.means(), b.means()
    compared: dict[str, Difference] = {}
    for name in means_a.keys() & means_b.keys():
        redrawn = drawn_a[name] - drawn_b[name]
        if not len(redrawn):
            continue
        inside = percentiles(redrawn, level)
        # One is added above and below, so that no finite number of samples yields p = 0.
        below, above = int((redrawn <= 0).sum()), int((redrawn >= 0).sum())
        p = min(1.0, 2 * (min(below, above) + 1) / (len(redrawn) + 1))
        x, y = means_a[name], means_b[name]
        compared[name] = Difference(x, y, x - y, inside.low, inside.high, p)
    return {name: compared[name] for name in means_a if name in compared}


def mcnemar(a: Sequence[bool], b: Sequence[bool]) -> McNemar:
    """Test whether two systems err equally often on the same claims."""
    only_a = sum(x and not y for x, y in zip(a, b, strict=True))
    only_b = sum(y and not x for x, y in zip(a, b, strict=True))
    differ = only_a + only_b
    if not differ:
        return McNemar(0, 0, 1.0, 0.0, 1.0)
    fewer = min(only_a, only_b)
    # Each term by logarithms: 2 ** -differ is 0.0 from about a thousand claims on.
    tail = math.fsum(
        math.exp(
            math.lgamma(differ + 1)
            - math.lgamma(k + 1)
            - math.lgamma(differ - k + 1)
            - differ * math.log(2)
        )
        for k in range(fewer + 1)
    )
    corrected = max(0.0, abs(only_a - only_b) - 1.0)
    chi_squared = corrected * corrected / differ
    return McNemar(
        only_a,
        only_b,
        min(1.0, 2.0 * tail),
        chi_squared,
        math.erfc(math.sqrt(chi_squared / 2.0)),
    )


def wilson(count: int, total: int) -> Interval:
    """Return Wilson's 95 % interval of a share: between 0 and 1, also for a handful.

    >>> [round(end, 3) for end in (wilson(8, 10).low, wilson(8, 10).high)]
    [0.49, 0.943]
    """
    if not total:
        return Interval(0.0, 1.0)
    z = 1.959964
    share, below = count / total, 1 + z * z / total
    middle = share + z * z / (2 * total)
    spread = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    return Interval(max(0.0, (middle - spread) / below), min(1.0, (middle + spread) / below))


def units(sheet: Sheet) -> list[int]:
    """Number what is drawn: the groups where claims have one, else the claims themselves."""
    numbers: dict[object, int] = {}
    return [
        numbers.setdefault(("group", p.claim.group) if p.claim.group else i, len(numbers))
        for i, p in enumerate(sheet.pairs)
    ]


def _redrawn(sheets: Sequence[Sheet], samples: int, seed: int) -> list[dict[str, Floats]]:
    """Redraw the units of all sheets alike; return every mean of every sample."""
    drawn = redrawn_sums(np.hstack([_totals(sheet) for sheet in sheets]), samples, seed)
    results: list[dict[str, Floats]] = []
    for sheet in sheets:
        width = 2 * len(sheet.columns)
        results.append(_means(sheet, drawn[:, :width]))
        drawn = drawn[:, width:]
    return results


def redrawn_sums(units: Floats, samples: int, seed: int) -> Floats:
    """Draw as many units as there are, with replacement, again and again; sum their rows.

    Units with the same values are interchangeable: it is enough to draw how many of each kind a
    sample holds, one multinomial draw, instead of naming them one by one. There are a few hundred
    kinds where there are 20,000 claims.
    """
    if samples < 1:
        raise ScoreError(f"{samples} samples are too few for an interval; give at least 1")
    kinds, counts = np.unique(units, axis=0, return_counts=True)
    total = int(counts.sum())
    draw = np.random.default_rng(seed)
    # In blocks, which draw the same numbers as all at once, so that memory stays bounded.
    block = max(1, _BLOCK // len(kinds))
    return np.vstack(
        [
            draw.multinomial(total, counts / total, size=min(block, samples - start)) @ kinds
            for start in range(0, samples, block)
        ]
    )


def unit_totals(unit: Sequence[int], rows: Floats) -> Floats:
    """Sum the rows of each unit, whose numbers are given for each row."""
    totals = np.zeros((max(unit) + 1, rows.shape[1]))
    np.add.at(totals, np.array(unit), rows)
    return totals


def _totals(sheet: Sheet) -> Floats:
    """Sum each unit's values, and count them: columns of sums, then columns of counts."""
    values = np.array(
        [[0.0 if v is None else v for v in c.values] for c in sheet.columns], dtype=np.float64
    ).T
    counted = np.array([[v is not None for v in c.values] for c in sheet.columns]).T
    return unit_totals(units(sheet), np.hstack([values, counted]))


def _means(sheet: Sheet, drawn: Floats) -> dict[str, Floats]:
    width = len(sheet.columns)
    means: dict[str, Floats] = {}
    for i, column in enumerate(sheet.columns):
        sums, counts = drawn[:, i], drawn[:, width + i]
        if column.of_nothing is None:
            # A sample that holds no claim of this kind has no mean: it says nothing.
            sums, counts = sums[counts > 0], counts[counts > 0]
            means[column.name] = sums / counts
        else:
            means[column.name] = np.where(
                counts > 0, sums / np.maximum(counts, 1.0), column.of_nothing
            )
    if sheet.f1_of is not None:
        precision, recall = (means[name] for name in sheet.f1_of)
        both = precision + recall
        means["f1"] = np.where(both > 0, 2 * precision * recall / np.where(both > 0, both, 1), 0.0)
    return means


def percentiles(values: Floats, level: float = LEVEL) -> Interval:
    """Return the interval that holds so many of the values, as many above as below."""
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high))
