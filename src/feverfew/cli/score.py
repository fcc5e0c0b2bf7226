"""`feverfew score` and `compare`: official scores, and two systems side by side."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from feverfew.cli.options import html_option, json_option
from feverfew.cli.output import emit
from feverfew.errors import ScoreError
from feverfew.readers.base import Source
from feverfew.readers.bounded import bounded
from feverfew.readers.claims import read_claims
from feverfew.readers.decode import objects
from feverfew.readers.files import head
from feverfew.readers.predictions import read_predictions
from feverfew.score.compare import Comparison, compare_systems
from feverfew.score.intervals import SAMPLES
from feverfew.score.sheet import Metric
from feverfew.score.slices import SLICES
from feverfew.score.summary import Summary, summarise
from feverfew.score.tasks import TASKS
from feverfew.types import Claim, Prediction

if TYPE_CHECKING:
    from feverfew.render.page import Section

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
    help="Bootstrap samples for the 95 % intervals; 0 for no intervals.",
)
@click.option("--seed", default=0, show_default=True, help="Seed of the bootstrap.")
@click.option(
    "--slices",
    default=",".join(SLICES),
    show_default=True,
    metavar="NAMES",
    help="Properties of the claims to slice by; '' for none.",
)
@click.option(
    "--measure",
    multiple=True,
    metavar="NAME@K",
    help="A further retrieval measure, such as Hit@20; may be repeated.",
)
@click.option(
    "--bins",
    default=10,
    show_default=True,
    type=click.IntRange(min=1),
    help="Bins of the calibration error, if predictions have probabilities.",
)
@click.option(
    "--coverage",
    default=0.8,
    show_default=True,
    type=click.FloatRange(0, 1, min_open=True),
    help="The share of most confident claims at which accuracy is given.",
)
@html_option
@json_option
def score(
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

    metrics = tuple(Metric.parse(name) for name in measure)
    limits = parse_limits(limit)
    claims = read_gold(gold, task)
    said = read_said(predictions, task, claims)
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


@click.command("compare")
@click.argument("gold", type=_FILE)
@click.argument("a", type=_FILE)
@click.argument("b", type=_FILE)
@click.option(
    "--task",
    type=click.Choice(list(TASKS)),
    help="The task; recognised from GOLD by default.",
)
@click.option(
    "--limit",
    metavar="N[,N]",
    help="How much evidence counts: sentences, and cells for feverous. Default: 5, 5,25 or 10.",
)
@click.option(
    "--samples",
    default=SAMPLES,
    show_default=True,
    type=click.IntRange(min=1),
    help="Samples of the paired bootstrap.",
)
@click.option("--seed", default=0, show_default=True, help="Seed of the bootstrap.")
@html_option
@json_option
def compare(
    gold: Path,
    a: Path,
    b: Path,
    task: str | None,
    limit: str | None,
    samples: int,
    seed: int,
    html: Path | None,
    as_json: bool,
) -> None:
    """Compare the predictions A and B on the claims of GOLD.

    \b
    feverfew compare dev.jsonl ours.jsonl baseline.jsonl

    Gives every score of both, the difference with its 95 % interval and p-value (paired
    bootstrap), McNemar's test, and the claims on which the two differ.
    """

    chosen = TASKS[task or task_of(gold)]
    limits = parse_limits(limit)
    claims = read_gold(gold, chosen.name)
    said_a, said_b = (read_said(path, chosen.name, claims) for path in (a, b))
    with placed(gold, a):
        sheet_a = chosen.score(claims, said_a, limits)
    with placed(gold, b):
        sheet_b = chosen.score(claims, said_b, limits)
    comparison = compare_systems(chosen, sheet_a, sheet_b, samples=samples, seed=seed)
    emit(
        f"{comparison.metric}: {a.name} and {b.name}",
        f"compared on {gold.name}",
        _comparison_sections(comparison, a.name, b.name) if html is not None or not as_json else (),
        msgspec.to_builtins(comparison),
        as_json=as_json,
        html=html,
    )


def _comparison_sections(comparison: Comparison, a: str, b: str) -> "list[Section]":
    from feverfew.cli.score_sections import comparison_sections

    return comparison_sections(comparison, a, b)


def read_gold(path: Path, task: str) -> tuple[Claim, ...]:
    """Read a task's claims with their gold labels."""
    return tuple(bounded(read_claims, path, task))


def read_said(path: Path, task: str, claims: Sequence[Claim]) -> tuple[Prediction, ...]:
    """Read a system's predictions; those without an id are for the claims in their order."""
    return tuple(bounded(read_predictions, path, task, [claim.id for claim in claims]))


def task_of(gold: Path) -> str:
    """Recognise the task from a gold file's content."""
    start = head(gold)
    if b'"supporting_facts"' in start or b'"num_hops"' in start:
        return "hover"
    return "feverous" if b'"content"' in start else "fever"


def parse_limits(text: str | None) -> tuple[int, ...] | None:
    """Read `5` or `5,25`."""
    if text is None:
        return None
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise ScoreError(f"--limit {text!r} is not a number, or two such as 5,25") from None


@contextmanager
def placed(gold: Path, predictions: Path) -> Iterator[None]:
    """Add the file, and the line if there is one, to a scorer's error."""
    try:
        yield
    except ScoreError as error:
        path = {"claims": gold, "predictions": predictions}.get(error.side)
        if path is None:
            raise
        line = None if error.id is None else _last_line(path, error.id)
        where = f"{path}:{line}" if line else str(path)
        raise ScoreError(f"{where}: {error}", side=error.side, id=error.id) from None


class _Named(msgspec.Struct):
    id: int | str | None = None
    uid: int | str | None = None
    claim: str | None = None


def _last_line(path: Path, wanted: int | str) -> int | None:
    """Find the last line with this id; in a file that is one list, the number of the object."""
    decoder = msgspec.json.Decoder(_Named)
    found = None
    for record in objects(Source(path, path.name)):
        named = decoder.decode(record.data)
        if wanted in (named.id, named.uid, named.claim):
            found = record.line
    return found
