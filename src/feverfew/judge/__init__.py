"""From evidence to a verdict."""

from feverfew.judge.judge import (
    VERDICTS,
    Judge,
    Judgement,
    Probabilities,
    SelectedEvidence,
    likeliest,
)
from feverfew.judge.label_policy import LabelPolicy
from feverfew.judge.linearise import linearise
from feverfew.models.encoder import Encoder

__all__ = [
    "VERDICTS",
    "Encoder",
    "Judge",
    "Judgement",
    "LabelPolicy",
    "Probabilities",
    "SelectedEvidence",
    "likeliest",
    "linearise",
]
