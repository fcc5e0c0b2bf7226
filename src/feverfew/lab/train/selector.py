"""Train the ranking of sentences: `python -m …lab.train.selector --corpus DIR --claims FILE …`.

Claims are JSON lines with `claim` and the gold sentences: `page` and `line`; `pages` and
`evidence_text` (the sentences themselves, looked for on these pages); or FEVER's `evidence`.
A tenth of them, split off by page, is held out for early stopping.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec
import numpy as np

from feverfew.corpus import Corpus
from feverfew.lab.train.network import Group, fit, held_out
from feverfew.models.network import Network
from feverfew.readers.files import open_bytes
from feverfew.retrieve import Candidate, Ranked
from feverfew.select.context import FeatureContext
from feverfew.select.features import FEATURES, HOP_FEATURES, hop_features, sentence_features
from feverfew.select.sentences import PAGES, feature_context
from feverfew.text import detokenise, words
from feverfew.types import Ref

Gold = dict[str, frozenset[Ref]]


def read_gold(corpus: Corpus, paths: Sequence[Path]) -> Gold:
    """Read claims with their gold sentences; a claim that occurs twice gets all of them."""
    found: dict[str, set[Ref]] = {}
    for path in paths:
        with open_bytes(path) as lines:
            for line in lines:
                row = json.loads(line)
                found.setdefault(row["claim"], set()).update(_gold_of(corpus, row))
    return {claim: frozenset(refs) for claim, refs in found.items() if refs}


def _gold_of(corpus: Corpus, row: dict[str, Any]) -> Iterator[Ref]:
    if row.get("page"):
        yield Ref.sentence(row["page"], row["line"])
    for group in row.get("evidence", []):
        yield from (Ref.sentence(page, line) for *_, page, line in group if page)
    if row.get("evidence_text"):
        wanted = {tuple(words(detokenise(text))) for text in row["evidence_text"]}
        for title in row["pages"]:
            number = corpus.number(title)
            page = None if number is None else corpus.store.page(number)
            for sentence in page.sentences if page else ():
                if tuple(words(sentence.text)) in wanted:
                    yield Ref.sentence(title, sentence.index)


def train_selector(
    scenes: Sequence[FeatureContext], gold: Sequence[frozenset[Ref]], seed: int
) -> dict[str, Network]:
    """Train both networks: on each sentence alone, then next to the best ones."""
    held = [held_out(frozenset(ref.page for ref in refs)) for refs in gold]
    masks = [
        np.array([statement.ref in refs for statement in scene.statements], bool)
        for scene, refs in zip(scenes, gold, strict=True)
    ]
    rows = [sentence_features(scene) for scene in scenes]
    first = fit(list(zip(rows, masks, strict=True)), held, FEATURES, seed)
    both: list[Group] = [
        (np.hstack([own, hop_features(scene, first.score_array(own))]), mask)
        for scene, own, mask in zip(scenes, rows, masks, strict=True)
    ]
    second = fit(both, held, FEATURES + HOP_FEATURES, seed)
    return {"first": first, "second": second}


@click.command()
@click.option("--corpus", "directory", required=True, type=Path, help="A corpus directory.")
@click.option("--claims", multiple=True, required=True, type=Path, help="A claim file.")
@click.option("-o", "--output", required=True, type=Path, help="Where to write the networks.")
@click.option("--seed", default=1, show_default=True, help="Decides order and first weights.")
def main(directory: Path, claims: tuple[Path, ...], output: Path, seed: int) -> None:
    """Train both networks of the sentence ranking."""
    corpus = Corpus.open(directory)
    gold = read_gold(corpus, claims)
    retriever = Ranked.open(corpus)
    scenes: list[FeatureContext] = []
    with click.progressbar(gold, file=sys.stderr) as bar:
        for claim in bar:
            pages: list[Candidate] = retriever.retrieve([claim], PAGES)[0]
            scenes.append(feature_context(corpus, claim, pages))
    networks = train_selector(scenes, list(gold.values()), seed)
    output.write_bytes(msgspec.json.encode(networks) + b"\n")


if __name__ == "__main__":
    main()
