"""How probabilities become a verdict: one rule for each way in which claims are read.

FEVER refutes only on explicit evidence; FEVEROUS refutes where a reader would be misled by the
claim, given the page. The probabilities stay the same; a rule weighs them before the largest wins.
"""

from pathlib import Path

from msgspec import Struct

from feverfew.errors import FeverfewError
from feverfew.judge.beside import read_beside
from feverfew.model import Verdict

__all__ = ["FEVER", "FILE", "READINGS", "VERDICTS", "Probabilities", "Rule", "rule_of"]

FILE = "readings.json"
READINGS = ("fever", "feverous")
VERDICTS = (Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO)
Probabilities = tuple[float, float, float]
"""Of supported, refuted and left open."""


class Rule(Struct, frozen=True):
    """What each probability is weighed by: supported, refuted, left open."""

    name: str = "fever"
    weights: Probabilities = (1.0, 1.0, 1.0)

    def verdict(self, probabilities: Probabilities) -> Verdict:
        """Return the verdict that weighs most.

        >>> str(Rule("mild", (1.0, 2.0, 1.0)).verdict((0.2, 0.35, 0.45)))
        'REFUTED'
        """
        return VERDICTS[max(range(3), key=lambda at: probabilities[at] * self.weights[at])]


FEVER = Rule()


def rule_of(reading: str, folder: Path | None = None) -> Rule:
    """Return the rule of a reading that lies beside a model, or the shipped one."""
    if reading not in READINGS:
        raise FeverfewError(f"unknown reading {reading!r}; expected one of {', '.join(READINGS)}")
    kind = dict[str, Probabilities]
    weights = read_beside(None, FILE, kind) | read_beside(folder, FILE, kind)
    return Rule(reading, weights[reading])
