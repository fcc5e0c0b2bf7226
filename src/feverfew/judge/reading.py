"""What the encoder says of claims and their evidence: all pieces together, and each alone."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.judge.encoder import Encoder
from feverfew.judge.linearise import linearise, plain

__all__ = ["Array", "Piece", "Reading", "read", "read_less"]

Array = NDArray[np.float32]
Piece = tuple[str, str]
"""A page's title, "" where there is none, and a text."""


class Reading(Struct, frozen=True):
    """One claim with its evidence, read; S, R, N are supported, refuted and left open."""

    claim: str
    texts: list[str]
    """Each piece as the encoder read it."""
    together: Array
    """Logits of all pieces at once: S, R, N, relevance."""
    alone: Array
    """The same of each piece, a row each."""


def read(
    encoder: Encoder, claims: Sequence[str], pieces: Sequence[Sequence[Piece]]
) -> list[Reading]:
    """Read many claims, each with its pieces of evidence; one batch for all of them.

    A single piece is read once: together and alone are then the same.
    """
    asked: list[tuple[str, str]] = []
    texts: list[list[str]] = []
    for claim, own in zip(claims, pieces, strict=True):
        said = plain(claim)
        texts.append([linearise([piece]) for piece in own])
        asked += [(said, text) for text in texts[-1]]
        if len(own) > 1:
            asked.append((said, linearise(own)))
    logits = encoder.logits(asked)
    readings, at = [], 0
    for claim, own_texts in zip(claims, texts, strict=True):
        count = len(own_texts)
        alone = logits[at : at + count]
        at += count + (count > 1)
        readings.append(Reading(claim, own_texts, logits[at - 1] if count else _NOTHING, alone))
    return readings


def read_less(
    encoder: Encoder,
    known: Sequence[tuple[Reading, int]],
    left: Sequence[Sequence[Piece]],
) -> list[Reading]:
    """Read evidence again without one piece; only what is read together must be read anew."""
    joint = [i for i, own in enumerate(left) if len(own) > 1]
    logits = encoder.logits([(plain(known[i][0].claim), linearise(left[i])) for i in joint])
    together = dict(zip(joint, logits, strict=True))
    readings = []
    for i, (reading, at) in enumerate(known):
        alone = np.delete(reading.alone, at, 0)
        texts = reading.texts[:at] + reading.texts[at + 1 :]
        single = alone[0] if len(alone) else _NOTHING
        readings.append(Reading(reading.claim, texts, together.get(i, single), alone))
    return readings


_NOTHING: Array = np.array([0, 0, 0, -30], np.float32)
