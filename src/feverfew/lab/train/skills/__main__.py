"""Write pairs for some or all skills: python -m feverfew.lab.train.skills --help."""

from pathlib import Path

import click
import msgspec

from feverfew.corpus import Corpus
from feverfew.factory.draw import evidence_pages
from feverfew.lab.train.skills import SKILLS, examples, page_texts


@click.command()
@click.argument("corpus", type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="A folder.")
@click.option("--skill", "names", multiple=True, type=click.Choice(list(SKILLS)), help="Only this.")
@click.option("--count", type=click.IntRange(min=1), default=4000, help="Pairs per skill.")
@click.option("--pages", type=click.IntRange(min=1), default=120_000, help="Pages to draw from.")
@click.option("--except", "apart", type=click.Path(path_type=Path), help="Claims to keep apart.")
@click.option("--seed", type=int, default=1)
def main(
    corpus: Path,
    output: Path,
    names: tuple[str, ...],
    count: int,
    pages: int,
    apart: Path | None,
    seed: int,
) -> None:
    """Write labelled pairs that teach one skill each, made from the sentences of CORPUS."""
    kept = evidence_pages([apart] if apart else [])
    with Corpus.open(corpus) as opened:
        texts = page_texts(opened, seed, pages, kept)
    output.mkdir(parents=True, exist_ok=True)
    for name in names or SKILLS:
        made = examples(name, texts, count, seed)
        with (output / f"skill_{name}.jsonl").open("wb") as out:
            out.writelines(msgspec.json.encode(example) + b"\n" for example in made)
        click.echo(f"{name}: {len(made):,} pairs")


if __name__ == "__main__":
    main()
