"""Steps of `feverfew train` around the encoder's own: average runs, fit the aggregator."""

from pathlib import Path

import click
import msgspec

from feverfew.errors import MissingExtra

__all__ = ["aggregator_step", "average_step"]

_FOLDER = click.Path(path_type=Path, file_okay=False)
_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("average")
@click.argument("runs", nargs=-1, required=True, type=_FOLDER)
@click.option("-o", "--output", type=_FOLDER, help="Write the mean there, to be exported.")
def average_step(runs: tuple[Path, ...], output: Path | None) -> None:
    """Give runs the mean of their weights to go on from: each may train on a core of its own."""
    try:
        from feverfew.lab.train.average import average, write_mean
    except ModuleNotFoundError:
        raise MissingExtra("averaging runs", "train") from None
    if output:
        write_mean(runs, output)
    else:
        average(runs)


@click.command("aggregator")
@click.argument("model", type=_FOLDER)
@click.option("--data", required=True, type=_FOLDER, help="The folder with fever/dev.jsonl.gz.")
@click.option("--corpus", required=True, type=_FOLDER, help="The corpus to search.")
@click.option(
    "--pairs",
    "files",
    multiple=True,
    required=True,
    type=_FILE,
    help="Labelled pairs of other kinds, hardly seen by the encoder; may be repeated.",
)
@click.option("--limit", default=900, show_default=True, help="Pairs of each file.")
def aggregator_step(
    model: Path, data: Path, corpus: Path, files: tuple[Path, ...], limit: int
) -> None:
    """Fit what weighs an exported model's readings, and calibrate it; MODEL gets the result."""
    from feverfew.corpus import Corpus
    from feverfew.judge import Encoder, Judge
    from feverfew.judge.aggregate import FILE, Aggregator
    from feverfew.lab.train.aggregator import fit
    from feverfew.lab.train.rows import NAMES, claim_rows, pair_rows
    from feverfew.lab.train.splits import development

    given, found = (Aggregator.blank(NAMES[name]) for name in ("given", "found"))
    judge = Judge(Encoder.open(model), given, found)
    with Corpus.open(corpus) as opened:
        rows = claim_rows(judge, opened, development(data, opened).tuning)
    rows["given"] = rows["given"].join(pair_rows(judge.encoder, files, limit))
    made = {}
    for name, own in rows.items():
        made[name], right, temperature = fit(own, NAMES[name])
        click.echo(
            f"{name}: {len(set(own.claims)):,} claims, {right:.1%} right on folds left out, "
            f"temperature {temperature:.2f}"
        )
    (model / FILE).write_bytes(msgspec.json.encode(made))
