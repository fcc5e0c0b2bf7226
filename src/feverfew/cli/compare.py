"""`feverfew compare`: two systems on the same claims."""

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from feverfew.cli.common import json_option
from feverfew.cli.output import emit, html_option
from feverfew.score.compare import Comparison, compare_systems
from feverfew.score.intervals import SAMPLES
from feverfew.score.tasks import TASKS

if TYPE_CHECKING:
    from feverfew.render.page import Section

__all__ = ["command"]

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("compare")
@click.argument("gold", type=_FILE)
@click.argument("a", type=_FILE)
@click.argument("b", type=_FILE)
@click.option(
    "--task",
    type=click.Choice(list(TASKS)),
    help="How to score; recognised from GOLD unless given.",
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
def command(
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
    from feverfew.cli.score_files import parse_limits, placed, read_gold, read_said, task_of

    chosen = TASKS[task or task_of(gold)]
    limits = parse_limits(limit)
    claims = read_gold(gold, chosen.name)
    said_a, said_b = read_said(a, chosen.name), read_said(b, chosen.name)
    with placed(gold, a):
        sheet_a = chosen.score(claims, said_a, limits)
    with placed(gold, b):
        sheet_b = chosen.score(claims, said_b, limits)
    comparison = compare_systems(chosen, sheet_a, sheet_b, samples=samples, seed=seed)
    emit(
        f"{comparison.metric}: {a.name} and {b.name}",
        f"compared on {gold.name}",
        _sections(comparison, a.name, b.name) if html is not None or not as_json else (),
        msgspec.to_builtins(comparison),
        as_json=as_json,
        html=html,
    )


def _sections(comparison: Comparison, a: str, b: str) -> "list[Section]":
    from feverfew.cli.score_sections import comparison_sections

    return comparison_sections(comparison, a, b)
