"""Fit how FEVEROUS reads probabilities: `python -m feverfew.lab.train.readings --data DIR -o FILE`.

DIR holds `feverous/`. Learned from are the sentence claims of the two thirds of pages that are not
reported on: with all their sentences, and, as FEVEROUS makes its open claims, supported ones with a
sentence missing. Labels count as often as they occur in FEVEROUS.
"""

import random
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import click
import msgspec
import numpy as np
from numpy.typing import NDArray

from feverfew.judge import Judge, Probabilities
from feverfew.judge.label_policy import FEVER
from feverfew.judge.reading import Piece
from feverfew.lab.train.feverousclaims import SentenceClaim, label_shares, read_sentence_claims

__all__ = ["cases", "fit_weights"]

_GROUP = 64
_TRIED = np.round(np.geomspace(0.1, 10, 41), 3)
_NEAR = 0.005
"""Of weights whose share of right answers differs by less, those nearest to 1 are taken."""

Case = tuple[str, tuple[Piece, ...], int]
"""A claim, its evidence, and which verdict is right: 0 S, 1 R, 2 N."""


def cases(claims: Sequence[SentenceClaim], seed: int) -> list[Case]:
    """List claims with all their sentences, and supported ones with one missing: those are open."""
    rng = random.Random(seed)
    made: list[Case] = [(one.claim, one.pieces, one.label) for one in claims]
    made += [
        (one.claim, tuple(rng.sample(one.pieces, len(one.pieces) - 1)), 2)
        for one in claims
        if one.label == 0 and len(one.pieces) > 1
    ]
    return made


def fit_weights(
    shares: NDArray[np.float64], labels: NDArray[np.int64], often: Probabilities
) -> tuple[Probabilities, float]:
    """Find what to weigh R and N by; return the weights, and the share of right answers."""
    counts = np.bincount(labels, minlength=3)
    each = np.array(often)[labels] / np.maximum(counts, 1)[labels]
    scored = []
    for refuted, still_open in product(_TRIED.tolist(), _TRIED.tolist()):
        said = (shares * np.array([1.0, refuted, still_open])).argmax(1)
        right = float(each[said == labels].sum() / each.sum())
        scored.append((right, abs(np.log(refuted)) + abs(np.log(still_open)), refuted, still_open))
    best = max(right for right, *_ in scored)
    right, _, refuted, still_open = min(
        (one for one in scored if one[0] >= best - _NEAR), key=lambda one: one[1]
    )
    return (1.0, refuted, still_open), right


@click.command()
@click.option("--data", required=True, type=Path, help="The folder of all data sets.")
@click.option("-o", "--output", required=True, type=Path, help="Where to write the weights.")
@click.option("--model", type=Path, help="A model of your own; else the one that is shipped.")
@click.option("--limit", default=900, show_default=True, help="Claims that are learned from.")
@click.option("--seed", default=1, show_default=True, help="Decides what is drawn.")
def main(data: Path, output: Path, model: Path | None, limit: int, seed: int) -> None:
    """Fit the weights of FEVEROUS's reading."""
    found = [one for one in read_sentence_claims(data) if one.learned]
    drawn = random.Random(seed).sample(found, min(limit, len(found)))
    judge = Judge.open(model)
    made = cases(drawn, seed)
    shares: list[Probabilities] = []
    for start in range(0, len(made), _GROUP):
        group = made[start : start + _GROUP]
        judged = judge.judge([claim for claim, _, _ in group], [own for _, own, _ in group])
        shares += [one.probabilities for one in judged]
    labels = np.array([label for _, _, label in made])
    weights, right = fit_weights(np.array(shares), labels, label_shares(data))
    click.echo(f"{len(made):,} cases, {right:.1%} right with {weights}", err=True)
    output.write_bytes(msgspec.json.encode({"fever": FEVER.weights, "feverous": weights}) + b"\n")


if __name__ == "__main__":
    main()
