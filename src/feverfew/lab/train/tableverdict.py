"""Fit what weighs encoder and programs over tables: `python -m feverfew.lab.train.tableverdict`.

DIR holds `tables/` (InfoTabS, TabFact, HybridQA), `nli/`, `wiki/tables.jsonl.gz` and `feverous/`.
It learns only from InfoTabS' training part, and from claims and tables that are not reported on.
Two aggregators come out: `table`, for a table alone, and `both`, for a table beside texts.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path

import click
import msgspec

from feverfew.corpus import Corpus
from feverfew.judge import Encoder, Judge
from feverfew.judge.aggregate import Aggregator, Weights
from feverfew.judge.features import FEATURES, RETRIEVED
from feverfew.lab.train.aggregator import fit
from feverfew.lab.train.bothsets import both_claims
from feverfew.lab.train.infobox_nei import silent_claims
from feverfew.lab.train.remember import Remembering
from feverfew.lab.train.rows import Rows
from feverfew.lab.train.tableclaims import WEIGHED, TableClaim, infobox_claims, statement_claims
from feverfew.lab.train.tablesets import read_tabfact
from feverfew.models.encoder import shipped_folder
from feverfew.tables.cells import Cells
from feverfew.tables.table_features import BOTH, TABLE, both_features, table_features
from feverfew.tables.verdict import TableJudge

__all__ = ["both_rows", "table_rows"]

_GROUP = 64
_PRIOR = 80.0
"""How strongly weights are drawn to zero: the fewer claims there are, the more it counts."""


def table_rows(judge: TableJudge, claims: Sequence[TableClaim]) -> Rows:
    """Describe claims beside tables alone."""
    made, numbers = Rows([], [], []), dict[str, int]()
    for group in _groups(claims, "tables"):
        readings = judge.read([one.claim for one in group], [one.view for one in group])
        for one, reading in zip(group, readings, strict=True):
            number = numbers.setdefault(one.table, len(numbers))
            made.add(table_features(reading), one.label, number)
    return made


def both_rows(judge: TableJudge, claims: Sequence[TableClaim]) -> Rows:
    """Describe claims beside tables and texts."""
    made, numbers = Rows([], [], []), dict[str, int]()
    for group in _groups(claims, "tables and texts"):
        texts, views = [one.claim for one in group], [one.view for one in group]
        readings = judge.read(texts, views)
        beside = judge.read_texts(texts, views, [one.texts for one in group])
        for one, reading, told in zip(group, readings, beside, strict=True):
            number = numbers.setdefault(one.table, len(numbers))
            made.add(both_features(reading, told), one.label, number)
    return made


def _groups(claims: Sequence[TableClaim], label: str) -> Iterator[Sequence[TableClaim]]:
    groups = [claims[start : start + _GROUP] for start in range(0, len(claims), _GROUP)]
    with click.progressbar(groups, label=label, file=sys.stderr) as bar:
        yield from bar


@click.command()
@click.option("--data", required=True, type=Path, help="The folder of all data sets.")
@click.option("-o", "--output", required=True, type=Path, help="Where to write the weights.")
@click.option("--corpus", type=Path, help="Of `wiki/intros`: adds claims made from HybridQA.")
@click.option("--model", type=Path, help="A model of your own; else the one that is shipped.")
@click.option("--infoboxes", default=WEIGHED, show_default=True, help="Claims of InfoTabS.")
@click.option("--statements", default=1500, show_default=True, help="Statements of TabFact.")
@click.option("--both", default=800, show_default=True, help="Claims beside tables and texts.")
@click.option("--cache", type=Path, help="Keeps what the encoder has read, for the next fit.")
@click.option("--seed", default=1, show_default=True, help="Decides what is drawn.")
def main(
    data: Path,
    output: Path,
    corpus: Path | None,
    model: Path | None,
    infoboxes: int,
    statements: int,
    both: int,
    cache: Path | None,
    seed: int,
) -> None:
    """Fit the two aggregators over tables."""
    folder = model or shipped_folder()
    encoder = Remembering(Encoder.open(folder), cache)
    texts = Judge(
        encoder,
        Aggregator.open("given", FEATURES, folder),
        Aggregator.open("found", FEATURES + RETRIEVED, folder),
    )
    judge = TableJudge.untrained(texts, Cells.open())
    tabfact = read_tabfact(data / "tables")
    boxes = infobox_claims(data / "tables", "train", infoboxes, seed)
    told = [*boxes, *statement_claims(tabfact, statements, seed)]
    claims = [*told, *silent_claims(data, boxes, seed)]
    made: dict[str, Weights] = {}
    rows = table_rows(judge, claims)
    encoder.keep()
    made["table"] = _fitted("tables", rows, TABLE, seed)
    with Corpus.open(corpus) if corpus else nullcontext() as wiki:
        drawn = both_claims(data, told, wiki, both, seed)
    rows = both_rows(judge, drawn)
    encoder.keep()
    made["both"] = _fitted("tables and texts", rows, BOTH, seed)
    output.write_bytes(msgspec.json.encode(made) + b"\n")


def _fitted(what: str, rows: Rows, names: Sequence[str], seed: int) -> Weights:
    weights, right, temperature = fit(rows, names, seed, _PRIOR / len(rows.labels))
    said = f"{len(rows.labels):,} claims, {right:.1%} right where left out"
    click.echo(f"{what}: {said}, temperature {temperature:.2f}", err=True)
    return weights


if __name__ == "__main__":
    main()
