"""`feverfew train all`, and the steps after the encoder's training: average, combination."""

from pathlib import Path

import click

from feverfew.cli.options import json_option
from feverfew.cli.output import print_json, require_writable, stderr_console
from feverfew.errors import MissingExtra

_FOLDER = click.Path(path_type=Path, file_okay=False)
_FILE = click.Path(path_type=Path, dir_okay=False)
RANKERS = ("pages", "hops", "sentences", "related", "programs", "cells", "tables")


@click.command("all")
@click.option("--data", required=True, type=_FOLDER, help="The data folder.")
@click.option("--recipe", "path", type=_FILE, help="A recipe instead of the shipped one (TOML).")
@click.option("--dry-run", is_flag=True, help="Only list the stages that would run.")
@click.option("--threads", type=click.IntRange(1), help="Threads; one per core by default.")
@click.option("-o", "--output", required=True, type=_FOLDER, help="A folder for all stages.")
@json_option
def all_step(
    data: Path, path: Path | None, dry_run: bool, threads: int | None, output: Path, as_json: bool
) -> None:
    """Rebuild the shipped model from its recipe, stage by stage.

    Stages whose settings and inputs have not changed are skipped, so a run can be stopped and
    started again. The model is in OUTPUT/combination/model.
    """
    from feverfew.lab.train.recipe import Build, Recipe, run, status

    build = Build(Recipe.read(path), data, output, threads)
    if dry_run:
        for stage, fingerprint, done in status(build):
            if as_json:
                print_json({"stage": stage.name, "fingerprint": fingerprint, "done": done})
            else:
                click.echo(f"{stage.name:12} {'up to date' if done else 'to run'}")
        return
    try:
        run(build, lambda name, state: stderr_console().print(f"{name}: {state}", markup=False))
    except ModuleNotFoundError as error:
        if error.name not in ("torch", "transformers"):
            raise
        raise MissingExtra("training", "train") from None


@click.command("average")
@click.argument("runs", nargs=-1, required=True, type=_FOLDER)
@click.option("-o", "--output", type=_FOLDER, help="Where to write the mean, as a model to export.")
def average_step(runs: tuple[Path, ...], output: Path | None) -> None:
    """Average the weights of runs, so that all continue from the mean: one run per core."""
    try:
        from feverfew.lab.train.average import average, write_mean
    except ModuleNotFoundError:
        raise MissingExtra("averaging runs", "train") from None
    if output:
        write_mean(runs, output)
    else:
        average(runs)


@click.command("ranker")
@click.argument("name", type=click.Choice(RANKERS))
@click.option("--corpus", type=_FOLDER, help="The corpus to search.")
@click.option(
    "--claims", multiple=True, type=_FILE, help="Claims with their gold evidence; may be repeated."
)
@click.option("--more", multiple=True, type=_FILE, help="For hops: more claims of several pages.")
@click.option("--data", type=_FOLDER, help="The data folder, for programs, cells and tables.")
@click.option(
    "--seed", default=1, show_default=True, help="Seed of the order and of initial weights."
)
@click.option("-o", "--output", required=True, type=_FILE, help="Where to write the weights.")
def ranker_step(
    name: str,
    corpus: Path | None,
    claims: tuple[Path, ...],
    more: tuple[Path, ...],
    data: Path | None,
    seed: int,
    output: Path,
) -> None:
    """Train one of the small networks that rank pages, sentences, programs, cells or tables.

    \b
    feverfew train ranker pages --corpus wiki.corpus --claims train.jsonl -o ranker.json
    feverfew train ranker hops --corpus both.corpus --claims hover.jsonl -o hops.json
    feverfew train ranker cells --data data -o cells.json
    """
    import msgspec

    from feverfew.lab.train.rankers import Sources, train_ranker

    require_writable(output)
    try:
        trained = train_ranker(name, Sources(corpus, claims, more, data, seed))
    except ModuleNotFoundError:
        raise MissingExtra("training a ranker", "train") from None
    output.write_bytes(msgspec.json.encode(trained) + b"\n")


@click.command("combination")
@click.argument("model", type=_FOLDER)
@click.option("--data", required=True, type=_FOLDER, help="The data folder.")
@click.option("--corpus", required=True, type=_FOLDER, help="A corpus of FEVER's pages.")
@click.option("--hover", required=True, type=_FOLDER, help="A corpus with HoVer's pages as well.")
@click.option("--claims", default=400, show_default=True, help="Claims of each domain.")
@click.option("--seed", default=1, show_default=True, help="Seed of the sample of claims.")
@click.option("--threads", type=click.IntRange(1), help="Threads; one per core by default.")
def combination_step(
    model: Path, data: Path, corpus: Path, hover: Path, claims: int, seed: int, threads: int | None
) -> None:
    """Fit the layer that combines an exported model's outputs into a verdict, and add it to
    MODEL."""
    from feverfew.corpus import Corpus
    from feverfew.judge import Judge
    from feverfew.judge.combine import FILE
    from feverfew.lab.train.combination import collect, leave_one_out, write, write_even

    write_even(model / FILE)
    judge = Judge.open(model, threads)
    with Corpus.open(corpus) as wiki, Corpus.open(hover) as both:
        examples = list(
            collect(
                judge,
                data,
                wiki,
                both,
                most=claims,
                seed=seed,
                progress=lambda name, count: stderr_console().print(
                    f"{name}: {count} claims", markup=False
                ),
            )
        )
    write(examples, model / FILE)
    large = (model / "large").is_dir()
    for domain, (right, error, own, own_error) in leave_one_out(examples, large=large).items():
        click.echo(
            f"{domain:16} {own:6.1%} right, ECE {own_error:.3f}; "
            f"left out {right:6.1%}, ECE {error:.3f}"
        )
