"""Measure shards and workers on a generated encyclopedia: does it cost more, does it find the same?

    python benchmarks/cluster.py --pages 5400000 --shards 1 8 --workers 1 ray --work DIR

Needs 1.4 kB of disk for each page, and as much again for each corpus; all is deleted at the end.
Processor seconds count those of the command and of the children that it waited for; a Ray cluster's
are not among them, so that wall time is given too.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from feverfew.corpus import Corpus
from feverfew.readers.claims import read_claims
from feverfew.text import words
from generate import write
from measure import RESULTS, folder_bytes, latency, log, run_measured, system_facts, write_json

ASKED, DEPTH = 300, 10
COMMAND = "from feverfew.cli.main import main; main()"


def measure(source: Path, claims: list[str], corpus: Path, shards: int, workers: str) -> Any:
    """Build a corpus and ask it; return one row of figures, and what was found."""
    options = ["--json", "--rebuild", "--shards", str(shards), "--workers", workers]
    command = [sys.executable, "-c", COMMAND, "index", str(source), "-o", str(corpus)]
    run = run_measured([*command, *options])
    start = time.perf_counter()
    with Corpus.open(corpus) as opened:
        opening = time.perf_counter() - start
        found, times = [], []
        for claim in claims:
            start = time.perf_counter()
            hits = opened.text.search(words(claim), DEPTH)
            times.append(time.perf_counter() - start)
            found.append([(number, round(score, 3)) for number, score in hits])
        fingerprint = opened.fingerprint
    row = {
        "shards": shards,
        "workers": workers,
        "pages": run.said["pages"],
        "seconds": run.wall,
        "cpu": run.cpu,
        "peak_private": run.peak_private,
        "disk": folder_bytes(corpus),
        "open": 1e3 * opening,
        "p50": latency(times).p50,
        "p95": latency(times).p95,
        "fingerprint": fingerprint,
    }
    return row, found


def above_last(hits: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """Leave out the hits that score as the last one does: of such, any may be listed."""
    return [hit for hit in hits if hit[1] > hits[-1][1]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=540_000)
    parser.add_argument("--shards", type=int, nargs="+", default=[1, 8])
    parser.add_argument("--workers", nargs="+", default=["1"])
    parser.add_argument("--work", type=Path, help="where temporary files go")
    parser.add_argument("--json", type=Path, default=RESULTS / "cluster.json")
    given = parser.parse_args()
    rows: list[dict[str, Any]] = []
    first: list[Any] = []
    with tempfile.TemporaryDirectory(dir=given.work) as folder:
        source, made = Path(folder) / "pages.jsonl", Path(folder) / "claims.jsonl"
        with source.open("wb") as out, made.open("wb") as claims_out:
            write(given.pages, out, claims_out)
        claims = [claim.text for claim in read_claims(made, "fever")][:ASKED]
        for workers in given.workers:
            for shards in given.shards:
                corpus = Path(folder) / "corpus"
                row, found = measure(source, claims, corpus, shards, workers)
                first = first or found
                pairs = list(zip(first, found, strict=True))
                same = sum(one == other for one, other in pairs) / len(pairs)
                tied = sum(above_last(one) == above_last(other) for one, other in pairs)
                rows.append({**row, "same": same, "same_but_for_ties": tied / len(pairs)})
                log(
                    f"{shards} shards, workers {workers}: {row['seconds']:.0f} s, "
                    f"{row['cpu']:.0f} s of processor; p50 {row['p50']:.2f} ms, "
                    f"p95 {row['p95']:.2f} ms; answers as in the first row: {same:.1%}, "
                    f"but for ties at the end {tied / len(pairs):.1%}"
                )
    write_json(given.json, {"rows": rows, "system": system_facts()})


if __name__ == "__main__":
    main()
