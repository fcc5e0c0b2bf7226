"""Train the scorer of table programs: `python -m …lab.train.tables --data DIR -o tables.json`.

DIR holds `tabfact_tables.jsonl.gz`, `tabfact_train.jsonl.gz` and `tabfact_val.jsonl.gz`. Two
fifths of the tables of `tabfact_val` are only reported on, and never seen here; a tenth of the
others decides when to stop and how sure the scorer is.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from feverfew.lab.train.adam import Adam
from feverfew.lab.train.tablesets import Statement, bucket, read_tabfact
from feverfew.lab.train.tablesilence import fit_speaks
from feverfew.tables.features import PROGRAM, STATEMENT
from feverfew.tables.programs import try_programs
from feverfew.tables.scorer import ScorerWeights
from feverfew.tables.view import TableView

__all__ = ["Described", "describe", "fit_scorer"]

Array = NDArray[np.float32]
_HIDDEN, _OWN = 32, 12
_BATCH = 128
_SILENCED = 3000
"""Statements that teach when a table is silent."""
_HELD = 26
"""Of 256 tables, so many decide when to stop."""


class Described(Struct, frozen=True):
    """Statements as features: those of programs of all statements under each other."""

    programs: Array
    counts: NDArray[np.int64]
    """Programs of each statement; at least one, if only an empty row."""
    statements: Array
    labels: Array

    def take(self, chosen: NDArray[np.intp]) -> "Described":
        """Keep some of the statements."""
        ends = np.cumsum(self.counts)
        starts = ends - self.counts
        rows = np.concatenate([np.arange(starts[i], ends[i]) for i in chosen])
        return Described(
            self.programs[rows], self.counts[chosen], self.statements[chosen], self.labels[chosen]
        )


def describe(statements: Sequence[Statement], views: dict[str, TableView]) -> Described:
    """Try every statement's programs, and describe them."""
    programs: list[Array] = []
    rows: list[Array] = []
    with click.progressbar(statements, file=sys.stderr) as bar:
        for one in bar:
            tried = try_programs(one.text, views[one.table])
            own = tried.programs
            programs.append(own if len(own) else np.zeros((1, len(PROGRAM)), np.float32))
            rows.append(tried.statement)
    return Described(
        np.concatenate(programs),
        np.array([len(own) for own in programs], np.int64),
        np.array(rows, np.float32),
        np.array([one.label for one in statements], np.float32),
    )


class _Network:
    """The scorer with its gradients."""

    def __init__(self, scale: tuple[Array, Array], seed: int) -> None:
        rng = np.random.default_rng(seed)
        inputs = len(PROGRAM) + len(STATEMENT)

        def drawn(*shape: int) -> Array:
            return rng.normal(0, shape[0] ** -0.5, shape).astype(np.float32)

        self.mean, self.spread = scale
        self.weights: dict[str, Array] = {
            "hidden": drawn(inputs, _HIDDEN),
            "hidden_bias": np.zeros(_HIDDEN, np.float32),
            "attention": drawn(_HIDDEN),
            "vote": drawn(_HIDDEN),
            "own": drawn(len(STATEMENT), _OWN),
            "own_bias": np.zeros(_OWN, np.float32),
            "own_vote": drawn(_OWN),
            "bias": np.zeros(1, np.float32),
        }

    def logits(self, data: Described) -> Array:
        """Score statements."""
        logits: Array = self._forward(data)[0]
        return logits

    def _forward(self, data: Described) -> tuple[Any, ...]:
        w, split = self.weights, len(PROGRAM)
        own = (data.statements - self.mean[split:]) / self.spread[split:]
        rows = (data.programs - self.mean[:split]) / self.spread[:split]
        context = own @ w["hidden"][split:] + w["hidden_bias"]
        inner = rows @ w["hidden"][:split] + np.repeat(context, data.counts, 0)
        active = np.maximum(inner, 0)
        pull, votes = active @ w["attention"], active @ w["vote"]
        starts = np.cumsum(data.counts) - data.counts
        powers = np.exp(pull - np.repeat(np.maximum.reduceat(pull, starts), data.counts))
        attention = powers / np.repeat(np.add.reduceat(powers, starts), data.counts)
        total = np.add.reduceat(attention * votes, starts)
        own_inner = own @ w["own"] + w["own_bias"]
        logit = total + np.maximum(own_inner, 0) @ w["own_vote"] + w["bias"][0]
        return logit, own, rows, inner, active, votes, attention, total, own_inner

    def step(self, data: Described) -> tuple[float, dict[str, Array]]:
        """Compute the loss and its gradients."""
        w = self.weights
        logit, own, rows, inner, active, votes, attention, total, own_inner = self._forward(data)
        loss = float(np.mean(np.logaddexp(0, logit) - data.labels * logit))
        slope = (1 / (1 + np.exp(-logit)) - data.labels) / len(logit)
        starts = np.cumsum(data.counts) - data.counts
        spread = np.repeat(slope, data.counts)
        d_vote = attention * spread
        d_pull = d_vote * (votes - np.repeat(total, data.counts))
        back = (np.outer(d_pull, w["attention"]) + np.outer(d_vote, w["vote"])) * (inner > 0)
        each = np.add.reduceat(back, starts)
        own_back = np.outer(slope, w["own_vote"]) * (own_inner > 0)
        gradients = {
            "hidden": np.concatenate([rows.T @ back, own.T @ each]),
            "hidden_bias": back.sum(0),
            "attention": active.T @ d_pull,
            "vote": active.T @ d_vote,
            "own": own.T @ own_back,
            "own_bias": own_back.sum(0),
            "own_vote": np.maximum(own_inner, 0).T @ slope,
            "bias": slope.sum(keepdims=True),
        }
        return loss, gradients

    def exported(self, temperature: float) -> ScorerWeights:
        """Round the numbers, and fold in the temperature."""
        w = dict(self.weights)
        for name in ("vote", "own_vote", "bias"):
            w[name] = w[name] / temperature

        def rounded(array: Array) -> Any:
            return np.round(array.astype(float), 4).tolist()

        return ScorerWeights(
            list(PROGRAM),
            list(STATEMENT),
            rounded(self.mean),
            rounded(self.spread),
            rounded(w["hidden"]),
            rounded(w["hidden_bias"]),
            rounded(w["attention"]),
            rounded(w["vote"]),
            rounded(w["own"]),
            rounded(w["own_bias"]),
            rounded(w["own_vote"]),
            float(w["bias"][0]),
        )


def fit_scorer(
    train: Described, held: Described, *, epochs: int = 12, seed: int = 1
) -> tuple[ScorerWeights, list[float]]:
    """Fit a scorer with Adam; return the best by loss on what is held out, and the losses."""
    mean = np.concatenate([train.programs.mean(0), train.statements.mean(0)])
    spread = np.concatenate([train.programs.std(0), train.statements.std(0)]) + 1e-2
    network = _Network((mean.astype(np.float32), spread.astype(np.float32)), seed)
    optimiser = Adam(network.weights, decay=1e-3)
    rng = np.random.default_rng(seed)
    losses: list[float] = []
    best = dict(network.weights)
    for epoch in range(epochs):
        rate = 2e-3 * 0.5 * (1 + np.cos(np.pi * epoch / epochs))
        order = rng.permutation(len(train.labels))
        for start in range(0, len(order), _BATCH):
            _, gradients = network.step(train.take(order[start : start + _BATCH]))
            optimiser.update(gradients, rate)
        logits = network.logits(held)
        loss = float(np.mean(np.logaddexp(0, logits) - held.labels * logits))
        right = float(np.mean((logits > 0) == (held.labels > 0.5)))
        said = f"held-out loss {loss:.4f}, {100 * right:.1f} % right"
        click.echo(f"epoch {epoch + 1}: {said}", err=True)
        losses.append(loss)
        if loss == min(losses):
            best = {name: weight.copy() for name, weight in network.weights.items()}
    network.weights.update(best)
    return network.exported(_temperature(network.logits(held), held.labels)), losses


def _temperature(logits: Array, labels: Array) -> float:
    """Find by how much to divide the logits so that they mean what they say."""
    tried = np.geomspace(0.5, 3, 60)
    losses = [float(np.mean(np.logaddexp(0, logits / t) - labels * logits / t)) for t in tried]
    return float(tried[int(np.argmin(losses))])


@click.command()
@click.option("--data", required=True, type=Path, help="A folder with TabFact's three files.")
@click.option("-o", "--output", required=True, type=Path, help="Where to write the weights.")
@click.option("--limit", type=int, help="Only so many statements, for a quick try.")
@click.option("--seed", default=1, show_default=True, help="Decides order and first weights.")
def main(data: Path, output: Path, limit: int | None, seed: int) -> None:
    """Train the scorer of table programs."""
    found = read_tabfact(data)
    statements = found.training[:limit]
    described = describe(statements, found.views(statements))
    held = np.array([bucket(f"held {one.table}") < _HELD for one in statements])
    weights, _ = fit_scorer(
        described.take(np.flatnonzero(~held)), described.take(np.flatnonzero(held)), seed=seed
    )
    split = len(PROGRAM)
    scale = (np.array(weights.mean[split:]), np.array(weights.spread[split:]))
    speaks, bias = fit_speaks(statements, found.tables, scale, count=_SILENCED, seed=seed)
    weights = replace(weights, speaks=speaks, speaks_bias=bias)
    output.write_bytes(msgspec.json.encode(weights) + b"\n")


if __name__ == "__main__":
    main()
