"""`feverfew errors`: walk a person through a sample of a system's errors, and tally them."""

import random
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from feverfew.cli.common import json_option, talk
from feverfew.cli.output import emit, html_option
from feverfew.errors import ScoreError

if TYPE_CHECKING:
    from feverfew.score.errors import Error

__all__ = ["command"]

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("errors")
@click.argument("task", type=click.Choice(["fever", "feverous", "hover"]))
@click.argument("gold", type=_FILE)
@click.argument("predictions", type=_FILE)
@click.option(
    "--codings",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where codings are kept, a JSON line each; made if absent, gone on with if there.",
)
@click.option(
    "--sample",
    default=100,
    show_default=True,
    type=click.IntRange(min=1),
    help="How many errors to code; a larger sample holds the smaller one.",
)
@click.option("--seed", default=0, show_default=True, help="Seed of the sample.")
@click.option(
    "--corpus",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Show the text of the evidence from this corpus.",
)
@click.option("--tally", "only_tally", is_flag=True, help="Ask nothing; tally what is coded.")
@html_option
@json_option
def command(
    task: str,
    gold: Path,
    predictions: Path,
    codings: Path,
    sample: int,
    seed: int,
    corpus: Path | None,
    only_tally: bool,
    html: Path | None,
    as_json: bool,
) -> None:
    """Code by hand why PREDICTIONS miss the point on claims of GOLD, and tally the reasons.

    \b
    feverfew errors fever dev.jsonl predictions.jsonl --codings codings.jsonl
    feverfew errors fever dev.jsonl predictions.jsonl --codings codings.jsonl --tally --json

    The questions follow the error analysis of the FEVER paper; what the data can answer is not
    asked. Each coding is saved at once: stop whenever you like (q), and run the same command to
    go on.
    """
    from feverfew.cli.error_codings import add_coding, read_codings
    from feverfew.cli.error_sections import tally_sections
    from feverfew.cli.error_walk import code
    from feverfew.cli.score_files import placed, read_gold, read_said
    from feverfew.score.errors import errors_of, tally
    from feverfew.score.tasks import TASKS

    claims, said = read_gold(gold, task), read_said(predictions, task)
    with placed(gold, predictions):
        sheet = TASKS[task].score(claims, said, TASKS[task].limits)
    found = {e.pair.claim.id: e for e in errors_of(sheet)}
    chosen = _chosen(list(found.values()), sample, seed)
    done = read_codings(codings)
    if not only_tally:
        left = [e for e in chosen if e.pair.claim.id not in done]
        for coding in code(left, len(chosen), corpus):
            add_coding(codings, coding)
            done[coding.id] = coding
    counted = [c for c in done.values() if c.id in found]
    if len(counted) < len(done):
        talk().print(
            f"{len(done) - len(counted)} codings are of claims that are no errors of these "
            "predictions; they do not count",
            markup=False,
        )
    if not counted:
        if only_tally:
            raise ScoreError(f"{codings}: no error is coded yet; run without --tally to begin")
        talk().print("nothing is coded yet", markup=False)
        return
    numbers = {
        "task": task,
        "metric": sheet.metric,
        "claims": len(sheet),
        "errors": len(found),
        "sampled": len(chosen),
        "left": sum(e.pair.claim.id not in done for e in chosen),
    }
    tallied = tally(counted)
    emit(
        "Errors",
        f"{predictions.name} on {gold.name}",
        tally_sections(tallied, numbers),
        {**numbers, **msgspec.to_builtins(tallied)},
        as_json=as_json,
        html=html,
    )


def _chosen(errors: "list[Error]", sample: int, seed: int) -> "list[Error]":
    """Draw a sample; shuffling everything first makes larger samples hold smaller ones."""
    random.Random(seed).shuffle(errors)
    return errors[:sample]
