"""Measure building and searching at several sizes, on generated encyclopedias.

    python benchmarks/scale.py --sizes 500000 2000000 5400000 --work DIR --write-docs

Needs 1.4 kB of disk for each page, and about as much again for the corpus; both are deleted after
each size. Figures are written after every size, and sizes that are not measured again are kept.
"""

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec

from feverfew.readers.claims import read_claims
from feverfew.score.join import composed
from generate import write
from measure import RESULTS, folder_bytes, log, read_json, run_job, system_facts, write_json
from targets import print_targets, scale_targets
from write_docs import write_docs

ASKED = 500


def measure_size(pages: int, work: Path) -> dict[str, Any]:
    """Generate, build and search; return one row of figures."""
    source, made_claims, corpus = work / "pages.jsonl", work / "claims.jsonl", work / "corpus"
    start = time.perf_counter()
    with source.open("wb") as out, made_claims.open("wb") as claims_out:
        write(pages, out, claims_out)
    generating = time.perf_counter() - start
    size = source.stat().st_size
    log(f"{pages:,} pages generated in {generating:.0f} s")
    build = run_job("build", "feverfew", source, corpus)
    source.unlink()
    log(f"built in {build.said['seconds']:.0f} s, {build.peak_private / 1e9:.2f} GB")
    claims = list(read_claims(made_claims, "fever"))[:ASKED]
    texts, answers = work / "texts.json", work / "answers.json"
    texts.write_bytes(msgspec.json.encode([claim.text for claim in claims]))
    ask = run_job("ask", "ranked", corpus, texts, "--answers", answers)
    log(f"p50 {ask.said['latency']['p50']:.2f} ms, p95 {ask.said['latency']['p95']:.2f} ms")
    found = msgspec.json.decode(answers.read_bytes(), type=list[list[str]])
    return {
        "pages": build.said["pages"],
        "source": size,
        "generating": generating,
        "seconds": build.said["seconds"],
        "rate": build.said["pages"] / build.said["seconds"],
        "cpu": build.cpu,
        "peak_private": build.peak_private,
        "peak_anonymous": build.peak_anonymous,
        "disk": folder_bytes(corpus),
        "open": ask.said["open"],
        "first": ask.said["first"],
        "peak_private_asking": ask.peak_private,
        **ask.said["latency"],
        **{
            f"recall@{k}": sum(
                composed(claim.evidence[0][0].page) in map(composed, titles[:k])
                for claim, titles in zip(claims, found, strict=True)
            )
            / len(claims)
            for k in (1, 5)
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[500_000, 2_000_000, 5_400_000])
    parser.add_argument("--work", type=Path, help="where temporary files go")
    parser.add_argument("--json", type=Path, default=RESULTS / "scale.json")
    parser.add_argument("--write-docs", action="store_true", help="renew docs/performance.md")
    given = parser.parse_args()
    rows = {row["pages"]: row for row in (read_json(given.json) or {"sizes": []})["sizes"]}
    for pages in given.sizes:
        rows.pop(pages, None)
        system = system_facts()
        with tempfile.TemporaryDirectory(dir=given.work) as folder:
            row = {**measure_size(pages, Path(folder)), "system": system}
        rows[row["pages"]] = row
        sizes = [rows[size] for size in sorted(rows)]
        write_json(given.json, {"sizes": sizes})
    print_targets(scale_targets(sizes))
    if given.write_docs:
        write_docs()


if __name__ == "__main__":
    main()
