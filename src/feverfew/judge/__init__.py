"""From evidence to a verdict."""

from feverfew.judge.encoder import Encoder
from feverfew.judge.judge import VERDICTS, Chosen, Judge, Judgement, Probabilities, likeliest
from feverfew.judge.linearise import linearise
from feverfew.judge.rules import Rule

__all__ = [
    "VERDICTS",
    "Chosen",
    "Encoder",
    "Judge",
    "Judgement",
    "Probabilities",
    "Rule",
    "likeliest",
    "linearise",
]
