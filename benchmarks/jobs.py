"""Jobs that run in their own process: one build, or one series of searches.

Each prints one line of JSON. Times start after the imports; `measure.run_measured` watches what the
whole process costs.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from baselines import Bm25s, ExactTitles, Fts5, read_texts
from feverfew.corpus import Corpus
from feverfew.retrieve import Lexical, Ranked, Retriever, Titles
from measure import latency, one_core

Search = Callable[[Sequence[str], int], list[list[str]]]

WARM_UP = 50


def _titles_of(retriever: Retriever) -> Search:
    return lambda claims, k: [
        [candidate.title for candidate in found] for found in retriever.retrieve(claims, k)
    ]


OPEN: dict[str, Callable[[Path], Search]] = {
    "ranked": lambda path: _titles_of(Ranked.open(Corpus.open(path))),
    "lexical": lambda path: _titles_of(Lexical(Corpus.open(path))),
    "titles": lambda path: _titles_of(Titles(Corpus.open(path))),
    "bm25s": lambda path: Bm25s.open(path, stem=False).search,
    "bm25s-stemmed": lambda path: Bm25s.open(path, stem=True).search,
    "fts5": lambda path: Fts5.open(path).search,
    "exact-titles": lambda path: ExactTitles(t for t, _ in read_texts(path)).search,
}
"""How to open each system as a function from claims to titles."""


def _build_feverfew(source: Path, folder: Path) -> dict[str, Any]:
    from feverfew.corpus.build import build

    start = time.perf_counter()
    summary = build([source], folder)
    return {"pages": summary.pages, "seconds": time.perf_counter() - start}


BUILD: dict[str, Callable[[Path, Path], dict[str, Any]]] = {
    "feverfew": _build_feverfew,
    "bm25s": Bm25s.build,
    "bm25s-scipy": lambda source, folder: Bm25s.build(source, folder, matrix="scipy"),
    "bm25s-stemmed": lambda source, folder: Bm25s.build(source, folder, stem=True),
    "fts5": Fts5.build,
}
"""How to build each index, from one file into one folder."""


def ask(system: str, index: Path, claims: list[str], k: int, answers: Path) -> dict[str, Any]:
    """Open an index and search for one claim after the other on one core; keep the titles."""
    with one_core():
        start = time.perf_counter()
        search = OPEN[system](index)
        opened = time.perf_counter() - start
        search(claims[:1], k)
        first = time.perf_counter() - start
        for claim in claims[:WARM_UP]:
            search([claim], k)
        found: list[list[str]] = []
        seconds: list[float] = []
        for claim in claims:
            start = time.perf_counter()
            found += search([claim], k)
            seconds.append(time.perf_counter() - start)
    answers.write_bytes(msgspec.json.encode(found))
    return {"open": opened, "first": first, "latency": msgspec.to_builtins(latency(seconds))}


def batch(system: str, index: Path, claims: list[str], k: int, workers: int) -> dict[str, Any]:
    """Search for all claims at once, with the worker processes already running."""
    if system == "ranked":
        from feverfew.retrieve import Batch

        with Batch(index, workers=workers) as retriever:
            # Enough claims to start the pool, and to open the corpus in every worker.
            retriever.retrieve((claims * 600)[:600], k)
            start = time.perf_counter()
            retriever.retrieve(claims, k)
            return _throughput(claims, time.perf_counter() - start)
    opened = Bm25s.open(index, stem=system.endswith("stemmed"))
    opened.search(claims[:WARM_UP], k, workers)
    start = time.perf_counter()
    opened.search(claims, k, workers)
    return _throughput(claims, time.perf_counter() - start)


def _throughput(claims: list[str], seconds: float) -> dict[str, Any]:
    return {"seconds": seconds, "claims_per_second": len(claims) / seconds}


def _read(path: Path) -> list[str]:
    return msgspec.json.decode(path.read_bytes(), type=list[str])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    builds = commands.add_parser("build")
    builds.add_argument("system", choices=BUILD)
    builds.add_argument("source", type=Path)
    builds.add_argument("folder", type=Path)
    for name in ("ask", "batch"):
        asks = commands.add_parser(name)
        asks.add_argument("system", choices=OPEN)
        asks.add_argument("index", type=Path)
        asks.add_argument("claims", type=Path, help="a JSON list of strings")
        asks.add_argument("--k", type=int, default=20)
    asks.add_argument("--workers", type=int, default=1)
    commands.choices["ask"].add_argument("--answers", type=Path, required=True)
    given = parser.parse_args()
    if given.command == "build":
        said = BUILD[given.system](given.source, given.folder)
    elif given.command == "ask":
        said = ask(given.system, given.index, _read(given.claims), given.k, given.answers)
    else:
        said = batch(given.system, given.index, _read(given.claims), given.k, given.workers)
    sys.stdout.write(msgspec.json.encode(said).decode() + "\n")


if __name__ == "__main__":
    main()
