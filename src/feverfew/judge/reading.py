"""What the encoder says of claims and their evidence: each piece alone, and all together."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from feverfew.judge.linearise import linearise, plain
from feverfew.models.encoder import Encoder

__all__ = ["Array", "EncoderOutput", "Piece", "score_each", "score_joint"]

Array = NDArray[np.float32]
Piece = tuple[str, str]
"""A page's title, "" where there is none, and a text."""


class EncoderOutput(Struct, frozen=True):
    """One claim with its evidence, read; S, R, N are supported, refuted and left open."""

    claim: str
    pieces: list[Piece]
    texts: list[str]
    """Each piece as the encoder reads it."""
    alone: Array
    """Logits of each piece, a row each."""
    together: Array | None = None
    """Logits of all pieces at once; None where they were not read so."""

    def of(self, kept: Sequence[int]) -> "EncoderOutput":
        """Take some of the pieces, in the order given."""
        return EncoderOutput(
            self.claim,
            [self.pieces[at] for at in kept],
            [self.texts[at] for at in kept],
            self.alone[list(kept)],
        )


def score_each(
    encoder: Encoder, claims: Sequence[str], pieces: Sequence[Sequence[Piece]]
) -> list[EncoderOutput]:
    """Read many claims, each beside every piece of its evidence; one batch for all of them."""
    texts = [[linearise([piece]) for piece in own] for own in pieces]
    logits = encoder.logits(
        [(plain(claim), text) for claim, own in zip(claims, texts, strict=True) for text in own]
    )
    ends = np.cumsum([len(own) for own in texts])
    return [
        EncoderOutput(claim, list(own), own_texts, logits[end - len(own) : end])
        for claim, own, own_texts, end in zip(claims, pieces, texts, ends, strict=True)
    ]


def score_joint(encoder: Encoder, readings: Sequence[EncoderOutput]) -> list[EncoderOutput]:
    """Read all pieces of a claim at once, where there is more than one; one batch for all."""
    joint = [reading for reading in readings if len(reading.pieces) > 1]
    logits = iter(encoder.logits([(plain(r.claim), linearise(r.pieces)) for r in joint]))
    return [
        replace(reading, together=next(logits)) if len(reading.pieces) > 1 else reading
        for reading in readings
    ]
