"""Measure an experiment: every figure of its table, with its interval."""

import random
import time
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from feverfew.errors import InputError
from feverfew.lab.papers.dataset import ClaimSet
from feverfew.lab.papers.experiment import Experiment, Figure, Ordering
from feverfew.lab.papers.feverousmeasures import FROM_CLAIMS, FROM_SHEETS, guessed
from feverfew.lab.papers.systems import Answers, Runner
from feverfew.score import bootstrap
from feverfew.score.retrieval import retrieval_sheet
from feverfew.score.sheet import Metric, Sheet
from feverfew.score.summary import Estimate
from feverfew.score.tasks import task_named
from feverfew.text import display_title
from feverfew.types import Claim, Kind, Prediction, Ref

__all__ = ["RATE", "Measured", "Result", "holds", "measure"]

RATE = "claims_a_second"
"""The one measure that is not a share: what the search answered in a second."""
_SAMPLES = 2_000


class Measured(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One figure of the table, as the paper has it and as it came out here; in per cent."""

    row: str
    column: str
    metric: str = ""
    paper: float | None = None
    here: Estimate | None = None
    whole: Estimate | None = None
    """The same on claims whose gold pages are whole."""
    claims: int = 0
    missing: str = ""

    @property
    def name(self) -> str:
        """Row and column: how orderings name it."""
        return f"{self.row} | {self.column}"


class Result(Struct, frozen=True, kw_only=True):
    """A table that was measured."""

    name: str
    paper: str
    table: str
    title: str
    world: str
    claims: int
    seconds: float
    notes: str
    plot: str
    ranked: str
    figures: list[Measured]
    orderings: list[Ordering]
    balanced: bool = True


def measure(experiment: Experiment, lab: Runner, most: int | None, seed: int = 1) -> Result:
    """Run what the table needs; of more claims than `most`, draw some, as many of each label."""
    start = time.perf_counter()
    known = lab.world.claims(experiment.claims)
    chosen = _balanced(experiment.balance, known.claims, most, seed)
    if not chosen:
        raise InputError(f"{experiment.name}: there are no claims to measure on")
    figures = [_figure(figure, lab, known, chosen) for figure in experiment.figures]
    return Result(
        name=experiment.name,
        paper=experiment.paper,
        table=experiment.table,
        title=experiment.title,
        world=lab.world.name,
        claims=len(chosen),
        seconds=round(time.perf_counter() - start, 1),
        notes=experiment.notes,
        plot=experiment.plot,
        ranked=experiment.ranked,
        figures=figures,
        orderings=experiment.orderings,
        balanced=experiment.balance != "none",
    )


def _figure(figure: Figure, lab: Runner, known: ClaimSet, chosen: list[Claim]) -> Measured:
    said = Measured(
        row=figure.row,
        column=figure.column,
        metric=figure.metric,
        paper=figure.paper,
        missing=figure.missing,
    )
    if figure.missing or figure.system is None:
        return said
    if figure.metric in FROM_CLAIMS:
        return replace(said, here=guessed(figure.metric, chosen), claims=len(chosen))
    answers = lab.run(figure.system, chosen)
    places = [at for at, claim in enumerate(chosen) if _meant(figure, claim)]
    if not places:
        return replace(said, missing="no such claim among those at hand")
    here = _estimate(figure.metric, known.task, chosen, answers, places)
    intact = [at for at in places if chosen[at].id in known.whole]
    whole = None
    if intact and len(intact) < len(places) and figure.metric != RATE:
        whole = _estimate(figure.metric, known.task, chosen, answers, intact)
    return replace(said, here=here, whole=whole, claims=len(places))


def _meant(figure: Figure, claim: Claim) -> bool:
    right_label = not figure.label or claim.label == figure.label
    right_cells = figure.cells is None or _cells(claim) == figure.cells
    return right_label and right_cells and (figure.hops is None or claim.hops == figure.hops)


def _cells(claim: Claim) -> int:
    kinds = (Kind.CELL, Kind.HEADER_CELL)
    return sum(ref.kind in kinds for ref in next(iter(claim.evidence), ()))


def _estimate(
    metric: str, task: str, claims: Sequence[Claim], answers: Answers, places: Sequence[int]
) -> Estimate:
    if metric == RATE:
        return Estimate(answers.rate)
    asked = [claims[at] for at in places]
    said = [answers.predictions[at] for at in places]
    if metric in FROM_SHEETS:
        return FROM_SHEETS[metric](task_named(task).score(asked, said))
    sheet, column = _sheet(metric, task, asked, said)
    if column not in sheet.means():  # none of the claims has what is measured
        return Estimate(0.0, 0.0, 0.0)
    value, around = sheet.means()[column], bootstrap(sheet, samples=_SAMPLES)[column]
    return Estimate(*(round(100 * x, 2) for x in (value, around.low, around.high)))


def _sheet(
    metric: str, task: str, claims: Sequence[Claim], said: Sequence[Prediction]
) -> tuple[Sheet, str]:
    """Score predictions; return the sheet and the column's name."""
    if task == "hover":  # its titles are spelled as people read them
        said = [_shown(one) for one in said]
    scored = task_named(task).score(claims, said)
    if metric in scored.means():
        return scored, metric
    named = Metric.parse(metric)
    return retrieval_sheet(scored.pairs, [named]), str(named)


def _shown(said: Prediction) -> Prediction:
    refs = tuple(Ref(display_title(r.page), r.kind, r.position) for r in said.evidence)
    return replace(said, evidence=refs, pages=tuple(map(display_title, said.pages)))


def _balanced(balance: str, claims: Sequence[Claim], most: int | None, seed: int) -> list[Claim]:
    """Draw as many claims of each label, of all or of those that need as many pages; or any."""
    if balance != "hops":
        return _drawn(claims, most, seed, balance == "label")
    parts: dict[int, list[Claim]] = {}
    for claim in claims:
        parts.setdefault(claim.hops or 0, []).append(claim)
    two = [own for own in parts.values() if len({claim.label for claim in own}) > 1]
    share = None if most is None else -(-most // max(1, len(two)))
    return [claim for own in two for claim in _drawn(own, share, seed)]


def _drawn(
    claims: Sequence[Claim], most: int | None, seed: int, balanced: bool = True
) -> list[Claim]:
    """Draw as many claims of each label, where the paper's set is balanced."""
    by_label: dict[object, list[Claim]] = {}
    shuffled = list(claims)
    random.Random(seed).shuffle(shuffled)
    if not balanced:
        return shuffled[:most]
    for claim in shuffled:
        by_label.setdefault(claim.label, []).append(claim)
    fewest = min(map(len, by_label.values()), default=0)
    share = fewest if most is None else min(fewest, max(1, most // len(by_label)))
    return [claim for own in by_label.values() for claim in own[:share]]


def holds(ordering: Ordering, figures: Sequence[Measured]) -> bool | None:
    """Say whether one figure is above another; None where either is missing."""
    named = {figure.name: figure.here for figure in figures}
    above, below = named.get(ordering.above), named.get(ordering.below)
    return None if above is None or below is None else above.value > below.value
