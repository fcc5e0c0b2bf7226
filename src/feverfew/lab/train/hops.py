"""Train the hop scorer: `python -m feverfew.lab.train.hops --corpus DIR --claims FILE -o FILE`.

Claims are HoVer's. A third of them, by the question that they were made from, is kept aside to
report on (`hover.is_test`). Of the rest, a tenth decides when to stop. `--more` adds others that
need several pages: FEVER's, or chains made from a corpus (`factory.extend`).

The scorer of each round is trained on what those before it lead to, so all claims advance together.
Each half of the claims is led on by a scorer that was trained on the other half: a scorer's own
claims get better scores than any others will, and later rounds would learn to trust them too much.
numpy and the encoder are all it needs.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import click
import msgspec
import numpy as np

from feverfew.corpus import Corpus
from feverfew.judge import Encoder
from feverfew.lab.train.hover import HoverClaim, half, hover_claims, is_held_out, is_test
from feverfew.lab.train.network import Group, fit
from feverfew.lab.train.ranker import read_gold
from feverfew.models.network import Network
from feverfew.retrieve import Ranked
from feverfew.retrieve.claim_coverage import Floats
from feverfew.retrieve.encoder_rerank import hear
from feverfew.retrieve.hops import ROUNDS, SEEDS, beam, extended
from feverfew.retrieve.multihop import MultiHopSearch
from feverfew.retrieve.multihop_features import TRAIL_FEATURES, trail_features

__all__ = ["Journey", "more_claims"]

_HARDEST, _OTHERS = 45, 15
"""How many wrong pages a claim is trained with: the best by the last round, and any others."""
_MOST_PAGES = 4
"""A claim of more gold pages has them because several of them say the same."""


class Journey:
    """A claim with its gold pages, on its way through the rounds."""

    def __init__(self, corpus: Corpus, ranked: Ranked, claim: HoverClaim) -> None:
        seeds = ranked.retrieve([claim.text], SEEDS)[0]
        self.trail = MultiHopSearch(corpus, claim.text, seeds)
        self.scores: Floats = np.zeros(len(self.trail), np.float32)
        self.rows = trail_features(self.trail, self.scores)
        self.gold = {corpus.number(page) for page in claim.pages}
        self.held = is_held_out(claim.question)
        self.half = half(claim.question)
        self.hops = claim.hops

    def group(self, rng: np.random.Generator) -> Group:
        """Return what is trained on: all gold pages, and some others."""
        gold = np.array([number in self.gold for number in self.trail.numbers], bool)
        order = np.argsort(-self.scores, kind="stable")
        wrong = order[~gold[order]]
        others = rng.permutation(wrong[_HARDEST:])[:_OTHERS]
        chosen = np.concatenate([np.flatnonzero(gold), wrong[:_HARDEST], others])
        return self.rows[chosen], gold[chosen]

    def advance(self, ranker: Network, width: int, encoder: Encoder) -> None:
        """Score, read the best pages, and describe all that is known then."""
        self.scores = ranker.score_array(self.rows)
        if width:
            places = beam(self.trail, self.scores, width)
            hear(encoder, [self.trail], [places], [self.scores])
            self.trail.follow(places)
            self.scores = extended(self.scores, len(self.trail))
            self.rows = trail_features(self.trail, self.scores)

    def found(self, depth: int) -> bool:
        """Say whether all gold pages are among the best."""
        best = np.argsort(-self.scores, kind="stable")[:depth].tolist()
        return self.gold <= {self.trail.numbers[at] for at in best}


def more_claims(
    paths: Sequence[Path], corpus: Corpus, rng: np.random.Generator
) -> list[HoverClaim]:
    """Read claims that need several pages of the corpus, and half as many that need one."""
    several: list[HoverClaim] = []
    one: list[HoverClaim] = []
    for number, (text, pages) in enumerate(read_gold(paths)):
        if len(pages) > _MOST_PAGES or any(page not in corpus for page in pages):
            continue
        facts = tuple((page, 0) for page in sorted(pages))
        made = HoverClaim(f"more {number}", text, facts, "", 0, min(pages))
        (several if len(pages) > 1 else one).append(made)
    return several + [one[at] for at in rng.permutation(len(one))[: len(several) // 2]]


@click.command()
@click.option("--corpus", "directory", required=True, type=Path, help="A corpus directory.")
@click.option("--claims", required=True, type=Path, help="HoVer's claims.")
@click.option(
    "--more",
    multiple=True,
    type=Path,
    help="Other claims, JSON lines with `claim` and `pages`; those of several pages are taken.",
)
@click.option("--model", type=Path, help="A model of your own; else the one that is shipped.")
@click.option("-o", "--output", required=True, type=Path, help="Where to write the networks.")
@click.option("--most", default=100_000, show_default=True, help="Train on no more claims.")
@click.option("--seed", default=1, show_default=True, help="Decides order and first weights.")
def main(
    directory: Path,
    claims: Path,
    more: tuple[Path, ...],
    model: Path | None,
    output: Path,
    most: int,
    seed: int,
) -> None:
    """Train the network of every round."""
    corpus = Corpus.open(directory)
    ranked = Ranked.open(corpus)
    rng = np.random.default_rng(seed)
    given = [claim for claim in hover_claims(claims) if not is_test(claim.question)]
    given += more_claims(more, corpus, rng)
    chosen = [given[at] for at in rng.permutation(len(given))[:most]]
    encoder = Encoder.open(model) if model else Encoder.shipped()
    journeys = [Journey(corpus, ranked, claim) for claim in _shown(chosen, "setting out")]
    networks: dict[str, Network] = {}
    for number, width in enumerate([*ROUNDS, 0]):
        leaders = _fit(journeys, rng, seed)
        networks[f"round {number}"] = leaders[None]
        output.write_bytes(msgspec.json.encode(networks) + b"\n")
        for journey in _shown(journeys, f"round {number}"):
            journey.advance(leaders[None if journey.held else journey.half], width, encoder)
        _say(journeys)


def _fit(
    journeys: Sequence[Journey], rng: np.random.Generator, seed: int
) -> dict[int | None, Network]:
    """Train a round's network on all claims (None), and one for each half on the other half."""
    groups = [journey.group(rng) for journey in journeys]
    networks: dict[int | None, Network] = {}
    for own in (None, 0, 1):
        taken = [at for at, j in enumerate(journeys) if j.held or j.half != own]
        held = [journeys[at].held for at in taken]
        networks[own] = fit([groups[at] for at in taken], held, TRAIL_FEATURES, seed)
    return networks


def _say(journeys: list[Journey]) -> None:
    for name, held in (("by the other half", False), ("held out", True)):
        for hops in (2, 3, 4, 0):
            own = [j for j in journeys if j.held == held and j.hops == hops]
            ten, hundred = (
                100 * sum(j.found(depth) for j in own) / (len(own) or 1) for depth in (10, 100)
            )
            what = f"{hops} pages" if hops else "more"
            click.echo(
                f"{name}, {what}: {len(own)} claims, all pages in the top 10: "
                f"{ten:.1f} %, in the top 100: {hundred:.1f} %",
                err=True,
            )


_T = TypeVar("_T")


def _shown(items: list[_T], label: str) -> Iterator[_T]:
    with click.progressbar(items, label=label, file=sys.stderr) as bar:
        yield from bar


if __name__ == "__main__":
    main()
