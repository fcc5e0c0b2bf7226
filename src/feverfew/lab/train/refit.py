"""Fit a verdict head of an exported model again: `python -m …lab.train.refit MODEL PAIRS …`.

While the encoder learns, its heads are never quite where its last states would have them, and a
kind of evidence that is drawn seldom has a head that has seen little. Here the states stay as they
are, int8 as in use, and the head is fitted to all pairs at once. numpy is all it needs.
"""

import random
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec
import numpy as np
from numpy.typing import NDArray

from feverfew.errors import InputError
from feverfew.lab.train.pairs import LABELS, NOT_SUPPORTED, UNKNOWN, Pair, read_pairs
from feverfew.models.encoder import Encoder
from feverfew.models.heads import Head, Heads

__all__ = ["fit_head"]

Array = NDArray[np.float32]
_STEPS = 500
_RATE = 0.02
_RIDGE = 1e-3
_CHUNK = 1024


def fit_head(states: Array, labels: Sequence[int], ridge: float = _RIDGE) -> Head:
    """Fit a linear head by Adam on all rows at once; a label X is R or N, whichever is likelier."""
    mean, spread = states.mean(0), states.std(0) + 1e-6
    scaled = (states - mean) / spread
    known = np.array(labels)
    weights = np.zeros((states.shape[1] + 1, len(LABELS)), np.float32)
    moments = [np.zeros_like(weights), np.zeros_like(weights)]
    for step in range(1, _STEPS + 1):
        shares = _shares(scaled @ weights[:-1] + weights[-1])
        error = (shares - _targets(shares, known)) / len(known)
        slope = np.vstack([scaled.T @ error + ridge * weights[:-1], error.sum(0, keepdims=True)])
        for moment, value, keep in zip(moments, (slope, slope**2), (0.9, 0.999), strict=True):
            moment *= keep
            moment += (1 - keep) * value
        near, size = moments[0] / (1 - 0.9**step), moments[1] / (1 - 0.999**step)
        weights -= _RATE * (1 - step / (_STEPS + 1)) * near / (np.sqrt(size) + 1e-8)
    rows = (weights[:-1] / spread[:, None]).T
    bias = weights[-1] - rows @ mean
    return Head(
        rows.astype(np.float64).round(6).tolist(), bias.astype(np.float64).round(6).tolist()
    )


def _shares(logits: Array) -> Array:
    powers = np.exp(logits - logits.max(1, keepdims=True))
    found: Array = powers / powers.sum(1, keepdims=True)
    return found


def _targets(shares: Array, labels: NDArray[np.int_]) -> Array:
    """Return what should be said; of R and N, where either may be right, as they are shared."""
    wanted = np.eye(len(LABELS) + 1, len(LABELS), dtype=np.float32)[labels]
    either = labels == NOT_SUPPORTED
    wanted[either, 1:] = shares[either, 1:] / shares[either, 1:].sum(1, keepdims=True)
    return wanted


@click.command()
@click.argument("model", type=click.Path(path_type=Path))
@click.argument("pairs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--draw", type=int, help="Read so many of each file, drawn at random.")
@click.option("--ridge", default=_RIDGE, show_default=True, help="What draws weights to zero.")
@click.option("--seed", default=1, show_default=True)
def main(model: Path, pairs: tuple[Path, ...], draw: int | None, ridge: float, seed: int) -> None:
    """Fit the head that the pairs name, all of them the same; MODEL's heads.json gets it."""
    drawn: list[Pair] = []
    for path in pairs:
        known = [pair for pair in read_pairs(path) if pair.verdict != UNKNOWN]
        random.Random(seed).shuffle(known)
        drawn += known[:draw]
    kinds = {pair.kind for pair in drawn}
    if len(kinds) != 1:
        raise InputError("the pairs teach several heads: give files of one kind")
    encoder, read = Encoder.open(model), list[Array]()
    for start in range(0, len(drawn), _CHUNK):
        chunk = drawn[start : start + _CHUNK]
        read.append(encoder.states([(pair.claim, pair.evidence) for pair in chunk]))
        click.echo(f"{start + len(chunk):,} of {len(drawn):,} pairs read", err=True)
    head = fit_head(np.concatenate(read), [pair.verdict for pair in drawn], ridge)
    name = ("verdict", "cells", "chain")[kinds.pop()]
    msgspec.structs.replace(Heads.read(model), **{name: head}).write(model)
    click.echo(f"{model}: the head of {name} was fitted to {len(drawn):,} pairs")


if __name__ == "__main__":
    main()
