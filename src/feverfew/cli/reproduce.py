"""`feverfew reproduce`: run the papers' own systems and compare their tables with the papers'."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from feverfew.cli.options import json_option
from feverfew.cli.output import print_json, stderr_console, stdout

if TYPE_CHECKING:
    from feverfew.lab.papers.cache import Cache
    from feverfew.lab.papers.measure import Measured, Result
    from feverfew.lab.papers.runner import Runner

_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command("reproduce")
@click.argument("experiments", nargs=-1, metavar="NAME…")
@click.option("--list", "listing", is_flag=True, help="List the experiments and exit.")
@click.option("--all", "everything", is_flag=True, help="Run every experiment.")
@click.option("--quick", is_flag=True, help="Try it on the sample encyclopedia, in a minute.")
@click.option("--data", type=_FOLDER, help="The folder with the papers' data.")
@click.option("--corpus", type=_FOLDER, help="A corpus built from that data.")
@click.option("--claims", type=click.IntRange(3), metavar="N", help="Measure on this many claims.")
@click.option("--cache", type=_FOLDER, help="Where to cache indexes, networks and answers.")
@click.option("-o", "--output", type=_FOLDER, help="Write JSON, Markdown and plots here.")
@json_option
def reproduce(
    experiments: tuple[str, ...],
    listing: bool,
    everything: bool,
    quick: bool,
    data: Path | None,
    corpus: Path | None,
    claims: int | None,
    cache: Path | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """Run the papers' experiments by name, and print the paper's figures, these and ours.

    \b
    feverfew reproduce --list
    feverfew reproduce --quick fever/table-4
    feverfew reproduce fever/table-4 --data data --corpus wiki.corpus -o docs/results
    """
    from feverfew.lab.papers.experiment import experiment_names, load_experiment
    from feverfew.lab.papers.measure import measure
    from feverfew.lab.papers.report import write_result

    if listing:
        _list(experiment_names(), as_json)
        return
    names = experiment_names() if everything else list(experiments)
    if not names:
        raise click.UsageError("name an experiment, or use --all; --list shows them")
    declared = [load_experiment(name) for name in names]
    runner = _runner(data, corpus, cache, quick)
    for experiment in declared:
        if everything and (why := runner.dataset.lacks(experiment.claims)):
            stderr_console().print(f"{experiment.name}: left out: {why}", markup=False)
            continue
        stderr_console().print(f"{experiment.name}: {experiment.title}", markup=False)
        result = measure(experiment, runner, claims)
        if output is not None:
            for path in write_result(result, output):
                stderr_console().print(f"wrote {path}", markup=False)
        print_json(result) if as_json else _show(result)


def _list(names: Sequence[str], as_json: bool) -> None:
    from feverfew.lab.papers.experiment import load_experiment

    for name in names:
        one = load_experiment(name)
        if as_json:
            print_json({"name": name, "paper": one.paper, "table": one.table, "title": one.title})
        else:
            click.echo(f"{name:20} {one.paper}, {one.table}: {one.title}")


def _runner(data: Path | None, corpus: Path | None, cache: Path | None, quick: bool) -> "Runner":
    from feverfew.corpus import Corpus
    from feverfew.lab.papers.dataset import SampleDataset
    from feverfew.lab.papers.runner import Runner

    if quick:
        if data is not None or corpus is not None:
            raise click.UsageError("--quick runs on the sample, without --data and --corpus")
        return Runner(SampleDataset(Corpus.sample()), _cache(cache))
    if data is None or corpus is None:
        raise click.UsageError(
            "the papers' data is not part of feverfew: give --data and a --corpus built from it, "
            "or use --quick"
        )
    return make_runner(data, corpus, cache)


def _cache(folder: Path | None) -> "Cache":
    from feverfew.lab.papers.cache import Cache, default_folder

    say = stderr_console()
    return Cache(folder or default_folder(), lambda what: say.print(f"  {what}", markup=False))


def make_runner(data: Path, corpus: Path, cache: Path | None) -> "Runner":
    """Build the papers' systems over their data and a corpus built from it."""
    from feverfew.corpus import Corpus
    from feverfew.lab.papers.dataset import PaperDataset
    from feverfew.lab.papers.runner import Runner

    kept = _cache(cache)
    return Runner(PaperDataset(data, Corpus.open(corpus), kept), kept)


def _show(result: "Result") -> None:
    from rich.table import Table

    from feverfew.lab.papers.report import in_order

    table = Table(title=f"{result.paper}, {result.table}: {result.title} ({result.dataset})")
    for name in ("", "", "paper", "here"):
        table.add_column(name, justify="right" if name else "left")
    for figure in in_order(result):
        said = "" if figure.paper is None else f"{figure.paper:.2f}"
        table.add_row(figure.row, figure.column, said, _here(figure))
    stdout().print(table)


def _here(figure: "Measured") -> str:
    if figure.here is None:
        return figure.missing
    around = figure.here
    if around.low is None or around.high is None:
        return f"{around.value:,.1f}"
    return f"{around.value:.2f} ({around.low:.1f} to {around.high:.1f})"
