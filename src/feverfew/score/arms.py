"""What a randomised arm changes: means of both arms, and their difference with its interval.

What is redrawn for the intervals is a claim, with all that people said of it in both arms.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from feverfew.score.intervals import percentiles, redrawn_sums, unit_totals

__all__ = ["Effect", "effect"]

SAMPLES = 2_000


class Effect(Struct, frozen=True):
    """A measure in both arms: the means, and what the treatment adds."""

    name: str
    treated: int
    control: int
    """How many annotations each mean is of."""
    treated_mean: float | None
    control_mean: float | None
    difference: float | None
    low: float | None
    high: float | None
    """The difference's 95 % bootstrap interval; None where an arm is empty."""


def effect(
    name: str,
    values: Sequence[tuple[str, bool, float]],
    *,
    samples: int = SAMPLES,
    seed: int = 0,
) -> Effect:
    """Compare two arms; each value comes with its claim and whether it was treated.

    >>> made = effect("right", [("a", True, 1.0), ("a", False, 0.0), ("b", True, 1.0),
    ...                         ("b", False, 1.0)])
    >>> made.treated_mean, made.control_mean, made.difference, made.low, made.high
    (1.0, 0.5, 0.5, 0.0, 1.0)
    """
    count = {arm: sum(treated is arm for _, treated, _ in values) for arm in (True, False)}
    if not count[True] or not count[False]:
        means = [
            sum(v for _, treated, v in values if treated is arm) / count[arm]
            if count[arm]
            else None
            for arm in (True, False)
        ]
        return Effect(name, count[True], count[False], means[0], means[1], None, None, None)
    rows = np.array(
        [[v * treated, treated, v * (not treated), not treated] for _, treated, v in values],
        dtype=np.float64,
    )
    numbers: dict[str, int] = {}
    units = unit_totals([numbers.setdefault(one, len(numbers)) for one, _, _ in values], rows)
    total = units.sum(axis=0)
    treated_mean, control_mean = total[0] / total[1], total[2] / total[3]
    drawn = redrawn_sums(units, samples, seed)
    drawn = drawn[(drawn[:, 1] > 0) & (drawn[:, 3] > 0)]
    inside = percentiles(drawn[:, 0] / drawn[:, 1] - drawn[:, 2] / drawn[:, 3])
    return Effect(
        name,
        count[True],
        count[False],
        float(treated_mean),
        float(control_mean),
        float(treated_mean - control_mean),
        inside.low,
        inside.high,
    )
