"""Measure choosing sentences: python benchmarks/selection.py --data DIR --corpus DIR.

Asked are FEVER's development claims whose gold sentences are certain, on pages that training did
not use; the corpus is built from `wiki/intros.jsonl.xz`. A claim counts if one complete gold set
is among its first sentences. Intervals redraw claims by page.
"""

import argparse
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from feverfew.corpus import Corpus
from feverfew.retrieve import Candidate, Ranked
from feverfew.retrieve.features import Query
from feverfew.score import Metric, bootstrap, fever_score
from feverfew.score.retrieval import retrieval_sheet
from feverfew.select import PAGES, Sentences
from feverfew.select.context import context_of, statements
from feverfew.text import display_title, padded
from feverfew.types import Claim, Evidence, Prediction, Ref, Verdict
from measure import SAMPLES
from outcomes import draw
from quality import questions

DEPTHS = (1, 5, 10, 20, 30)


class SharedWords:
    """The baseline: rank sentences by the rare words that they share with the claim."""

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


def report(name: str, claims: Sequence[Claim], found: dict[int | str, list[Ref]]) -> None:
    said = [
        Prediction(id=c.id, label=c.label or Verdict.SUPPORTED, evidence=tuple(found[c.id]))
        for c in claims
    ]
    metrics = [Metric.parse(f"SentenceSupport@{k}") for k in DEPTHS]
    sheet = retrieval_sheet(fever_score(claims, said).pairs, metrics)
    means, around = sheet.means(), bootstrap(sheet, samples=SAMPLES)
    figures = [
        f"@{k} {100 * means[str(m)]:5.1f} ({100 * around[str(m)].low:.1f}–"
        f"{100 * around[str(m)].high:.1f})"
        for k, m in zip(DEPTHS, metrics, strict=True)
    ]
    print(f"{name:<30}{len(claims):>5}  {'  '.join(figures)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--most", type=int, default=10_000, help="claims, drawn by a fixed seed")
    given = parser.parse_args()
    asked = [q for q in questions(given.data) if q.unseen and q.exact]
    asked = draw(asked, given.most, lambda question: question.claim.group)
    corpus = Corpus.open(given.corpus)
    retriever = Ranked.open(corpus)
    selectors = {"shared words": SharedWords(corpus), "sentences": Sentences.open(corpus)}
    found: dict[str, dict[int | str, list[Ref]]] = {name: {} for name in selectors}
    spent: dict[str, list[float]] = {name: [] for name in ("retrieval", *selectors)}
    for claim in (question.claim for question in asked):
        # Processor time: on a busy machine the clock says little.
        start = time.process_time()
        pages = retriever.retrieve([claim.text], PAGES)
        spent["retrieval"].append(time.process_time() - start)
        for name, selector in selectors.items():
            start = time.process_time()
            pieces = selector.select([claim.text], pages, max(DEPTHS))[0]
            spent[name].append(time.process_time() - start)
            found[name][claim.id] = [piece.ref for piece in pieces]
    slices = {
        "all": [q.claim for q in asked],
        "full_pages": [q.claim for q in asked if q.full_pages],
        "several pages": [q.claim for q in asked if not q.one_page],
    }
    for part, claims in slices.items():
        for name in selectors if claims else ():
            report(f"{part}, {name}", claims, found[name])
    for name, seconds in spent.items():
        cuts = statistics.quantiles(seconds, n=20)
        print(f"{name:<30}{1e3 * cuts[9]:6.2f} ms of a processor, p95 {1e3 * cuts[18]:.2f}")


if __name__ == "__main__":
    main()
