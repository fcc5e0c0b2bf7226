"""From evidence to a verdict."""

from feverfew.judge.encoder import Encoder
from feverfew.judge.judge import VERDICTS, Judge, Judgement, Probabilities, likeliest
from feverfew.judge.linearise import linearise

__all__ = [
    "VERDICTS",
    "Encoder",
    "Judge",
    "Judgement",
    "Probabilities",
    "likeliest",
    "linearise",
]
