"""A random forest (Breiman, 2001) over a few features, in numpy: trees of one shape, in arrays.

For one row of one table it is no dependency's worth, and arrays are kept as any network's are.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Forest"]

_TREES = 100
_DEPTH = 7
_LEAST = 4
"""Rows that a leaf has at least."""
_CUTS = 12
"""Places at which a feature may be cut, spread over its values."""


class Forest:
    """Gives each row the mean of what the leaves say in which it ends."""

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        self._feature, self._cut, self._shares = (
            arrays[name] for name in ("feature", "cut", "shares")
        )

    @classmethod
    def taught(
        cls, rows: NDArray[np.float32], labels: NDArray[np.int64], seed: int = 1
    ) -> dict[str, NDArray[Any]]:
        """Grow trees, each from rows drawn anew, every cut from a few features drawn anew."""
        rng = np.random.default_rng(seed)
        nodes = 2 ** (_DEPTH + 1) - 1
        feature = np.full((_TREES, nodes), -1, np.int32)
        cut = np.zeros((_TREES, nodes), np.float32)
        shares = np.zeros((_TREES, nodes, 3), np.float32)
        for tree in range(_TREES):
            drawn = rng.integers(len(rows), size=len(rows))
            below = [(0, drawn)]
            while below:
                node, own = below.pop()
                counts = np.bincount(labels[own], minlength=3)
                shares[tree, node] = counts / counts.sum()
                found = _best_cut(rows[own], labels[own], rng) if 2 * node + 2 < nodes else None
                if found is None or counts.max() == counts.sum():
                    continue
                feature[tree, node], cut[tree, node] = found
                left = rows[own, found[0]] <= found[1]
                below += [(2 * node + 1, own[left]), (2 * node + 2, own[~left])]
        return {"feature": feature, "cut": cut, "shares": shares}

    def probabilities(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the shares of supported, refuted and open for each row."""
        total = np.zeros((len(rows), 3))
        every = np.arange(len(rows))
        for feature, cut, shares in zip(self._feature, self._cut, self._shares, strict=True):
            node = np.zeros(len(rows), np.int64)
            for _ in range(_DEPTH):
                asked = feature[node]
                right = rows[every, asked] > cut[node]
                node = np.where(asked < 0, node, 2 * node + 1 + right)
            total += shares[node]
        return total / len(self._feature)


def _best_cut(
    rows: NDArray[np.float32], labels: NDArray[np.int64], rng: np.random.Generator
) -> tuple[int, float] | None:
    """Find the cut after which labels are least mixed (Gini); None where none leaves enough."""
    if len(rows) < 2 * _LEAST:
        return None
    is_label = np.eye(3)[labels]
    best: tuple[float, int, float] | None = None
    tried = rng.choice(rows.shape[1], max(1, round(np.sqrt(rows.shape[1]))), replace=False)
    for feature in tried.tolist():
        values = rows[:, feature]
        for cut in np.unique(np.quantile(values, np.linspace(0, 1, _CUTS + 2)[1:-1])).tolist():
            left = values <= cut
            sizes = int(left.sum()), int((~left).sum())
            if min(sizes) < _LEAST:
                continue
            sums = is_label[left].sum(0), is_label[~left].sum(0)
            # The Gini impurity of both sides, but for a constant.
            mixed = -sum(float((own**2).sum()) / n for own, n in zip(sums, sizes, strict=True))
            if best is None or mixed < best[0]:
                best = mixed, feature, cut
    return None if best is None else (best[1], best[2])
