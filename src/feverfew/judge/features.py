"""What the aggregator weighs: the encoder's readings and the number checks, as named numbers.

Every feature is a maximum, or grows only with what speaks: ten silent pieces more change none
of them but by what they do to the reading of all together.
"""

from collections.abc import Sequence

import numpy as np

from feverfew.english import checks
from feverfew.judge.reading import Array, EncoderOutput

__all__ = [
    "FEATURES",
    "RETRIEVED",
    "best_piece",
    "features",
    "relevance",
    "retrieved_features",
    "shares",
]

FEATURES = (
    "score_joint",
    "together_s",
    "together_r",
    "together_n",
    "together_s_n",
    "together_r_n",
    "together_relevant",
    "best_s",
    "best_r",
    "best_s_n",
    "best_r_n",
    "most_s",
    "most_r",
    "least_n",
    "any_s",
    "any_r",
    "conflict",
    "most_relevant",
    *(f"number_{name}" for name in checks.FEATURES),
)
"""`best` is the piece that says most; `any` is how likely at least one piece says it."""
RETRIEVED = ("first_score", "best_score", "best_place", "second_gap", "hop")
"""What is known besides where the evidence was found by our own search."""

_FAR = 8.0


def shares(logits: Array) -> Array:
    """Turn rows of logits (S, R, N, …) into probabilities of S, R and N."""
    powers = np.exp(logits[..., :3] - logits[..., :3].max(-1, keepdims=True))
    found: Array = powers / powers.sum(-1, keepdims=True)
    return found


def best_piece(reading: EncoderOutput) -> int:
    """Return which piece says most, either way, among those that matter."""
    alone = shares(reading.alone)
    says = (1 - alone[:, 2]) * relevance(reading.alone)
    return int(says.argmax())


def features(reading: EncoderOutput) -> list[float]:
    """Describe a claim with at least one piece of evidence."""
    alone, matters = shares(reading.alone), relevance(reading.alone)
    best = best_piece(reading)
    # Where pieces were not read together, the one that says most stands for all.
    joint = reading.alone[best] if reading.together is None else reading.together
    says = alone[:, :2] * matters[:, None]
    any_s, any_r = (1 - np.prod(1 - says, axis=0)).tolist()
    most = says.max(0).tolist()
    return [
        float(reading.together is not None),
        *shares(joint).tolist(),
        *_margins(joint),
        float(relevance(joint)),
        *alone[best, :2].tolist(),
        *_margins(reading.alone[best]),
        *most,
        float(alone[:, 2].min()),
        any_s,
        any_r,
        most[0] * most[1],
        float(matters.max()),
        *checks.features(reading.claim, reading.texts[best]),
    ]


def retrieved_features(
    reading: EncoderOutput, scores: Sequence[float], hops: Sequence[int]
) -> list[float]:
    """Describe how the pieces were found: `scores` are the selector's, best first."""
    best = best_piece(reading)
    second = scores[1] if len(scores) > 1 else scores[0] - _FAR
    return [
        scores[0] / 5,
        scores[best] / 5,
        1 / (1 + best),
        (scores[0] - second) / 5,
        float(hops[best]),
    ]


def _margins(logits: Array) -> list[float]:
    s, r, n = logits[:3].tolist()
    return [max(-_FAR, min(_FAR, s - n)), max(-_FAR, min(_FAR, r - n))]


def relevance(logits: Array) -> Array:
    """Turn rows of logits into how likely each piece matters."""
    found: Array = 1 / (1 + np.exp(-logits[..., 3].clip(-30, 30)))
    return found
