"""Train the page ranker: `python -m …lab.train.ranker --corpus DIR --claims FILE … -o FILE`.

Claims are JSON lines with `claim` and the gold pages, as `pages`, `page`, or FEVER's `evidence`.
A tenth of them, split off by page, is held out for early stopping.
"""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec
import numpy as np

from feverfew.corpus import Corpus
from feverfew.lab.train.network import Group, fit, held_out
from feverfew.models.network import Network
from feverfew.readers.files import open_bytes
from feverfew.retrieve.features import FEATURES, HOP_FEATURES
from feverfew.retrieve.retrievers import ClaimSearch, Round

Gold = list[tuple[str, frozenset[str]]]


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

    networks["first"] = fit(_describe(gold, first_round), held, FEATURES, seed)
    ranker = networks["first"]
    second = _describe(gold, second_round)
    networks["second"] = fit(second, held, FEATURES + HOP_FEATURES, seed)
    output.write_bytes(msgspec.json.encode(networks) + b"\n")


def _describe(gold: list[Any], describe: Callable[[str], Round]) -> list[Group]:
    """Describe every claim's candidates, as arrays: there are a million of them."""
    with click.progressbar(gold, file=sys.stderr) as bar:
        return [
            (
                np.array(found.rows, np.float32),
                np.array([n in numbers for n in found.numbers], bool),
            )
            for claim, numbers, _ in bar
            for found in [describe(claim)]
        ]


if __name__ == "__main__":
    main()
