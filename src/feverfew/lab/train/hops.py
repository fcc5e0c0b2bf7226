"""Train the hop scorer: `python -m feverfew.lab.train.hops --corpus DIR --claims FILE -o FILE`.

Claims are HoVer's. A third of them, by the question that they were made from, is kept aside to
report on (`hover.is_test`). Of the rest, a tenth is held out for early stopping. `--more` adds
other claims that need several pages: FEVER's, or chains made from a corpus (`factory.extend`).

The scorer of each round is trained on what the rounds before it lead to, so all claims advance
together. Each half of the claims is led on by a scorer trained on the other half: a scorer gives
its own claims better scores than any others, and later rounds would learn to trust these too much.

With `--compare FILE` nothing is trained: the networks of each file and the shipped ones are
measured on the held-out claims, so that one can be chosen without a look at what is reported on.
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
from feverfew.retrieve import Hops, Ranked
from feverfew.retrieve.hops import (
    MULTIHOP_FEATURES,
    ROUNDS,
    SEEDS,
    beam,
    extended,
    multihop_features,
    rerank,
)
from feverfew.retrieve.multihop import Floats, MultiHopSearch

_HARDEST, _OTHERS = 45, 15
"""Wrong pages that a claim is trained with: the best of the last round, and random others."""
_MOST_PAGES = 4
"""A claim of more gold pages has them because several of them say the same."""
_DEPTHS = (5, 10, 100)


class Journey:
    """A claim with its gold pages, on its way through the rounds."""

    def __init__(self, corpus: Corpus, ranked: Ranked, claim: HoverClaim) -> None:
        seeds = ranked.retrieve([claim.text], SEEDS)[0]
        self.trail = MultiHopSearch(corpus, claim.text, seeds)
        self.scores: Floats = np.zeros(len(self.trail), np.float32)
        self.rows = multihop_features(self.trail, self.scores)
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
            rerank(encoder, [self.trail], [places], [self.scores])
            self.trail.follow(places)
            self.scores = extended(self.scores, len(self.trail))
            self.rows = multihop_features(self.trail, self.scores)

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


def held_out_claims(
    claims: Path, more: tuple[Path, ...], corpus: Corpus
) -> dict[str, list[HoverClaim]]:
    """List the claims for early stopping, HoVer's by how many pages they need."""
    given = [claim for claim in hover_claims(claims) if not is_test(claim.question)]
    given += more_claims(more, corpus, np.random.default_rng(1))
    held = [claim for claim in given if is_held_out(claim.question)]
    names = {0: "more", 2: "2 pages", 3: "3 pages", 4: "4 pages"}
    parts = {name: [c for c in held if c.hops == hops] for hops, name in names.items()}
    return {name: own for name, own in parts.items() if own}


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
@click.option("-o", "--output", type=Path, help="Where to write the networks.")
@click.option("--compare", multiple=True, type=Path, help="Measure these networks; train nothing.")
@click.option("--most", default=100_000, show_default=True, help="Use no more claims.")
@click.option("--seed", default=1, show_default=True, help="Decides order and first weights.")
def main(
    directory: Path,
    claims: Path,
    more: tuple[Path, ...],
    model: Path | None,
    output: Path | None,
    compare: tuple[Path, ...],
    most: int,
    seed: int,
) -> None:
    """Train the network of every round, or compare trained ones."""
    if (output is None) == (not compare):
        raise click.UsageError("give either -o or --compare")
    corpus = Corpus.open(directory)
    encoder = Encoder.open(model) if model else Encoder.shipped()
    if output is None:
        _compare(corpus, encoder, compare, held_out_claims(claims, more, corpus), most)
        return
    ranked = Ranked.open(corpus)
    rng = np.random.default_rng(seed)
    given = [claim for claim in hover_claims(claims) if not is_test(claim.question)]
    given += more_claims(more, corpus, rng)
    chosen = [given[at] for at in rng.permutation(len(given))[:most]]
    journeys = [Journey(corpus, ranked, claim) for claim in _shown(chosen, "setting out")]
    networks: dict[str, Network] = {}
    for number, width in enumerate([*ROUNDS, 0]):
        leaders = _fit(journeys, rng, seed)
        networks[f"round {number}"] = leaders[None]
        output.write_bytes(msgspec.json.encode(networks) + b"\n")
        for journey in _shown(journeys, f"round {number}"):
            journey.advance(leaders[None if journey.held else journey.half], width, encoder)
        _say(journeys)


def _compare(
    corpus: Corpus,
    encoder: Encoder,
    weights: Sequence[Path],
    parts: dict[str, list[HoverClaim]],
    most: int,
) -> None:
    """Print how often all gold pages are among the best, for each file of networks."""
    scorers = {"shipped": Hops.open(corpus, encoder)}
    for path in weights:
        rankers = list(Network.load(path, MULTIHOP_FEATURES).values())
        scorers[path.name] = Hops(corpus, Ranked.open(corpus), rankers, encoder)
    for part, own in parts.items():
        gold = [{corpus.number(page) for page in claim.pages} for claim in own[:most]]
        for name, hops in scorers.items():
            best = [
                [page.number for page in hops.retrieve([claim.text], max(_DEPTHS))[0]]
                for claim in own[:most]
            ]
            pairs = list(zip(gold, best, strict=True))
            counts = {k: sum(pages <= set(found[:k]) for pages, found in pairs) for k in _DEPTHS}
            shares = (f"in the top {k}: {100 * n / len(pairs):.1f} %" for k, n in counts.items())
            click.echo(f"{name}, {part}: {len(pairs)} claims, all pages {', '.join(shares)}")


def _fit(
    journeys: Sequence[Journey], rng: np.random.Generator, seed: int
) -> dict[int | None, Network]:
    """Train a round's network on all claims (None), and one for each half on the other half."""
    groups = [journey.group(rng) for journey in journeys]
    networks: dict[int | None, Network] = {}
    for own in (None, 0, 1):
        taken = [at for at, j in enumerate(journeys) if j.held or j.half != own]
        held = [journeys[at].held for at in taken]
        networks[own] = fit([groups[at] for at in taken], held, MULTIHOP_FEATURES, seed)
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
