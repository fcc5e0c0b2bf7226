"""Everything worth saying about one file of predictions, as one value ready for JSON."""

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from feverfew.score.calibration import Answer, Calibration, accuracy_at_coverage, calibration
from feverfew.score.intervals import SAMPLES, Interval, bootstrap, units
from feverfew.score.join import Pair
from feverfew.score.labels import Labels, label_scores
from feverfew.score.retrieval import retrieval_sheet
from feverfew.score.sheet import Metric, Sheet
from feverfew.score.slices import SLICES, slice_by
from feverfew.score.tasks import Task
from feverfew.types import Claim, Prediction, Verdict

_CURVE = 200


class Estimate(Struct, frozen=True, omit_defaults=True):
    """A score, with its interval where one was asked for."""

    value: float
    low: float | None = None
    high: float | None = None


class Slice(Struct, frozen=True):
    """The claims that share a property, and their scores."""

    name: str
    claims: int
    scores: dict[str, Estimate]


class Retrieved(Struct, frozen=True):
    """A measure of retrieval, over all claims and over those of each number of hops."""

    metric: str
    of: str
    """Which claims were asked: `all claims`, or `supported claims` as in HoVer's table 3."""
    claims: int
    value: float
    by_hops: dict[str, float]


class Confidence(Struct, frozen=True):
    """How far the probabilities can be trusted, where predictions carry them."""

    measures: Calibration
    coverage: float
    accuracy_at_coverage: float
    """The accuracy when only this share of claims, the most confident, is answered."""


class Summary(Struct, frozen=True):
    """What became of a file of predictions."""

    task: str
    metric: str
    claims: int
    missing: int
    """Claims without a prediction, counted as wrong; only HoVer allows them."""
    scores: dict[str, Estimate]
    no_score_ev: float
    """FEVER's table 4: the label alone."""
    score_ev: float
    """FEVER's table 4: the label and the evidence it needs."""
    labels: Labels
    retrieval: tuple[Retrieved, ...]
    slices: dict[str, tuple[Slice, ...]]
    samples: int
    seed: int
    confidence: Confidence | None
    drawn: str
    """What the bootstrap draws: `20,000 claims`, or `812 groups of claims`."""


def summarise(
    task: Task,
    claims: Iterable[Claim],
    predictions: Iterable[Prediction],
    *,
    limits: tuple[int, ...] | None = None,
    samples: int = SAMPLES,
    seed: int = 0,
    by: Sequence[str] = tuple(SLICES),
    metrics: Sequence[Metric] = (),
    bins: int = 10,
    coverage: float = 0.8,
) -> tuple[Summary, Sheet]:
    """Score predictions and everything around the score; no samples means no intervals.

    `metrics` are retrieval measures in addition to those of the paper's tables.
    """
    sheet = task.score(claims, predictions, limits)
    means = sheet.means()
    wanted = dict.fromkeys((*task.retrieval_metrics(sheet), *metrics))
    count = max(units(sheet)) + 1
    grouped = count < len(sheet)
    summary = Summary(
        task.name,
        sheet.metric,
        len(sheet),
        sum(pair.prediction is None for pair in sheet.pairs),
        _estimates(means, bootstrap(sheet, samples=samples, seed=seed) if samples else {}),
        means["label_accuracy"],
        means[task.headline],
        label_scores(sheet.pairs),
        _retrieval(retrieval_sheet(sheet.pairs, wanted)),
        {
            name: tuple(_slice(task, key, part, samples, seed) for key, part in parts.items())
            for name, parts in slice_by(sheet, by).items()
        },
        samples,
        seed,
        _confidence(sheet.pairs, bins, coverage),
        f"{count:,} groups of claims" if grouped else f"{count:,} claims",
    )
    return summary, sheet


def _estimates(means: dict[str, float], around: dict[str, Interval]) -> dict[str, Estimate]:
    return {
        name: Estimate(value, around[name].low, around[name].high)
        if name in around
        else Estimate(value)
        for name, value in means.items()
    }


def _slice(task: Task, name: str, sheet: Sheet, samples: int, seed: int) -> Slice:
    # Intervals for the two scores that are compared across slices: the rest would only
    # cost time.
    main = sheet.with_columns(task.headline, "label_accuracy")
    around = bootstrap(main, samples=samples, seed=seed) if samples else {}
    means = sheet.means()
    if sheet.f1_of is not None and not sheet.column(sheet.f1_of[0]).count():
        # What the official tools say of no claims at all would mislead beside other slices.
        means = {n: v for n, v in means.items() if n not in (*sheet.f1_of, "f1")}
    return Slice(name, len(sheet), _estimates(means, around))


def _confidence(pairs: Sequence[Pair], bins: int, coverage: float) -> Confidence | None:
    answers = [
        Answer(pair.claim.label, said.label, said.probabilities, said.id)
        for pair in pairs
        if pair.claim.label is not None
        and (said := pair.prediction) is not None
        and said.probabilities is not None
    ]
    if not answers:
        return None
    measures = calibration(answers, bins=bins)
    # A point for every claim is more than any plot can show.
    step = max(1, len(measures.curve) // _CURVE)
    thin = (*measures.curve[step - 1 : -1 : step], measures.curve[-1])
    return Confidence(
        replace(measures, curve=thin), coverage, accuracy_at_coverage(answers, coverage)
    )


def _retrieval(sheet: Sheet) -> tuple[Retrieved, ...]:
    rows = [_retrieved(sheet, column.name, "all claims") for column in sheet.columns]
    # HoVer's table 3 asks for the supported claims alone; no other table does.
    hits = [column.name for column in sheet.columns if column.name.startswith("Hit@")]
    places = [i for i, p in enumerate(sheet.pairs) if p.claim.label is Verdict.SUPPORTED]
    if hits and places:
        supported = sheet.only(places)
        rows.extend(_retrieved(supported, name, "supported claims") for name in hits)
    return tuple(row for row in rows if row is not None)


def _retrieved(sheet: Sheet, name: str, of: str) -> Retrieved | None:
    column = sheet.column(name)
    mean = column.mean()
    if mean is None:
        return None
    by_hops = slice_by(sheet.with_columns(name), ["hops"]).get("hops", {})
    return Retrieved(
        name,
        of,
        column.count(),
        mean,
        {hops: part.means()[name] for hops, part in by_hops.items() if part.means()},
    )
