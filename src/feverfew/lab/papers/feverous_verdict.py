"""FEVEROUS's verdict, trained on concatenated evidence with its context (Aly et al., 2021).

The paper fine-tunes RoBERTa. Two networks take its place: decomposable attention, trained with and
without NLI first, as the paper compares; and a small network on the frozen states of our own
encoder (`states`), which has seen NLI, so that there is no row without.
"""

import random
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from feverfew.corpus import Corpus
from feverfew.errors import InputError, NotFound
from feverfew.judge import VERDICTS
from feverfew.lab.papers.dataset import Example
from feverfew.lab.papers.experiment import System
from feverfew.lab.papers.feverous_cells import CellLabeller, Labelled
from feverfew.lab.papers.feverous_context import evidence_at, written
from feverfew.lab.papers.feverous_data import without_a_piece
from feverfew.lab.papers.learning import TextNetwork, vectors_for
from feverfew.lab.papers.networks import Arrays, Mlp, fit
from feverfew.models.encoder import Encoder
from feverfew.types import Claim, Kind, Verdict

if TYPE_CHECKING:
    from feverfew.lab.papers.runner import Runner

LEARNED = ("feverous", "nli, feverous")
SAMPLED = ("none", "removed")
"""Whether open claims are made, by removing a piece of evidence."""
_PAIRS, _QUICK = 24_000, 90
"""Pairs of NLI that are learned from first; and in a trial."""
_TRIED = 12
"""Claims of FEVEROUS that are learned from in a trial."""
_MADE = 0.5
"""The share of supported claims of which a copy loses a piece and becomes open."""


def verdict_network(runner: "Runner", system: System) -> TextNetwork:
    """Return the network that a system asks for, trained once and kept."""
    if system.learn not in LEARNED or system.sampling not in SAMPLED:
        raise InputError(
            f"FEVEROUS's verdict learns {' or '.join(map(repr, LEARNED))} with the sampling "
            f"{' or '.join(SAMPLED)}, not {system.learn!r} with {system.sampling!r}"
        )
    dataset, cache = runner.dataset, runner.cache
    shaped: tuple[object, ...] = (system.learn, system.sampling, system.titles)
    shaped = (system.judge, *shaped, dataset.fingerprint)
    if system.judge == "states":
        if system.learn == "feverous":
            raise InputError("our encoder learned NLI: 'states' has no system without it")
        encoder = runner.ours.encoder
        width = encoder.states([("a", "b")]).shape[1]
        network = TextNetwork(Mlp(width, hidden=48).drawn(1), partial(_states, encoder))
        shaped = (*shaped, encoder.fingerprint)
    elif system.judge == "da":
        network = TextNetwork.start("da", (), 1, dataset.quick)
    else:
        raise NotFound(f"no network of FEVEROUS is called {system.judge!r}; there are da, states")

    def train() -> Arrays:
        if system.judge == "da" and system.learn != "feverous":
            first = partial(_train_nli, runner, network)
            network.model.load(cache.arrays("network of NLI", ("da", dataset.fingerprint), first))
        return _train_feverous(runner, system, network)

    network.model.load(cache.arrays(f"network {system.judge}", shaped, train))
    return network


def _states(encoder: Encoder, claims: Sequence[str], texts: Sequence[str]) -> Any:
    return encoder.states(list(zip(claims, texts, strict=True)))


def cell_labeller(runner: "Runner") -> CellLabeller:
    """Return the network that labels cells, trained once and kept."""
    dataset = runner.dataset
    vectors = vectors_for(dataset.quick)

    def train() -> Arrays:
        examples, held = (
            _labelled(dataset.corpus, dataset.claims(f"feverous-{part}").claims)
            for part in ("training", "tuning")
        )
        epochs = 5 if dataset.quick else 30
        return CellLabeller.train(vectors, examples, held, seed=1, epochs=epochs)

    return CellLabeller(
        vectors, runner.cache.arrays("labeller of cells", dataset.fingerprint, train)
    )


def examples(
    corpus: Corpus, claims: Sequence[Claim], sampling: str, titles: str, seed: int
) -> list[Example]:
    """Write claims with their gold evidence; with `removed`, open ones are made from some."""
    rng = random.Random(seed)
    known = [claim for claim in claims if claim.label in VERDICTS]
    if sampling == "removed":
        supported = [claim for claim in known if claim.label is Verdict.SUPPORTED]
        made = (without_a_piece(one, rng) for one in supported if rng.random() < _MADE)
        known += [claim for claim in made if claim is not None]
    return [
        Example(
            claim.text,
            written(evidence_at(corpus, claim.evidence[0]), titles=titles),
            VERDICTS.index(claim.label),
        )
        for claim in known
        if claim.label is not None
    ]


def _train_feverous(runner: "Runner", system: System, network: TextNetwork) -> Arrays:
    """Train on FEVEROUS's claims for training; stop by those for tuning."""
    most = _TRIED if runner.dataset.quick else None
    pairs, held = (
        examples(
            runner.dataset.corpus,
            runner.dataset.claims(f"feverous-{part}").claims[:most],
            system.sampling,
            system.titles,
            seed,
        )
        for seed, part in enumerate(("training", "tuning"))
    )
    return _fitted(network, pairs, held, runner.dataset.quick)


def _train_nli(runner: "Runner", network: TextNetwork) -> Arrays:
    """Train on pairs of NLI, a third of each label where there are enough."""
    rng = random.Random(1)
    pairs = list(runner.dataset.training_pairs("nli").pairs)
    rng.shuffle(pairs)
    most = _QUICK if runner.dataset.quick else _PAIRS
    chosen = [e for label in range(3) for e in [e for e in pairs if e.label == label][: most // 3]]
    rng.shuffle(chosen)
    tenth = max(1, len(chosen) // 10)
    return _fitted(network, chosen[tenth:], chosen[:tenth], runner.dataset.quick)


def _fitted(
    network: TextNetwork, pairs: Sequence[Example], held: Sequence[Example], quick: bool
) -> Arrays:
    def prepared(own: Sequence[Example]) -> tuple[Any, NDArray[np.int64]]:
        inputs = network.prepare([e.claim for e in own], [e.text for e in own])
        return inputs, np.array([e.label for e in own], np.int64)

    epochs = 2 if quick else 12
    fit(network.model, *prepared(pairs), prepared(held), seed=1, epochs=epochs)
    arrays: Arrays = network.model.arrays()
    return arrays


def _labelled(corpus: Corpus, claims: Sequence[Claim]) -> list[Labelled]:
    """Pair each claim with the tables that hold its cells."""
    found = []
    for claim in claims:
        by_table: dict[tuple[str, int], set[tuple[int, int]]] = {}
        for ref in claim.evidence[0] if claim.evidence else ():
            if ref.kind in (Kind.CELL, Kind.HEADER_CELL):
                table, row, column = ref.position
                by_table.setdefault((ref.page, table), set()).add((row, column))
        for (title, index), gold in by_table.items():
            tables = [table for table in corpus.page(title).tables if table.index == index]
            found += [Labelled(claim.text, table, frozenset(gold)) for table in tables]
    return found
