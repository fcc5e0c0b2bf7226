"""How a system joins what a judge says of each piece: named rules, most of them learned.

What is learned here learns from half of the claims for tuning, and stops by the other half.
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
from feverfew.lab.papers.fitting import fit
from feverfew.lab.papers.forest import Forest
from feverfew.lab.papers.joint import Bundles, JointJudge, JointNetwork
from feverfew.lab.papers.judges import Network, VerdictModel
from feverfew.lab.papers.pairwise import (
    Consistent,
    EachPair,
    Reals,
    Table,
    Weigher,
    each_alone,
    pair_features,
    top_program,
    vote,
)
from feverfew.lab.papers.pooling import PooledJudge, Vectored, pooled
from feverfew.types import Claim, Evidence

__all__ = ["RULES", "joined"]

RULES = ("vote", "top_program", "weighed", "forest", "pooled", "joint")
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
    if system.joined in ("vote", "top_program"):
        return EachPair(inner, vote if system.joined == "vote" else top_program)
    known = [claim for claim in tuning if claim.label is not None]
    labels = np.array([VERDICTS.index(claim.label) for claim in known if claim.label], np.int64)
    vectored = _vectored(inner) if system.joined in ("pooled", "joint") else None

    def train() -> Arrays:
        evidence = find(known)
        if vectored is None:
            return _of_answers(system.joined, inner, known, evidence, labels)
        return _of_vectors(system.joined, vectored, known, evidence, labels)

    shaped = (system, key, [claim.id for claim in tuning])
    arrays = cache.arrays(f"aggregator {system.joined}", shaped, train)
    if vectored is None:
        rule = Weigher(arrays) if system.joined == "weighed" else partial(_asked, Forest(arrays))
        return EachPair(inner, rule)
    if system.joined == "pooled":
        return PooledJudge(vectored, Weigher(arrays))
    return JointJudge(vectored, JointNetwork(arrays))


def _vectored(inner: VerdictModel) -> Vectored:
    if not isinstance(inner, Network):
        raise InputError("only a network has vectors to join: judge by 'da' or 'da-scored'")
    return inner


def _asked(forest: Forest, pieces: Sequence[Evidence], shares: Reals) -> Probabilities:
    s, r, n = forest.probabilities(pair_features(pieces, shares)[None])[0].tolist()
    return s, r, n


def _of_answers(
    rule: str,
    inner: VerdictModel,
    claims: Sequence[Claim],
    evidence: Sequence[Sequence[Evidence]],
    labels: NDArray[np.int64],
) -> Arrays:
    answers = each_alone(inner, [claim.text for claim in claims], evidence)
    pairs = zip(evidence, answers, strict=True)
    rows = np.stack([pair_features(own, shares) for own, shares in pairs])
    return Forest.taught(rows, labels) if rule == "forest" else _weigher(rows, labels)


def _of_vectors(
    rule: str,
    inner: Vectored,
    claims: Sequence[Claim],
    evidence: Sequence[Sequence[Evidence]],
    labels: NDArray[np.int64],
) -> Arrays:
    vectors = inner.vectors([claim.text for claim in claims], evidence)
    if rule == "pooled":
        return _weigher(np.stack([pooled(own) for own in vectors]), labels)
    gold = [
        np.array([any(piece.ref in refs for refs in claim.evidence) for piece in own], np.bool_)
        for claim, own in zip(claims, evidence, strict=True)
    ]
    every, learned = Bundles(vectors, gold), _half(labels)
    model = JointNetwork.start(vectors[0].shape[1], seed=1)
    held = every.of(np.flatnonzero(~learned).tolist()), labels[~learned]
    own = every.of(np.flatnonzero(learned).tolist())
    fit(model, own, labels[learned], held, seed=1, epochs=40, patience=8)
    return model.weights


def _weigher(rows: NDArray[np.float32], labels: NDArray[np.int64]) -> Arrays:
    learned = _half(labels)
    model = Weigher.start(rows.shape[1], seed=1)
    held = (Table(rows[~learned]), labels[~learned])
    fit(model, Table(rows[learned]), labels[learned], held, seed=1, epochs=60, patience=10)
    return model.weights


def _half(labels: NDArray[np.int64]) -> NDArray[np.bool_]:
    half: NDArray[np.bool_] = np.arange(len(labels)) % 2 == 0
    return half
