"""Measure an exported model on labelled pairs: what the model card says of it."""

import time
from collections.abc import Sequence

from msgspec import Struct

from feverfew.lab.train.pairs import LABELS, UNKNOWN, Pair
from feverfew.models.encoder import Encoder
from feverfew.score.calibration import Answer, calibration
from feverfew.score.intervals import wilson
from feverfew.types import Verdict

_VERDICTS = (Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO)


class Measured(Struct, frozen=True):
    """How a model did on a file of pairs, for those with a label."""

    pairs: int
    accuracy: float
    low: float
    high: float
    """Where the accuracy lies 95 times of 100 (Wilson's interval)."""
    ece: float
    confusion: dict[str, dict[str, int]]
    """What was said of each label: confusion["R"]["N"] refuted claims were called open."""
    pairs_a_second: float


def measure(encoder: Encoder, pairs: Sequence[Pair], readings: Sequence[str] = LABELS) -> Measured:
    """Ask the verdict head; `readings` are the labels that the data knows.

    Where a set knows only S and R, the likelier of these two is what the model said.
    """
    known = [pair for pair in pairs if pair.verdict != UNKNOWN]
    start = time.perf_counter()
    shares = encoder.verdict(
        [(pair.claim, pair.evidence) for pair in known], [pair.kind for pair in known]
    )
    seconds = time.perf_counter() - start
    allowed = [LABELS.index(label) for label in readings]
    confusion = {gold: dict.fromkeys(readings, 0) for gold in readings}
    answers = []
    for pair, share in zip(known, shares, strict=True):
        said = max(allowed, key=lambda i: share[i])
        confusion[LABELS[pair.verdict]][LABELS[said]] += 1
        total = sum(share[i] for i in allowed)
        probabilities = {_VERDICTS[i]: share[i] / total for i in allowed}
        answers.append(Answer(_VERDICTS[pair.verdict], _VERDICTS[said], probabilities))
    right = sum(confusion[label][label] for label in readings)
    around = wilson(right, len(known))
    return Measured(
        len(known),
        right / len(known) if known else 0.0,
        around.low,
        around.high,
        calibration(answers).ece if answers else 0.0,
        confusion,
        len(known) / seconds if seconds else 0.0,
    )
