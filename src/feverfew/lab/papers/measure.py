"""Measure an experiment: every figure of its table, with its interval."""

import random
import time
from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from feverfew.errors import InputError
from feverfew.lab.papers.dataset import ClaimSet
from feverfew.lab.papers.experiment import Experiment, Figure, Ordering
from feverfew.lab.papers.runner import Answers, Runner
from feverfew.score import bootstrap
from feverfew.score.giveaway import Giveaway, claim_only, evidence_type_only
from feverfew.score.intervals import percentiles, redrawn_sums, unit_totals, units
from feverfew.score.join import Pair
from feverfew.score.retrieval import retrieval_sheet
from feverfew.score.sheet import Metric, Sheet
from feverfew.score.summary import Estimate
from feverfew.score.tasks import task_named
from feverfew.text import display_title
from feverfew.types import Claim, Kind, Prediction, Ref, Verdict

RATE = "claims_a_second"
"""The one measure that is not a share: what the search answered in a second."""
_SAMPLES = 2_000
_CLASSES = (Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO)
_SENTENCES, _TABLES = 5, 3
Reals = NDArray[np.float64]


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
    dataset: str
    claims: int
    seconds: float
    notes: str
    plot: str
    ranked: str
    figures: list[Measured]
    orderings: list[Ordering]
    balanced: bool = True


def measure(experiment: Experiment, runner: Runner, most: int | None, seed: int = 1) -> Result:
    """Measure a table, on at most `most` claims; as many are drawn of each label."""
    start = time.perf_counter()
    known = runner.dataset.claims(experiment.claims)
    chosen = _balanced(experiment.balance, known.claims, most, seed)
    if not chosen:
        raise InputError(f"{experiment.name}: there are no claims to measure on")
    figures = [_figure(figure, runner, known, chosen) for figure in experiment.figures]
    return Result(
        name=experiment.name,
        paper=experiment.paper,
        table=experiment.table,
        title=experiment.title,
        dataset=runner.dataset.name,
        claims=len(chosen),
        seconds=round(time.perf_counter() - start, 1),
        notes=experiment.notes,
        plot=experiment.plot,
        ranked=experiment.ranked,
        figures=figures,
        orderings=experiment.orderings,
        balanced=experiment.balance != "none",
    )


def _figure(figure: Figure, runner: Runner, known: ClaimSet, chosen: list[Claim]) -> Measured:
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
    answers = runner.run(figure.system, chosen)
    places = [at for at, claim in enumerate(chosen) if _meant(figure, claim)]
    if not places:
        return replace(said, missing="no such claim in the data")
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


def f1_of(sheet: Sheet, label: Verdict | None) -> Estimate:
    """Return the F1 of a class, or the mean of all classes that occur; groups are redrawn."""
    counts = np.zeros((len(sheet.pairs), 3, len(_CLASSES)))
    for at, pair in enumerate(sheet.pairs):
        for place, own in enumerate(_CLASSES):
            said, is_so = pair.predicted is own, pair.claim.label is own
            counts[at, :, place] = (said and is_so, said, is_so)
    totals = unit_totals(units(sheet), counts.reshape(len(counts), -1))
    occurs = counts[:, 2].sum(0) > 0
    redrawn = _f1(redrawn_sums(totals, _SAMPLES, seed=0))
    value = _f1(totals.sum(0)[None])
    chosen = occurs if label is None else np.array([own is label for own in _CLASSES])
    if not occurs[chosen].any():
        return Estimate(0.0, 0.0, 0.0)
    around = percentiles(redrawn[:, chosen].mean(1))
    return _in_per_cent(float(value[0, chosen].mean()), around.low, around.high)


def _f1(counts: Reals) -> Reals:
    both, said, is_so = np.split(counts, 3, axis=1)
    f1: Reals = 2 * both / np.maximum(said + is_so, 1)
    return f1


def passages(sheet: Sheet) -> Estimate:
    """Return the share of a claim's sentences and tables among its first 5 and 3."""
    rows = [(_passage_recall(pair),) for pair in sheet.pairs]
    own = Sheet.of_rows("passages", sheet.pairs, rows, ("passages",), of_nothing={"passages": 0.0})
    around = bootstrap(own, samples=_SAMPLES)["passages"]
    return _in_per_cent(own.means()["passages"], around.low, around.high)


def _passage_recall(pair: Pair) -> float | None:
    gold = {_passage(ref) for refs in pair.gold for ref in refs}
    if not gold:
        return None
    found = list(dict.fromkeys(map(_passage, pair.found)))
    sentences = [own for own in found if own[1] == Kind.SENTENCE][:_SENTENCES]
    tables = [own for own in found if own[1] != Kind.SENTENCE][:_TABLES]
    return len(gold & {*sentences, *tables}) / len(gold)


def _passage(ref: Ref) -> tuple[str, str, int]:
    kind = ref.kind if ref.kind in (Kind.SENTENCE, Kind.ITEM) else "table"
    return ref.page, kind, ref.position[0] if ref.position else 0


FROM_SHEETS: dict[str, Callable[[Sheet], Estimate]] = {
    "f1_supported": lambda sheet: f1_of(sheet, Verdict.SUPPORTED),
    "f1_refuted": lambda sheet: f1_of(sheet, Verdict.REFUTED),
    "f1_open": lambda sheet: f1_of(sheet, Verdict.NOT_ENOUGH_INFO),
    "macro_f1": lambda sheet: f1_of(sheet, None),
    "passages": passages,
}
"""Measures of predictions."""
_GUESSES: dict[str, Callable[[Sequence[Claim]], Giveaway]] = {
    "claim_only": claim_only,
    "evidence_type": evidence_type_only,
}
FROM_CLAIMS = tuple(f"{name}{way}" for name in _GUESSES for way in ("", "_majority"))
"""Measures of claims without any evidence or system: the accuracy of guessing."""


def guessed(metric: str, claims: Sequence[Claim]) -> Estimate:
    """Guess from claims alone, by cross-validation; or always the most frequent answer."""
    found = _GUESSES[metric.removesuffix("_majority")](claims)
    if metric.endswith("_majority"):
        return _in_per_cent(found.majority, found.majority, found.majority)
    return _in_per_cent(found.accuracy, found.low, found.high)


def _in_per_cent(value: float, low: float, high: float) -> Estimate:
    return Estimate(*(round(100 * x, 2) for x in (value, min(low, value), max(high, value))))
