"""Train the scorer of table programs on TabFact, and when a table says nothing about a claim.

Two fifths of the tables of `tabfact_val` are only reported on, and never seen here; a tenth of the
others is held out for early stopping and calibration. All statements are true or false of their
table; so each is also set beside a table that leaves it open (`tableclaims.silenced`).
"""

import copy
import math
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from torch import nn
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from feverfew.lab.train.datasets import Statement, bucket, read_tabfact
from feverfew.lab.train.network import shown
from feverfew.lab.train.tableclaims import silenced
from feverfew.tables.programs import PROGRAM, STATEMENT, ScorerWeights, try_programs
from feverfew.tables.view import TableView

Array = NDArray[np.float32]
_HIDDEN, _OWN = 32, 12
_BATCH = 128
_RIDGE = 3.0
_SILENCED = 3000
"""Statements that show when a table says nothing about a claim."""
_HELD = 26
"""Of 256 tables, so many are held out for early stopping."""


class Described(Struct, frozen=True):
    """Statements as features; the programs' features of all statements are stacked."""

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
    for one in shown(statements, "trying programs"):
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


class _Scorer(nn.Module):  # type: ignore[misc]
    """The scorer of `feverfew.tables.programs`, as a module that can be trained."""

    def __init__(self, mean: Array, spread: Array, seed: int) -> None:
        super().__init__()
        rng = np.random.default_rng(seed)
        inputs = len(PROGRAM) + len(STATEMENT)

        def drawn(*shape: int) -> Any:
            own = rng.normal(0, shape[0] ** -0.5, shape)
            return nn.Parameter(torch.tensor(own, dtype=torch.float32))

        self.mean, self.spread = torch.from_numpy(mean), torch.from_numpy(spread)
        self.hidden, self.hidden_bias = drawn(inputs, _HIDDEN), nn.Parameter(torch.zeros(_HIDDEN))
        self.attention, self.vote = drawn(_HIDDEN), drawn(_HIDDEN)
        self.own, self.own_bias = drawn(len(STATEMENT), _OWN), nn.Parameter(torch.zeros(_OWN))
        self.own_vote, self.bias = drawn(_OWN), nn.Parameter(torch.zeros(1))

    def forward(self, data: Described) -> Any:
        """Return a logit for each statement."""
        split, counts = len(PROGRAM), data.counts.tolist()
        own = (torch.from_numpy(data.statements) - self.mean[split:]) / self.spread[split:]
        rows = (torch.from_numpy(data.programs) - self.mean[:split]) / self.spread[:split]
        context = own @ self.hidden[split:] + self.hidden_bias
        inner = rows @ self.hidden[:split]
        inner = inner + context.repeat_interleave(torch.tensor(counts), 0)
        active = functional.relu(inner)
        pulls, votes = (
            pad_sequence(torch.split(active @ way, counts), batch_first=True, padding_value=empty)
            for way, empty in ((self.attention, -torch.inf), (self.vote, 0.0))
        )
        total = (pulls.softmax(1) * votes).sum(1)
        return total + functional.relu(own @ self.own + self.own_bias) @ self.own_vote + self.bias

    def exported(self, temperature: float) -> ScorerWeights:
        """Round the numbers, and divide the votes by the temperature."""

        def rounded(numbers: Any, by: float = 1.0) -> Any:
            return np.round(numbers.detach().numpy().astype(float) / by, 4).tolist()

        return ScorerWeights(
            list(PROGRAM),
            list(STATEMENT),
            rounded(self.mean),
            rounded(self.spread),
            rounded(self.hidden),
            rounded(self.hidden_bias),
            rounded(self.attention),
            rounded(self.vote, temperature),
            rounded(self.own),
            rounded(self.own_bias),
            rounded(self.own_vote, temperature),
            float(self.bias) / temperature,
        )


def fit_scorer(
    train: Described, held: Described, *, epochs: int = 12, seed: int = 1
) -> tuple[ScorerWeights, list[float]]:
    """Fit a scorer with AdamW; return the best by loss on what is held out, and the losses."""
    mean = np.concatenate([train.programs.mean(0), train.statements.mean(0)])
    spread = np.concatenate([train.programs.std(0), train.statements.std(0)]) + 1e-2
    model = _Scorer(mean.astype(np.float32), spread.astype(np.float32), seed)
    parameters = [
        {"params": [own for own in model.parameters() if own.ndim > 1], "weight_decay": 1e-3},
        {"params": [own for own in model.parameters() if own.ndim == 1], "weight_decay": 0.0},
    ]
    adam = torch.optim.AdamW(parameters, 2e-3)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        adam, lambda epoch: 0.5 * (1 + math.cos(math.pi * epoch / epochs))
    )
    rng = np.random.default_rng(seed)
    losses: list[float] = []
    best = copy.deepcopy(model.state_dict())
    for epoch in range(epochs):
        order = rng.permutation(len(train.labels))
        for start in range(0, len(order), _BATCH):
            batch = train.take(order[start : start + _BATCH])
            adam.zero_grad()
            _loss(model(batch), torch.from_numpy(batch.labels)).backward()
            adam.step()
        schedule.step()
        with torch.no_grad():
            logits = model(held)
        losses.append(float(_loss(logits, torch.from_numpy(held.labels))))
        right = float(np.mean((logits.numpy() > 0) == (held.labels > 0.5)))
        said = f"held-out loss {losses[-1]:.4f}, {100 * right:.1f} % right"
        click.echo(f"epoch {epoch + 1}: {said}", err=True)
        if losses[-1] == min(losses):
            best = copy.deepcopy(model.state_dict())
    model.load_state_dict(best)
    with torch.no_grad():
        return model.exported(_temperature(model(held).numpy(), held.labels)), losses


_loss = functional.binary_cross_entropy_with_logits


def _temperature(logits: Array, labels: Array) -> float:
    """Find by how much to divide the logits so that they mean what they say."""
    tried = np.geomspace(0.5, 3, 60)
    losses = [float(np.mean(np.logaddexp(0, logits / t) - labels * logits / t)) for t in tried]
    return float(tried[int(np.argmin(losses))])


def fit_speaks(
    statements: Sequence[Statement],
    tables: dict[str, dict[str, Any]],
    scale: tuple[Array, Array],
    *,
    count: int,
    seed: int,
) -> tuple[list[float], float]:
    """Fit a logistic regression over the statement's features; return its weights and bias."""
    rng = random.Random(seed)
    chosen = rng.sample(list(statements), min(count, len(statements)))
    names = sorted(tables)
    rows: list[Array] = []
    for one in chosen:
        own = tables[one.table]
        view = TableView.of_rows(own["rows"], own["caption"])
        rows.append(try_programs(one.text, view).statement)
        rows.append(try_programs(one.text, silenced(one, tables, names, rng)).statement)
    inputs = np.hstack([(np.array(rows) - scale[0]) / scale[1], np.ones((len(rows), 1))])
    labels = np.tile([1.0, 0.0], len(chosen))
    # The ones are the bias, which is drawn to zero like the weights.
    fitted = LogisticRegression(C=1 / _RIDGE, fit_intercept=False).fit(inputs, labels)
    found: list[float] = np.round(fitted.coef_[0], 4).tolist()
    return found[:-1], found[-1]


def train_programs(data: Path, seed: int) -> ScorerWeights:
    """Train the scorer on the folder with TabFact's three files."""
    found = read_tabfact(data)
    described = describe(found.training, found.views(found.training))
    held = np.array([bucket(f"held {one.table}") < _HELD for one in found.training])
    weights, _ = fit_scorer(
        described.take(np.flatnonzero(~held)), described.take(np.flatnonzero(held)), seed=seed
    )
    split = len(PROGRAM)
    scale = (np.array(weights.mean[split:]), np.array(weights.spread[split:]))
    speaks, bias = fit_speaks(found.training, found.tables, scale, count=_SILENCED, seed=seed)
    return replace(weights, speaks=speaks, speaks_bias=bias)
