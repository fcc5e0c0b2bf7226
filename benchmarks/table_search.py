"""Measure finding tables in a corpus: python benchmarks/table_search.py --data DIR --corpus DIR.

DIR holds `tables/` (TabFact, FeTaQA) and `wiki/tables.jsonl.gz`. A corpus of all their tables, on
their pages (with an introduction where the set has one), is built in `--corpus` if it is not there.
Asked are claims whose tables and pages training did not use.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from feverfew.corpus import Corpus
from feverfew.corpus.build import build
from feverfew.corpus.tables import TableEntry
from feverfew.lab.train.datasets import read_fetaqa, read_rows, read_tabfact
from feverfew.lab.train.rankers import fetaqa_key, read_tables
from feverfew.retrieve import Ranked
from feverfew.tables.search import PAGES, CorpusTables
from feverfew.text import title_key
from measure import RESULTS, interval, system_facts, write_json
from outcomes import draw
from targets import print_targets, search_targets
from write_docs import write_docs

TOP = 3
Keys = dict[str, tuple[str, int]]
"""Where each table is: its page, and its number there."""


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


def asked(data: Path, most: int) -> dict[str, list[tuple[str, str, str]]]:
    """Draw claims: the text, the table's name, and the group that intervals redraw."""
    answers, tabfact = read_fetaqa(data / "tables"), read_tabfact(data / "tables")
    claims = {
        "FeTaQA": [
            (one.text, fetaqa_key(one.page, one.section, one.rows), one.page)
            for one in answers.reported
        ],
        "TabFact": [(one.text, one.table, one.table) for one in tabfact.reported],
    }
    return {name: draw(own, most, lambda claim: claim[2]) for name, own in claims.items()}


def measured(corpus: Corpus, keys: Keys, claims: Sequence[tuple[str, str, str]]) -> dict[str, Any]:
    """Find the right table among all, with and without page search."""
    tables, retriever = CorpusTables.open(corpus), Ranked.open(corpus)
    right: dict[str, list[float]] = {"fused": [], "tables alone": [], "its page among 5": []}
    start = time.process_time()
    for text, key, _ in claims:
        title, place = keys[key]
        pages = retriever.retrieve([text], PAGES)[0]
        for name, near in (("fused", pages), ("tables alone", [])):
            hits = tables.find([text], [[page.number for page in near]], TOP)[0]
            places = [(hit.page.title, hit.table.index) for hit in hits]
            right[name].append(float((title, place) in places))
        right["its page among 5"].append(float(title in [page.title for page in pages]))
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
    parser.add_argument("--corpus", type=Path, required=True, help="built if it is not there")
    parser.add_argument("--most", type=int, default=300, help="claims of each set")
    parser.add_argument("--json", type=Path, default=RESULTS / "table_search.json")
    parser.add_argument("--write-docs", action="store_true", help="update docs/performance.md")
    given = parser.parse_args()
    pages, keys = pages_of(given.data)
    if not given.corpus.exists():
        source = given.corpus.with_suffix(".jsonl")
        with source.open("wb") as out:
            out.writelines(written(given.data, pages))
        build([source], given.corpus, workers=0)
    results: dict[str, Any] = {"system": system_facts()}
    with Corpus.open(given.corpus) as corpus:
        results["pages"], results["tables"] = len(corpus), len(keys)
        results["sets"] = {
            name: measured(corpus, keys, own) for name, own in asked(given.data, given.most).items()
        }
    write_json(given.json, results)
    print_targets(search_targets(results))
    if given.write_docs:
        write_docs()


if __name__ == "__main__":
    main()
