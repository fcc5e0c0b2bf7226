"""Measure claims that need several pages: python benchmarks/hops.py --claims FILE --corpus DIR.

FILE holds HoVer's claims; those with `text_complete`, and of them the third that neither trains nor
tunes anything (`lab.train.hover.is_test`, by question), are asked. The corpus is built from
HotpotQA's abstracts and Wikipedia's introductions together: `feverfew index pages.jsonl.gz
intros.jsonl.xz -o both.corpus`. A claim counts if all its gold pages are among the first pages.
Intervals redraw claims by question. What is found in --work, bm25s' index and answers
of an earlier part of the run, is not made again.
"""

import argparse
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from baselines import Bm25s
from feverfew.corpus import Corpus
from feverfew.lab.train.hover import HoverClaim, hover_claims, is_test
from feverfew.retrieve.batch import open_retriever
from feverfew.score import Metric, bootstrap, fever_score
from feverfew.score.retrieval import retrieval_sheet
from feverfew.types import Claim, Prediction, Ref, Verdict
from measure import latency, system_facts
from musts import hops_musts
from tables import RESULTS, print_musts

DEPTHS = (5, 10, 20, 100)
HOPS = (2, 3, 4)
SYSTEMS = ("hops", "ranked", "lexical", "bm25s")
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


def recall(claims: Sequence[Claim], found: Mapping[str, "Answer"]) -> dict[str, Any]:
    """Score the rankings of one system, with intervals."""
    said = [
        Prediction(id=c.id, label=Verdict.SUPPORTED, pages=tuple(found[str(c.id)].pages))
        for c in claims
    ]
    metrics = {k: Metric.parse(f"DocumentSupport@{k}") for k in DEPTHS}
    sheet = retrieval_sheet(fever_score(claims, said).pairs, metrics.values())
    means, around = sheet.means(), bootstrap(sheet, samples=4_000)
    return {
        str(k): {"value": means[str(m)], "low": around[str(m)].low, "high": around[str(m)].high}
        for k, m in metrics.items()
    }


class Answer(Struct, frozen=True):
    """What a system found for a claim, and what it cost."""

    id: str
    pages: list[str]
    clock: float
    processor: float


def opened(name: str, corpus: Corpus, work: Path) -> System:
    """Open a system by its name."""
    if name == "bm25s":
        return bm25s(corpus, work)
    retriever = open_retriever(name, corpus)
    return lambda text: [c.title for c in retriever.retrieve([text], max(DEPTHS))[0]]


def kept(name: str, work: Path) -> dict[str, Answer]:
    """Read the answers of this run's earlier parts."""
    found = [
        msgspec.json.decode(line, type=Answer)
        for path in work.glob(f"answers-{name}-*.jsonl")
        for line in path.read_bytes().splitlines()
    ]
    return {answer.id: answer for answer in found}


def ask(name: str, asked: Sequence[HoverClaim], corpus: Corpus, work: Path) -> None:
    """Ask a system what it has not answered yet, and keep its answers."""
    known = kept(name, work)
    left = [claim for claim in asked if claim.id not in known]
    if not left:
        return
    system = opened(name, corpus, work)
    with (work / f"answers-{name}-{os.getpid()}.jsonl").open("ab", buffering=0) as out:
        for claim in left:
            clock, processor = time.perf_counter(), time.process_time()
            pages = system(claim.text)
            clock, processor = time.perf_counter() - clock, time.process_time() - processor
            out.write(msgspec.json.encode(Answer(claim.id, pages, clock, processor)) + b"\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=Path, required=True, help="HoVer's claims")
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True, help="for bm25s' index, and answers")
    parser.add_argument("--json", type=Path, default=RESULTS / "hops.json")
    parser.add_argument("--only", choices=SYSTEMS, help="ask one system, and write no figures")
    parser.add_argument("--part", type=int, nargs=2, default=(1, 1), help="as 1 2: the first half")
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    corpus = Corpus.open(given.corpus)
    asked = [claim for claim in hover_claims(given.claims) if is_test(claim.question)]
    for name in [given.only] if given.only else SYSTEMS:
        ask(name, asked[given.part[0] - 1 :: given.part[1]], corpus, given.work)
    if not given.only:
        results = figures(asked, corpus, given.work)
        given.json.write_bytes(msgspec.json.format(msgspec.json.encode(results), indent=1) + b"\n")
        print_musts(results["musts"])


def figures(asked: Sequence[HoverClaim], corpus: Corpus, work: Path) -> dict[str, Any]:
    """Score what every system answered."""
    answers = {name: kept(name, work) for name in SYSTEMS}
    recalls: dict[str, Any] = {}
    seconds: dict[str, Any] = {name: {} for name in SYSTEMS}
    for hops in HOPS:
        own = [claim for claim in asked if claim.hops == hops]
        claims = [gold(claim, corpus) for claim in own]
        recalls[str(hops)] = {
            "claims": len(own),
            "questions": len({claim.question for claim in own}),
            "systems": {name: recall(claims, answers[name]) for name in SYSTEMS},
        }
        for name in SYSTEMS:
            found = [answers[name][claim.id] for claim in own]
            # On a busy machine the clock alone says little.
            seconds[name][str(hops)] = {
                "clock": latency([answer.clock for answer in found]),
                "processor": latency([answer.processor for answer in found]),
            }
            shown = recalls[str(hops)]["systems"][name].items()
            print(f"{hops} pages, {len(own)} claims, {name:<8}", *(
                f"@{k} {100 * f['value']:.1f} ({100 * f['low']:.1f}–{100 * f['high']:.1f})"
                for k, f in shown
            ))  # fmt: skip
    results: dict[str, Any] = msgspec.to_builtins(
        {
            "system": system_facts(),
            "nice": os.nice(0),
            "pages": len(corpus),
            "recall": recalls,
            "seconds": seconds,
        }
    )
    results["musts"] = msgspec.to_builtins(hops_musts(results))
    return results


if __name__ == "__main__":
    main()
