"""Set claims among as many sentences as a checker meets: `python -m …lab.train.distractors`.

Beside their gold sentences, supported and refuted claims get others that retrieval found, up to
three to five in all; open claims get as many of those found. Otherwise much evidence comes to
mean that some of it settles the claim, since open claims are mostly learned with little. Whatever
the label, half of the claims have their evidence in the order of the search, and half in any: an
order that only one label has is learned instead of the meaning.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from feverfew.lab.train.mine import Found, Mined, text_key
from feverfew.readers.files import open_bytes

_SIZES = (3, 4, 5, 5, 5)
_ANYHOW = 0.5
"""The share of claims whose evidence stands in any order."""
Piece = tuple[str, str]


def crowded(
    records: Iterable[dict[str, Any]], mined: Iterable[Mined], seed: int = 1
) -> Iterator[dict[str, Any]]:
    """Yield each labelled claim once, its smallest gold set among what was found for it.

    Claims whose gold was not found are left out: spelled as in another edition of its page, or
    without a title, it would stand out among the rest.
    """
    rng = random.Random(seed)
    found = {one.claim: one.found for one in mined}
    by_claim: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        if "label" in record and record["claim"] in found:
            by_claim.setdefault(record["claim"], []).append(record)
    for claim, own in by_claim.items():
        label = own[0]["label"]
        sets = [] if label == "N" else [_keys(record) for record in own]
        near = {text_key(one.text) for one in found[claim]}
        gold = min((keys for keys in sets if keys <= near), key=len, default=set[str]())
        if gold or label == "N":
            never = set().union(*sets) - gold
            pieces = _among(gold, found[claim], never, rng.choice(_SIZES))
            if rng.random() < _ANYHOW:
                rng.shuffle(pieces)
            yield {"claim": claim, "evidence": pieces, "label": label}


def _keys(record: dict[str, Any]) -> set[str]:
    return {text_key(text) for _, text in record["evidence"]}


def _among(gold: set[str], found: Sequence[Found], never: set[str], size: int) -> list[Piece]:
    """Choose the gold and the best of the others, all in the order of the search."""
    room = size - len(gold)
    chosen = []
    for one in found:
        key = text_key(one.text)
        if key in gold:
            chosen.append((one.title, one.text))
        elif room > 0 and key not in never:
            chosen.append((one.title, one.text))
            room -= 1
    return chosen


@click.command()
@click.argument("pairs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--mined", required=True, type=click.Path(path_type=Path), help="What was found.")
@click.option("--seed", default=1, show_default=True)
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="A file.")
def main(pairs: tuple[Path, ...], mined: Path, seed: int, output: Path) -> None:
    """Write pairs for `feverfew train encoder`."""
    decode = msgspec.json.Decoder(Mined).decode
    with open_bytes(mined) as lines, output.open("wb") as out:
        made = crowded(_records(pairs), map(decode, lines), seed)
        out.writelines(msgspec.json.encode(pair) + b"\n" for pair in made)


def _records(paths: Iterable[Path]) -> Iterator[dict[str, Any]]:
    for path in paths:
        with open_bytes(path) as lines:
            yield from map(msgspec.json.decode, lines)


if __name__ == "__main__":
    main()
