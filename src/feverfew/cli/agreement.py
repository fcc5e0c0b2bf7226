"""`feverfew agreement`: how far annotators agree, on labels and on evidence."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from feverfew.cli.common import json_option
from feverfew.cli.output import emit, html_option, naming

if TYPE_CHECKING:
    from feverfew.score.agreement import Annotation

__all__ = ["command"]


@click.command("agreement")
@click.argument("annotations", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--super",
    "supers",
    multiple=True,
    metavar="NAME",
    help="A super-annotator, whose evidence the others' is measured against; may be repeated.",
)
@click.option(
    "--overlap",
    "threshold",
    default=0.7,
    show_default=True,
    type=click.FloatRange(0, 1, min_open=True),
    help="From which share on two annotators' evidence counts as overlapping.",
)
@click.option(
    "--samples",
    default=2000,
    show_default=True,
    type=click.IntRange(min=100),
    help="Bootstrap samples behind the 95 % intervals.",
)
@click.option("--seed", default=0, show_default=True, help="Seed of the bootstrap.")
@html_option
@json_option
def command(
    annotations: Path,
    supers: tuple[str, ...],
    threshold: float,
    samples: int,
    seed: int,
    html: Path | None,
    as_json: bool,
) -> None:
    """Measure how far annotators agree: Fleiss κ, Krippendorff α, Gwet AC1, and Cohen κ by pair.

    \b
    feverfew agreement labels.csv
    feverfew agreement annotations.jsonl --super expert --html agreement.html

    ANNOTATIONS is a CSV or TSV with the columns item, annotator and label, or JSON lines such as
    {"id": 7, "annotator": "ann", "label": "SUPPORTS", "evidence": ["Page_sentence_0"]}, where
    evidence is optional and may also be written [["Page", 0]].
    """
    from feverfew.cli import agreement_sections as show
    from feverfew.cli.annotation_files import read_annotations
    from feverfew.score import agreement as labels_
    from feverfew.score import agreement_evidence as evidence_

    said = tuple(read_annotations(annotations))
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
        show.labels_section(compared, coefficients),
        show.pairs_section(names, pairs, against),
        show.people_section(people),
    ]
    if shared is not None:
        sections.append(show.overlap_section(shared))
    if experts:
        sections.append(show.supers_section(experts, supers))
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
    """Say whether two annotators gave evidence for the same item anywhere."""
    items = [a.item for a in annotations if a.evidence]
    return len(items) > len(set(items))
