"""Train the page ranker: `python -m feverfew.train.ranker --corpus DIR --claims FILE … -o FILE`.

Claims are JSON lines with `claim` and the gold pages, as `pages`, `page`, or FEVER's `evidence`.
A tenth of them, apart from the rest by page, decides when to stop. numpy is all it needs: the
networks have some two thousand numbers.
"""

import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec
import numpy as np
from numpy.typing import NDArray

from feverfew.corpus import Corpus
from feverfew.readers.files import open_bytes
from feverfew.retrieve.features import FEATURES, HOP_FEATURES
from feverfew.retrieve.ranked import ClaimSearch, Round
from feverfew.retrieve.ranker import Network, Ranker

__all__ = ["Groups", "train_network"]

Array = NDArray[np.float32]
Gold = list[tuple[str, frozenset[str]]]


class Described(NamedTuple):
    """A claim's candidates as an array."""

    numbers: list[int]
    rows: Array


class Groups:
    """Feature rows of many claims: group i is rows[starts[i]:starts[i + 1]]."""

    def __init__(self, rounds: Sequence[tuple[Described, set[int]]], features: int) -> None:
        self.sizes = np.array([len(r.numbers) for r, _ in rounds])
        self.starts = np.concatenate([[0], np.cumsum(self.sizes)])
        self.rows: Array = np.zeros((int(self.starts[-1]), features), np.float32)
        self.gold = np.zeros(len(self.rows), bool)
        for start, (candidates, gold) in zip(self.starts, rounds, strict=False):
            self.rows[start : start + len(candidates.rows)] = candidates.rows
            for position, number in enumerate(candidates.numbers):
                self.gold[start + position] = number in gold

    def batches(self, rng: np.random.Generator, size: int) -> Iterator[NDArray[np.int64]]:
        """Yield shuffled groups that hold at least one gold page and one other."""
        golds = np.add.reduceat(self.gold, self.starts[:-1])
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
    """Compute the loss, and its gradients: each gold page should outscore all that are not."""
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
    others = np.where(gold, 0, np.exp(scores - highest[owner]))
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


def read_gold(paths: Sequence[Path]) -> Gold:
    """Read claims with their gold pages; a claim that occurs twice gets all its pages."""
    found: dict[str, set[str]] = {}
    for path in paths:
        with open_bytes(path) as lines:
            for line in lines:
                row = json.loads(line)
                pages = set(row.get("pages") or ([row["page"]] if row.get("page") else []))
                pages |= {e[2] for group in row.get("evidence", []) for e in group if e[2]}
                if pages:
                    found.setdefault(row["claim"], set()).update(pages)
    return [(claim, frozenset(pages)) for claim, pages in found.items()]


def held_out(pages: frozenset[str]) -> bool:
    """Say whether a claim is held out: by its first page, so that the split is by page."""
    return hashlib.blake2b(min(pages).encode(), digest_size=1).digest()[0] < 26


@click.command()
@click.option("--corpus", "directory", required=True, type=Path, help="A corpus directory.")
@click.option("--claims", multiple=True, required=True, type=Path, help="A claim file.")
@click.option("-o", "--output", required=True, type=Path, help="Where to write the networks.")
@click.option("--seed", default=1, show_default=True, help="Decides order and first weights.")
def main(directory: Path, claims: tuple[Path, ...], output: Path, seed: int) -> None:
    """Train both networks of the ranker."""
    corpus = Corpus.open(directory)
    gold = [
        (claim, numbers, held_out(pages))
        for claim, pages in read_gold(claims)
        if (numbers := {n for page in pages if (n := corpus.number(page)) is not None})
    ]
    held = [held for *_, held in gold]
    networks: dict[str, Network] = {}

    def first_round(claim: str) -> Round:
        return ClaimSearch(corpus, claim).first_round()

    def second_round(claim: str) -> Round:
        search = ClaimSearch(corpus, claim)
        found = search.first_round()
        return search.second_round(found, ranker.scores(found.rows))

    networks["first"] = _fit(_describe(gold, first_round), held, FEATURES, seed)
    ranker = Ranker(networks["first"], FEATURES)
    second = _describe(gold, second_round)
    networks["second"] = _fit(second, held, FEATURES + HOP_FEATURES, seed)
    output.write_bytes(msgspec.json.encode(networks) + b"\n")


def _describe(
    gold: list[Any], describe: Callable[[str], Round]
) -> list[tuple[Described, set[int]]]:
    """Describe every claim's candidates; as arrays, because there are a million of them."""
    with click.progressbar(gold, file=sys.stderr) as bar:
        return [
            (Described(found.numbers, np.array(found.rows, np.float32)), numbers)
            for claim, numbers, _ in bar
            for found in [describe(claim)]
        ]


def _fit(
    rounds: list[tuple[Described, set[int]]], held: list[bool], features: Sequence[str], seed: int
) -> Network:
    train = Groups([r for r, h in zip(rounds, held, strict=True) if not h], len(features))
    check = Groups([r for r, h in zip(rounds, held, strict=True) if h], len(features))
    network, losses = train_network(train, check, features, seed=seed)
    click.echo(f"held-out loss {min(losses):.4f} after {np.argmin(losses) + 1} epochs", err=True)
    return network


if __name__ == "__main__":
    main()
