"""Make the pairs that verdict heads are fitted to: `python -m feverfew.lab.train.headpairs`.

`cells` holds InfoTabS' training claims, and open ones of FEVER's (`train.silentboxes`), with the
cells chosen for them, `chain` HoVer's with their gold sentences; each without the claims by which
readings are weighed later (`train.tableverdict`, `train.chains`): of what it was fitted to, a head
is too sure. Then `train.refit` fits the heads.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from feverfew.corpus import Corpus
from feverfew.lab.train.hoverpairs import hover_pairs
from feverfew.lab.train.infobox_nei import silent_claims
from feverfew.lab.train.pairs import LABELS
from feverfew.lab.train.tableclaims import WEIGHED, infobox_claims
from feverfew.tables.cells import Cells
from feverfew.tables.reading import read_cells

__all__ = ["cell_pairs"]


def cell_pairs(data: Path, weighed: int = WEIGHED, seed: int = 1) -> Iterator[dict[str, Any]]:
    """Yield the pairs for the head of cells; `weighed` and `seed` are those of the weighing."""
    cells = Cells.open()
    boxes = infobox_claims(data / "tables", "train", None, seed)
    elsewhere = {one.table for one in boxes[:weighed]}
    free = [one for one in boxes[weighed:] if one.table not in elsewhere]
    for one in (*free, *silent_claims(data, free, seed)):
        text = read_cells(cells, [one.claim], [one.view])[0].text
        label = LABELS[one.label]
        yield {"claim": one.claim, "evidence": text, "label": label, "head": "cells"}


@click.command()
@click.option("--data", required=True, type=Path, help="The folder of all data sets.")
@click.option("--corpus", required=True, type=Path, help="A corpus of HoVer's pages.")
@click.option("-o", "--output", required=True, type=Path, help="A folder.")
def main(data: Path, corpus: Path, output: Path) -> None:
    """Write `cells.jsonl` and `chain.jsonl` for `train.refit`."""
    output.mkdir(parents=True, exist_ok=True)
    with Corpus.open(corpus) as opened:
        chain = hover_pairs(opened, data / "hover" / "claims.jsonl.gz", for_head=True)
        for name, pairs in (("cells", cell_pairs(data)), ("chain", chain)):
            with (output / f"{name}.jsonl").open("wb") as out:
                out.writelines(msgspec.json.encode(pair) + b"\n" for pair in pairs)


if __name__ == "__main__":
    main()
