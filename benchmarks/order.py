"""Measure whether the order of evidence sways the judge: it should not.

    python benchmarks/order.py --data DIR --corpus DIR [--model DIR] [--write-docs]

Supported and refuted claims are judged by their gold sentences alone, and by the same among what
was found, five in all: gold first, or in any order. Open claims are judged by the five found, as
found and in any order. An encoder that was taught one label with its evidence in one order, and
another label in another, does well on gold evidence and badly here.
"""

import argparse
import operator
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from check import sentence
from feverfew.check import Checker
from feverfew.judge import Judge
from feverfew.judge.judge import PIECES, pieces_of
from feverfew.judge.reading import Piece
from feverfew.lab.train.measure import wilson
from feverfew.lab.train.splits import development
from feverfew.types import Claim
from tables import RESULTS, write_docs

Pieces = list[Piece]


def right(judge: Judge, claims: Sequence[Claim], pieces: Sequence[Pieces]) -> dict[str, float]:
    """Return the share judged rightly, with its interval."""
    said = [one.verdict for one in judge.judge([claim.text for claim in claims], pieces)]
    count = sum(map(operator.is_, said, (claim.label for claim in claims)))
    low, high = wilson(count, len(claims))
    return {"value": count / len(claims), "low": low, "high": high}


def orders(checker: Checker, claims: Sequence[Claim], seed: int) -> dict[str, Any]:
    """Judge the same claims by the same evidence in several orders."""
    rng = random.Random(seed)
    found = [
        pieces_of(one.evidence)
        for one in checker.choose([claim.text for claim in claims], sentences_only=True)
    ]
    settled = [(claim, own) for claim, own in zip(claims, found, strict=True) if claim.evidence]
    still_open = [
        (claim, own) for claim, own in zip(claims, found, strict=True) if not claim.evidence
    ]
    gold = [
        [(ref.page, sentence(checker.corpus, ref)) for ref in min(claim.evidence, key=len)]
        for claim, _ in settled
    ]
    first = [
        [*own, *[piece for piece in near if piece not in own]][:PIECES]
        for own, (_, near) in zip(gold, settled, strict=True)
    ]
    ways = {
        "settled, gold alone": (settled, gold),
        "settled, gold first, then what was found": (settled, first),
        "settled, the same in any order": (settled, [rng.sample(one, len(one)) for one in first]),
        "open, as found": (still_open, [near for _, near in still_open]),
        "open, the same in any order": (
            still_open,
            [rng.sample(near, len(near)) for _, near in still_open],
        ),
    }
    return {
        name: {"claims": len(own), **right(checker.judge, [claim for claim, _ in own], pieces)}
        for name, (own, pieces) in ways.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--model", type=Path, help="instead of the shipped one")
    parser.add_argument("--sample", type=int, default=450, help="only the first so many claims")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, default=RESULTS / "order.json")
    parser.add_argument("--write-docs", action="store_true")
    given = parser.parse_args()
    checker = Checker.open(given.corpus, given.model)
    claims = development(given.data, checker.corpus).report[: given.sample]
    found = orders(checker, claims, given.seed)
    for name, one in found.items():
        print(f"{name:45} {one['claims']:5} {one['value']:7.1%}")
    given.json.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
    if given.write_docs:
        write_docs()


if __name__ == "__main__":
    main()
