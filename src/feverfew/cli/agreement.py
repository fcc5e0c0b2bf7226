"""`feverfew agreement`: how well annotators agree on labels and on evidence."""

import statistics
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from feverfew.cli.options import html_option, json_option
from feverfew.cli.output import emit, naming
from feverfew.render.page import DataTable, Figure, Part, Section, Words
from feverfew.render.plots import Bar, bars, heat_map
from feverfew.score.agreement import Annotation, Annotator, Coefficient, Pair
from feverfew.score.agreement_evidence import AgainstSupers, Overlap

if TYPE_CHECKING:
    from feverfew.score.agreement import Annotation


@click.command("agreement")
@click.argument("annotations", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--super",
    "supers",
    multiple=True,
    metavar="NAME",
    help="A super-annotator, whose evidence is the reference for the others; may be repeated.",
)
@click.option(
    "--overlap",
    "threshold",
    default=0.7,
    show_default=True,
    type=click.FloatRange(0, 1, min_open=True),
    help="The share from which two annotators' evidence counts as overlapping.",
)
@click.option(
    "--samples",
    default=2000,
    show_default=True,
    type=click.IntRange(min=100),
    help="Bootstrap samples for the 95 % intervals.",
)
@click.option("--seed", default=0, show_default=True, help="Seed of the bootstrap.")
@html_option
@json_option
def agreement(
    annotations: Path,
    supers: tuple[str, ...],
    threshold: float,
    samples: int,
    seed: int,
    html: Path | None,
    as_json: bool,
) -> None:
    """Measure how well annotators agree: Fleiss κ, Krippendorff α, Gwet AC1, and Cohen κ by pair.

    \b
    feverfew agreement labels.csv
    feverfew agreement annotations.jsonl --super expert --html agreement.html

    ANNOTATIONS is a CSV or TSV with the columns item, annotator and label, or JSON lines such as
    {"id": 7, "annotator": "ann", "label": "SUPPORTS", "evidence": ["Page_sentence_0"]}, where
    evidence is optional and may also be written [["Page", 0]].
    """
    from feverfew.cli.annotations import read_annotations
    from feverfew.readers.bounded import bounded
    from feverfew.score import agreement as labels_
    from feverfew.score import agreement_evidence as evidence_

    said = tuple(bounded(read_annotations, annotations))
    everyone = tuple(a for a in said if a.annotator not in supers)
    # The experts are the measure of the others, not one of them; with one other left, the two
    # can still be compared as a pair.
    compared = everyone if len({a.annotator for a in everyone}) > 1 else said
    with naming(annotations):
        coefficients = labels_.coefficients(compared, samples=samples, seed=seed)
        names, pairs = labels_.pairwise(compared, samples=samples, seed=seed)
        people = labels_.annotators(compared, pairs)
        against = labels_.disagreements(compared)
        experts = (
            evidence_.against_supers(said, supers, samples=samples, seed=seed) if supers else ()
        )
        shared = (
            evidence_.overlap(compared, threshold=threshold, samples=samples, seed=seed)
            if _evidence_meets(compared)
            else None
        )
    sections = [
        labels_section(compared, coefficients),
        pairs_section(names, pairs, against),
        people_section(people),
    ]
    if shared is not None:
        sections.append(overlap_section(shared))
    if experts:
        sections.append(supers_section(experts, supers))
    emit(
        "Agreement",
        annotations.name,
        sections,
        {
            "annotations": len(compared),
            "items": len({a.item for a in compared}),
            "annotators": len(people),
            "labels": names,
            "coefficients": coefficients,
            "pairs": pairs,
            "by_annotator": people,
            "disagreements": [{"labels": pair, "pairs": n} for pair, n in against.most_common()],
            "evidence_overlap": shared,
            "against_super_annotators": experts,
        },
        as_json=as_json,
        html=html,
    )


def _evidence_meets(annotations: "tuple[Annotation, ...]") -> bool:
    """Say whether two annotators gave evidence for the same item."""
    items = [a.item for a in annotations if a.evidence]
    return len(items) > len(set(items))


_MOST_PAIRS = 15
"""With more pairs than this, their tables are in the JSON only."""
_MOST_ROWS = 40


def labels_section(annotations: tuple[Annotation, ...], found: tuple[Coefficient, ...]) -> Section:
    """Lay out the coefficients over all annotators."""
    people = len({a.annotator for a in annotations})
    items = len({a.item for a in annotations})
    rows = tuple((c.name, c.value, c.low, c.high, c.observed, c.expected) for c in found)
    parts: list[Part] = [
        Words(
            f"{len(annotations):,} labels of {items:,} items by {people:,} annotators; "
            f"{found[0].items:,} items have two labels or more."
        ),
        DataTable(("coefficient", "value", "from", "to", "observed", "by chance"), rows),
        Words("From and to: 95 % bootstrap intervals over items."),
    ]
    if any(c.value is None for c in found):
        parts.append(Words("–: only one label was ever used, so chance explains everything."))
    if drawn := [b for c in found for b in _bar(c)]:
        parts.append(Figure(bars("Agreement beyond chance", drawn)))
    return Section("Labels", tuple(parts))


def _bar(c: Coefficient, label: str = "", note: str = "") -> list[Bar]:
    return [] if c.value is None else [Bar(label or c.name, c.value, c.low, c.high, note)]


def pairs_section(
    labels: tuple[str, ...], pairs: tuple[Pair, ...], against: Counter[tuple[str, str]]
) -> Section:
    """Lay out every two annotators, and what they disagree on."""
    rows = tuple(
        (
            p.first,
            p.second,
            p.kappa.items,
            p.kappa.observed,
            p.kappa.value,
            p.kappa.low,
            p.kappa.high,
        )
        for p in sorted(pairs, key=lambda p: -2.0 if p.kappa.value is None else p.kappa.value)
    )
    cut = f"The {_MOST_ROWS} pairs of the lowest κ; --json gives all {len(rows):,}."
    values = [p.kappa.value for p in pairs if p.kappa.value is not None]
    parts: list[Part] = [
        DataTable(
            ("annotator", "and", "items", "agree", "Cohen κ", "from", "to"),
            rows[:_MOST_ROWS],
            cut if len(rows) > _MOST_ROWS else "",
        )
    ]
    if len(values) > 1:
        parts.append(
            Words(
                f"Mean κ of the {len(values):,} pairs {statistics.mean(values):.3f}, standard "
                f"deviation {statistics.stdev(values):.3f}."
            )
        )
    if against:
        total = against.total()
        parts.append(
            DataTable(
                ("label", "against", "pairs", "share of disagreements"),
                tuple((a, b, n, n / total) for (a, b), n in against.most_common()),
                "Which labels are confused.",
            )
        )
    if len(pairs) <= _MOST_PAIRS:
        drawn = [
            b
            for p in pairs
            for b in _bar(p.kappa, f"{p.first} · {p.second}", f"n = {p.kappa.items:,}")
        ]
        parts.append(Figure(bars("Cohen κ of each pair", drawn)))
        for p in pairs:
            parts.append(
                Figure(
                    heat_map(
                        f"{p.first} and {p.second}",
                        labels,
                        labels,
                        p.table,
                        row_title=p.first,
                        column_title=p.second,
                    )
                )
            )
    return Section("Pairs of annotators", tuple(parts))


def people_section(people: tuple[Annotator, ...]) -> Section:
    """Lay out each annotator against all others."""
    return Section(
        "Annotators",
        (
            DataTable(
                ("annotator", "items", "pairs", "agree", "mean κ"),
                tuple((p.name, p.items, p.shared, p.agreement, p.kappa) for p in people),
            ),
            Words("Mean κ: over the other annotators, weighted by the items they share."),
        ),
    )


def overlap_section(o: Overlap) -> Section:
    """Lay out how the evidence of two annotators compares."""
    shares = (
        ("identical", o.identical),
        (f"{o.threshold:.0%} of the smaller shared", o.overlapping),
        (f"{o.threshold:.0%} of the union shared", o.overlapping_union),
        ("one a proper part of the other", o.nested),
        ("nothing shared", o.disjoint),
    )
    kappa = o.kappa_if_identical
    given = "" if kappa is None or kappa.value is None else f", Fleiss κ {kappa.value:.3f}"
    if o.agreement_if_identical is not None:
        given = f"; where the evidence is identical, on {o.agreement_if_identical:.1%}{given}"
    left = f" {o.left_out:,} pairs lack evidence on one side or both." if o.left_out else ""
    return Section(
        "Evidence, annotator by annotator",
        (
            Words(
                f"{o.pairs:,} pairs of annotations of one item, both with evidence.{left} "
                f"They agree on the label of {o.agreement:.1%}{given}."
            ),
            DataTable(("the two sets of evidence", "share of pairs"), shares),
            Figure(bars("Evidence of two annotators", [Bar(n, v) for n, v in shares])),
        ),
    )


def supers_section(found: tuple[AgainstSupers, ...], supers: tuple[str, ...]) -> Section:
    """Lay out evidence against that of super-annotators."""

    def spread(low: float | None, high: float | None) -> str | None:
        return None if low is None or high is None else f"{low:.3f}–{high:.3f}"

    rows = tuple(
        (
            s.annotator or "everyone",
            s.annotations,
            s.precision.value,
            spread(s.precision.low, s.precision.high),
            s.recall.value,
            spread(s.recall.low, s.recall.high),
            s.precision.mean,
            s.recall.mean,
        )
        for s in found
    )
    columns = ("annotator", "items", "precision", "95 %", "recall", "95 %", "mean P", "mean R")
    drawn = [
        Bar(name, share.value, share.low, share.high)
        for name, share in (("precision", found[0].precision), ("recall", found[0].recall))
        if share.value is not None
    ]
    return Section(
        "Evidence against super-annotators",
        (
            Words(
                f"Measured against {', '.join(supers)}. Elements are pooled; mean P and mean R "
                "are averaged over annotations."
            ),
            DataTable(columns, rows),
            Figure(bars("Everyone's evidence against the experts'", drawn)),
        ),
    )
