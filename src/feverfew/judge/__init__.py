"""From evidence to a verdict."""

from feverfew.judge.encoder import Encoder
from feverfew.judge.linearise import linearise

__all__ = ["Encoder", "linearise"]
