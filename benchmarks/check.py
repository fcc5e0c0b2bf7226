"""Measure the checker: python benchmarks/check.py --data DIR --corpus DIR [--torch RUN/best].

DIR holds `fever/dev.jsonl.gz`, `fever/train_claims.jsonl.gz` and `fever/train_pairs.jsonl.gz`; the
corpus is built from `wiki/intros.jsonl.xz`. Measured are claims with `exact` on no page
that training used, the part that is not for tuning (`feverfew.lab.train.splits`). Intervals redraw
claims by page. `--torch` names the fp32 weights behind the shipped ones, for the plain way: every
sentence of the top pages through the encoder, one at a time.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

import msgspec

from feverfew.check import Checker
from feverfew.check.verify import predict, verify
from feverfew.corpus import Corpus
from feverfew.judge import VERDICTS, Judgement
from feverfew.judge.judge import PIECES, pieces_of
from feverfew.lab.train.splits import Development, development
from feverfew.readers.files import open_bytes
from feverfew.score import bootstrap, fever_score
from feverfew.score.calibration import Answer, calibration
from feverfew.types import Claim, Kind, Prediction, Verdict
from measure import latency, run_measured, system_facts, tree_memory
from musts import check_musts
from tables import RESULTS, print_musts, write_docs

CLAIMS = (
    "Fritz Lang directed Metropolis.",
    "Fritz Lang was born in 1975.",
    "The director of Metropolis was born in Vienna.",
)
"""Of the sample, for a cold start."""
MAIN = "from feverfew.cli.main import main; main()"


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with open_bytes(path) as lines:
        yield from map(msgspec.json.decode, lines)


def interval(value: float, around: Any) -> dict[str, float]:
    return {"value": value, "low": around.low, "high": around.high}


def pipeline(claims: Sequence[Claim], said: Sequence[Prediction]) -> dict[str, Any]:
    """Score predictions: sentences, labels, both, and whether probabilities mean what they say."""
    sheet = fever_score(claims, said)
    means, around = sheet.means(), bootstrap(sheet, samples=4_000)
    answers = [
        Answer(claim.label or Verdict.NOT_ENOUGH_INFO, p.label, p.probabilities or {})
        for claim, p in zip(claims, said, strict=True)
    ]
    confusion = {gold: dict.fromkeys(VERDICTS, 0) for gold in VERDICTS}
    for answer in answers:
        confusion[answer.gold][answer.predicted] += 1
    return {
        "claims": len(claims),
        "fever_score": interval(means["fever_score"], around["fever_score"]),
        "label_accuracy": interval(means["label_accuracy"], around["label_accuracy"]),
        "top_5_sentences": interval(means["recall"], around["recall"]),
        "ece": calibration(answers).ece,
        "confusion": confusion,
    }


def with_gold(
    checker: Checker, claims: Sequence[Claim], corpus: Corpus, *, alike: bool
) -> list[Judgement]:
    """Judge by the smallest gold set; open claims by what was found.

    `alike` keeps as many pieces for open claims as gold sets have: more might give them away.
    """
    judged: list[Judgement] = []
    every = [len(min(c.evidence, key=len)) for c in claims if c.evidence]
    sizes = cycle(every if alike else [PIECES])
    for start in range(0, len(claims), 64):
        group = claims[start : start + 64]
        still_open = [claim.text for claim in group if not claim.evidence]
        found = iter(checker.choose(still_open, sentences_only=True))
        pieces = [
            [(ref.page, sentence(corpus, ref)) for ref in min(claim.evidence, key=len)]
            if claim.evidence
            else pieces_of(next(found).evidence[: next(sizes)])
            for claim in group
        ]
        judged += checker.judge.judge([claim.text for claim in group], pieces)
    return judged


def sentence(corpus: Corpus, ref: Any) -> str:
    found = (s.text for s in corpus.page(ref.page).sentences if (s.index,) == ref.position)
    return next(found, "")


def one_at_a_time(checker: Checker, claims: Sequence[str]) -> list[float]:
    """Check claims one by one; return the seconds of each."""
    checker.check(claims[:3])
    seconds = []
    for claim in claims:
        start = time.perf_counter()
        checker.check([claim])
        seconds.append(time.perf_counter() - start)
    return seconds


def plain_way(folder: Path, corpus: Corpus, claims: Sequence[Claim]) -> list[Prediction]:
    """Check claims as one would at first: fp32 torch, every sentence of the top pages."""
    import torch

    from feverfew.lab.train.encoder import Verifier, collate
    from feverfew.lab.train.pairs import UNKNOWN, Pair
    from feverfew.models.inputs import linearise, open_tokeniser
    from feverfew.retrieve import Ranked
    from feverfew.select import PAGES

    model, tokeniser = Verifier.start(folder, 0).eval(), open_tokeniser(folder)
    retriever = Ranked.open(corpus)

    @torch.inference_mode()
    def ask(pairs: list[tuple[str, str]]) -> tuple[Any, Any]:
        # Pairs of near length share a batch: padding would slow the rival down unfairly.
        order = sorted(range(len(pairs)), key=lambda i: len(pairs[i][1]))
        verdicts, matters = torch.zeros(len(pairs), 3), torch.zeros(len(pairs))
        for start in range(0, len(order), 8):
            group = order[start : start + 8]
            asked = [Pair(*pairs[i], UNKNOWN, UNKNOWN) for i in group]
            verdicts[group], matters[group] = model(collate(asked, tokeniser))
        return verdicts, matters

    said = []
    for claim in claims:
        pages = retriever.retrieve([claim.text], PAGES)[0]
        pieces = [
            (element, candidate.title, text)
            for candidate in pages
            for element, text in corpus.page(candidate.title).elements()
            if element.kind is Kind.SENTENCE and text
        ]
        if not pieces:
            said.append(Prediction(id=claim.id, label=Verdict.NOT_ENOUGH_INFO))
            continue
        _, matters = ask([(claim.text, linearise([(title, t)])) for _, title, t in pieces])
        best = matters.argsort(descending=True)[:5].tolist()
        verdict, _ = ask([(claim.text, linearise([pieces[i][1:] for i in best]))])
        label = VERDICTS[int(verdict.argmax())]
        said.append(
            Prediction(id=claim.id, label=label, evidence=tuple(pieces[i][0] for i in best))
        )
    return said


def against_plain(
    given: argparse.Namespace, corpus: Corpus, checker: Checker, claims: Sequence[Claim]
) -> dict[str, Any]:
    """Measure both ways on the same claims, one after the other."""
    found: dict[str, Any] = {}
    for name, way in (
        ("plain", lambda: plain_way(given.torch, corpus, claims)),
        ("feverfew", lambda: predict(checker, claims, "fever")),
    ):
        start = time.perf_counter()
        said = way()
        seconds = time.perf_counter() - start
        found[name] = {
            "claims_a_second": len(claims) / seconds,
            "fever_score": fever_score(claims, said).means()["fever_score"],
        }
    return found


def label_predictions(claims: Sequence[Claim], judged: Sequence[Judgement]) -> list[Prediction]:
    return [
        Prediction(
            id=claim.id,
            label=said.verdict,
            evidence=claim.evidence[0] if claim.evidence else (),
            probabilities=dict(zip(VERDICTS, said.probabilities, strict=True)),
        )
        for claim, said in zip(claims, judged, strict=True)
    ]


def cold(model: Path | None) -> dict[str, float]:
    """Start `feverfew check` anew, several times; return the median seconds and most memory."""
    command = [sys.executable, "-c", MAIN, "check", "--json"]
    command += ["--model", str(model)] if model else []
    runs = [run_measured([*command, claim]) for claim in CLAIMS * 2]
    return {
        "seconds": statistics.median(run.wall for run in runs),
        "peak_private": max(run.peak_private for run in runs),
    }


def quality(given: argparse.Namespace, checker: Checker, asked: Development) -> dict[str, Any]:
    """Measure what does not depend on the clock."""
    claims = asked.report[: given.sample]
    said = list(verify(claims, given.corpus, model=given.model))
    gold = {
        name: label_predictions(claims, with_gold(checker, claims, checker.corpus, alike=alike))
        for name, alike in (("with_gold", False), ("with_gold_alike", True))
    }
    found: dict[str, Any] = {}
    for name, kept in (("all", {c.id for c in claims}), ("full_pages", asked.full_pages)):
        own = [c for c in claims if c.id in kept]
        found[name] = pipeline(own, [p for p in said if p.id in kept])
        for reading, judged in gold.items():
            scored = pipeline(own, [p for p in judged if p.id in kept])
            found[name][reading] = scored["label_accuracy"]
            found[name][f"{reading}_ece"] = scored["ece"]
            found[name][f"{reading}_confusion"] = scored["confusion"]
    return found


def speed(given: argparse.Namespace, checker: Checker, asked: Development) -> dict[str, Any]:
    """Measure time and memory; nothing else should run."""
    claims = asked.report
    found: dict[str, Any] = {"system": system_facts()}
    found["cold"] = cold(given.model)
    found["timed"] = msgspec.to_builtins(
        latency(one_at_a_time(checker, [c.text for c in claims[: given.timed]]))
    )
    found["private"] = tree_memory(os.getpid())[0]
    if given.torch:
        found["plain"] = against_plain(given, checker.corpus, checker, claims[: given.plain])
    with tempfile.TemporaryDirectory() as folder:
        asking = Path(folder) / "claims.txt"
        asking.write_text("".join(f"{c.text}\n" for c in claims[: given.timed]), "utf-8")
        command = [sys.executable, "-c", MAIN, "verify", str(asking), "-o", f"{folder}/out"]
        command += ["--corpus", str(given.corpus)]
        command += ["--model", str(given.model)] if given.model else []
        run = run_measured(command)
    found["verify"] = {
        "claims_a_second": min(given.timed, len(claims)) / run.wall,
        "peak_private": run.peak_private,
    }
    return found


def _written(results: dict[str, Any]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(results), indent=1) + b"\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--model", type=Path, help="instead of the shipped one")
    parser.add_argument("--torch", type=Path, help="fp32 weights, for the plain way")
    parser.add_argument("--sample", type=int, help="only the first so many claims")
    parser.add_argument("--timed", type=int, default=300, help="claims checked one at a time")
    parser.add_argument("--plain", type=int, default=150, help="claims checked the plain way")
    parser.add_argument(
        "--only",
        choices=("quality", "speed"),
        help="renew only these figures of the result file",
    )
    parser.add_argument("--json", type=Path, default=RESULTS / "check.json")
    parser.add_argument("--write-docs", action="store_true")
    given = parser.parse_args()
    checker = Checker.open(given.corpus, given.model)
    asked = development(given.data, checker.corpus)
    results = msgspec.json.decode(given.json.read_bytes()) if given.json.exists() else {}
    if given.only in (None, "speed"):
        results |= speed(given, checker, asked)
    if given.only in (None, "quality"):
        results |= quality(given, checker, asked)
    given.json.write_bytes(_written(results))  # whatever the bounds say, it was measured
    if {"all", "timed"} <= results.keys():
        results["musts"] = msgspec.to_builtins(check_musts(results))
        print_musts(results["musts"])
        given.json.write_bytes(_written(results))
    if given.write_docs:
        write_docs()


if __name__ == "__main__":
    main()
