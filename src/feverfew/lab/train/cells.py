"""Train the choice of cells: `python -m feverfew.lab.train.cells --data DIR -o cells.json`.

DIR holds `fetaqa.jsonl.gz`: true sentences with the very cells that prove them. Two fifths of
its pages are only reported on; a tenth of the others is held out for early stopping.
"""

import sys
from pathlib import Path

import click
import msgspec
import numpy as np

from feverfew.lab.train.network import Group, fit
from feverfew.lab.train.tablesets import bucket, read_fetaqa
from feverfew.tables.evidence import FEATURES, cell_features

_HELD = 26


@click.command()
@click.option("--data", required=True, type=Path, help="A folder with FeTaQA's file.")
@click.option("-o", "--output", required=True, type=Path, help="Where to write the network.")
@click.option("--seed", default=1, show_default=True, help="Decides order and first weights.")
def main(data: Path, output: Path, seed: int) -> None:
    """Train the network that ranks cells."""
    groups: list[Group] = []
    held: list[bool] = []
    with click.progressbar(read_fetaqa(data).training, file=sys.stderr) as bar:
        for answer in bar:
            places, rows = cell_features(answer.text, answer.view())
            groups.append((rows, np.array([place in answer.gold for place in places], bool)))
            held.append(bucket(f"held {answer.page}") < _HELD)
    network = fit(groups, held, FEATURES, seed)
    output.write_bytes(msgspec.json.encode({"cells": network}) + b"\n")


if __name__ == "__main__":
    main()
