"""From evidence to a verdict."""

from feverfew.judge.judge import Judge, Judgement, likeliest
from feverfew.judge.label_policy import VERDICTS, LabelPolicy, Probabilities
from feverfew.judge.readings import Piece
from feverfew.models.encoder import Encoder
from feverfew.models.inputs import linearise

__all__ = [
    "VERDICTS",
    "Encoder",
    "Judge",
    "Judgement",
    "LabelPolicy",
    "Piece",
    "Probabilities",
    "likeliest",
    "linearise",
]
