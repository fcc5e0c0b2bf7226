"""How much the claims alone give away: a linear n-gram model that never sees the evidence.

FEVEROUS 3.2 asks two things of a data set. Can the verdict be guessed from the claim (it should
not), and can the type of evidence? A model that must guess scores like the most frequent label;
what it scores above that, the words of the claim gave away. The paper asks BERT; this is logistic
regression over words and pairs of words, which takes seconds, finds the same kind of giveaway,
and names the words. A strong encoder may find more: read the result as a lower bound.

The regression is written in numpy, so that the core needs neither scipy nor scikit-learn.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.errors import ScoreError
from feverfew.score.bias import evidence_type, tokens
from feverfew.types import Claim

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]


class Rows(Struct, frozen=True):
    """A sparse matrix by rows; no row and no column is empty.

    The values of row i stand at starts[i] up to starts[i + 1]; `columns` says where they belong.
    """

    starts: Integers
    columns: Integers
    values: Floats
    width: int

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]], width: int) -> "Rows":
        """Set the named columns of each row to equal values, so that its length is 1.

        Column 0 is the constant: it is 1 in every row, and need not be named.
        """
        sizes = np.array([len(row) + 1 for row in rows], dtype=np.int64)
        starts = np.concatenate(([0], np.cumsum(sizes)))
        columns = np.fromiter(
            (c for row in rows for c in (0, *row)), dtype=np.int64, count=int(starts[-1])
        )
        values = np.repeat(1 / np.sqrt(np.maximum(sizes - 1, 1)), sizes)
        values[starts[:-1]] = 1.0
        return cls(starts, columns, values, width)

    def times(self, dense: Floats) -> Floats:
        """Multiply: (rows × width) times (width × n)."""
        # Column by column: three times as fast as all at once, for a handful of columns.
        flat = np.ascontiguousarray(dense.T)
        sums = [np.add.reduceat(self.values * c[self.columns], self.starts[:-1]) for c in flat]
        return np.stack(sums, axis=1)

    def turned(self) -> "Rows":
        """Transpose; every column must be named by some row."""
        rows = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        order = np.argsort(self.columns, kind="stable")
        counts = np.bincount(self.columns, minlength=self.width)
        starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        return Rows(starts, rows[order], self.values[order], len(self.starts) - 1)


def loss(
    weights: Floats, rows: Rows, turned: Rows, truth: Floats, strength: float
) -> tuple[float, Floats]:
    """Return the penalised cross-entropy and its gradient; the constant goes unpunished."""
    scores = rows.times(weights)
    scores -= scores.max(axis=1, keepdims=True)
    logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    penalised = weights.copy()
    penalised[0] = 0.0
    value = -float((truth * logs).sum()) + 0.5 / strength * float((penalised**2).sum())
    gradient = turned.times(np.exp(logs) - truth) + penalised / strength
    return value, gradient


def fit(rows: Rows, classes: Integers, kinds: int, *, strength: float = 1.0) -> Floats:
    """Learn weights (width × kinds); a greater strength trusts the data more."""
    truth = np.zeros((len(classes), kinds))
    truth[np.arange(len(classes)), classes] = 1.0
    turned = rows.turned()
    return minimise(
        lambda weights: loss(weights, rows, turned, truth, strength),
        np.zeros((rows.width, kinds)),
        # The loss is a sum, so what counts as flat grows with the number of rows.
        tolerance=1e-5 * len(classes),
    )


def minimise(
    function: Callable[[Floats], tuple[float, Floats]],
    start: Floats,
    *,
    steps: int = 300,
    memory: int = 10,
    tolerance: float = 1e-4,
) -> Floats:
    """Descend a smooth convex function by limited-memory BFGS with backtracking.

    function: returns the value and the gradient at a point. `tolerance` is the largest part of
    the gradient at which the ground counts as flat.
    """
    point = start
    value, gradient = function(point)
    past: deque[tuple[Floats, Floats, float]] = deque(maxlen=memory)
    for _ in range(steps):
        if np.abs(gradient).max() <= tolerance:
            break
        direction = _direction(gradient, past)
        slope = float((direction * gradient).sum())
        if slope >= 0:  # rounding has spoiled the memory: begin anew, straight down
            past.clear()
            direction, slope = -gradient, -float((gradient**2).sum())
        size = 1.0 if past else min(1.0, 1.0 / float(np.abs(gradient).max()))
        for _ in range(40):
            moved = point + size * direction
            new_value, new_gradient = function(moved)
            if new_value <= value + 1e-4 * size * slope:
                break
            size /= 2
        else:
            break  # no step goes down any more: as good as rounding allows
        step, change = moved - point, new_gradient - gradient
        curvature = float((step * change).sum())
        if curvature > 1e-12:
            past.append((step, change, curvature))
        point, value, gradient = moved, new_value, new_gradient
    return point


def _direction(gradient: Floats, past: deque[tuple[Floats, Floats, float]]) -> Floats:
    """Turn the gradient by the curvature that the last steps have shown (two loops)."""
    direction = -gradient
    shares = []
    for step, change, curvature in reversed(past):
        share = float((step * direction).sum()) / curvature
        direction = direction - share * change
        shares.append(share)
    if past:
        _, change, curvature = past[-1]
        direction = direction * (curvature / float((change**2).sum()))
    for (step, change, curvature), share in zip(past, reversed(shares), strict=True):
        direction = direction + step * (share - float((change * direction).sum()) / curvature)
    return direction


_LEAST = 2
"""An n-gram of one training claim teaches nothing about another."""


class Telling(Struct, frozen=True):
    """An n-gram that speaks for a label."""

    ngram: str
    label: str
    weight: float
    claims: int


class Giveaway(Struct, frozen=True):
    """What a model gets right that sees only claims, and none of those that it is asked about."""

    target: str
    claims: int
    labels: tuple[str, ...]
    folds: int
    accuracy: float
    low: float
    high: float
    majority: float
    """The accuracy of always saying the most frequent label."""
    balanced: float
    """The mean accuracy over labels; 1 / labels is guessing."""
    by_fold: tuple[float, ...]
    confusion: tuple[tuple[int, ...], ...]
    """Gold labels in rows, guesses in columns, both in the order of `labels`."""
    telling: tuple[Telling, ...]

    @property
    def gain(self) -> float:
        """What the claims give away: accuracy above the majority's."""
        return self.accuracy - self.majority


def claim_only(claims: Sequence[Claim], *, folds: int = 5, seed: int = 0) -> Giveaway:
    """Guess the verdict from the claim alone."""
    return _measure(
        "verdict", [(c, c.label.value) for c in claims if c.label is not None], folds, seed
    )


def evidence_type_only(claims: Sequence[Claim], *, folds: int = 5, seed: int = 0) -> Giveaway:
    """Guess from the claim alone whether sentences, cells or both settle it."""
    return _measure(
        "evidence type",
        [(c, kind) for c in claims if (kind := evidence_type(c)) is not None],
        folds,
        seed,
    )


def ngrams(text: str) -> set[str]:
    """Return the words and the pairs of neighbouring words; ^ and $ mark begin and end.

    >>> sorted(ngrams("Not so."))
    ['^ not', 'not', 'not so', 'so', 'so $']
    """
    words = tokens(text)
    marked = ["^", *words, "$"]
    return {*words, *(f"{a} {b}" for a, b in pairwise(marked))}


def folds_of(groups: Sequence[str], labels: Sequence[str], folds: int, seed: int) -> list[int]:
    """Deal claims into folds: groups stay whole, labels are spread evenly, the seed decides."""
    members: dict[str, list[int]] = {}
    for place, group in enumerate(groups):
        members.setdefault(group, []).append(place)
    order = list(members.values())
    np.random.default_rng(seed).shuffle(order)
    order.sort(key=lambda places: labels[places[0]])
    dealt = [0] * len(groups)
    for turn, places in enumerate(order):
        for place in places:
            dealt[place] = turn % folds
    return dealt


def _measure(target: str, rows: Sequence[tuple[Claim, str]], folds: int, seed: int) -> Giveaway:
    names = tuple(sorted({label for _, label in rows}))
    if len(names) < 2:
        raise ScoreError(f"guessing the {target} needs claims of two kinds or more")
    if folds < 2:
        raise ScoreError(f"cross-validation needs two folds or more, not {folds}")
    # A claim without a group is a group of its own.
    groups = [f"g{c.group}" if c.group else f"c{place}" for place, (c, _) in enumerate(rows)]
    if len(set(groups)) < folds:
        raise ScoreError(f"{len(set(groups))} groups of claims are too few for {folds} folds")
    labels = [label for _, label in rows]
    truth = np.array([names.index(label) for label in labels], dtype=np.int64)
    grams = [ngrams(c.text) for c, _ in rows]
    dealt = np.array(folds_of(groups, labels, folds, seed))
    guesses = np.zeros(len(rows), dtype=np.int64)
    for fold in range(folds):
        inside = np.flatnonzero(dealt != fold)
        outside = np.flatnonzero(dealt == fold)
        guesses[outside] = _guess(grams, truth, inside, outside, len(names))
    right = guesses == truth
    confusion = np.zeros((len(names), len(names)), dtype=np.int64)
    np.add.at(confusion, (truth, guesses), 1)
    low, high = _interval(groups, right.tolist(), seed)
    return Giveaway(
        target=target,
        claims=len(rows),
        labels=names,
        folds=folds,
        accuracy=float(right.mean()),
        low=low,
        high=high,
        majority=max(Counter(labels).values()) / len(labels),
        balanced=float((np.diag(confusion) / confusion.sum(axis=1)).mean()),
        by_fold=tuple(float(right[dealt == fold].mean()) for fold in range(folds)),
        confusion=tuple(tuple(int(n) for n in row) for row in confusion),
        telling=_telling(grams, truth, names),
    )


def _vocabulary(grams: Iterable[set[str]]) -> tuple[dict[str, int], Counter[str]]:
    counts = Counter(gram for one in grams for gram in one)
    kept = sorted(gram for gram, n in counts.items() if n >= _LEAST)
    return {gram: column for column, gram in enumerate(kept, 1)}, counts


def _rows(grams: Iterable[set[str]], vocabulary: dict[str, int]) -> Rows:
    named = [sorted(vocabulary[g] for g in one if g in vocabulary) for one in grams]
    return Rows.of(named, len(vocabulary) + 1)


def _guess(
    grams: Sequence[set[str]],
    truth: Integers,
    inside: Iterable[int],
    outside: Iterable[int],
    kinds: int,
) -> Integers:
    """Train on the claims inside, and label those outside."""
    seen = list(inside)
    vocabulary, _ = _vocabulary(grams[i] for i in seen)
    weights = fit(_rows((grams[i] for i in seen), vocabulary), truth[seen], kinds)
    scores = _rows((grams[i] for i in outside), vocabulary).times(weights)
    return np.asarray(scores.argmax(axis=1), dtype=np.int64)


def _telling(
    grams: Sequence[set[str]],
    truth: Integers,
    names: Sequence[str],
    most: int = 12,
) -> tuple[Telling, ...]:
    """Train on everything, and name what speaks loudest for each label."""
    vocabulary, counts = _vocabulary(grams)
    weights = fit(_rows(grams, vocabulary), truth, len(names))
    spelled = list(vocabulary)
    found = []
    for place, name in enumerate(names):
        for column in np.argsort(-weights[1:, place], kind="stable")[:most]:
            gram = spelled[column]
            weight = float(weights[column + 1, place])
            found.append(Telling(gram, name, weight, counts[gram]))
    return tuple(found)


def _interval(groups: Sequence[str], right: Sequence[bool], seed: int) -> tuple[float, float]:
    """Bootstrap the accuracy over groups; groups of equal counts are drawn as one kind."""
    tally: dict[str, list[int]] = {}
    for group, ok in zip(groups, right, strict=True):
        counts = tally.setdefault(group, [0, 0])
        counts[0] += ok
        counts[1] += 1
    kinds = Counter((good, size) for good, size in tally.values())
    table = np.array(list(kinds), dtype=np.float64)
    times = np.array(list(kinds.values()), dtype=np.float64)
    drawn = np.random.default_rng(seed).multinomial(len(tally), times / len(tally), size=2000)
    sums = drawn @ table
    low, high = np.quantile(sums[:, 0] / sums[:, 1], (0.025, 0.975))
    return float(low), float(high)
