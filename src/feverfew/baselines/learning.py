"""Networks that learned: trained once for each setting and seed, then kept."""

import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feverfew.baselines.attention import Attention
from feverfew.baselines.cache import Cache
from feverfew.baselines.experiment import System
from feverfew.baselines.fitting import fit
from feverfew.baselines.gold import one_sentence, sampled
from feverfew.baselines.riedel import Perceptron
from feverfew.baselines.vectors import open_vectors
from feverfew.baselines.wordless import FEATURES, Wordless
from feverfew.baselines.world import Example, World
from feverfew.errors import InputError
from feverfew.retrieve import Retriever

__all__ = ["NETWORKS", "PAIRS", "learned", "lessons_of"]

NETWORKS = ("mlp", "da", "da-scored", "wordless")
PAIRS = 30_000
"""Pairs that a network learns from unless said otherwise: a third of each label."""
_ATTENTIVE = ("da", "da-scored")
_QUICK = 150
"""The same for a trial, which trains no more than two seeds."""


def learned(
    system: System,
    world: World,
    cache: Cache,
    nearest: Callable[[], Retriever],
    held: Sequence[Example],
) -> Any:
    """Return the network that a system asks for: of several seeds, the best on what is held out."""
    most, seeds = system.pairs or PAIRS, system.seeds
    if world.quick:
        most, seeds = min(most, _QUICK), min(seeds, 2)
    key = (system.learn, system.sampling, most, world.fingerprint)

    def train(seed: int) -> dict[str, NDArray[Any]]:
        draw = partial(lessons_of, system, world, nearest, most, 0)
        lessons = cache.value("lessons", key, list[Example], draw)
        return _train(system.judge, lessons, held, seed, world.quick)

    best: tuple[float, Any] | None = None
    for seed in range(1, seeds + 1):
        shaped = (*key, system.judge, seed, *(FEATURES if system.judge == "wordless" else ()))
        arrays = cache.arrays(f"network {system.judge}", shaped, partial(train, seed))
        accuracy = float(arrays.pop("accuracy"))
        if best is None or accuracy > best[0]:
            best = accuracy, _restored(system.judge, arrays, world.quick)
    if best is None:
        raise InputError("a system needs at least one seed")
    return best[1]


def lessons_of(
    system: System, world: World, nearest: Callable[[], Retriever], most: int, seed: int
) -> list[Example]:
    """Draw pairs to learn from, each label as often; open claims get a sampled sentence."""
    rng = random.Random(seed)
    lessons = world.lessons(system.learn)
    by_label = [[e for e in lessons.settled if e.label == label] for label in range(3)]
    for own in by_label:
        rng.shuffle(own)
    share = max(1, most // 3)
    chosen = [example for own in by_label for example in own[:share]]
    if system.learn == "fever":
        still_open = rng.sample(lessons.open, min(share, len(lessons.open)))
        pages = sampled(world.corpus, nearest(), still_open, system.sampling, seed)
        for claim, own_pages in zip(still_open, pages, strict=True):
            drawn = one_sentence(world.corpus, own_pages, rng)
            chosen += [Example(claim, piece.text, 2) for piece in drawn]
    rng.shuffle(chosen)
    return chosen


def _train(
    name: str, lessons: Sequence[Example], held: Sequence[Example], seed: int, quick: bool
) -> dict[str, NDArray[Any]]:
    claims, texts = [e.claim for e in lessons], [e.text for e in lessons]
    labels = np.array([e.label for e in lessons], np.int64)
    model = _started(name, [*claims, *texts], seed, quick)
    checked = model.prepare([e.claim for e in held], [e.text for e in held])
    gold = np.array([e.label for e in held], np.int64)
    batch, rate = (32, 1e-3) if name in _ATTENTIVE else (100, 3e-3)
    fitted = fit(
        model,
        model.prepare(claims, texts),
        labels,
        (checked, gold),
        seed=seed,
        epochs=2 if quick else 12,
        batch=batch,
        rate=rate,
    )
    kept: dict[str, NDArray[Any]] = {**model.weights, "accuracy": np.array(fitted.accuracy)}
    if isinstance(model, Perceptron):
        kept["vocabulary"] = np.array(model.vocabulary)
    return kept


def _started(name: str, texts: Sequence[str], seed: int, quick: bool) -> Any:
    if name == "mlp":
        return Perceptron.start(texts, seed)
    if name == "wordless":
        return Wordless.start(seed)
    if name in _ATTENTIVE:
        vectors = open_vectors("random" if quick else "glove")
        return Attention.start(vectors, seed, scored=name == "da-scored")
    raise InputError(f"no network is called {name!r}; there are {', '.join(NETWORKS)}")


def _restored(name: str, arrays: dict[str, NDArray[Any]], quick: bool) -> Any:
    if name == "mlp":
        vocabulary = arrays.pop("vocabulary").tolist()
        return Perceptron(vocabulary, arrays)
    if name == "wordless":
        return Wordless(arrays)
    return Attention(open_vectors("random" if quick else "glove"), arrays)
