"""How a system joins what a judge says of each piece: named rules, one of them learned."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feverfew.baselines.cache import Cache
from feverfew.baselines.experiment import System
from feverfew.baselines.fitting import fit
from feverfew.baselines.judges import Opinionated
from feverfew.baselines.pairwise import (
    Consistent,
    EachPair,
    Table,
    Weigher,
    each_alone,
    loudest,
    pair_features,
    vote,
)
from feverfew.errors import NotFound
from feverfew.judge import VERDICTS
from feverfew.model import Claim, Evidence

__all__ = ["RULES", "joined"]

RULES = ("vote", "loudest", "weighed")
Find = Callable[[Sequence[Claim]], list[list[Evidence]]]
"""Finds evidence for claims as the system does."""


def joined(
    system: System, inner: Opinionated, cache: Cache, key: object, tuning: list[Claim], find: Find
) -> Opinionated:
    """Wrap a judge as a system says: one reading of all pieces, or a rule over each."""
    judge: Opinionated = inner
    if system.joined:
        if system.joined not in RULES:
            known = ", ".join(RULES)
            raise NotFound(f"no way of joining is called {system.joined!r}; there are {known}")
        rules = {"vote": vote, "loudest": loudest}
        rule = rules.get(system.joined) or _weigher(system, inner, cache, key, tuning, find)
        judge = EachPair(inner, rule)
    return Consistent(judge, inner) if system.consistent else judge


def _weigher(
    system: System, inner: Opinionated, cache: Cache, key: object, tuning: list[Claim], find: Find
) -> Weigher:
    """Teach the network by half of the claims for tuning, and stop by the other half."""

    def train() -> dict[str, NDArray[Any]]:
        known = [claim for claim in tuning if claim.label is not None]
        evidence = find(known)
        answers = each_alone(inner, [claim.text for claim in known], evidence)
        pairs = zip(evidence, answers, strict=True)
        rows = np.stack([pair_features(own, shares) for own, shares in pairs])
        labels = np.array([VERDICTS.index(c.label) for c in known if c.label], np.int64)
        half = np.arange(len(known)) % 2 == 0
        model = Weigher.start(rows.shape[1], seed=1)
        held = (Table(rows[~half]), labels[~half])
        fit(model, Table(rows[half]), labels[half], held, seed=1, epochs=60, patience=10)
        return model.weights

    ids = [claim.id for claim in tuning]
    return Weigher(cache.arrays("aggregator", (system, key, ids), train))
