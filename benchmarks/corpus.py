"""Compare building and searching with bm25s and SQLite FTS5.

    python benchmarks/corpus.py --data DIR --write-docs

DIR holds wiki/intros.jsonl.xz and three files of fever/. Every build and every series of searches
runs in its own process, and the systems take turns, so that a disturbance affects all of them.
Needs the `bench` extra, Linux, and a machine with nothing else to do.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from baselines import interleave, read_texts
from feverfew.readers.files import open_bytes
from measure import RESULTS, folder_bytes, log, run_job, system_facts, write_json
from quality import DEPTHS, NEEDED, questions, recalls
from targets import corpus_targets, print_targets
from write_docs import write_docs

BUILDS = {
    "feverfew": True,
    "bm25s": True,
    "bm25s-scipy": True,
    "bm25s-stemmed": False,
    "fts5": False,
}
"""What is built; True if it enters a ratio and is repeated in every round."""

ASKED = {
    "ranked": "feverfew",
    "lexical": "feverfew",
    "titles": "feverfew",
    "bm25s": "bm25s",
    "bm25s-stemmed": "bm25s-stemmed",
}
"""The systems that search in every round, and whose index each one opens."""

FTS5_CLAIMS = 500
"""FTS5 takes 80 ms a claim and enters no ratio, so it gets only the first claims."""


def prepare(data: Path, work: Path, pages: int | None) -> Path:
    """Decompress the encyclopedia once; every system reads the same plain file."""
    missing = [name for name in NEEDED if not (data / name).exists()]
    if missing:
        raise SystemExit(
            f"corpus.py needs a data folder with {', '.join(NEEDED)}; "
            f"{data} lacks {', '.join(missing)}. Name another one with --data."
        )
    plain = work / "intros.jsonl"
    with open_bytes(data / NEEDED[0]) as packed, plain.open("wb") as out:
        if pages is None:
            shutil.copyfileobj(packed, out, 1 << 20)
        else:
            for _, line in zip(range(pages), packed, strict=False):
                out.write(line)
    return plain


def build_all(source: Path, work: Path, rounds: int) -> dict[str, Any]:
    """Build with every system in turn; return medians and the single rounds."""
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in BUILDS}
    for number in range(rounds):
        for name, repeated in BUILDS.items():
            if number and not repeated:
                continue
            folder = work / name
            shutil.rmtree(folder, ignore_errors=True)
            run = run_job("build", name, source, folder)
            size = folder_bytes(folder)
            log(f"build {name}: {run.said['seconds']:.1f} s, {run.peak_private / 1e6:,.0f} MB")
            runs[name].append({**msgspec.to_builtins(run), "disk": size})
    return {
        name: {
            "pages": done[0]["said"]["pages"],
            "seconds": median(run["said"]["seconds"] for run in done),
            **{
                figure: median(run[figure] for run in done)
                for figure in ("wall", "cpu", "peak_private", "peak_anonymous", "disk")
            },
            "runs": done,
        }
        for name, done in runs.items()
    }


def ask_all(
    source: Path, work: Path, claims: Path, rounds: int
) -> tuple[dict[str, Any], dict[str, list[list[str]]]]:
    """Search for every claim with every system on one core; return latencies and rankings."""
    runs: dict[str, list[dict[str, Any]]] = {}
    answers: dict[str, list[list[str]]] = {}
    once = {"exact-titles": source, "fts5": work / "fts5"}
    few = work / "few.json"
    few.write_bytes(msgspec.json.encode(msgspec.json.decode(claims.read_bytes())[:FTS5_CLAIMS]))
    every = {name: work / index for name, index in ASKED.items()}
    for number in range(rounds):
        for name, index in (every if number else {**every, **once}).items():
            found = work / "answers.json"
            asked = few if name == "fts5" else claims
            run = run_job("ask", name, index, asked, "--answers", found, "--k", max(DEPTHS))
            log(f"ask {name}: p50 {run.said['latency']['p50']:.3f} ms")
            runs.setdefault(name, []).append({**run.said, "peak_private": run.peak_private})
            answers.setdefault(name, msgspec.json.decode(found.read_bytes()))
    latencies = {
        name: {
            **{f: median(run["latency"][f] for run in done) for f in ("p50", "p95", "mean")},
            "answers": done[0]["latency"]["answers"],
            "peak_private": median(run["peak_private"] for run in done),
            "runs": done,
        }
        for name, done in runs.items()
    }
    answers["interleaved"] = [
        interleave(*pair, max(DEPTHS))
        for pair in zip(answers["exact-titles"], answers["bm25s"], strict=True)
    ]
    return latencies, answers


def batch_all(work: Path, claims: Path, rounds: int) -> dict[str, Any]:
    """Search for all claims at once, on one worker and on two, in turn."""
    found: dict[str, list[float]] = {}
    for _ in range(rounds):
        for name in ("ranked", "bm25s"):
            for workers in (1, 2):
                run = run_job("batch", name, work / ASKED[name], claims, "--workers", workers)
                found.setdefault(f"{name} {workers}", []).append(run.said["claims_per_second"])
                log(f"batch {name} on {workers}: {found[f'{name} {workers}'][-1]:,.0f} claims/s")
    return {name: median(values) for name, values in found.items()}


_FIRST_ANSWER = """
import sys, time
start = time.perf_counter()
from feverfew import Corpus, Ranked
imported = time.perf_counter()
Ranked.open(Corpus.open(sys.argv[1])).retrieve([sys.argv[2]], 5)
done = time.perf_counter()
print(imported - start, done - imported)
"""


def start_all(corpus: Path, claims: list[str], times: int = 10) -> dict[str, float]:
    """Time a fresh interpreter: bare, importing, and with its first answer."""
    codes = {
        "python": "pass",
        "import feverfew": "import feverfew",
        "import for search": "import feverfew; feverfew.Corpus, feverfew.Ranked",
    }
    took: dict[str, list[float]] = {}
    for number in range(times):
        for name, code in codes.items():
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)
            took.setdefault(name, []).append(time.perf_counter() - start)
        command = [sys.executable, "-c", _FIRST_ANSWER, str(corpus), claims[number % len(claims)]]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        imports, answer = map(float, said)
        took.setdefault("open and first answer", []).append(answer)
        took.setdefault("imports, open and first answer", []).append(imports + answer)
    return {name: median(values) for name, values in took.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the data folder")
    parser.add_argument("--rounds", type=int, default=2, help="how often each is measured")
    parser.add_argument("--json", type=Path, default=RESULTS / "corpus.json")
    parser.add_argument("--work", type=Path, help="where temporary files go (3 GB)")
    parser.add_argument("--pages", type=int, help="only the first pages: a trial of the script")
    parser.add_argument("--write-docs", action="store_true", help="renew docs/performance.md")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.work) as folder:
        work = Path(folder)
        system = system_facts()
        source = prepare(given.data, work, given.pages)
        asked = [q for q in questions(given.data) if q.unseen]
        texts = [q.claim.text for q in asked]
        claims = work / "claims.json"
        claims.write_bytes(msgspec.json.encode(texts))
        log(f"{len(asked):,} claims; everything {given.rounds} times")
        results: dict[str, Any] = {
            "system": system,
            "pages": sum(1 for _ in read_texts(source)),
            "bytes": source.stat().st_size,
            "rounds": given.rounds,
            "builds": build_all(source, work, given.rounds),
            "start": start_all(work / "feverfew", texts),
        }
        results["latency"], answers = ask_all(source, work, claims, given.rounds)
        results["batch"] = batch_all(work, claims, given.rounds)
        results["recall"] = msgspec.to_builtins(recalls(asked, answers))
    write_json(given.json, results)
    print_targets(corpus_targets(results))
    if given.write_docs:
        write_docs()


if __name__ == "__main__":
    main()
