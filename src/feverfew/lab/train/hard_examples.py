"""Keep the pairs a model still has to learn: `python -m …lab.train.hard_examples PAIRS -o FILE`.

A pair whose label the model already gives nearly its whole share teaches little, and costs as
much as any other; reading it by the shipped int8 model costs a fifth of learning from it. Pairs
that the model is sure are otherwise are mostly labelled wrongly. Some easy ones stay, so that
what is known is not forgotten.
"""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from feverfew.lab.train.pairs import NOT_SUPPORTED, UNKNOWN, Pair, read_pairs
from feverfew.models.encoder import Encoder

__all__ = ["harder"]

EASY, DOUBTFUL = 0.9, 0.02
"""The label's share from which on a pair is easy, and below which it is doubtful."""
_CHUNK = 2048


def harder(
    shares: Sequence[tuple[float, float, float]], pairs: Sequence[Pair], stay: float, seed: int
) -> list[int]:
    """Return which pairs to keep: those between easy and doubtful, and so many of the easy."""
    rng = random.Random(seed)
    kept = []
    for at, (pair, own) in enumerate(zip(pairs, shares, strict=True)):
        if pair.verdict == UNKNOWN:
            kept.append(at)
            continue
        known = 1 - own[0] if pair.verdict == NOT_SUPPORTED else own[pair.verdict]
        if DOUBTFUL <= known < EASY or (known >= EASY and rng.random() < stay):
            kept.append(at)
    return kept


def _read(encoder: Encoder, pairs: Sequence[Pair]) -> Iterator[tuple[float, float, float]]:
    for start in range(0, len(pairs), _CHUNK):
        chunk = pairs[start : start + _CHUNK]
        yield from encoder.verdict(
            [(pair.claim, pair.evidence) for pair in chunk], [pair.kind for pair in chunk]
        )
        click.echo(f"{start + len(chunk)} of {len(pairs)} pairs read", err=True)


@click.command()
@click.argument("pairs", type=click.Path(path_type=Path))
@click.option("--model", type=click.Path(path_type=Path), help="Another model than the shipped.")
@click.option("--draw", type=int, help="Read so many, drawn at random, instead of all.")
@click.option("--stay", default=0.1, show_default=True, help="The share of easy pairs to keep.")
@click.option("--seed", default=1, show_default=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True)
def main(
    pairs: Path, model: Path | None, draw: int | None, stay: float, seed: int, output: Path
) -> None:
    """Write the pairs of a file that are worth learning from."""
    read, lines = read_pairs(pairs), pairs.read_bytes().splitlines()
    order = list(range(len(read)))
    random.Random(seed).shuffle(order)
    order = order[:draw]
    encoder = Encoder.open(model) if model else Encoder.shipped()
    drawn = [read[at] for at in order]
    kept = harder(list(_read(encoder, drawn)), drawn, stay, seed)
    output.write_bytes(b"".join(lines[order[at]] + b"\n" for at in kept))
    click.echo(f"{len(kept)} of {len(order)} pairs kept", err=True)


if __name__ == "__main__":
    main()
