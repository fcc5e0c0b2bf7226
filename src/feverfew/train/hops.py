"""Train the hop scorer: `python -m feverfew.train.hops --corpus DIR --claims FILE -o FILE`.

Claims are HoVer's. A third of them, by the question that they were made from, is kept aside to
report on (`hover.is_test`). Of the rest, a tenth decides when to stop. The scorer of each
round is trained on what those before it lead to, so all claims advance together. numpy is all it
needs.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import click
import msgspec
import numpy as np

from feverfew.corpus import Corpus
from feverfew.retrieve import Ranked
from feverfew.retrieve.asked import Floats
from feverfew.retrieve.hops import ROUNDS, SEEDS, beam, extended
from feverfew.retrieve.ranker import Network, Ranker
from feverfew.retrieve.trail import Trail
from feverfew.retrieve.trail_features import TRAIL_FEATURES, trail_features
from feverfew.train.hover import HoverClaim, hover_claims, is_held_out, is_test
from feverfew.train.network import Group, fit

__all__ = ["Journey"]

_HARDEST, _OTHERS = 45, 15
"""How many wrong pages a claim is trained with: the best by the last round, and any others."""


class Journey:
    """A claim with its gold pages, on its way through the rounds."""

    def __init__(self, corpus: Corpus, ranked: Ranked, claim: HoverClaim) -> None:
        seeds = ranked.retrieve([claim.text], SEEDS)[0]
        self.trail = Trail(corpus, claim.text, seeds)
        self.scores: Floats = np.zeros(len(self.trail), np.float32)
        self.rows = trail_features(self.trail, self.scores)
        self.gold = {corpus.number(page) for page in claim.pages}
        self.held = is_held_out(claim.question)

    def group(self, rng: np.random.Generator) -> Group:
        """Return what is trained on: all gold pages, and some others."""
        gold = np.array([number in self.gold for number in self.trail.numbers], bool)
        order = np.argsort(-self.scores, kind="stable")
        wrong = order[~gold[order]]
        others = rng.permutation(wrong[_HARDEST:])[:_OTHERS]
        chosen = np.concatenate([np.flatnonzero(gold), wrong[:_HARDEST], others])
        return self.rows[chosen], gold[chosen]

    def advance(self, ranker: Ranker, width: int) -> None:
        """Score, read the best pages, and describe all that is known then."""
        self.scores = ranker.score_array(self.rows)
        if width:
            self.trail.follow(beam(self.trail, self.scores, width))
            self.scores = extended(self.scores, len(self.trail))
            self.rows = trail_features(self.trail, self.scores)

    def found(self, depth: int) -> bool:
        """Say whether all gold pages are among the best."""
        best = np.argsort(-self.scores, kind="stable")[:depth].tolist()
        return self.gold <= {self.trail.numbers[at] for at in best}


@click.command()
@click.option("--corpus", "directory", required=True, type=Path, help="A corpus directory.")
@click.option("--claims", required=True, type=Path, help="HoVer's claims.")
@click.option("-o", "--output", required=True, type=Path, help="Where to write the networks.")
@click.option("--most", default=100_000, show_default=True, help="Train on no more claims.")
@click.option("--seed", default=1, show_default=True, help="Decides order and first weights.")
def main(directory: Path, claims: Path, output: Path, most: int, seed: int) -> None:
    """Train the network of every round."""
    corpus = Corpus.open(directory)
    ranked = Ranked.open(corpus)
    rng = np.random.default_rng(seed)
    given = [claim for claim in hover_claims(claims) if not is_test(claim.question)]
    chosen = [given[at] for at in rng.permutation(len(given))[:most]]
    journeys = [Journey(corpus, ranked, claim) for claim in _shown(chosen, "setting out")]
    networks: dict[str, Network] = {}
    for number, width in enumerate([*ROUNDS, 0]):
        groups = [journey.group(rng) for journey in journeys]
        network = fit(groups, [journey.held for journey in journeys], TRAIL_FEATURES, seed)
        networks[f"round {number}"] = network
        output.write_bytes(msgspec.json.encode(networks) + b"\n")
        ranker = Ranker(network, TRAIL_FEATURES)
        for journey in _shown(journeys, f"round {number}"):
            journey.advance(ranker, width)
        _say(journeys)


def _say(journeys: list[Journey]) -> None:
    for name, held in (("trained on", False), ("held out", True)):
        for hops in (2, 3, 4):
            own = [j for j in journeys if j.held == held and len(j.gold) == hops]
            ten, hundred = (
                100 * sum(j.found(depth) for j in own) / (len(own) or 1) for depth in (10, 100)
            )
            click.echo(
                f"{name}, {hops} pages: {len(own)} claims, all pages in the top 10: "
                f"{ten:.1f} %, in the top 100: {hundred:.1f} %",
                err=True,
            )


_T = TypeVar("_T")


def _shown(items: list[_T], label: str) -> Iterator[_T]:
    with click.progressbar(items, label=label, file=sys.stderr) as bar:
        yield from bar


if __name__ == "__main__":
    main()
