"""Pairs about bounds, from pairs that are at hand: python -m feverfew.lab.train.bounded --help.

A supported claim whose number its evidence has is said with a bound, rightly and wrongly; and so is
a sentence itself, beside itself. Some are set beside another sentence of the page without any
number, which leaves them open: a comparing word must not tell the label.
"""

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from feverfew.factory.bounds import bounds
from feverfew.models.inputs import plain
from feverfew.readers.files import open_bytes

Piece = tuple[str, str]
_LONGEST = 160
"""Letters of a sentence that is made a claim."""
_OPEN = 0.15
"""Share of the claims that are set beside a silent sentence."""


def bounded_pairs(records: Iterable[dict[str, Any]], seed: int = 1) -> Iterator[dict[str, Any]]:
    """Yield pairs made from training pairs, in their order."""
    rng = random.Random(seed)
    silent: dict[str, str] = {}
    for record in records:
        pieces = [(title, text) for title, text in record["evidence"]]
        silent |= {title: text for title, text in pieces if title and not re.search(r"\d", text)}
        for claim in _true(record, pieces):
            for bound in bounds(claim, rng):
                if bound.number not in " ".join(text for _, text in pieces):
                    continue
                page = pieces[0][0]
                if page in silent and rng.random() < _OPEN:
                    yield _pair(bound.claim, [(page, silent[page])], "N")
                else:
                    yield _pair(bound.claim, pieces, "S" if bound.supported else "R")


def _true(record: dict[str, Any], pieces: Sequence[Piece]) -> Iterator[str]:
    if record.get("label") == "S":
        yield record["claim"]
    elif "label" not in record and len(pieces) == 1 and len(pieces[0][1]) <= _LONGEST:
        yield plain(pieces[0][1])


def _pair(claim: str, pieces: Sequence[Piece], label: str) -> dict[str, Any]:
    return {"claim": claim, "evidence": list(pieces), "label": label}


def _records(paths: Sequence[Path]) -> Iterator[dict[str, Any]]:
    for path in paths:
        with open_bytes(path) as lines:
            yield from map(msgspec.json.decode, lines)


@click.command()
@click.argument("pairs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--most", type=click.IntRange(min=1), default=40_000, help="Pairs to write.")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path))
def main(pairs: tuple[Path, ...], most: int, output: Path) -> None:
    """Write pairs about bounds, made from files of supported pairs and of relevance."""
    made = list(bounded_pairs(_records(pairs)))
    random.Random(1).shuffle(made)
    with output.open("wb") as out:
        out.writelines(msgspec.json.encode(pair) + b"\n" for pair in made[:most])
    click.echo(f"{output}: {min(len(made), most):,} pairs of {len(made):,}")


if __name__ == "__main__":
    main()
