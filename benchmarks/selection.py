"""Measure the choice of sentences: python benchmarks/selection.py --data DIR --corpus DIR.

DIR holds `fever/dev.jsonl.gz` (claims with `exact` and `full_pages`), `fever/train_claims.jsonl.gz`
and `fever/train_pairs.jsonl.gz`; the corpus is built from `wiki/intros.jsonl.xz`. Claims that share
a gold page with a training claim are left out. A claim counts as found if one complete gold set is
among its first sentences. Intervals redraw claims by page.
"""

import argparse
import json
import random
import statistics
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from feverfew.corpus import Corpus
from feverfew.readers.files import open_bytes
from feverfew.retrieve import Candidate, Ranked
from feverfew.retrieve.features import Query
from feverfew.score import Metric, bootstrap, fever_score
from feverfew.score.retrieval import retrieval_sheet
from feverfew.select import PAGES, Sentences
from feverfew.select.context import context_of, statements
from feverfew.text import display_title, padded
from feverfew.types import Claim, Evidence, Prediction, Ref, Verdict

DEPTHS = (1, 5, 10, 20, 30)
TRAINING = ("train_claims", "train_pairs")


class Naive:
    """Ranks sentences by the rare words that they and their title share with the claim."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def select(
        self, claims: Sequence[str], pages: Sequence[Sequence[Candidate]], k: int
    ) -> list[list[Evidence]]:
        return [self._one(claim, own, k) for claim, own in zip(claims, pages, strict=True)]

    def _one(self, claim: str, pages: Sequence[Candidate], k: int) -> list[Evidence]:
        query = Query.of(claim, self._corpus)
        found: list[Evidence] = []
        for candidate in pages:
            page = self._corpus.store.page(candidate.number)
            said = statements(page) if page else []
            title = display_title(candidate.title)
            for at, one in enumerate(said):
                score = query.weight(padded(f"{title} {one.text}"))
                context = context_of(said, at)
                found.append(Evidence(ref=one.ref, text=one.text, context=context, score=score))
        return sorted(found, key=lambda piece: -piece.score)[:k]


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with open_bytes(path) as lines:
        yield from map(json.loads, lines)


def questions(data: Path) -> list[tuple[Claim, bool]]:
    """Read the claims, each with whether its gold pages are whole."""
    trained: set[str] = set()
    for name in TRAINING:
        for row in rows(data / f"fever/{name}.jsonl.gz"):
            trained.update(row.get("pages", [row.get("page")]))
    found: list[tuple[Claim, bool]] = []
    for row in rows(data / "fever/dev.jsonl.gz"):
        sets = [[Ref.sentence(e[2], e[3]) for e in g if e[2]] for g in row["evidence"]]
        pages = {ref.page for refs in sets for ref in refs}
        if row["label"] != "NOT ENOUGH INFO" and row.get("exact") and not pages & trained:
            label = Verdict.SUPPORTED if row["label"] == "SUPPORTS" else Verdict.REFUTED
            claim = Claim(
                id=row["id"],
                text=row["claim"],
                label=label,
                evidence=tuple(map(tuple, sets)),
                group=sets[0][0].page,
            )
            found.append((claim, bool(row.get("full_pages"))))
    return found


def report(name: str, claims: Sequence[Claim], found: dict[int | str, list[Ref]]) -> None:
    said = [
        Prediction(id=c.id, label=c.label or Verdict.SUPPORTED, evidence=tuple(found[c.id]))
        for c in claims
    ]
    metrics = [Metric.parse(f"SentenceSupport@{k}") for k in DEPTHS]
    sheet = retrieval_sheet(fever_score(claims, said).pairs, metrics)
    means, around = sheet.means(), bootstrap(sheet, samples=4_000)
    figures = [
        f"@{k} {100 * means[str(m)]:5.1f} [{100 * around[str(m)].low:.1f}, "
        f"{100 * around[str(m)].high:.1f}]"
        for k, m in zip(DEPTHS, metrics, strict=True)
    ]
    print(f"{name:<24}{len(claims):>5}  {'  '.join(figures)}", flush=True)


def two_pages(claim: Claim) -> bool:
    return all(len({ref.page for ref in refs}) > 1 for refs in claim.evidence)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--sample", type=int, help="only so many claims, drawn at random")
    given = parser.parse_args()
    asked = questions(given.data)
    if given.sample:
        asked = random.Random(0).sample(asked, min(given.sample, len(asked)))
    corpus = Corpus.open(given.corpus)
    retriever = Ranked.open(corpus)
    selectors = {"naive": Naive(corpus), "sentences": Sentences.open(corpus)}
    found: dict[str, dict[int | str, list[Ref]]] = {name: {} for name in selectors}
    spent: dict[str, list[float]] = {name: [] for name in ("retrieval", *selectors)}
    for claim, _ in asked:
        # Processor time: on a busy machine the clock alone says little.
        start = time.process_time()
        pages = retriever.retrieve([claim.text], PAGES)
        spent["retrieval"].append(time.process_time() - start)
        for name, selector in selectors.items():
            start = time.process_time()
            pieces = selector.select([claim.text], pages, max(DEPTHS))[0]
            spent[name].append(time.process_time() - start)
            found[name][claim.id] = [piece.ref for piece in pieces]
    slices = {
        "all": [claim for claim, _ in asked],
        "full_pages": [claim for claim, full in asked if full],
        "two pages": [claim for claim, _ in asked if two_pages(claim)],
    }
    for part, claims in slices.items():
        for name in selectors:
            report(f"{part}, {name}", claims, found[name])
    for name, seconds in spent.items():
        cuts = statistics.quantiles(seconds, n=20)
        print(f"{name:<24}{1e3 * cuts[9]:6.2f} ms of a processor, {1e3 * cuts[18]:6.2f} at 95 %")


if __name__ == "__main__":
    main()
