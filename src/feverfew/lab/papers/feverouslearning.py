"""FEVEROUS's verdict, learned: over concatenated evidence with its context (Aly et al., 2021).

The paper fine-tunes RoBERTa. Here stand in: decomposable attention, which can learn with and
without NLI first, as the paper compares; and a small network on the frozen states of our own
encoder (`states`), which learned NLI before, so that it has no row without.
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
from feverfew.lab.papers.attention import Attention
from feverfew.lab.papers.celllabels import CellLabeller, Labelled
from feverfew.lab.papers.dataset import Example
from feverfew.lab.papers.experiment import System
from feverfew.lab.papers.feverousset import without_a_piece
from feverfew.lab.papers.fitting import fit
from feverfew.lab.papers.pairwise import Table as Rows
from feverfew.lab.papers.pairwise import Weigher
from feverfew.lab.papers.vectors import Vectors, open_vectors
from feverfew.lab.papers.withcontext import evidence_at, written
from feverfew.models.encoder import Encoder
from feverfew.types import Claim, Kind, Verdict

if TYPE_CHECKING:
    from feverfew.lab.papers.systems import Runner

__all__ = ["LEARNED", "SAMPLED", "States", "cell_labeller", "examples", "verdict_network"]

LEARNED = ("feverous", "nli, feverous")
SAMPLED = ("none", "removed")
"""Whether open claims are made, by removing a piece of evidence."""
_PAIRS, _QUICK = 24_000, 90
"""Pairs of NLI that are learned from first; and in a trial."""
_TRIED = 12
"""Claims of FEVEROUS that are learned from in a trial."""
_MADE = 0.5
"""How many of the supported claims lose a piece, and become open ones beside themselves."""


def verdict_network(lab: "Runner", system: System) -> Any:
    """Return the network that a system asks for, trained once and kept."""
    if system.learn not in LEARNED or system.sampling not in SAMPLED:
        raise InputError(
            f"FEVEROUS's verdict learns {' or '.join(map(repr, LEARNED))} with the sampling "
            f"{' or '.join(SAMPLED)}, not {system.learn!r} with {system.sampling!r}"
        )
    quick, key = lab.world.quick, (system.learn, system.sampling, system.titles)
    shaped = (system.judge, *key, lab.world.fingerprint)
    if system.judge == "states":
        if system.learn == "feverous":
            raise InputError("our encoder learned NLI: 'states' has no system without it")
        encoder = lab.own_judge.encoder
        make = partial(_taught, lab, system, lambda: States.start(encoder, seed=1))
        weights = lab.cache.arrays("network states", (*shaped, encoder.fingerprint), make)
        return States(encoder, Weigher(weights))
    if system.judge != "da":
        raise NotFound(f"no network of FEVEROUS is called {system.judge!r}; there are da, states")
    vectors = _vectors(quick)

    def start() -> Attention:
        if system.learn == "feverous":
            return Attention.start(vectors, seed=1)
        first = partial(_nli, lab, vectors)
        return Attention(
            vectors, lab.cache.arrays("network of NLI", ("da", lab.world.fingerprint), first)
        )

    return Attention(
        vectors, lab.cache.arrays("network da", shaped, partial(_taught, lab, system, start))
    )


def cell_labeller(lab: "Runner") -> CellLabeller:
    """Return the network that labels cells, trained once and kept."""
    vectors = _vectors(lab.world.quick)

    def train() -> dict[str, NDArray[Any]]:
        lessons, held = (
            _labelled(lab.world.corpus, lab.world.claims(f"feverous-{part}").claims)
            for part in ("training", "tuning")
        )
        epochs = 5 if lab.world.quick else 30
        return CellLabeller.learn(vectors, lessons, held, seed=1, epochs=epochs)

    return CellLabeller(
        vectors, lab.cache.arrays("labeller of cells", lab.world.fingerprint, train)
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


class States:
    """A small network on what our encoder makes of a pair, which stays as it is."""

    def __init__(self, encoder: Encoder, network: Weigher) -> None:
        self._encoder, self._network = encoder, network

    @classmethod
    def start(cls, encoder: Encoder, seed: int) -> "States":
        """Begin with weights drawn by a seed."""
        width = encoder.states([("a", "b")]).shape[1]
        return cls(encoder, Weigher.start(width, seed, hidden=48))

    @property
    def weights(self) -> dict[str, NDArray[Any]]:
        """The network's; the encoder's are not learned."""
        return self._network.weights

    def prepare(self, claims: Sequence[str], texts: Sequence[str]) -> Rows:
        """Read pairs, and keep the encoder's states."""
        return Rows(self._encoder.states(list(zip(claims, texts, strict=True))))

    def probabilities(self, inputs: Rows) -> NDArray[np.float64]:
        """Return the shares of supported, refuted and open for each pair."""
        return self._network.probabilities(inputs)

    def learn(
        self, inputs: Rows, labels: NDArray[np.int64], rng: np.random.Generator | None
    ) -> tuple[float, dict[str, NDArray[Any]]]:
        """Return the mean loss of a batch, and the slopes of the network's weights."""
        return self._network.learn(inputs, labels, rng)


def _taught(lab: "Runner", system: System, start: Any) -> dict[str, NDArray[Any]]:
    """Teach a network FEVEROUS's claims for learning; stop by those for tuning."""
    most = _TRIED if lab.world.quick else None
    lessons, held = (
        examples(
            lab.world.corpus,
            lab.world.claims(f"feverous-{part}").claims[:most],
            system.sampling,
            system.titles,
            seed,
        )
        for seed, part in enumerate(("training", "tuning"))
    )
    return _fitted(start(), lessons, held, lab.world.quick, rate=1e-3)


def _nli(lab: "Runner", vectors: Vectors) -> dict[str, NDArray[Any]]:
    """Teach decomposable attention pairs of NLI, a third of each label where there are enough."""
    rng = random.Random(1)
    pairs = list(lab.world.lessons("nli").settled)
    rng.shuffle(pairs)
    most = _QUICK if lab.world.quick else _PAIRS
    chosen = [e for label in range(3) for e in [e for e in pairs if e.label == label][: most // 3]]
    rng.shuffle(chosen)
    tenth = max(1, len(chosen) // 10)
    model = Attention.start(vectors, seed=1)
    return _fitted(model, chosen[tenth:], chosen[:tenth], lab.world.quick, rate=1e-3)


def _fitted(
    model: Any, lessons: Sequence[Example], held: Sequence[Example], quick: bool, rate: float
) -> dict[str, NDArray[Any]]:
    def prepared(own: Sequence[Example]) -> tuple[Any, NDArray[np.int64]]:
        inputs = model.prepare([e.claim for e in own], [e.text for e in own])
        return inputs, np.array([e.label for e in own], np.int64)

    epochs = 2 if quick else 12
    fit(model, *prepared(lessons), prepared(held), seed=1, epochs=epochs, batch=32, rate=rate)
    return dict(model.weights)


def _labelled(corpus: Corpus, claims: Sequence[Claim]) -> list[Labelled]:
    """Set each claim beside the tables that hold its cells."""
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


def _vectors(quick: bool) -> Vectors:
    return open_vectors("random" if quick else "glove")
