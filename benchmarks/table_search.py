"""Measure the search for tables in a corpus: python benchmarks/table_search.py --data DIR.

DIR holds `tables/` (TabFact, FeTaQA) and `wiki/tables.jsonl.gz`. All their tables, on their pages
(with an introduction where the set has one), are made into a corpus in `--corpus`, or taken from
there. Asked are claims whose tables and pages training never saw; with `--part training`, those
that the weight of page search was chosen on.
"""

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from feverfew.corpus import Corpus
from feverfew.corpus.build import build
from feverfew.corpus.tables import TableEntry
from feverfew.lab.train.tableranker import fetaqa_key, read_tables
from feverfew.lab.train.tablesets import read_fetaqa, read_rows, read_tabfact
from feverfew.models.network import Network
from feverfew.retrieve import Candidate, Ranked
from feverfew.tables.search import FEATURES, PAGES, CorpusTables
from feverfew.text import title_key
from measure import system_facts
from table_reasoning import interval
from tables import RESULTS, write_docs

TOP = 3
STARTS = (0.0, 0.5, 1.0, 2.0, 3.0, 5.0)
Keys = dict[str, tuple[str, int]]
"""Where each table stands: its page, and its number there."""


def pages_of(data: Path) -> tuple[dict[str, list[TableEntry]], Keys]:
    """Gather the tables of each page."""
    pages: dict[str, list[TableEntry]] = {}
    keys: Keys = {}
    for entry in read_tables(data):
        title = title_key(entry.page) or entry.key
        own = pages.setdefault(title, [])
        keys[entry.key] = (title, len(own))
        own.append(entry)
    return pages, keys


def written(data: Path, pages: dict[str, list[TableEntry]]) -> Iterator[bytes]:
    """Write pages as FEVEROUS does."""
    rows = read_rows(data / "wiki/tables.jsonl.gz")
    intros = {title_key(row["title"]): row.get("intro") or "" for row in rows}
    for title, entries in pages.items():
        page: dict[str, Any] = {"title": title, "order": []}
        if intro := intros.get(title):
            page["sentence_0"] = " ".join(intro.split())
            page["order"].append("sentence_0")
        for at, entry in enumerate(entries):
            lines = [[(text, True) for text in entry.header]]
            lines += [[(text, False) for text in row] for row in entry.rows]
            cells = [
                [
                    {"id": f"{'header_' * head}cell_{at}_{r}_{c}", "value": text, "is_header": head}
                    for c, (text, head) in enumerate(line)
                ]
                for r, line in enumerate(lines)
            ]
            page[f"section_{at}"] = {"value": entry.section, "level": 2}
            page[f"table_{at}"] = {"type": "table", "table": cells}
            page["order"] += [f"section_{at}", f"table_{at}"]
        yield msgspec.json.encode(page) + b"\n"


def asked(data: Path, part: str, limit: int) -> dict[str, list[tuple[str, str, str]]]:
    """Draw claims: text, the table's name, and what intervals redraw."""
    answers, tabfact = read_fetaqa(data / "tables"), read_tabfact(data / "tables")
    drawn = {
        "FeTaQA": [
            (one.text, fetaqa_key(one.page, one.section, one.rows), one.page)
            for one in getattr(answers, part)
        ],
        "TabFact": [(one.text, one.table, one.table) for one in getattr(tabfact, part)],
    }
    chance = random.Random(0)
    return {name: chance.sample(own, min(limit, len(own))) for name, own in drawn.items()}


def ranked(
    tables: CorpusTables, claim: str, pages: Sequence[Candidate], starts: Sequence[float]
) -> list[list[tuple[str, int]]]:
    """Return the best tables for each weight of the page's rank, from one look."""
    hits = tables.find([claim], [pages], 10_000)[0]
    ranks = {candidate.title: rank for rank, candidate in enumerate(pages[:PAGES])}
    found = []
    for start in starts:
        lifted = [
            (
                hit.score + (start / (1 + ranks[hit.page.title]) if hit.page.title in ranks else 0),
                hit,
            )
            for hit in hits
        ]
        lifted.sort(key=lambda pair: -pair[0])
        found.append([(hit.page.title, hit.place) for _, hit in lifted[:TOP]])
    return found


def measured(
    corpus: Corpus, keys: Keys, claims: Sequence[tuple[str, str, str]], shipped: float
) -> dict[str, Any]:
    """Find the right table among all, by three systems and by several weights."""
    tables = CorpusTables(corpus, Network.shipped("tables", FEATURES, "table_ranker.json"), 0.0)
    retriever = Ranked.open(corpus)
    right: dict[str, list[float]] = {}
    start = time.process_time()
    for text, key, _ in claims:
        gold = keys[key]
        pages = retriever.retrieve([text], PAGES)[0]
        ways = {f"start {value:g}": value for value in STARTS} | {"fused": shipped}
        for name, best in zip(ways, ranked(tables, text, pages, [*ways.values()]), strict=True):
            right.setdefault(name, []).append(float(gold in best))
        alone = tables.find([text], [[]], TOP)[0]
        right.setdefault("tables alone", []).append(
            float(gold in [(hit.page.title, hit.place) for hit in alone])
        )
        right.setdefault("its page among 5", []).append(
            float(gold[0] in [page.title for page in pages])
        )
    spent = time.process_time() - start
    groups = [group for _, _, group in claims]
    return {
        "claims": len(claims),
        "systems": {name: interval(own, groups) for name, own in right.items()},
        "milliseconds": 1e3 * spent / len(claims),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, required=True, help="made if it is not there")
    parser.add_argument("--part", choices=("reported", "training"), default="reported")
    parser.add_argument("--claims", type=int, default=300, help="of each set")
    parser.add_argument("--json", type=Path, default=RESULTS / "table_search.json")
    parser.add_argument("--write-docs", action="store_true")
    given = parser.parse_args()
    from feverfew.tables.search import START

    pages, keys = pages_of(given.data)
    if not given.corpus.exists():
        source = given.corpus.with_suffix(".jsonl")
        with source.open("wb") as out:
            out.writelines(written(given.data, pages))
        build([source], given.corpus, workers=0)
    results: dict[str, Any] = {"system": system_facts(), "part": given.part, "start": START}
    with Corpus.open(given.corpus) as corpus:
        results["pages"], results["tables"] = len(corpus), len(keys)
        results["sets"] = {
            name: measured(corpus, keys, own, START)
            for name, own in asked(given.data, given.part, given.claims).items()
        }
    given.json.write_bytes(msgspec.json.format(msgspec.json.encode(results), indent=1) + b"\n")
    for name, own in results["sets"].items():
        for system, value in own["systems"].items():
            low, high = 100 * value["low"], 100 * value["high"]
            print(f"{name:8} {system:18} {100 * value['value']:.1f} ({low:.1f}–{high:.1f})")
        print(f"{name:8} {own['milliseconds']:.0f} ms a claim")
    if given.write_docs:
        write_docs()


if __name__ == "__main__":
    main()
