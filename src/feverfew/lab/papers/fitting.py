"""Fit the papers' networks: batches of near length, Adam, the best by held-out accuracy."""

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.lab.papers.layers import Weights
from feverfew.lab.train.adam import Adam

__all__ = ["Batchable", "Fitted", "Learner", "fit"]

_DECAY = 1e-4
_LONGEST_SLOPE = 5.0
"""Slopes together longer than this are shortened: one odd batch must not undo the rest."""


class Batchable(Protocol):
    """Prepared inputs, of which some can be taken."""

    def __len__(self) -> int: ...

    def of(self, chosen: Sequence[int]) -> Any: ...

    def sizes(self) -> NDArray[np.int64]: ...


class Learner(Protocol):
    """A network that learns pairs of claim and evidence."""

    weights: Weights

    def learn(
        self, inputs: Any, labels: NDArray[np.int64], rng: np.random.Generator | None
    ) -> tuple[float, Weights]: ...

    def probabilities(self, inputs: Any) -> NDArray[np.float64]: ...


class Fitted(Struct, frozen=True):
    """How fitting went."""

    accuracy: float
    """On the held-out pairs, of the weights that were kept."""
    losses: list[float]
    """The mean loss of each epoch."""


def fit(
    model: Learner,
    inputs: Batchable,
    labels: NDArray[np.int64],
    held: tuple[Batchable, NDArray[np.int64]],
    *,
    seed: int,
    epochs: int = 12,
    batch: int = 32,
    rate: float = 1e-3,
    patience: int = 3,
) -> Fitted:
    """Fit a model's weights in place; stop when the held-out accuracy no longer grows."""
    rng = np.random.default_rng(seed)
    best, kept, since = -1.0, dict(model.weights), 0
    losses = []
    adam = Adam(model.weights, _DECAY)
    for _ in range(epochs):
        total = 0.0
        for chosen in _batches(inputs.sizes(), batch, rng):
            loss, slopes = model.learn(inputs.of(chosen), labels[chosen], rng)
            adam.update(_shortened(slopes), rate)
            total += loss * len(chosen)
        losses.append(total / len(labels))
        right = float((model.probabilities(held[0]).argmax(1) == held[1]).mean())
        since += 1
        if right > best:
            best, kept, since = right, dict(model.weights), 0
        if since >= patience:
            break
    model.weights.update(kept)
    return Fitted(best, losses)


def _batches(sizes: NDArray[np.int64], batch: int, rng: np.random.Generator) -> Iterator[list[int]]:
    """Yield batches of near length in any order; the seed decides which."""
    order = np.lexsort((rng.random(len(sizes)), sizes // 8))
    starts = np.arange(0, len(order), batch)
    rng.shuffle(starts)
    for start in starts.tolist():
        yield order[start : start + batch].tolist()


def _shortened(slopes: Weights) -> Weights:
    length = float(np.sqrt(sum(float((slope**2).sum()) for slope in slopes.values())))
    if length <= _LONGEST_SLOPE:
        return slopes
    return {name: slope * (_LONGEST_SLOPE / length) for name, slope in slopes.items()}
