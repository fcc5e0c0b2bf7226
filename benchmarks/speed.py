"""Measure the time and memory of checking: python benchmarks/speed.py [--data DIR --corpus DIR].

For the default model and for `--model small`: a cold start of `feverfew check`, opening a checker,
single claims one after the other (of the sample, and of FEVER if DIR and a corpus of its pages are
given), a batch with `feverfew verify` on all cores, and the peak private memory. Each measurement
runs in a process of its own. Linux only; run it on a machine with nothing else to do.
"""

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from feverfew import Checker, read_claims
from feverfew.sample import sample_claims, sample_corpus
from measure import RESULTS, latency, log, read_json, run_measured, system_facts, write_json
from targets import print_targets, speed_targets
from write_docs import speed_table, write_docs

MAIN = "from feverfew.cli.main import main; main()"
COLD = (
    "Fritz Lang directed Metropolis.",
    "Fritz Lang was born in 1975.",
    "The director of Metropolis was born in Vienna.",
)
WARM_UP = 3
MODELS = {"default": None, "small": "small"}


def sample_texts(most: int) -> list[str]:
    claims = [claim.text for path in sample_claims() for claim in read_claims(path)]
    return random.Random(1).sample(claims, min(most, len(claims)))


def fever_texts(data: Path, most: int) -> list[str]:
    claims = [claim.text for claim in read_claims(data / "fever/dev.jsonl.gz", "fever")]
    return random.Random(1).sample(claims, min(most, len(claims)))


def single(checker: Checker, claims: Sequence[str]) -> dict[str, Any]:
    """Check claims one by one."""
    checker.check(claims[:WARM_UP])
    wall, processor = [], []
    for claim in claims:
        clock, busy = time.perf_counter(), time.process_time()
        checker.check([claim])
        wall.append(time.perf_counter() - clock)
        processor.append(time.process_time() - busy)
    times = {"wall": latency(wall), "processor": latency(processor)}
    return {name: msgspec.to_builtins(own) for name, own in times.items()}


def job(model: str | None, corpus: Path | None, claims: Path) -> None:
    """Open a checker and check the claims of a JSON file one by one; print the times."""
    start = time.perf_counter()
    with Checker.open(corpus, model) as checker:
        opened = time.perf_counter() - start
        found = single(checker, msgspec.json.decode(claims.read_bytes(), type=list[str]))
    print(msgspec.json.encode({"open": opened, **found}).decode())


def measure(given: argparse.Namespace, model: str | None, work: Path) -> dict[str, Any]:
    """Measure one model."""
    option = ["--model", model] if model else []
    runs = [
        run_measured([sys.executable, "-c", MAIN, "check", "--json", *option, claim])
        for claim in COLD * 2
    ]
    peaks = [run.peak_private for run in runs]
    found: dict[str, Any] = {
        "cold": {"seconds": statistics.median(run.wall for run in runs)},
        "open": {},
        "single": {},
    }
    sets: dict[str, tuple[list[str], Path | None]] = {"sample": (sample_texts(given.most), None)}
    if given.data and given.corpus:
        sets["fever"] = (fever_texts(given.data, given.most), given.corpus)
    for name, (texts, corpus) in sets.items():
        log(f"{model or 'default'}: {name}, one claim at a time")
        asked = work / "claims.json"
        asked.write_bytes(msgspec.json.encode(texts))
        where = ["--corpus", str(corpus)] if corpus else []
        run = run_measured([sys.executable, __file__, "--job", str(asked), *option, *where])
        found["open"][name] = run.said.pop("open")
        found["single"][name] = run.said
        peaks.append(run.peak_private)
    name, (texts, corpus) = list(sets.items())[-1]
    log(f"{model or 'default'}: {name}, all at once")
    (work / "claims.txt").write_text("".join(f"{text}\n" for text in texts), "utf-8")
    command = [sys.executable, "-c", MAIN, "verify", str(work / "claims.txt"), *option]
    command += ["--corpus", str(corpus or sample_corpus()), "-o", str(work / "out.jsonl")]
    run = run_measured(command)
    (work / "out.jsonl").unlink()
    found["batch"] = {"set": name, "claims_a_second": len(texts) / run.wall}
    return {**found, "peak_private": max(*peaks, run.peak_private)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="with fever/dev.jsonl.gz")
    parser.add_argument("--corpus", type=Path, help="FEVER's pages")
    parser.add_argument("--model", choices=tuple(MODELS), help="measure only this one")
    parser.add_argument("--most", type=int, default=200, help="claims of each set")
    parser.add_argument("--json", type=Path, default=RESULTS / "speed.json")
    parser.add_argument("--write-docs", action="store_true", help="update docs/performance.md")
    parser.add_argument("--job", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.job:
        job(MODELS[given.model or "default"], given.corpus, given.job)
        return
    results = read_json(given.json) or {"models": {}}
    results["system"] = system_facts()
    for name in [given.model] if given.model else MODELS:
        with tempfile.TemporaryDirectory() as folder:
            results["models"][name] = measure(given, MODELS[name], Path(folder))
        write_json(given.json, results)
    print(speed_table(results))
    if "default" in results["models"]:
        print_targets(speed_targets(results))
    if given.write_docs:
        write_docs()


if __name__ == "__main__":
    main()
