"""Make training pairs for the encoder from tables: `python -m feverfew.lab.train.tablepairs`.

Evidence is what a judge of tables reads: the cells that are chosen for the claim, linearised.
`infobox` holds InfoTabS' training pairs (entailed, contradicted, neither), `statement` TabFact's
(true, false), none of a table that is reported on.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from feverfew.lab.train.tablesets import Statement, TabFact, infobox_view, read_rows, read_tabfact
from feverfew.tables.evidence import TableReader

__all__ = ["LEARNED", "drawn", "table_pairs"]

LEARNED = 4000
"""Statements of TabFact that the encoder learns from."""
_LABELS = {"E": "S", "C": "R", "N": "N"}


def table_pairs(
    tables: Path, statements: int, seed: int = 1
) -> dict[str, Iterator[dict[str, Any]]]:
    """Return the pairs of both sets; of TabFact's, so many drawn at random."""
    return {"infobox": _infoboxes(tables), "statement": _statements(tables, statements, seed)}


def _infoboxes(tables: Path) -> Iterator[dict[str, Any]]:
    reader = TableReader.open()
    views = {
        row["id"]: infobox_view(row["table"])
        for row in read_rows(tables / "infotabs_tables.jsonl.gz")
    }
    for row in read_rows(tables / "infotabs_train.jsonl.gz"):
        claim = row["hypothesis"]
        text = reader.cells_text(claim, views[row["table_id"]])
        yield _pair(claim, text, _LABELS[row["label"]])


def _statements(tables: Path, count: int, seed: int) -> Iterator[dict[str, Any]]:
    reader, tabfact = TableReader.open(), read_tabfact(tables)
    chosen = drawn(tabfact, count, seed)
    views = tabfact.views(chosen)
    for one in chosen:
        text = reader.cells_text(one.text, views[one.table])
        yield _pair(one.text, text, "S" if one.label else "R")


def drawn(tabfact: TabFact, count: int = LEARNED, seed: int = 1) -> list[Statement]:
    """Draw the statements that the encoder learns from."""
    return random.Random(seed).sample(tabfact.training, min(count, len(tabfact.training)))


def _pair(claim: str, cells: str, label: str) -> dict[str, Any]:
    return {"claim": claim, "evidence": cells, "label": label, "head": "cells"}


@click.command()
@click.option("--data", type=click.Path(path_type=Path), required=True, help="The table sets.")
@click.option("--statements", default=LEARNED, show_default=True, help="Statements of TabFact.")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="A folder.")
def main(data: Path, statements: int, output: Path) -> None:
    """Write `infobox.jsonl` and `statement.jsonl` for `feverfew train encoder`."""
    output.mkdir(parents=True, exist_ok=True)
    for name, pairs in table_pairs(data, statements).items():
        with (output / f"{name}.jsonl").open("wb") as out:
            out.writelines(msgspec.json.encode(pair) + b"\n" for pair in pairs)


if __name__ == "__main__":
    main()
