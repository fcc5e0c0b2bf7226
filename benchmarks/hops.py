"""Measure finding all pages of a claim that needs several:
python benchmarks/hops.py --claims FILE --corpus DIR --work DIR.

FILE holds HoVer's claims; those of the third of the questions that nothing is trained or tuned on
are asked. The corpus is built from HotpotQA's abstracts and Wikipedia's introductions together
(benchmarks/README.md). A claim counts if all its gold pages are among the first pages. Intervals
redraw claims by question. bm25s' index is kept in --work.
"""

import argparse
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from baselines import Bm25s
from feverfew.corpus import Corpus
from feverfew.lab.train.datasets import HoverClaim, hover_claims, is_test
from feverfew.retrieve.batch import open_retriever
from feverfew.types import Claim, Ref, Verdict
from measure import RESULTS, latency, log, system_facts, write_json
from outcomes import draw
from quality import page_recall, print_recall
from targets import hops_targets, print_targets
from write_docs import write_docs

DEPTHS = (5, 10, 20, 100)
SYSTEMS = ("hops", "ranked", "lexical", "bm25s")


def gold(claim: HoverClaim, corpus: Corpus) -> Claim:
    """Spell the gold pages as the corpus does."""
    numbers = [corpus.number(page) for page in claim.pages]
    if None in numbers:
        raise SystemExit(f"hops: the corpus lacks a gold page of {claim.id}: {claim.pages}")
    titles = corpus.store.titles(n for n in numbers if n is not None)
    return Claim(
        id=claim.id,
        text=claim.text,
        label=Verdict.SUPPORTED,
        evidence=(tuple(Ref.sentence(title, 0) for title in titles.values()),),
        hops=claim.hops,
        group=claim.question,
    )


def opened(name: str, corpus: Corpus, work: Path) -> Callable[[str], list[str]]:
    """Open a system by its name; bm25s indexes the pages of the corpus."""
    if name != "bm25s":
        retriever = open_retriever(name, corpus)
        return lambda text: [c.title for c in retriever.retrieve([text], max(DEPTHS))[0]]
    folder = work / "bm25s"
    if not (folder / "titles.json").exists():
        source = work / "pages.jsonl"
        with source.open("wb") as out:
            for page in corpus:
                text = " ".join(sentence.text for sentence in page.sentences)
                out.write(msgspec.json.encode({"id": page.title, "text": text}) + b"\n")
        Bm25s.build(source, folder, stem=False)
        source.unlink()
    index = Bm25s.open(folder, stem=False)
    return lambda claim: index.search([claim], max(DEPTHS))[0]


def ask(system: Callable[[str], list[str]], claims: Sequence[Claim]) -> list[Any]:
    """Ask claims one by one; return pages, and seconds by the clock and of the processor."""
    found = []
    for claim in claims:
        clock, busy = time.perf_counter(), time.process_time()
        pages = system(claim.text)
        found.append((pages, time.perf_counter() - clock, time.process_time() - busy))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=Path, required=True, help="HoVer's claims")
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True, help="for bm25s' index")
    parser.add_argument("--most", type=int, default=10_000, help="claims, drawn by a fixed seed")
    parser.add_argument("--json", type=Path, default=RESULTS / "hops.json")
    parser.add_argument("--write-docs", action="store_true", help="update docs/performance.md")
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    system, corpus = system_facts(), Corpus.open(given.corpus)
    asked = [claim for claim in hover_claims(given.claims) if is_test(claim.question)]
    claims = [gold(one, corpus) for one in draw(asked, given.most, lambda claim: claim.question)]
    recall: dict[str, Any] = {}
    seconds: dict[str, Any] = {name: {} for name in SYSTEMS}
    for name in SYSTEMS:
        log(name)
        answers = ask(opened(name, corpus, given.work), claims)
        for hops in sorted({claim.hops or 0 for claim in claims}):
            own = [(c, a) for c, a in zip(claims, answers, strict=True) if c.hops == hops]
            part = recall.setdefault(str(hops), {
                "claims": len(own),
                "questions": len({claim.group for claim, _ in own}),
                "systems": {},
            })  # fmt: skip
            part["systems"][name] = page_recall(
                [claim for claim, _ in own], [pages for _, (pages, _, _) in own], DEPTHS
            )
            seconds[name][str(hops)] = {
                "clock": latency([clock for _, (_, clock, _) in own]),
                "processor": latency([busy for _, (_, _, busy) in own]),
            }
    results: dict[str, Any] = msgspec.to_builtins(
        {
            "system": system,
            "nice": os.nice(0),
            "pages": len(corpus),
            "recall": recall,
            "seconds": seconds,
        }
    )
    write_json(given.json, results)
    print_recall(results["recall"])
    if {"2", "3", "4"} <= recall.keys():
        print_targets(hops_targets(results))
    if given.write_docs:
        write_docs()


if __name__ == "__main__":
    main()
