"""Train a small ranking network: groups of rows, each with some that are gold.

A group is what one claim has to choose from. The networks have a thousand or two numbers, so this
takes minutes on one core.
"""

import hashlib
import math
import sys
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import click
import numpy as np
from numpy.typing import NDArray

from feverfew.errors import InputError, MissingExtra
from feverfew.models.network import Network

Array = NDArray[np.float32]
Mask = NDArray[np.bool_]
Group = tuple[Array, Mask]
"""The rows of what one claim may choose from, and which of them are gold."""
_RATE, _DECAY, _BATCH = 3e-3, 1e-4, 64


class Groups:
    """Feature rows of many claims; those that leave a choice are learned from."""

    def __init__(self, groups: Sequence[Group], features: int) -> None:
        every = [np.asarray(rows, np.float32).reshape(-1, features) for rows, _ in groups]
        self.rows: Array = np.concatenate([np.zeros((0, features), np.float32), *every])
        pairs = zip(every, (np.asarray(gold, bool) for _, gold in groups), strict=True)
        self._usable = [(rows, gold) for rows, gold in pairs if 0 < gold.sum() < len(gold)]

    def __len__(self) -> int:
        """Return how many groups hold at least one gold row and one other."""
        return len(self._usable)

    def batches(
        self, size: int, rng: np.random.Generator | None = None
    ) -> Iterator[tuple[Array, Mask, Mask]]:
        """Yield padded rows, which of them are real and which are gold; shuffled by `rng`."""
        order = rng.permutation(len(self)) if rng else np.arange(len(self))
        for start in range(0, len(self), size):
            chosen = [self._usable[at] for at in order[start : start + size]]
            shape = (len(chosen), max(len(gold) for _, gold in chosen))
            rows = np.zeros((*shape, self.rows.shape[1]), np.float32)
            real, gold = np.zeros((2, *shape), bool)
            for at, (own, own_gold) in enumerate(chosen):
                rows[at, : len(own)], gold[at, : len(own)] = own, own_gold
                real[at, : len(own)] = True
            yield rows, real, gold


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
    try:
        import torch
    except ModuleNotFoundError:
        raise MissingExtra("training a ranker", "train") from None
    rng = np.random.default_rng(seed)
    mean, spread = train.rows.mean(0), train.rows.std(0) + 1e-3
    start = (
        rng.normal(0, len(features) ** -0.5, (len(features), hidden)),
        np.zeros(hidden),
        rng.normal(0, hidden**-0.5, hidden),
    )
    weights = [torch.tensor(own, dtype=torch.float32, requires_grad=True) for own in start]
    adam = torch.optim.Adam(weights, _RATE, weight_decay=_DECAY)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        adam, lambda epoch: 0.5 * (1 + math.cos(math.pi * epoch / epochs))
    )

    def loss_of(rows: Array, is_real: Mask, is_gold: Mask) -> Any:
        """Each gold row should outscore all rows that are not gold."""
        inputs, real, gold = map(torch.from_numpy, ((rows - mean) / spread, is_real, is_gold))
        scores = torch.relu(inputs @ weights[0] + weights[1]) @ weights[2]
        others = scores.masked_fill(gold | ~real, -torch.inf).logsumexp(1, keepdim=True)
        each = torch.nn.functional.softplus(others - scores) * gold
        return (each.sum(1) / gold.sum(1)).mean()

    best: list[Array] = []
    losses: list[float] = []
    for _ in range(epochs):
        for batch in train.batches(_BATCH, rng):
            adam.zero_grad()
            loss_of(*batch).backward()
            adam.step()
        schedule.step()
        with torch.no_grad():
            shares = [(float(loss_of(*b)), len(b[0])) for b in held_out.batches(_BATCH)]
        losses.append(sum(loss * count for loss, count in shares) / len(held_out))
        if losses[-1] == min(losses):
            best = [own.detach().numpy().copy() for own in weights]
    rounded: Any = [np.round(own.astype(float), 5).tolist() for own in (mean, spread, *best)]
    return Network(list(features), *rounded), losses


def held_out(pages: frozenset[str]) -> bool:
    """Say whether a claim is held out: by its first page, so that the split is by page."""
    return hashlib.blake2b(min(pages).encode(), digest_size=1).digest()[0] < 26


def fit(
    groups: Sequence[Group], held: Sequence[bool], features: Sequence[str], seed: int
) -> Network:
    """Train on the groups that are not held out, stop by those that are, and report the loss."""
    train = Groups([g for g, h in zip(groups, held, strict=True) if not h], len(features))
    check = Groups([g for g, h in zip(groups, held, strict=True) if h], len(features))
    if not len(train) or not len(check):
        raise InputError("too few claims with gold rows: give claims on more pages")
    network, losses = train_network(train, check, features, seed=seed)
    click.echo(f"held-out loss {min(losses):.4f} after {np.argmin(losses) + 1} epochs", err=True)
    return network


T = TypeVar("T")


def shown(items: Sequence[T], label: str) -> Iterator[T]:
    """Go through items with a progress bar on stderr."""
    with click.progressbar(items, label=label, file=sys.stderr) as bar:
        yield from bar
