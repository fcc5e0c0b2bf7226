"""Join what texts and a table say of a claim into one verdict.

Each side speaks as loudly as it is not silent: the claim stays open only as far as both leave it
open, and between supported and refuted the sides are averaged by how much each has to say.
"""

from feverfew.tables.verdict import TableVerdict

__all__ = ["mean", "of_table", "together"]

Shares = tuple[float, float, float]
"""Of supported, refuted and left open."""


def of_table(verdict: TableVerdict) -> Shares:
    """Return what a table's verdict says."""
    return verdict.probabilities


def together(one: Shares, other: Shares) -> Shares:
    """Join two verdicts of the same claim.

    >>> together((0.0, 0.0, 1.0), (0.25, 0.5, 0.25))
    (0.25, 0.5, 0.25)
    """
    still_open = one[2] * other[2]
    loud = (1 - one[2], 1 - other[2])
    total = sum(loud)
    if total <= 0:
        return 0.0, 0.0, 1.0
    # Each side's share of S among S and R, weighed by how loudly it speaks, is its S alone.
    supported = (one[0] + other[0]) / total * (1 - still_open)
    return supported, 1 - still_open - supported, still_open


def mean(one: Shares, other: Shares) -> Shares:
    """Let two readings of the same evidence count alike.

    >>> mean((0.0, 0.5, 0.5), (1.0, 0.0, 0.0))
    (0.5, 0.25, 0.25)
    """
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2, (one[2] + other[2]) / 2
