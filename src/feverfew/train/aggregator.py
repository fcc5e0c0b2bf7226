"""Train the aggregator: from the encoder's readings to calibrated probabilities, with numpy.

Two of them: `given`, for evidence that people bring, and `found`, for what our own search found,
which also knows how surely it was found. Both learn from claims that the encoder never saw.
"""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from feverfew.check import Checker
from feverfew.corpus import Corpus
from feverfew.judge.aggregate import Weights
from feverfew.judge.encoder import Encoder
from feverfew.judge.features import FEATURES, RETRIEVED, best_piece, features
from feverfew.judge.judge import VERDICTS, Chosen, Judge, found_features
from feverfew.judge.reading import Piece, read_alone, read_together
from feverfew.model import Claim
from feverfew.readers.files import open_bytes

__all__ = ["NAMES", "Rows", "fit", "found_rows", "given_rows"]

Array = NDArray[np.float32]


class Rows(NamedTuple):
    """Feature rows, which verdict is right for each (0 S, 1 R, 2 N), and whose they are."""

    features: list[list[float]]
    labels: list[int]
    claims: list[int]


NAMES = {"given": FEATURES, "found": FEATURES + RETRIEVED}
"""What each of the two weighs."""
_HIDDEN = 12
_STEPS = 600
_RATE = 0.02
_DECAY = 1e-2
_FOLDS = 5
_GROUP = 64


def given_rows(encoder: Encoder, paths: Sequence[Path], most: int, seed: int = 1) -> Rows:
    """Describe labelled pairs from files of training pairs, at most so many of each file."""
    made = Rows([], [], [])
    for path in paths:
        records = [record for record in _records(path) if "label" in record]
        rng = random.Random(seed)
        rng.shuffle(records)
        # As many pieces for open claims as for others: their number must not give them away.
        sizes = [len(_pieces(r)) for r in records if r["label"] != "N"] or [1]
        for group in _groups(records[:most]):
            pieces = [
                _pieces(r)[: rng.choice(sizes)] if r["label"] == "N" else _pieces(r) for r in group
            ]
            alone = read_alone(encoder, [record["claim"] for record in group], pieces)
            readings = read_together(encoder, alone)
            for record, reading in zip(group, readings, strict=True):
                made.features.append(features(reading))
                made.labels.append("SRN".index(record["label"]))
                made.claims.append(len(made.claims))
    return made


def _pieces(record: dict[str, Any]) -> list[Piece]:
    evidence = record["evidence"]
    if isinstance(evidence, str):
        return [("", evidence)]
    return [(title, text) for title, text in evidence]


def found_rows(judge: Judge, corpus: Corpus, claims: Sequence[Claim], seed: int = 1) -> Rows:
    """Describe labelled claims by what our own search finds for them, as the checker does.

    Each gives three rows: its pieces read alone; together as well; and the piece that says most
    with only some of the others, so that what is learned does not hang on how many were found.
    """
    checker = Checker(corpus, judge)
    rng = random.Random(seed)
    made = Rows([], [], [])
    for group in _groups(list(enumerate(claims))):
        found = checker.choose([claim.text for _, claim in group], sentences_only=True)
        joint = read_together(judge.encoder, [one.reading for one in found])
        for (number, claim), one, reading in zip(group, found, joint, strict=True):
            if one.evidence and claim.label:
                fewer = _some(one, rng)
                for seen in (one, replace(one, reading=reading), fewer):
                    made.features.append(found_features(seen))
                    made.labels.append(VERDICTS.index(claim.label))
                    made.claims.append(number)
    return made


def _some(chosen: Chosen, rng: random.Random) -> Chosen:
    """Keep the piece that says most, and a random part of the others."""
    best, count = best_piece(chosen.reading), len(chosen.evidence)
    kept = [at for at in range(count) if at == best or rng.random() < 0.5]
    return Chosen([chosen.evidence[at] for at in kept], chosen.reading.of(kept))


def fit(rows: Rows, names: Sequence[str], seed: int = 1) -> tuple[Weights, float, float]:
    """Fit an aggregator; return it, and its accuracy and temperature on folds left out in turn."""
    x, y = np.array(rows.features, np.float64), np.array(rows.labels)
    mean, spread = x.mean(0), x.std(0) + 1e-3
    scaled = (x - mean) / spread
    claims, owner = np.unique(rows.claims, return_inverse=True)
    fold = np.random.default_rng(seed).permutation(len(claims))[owner] % _FOLDS
    logits = np.zeros((len(y), 3))
    for left_out in range(_FOLDS):
        inside = fold != left_out
        net = _train(scaled[inside], y[inside], seed)
        logits[~inside] = _forward(net, scaled[~inside])[1]
    temperature = _temperature(logits, y)
    hidden, hidden_bias, out, out_bias = _train(scaled, y, seed)
    weights = Weights(
        list(names),
        _rounded(mean),
        _rounded(spread),
        _rounded(hidden),
        _rounded(hidden_bias),
        _rounded(out / temperature),
        _rounded(out_bias / temperature),
    )
    return weights, float((logits.argmax(1) == y).mean()), temperature


Net = tuple[Any, Any, Any, Any]


def _forward(net: Net, x: Any) -> tuple[Any, Any]:
    hidden, hidden_bias, out, out_bias = net
    inner = np.tanh(x @ hidden + hidden_bias)
    return inner, inner @ out + out_bias


def _train(x: Any, y: Any, seed: int) -> Net:
    """Fit by Adam on all rows at once: a few thousand of them."""
    rng = np.random.default_rng(seed)
    net = [
        rng.normal(0, 1 / np.sqrt(x.shape[1]), (x.shape[1], _HIDDEN)),
        np.zeros(_HIDDEN),
        rng.normal(0, 1 / np.sqrt(_HIDDEN), (_HIDDEN, 3)),
        np.zeros(3),
    ]
    first, second = [np.zeros_like(w) for w in net], [np.zeros_like(w) for w in net]
    for step in range(1, _STEPS + 1):
        inner, logits = _forward((net[0], net[1], net[2], net[3]), x)
        error = _softmax(logits)
        error[np.arange(len(y)), y] -= 1
        error /= len(y)
        back = (error @ net[2].T) * (1 - inner**2)
        gradients = [x.T @ back, back.sum(0), inner.T @ error, error.sum(0)]
        rate = _RATE * (1 - step / (_STEPS + 1))
        for i, gradient in enumerate(gradients):
            if i in (0, 2):
                gradient = gradient + _DECAY * net[i]
            first[i] = 0.9 * first[i] + 0.1 * gradient
            second[i] = 0.999 * second[i] + 0.001 * gradient**2
            near = first[i] / (1 - 0.9**step)
            net[i] = net[i] - rate * near / (np.sqrt(second[i] / (1 - 0.999**step)) + 1e-8)
    return net[0], net[1], net[2], net[3]


def _softmax(logits: Any) -> Any:
    powers = np.exp(logits - logits.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def _temperature(logits: Any, y: Any) -> float:
    """Find what the logits must be divided by for the probabilities to mean what they say."""

    def loss(temperature: float) -> float:
        shares = _softmax(logits / temperature)[np.arange(len(y)), y]
        return float(-np.log(shares + 1e-12).mean())

    return min((t / 50 for t in range(20, 200)), key=loss)


def _rounded(values: Any) -> Any:
    return np.round(values, 5).tolist()


def _records(path: Path) -> Iterator[dict[str, Any]]:
    with open_bytes(path) as lines:
        yield from map(msgspec.json.decode, lines)


def _groups(items: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start in range(0, len(items), _GROUP):
        yield items[start : start + _GROUP]
