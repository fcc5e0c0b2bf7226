"""How a system joins what a judge says of each piece: named rules, most of them trained.

What is trained here learns from half of the claims for tuning, and stops by the other half.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feverfew.errors import InputError, NotFound
from feverfew.judge import VERDICTS, Probabilities
from feverfew.lab.papers.cache import Cache
from feverfew.lab.papers.experiment import System
from feverfew.lab.papers.judges import (
    Consistent,
    EachPair,
    JointJudge,
    NetworkJudge,
    PairVectors,
    PooledJudge,
    Reals,
    VerdictModel,
    each_alone,
    pair_features,
    pooled,
    surest,
    vote,
)
from feverfew.types import Claim, Evidence

RULES = ("vote", "surest", "weighed", "forest", "pooled", "joint")
Find = Callable[[Sequence[Claim]], list[list[Evidence]]]
"""Finds evidence for claims as the system does."""
Arrays = dict[str, NDArray[Any]]


def joined(
    system: System, inner: VerdictModel, cache: Cache, key: object, tuning: list[Claim], find: Find
) -> VerdictModel:
    """Wrap a judge as a system says: one reading of all pieces, or a rule over each."""
    judge: VerdictModel = inner
    if system.joined:
        if system.joined not in RULES:
            known = ", ".join(RULES)
            raise NotFound(f"no way of joining is called {system.joined!r}; there are {known}")
        judge = _ruled(system, inner, cache, key, tuning, find)
    return Consistent(judge, inner) if system.consistent else judge


def _ruled(
    system: System, inner: VerdictModel, cache: Cache, key: object, tuning: list[Claim], find: Find
) -> VerdictModel:
    if system.joined in ("vote", "surest"):
        return EachPair(inner, vote if system.joined == "vote" else surest)
    from feverfew.lab.papers.networks import JointNetwork, Mlp

    known = [claim for claim in tuning if claim.label is not None]
    labels = np.array([VERDICTS.index(claim.label) for claim in known if claim.label], np.int64)
    train = partial(_trained, system.joined, inner, known, labels, find)
    vectors = _pair_vectors(inner) if system.joined in ("pooled", "joint") else None
    shaped = (system, key, [claim.id for claim in tuning])
    arrays = cache.arrays(f"aggregator {system.joined}", shaped, train)
    if vectors is None:
        model = _forest(arrays) if system.joined == "forest" else Mlp.of(arrays).probabilities
        return EachPair(inner, partial(_weighed, model))
    if system.joined == "pooled":
        return PooledJudge(vectors, Mlp.of(arrays))
    return JointJudge(vectors, JointNetwork.of(arrays))


def _pair_vectors(inner: VerdictModel) -> PairVectors:
    if not isinstance(inner, NetworkJudge):
        raise InputError("only a network has vectors to join: judge by 'da' or 'da-scored'")
    return inner


def _weighed(
    probabilities: Callable[[Any], Any], pieces: Sequence[Evidence], shares: Reals
) -> Probabilities:
    s, r, n = probabilities([pair_features(pieces, shares)])[0].tolist()
    return s, r, n


def _forest(arrays: Arrays) -> Callable[[Any], Any]:
    """Grow a random forest; that takes less time than keeping it takes care."""
    from sklearn.ensemble import RandomForestClassifier

    forest = RandomForestClassifier(100, max_depth=7, min_samples_leaf=4, random_state=1)
    forest.fit(arrays["rows"], arrays["labels"])

    def probabilities(rows: Any) -> Any:
        shares = np.zeros((len(rows), 3))
        shares[:, forest.classes_] = forest.predict_proba(rows)
        return shares

    return probabilities


def _trained(
    rule: str, inner: VerdictModel, claims: Sequence[Claim], labels: NDArray[np.int64], find: Find
) -> Arrays:
    """Train on every second claim; stop by the others. A forest keeps what it is grown from."""
    from feverfew.lab.papers.networks import JointNetwork, Mlp, fit

    texts, evidence = [claim.text for claim in claims], find(claims)
    examples: list[Any]
    model: Any
    epochs, patience = 60, 10
    if rule in ("pooled", "joint"):
        vectors = _pair_vectors(inner).vectors(texts, evidence)
        examples = [pooled(own) for own in vectors]
    else:
        answers = zip(evidence, each_alone(inner, texts, evidence), strict=True)
        examples = [pair_features(own, shares) for own, shares in answers]
    if rule == "forest":
        return {"rows": np.stack(examples), "labels": labels}
    if rule == "joint":
        gold = [
            np.array([any(piece.ref in refs for refs in claim.evidence) for piece in own], np.bool_)
            for claim, own in zip(claims, evidence, strict=True)
        ]
        examples = list(zip(vectors, gold, strict=True))
        model, epochs, patience = JointNetwork(vectors[0].shape[1]), 40, 8
    else:
        model = Mlp(len(examples[0]))
    held = examples[1::2], labels[1::2]
    settings = {"seed": 1, "epochs": epochs, "patience": patience}
    fit(model.drawn(1), examples[::2], labels[::2], held, **settings)
    arrays: Arrays = model.arrays()
    return arrays
