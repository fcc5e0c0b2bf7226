"""Train a small ranking network with numpy: groups of rows, each with some that are gold.

A group is what one claim has to choose from. The networks have a thousand or two numbers, so
this takes minutes on one core, and needs nothing but numpy.
"""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from feverfew.errors import InputError
from feverfew.models.network import Network

__all__ = ["Array", "Group", "Groups", "Mask", "fit", "held_out", "train_network"]

Array = NDArray[np.float32]
Mask = NDArray[np.bool_]
Group = tuple[Array, Mask]
"""The rows of what one claim may choose from, and which of them are gold."""


class Groups:
    """Feature rows of many claims: group i is rows[starts[i]:starts[i + 1]]."""

    def __init__(self, groups: Sequence[Group], features: int) -> None:
        self.sizes = np.array([len(gold) for _, gold in groups], np.int64)
        self.starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(self.sizes)])
        self.rows: Array = np.zeros((int(self.starts[-1]), features), np.float32)
        self.gold: Mask = np.zeros(len(self.rows), bool)
        for start, (rows, gold) in zip(self.starts, groups, strict=False):
            if len(gold):
                self.rows[start : start + len(gold)] = rows
                self.gold[start : start + len(gold)] = gold

    def batches(self, rng: np.random.Generator, size: int) -> Iterator[NDArray[np.int64]]:
        """Yield shuffled groups that hold at least one gold row and one other."""
        owner = np.repeat(np.arange(len(self.sizes)), self.sizes)
        golds = np.bincount(owner, self.gold, len(self.sizes))
        usable = np.flatnonzero((golds > 0) & (golds < self.sizes))
        rng.shuffle(usable)
        for start in range(0, len(usable), size):
            yield usable[start : start + size]


def train_network(
    train: Groups,
    held_out: Groups,
    features: Sequence[str],
    *,
    hidden: int = 24,
    epochs: int = 40,
    seed: int = 1,
) -> tuple[Network, list[float]]:
    """Fit a network with Adam; return the best by loss on the held-out claims, and the losses."""
    rng = np.random.default_rng(seed)
    mean, spread = train.rows.mean(0), train.rows.std(0) + 1e-3
    weights: list[Array] = [
        rng.normal(0, len(features) ** -0.5, (len(features), hidden)).astype(np.float32),
        np.zeros(hidden, np.float32),
        rng.normal(0, hidden**-0.5, hidden).astype(np.float32),
    ]
    moments = [(np.zeros_like(w), np.zeros_like(w)) for w in weights]
    best, best_loss, losses, step = weights, np.inf, [], 0
    for epoch in range(epochs):
        rate = 3e-3 * 0.5 * (1 + np.cos(np.pi * epoch / epochs))
        for chosen in train.batches(rng, 64):
            step += 1
            _, gradients = _loss(train, chosen, (mean, spread), weights)
            for i, gradient in enumerate(gradients):
                gradient += 1e-4 * weights[i]
                first = 0.9 * moments[i][0] + 0.1 * gradient
                second = 0.999 * moments[i][1] + 0.001 * gradient**2
                moments[i] = (first, second)
                move = first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
                weights[i] = (weights[i] - rate * move).astype(np.float32)
        everything = np.concatenate(list(held_out.batches(rng, 1 << 30)))
        loss, _ = _loss(held_out, everything, (mean, spread), weights)
        losses.append(float(loss))
        if loss < best_loss:
            best, best_loss = [w.copy() for w in weights], loss
    rounded: Any = [np.round(w.astype(float), 5).tolist() for w in (mean, spread, *best)]
    return Network(list(features), *rounded), losses


def _loss(
    groups: Groups, chosen: NDArray[np.int64], scale: tuple[Array, Array], weights: list[Array]
) -> tuple[float, list[Array]]:
    """Compute the loss, and its gradients: each gold row should outscore all that are not."""
    spans = [np.arange(groups.starts[i], groups.starts[i + 1]) for i in chosen]
    index = np.concatenate(spans)
    owner = np.repeat(np.arange(len(chosen)), groups.sizes[chosen])
    inputs = (groups.rows[index] - scale[0]) / scale[1]
    gold = groups.gold[index]
    inner = inputs @ weights[0] + weights[1]
    active = np.maximum(inner, 0)
    scores = active @ weights[2]
    highest = np.full(len(chosen), -np.inf, np.float32)
    np.maximum.at(highest, owner, np.where(gold, -np.inf, scores))
    others = np.where(gold, 0, np.exp(np.minimum(scores - highest[owner], 0)))
    totals = np.bincount(owner, others, len(chosen))
    margin = highest[owner] + np.log(totals)[owner] - scores
    golds = np.bincount(owner, gold, len(chosen))
    share = np.where(gold, 1 / golds[owner], 0)
    loss = float((share * np.logaddexp(0, margin)).sum() / len(chosen))
    pull = share / (1 + np.exp(-np.clip(margin, -30, 30)))
    push = np.bincount(owner, pull, len(chosen))
    slope = ((others / totals[owner] * push[owner] - pull) / len(chosen)).astype(np.float32)
    back = np.outer(slope, weights[2]) * (inner > 0)
    return loss, [inputs.T @ back, back.sum(0), active.T @ slope]


def held_out(pages: frozenset[str]) -> bool:
    """Say whether a claim is held out: by its first page, so that the split is by page."""
    return hashlib.blake2b(min(pages).encode(), digest_size=1).digest()[0] < 26


def fit(
    groups: Sequence[Group], held: Sequence[bool], features: Sequence[str], seed: int
) -> Network:
    """Train on the groups that are not held out, stop by those that are, and say how it went."""
    train = Groups([g for g, h in zip(groups, held, strict=True) if not h], len(features))
    check = Groups([g for g, h in zip(groups, held, strict=True) if h], len(features))
    if not all(list(g.batches(np.random.default_rng(), 1)) for g in (train, check)):
        raise InputError("too few claims with gold rows: give claims on more pages")
    network, losses = train_network(train, check, features, seed=seed)
    click.echo(f"held-out loss {min(losses):.4f} after {np.argmin(losses) + 1} epochs", err=True)
    return network
