"""Networks that learned: trained once for each setting and seed, then kept."""

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
from feverfew.lab.papers.attention import Attention
from feverfew.lab.papers.cache import Cache
from feverfew.lab.papers.dataset import Dataset, Example
from feverfew.lab.papers.experiment import System
from feverfew.lab.papers.fitting import fit
from feverfew.lab.papers.gold import one_sentence, sampled
from feverfew.lab.papers.riedel import Perceptron
from feverfew.lab.papers.vectors import open_vectors
from feverfew.lab.papers.wordless import FEATURES, Wordless
from feverfew.retrieve import Retriever
from feverfew.workers import Workers, cores

__all__ = ["NETWORKS", "PAIRS", "Task", "learned", "lessons_of", "trained", "trainer"]

NETWORKS = ("mlp", "da", "da-scored", "wordless")
PAIRS = 30_000
"""Pairs that a network learns from unless said otherwise: a third of each label."""
_ATTENTIVE = ("da", "da-scored")
_QUICK = 150
"""The same for a trial, which trains no more than two seeds."""


def learned(
    system: System,
    world: Dataset,
    cache: Cache,
    nearest: Callable[[], Retriever],
    held: Sequence[Example],
) -> Any:
    """Return the network that a system asks for: of several seeds, the best on what is held out."""
    most, seeds = system.pairs or PAIRS, system.seeds
    if world.quick:
        most, seeds = min(most, _QUICK), min(seeds, 2)
    key = (system.learn, system.sampling, most, world.fingerprint)
    kind = f"network {system.judge}"
    shaped = FEATURES if system.judge == "wordless" else ()
    keys = {seed: (*key, system.judge, seed, *shaped) for seed in range(1, seeds + 1)}
    networks = {seed: cache.kept_arrays(kind, own) for seed, own in keys.items()}
    missing = [seed for seed, arrays in networks.items() if arrays is None]
    if missing:
        draw = partial(lessons_of, system, world, nearest, most, 0)
        lessons = cache.value("lessons", key, list[Example], draw)
        task = Task(system.judge, lessons, list(held), world.quick)
        cache.say(f"{kind} {len(missing)} times …" if len(missing) > 1 else f"{kind} …")
        for seed, arrays in zip(missing, trained(task, missing), strict=True):
            cache.keep_arrays(kind, keys[seed], arrays)
            networks[seed] = arrays
    known = [arrays for arrays in networks.values() if arrays is not None]
    if not known:
        raise InputError("a system needs at least one seed")
    best = max(known, key=lambda arrays: float(arrays["accuracy"]))
    best.pop("accuracy")
    return _restored(system.judge, best, world.quick)


def lessons_of(
    system: System, world: Dataset, nearest: Callable[[], Retriever], most: int, seed: int
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


class Task(Struct, frozen=True):
    """What networks that differ in their seed alone learn from."""

    name: str
    lessons: list[Example]
    held: list[Example]
    quick: bool


def trained(task: Task, seeds: Sequence[int]) -> Iterator[dict[str, NDArray[Any]]]:
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


def _train(task: Task, seed: int) -> dict[str, NDArray[Any]]:
    name, lessons, held = task.name, task.lessons, task.held
    claims, texts = [e.claim for e in lessons], [e.text for e in lessons]
    labels = np.array([e.label for e in lessons], np.int64)
    model = _started(name, [*claims, *texts], seed, task.quick)
    checked = model.prepare([e.claim for e in held], [e.text for e in held])
    gold = np.array([e.label for e in held], np.int64)
    batch, rate = (32, 1e-3) if name in _ATTENTIVE else (100, 3e-3)
    fitted = fit(
        model,
        model.prepare(claims, texts),
        labels,
        (checked, gold),
        seed=seed,
        epochs=2 if task.quick else 12,
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
