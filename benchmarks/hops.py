"""Measure claims that need several pages: python benchmarks/hops.py --claims FILE --corpus DIR.

FILE holds HoVer's claims; those with `text_complete`, and of them the third that neither trains nor
tunes anything (`feverfew.train.hover.is_test`, by question), are asked. The corpus is built from
HotpotQA's abstracts and Wikipedia's introductions together: `feverfew index pages.jsonl.gz
intros.jsonl.xz -o both.corpus`. A claim counts if all its gold pages are among the first pages.
Intervals redraw claims by question. bm25s' index is made in --work, unless it is there.
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
from feverfew.model import Claim, Prediction, Ref, Verdict
from feverfew.retrieve import Hops, Lexical, Ranked
from feverfew.score import Metric, bootstrap, fever_score
from feverfew.score.retrieval import retrieval_sheet
from feverfew.train.hover import HoverClaim, hover_claims, is_test
from measure import latency, system_facts
from musts import hops_musts
from tables import RESULTS, print_musts

DEPTHS = (5, 10, 20, 100)
HOPS = (2, 3, 4)
System = Callable[[str], list[str]]


def gold(claim: HoverClaim, corpus: Corpus) -> Claim:
    """Make a claim whose gold pages are spelled as the corpus spells them."""
    numbers = [corpus.number(page) for page in claim.pages]
    if None in numbers:
        raise SystemExit(f"hops: the corpus lacks a gold page of {claim.id}: {claim.pages}")
    titles = corpus.store.titles(n for n in numbers if n is not None)
    refs = tuple(Ref.sentence(title, 0) for title in titles.values())
    return Claim(
        id=claim.id,
        text=claim.text,
        label=Verdict.SUPPORTED,
        evidence=(refs,),
        group=claim.question,
    )


def bm25s(corpus: Corpus, work: Path) -> System:
    """Index the very pages of the corpus with bm25s."""
    folder = work / "bm25s"
    if not (folder / "titles.json").exists():
        source = work / "pages.jsonl"
        with source.open("wb") as out:
            for page in corpus:
                text = " ".join(sentence.text for sentence in page.sentences)
                out.write(msgspec.json.encode({"id": page.title, "text": text}) + b"\n")
        Bm25s.build(source, folder, stem=False)
        source.unlink()
    opened = Bm25s.open(folder, stem=False)
    return lambda claim: opened.search([claim], max(DEPTHS))[0]


def recall(claims: Sequence[Claim], found: dict[int | str, list[str]]) -> dict[str, Any]:
    """Score the rankings of one system, with intervals."""
    said = [Prediction(id=c.id, label=Verdict.SUPPORTED, pages=tuple(found[c.id])) for c in claims]
    metrics = {k: Metric.parse(f"DocumentSupport@{k}") for k in DEPTHS}
    sheet = retrieval_sheet(fever_score(claims, said).pairs, metrics.values())
    means, around = sheet.means(), bootstrap(sheet, samples=4_000)
    return {
        str(k): {"value": means[str(m)], "low": around[str(m)].low, "high": around[str(m)].high}
        for k, m in metrics.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=Path, required=True, help="HoVer's claims")
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True, help="where bm25s' index is kept")
    parser.add_argument("--json", type=Path, default=RESULTS / "hops.json")
    parser.add_argument("--most", type=int, help="only so many claims, for a first look")
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    corpus = Corpus.open(given.corpus)
    asked = [claim for claim in hover_claims(given.claims) if is_test(claim.question)]
    asked = asked[:: max(1, len(asked) // given.most)] if given.most else asked
    claims = {claim.id: gold(claim, corpus) for claim in asked}
    retrievers = {"hops": Hops.open(corpus), "ranked": Ranked.open(corpus)}
    retrievers["lexical"] = Lexical(corpus)
    systems: dict[str, System] = {
        name: lambda text, own=own: [c.title for c in own.retrieve([text], max(DEPTHS))[0]]
        for name, own in retrievers.items()
    }
    systems["bm25s"] = bm25s(corpus, given.work)
    results: dict[str, Any] = {
        "system": system_facts(),
        "pages": len(corpus),
        "nice": os.nice(0),
        "recall": {},
        "seconds": {},
    }
    found: dict[str, dict[int | str, list[str]]] = {}
    for name, system in systems.items():
        spent: dict[int, list[tuple[float, float]]] = {hops: [] for hops in HOPS}
        found[name] = {}
        for claim in asked:
            wall, processor = time.perf_counter(), time.process_time()
            found[name][claim.id] = system(claim.text)
            times = (time.perf_counter() - wall, time.process_time() - processor)
            spent[claim.hops].append(times)
        results["seconds"][name] = {
            str(hops): {
                # On a busy machine the clock alone says little.
                "clock": latency([wall for wall, _ in times]),
                "processor": latency([processor for _, processor in times]),
            }
            for hops, times in spent.items()
            if times
        }
    for hops in HOPS:
        own = [claims[claim.id] for claim in asked if claim.hops == hops]
        results["recall"][str(hops)] = {
            "claims": len(own),
            "questions": len({claim.group for claim in own}),
            "systems": {name: recall(own, answers) for name, answers in found.items()},
        }
        for name in systems:
            figures = results["recall"][str(hops)]["systems"][name]
            print(f"{hops} pages, {len(own)} claims, {name:<8}", *(
                f"@{k} {100 * f['value']:.1f} ({100 * f['low']:.1f}–{100 * f['high']:.1f})"
                for k, f in figures.items()
            ))  # fmt: skip
    results = msgspec.to_builtins(results)
    results["musts"] = msgspec.to_builtins(hops_musts(results))
    given.json.write_bytes(msgspec.json.format(msgspec.json.encode(results), indent=1) + b"\n")
    print_musts(results["musts"])


if __name__ == "__main__":
    main()
