"""`feverfew train`: mine evidence, make pairs, train the encoder and export it."""

from pathlib import Path
from typing import Any

import click
import msgspec

from feverfew.cli.options import json_option
from feverfew.cli.output import print_json, stderr_console
from feverfew.cli.train_stages import all_step, average_step, combination_step, ranker_step
from feverfew.errors import InputError, MissingExtra

_FOLDER = click.Path(path_type=Path, file_okay=False)
_FILE = click.Path(path_type=Path, dir_okay=False)


@click.group("train")
def train() -> None:
    """Train the encoder that selects evidence and judges it.

    \b
    feverfew train all --data DATA -o OUT      rebuild the shipped model from its recipe
    feverfew train all --data DATA -o OUT --dry-run
    \b
    Or step by step:
    \b
    feverfew train mine --data DATA --corpus wiki.corpus -o mined.jsonl
    feverfew train pairs --data DATA --corpus wiki.corpus --mined mined.jsonl -o pairs/
    feverfew train encoder --pairs pairs/supported.jsonl --pairs pairs/open.jsonl=2 … \\
        --held-out pairs/held_out.jsonl --steps 2000 -o run/
    feverfew train plot run/ -o run.svg
    feverfew train export run/best -o my-model/
    feverfew train measure my-model/ pairs/test.jsonl
    feverfew train synthetic --corpus my.corpus --count 10000 -o synthetic.jsonl

    `all`, `encoder`, `average`, `export` and `import` need the extra:
    pip install 'feverfew[train]'.
    """


@train.command("mine")
@click.option("--data", required=True, type=_FOLDER, help="The folder with fever/ and nli/.")
@click.option("--corpus", required=True, type=_FOLDER, help="The corpus to search.")
@click.option("--limit", type=click.IntRange(1), help="Stop after this many claims.")
@click.option("-o", "--output", required=True, type=_FILE, help="Where to write JSON lines.")
def _mine(data: Path, corpus: Path, limit: int | None, output: Path) -> None:
    """Retrieve evidence for the training claims; resumes where it stopped."""
    from rich.progress import track

    from feverfew.lab.train.fever import claims_to_mine
    from feverfew.lab.train.mine import Mined, mine

    claims = claims_to_mine(data)[:limit]
    done = 0
    if output.exists():
        whole = output.read_bytes().rpartition(b"\n")[0]  # a killed run may end within a line
        done = len(whole.splitlines())
        output.write_bytes(whole + b"\n" if whole else b"")
        for line in whole.splitlines()[-1:]:
            if msgspec.json.decode(line, type=Mined).claim != claims[done - 1]:
                raise InputError(f"{output} belongs to other claims; give another -o")
    with output.open("ab") as out:
        found = mine(claims[done:], corpus)
        for one in track(found, "mining", len(claims) - done, console=stderr_console()):
            out.write(msgspec.json.encode(one) + b"\n")


@train.command("pairs")
@click.option("--data", required=True, type=_FOLDER, help="The folder with fever/ and nli/.")
@click.option("--corpus", required=True, type=_FOLDER, help="The corpus that was searched.")
@click.option("--mined", required=True, type=_FILE, help="What `train mine` wrote.")
@click.option("--seed", default=1, show_default=True, help="Decides what is drawn.")
@click.option("-o", "--output", required=True, type=_FOLDER, help="A folder for the pairs.")
def _pairs(data: Path, corpus: Path, mined: Path, seed: int, output: Path) -> None:
    """Write training pairs, one file for each kind of pair."""
    from feverfew.corpus import Corpus
    from feverfew.lab.train.fever import write_pairs
    from feverfew.lab.train.mine import Mined
    from feverfew.readers.files import open_bytes

    decode = msgspec.json.Decoder(Mined).decode
    with open_bytes(mined) as lines, Corpus.open(corpus) as opened:
        counts = write_pairs(data, opened, map(decode, lines), output, seed)
    for name, count in counts.items():
        click.echo(f"{count:9,}  {output / name}.jsonl")


@train.command("encoder")
@click.option(
    "--pairs",
    "sources",
    multiple=True,
    required=True,
    metavar="FILE[=WEIGHT]",
    help="Training pairs, and how often to draw from them (1).",
)
@click.option("--held-out", required=True, type=_FILE, help="Pairs for choosing the best model.")
@click.option(
    "--start",
    default="minilm-l6",
    show_default=True,
    metavar="NAME_OR_DIR",
    help="Starting weights: minilm-l6, mpnet-base, shipped, or a folder.",
)
@click.option("--steps", required=True, type=click.IntRange(1), help="Total steps.")
@click.option("--batch", default=32, show_default=True, help="Batch size, in pairs.")
@click.option("--accumulate", default=1, show_default=True, help="Batches per step.")
@click.option("--rate", default=1e-4, show_default=True, help="The highest learning rate.")
@click.option("--longest", default=128, show_default=True, help="Maximum tokens per pair.")
@click.option("--layers", type=click.IntRange(1), help="Keep only this many layers, the lowest.")
@click.option("--one-head", is_flag=True, help="One verdict head, and no relevance head.")
@click.option(
    "--minutes",
    type=float,
    help="Stop after this many minutes of training; the learning rate follows.",
)
@click.option("--frozen", default=0, show_default=True, help="Lowest layers to freeze.")
@click.option(
    "--bfloat16/--no-bfloat16",
    default=None,
    help="Half precision; on by default on CPUs with AVX512-BF16.",
)
@click.option("--check-every", default=250, show_default=True, help="Steps between evaluations.")
@click.option(
    "--patience",
    default=6,
    show_default=True,
    help="Stop after this many evaluations without a new best.",
)
@click.option("--seed", default=1, show_default=True, help="Seed of the order and of new weights.")
@click.option("--threads", type=click.IntRange(1), help="Threads; one per core by default.")
@click.option("-o", "--output", required=True, type=_FOLDER, help="The run's folder.")
def _encoder(
    sources: tuple[str, ...],
    held_out: Path,
    start: str,
    layers: int | None,
    one_head: bool,
    threads: int | None,
    output: Path,
    **settings: Any,
) -> None:
    """Train the encoder; resumes from the run's last checkpoint.

    The run's folder contains `log.jsonl`, `checkpoint.pt` and the best model so far, `best/`.
    """
    try:
        from feverfew.lab.train.encoder import Verifier
        from feverfew.lab.train.loop import Settings
        from feverfew.lab.train.loop import train as train_encoder
        from feverfew.lab.train.starts import starting_weights
    except ModuleNotFoundError:
        raise MissingExtra("training", "train") from None
    from feverfew.cli.train_progress import TrainingBar
    from feverfew.lab.train.pairs import read_pairs

    made = Settings(**settings)
    taught, asked = [_source(text) for text in sources], read_pairs(held_out)
    folder = starting_weights(start, output / "start")
    with TrainingBar(made.steps) as bar:
        best = train_encoder(
            Verifier.start(folder, made.seed, layers=layers, one_head=one_head),
            taught,
            asked,
            made,
            output,
            folder,
            report=bar.move,
            threads=threads,
        )
    measured = [
        f"{name} {value:.3f}"
        for name, value in (("verdict", best.verdict), ("relevance (AUC)", best.relevance))
        if value >= 0
    ]
    click.echo(f"best on the held-out pairs: {', '.join(measured) or 'not measured'}")


def _source(text: str) -> Any:
    """Read FILE[=WEIGHT]."""
    from feverfew.lab.train.pairs import Source, read_pairs

    name, _, weight = text.rpartition("=") if "=" in text else (text, "", "1")
    try:
        share = float(weight)
    except ValueError:
        raise click.BadParameter(f"{text!r}: {weight!r} is not a weight") from None
    path = Path(name)
    return Source(path.stem, read_pairs(path), share)


@train.command("export")
@click.argument("run", type=_FOLDER)
@click.option("-o", "--output", required=True, type=_FOLDER, help="The model's folder.")
def _export(run: Path, output: Path) -> None:
    """Export a trained model, such as RUN/best, for `check` and `judge`: int8, no torch."""
    try:
        from feverfew.lab.train.encoder import Verifier
        from feverfew.lab.train.export import export
    except ModuleNotFoundError:
        raise MissingExtra("exporting a model", "train") from None
    export(Verifier.start(run, seed=0), run, output)


@train.command("import")
@click.argument("name_or_path")
@click.option("-o", "--output", required=True, type=_FOLDER, help="The model's folder.")
def _import(name_or_path: str, output: Path) -> None:
    """Convert a Hugging Face NLI classifier for `check` and `judge`.

    Takes a folder, or the name of a model in the Hugging Face cache: a BERT or RoBERTa with the
    labels entailment, contradiction and neutral.
    """
    _convert(name_or_path, output)


def _convert(name: str, output: Path) -> None:
    try:
        from feverfew.lab.train.classifier import convert
    except ModuleNotFoundError:
        raise MissingExtra("importing a model", "train") from None
    convert(name, output)


@train.command("plot")
@click.argument("runs", nargs=-1, required=True, type=_FOLDER)
@click.option("-o", "--output", required=True, type=_FILE, help="Where to write the SVG.")
def _plot(runs: tuple[Path, ...], output: Path) -> None:
    """Plot the losses and held-out measures of several runs."""
    from feverfew.lab.train.history import draw, read_history

    picture = draw({str(run): read_history(run) for run in runs})
    output.write_text(picture + "\n", encoding="utf-8")


@train.command("measure")
@click.argument("model", type=_FOLDER)
@click.argument("pairs", nargs=-1, required=True, type=_FILE)
@click.option("--threads", type=click.IntRange(1), help="Threads; one per core by default.")
@json_option
def _measure(model: Path, pairs: tuple[Path, ...], threads: int | None, as_json: bool) -> None:
    """Measure an exported model's verdicts on files of labelled pairs."""
    from feverfew.judge import Encoder
    from feverfew.lab.train.measure import measure
    from feverfew.lab.train.pairs import LABELS, read_pairs

    encoder = Encoder.open(model, threads)
    for path in pairs:
        read = read_pairs(path)
        present = [label for i, label in enumerate(LABELS) if any(p.verdict == i for p in read)]
        if not present:
            raise InputError(f"{path} has no labels (S, R, N) to measure verdicts by")
        found = measure(encoder, read, present)
        if as_json:
            print_json({"file": path.name, **msgspec.to_builtins(found)})
            continue
        said = "  ".join(
            f"{gold}: " + " ".join(f"{label} {n}" for label, n in row.items())
            for gold, row in found.confusion.items()
        )
        click.echo(
            f"{path.name}: {found.accuracy:.1%} ({found.low:.1%}–{found.high:.1%}) of "
            f"{found.pairs:,}, ECE {found.ece:.3f}, {found.pairs_a_second:.0f} pairs/s; {said}"
        )


@train.command("synthetic")
@click.option("--corpus", required=True, type=_FOLDER, help="The corpus whose sentences are used.")
@click.option("--count", required=True, type=click.IntRange(1), help="Pairs to make.")
@click.option("--seed", default=1, show_default=True, help="Decides what is drawn.")
@click.option(
    "--apart-from",
    multiple=True,
    type=_FILE,
    help="Test claims: the pages of their evidence are left out.",
)
@click.option("-o", "--output", required=True, type=_FILE, help="Where to write JSON lines.")
def _synthetic(
    corpus: Path, count: int, seed: int, apart_from: tuple[Path, ...], output: Path
) -> None:
    """Make training pairs by mutating a corpus's own sentences; no labelled claims needed."""
    from rich.progress import track

    from feverfew.corpus import Corpus
    from feverfew.factory.draw import evidence_pages
    from feverfew.lab.train.synthetic import synthetic_pairs

    pages = evidence_pages(apart_from)
    made = 0
    with Corpus.open(corpus) as opened, output.open("wb") as out:
        pairs = synthetic_pairs(opened, count, seed, pages)
        for pair in track(pairs, "making pairs", count, console=stderr_console()):
            out.write(msgspec.json.encode(pair) + b"\n")
            made += 1
    if made < count:
        stderr_console().print(f"the corpus gives no more than {made:,} pairs")


train.add_command(all_step)
train.add_command(average_step)
train.add_command(combination_step)
train.add_command(ranker_step)
