"""Claim-only models: a linear n-gram model that never sees the evidence.

FEVEROUS 3.2 asks two questions about a data set: can the verdict be guessed from the claim, and can
the type of evidence? Accuracy above that of the most frequent label is leaked by the claim's words.
The paper uses BERT; this is logistic regression over words and word pairs, which takes seconds and
names the words. A strong encoder may find more: the result is a lower bound.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from msgspec import Struct

from feverfew.errors import MissingExtra, ScoreError
from feverfew.score.bias import evidence_type, tokens
from feverfew.score.intervals import percentiles, redrawn_sums, unit_totals
from feverfew.types import Claim

_SAMPLES = 2_000
_LEAST = 2
"""An n-gram of one training claim teaches nothing about another."""


class Telling(Struct, frozen=True):
    """An n-gram that points to a label."""

    ngram: str
    label: str
    weight: float
    claims: int


class Giveaway(Struct, frozen=True):
    """The cross-validated accuracy of a claim-only model."""

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
        """The accuracy above that of the most frequent label."""
        return self.accuracy - self.majority


def claim_only(claims: Sequence[Claim], *, folds: int = 5, seed: int = 0) -> Giveaway:
    """Guess the verdict from the claim alone."""
    return _measure(
        "verdict", [(c, c.label.value) for c in claims if c.label is not None], folds, seed
    )


def evidence_type_only(claims: Sequence[Claim], *, folds: int = 5, seed: int = 0) -> Giveaway:
    """Guess from the claim alone whether sentences, cells or both decide it."""
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
    """Split claims into folds: groups stay together, labels are spread evenly."""
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
    texts = [claim.text for claim, _ in rows]
    dealt = np.array(folds_of(groups, labels, folds, seed))
    truth = np.array([names.index(label) for label in labels], dtype=np.int64)
    guesses = np.zeros(len(rows), dtype=np.int64)
    for fold in range(folds):
        inside, outside = np.flatnonzero(dealt != fold), np.flatnonzero(dealt == fold)
        model = _fit([texts[i] for i in inside], [labels[i] for i in inside])
        guesses[outside] = [names.index(own) for own in model.predict([texts[i] for i in outside])]
    right = guesses == truth
    confusion = np.zeros((len(names), len(names)), dtype=np.int64)
    np.add.at(confusion, (truth, guesses), 1)
    numbers = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    counted = np.column_stack([right, np.ones(len(right))])
    sums = redrawn_sums(unit_totals([numbers[one] for one in groups], counted), _SAMPLES, seed)
    around = percentiles(sums[:, 0] / sums[:, 1])
    return Giveaway(
        target=target,
        claims=len(rows),
        labels=names,
        folds=folds,
        accuracy=float(right.mean()),
        low=around.low,
        high=around.high,
        majority=max(Counter(labels).values()) / len(labels),
        balanced=float((np.diag(confusion) / confusion.sum(axis=1)).mean()),
        by_fold=tuple(float(right[dealt == fold].mean()) for fold in range(folds)),
        confusion=tuple(tuple(int(n) for n in row) for row in confusion),
        telling=_telling(texts, labels, names),
    )


def _fit(texts: Sequence[str], labels: Sequence[str]) -> Any:
    """Learn labels from the n-grams of claims, each claim's together of length 1."""
    try:
        from sklearn.dummy import DummyClassifier
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
    except ModuleNotFoundError:
        raise MissingExtra("guessing from claims alone", "bias") from None
    often = Counter(gram for text in texts for gram in ngrams(text))
    if len(set(labels)) < 2 or max(often.values()) < _LEAST:
        return DummyClassifier().fit(texts, labels)
    vectors = TfidfVectorizer(analyzer=ngrams, min_df=_LEAST, binary=True, use_idf=False)
    return make_pipeline(vectors, LogisticRegression(max_iter=1000)).fit(texts, labels)


def _telling(
    texts: Sequence[str], labels: Sequence[str], names: Sequence[str], most: int = 12
) -> tuple[Telling, ...]:
    """Train on everything, and name the strongest n-grams of each label."""
    model = _fit(texts, labels)
    if not hasattr(model, "named_steps"):
        return ()  # no n-gram occurs twice
    vectors, regression = (step for _, step in model.steps)
    spelled = vectors.get_feature_names_out()
    claims = Counter(gram for text in texts for gram in ngrams(text))
    # Of two labels, the second has the weights; what points away from it points to the first.
    weights = regression.coef_
    if len(names) == 2:
        weights = np.vstack([-weights, weights])
    return tuple(
        Telling(spelled[at], name, float(own[at]), claims[spelled[at]])
        for name, own in zip(names, weights, strict=True)
        for at in np.argsort(-own, kind="stable")[:most]
    )
