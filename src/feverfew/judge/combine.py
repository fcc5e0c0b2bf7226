"""The one decision layer: from readings to calibrated probabilities.

It is small and monotone: whatever says SUPPORTED more strongly can only raise the probability of
SUPPORTED, and lower that of REFUTED. One set of weights serves every kind of evidence and every
domain; a second, for the small encoder alone, is used where there is no large one.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.errors import InputError
from feverfew.judge.label_policy import Probabilities
from feverfew.judge.readings import Piece, Readings
from feverfew.models.network import softmax
from feverfew.models.weights_io import verified
from feverfew.text import display_title, padded, spelled_words, without_parenthesis, words

__all__ = ["FEATURES", "FILE", "Combination", "Weights", "covered_names", "features"]

FILE = "combination.json"
FEATURES = ("joint", "best", "small_best", "small_named", "program", "few")
"""Each is measured twice, for SUPPORTED and for REFUTED: what the encoder that decides says of
pieces together, and of the one that says most; what the small one says of any, and of pages that
the claim names, as those that it learned from are; programs over tables; and whether the pieces
are few, where silence means more than among many."""
_FEW = 4
"""Pieces that are read well together, so that none of them needs to be heard alone."""
_FAR = 6.0

Array = NDArray[np.float64]


class Weights(Struct, frozen=True):
    """What each feature counts for its own side and against the other; never below zero."""

    own: tuple[list[float], list[float]]
    against: tuple[list[float], list[float]]
    bias: tuple[float, float]


class _File(Struct, frozen=True):
    features: list[str]
    full: Weights
    small: Weights
    fitted_on: dict[str, int] = {}
    """How many claims of each domain."""


class Combination:
    """Weighs what was read; monotone in it."""

    def __init__(self, full: Weights, small: Weights, fingerprint: str = "") -> None:
        self._full, self._small = _Arrays(full), _Arrays(small)
        self.fingerprint = fingerprint

    @classmethod
    def open(cls, folder: Path) -> "Combination":
        """Open the weights that lie in a model's folder."""
        path = folder / FILE
        remedy = "fit it with 'feverfew train combination'"
        try:
            data = verified(path)
            read = msgspec.json.decode(data, type=_File)
        except (OSError, msgspec.MsgspecError) as error:
            raise InputError(f"{path}: {error}; {remedy}") from None
        if tuple(read.features) != FEATURES:
            raise InputError(f"{path} is of another version; {remedy}")
        return cls(read.full, read.small, hashlib.blake2b(data, digest_size=8).hexdigest())

    def probabilities(self, readings: Sequence[Readings]) -> list[Probabilities]:
        """Return S, R and N for each claim; without evidence, nothing is supported or refuted."""
        found: list[Probabilities] = []
        for one in readings:
            if not one.pieces:
                found.append((0.0, 0.0, 1.0))
                continue
            # A piece that only the small encoder has read is weighed by that alone.
            read = not (np.isnan(one.close).all() and np.isnan(one.close_sets).all())
            found.append(self.weigh(features(one), large=one.by_large and read))
        return found

    def weigh(self, measured: Array, *, large: bool) -> Probabilities:
        """Return S, R and N for what `features` measured."""
        weights = self._full if large else self._small
        supported, refuted, neither = weights.shares(measured).tolist()
        return supported, refuted, neither


class _Arrays:
    def __init__(self, weights: Weights) -> None:
        self._own, self._against = (np.array(m, np.float64) for m in (weights.own, weights.against))
        self._bias = np.array(weights.bias, np.float64)

    def shares(self, measured: Array) -> Array:
        scores = (self._own * measured).sum(1) - (self._against * measured[::-1]).sum(1)
        return softmax(np.array([*(scores + self._bias), 0.0]))


def features(one: Readings) -> Array:
    """Measure what speaks for SUPPORTED (row 0) and for REFUTED (row 1); at least one piece."""
    mattering = np.minimum(_says(one.small), one.relevance[:, None].clip(-_FAR, _FAR))
    small_best = mattering.max(0)
    close = _says(one.close[~np.isnan(one.close[:, 0])])
    best = close.max(0) if len(close) else small_best
    sets = _says(one.close_sets[~np.isnan(one.close_sets[:, 0])])
    joint = sets.mean(0) if len(sets) else best
    named = _named(one)
    small_named = mattering[named].max(0) if named.any() else np.zeros(2)
    few = len(one.pieces) <= _FEW
    best = joint if few else best
    silence = np.full(2, -float(few))
    return np.array([joint, best, small_best, small_named, _program(one), silence]).T


def _says(logits: NDArray[np.float32]) -> Array:
    """Say how far S and R are above N, within bounds."""
    return (logits[:, :2] - logits[:, 2:]).clip(-_FAR, _FAR).astype(np.float64)


def _named(one: Readings) -> NDArray[np.bool_]:
    """Say of each piece whether the claim names its page."""
    claim = padded(one.claim)
    titles = [padded(without_parenthesis(display_title(piece.title))) for piece in one.pieces]
    return np.array([bool(title.strip()) and title in claim for title in titles])


def _program(one: Readings) -> tuple[float, float]:
    """Say how surely the programs over a table find the claim true, and false."""
    best = [0.0, 0.0]
    for piece in one.pieces:
        if piece.votes is None:
            continue
        true = min(max(piece.votes.probability, 1e-3), 1 - 1e-3)
        surely = piece.votes.relevance * float(np.log(true / (1 - true)))
        best = [max(best[0], surely), max(best[1], -surely)]
    return best[0], best[1]


def covered_names(claim: str, pieces: Sequence[Piece]) -> list[set[str]]:
    """Say which of the claim's names and numbers each piece has."""
    names = _names(claim, [piece.title for piece in pieces])
    named = {name: [padded(part) for part in words(name)] for name in names}
    texts = [padded(f"{display_title(piece.title)} {piece.text}") for piece in pieces]
    return [
        {name for name, parts in named.items() if all(part in text for part in parts)}
        for text in texts
    ]


def _names(claim: str, titles: Sequence[str]) -> set[str]:
    """List names and numbers; the first word has a capital anyway, and is one if a page's name."""
    first, *rest = spelled_words(claim) or [""]
    bases = (without_parenthesis(display_title(title)) for title in titles)
    begins = first and any(base and claim.startswith(base) for base in bases)
    return {w for w in rest if w[0].isupper() or w[0].isdigit()} | ({first} if begins else set())
