"""The networks of FEVER's baseline and the shared task: trained once for each setting and seed."""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from io import BytesIO
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.errors import InputError
from feverfew.lab.papers.cache import Cache
from feverfew.lab.papers.dataset import Dataset, Example
from feverfew.lab.papers.experiment import System
from feverfew.lab.papers.gold import one_sentence, sampled
from feverfew.lab.papers.networks import Arrays, Attention, Mlp, Perceptron, fit
from feverfew.lab.papers.vectors import Vectors, open_vectors
from feverfew.lab.papers.wordless import FEATURES, describe_all
from feverfew.retrieve import Retriever
from feverfew.workers import Workers, cores

NETWORKS = ("mlp", "da", "da-scored", "wordless")
PAIRS = 30_000
"""Pairs that a network learns from by default: a third of each label."""
_ATTENTIVE = ("da", "da-scored")
_QUICK = 150
"""The same for a trial, which trains no more than two seeds."""


def learned(
    system: System,
    dataset: Dataset,
    cache: Cache,
    nearest: Callable[[], Retriever],
    held: Sequence[Example],
) -> "TextNetwork":
    """Return the network that a system asks for: of several seeds, the best on held-out pairs."""
    most, seeds = system.pairs or PAIRS, system.seeds
    if dataset.quick:
        most, seeds = min(most, _QUICK), min(seeds, 2)
    key = (system.learn, system.sampling, most, dataset.fingerprint)
    kind = f"network {system.judge}"
    shaped = FEATURES if system.judge == "wordless" else ()
    keys = {seed: (*key, system.judge, seed, *shaped) for seed in range(1, seeds + 1)}
    networks = {seed: cache.kept_arrays(kind, own) for seed, own in keys.items()}
    missing = [seed for seed, arrays in networks.items() if arrays is None]
    if missing:
        draw = partial(draw_pairs, system, dataset, nearest, most, 0)
        pairs = cache.value("training pairs", key, list[Example], draw)
        task = Task(system.judge, pairs, list(held), dataset.quick)
        cache.say(f"{kind} {len(missing)} times …" if len(missing) > 1 else f"{kind} …")
        for seed, arrays in zip(missing, trained(task, missing), strict=True):
            cache.keep_arrays(kind, keys[seed], arrays)
            networks[seed] = arrays
    known = [arrays for arrays in networks.values() if arrays is not None]
    if not known:
        raise InputError("a system needs at least one seed")
    best = max(known, key=lambda arrays: float(arrays["accuracy"]))
    best.pop("accuracy")
    return TextNetwork.of(system.judge, best, dataset.quick)


def draw_pairs(
    system: System, dataset: Dataset, nearest: Callable[[], Retriever], most: int, seed: int
) -> list[Example]:
    """Draw training pairs, as many of each label; open claims get a sampled sentence."""
    rng = random.Random(seed)
    known = dataset.training_pairs(system.learn)
    by_label = [[e for e in known.pairs if e.label == label] for label in range(3)]
    for own in by_label:
        rng.shuffle(own)
    share = max(1, most // 3)
    chosen = [example for own in by_label for example in own[:share]]
    if system.learn == "fever":
        still_open = rng.sample(known.nei_claims, min(share, len(known.nei_claims)))
        pages = sampled(dataset.corpus, nearest(), still_open, system.sampling, seed)
        for claim, own_pages in zip(still_open, pages, strict=True):
            drawn = one_sentence(dataset.corpus, own_pages, rng)
            chosen += [Example(claim, piece.text, 2) for piece in drawn]
    rng.shuffle(chosen)
    return chosen


class Task(Struct, frozen=True):
    """What networks learn from that differ only in their seed."""

    name: str
    pairs: list[Example]
    held: list[Example]
    quick: bool


def trained(task: Task, seeds: Sequence[int]) -> Iterator[Arrays]:
    """Train a network for each seed, several at once on as many cores."""
    count = min(len(seeds), cores())
    if count < 2 or task.quick:
        yield from (_train(task, seed) for seed in seeds)
        return
    with Workers(f"{trainer.__module__}:{trainer.__name__}", task, count) as pool:
        for answer in pool.map(str(seed).encode() for seed in seeds):
            with np.load(BytesIO(answer)) as found:
                yield {name: found[name] for name in found.files}


def trainer(settings: object) -> Callable[[bytes], bytes]:
    """Make a worker process's function: a seed in, a network out."""
    task = msgspec.convert(settings, Task)

    def train(seed: bytes) -> bytes:
        out = BytesIO()
        np.savez(out, **_train(task, int(seed)))  # type: ignore[arg-type]
        return out.getvalue()

    return train


def _train(task: Task, seed: int) -> Arrays:
    claims, texts = [e.claim for e in task.pairs], [e.text for e in task.pairs]
    labels = np.array([e.label for e in task.pairs], np.int64)
    network = TextNetwork.start(task.name, [*claims, *texts], seed, task.quick)
    checked = network.prepare([e.claim for e in task.held], [e.text for e in task.held])
    gold = np.array([e.label for e in task.held], np.int64)
    batch, rate = (32, 1e-3) if task.name in _ATTENTIVE else (100, 3e-3)
    fitted = fit(
        network.model,
        network.prepare(claims, texts),
        labels,
        (checked, gold),
        seed=seed,
        epochs=2 if task.quick else 12,
        batch=batch,
        rate=rate,
    )
    return {**network.model.arrays(), "accuracy": np.array(fitted.accuracy)}


class TextNetwork:
    """A network with what prepares pairs of texts for it."""

    def __init__(self, model: Any, prepare: Callable[[Sequence[str], Sequence[str]], Any]) -> None:
        self.model, self.prepare = model, prepare
        if hasattr(model, "vectors"):
            self.vectors = model.vectors

    def probabilities(self, inputs: Any) -> NDArray[np.float64]:
        """Return the probabilities of supported, refuted and open for each pair."""
        shares: NDArray[np.float64] = self.model.probabilities(inputs)
        return shares

    @classmethod
    def start(cls, name: str, texts: Sequence[str], seed: int, quick: bool) -> "TextNetwork":
        """Begin with weights drawn by a seed; a perceptron takes its words from the texts."""
        if name == "mlp":
            perceptron = Perceptron.over(texts).drawn(seed)
            return cls(perceptron, perceptron.prepare)
        if name == "wordless":
            return cls(Mlp(len(FEATURES)).drawn(seed), describe_all)
        if name not in _ATTENTIVE:
            raise InputError(f"no network is called {name!r}; there are {', '.join(NETWORKS)}")
        attention = Attention(vectors_for(quick), scored=name == "da-scored").drawn(seed)
        return cls(attention, attention.prepare)

    @classmethod
    def of(cls, name: str, arrays: Arrays, quick: bool) -> "TextNetwork":
        """Restore a network from its weights."""
        if name == "mlp":
            perceptron = Perceptron.of(arrays)
            return cls(perceptron, perceptron.prepare)
        network = cls.start(name, (), 1, quick)
        network.model.load(arrays)
        return network


def vectors_for(quick: bool) -> Vectors:
    """Open GloVe's vectors; for a trial, random ones."""
    return open_vectors("random" if quick else "glove")
