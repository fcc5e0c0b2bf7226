"""Lay out a summary or a comparison as sections, for a terminal or an HTML page."""

from collections.abc import Iterator

from feverfew.render.page import DataTable, Figure, Part, Section, Words
from feverfew.render.plots import Bar, Bin, bars, heat_map, lines, reliability, risk_coverage
from feverfew.score.compare import Comparison
from feverfew.score.summary import Confidence, Estimate, Slice, Summary

_SLICED = {
    "label": "By gold label",
    "hops": "By hops",
    "evidence": "By gold evidence",
    "challenge": "By challenge",
    "sentences": "By gold sentences",
    "length": "By claim length",
}
_MOST_CLAIMS = 50


def summary_sections(summary: Summary) -> list[Section]:
    """Lay out the scores of a file of predictions."""
    sections = [_scores(summary), _labels(summary), _retrieval(summary)]
    for name, parts in summary.slices.items():
        if len(parts) > 1:  # one slice that holds every claim says nothing new
            sections.append(_slices(summary, _SLICED[name], parts))
    if summary.confidence is not None:
        sections.append(_confidence(summary.confidence))
    return sections


def _shown(about: Summary | Comparison, name: str) -> str:
    """Name a score; the main score by its metric, which includes its limits."""
    if name == f"{about.task}_score":
        return about.metric
    return " ".join(w.upper() if w in ("f1", "em") else w for w in name.split("_"))


def _scores(summary: Summary) -> Section:
    ranged = summary.samples > 0
    rows = tuple(
        (_shown(summary, name), e.value, *((e.low, e.high) if ranged else ()))
        for name, e in summary.scores.items()
    )
    columns = ("score", "value", *(("from", "to") if ranged else ()))
    parts: list[Part] = [DataTable(columns, rows)]
    said = f"{summary.claims:,} claims."
    if summary.missing:
        said += f" {summary.missing:,} have no prediction and count as wrong."
    if ranged:
        said += (
            f" 95 % intervals from {summary.samples:,} bootstrap samples of {summary.drawn} "
            f"(seed {summary.seed})."
        )
    parts.append(Words(said))
    items = [_bar(_shown(summary, name), e) for name, e in summary.scores.items()]
    parts.append(Figure(bars(f"{summary.metric} and its parts", items)))
    return Section("Scores", tuple(parts))


def _bar(name: str, estimate: Estimate, note: str = "") -> Bar:
    return Bar(name, estimate.value, estimate.low, estimate.high, note)


def _labels(summary: Summary) -> Section:
    labels = summary.labels
    matrix = tuple(
        (name, *counts) for name, counts in zip(labels.gold, labels.confusion, strict=True)
    )
    classes = tuple(
        (name, c.precision, c.recall, c.f1, c.gold, c.predicted)
        for name, c in labels.classes.items()
    )
    return Section(
        "Labels",
        (
            DataTable(
                ("label", "precision", "recall", "F1", "gold", "predicted"),
                (*classes, ("macro average", None, None, labels.macro_f1, None, None)),
            ),
            DataTable(
                ("gold ↓  predicted →", *labels.predicted),
                matrix,
                "Claims by gold and predicted label.",
            ),
            Words(
                f"NoScoreEv (label alone) {summary.no_score_ev:.3f}, "
                f"ScoreEv (label with its evidence) {summary.score_ev:.3f}."
            ),
            Figure(heat_map("Confusion", labels.gold, labels.predicted, labels.confusion)),
        ),
    )


def _retrieval(summary: Summary) -> Section:
    hops = tuple(dict.fromkeys(h for r in summary.retrieval for h in r.by_hops))
    rows = tuple(
        (r.metric, r.of, r.claims, r.value, *(r.by_hops.get(h) for h in hops))
        for r in summary.retrieval
    )
    return Section(
        "Retrieval",
        (
            DataTable(("measure", "of", "claims", "value", *hops), rows),
            *_curves(summary),
        ),
    )


def _curves(summary: Summary) -> Iterator[Figure]:
    """Draw every measure that was taken at several ranks."""
    series: dict[str, list[tuple[float, float]]] = {}
    for row in summary.retrieval:
        name, _, rank = row.metric.partition("@")
        label = name if row.of == "all claims" else f"{name}, {row.of}"
        series.setdefault(label, []).append((float(rank), row.value))
    several = {name: points for name, points in series.items() if len(points) > 1}
    if several:
        yield Figure(
            lines("Retrieval by rank", several, x_label="k", y_label="value", y_range=(0, 1))
        )


def _slices(summary: Summary, heading: str, parts: tuple[Slice, ...]) -> Section:
    main = f"{summary.task}_score"
    others = [n for n in ("precision", "recall", "f1") if any(n in s.scores for s in parts)]
    ranged = summary.samples > 0
    rows = tuple(
        (
            s.name,
            s.claims,
            s.scores[main].value,
            *((_range(s.scores[main]),) if ranged else ()),
            s.scores["label_accuracy"].value,
            *(s.scores[n].value if n in s.scores else None for n in others),
        )
        for s in parts
    )
    columns = (
        heading.removeprefix("By "),
        "claims",
        "score",
        *(("95 %",) if ranged else ()),
        "label",
        *("F1" if n == "f1" else n for n in others),
    )
    items = [_bar(s.name, s.scores[main], f"n = {s.claims:,}") for s in parts]
    return Section(
        heading,
        (DataTable(columns, rows), Figure(bars(f"{summary.metric}, {heading.lower()}", items))),
    )


def _range(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return "–"
    return f"{estimate.low:.3f}–{estimate.high:.3f}"


def _confidence(confidence: Confidence) -> Section:
    m = confidence.measures
    bins = [Bin(b.confidence, b.accuracy, b.count) for b in m.bins if b.count]
    return Section(
        "Confidence",
        (
            DataTable(
                ("measure", "value"),
                (
                    ("Brier score", m.brier),
                    (f"expected calibration error, {len(m.bins)} bins", m.ece),
                    ("largest bin gap", m.mce),
                    ("area under the risk–coverage curve", m.aurc),
                    (
                        f"accuracy at {confidence.coverage:.0%} coverage",
                        confidence.accuracy_at_coverage,
                    ),
                    ("mean confidence", m.confidence),
                    ("accuracy", m.accuracy),
                    ("predictions with probabilities", m.answers),
                ),
            ),
            Figure(reliability("Reliability", bins)),
            Figure(risk_coverage("Risk and coverage", {"predictions": m.curve})),
        ),
    )


def comparison_sections(comparison: Comparison, a: str, b: str) -> list[Section]:
    """Lay out the differences between two systems."""
    scores = DataTable(
        ("score", "A", "B", "A − B", "from", "to", "p"),
        tuple(
            (_shown(comparison, name), d.a, d.b, d.difference, d.low, d.high, _p(d.p))
            for name, d in comparison.scores.items()
        ),
        f"Paired bootstrap of {comparison.samples:,} samples (seed {comparison.seed}); "
        "95 % intervals of the difference.",
    )
    tests = DataTable(
        ("right by", "only A", "only B", "p (exact)", "χ² (corrected)", "p (χ²)"),
        tuple(
            (
                _shown(comparison, name),
                t.only_a,
                t.only_b,
                _p(t.p_exact),
                t.chi_squared,
                _p(t.p_chi_squared),
            )
            for name, t in comparison.mcnemar.items()
        ),
        "McNemar's test; it assumes that claims are independent.",
    )
    items = [
        Bar(_shown(comparison, name), d.difference, d.low, d.high)
        for name, d in comparison.scores.items()
    ]
    plot = Figure(bars("A − B", items, axis="difference"))
    sections = [
        Section(
            f"{comparison.metric} on {comparison.claims:,} claims",
            (Words(f"A is {a}, B is {b}."), scores, plot),
        ),
        Section("Which of the two is right", (tests,)),
    ]
    if comparison.differing:
        sections.append(_differing(comparison))
    return sections


def _p(value: float) -> str:
    return f"{value:.3f}" if value >= 0.001 else "< 0.001"


def _differing(comparison: Comparison) -> Section:
    total = len(comparison.differing)
    rows = tuple(
        (str(d.id), d.claim, d.label, d.a, d.b, d.a_right, d.b_right)
        for d in comparison.differing[:_MOST_CLAIMS]
    )
    cut = f" These are the first {_MOST_CLAIMS}; --json gives all." if total > _MOST_CLAIMS else ""
    return Section(
        "Where they differ",
        (
            Words(f"The label or the point differs on {total:,} claims.{cut}"),
            DataTable(("id", "claim", "gold", "A says", "B says", "A right", "B right"), rows),
        ),
    )
