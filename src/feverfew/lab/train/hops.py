"""Train the hop scorer: the networks that rank pages in each round of a search over several.

Claims are HoVer's. A third of them, by the question that they were made from, is kept aside to
report on (`datasets.is_test`). Of the rest, a tenth is held out for early stopping. Further claims
of several pages may be added: FEVER's, or chains made from a corpus (`factory.chains`).

The scorer of each round is trained on what the rounds before it lead to, so all claims advance
together. Each half of the claims is led on by a scorer trained on the other half: a scorer gives
its own claims better scores than any others, and later rounds would learn to trust these too much.
"""

from collections.abc import Sequence
from pathlib import Path

import click
import numpy as np

from feverfew.corpus import Corpus
from feverfew.judge import Encoder
from feverfew.lab.train.datasets import HoverClaim, half, hover_claims, is_held_out, is_test
from feverfew.lab.train.network import Group, fit, shown
from feverfew.lab.train.rankers import gold_pages
from feverfew.models.network import Network
from feverfew.retrieve import Ranked
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


class TrainingSearch:
    """A claim with its gold pages, on its way through the rounds."""

    def __init__(self, corpus: Corpus, ranked: Ranked, claim: HoverClaim) -> None:
        seeds = ranked.retrieve([claim.text], SEEDS)[0]
        self.search = MultiHopSearch(corpus, claim.text, seeds)
        self.scores: Floats = np.zeros(len(self.search), np.float32)
        self.rows = multihop_features(self.search, self.scores)
        self.gold = {corpus.number(page) for page in claim.pages}
        self.held = is_held_out(claim.question)
        self.half = half(claim.question)
        self.hops = claim.hops

    def group(self, rng: np.random.Generator) -> Group:
        """Return what is trained on: all gold pages, and some others."""
        gold = np.array([number in self.gold for number in self.search.numbers], bool)
        order = np.argsort(-self.scores, kind="stable")
        wrong = order[~gold[order]]
        others = rng.permutation(wrong[_HARDEST:])[:_OTHERS]
        chosen = np.concatenate([np.flatnonzero(gold), wrong[:_HARDEST], others])
        return self.rows[chosen], gold[chosen]

    def advance(self, ranker: Network, width: int, encoder: Encoder) -> None:
        """Score, read the best pages, and describe all that is known then."""
        self.scores = ranker.score_array(self.rows)
        if width:
            places = beam(self.search, self.scores, width)
            rerank(encoder, [self.search], [places], [self.scores])
            self.search.follow(places)
            self.scores = extended(self.scores, len(self.search))
            self.rows = multihop_features(self.search, self.scores)

    def found(self, depth: int) -> bool:
        """Say whether all gold pages are among the best."""
        best = np.argsort(-self.scores, kind="stable")[:depth].tolist()
        return self.gold <= {self.search.numbers[at] for at in best}


def more_claims(
    paths: Sequence[Path], corpus: Corpus, rng: np.random.Generator
) -> list[HoverClaim]:
    """Read claims that need several pages of the corpus, and half as many that need one."""
    several: list[HoverClaim] = []
    one: list[HoverClaim] = []
    for number, (text, pages) in enumerate(gold_pages(paths)):
        if len(pages) > _MOST_PAGES or any(page not in corpus for page in pages):
            continue
        facts = tuple((page, 0) for page in sorted(pages))
        made = HoverClaim(f"more {number}", text, facts, "", 0, min(pages))
        (several if len(pages) > 1 else one).append(made)
    return several + [one[at] for at in rng.permutation(len(one))[: len(several) // 2]]


def train_hops(
    corpus: Corpus, claims: Sequence[Path], more: Sequence[Path], seed: int, most: int = 100_000
) -> dict[str, Network]:
    """Train the network of every round, on no more than so many claims."""
    encoder, ranked = Encoder.shipped(), Ranked.open(corpus)
    rng = np.random.default_rng(seed)
    every = [claim for path in claims for claim in hover_claims(path)]
    given = [claim for claim in every if not is_test(claim.question)]
    given += more_claims(more, corpus, rng)
    chosen = [given[at] for at in rng.permutation(len(given))[:most]]
    searches = [TrainingSearch(corpus, ranked, claim) for claim in shown(chosen, "searching")]
    networks: dict[str, Network] = {}
    for number, width in enumerate([*ROUNDS, 0]):
        rankers = _fit(searches, rng, seed)
        networks[f"round {number}"] = rankers[None]
        for search in shown(searches, f"round {number}"):
            search.advance(rankers[None if search.held else search.half], width, encoder)
        _report(searches)
    return networks


def _fit(
    searches: Sequence[TrainingSearch], rng: np.random.Generator, seed: int
) -> dict[int | None, Network]:
    """Train a round's network on all claims (None), and one for each half on the other half."""
    groups = [search.group(rng) for search in searches]
    networks: dict[int | None, Network] = {}
    for own in (None, 0, 1):
        taken = [at for at, j in enumerate(searches) if j.held or j.half != own]
        held = [searches[at].held for at in taken]
        networks[own] = fit([groups[at] for at in taken], held, MULTIHOP_FEATURES, seed)
    return networks


def _report(searches: list[TrainingSearch]) -> None:
    for name, held in (("by the other half", False), ("held out", True)):
        for hops in (2, 3, 4, 0):
            own = [j for j in searches if j.held == held and j.hops == hops]
            ten, hundred = (
                100 * sum(j.found(depth) for j in own) / (len(own) or 1) for depth in (10, 100)
            )
            what = f"{hops} pages" if hops else "more"
            click.echo(
                f"{name}, {what}: {len(own)} claims, all pages in the top 10: "
                f"{ten:.1f} %, in the top 100: {hundred:.1f} %",
                err=True,
            )
