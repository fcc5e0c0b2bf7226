"""`feverfew factory`: make a data set from a recipe, and check any data set."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from feverfew.cli.options import html_option, json_option
from feverfew.cli.output import emit, plural, print_json, stderr_console

if TYPE_CHECKING:
    from feverfew.factory.check import Checked
    from feverfew.factory.make import Made
    from feverfew.render.page import Section


@click.group("factory")
def factory() -> None:
    """Make a data set from a corpus, and check any data set.

    \b
    feverfew factory make fever -o my-fever
    feverfew factory check my-fever
    """


@factory.command("make")
@click.argument("recipe", type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False, path_type=Path),
              help="The folder to write.")  # fmt: skip
@click.option("--corpus", type=click.Path(exists=True, file_okay=False, path_type=Path),
              help="Make claims from this corpus instead of the recipe's.")  # fmt: skip
@click.option("--workers", type=click.IntRange(min=1), help="Processes; by default one a core.")
@json_option
def make(
    recipe: Path, output: Path, corpus: Path | None, workers: int | None, as_json: bool
) -> None:
    """Make the data set that RECIPE describes: claims, evidence, splits, report and card.

    \b
    feverfew factory make fever -o my-fever
    feverfew factory make my.toml --corpus wiki.corpus -o my-data --workers 4

    RECIPE is a TOML file, or the name of one that comes with feverfew: fever, feverous, hover, own.
    The same recipe and corpus give the same bytes. Repeat the command to go on after a stop.
    """
    from feverfew.factory.make import Job
    from feverfew.factory.make import make as make_data_set
    from feverfew.factory.recipe import Recipe
    from feverfew.factory.sources import write_whole
    from feverfew.workers import cores

    said = stderr_console()
    read = Recipe.read(recipe)
    job = Job.of(read, recipe, output, corpus, workers or cores())
    if read.kind == "pairs":
        from feverfew.factory.pairs import make_pairs

        counts = make_pairs(job, lambda text: said.print(text, markup=False))
        if as_json:
            print_json(counts)
        said.print(f"{output}: {plural(sum(counts.values()), 'pair')}", markup=False)
        return
    made = make_data_set(job, lambda text: said.print(text, markup=False))
    write_whole(output / "recipe.toml", Recipe.text(recipe))
    if as_json:
        print_json(made)
    else:
        emit(read.name, str(output), list(_made_sections(made)), made, as_json=False, html=None)
    for alarm in made.alarms:
        said.print(f"alarm: {alarm}", markup=False)


def _made_sections(made: "Made") -> "Iterator[Section]":
    from feverfew.render.page import DataTable, Section, Words

    labels = sorted({label for own in made.splits.values() for label in own.labels})
    rows = tuple(
        (name, own.claims, *(own.labels.get(label, 0) for label in labels), own.tokens)
        for name, own in made.splits.items()
    )
    yield Section("Splits", (DataTable(("split", "claims", *labels, "words"), rows),))
    guessed = "not measured" if made.bias.claim_only is None else f"{made.bias.claim_only:.1%}"
    text = f"From claims alone: {guessed} right; the most frequent label: {made.bias.majority:.1%}."
    yield Section("What claims give away", (Words(text),))


@factory.command("check")
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--corpus", type=click.Path(exists=True, file_okay=False, path_type=Path),
              help="Look every element of the evidence up in this corpus.")  # fmt: skip
@click.option("--fail", is_flag=True, help="Exit with 1 if there is an error.")
@html_option
@json_option
def check_(
    paths: tuple[Path, ...], corpus: Path | None, fail: bool, html: Path | None, as_json: bool
) -> None:
    """Check a data set in FEVER's, FEVEROUS's or HoVer's form: PATHS are its files, or its folder.

    \b
    feverfew factory check my-fever --corpus wiki.corpus
    feverfew factory check train.jsonl dev.jsonl.gz --json

    Several files count as splits of one data set. Errors: ids or claims with two labels, evidence
    that is missing, claims that two splits share. Warnings: duplicates, evidence beyond what the
    scores count, requirements of the papers.
    """
    from feverfew.corpus import Corpus
    from feverfew.factory.check import check

    opened = Corpus.open(corpus) if corpus else None
    checked = check(paths, opened)
    emit(
        "Data set", ", ".join(map(str, paths)), list(_check_sections(checked)), checked,
        as_json=as_json, html=html,
    )  # fmt: skip
    if fail and not checked.sound:
        raise SystemExit(1)


def _check_sections(checked: "Checked") -> "Iterator[Section]":
    from feverfew.render.page import DataTable, Section, Words

    labels = sorted({label for own in checked.files.values() for label in own.labels})
    files = tuple(
        (name, own.claims, *(own.labels.get(label, 0) for label in labels), own.sets, own.elements)
        for name, own in checked.files.items()
    )
    head = ("file", "claims", *labels, "sets", "elements a set")
    yield Section(f"Claims, in the form of {checked.format}", (DataTable(head, files),))
    if checked.overlaps:
        rows = tuple(
            (f"{o.one}, {o.other}", o.claims, o.near_duplicates, o.groups, o.evidence_pages)
            for o in checked.overlaps
        )
        head = ("splits", "same claims", "near duplicates", "same groups", "evidence pages in both")
        yield Section("Between splits", (DataTable(head, rows),))
    if not checked.problems:
        yield Section("Problems", (Words("None."),))
        return
    found = tuple((p.severity, p.name, p.file, p.count, p.means) for p in checked.problems)
    yield Section("Problems", (DataTable(("", "what", "where", "claims", "meaning"), found),))
    yield Section(
        "Examples",
        tuple(Words(f"{p.name}: {text}") for p in checked.problems for text in p.examples),
    )
