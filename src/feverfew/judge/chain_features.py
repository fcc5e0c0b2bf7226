"""What is weighed of a claim that needs several sentences: readings of them together, above all.

None of the features tells how many pieces there are: that would give a label away wherever one
label's claims were written from more pages than the other's.
"""

from collections.abc import Sequence

import numpy as np

from feverfew.english import checks
from feverfew.judge.features import relevance, shares
from feverfew.judge.linearise import linearise
from feverfew.judge.reading import Array, EncoderOutput, Piece
from feverfew.models.heads import CHAIN
from feverfew.text import display_title, padded, spelled_words, words

__all__ = ["FEW", "FOUND", "GIVEN", "SETS", "found_row", "given_row", "nested"]

FEW = 5
"""As many pieces as the judge of single pieces was taught with."""
SETS = (2, 3, FEW, 8)
"""How many of the best pieces are read together, and at last the best piece of each page."""
_PAGES = 4
_SPOKEN = ("support", "against_open", "relevant")
_PARTS = ("part_least", "part_mean")
_COVER = ("words", "names", "numbers")
_ALONE = ("alone_most", "alone_mean", "alone_any_s", "alone_any_r", "alone_relevant")
_ANSWER = ("answer_s", "answer_r")
_NUMBERS = tuple(f"number_{name}" for name in checks.FEATURES)
FOUND = (
    *(f"{name}_{size}" for size in (*SETS, "pages") for name in _SPOKEN),
    "support_most",
    "support_mean",
    *_PARTS,
    *_ALONE,
    *_ANSWER,
    *(f"{name}_{size}" for size in (FEW, "all") for name in _COVER),
    *_NUMBERS,
)
"""For what our own search found: nested sets of it, as `nested` makes them."""
GIVEN = (*_SPOKEN, *_PARTS, *_ALONE, *_ANSWER, *_COVER, *_NUMBERS)
"""For evidence that people bring: all of it at once."""
_FAR = 6.0


def nested(pieces: Sequence[Piece]) -> list[list[int]]:
    """List the sets that are read together: the best two, three, …, and the best of each page.

    Where there are fewer pieces, the last sets are all of them.
    """
    first: dict[str, int] = {}
    for at, (page, _) in enumerate(pieces):
        first.setdefault(page, at)
    every = list(range(len(pieces)))
    return [*(every[:size] for size in SETS), list(first.values())[:_PAGES]]


def found_row(
    reading: EncoderOutput, joint: Array, parts: Array, answer: Sequence[float]
) -> list[float]:
    """Describe a claim with what was found for it; `joint` has a row of logits for each set.

    `parts` has one for each sentence of the claim, read beside the best pieces, and `answer` is
    what the judge of single pieces says.
    """
    spoken = [_spoken(logits) for logits in joint]
    support = [one[0] for one in spoken]
    return [
        *(value for one in spoken for value in one),
        max(support),
        sum(support) / len(support),
        *_by_part(parts),
        *_by_piece(reading),
        *answer[:2],
        *_covered(reading.claim, reading.pieces[:FEW]),
        *_covered(reading.claim, reading.pieces),
        *checks.features(reading.claim, linearise(reading.pieces[:FEW])),
    ]


def given_row(reading: EncoderOutput, parts: Array, answer: Sequence[float]) -> list[float]:
    """Describe a claim with evidence that was read alone and together."""
    joint = reading.alone[0] if reading.together is None else reading.together
    return [
        *_spoken(joint),
        *_by_part(parts),
        *_by_piece(reading),
        *answer[:2],
        *_covered(reading.claim, reading.pieces),
        *checks.features(reading.claim, linearise(reading.pieces)),
    ]


def _spoken(logits: Array) -> list[float]:
    """Say how surely pieces read together support, against all else, and against silence."""
    s, r, n = logits[CHAIN[:3]].tolist()
    return [_near(s - float(np.logaddexp(r, n))), _near(max(s, r) - n), float(relevance(logits))]


def _by_part(parts: Array) -> list[float]:
    """Say how surely the least supported sentence of a claim holds: one that is wrong is enough."""
    support = [_spoken(logits)[0] for logits in parts]
    return [min(support), sum(support) / len(support)]


def _near(value: float) -> float:
    return max(-_FAR, min(_FAR, value))


def _by_piece(reading: EncoderOutput) -> list[float]:
    logits, matters = reading.alone, relevance(reading.alone)
    support = logits[:, 0] - np.logaddexp(logits[:, 1], logits[:, 2])
    says = shares(logits)[:, :2] * matters[:, None]
    any_s, any_r = (1 - np.prod(1 - says, axis=0)).tolist()
    return [
        _near(float(support.max())),
        _near(float(support.mean())),
        any_s,
        any_r,
        float(matters.max()),
    ]


def _covered(claim: str, pieces: Sequence[Piece]) -> list[float]:
    """Return the shares of the claim's words, names and numbers that the pieces have."""
    told = b" ".join(padded(f"{display_title(page)} {text}") for page, text in pieces)
    spelled = spelled_words(claim)
    kinds = (
        [w for w in spelled if len(w) > 3],
        [w for w in spelled[1:] if w[0].isupper()],
        [w for w in spelled if w[0].isdigit()],
    )
    return [
        sum(all(padded(part) in told for part in words(word)) for word in kind) / len(kind)
        if kind
        else 1.0
        for kind in kinds
    ]
