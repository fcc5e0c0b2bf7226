"""Measure verdicts on claims that need several pages: python benchmarks/chains.py --claims FILE …

FILE holds HoVer's claims; asked is the third that nothing was trained or tuned on, as in hops.py,
with the same corpus. Two things are measured: how often the label is right if the gold sentences
are given, and the whole way (`feverfew verify --format hover --hops`): the label, whether the ten
sentences cited have a gold one of every gold page, and both at once, which is the HoVer score.
Beside it, on the same claims: the judge of single pieces on the same evidence, and the way without
rounds. HoVer's labels are meant to be balanced, and here they are not, since what is missing is
NOT_SUPPORTED: so every figure is the mean of both labels', and plain means stand in the results.
Of the third, 500 claims are drawn with a fixed seed unless --limit says otherwise.
"""

import argparse
import os
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from feverfew.check.chained import ChainWeights
from feverfew.judge.chains import ChainJudge
from feverfew.judge.reading import score_each, score_joint
from msgspec import Struct

from chain_musts import chain_musts
from feverfew.check import Checker
from feverfew.check.verify import predict
from feverfew.corpus import Corpus
from feverfew.judge import Judge
from feverfew.lab.train.hover import HoverClaim, hover_claims, is_test
from feverfew.lab.train.hoverpairs import gold_pieces
from feverfew.score.hover import hover_score
from feverfew.types import Claim, Prediction, Ref, Verdict
from measure import latency, system_facts
from tables import RESULTS, print_musts

HOPS = (2, 3, 4)
SAMPLES = 4_000
_BATCH = 16
_TIMED = 60
"""Claims of four pages that are checked one by one."""
_FIRST = "Vienna lies on the Danube."
"""Checked before any is timed."""


class Seen(Struct, frozen=True):
    """A claim, and what a system got right of it."""

    supported: bool
    hops: int
    question: str
    right: dict[str, float]


def gold(claim: HoverClaim, corpus: Corpus) -> Claim:
    """Make a claim whose gold sentences are on pages spelled as the corpus spells them."""
    titles = {title: corpus.page(title).title for title in claim.pages}
    refs = tuple(Ref.sentence(titles[title], index) for title, index in claim.facts)
    label = Verdict.SUPPORTED if claim.label == "SUPPORTED" else Verdict.NOT_SUPPORTED
    return Claim(
        id=claim.id,
        text=claim.text,
        label=label,
        evidence=(refs,),
        hops=claim.hops,
        group=claim.question,
    )


def balanced(seen: Sequence[Seen], name: str) -> dict[str, float]:
    """Average a measure over both labels alike; intervals redraw questions."""
    questions = {one.question: at for at, one in enumerate(seen)}
    place = {question: at for at, question in enumerate(questions)}
    # For each question: sums and counts of the supported, then of the rest.
    table = np.zeros((len(place), 4))
    for one in seen:
        side = 0 if one.supported else 2
        table[place[one.question], side : side + 2] += (one.right[name], 1.0)
    rng = np.random.default_rng(0)
    drawn = rng.multinomial(len(place), [1 / len(place)] * len(place), SAMPLES) @ table
    total = table.sum(0)
    low, high = np.percentile(_means(drawn), (2.5, 97.5)).tolist()
    return {
        "value": float(_means(total[None])[0]),
        "low": low,
        "high": high,
        "plain": float((total[0] + total[2]) / (total[1] + total[3])),
    }


def _means(sums: Any) -> Any:
    """Average over labels, and of each label over claims; where one is absent, the other counts."""
    counts = sums[:, [1, 3]]
    means = np.divide(sums[:, [0, 2]], counts, out=np.zeros_like(counts), where=counts > 0)
    return means.sum(1) / (counts > 0).sum(1)


def by_hops(seen: Sequence[Seen]) -> dict[str, Any]:
    """Give every measure for each number of pages, and for all."""
    parts = {str(hops): [one for one in seen if one.hops == hops] for hops in HOPS}
    return {
        part: {
            "claims": len(own),
            "supported": sum(one.supported for one in own),
            **{name: balanced(own, name) for name in own[0].right},
        }
        for part, own in (parts | {"all": list(seen)}).items()
        if own
    }


def with_gold(
    claims: Sequence[HoverClaim], corpus: Corpus, judge: Judge, chains: ChainJudge
) -> dict[str, list[Seen]]:
    """Judge claims by their gold sentences: by our way of reading them together, and by FEVER's."""
    seen: dict[str, list[Seen]] = {"chains": [], "pieces": []}
    for start in range(0, len(claims), _BATCH):
        own = claims[start : start + _BATCH]
        pieces = [gold_pieces(corpus, claim.facts) for claim in own]
        alone = score_each(judge.encoder, [claim.text for claim in own], pieces)
        readings = score_joint(judge.encoder, alone)
        for name, judged in (
            ("chains", chains.judge_readings(readings)),
            ("pieces", judge.judge_readings(readings)),
        ):
            for claim, judgement in zip(own, judged, strict=True):
                supported = claim.label == "SUPPORTED"
                right = {"label": float((judgement.probabilities[0] >= 0.5) == supported)}
                seen[name].append(Seen(supported, claim.hops, claim.question, right))
    return seen


def scored(claims: Sequence[Claim], predictions: Sequence[Prediction]) -> list[Seen]:
    """Score a whole way as `feverfew score` does."""
    sheet = hover_score(claims, predictions)
    score, label, recall = (
        sheet.column(name).values for name in ("hover_score", "label_accuracy", "recall")
    )
    # Whatever the label: is the evidence such that the score would count it?
    agreed = [
        Prediction(id=p.id, label=c.label or Verdict.SUPPORTED, evidence=p.evidence)
        for c, p in zip(claims, predictions, strict=True)
    ]
    complete = hover_score(claims, agreed).column("hover_score").values
    return [
        Seen(
            claim.label is Verdict.SUPPORTED,
            claim.hops or 0,
            claim.group,
            {
                "hover_score": own[0] or 0.0,
                "label": own[1] or 0.0,
                "evidence": own[2] or 0.0,
                "sentence_recall": own[3] or 0.0,
            },
        )
        for claim, own in zip(claims, zip(score, label, complete, recall, strict=True), strict=True)
    ]


def the_whole_way(checker: Checker, claims: Sequence[Claim]) -> list[Prediction]:
    """Verify claims as `feverfew verify --format hover` does."""
    found: list[Prediction] = []
    for start in range(0, len(claims), _BATCH):
        found += predict(checker, claims[start : start + _BATCH], "hover")
    return found


def timed(checker: Checker, claims: Sequence[Claim]) -> dict[str, Any]:
    """Check claims of four pages one by one, as `feverfew check --hops` does."""
    clocks, processors = [], []
    checker.check([_FIRST])
    for claim in [claim for claim in claims if claim.hops == max(HOPS)][:_TIMED]:
        clock, processor = time.perf_counter(), time.process_time()
        checker.check([claim.text])
        clocks.append(time.perf_counter() - clock)
        processors.append(time.process_time() - processor)
    return {"clock": latency(clocks or [0.0]), "processor": latency(processors or [0.0])}


def calibration(claims: Sequence[Claim], predictions: Sequence[Prediction]) -> dict[str, float]:
    """Say how far probabilities of support are from the truth (ECE, ten bins), labels balanced."""
    said = np.array([(p.probabilities or {})[Verdict.SUPPORTED] for p in predictions])
    true = np.array([c.label is Verdict.SUPPORTED for c in claims])
    weight = np.where(true, 0.5 / max(true.sum(), 1), 0.5 / max((~true).sum(), 1))
    bins = np.minimum((said * 10).astype(int), 9)
    gaps = [abs((weight * (said - true))[bins == at].sum()) for at in range(10)]
    order = said[true][:, None] - said[~true][None, :]
    above = float(((order > 0) + (order == 0) / 2).mean()) if order.size else 0.5
    return {"ece": float(sum(gaps)), "area_under_the_curve": above}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=Path, required=True, help="HoVer's claims")
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument(
        "--limit", type=int, default=500, help="ask no more claims, drawn with a fixed seed"
    )
    parser.add_argument("--json", type=Path, default=RESULTS / "chains.json")
    parser.add_argument(
        "--only-time", action="store_true", help="measure the time anew, on a quiet machine"
    )
    given = parser.parse_args()
    asked = [claim for claim in hover_claims(given.claims) if is_test(claim.question)]
    whole = len(asked)
    random.Random(1).shuffle(asked)
    asked = asked[: given.limit]
    system = system_facts()
    judge = Judge.open()
    corpus = Corpus.open(given.corpus)
    chains = ChainWeights.open().judge(judge)
    claims = [gold(claim, corpus) for claim in asked]
    hopping, plain = Checker(corpus, judge, hops=True), Checker(corpus, judge)
    # First of all: later, the pages of these claims would be known.
    seconds = msgspec.to_builtins(timed(hopping, claims))
    if given.only_time:
        before = msgspec.json.decode(given.json.read_bytes())
        if before["model"] != hopping.fingerprint:
            raise SystemExit(f"chains: {given.json} is of another model; measure all of it")
        finish(before | {"system": system, "seconds": seconds}, given.json)
        return
    given_gold = with_gold(asked, corpus, judge, chains)
    said, other = the_whole_way(hopping, claims), the_whole_way(plain, claims)
    results: dict[str, Any] = msgspec.to_builtins(
        {
            "system": system,
            "nice": os.nice(0),
            "pages": len(corpus),
            "model": hopping.fingerprint,
            "claims": len(asked),
            "of": whole,
            "questions": len({claim.question for claim in asked}),
            "with_gold": {name: by_hops(seen) for name, seen in given_gold.items()},
            "whole": {
                "chains": by_hops(scored(claims, said)),
                "ranked": by_hops(scored(claims, other)),
            },
            "calibration": calibration(claims, said),
            "seconds": seconds,
        }
    )
    finish(results, given.json)


def finish(results: dict[str, Any], path: Path) -> None:
    """Judge what was measured, keep it and print it."""
    results["musts"] = msgspec.to_builtins(chain_musts(results))
    path.write_bytes(msgspec.json.format(msgspec.json.encode(results), indent=1) + b"\n")
    say(results)


def say(results: dict[str, Any]) -> None:
    """Print what was measured."""
    for kind in ("with_gold", "whole"):
        for name, parts in results[kind].items():
            for part, found in parts.items():
                measured = {k: v for k, v in found.items() if isinstance(v, dict)}
                print(f"{kind:<10}{name:<8}{part:<4}{found['claims']:>5} claims", *(
                    f"{k} {100 * v['value']:.1f} ({100 * v['low']:.1f}–{100 * v['high']:.1f})"
                    for k, v in measured.items()
                ))  # fmt: skip
    print("calibration", results["calibration"])
    print_musts(results["musts"])


if __name__ == "__main__":
    main()
