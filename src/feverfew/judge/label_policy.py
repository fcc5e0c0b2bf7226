"""How probabilities become a verdict: one rule for each way in which claims are read.

FEVER refutes only on explicit evidence; FEVEROUS refutes where a reader would be misled by the
claim, given the page. The probabilities stay the same; a rule weighs them before the largest wins.
"""

from pathlib import Path

from msgspec import Struct

from feverfew.errors import FeverfewError
from feverfew.models.weights_io import read_weights
from feverfew.types import Verdict

__all__ = [
    "FEVER",
    "FILE",
    "LABEL_POLICIES",
    "VERDICTS",
    "LabelPolicy",
    "Probabilities",
    "open_policy",
]

FILE = "label_policies.json"
LABEL_POLICIES = ("fever", "feverous")
VERDICTS = (Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO)
Probabilities = tuple[float, float, float]
"""Of supported, refuted and left open."""


class LabelPolicy(Struct, frozen=True):
    """What each probability is weighed by: supported, refuted, left open."""

    name: str = "fever"
    weights: Probabilities = (1.0, 1.0, 1.0)

    def verdict(self, probabilities: Probabilities) -> Verdict:
        """Return the verdict that weighs most.

        >>> str(LabelPolicy("mild", (1.0, 2.0, 1.0)).verdict((0.2, 0.35, 0.45)))
        'REFUTED'
        """
        return VERDICTS[max(range(3), key=lambda at: probabilities[at] * self.weights[at])]

    def confidence(self, probabilities: Probabilities) -> float:
        """Return the weighed share of the verdict."""
        weighed = [p * weight for p, weight in zip(probabilities, self.weights, strict=True)]
        return max(weighed) / (sum(weighed) or 1.0)


FEVER = LabelPolicy()


def open_policy(name: str, folder: Path | None = None) -> LabelPolicy:
    """Return a label policy by name: the one in a model's folder, or the shipped one."""
    if name not in LABEL_POLICIES:
        raise FeverfewError(
            f"unknown label policy {name!r}; expected one of {', '.join(LABEL_POLICIES)}"
        )
    kind = dict[str, Probabilities]
    weights = read_weights(None, FILE, kind) | read_weights(folder, FILE, kind)
    return LabelPolicy(name, weights[name])
