"""Make training pairs for the encoder from HoVer: `python -m feverfew.lab.train.hoverpairs`.

A claim is shown with its gold sentences, on two to four pages, alone and among others of the same
pages. HoVer does not tell refuted from open claims: both are "not supported" (X). A supported claim
without the sentences of one of its pages is open. The test third is left out.
"""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from feverfew.corpus import Corpus
from feverfew.lab.train.hover import hover_claims, is_test

__all__ = ["gold_pieces", "hover_pairs"]

Piece = tuple[str, str]
_BESIDE = 3


def gold_pieces(corpus: Corpus, facts: Sequence[tuple[str, int]]) -> list[Piece]:
    """Look gold sentences up, each a page and an index, as far as the corpus has them."""
    found = []
    for title, index in facts:
        if title in corpus:
            found += [(title, s.text) for s in corpus.page(title).sentences if s.index == index]
    return found


def hover_pairs(corpus: Corpus, claims: Path, seed: int = 1) -> Iterator[dict[str, Any]]:
    """Yield the pairs of every claim that may be learned from."""
    rng = random.Random(seed)
    for claim in hover_claims(claims):
        pieces = gold_pieces(corpus, claim.facts)
        if is_test(claim.question) or len(pieces) < len(claim.facts):
            continue
        label = "S" if claim.label == "SUPPORTED" else "X"
        yield _pair(claim.text, pieces, label)
        beside = [
            (title, s.text)
            for title in claim.pages
            for s in corpus.page(title).sentences
            if (title, s.text) not in pieces
        ]
        if beside:
            among = [*pieces, *rng.sample(beside, min(len(beside), rng.randint(1, _BESIDE)))]
            rng.shuffle(among)
            yield _pair(claim.text, among, label)
        if label == "S" and len(claim.pages) > 1:
            lost = rng.choice(claim.pages)
            left = [piece for piece in pieces if piece[0] != lost]
            yield _pair(claim.text, left, "N")


def _pair(claim: str, pieces: Sequence[Piece], label: str) -> dict[str, Any]:
    return {"claim": claim, "evidence": pieces, "label": label, "head": "chain"}


@click.command()
@click.option("--corpus", type=click.Path(path_type=Path), required=True, help="HoVer's pages.")
@click.option("--claims", type=click.Path(path_type=Path), required=True, help="HoVer's claims.")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="A file.")
def main(corpus: Path, claims: Path, output: Path) -> None:
    """Write pairs for `feverfew train encoder`."""
    with Corpus.open(corpus) as opened, output.open("wb") as out:
        out.writelines(msgspec.json.encode(pair) + b"\n" for pair in hover_pairs(opened, claims))


if __name__ == "__main__":
    main()
