"""`feverfew score`: the official score of a file of predictions, and what is behind it."""

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from feverfew.cli.common import json_option
from feverfew.cli.output import emit, html_option
from feverfew.score.intervals import SAMPLES
from feverfew.score.sheet import Metric
from feverfew.score.slices import SLICES
from feverfew.score.summary import Summary, summarise
from feverfew.score.tasks import TASKS

if TYPE_CHECKING:
    from feverfew.render.page import Section

__all__ = ["as_builtins", "command"]

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("score")
@click.argument("task", type=click.Choice(list(TASKS)))
@click.argument("gold", type=_FILE)
@click.argument("predictions", type=_FILE)
@click.option(
    "--limit",
    metavar="N[,N]",
    help="How much evidence counts: sentences, and cells for feverous. Default: 5, 5,25 or 10.",
)
@click.option(
    "--samples",
    default=SAMPLES,
    show_default=True,
    type=click.IntRange(min=0),
    help="Bootstrap samples behind the 95 % intervals; 0 leaves the intervals out.",
)
@click.option("--seed", default=0, show_default=True, help="Seed of the bootstrap.")
@click.option(
    "--slices",
    default=",".join(SLICES),
    show_default=True,
    metavar="NAMES",
    help="Properties of the claims to cut the scores by; '' for none.",
)
@click.option(
    "--measure",
    multiple=True,
    metavar="NAME@K",
    help="A further measure of retrieval, such as Hit@20; may be repeated.",
)
@click.option(
    "--bins",
    default=10,
    show_default=True,
    type=click.IntRange(min=1),
    help="Bins of the calibration error, where predictions carry probabilities.",
)
@click.option(
    "--coverage",
    default=0.8,
    show_default=True,
    type=click.FloatRange(0, 1, min_open=True),
    help="Share of claims, the most confident, at which accuracy is given.",
)
@html_option
@json_option
def command(
    task: str,
    gold: Path,
    predictions: Path,
    limit: str | None,
    samples: int,
    seed: int,
    slices: str,
    measure: tuple[str, ...],
    bins: int,
    coverage: float,
    html: Path | None,
    as_json: bool,
) -> None:
    """Score PREDICTIONS against GOLD by the official rules of a task.

    \b
    feverfew score fever dev.jsonl predictions.jsonl
    feverfew score hover dev.json predictions.jsonl.gz --html scores.html

    Predictions are joined to claims by id. A claim without a prediction is an error, except in
    hover, where it counts as wrong.
    """
    from feverfew.cli.score_files import parse_limits, placed, read_gold, read_said

    metrics = tuple(Metric.parse(name) for name in measure)
    limits = parse_limits(limit)
    claims, said = read_gold(gold, task), read_said(predictions, task)
    with placed(gold, predictions):
        summary, _ = summarise(
            TASKS[task],
            claims,
            said,
            limits=limits,
            samples=samples,
            seed=seed,
            by=[name.strip() for name in slices.split(",") if name.strip()],
            metrics=metrics,
            bins=bins,
            coverage=coverage,
        )
    emit(
        f"{summary.metric} of {predictions.name}",
        f"scored against {gold.name}",
        _sections(summary) if html is not None or not as_json else (),
        as_builtins(summary),
        as_json=as_json,
        html=html,
    )


def as_builtins(summary: Summary) -> dict[str, object]:
    """Turn a summary into JSON's types, the scores' values at the top."""
    values = {name: estimate.value for name, estimate in summary.scores.items()}
    rest: dict[str, object] = msgspec.to_builtins(summary)
    return {"metric": rest.pop("metric"), **values, **rest}


def _sections(summary: Summary) -> "list[Section]":
    from feverfew.cli.score_sections import summary_sections

    return summary_sections(summary)
