"""From evidence to a verdict."""

from feverfew.judge.encoder import Encoder
from feverfew.judge.judge import VERDICTS, Chosen, Judge, Judgement, Probabilities, likeliest
from feverfew.judge.linearise import linearise

__all__ = [
    "VERDICTS",
    "Chosen",
    "Encoder",
    "Judge",
    "Judgement",
    "Probabilities",
    "likeliest",
    "linearise",
]
