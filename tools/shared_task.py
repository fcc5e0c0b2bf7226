"""A simulated shared task: the teams of 2018, whose points are drawn to their published scores.

Systems are right about the same claims more often than chance would have it, as real ones are.
What is true differs from the gold in a few claims, and there is evidence that the gold lacks, so
that pooling has something to find.
"""

import json
import random
from collections.abc import Sequence
from statistics import NormalDist

from msgspec import Struct

LABELS = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")
TEAMS = {
    "UNC-NLP": (0.6821, 0.6421),
    "UCL Machine Reading Group": (0.6762, 0.6252),
    "Athene UKP TU Darmstadt": (0.6546, 0.6158),
    "Papelo": (0.6108, 0.5736),
    "SWEEPer": (0.5972, 0.4994),
    "ColumbiaNLP": (0.5745, 0.4906),
    "The Ohio State University": (0.5012, 0.4342),
    "GESIS Cologne": (0.5415, 0.4077),
    "FujiXerox": (0.4713, 0.3881),
    "nayeon7lee": (0.5125, 0.3859),
    "JanK": (0.5002, 0.3850),
    "Directed Acyclic Graph": (0.5136, 0.3833),
    "jg": (0.5397, 0.3713),
    "Py.ro": (0.4348, 0.3658),
    "SIRIUS-LTG-UIO": (0.4887, 0.3655),
    "hanshan": (0.3345, 0.3020),
    "lisizhen": (0.4538, 0.2922),
    "HZ": (0.3333, 0.2867),
    "UCSB": (0.5080, 0.2840),
    "ankur-umbc": (0.4489, 0.2376),
    "m6.ub.6m.bu": (0.5732, 0.2289),
    "ubub.bubu.61": (0.5542, 0.2171),
    "mithunpaul08": (0.3694, 0.1900),
}
"""Label accuracy and FEVER score of each team on the preliminary board of 2018."""
SUBMISSIONS = 86
_SHARED = 0.5
"""How much of a system's luck with a claim is the claim's own."""
_UNLISTED = 0.5
"""How often what a system returns instead of the gold's evidence settles the claim all the same."""


class SimulatedClaim(Struct, frozen=True):
    """A claim: what the gold says, what is true, and the sentences that show it."""

    id: int
    label: str
    true_label: str
    listed: tuple[str, int] | None
    """The gold's evidence."""
    unlisted: tuple[str, int] | None
    """A sentence that settles it, and that the gold lacks."""
    luck: float


def simulate_claims(
    count: int, seed: int = 0, *, wrong: float = 0.01, unseen: float = 0.06
) -> list[SimulatedClaim]:
    """Make claims, as many of each label.

    A share of the labels is wrong, and of open claims some would be settled by unseen evidence.
    """
    drawn = random.Random(seed)
    names = [f"Page_{n}" for n in range(max(10, count // 4))]
    made = []
    for number in range(count):
        label = true = LABELS[number % 3]
        chance = drawn.random()
        if label == LABELS[2] and chance < unseen:
            true = drawn.choice(LABELS[:2])
        elif label != LABELS[2] and chance < wrong:
            true = LABELS[1 - LABELS.index(label)]
        page = drawn.choice(names)
        made.append(
            SimulatedClaim(
                number,
                label,
                true,
                (page, 0) if label != LABELS[2] else None,
                (page, 1) if true != LABELS[2] else None,
                drawn.gauss(0, 1),
            )
        )
    return made


def gold_lines(claims: Sequence[SimulatedClaim]) -> str:
    """Write the gold in FEVER's format."""
    rows = [
        {
            "id": one.id,
            "claim": f"Claim number {one.id} is about {(one.listed or ('', 0))[0]}.",
            "label": one.label,
            "evidence": [[[0, 0, *one.listed]]] if one.listed else [[[0, None, None, None]]],
        }
        for one in claims
    ]
    return "\n".join(map(json.dumps, rows)) + "\n"


def predictions(
    claims: Sequence[SimulatedClaim], accuracy: float, score: float, seed: int
) -> bytes:
    """Predict with this label accuracy and this FEVER score, as far as chance allows."""
    drawn = random.Random(seed)
    threshold = NormalDist().inv_cdf(accuracy)
    # Open claims need the label alone, a third of all; the others the evidence as well.
    complete = min(1.0, max(0.0, (3 * score / accuracy - 1) / 2))
    rows = []
    for one in claims:
        own = _SHARED**0.5 * one.luck + (1 - _SHARED) ** 0.5 * drawn.gauss(0, 1)
        right = own < threshold
        others = [label for label in LABELS if label != one.label]
        found: list[tuple[str, int]] = []
        if one.listed and drawn.random() < complete:
            found.append(one.listed)
        elif one.unlisted and drawn.random() < _UNLISTED:
            found.append(one.unlisted)
        noise = [(f"Noise_{drawn.randrange(500)}", drawn.randrange(9)) for _ in range(4)]
        rows.append(
            {
                "id": one.id,
                "predicted_label": one.label if right else drawn.choice(others),
                "predicted_evidence": [*found, *noise][:5],
            }
        )
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def submissions_of(teams: Sequence[str], count: int = SUBMISSIONS) -> dict[str, int]:
    """Share submissions among teams: everyone has some, the first ones one more."""
    each, more = divmod(count, len(teams))
    return {team: each + (place < more) for place, team in enumerate(teams)}
