"""Compare two systems on the same claims, with significance tests."""

from collections.abc import Iterable

from msgspec import Struct

from feverfew.score.intervals import SAMPLES, Difference, McNemar, mcnemar, paired_bootstrap
from feverfew.score.sheet import Sheet
from feverfew.score.tasks import Task
from feverfew.types import Verdict


class Differing(Struct, frozen=True):
    """A claim on which two systems differ, in label or in points."""

    id: int | str
    claim: str
    label: Verdict
    a: Verdict | None
    b: Verdict | None
    a_right: bool
    """By the official score: the label, and the evidence where it is needed."""
    b_right: bool


class Comparison(Struct, frozen=True):
    """The differences between A and B."""

    task: str
    metric: str
    claims: int
    scores: dict[str, Difference]
    """Every score with its paired bootstrap."""
    mcnemar: dict[str, McNemar]
    """For the official score and for the label."""
    differing: tuple[Differing, ...]
    samples: int
    seed: int


def compare_systems(
    task: Task, a: Sheet, b: Sheet, *, samples: int = SAMPLES, seed: int = 0
) -> Comparison:
    """Compare two systems by their sheets of the same claims."""
    return Comparison(
        task.name,
        a.metric,
        len(a),
        paired_bootstrap(a, b, samples=samples, seed=seed),
        {
            name: mcnemar(_right(a, name), _right(b, name))
            for name in (task.headline, "label_accuracy")
        },
        tuple(_differing(task, a, b)),
        samples,
        seed,
    )


def _right(sheet: Sheet, name: str) -> list[bool]:
    return [value == 1.0 for value in sheet.column(name).values]


def _differing(task: Task, a: Sheet, b: Sheet) -> Iterable[Differing]:
    points = zip(_right(a, task.headline), _right(b, task.headline), strict=True)
    for in_a, in_b, (a_right, b_right) in zip(a.pairs, b.pairs, points, strict=True):
        claim = in_a.claim
        if claim.label is not None and (a_right != b_right or in_a.predicted is not in_b.predicted):
            yield Differing(
                claim.id, claim.text, claim.label, in_a.predicted, in_b.predicted, a_right, b_right
            )
