"""What the small networks are fed with, and what comes out, is what they were trained with.

A constant that decides a feature is part of the weights: where it changes, the networks must be
trained again (`feverfew train ranker`). This test holds the mean of every feature over some claims
of the sample, and of what is ranked by it. Where a change is meant, and the networks are trained
again or proven as good, write the new figures: `python tests/test_trained_features.py`.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from feverfew.corpus import Corpus
from feverfew.english import checks
from feverfew.factory.bounds import bounds
from feverfew.factory.draw import mutate_corpus
from feverfew.models.network import Network
from feverfew.readers import read_claims
from feverfew.retrieve import Hops, Ranked
from feverfew.sample import sample_claims
from feverfew.select import PAGES, Sentences
from feverfew.select.sentences import MultiHopSentences
from feverfew.tables import TableReader, TableView
from feverfew.tables.programs import PROGRAM, STATEMENT, Scorer
from feverfew.tables.search import CorpusTables

FIGURES = Path(__file__).with_suffix(".json")
CLAIMS, MUTATIONS = 60, 250


class Means:
    """Sums up rows of features by what reads them."""

    def __init__(self) -> None:
        self._rows: dict[str, list[Any]] = defaultdict(list)
        self._names: dict[str, list[str]] = {}

    def add(self, name: str, columns: Sequence[str], rows: Any) -> None:
        self._names[name] = list(columns)
        self._rows[name] += np.asarray(rows, np.float64).reshape(-1, len(columns)).tolist()

    def figures(self) -> dict[str, dict[str, float]]:
        return {
            name: {
                "rows": len(rows),
                **dict(zip(self._names[name], np.mean(rows, 0).round(5).tolist(), strict=True)),
            }
            for name, rows in self._rows.items()
        }


class Reader:
    """Stands in for the encoder, whose weights are others' business: all is as relevant."""

    def relevance(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return [0.5] * len(pairs)


def measured(corpus: Corpus, patch: pytest.MonkeyPatch) -> dict[str, dict[str, float]]:
    """Run every stage that a network ranks, and note what each network reads."""
    means, names = Means(), dict[int, str]()
    shipped, score_array, score = Network.shipped, Network.score_array, Scorer.score

    def named(name: str, features: Sequence[str], file: str = "ranker.json") -> Network:
        network = shipped(name, features, file)
        names[id(network)] = f"{file} {name}"
        return network

    def noted(network: Network, rows: Any) -> Any:
        means.add(names[id(network)], network.features, rows)
        return score_array(network, rows)

    def program_noted(scorer: Scorer, programs: Any, statement: Any) -> Any:
        means.add("tables.json programs", PROGRAM, programs)
        means.add("tables.json statement", STATEMENT, statement)
        return score(scorer, programs, statement)

    patch.setattr(Network, "shipped", named)
    patch.setattr(Network, "score_array", noted)
    patch.setattr(Scorer, "score", program_noted)
    asked = [claim.text for path in sample_claims() for claim in read_claims(path)]
    claims = asked[:: len(asked) // CLAIMS][:CLAIMS]
    pages = Ranked.open(corpus).retrieve(claims, PAGES)
    sentences = Sentences.open(corpus).select(claims, pages, 5)
    further = Hops.open(corpus, Reader()).retrieve(claims, 100)
    chain = MultiHopSentences.open(corpus).select(claims, further, 10)
    hits = CorpusTables.open(corpus).find(claims, [[p.number for p in own] for own in pages])
    tables = TableReader.open()
    for at, claim in enumerate(claims):
        read = [tables.read(claim, h.table, TableView.of(h.table, h.page.title)) for h in hits[at]]
        for table in read:
            cited = (table.about, len(table.text), len(table.places), len(table.cited(True)))
            means.add("tables read", ("about", "letters", "places", "cited"), cited)
        for name, found in (("pages", pages), ("sentences", sentences), ("chain", chain)):
            means.add(f"{name} ranked", ("score",), [one.score for one in found[at]])
        means.add("tables ranked", ("score",), [hit.score for hit in hits[at]])
    for mutation, ref, text in mutate_corpus(corpus, MUTATIONS, seed=1):
        others = [one.text for one in corpus.page(ref.page).sentences]
        bounded = [bound.claim for bound in bounds(mutation.claim, Random(1))]
        for claim in (mutation.claim, *bounded):
            rows = [checks.features(claim, given) for given in (text, *others)]
            means.add("checks of numbers and negation", checks.FEATURES, rows)
    return means.figures()


def test_features_are_those_that_the_networks_were_trained_with(
    sample: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = measured(sample, monkeypatch)
    known = json.loads(FIGURES.read_text("utf-8"))
    assert now.keys() == known.keys()
    changed = [
        f"{name}, {feature}: {known[name].get(feature)} → {value}"
        for name, own in now.items()
        for feature, value in own.items()
        if value != pytest.approx(known[name].get(feature, -1.0), rel=1e-3, abs=1e-4)
    ]
    assert not changed, f"{len(changed)} features changed; {(__doc__ or '').partition('.')[2]}"


if __name__ == "__main__":
    with Corpus.sample() as corpus, pytest.MonkeyPatch.context() as patch:
        text = json.dumps(measured(corpus, patch), indent=1)
        FIGURES.write_text(text.replace(",\n  ", ", ") + "\n", "utf-8")
