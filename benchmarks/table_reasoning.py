"""Measure tables as evidence: python benchmarks/table_reasoning.py --data DIR.

DIR holds `tables/` (TabFact, FeTaQA) and `wiki/tables.jsonl.gz`. Reported are only tables and
pages that training never saw (`lab.train.tablesets` splits them); intervals redraw statements
by table, sentences by page. The baselines run on the same claims.
"""

import argparse
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from feverfew.lab.train.tableranker import fetaqa_key, read_tables
from feverfew.lab.train.tablesets import TabFact, read_fetaqa, read_tabfact
from feverfew.tables.evidence import CELLS, FEATURES, Cells, cell_features
from feverfew.tables.execute import Runner
from feverfew.tables.programs import STATEMENT, Scorer, try_programs
from feverfew.tables.search import Tables
from feverfew.tables.view import TableView
from measure import system_facts
from table_musts import table_musts
from tables import RESULTS, print_musts, write_docs

SAMPLES = 4000


def interval(values: Sequence[float], groups: Sequence[str]) -> dict[str, float]:
    """Average values, and say where the mean lies when groups are redrawn."""
    numbers: dict[str, int] = {}
    at = np.array([numbers.setdefault(group, len(numbers)) for group in groups])
    sums = np.bincount(at, values)
    counts = np.bincount(at)
    draws = np.random.default_rng(0).multinomial(
        len(counts), np.full(len(counts), 1 / len(counts)), SAMPLES
    )
    low, high = np.quantile((draws @ sums) / (draws @ counts), [0.025, 0.975])
    return {"value": float(np.mean(values)), "low": float(low), "high": float(high)}


def statements(data: TabFact, limit: int | None) -> dict[str, Any]:
    """Judge TabFact's statements: ours, the majority, and overlap with the best row alone."""
    chosen = data.reported[:limit]
    views = data.views(chosen)
    scorer = Scorer.shipped()
    groups = [one.table for one in chosen]
    ours, asks, shares, covers = [], [], [], []
    start = time.process_time()
    for one in chosen:
        tried = try_programs(one.text, views[one.table])
        share = scorer.score(tried.programs, tried.statement)[0]
        ours.append(float((share > 0.5) == bool(one.label)))
        shares.append(share)
        covers.append(float(tried.statement[STATEMENT.index("row_covers")]))
        asks.append(any(tried.links.triggers.has(name) for name in _OPERATIONS))
    spent = time.process_time() - start
    labels = [one.label for one in chosen]
    most = float(sum(labels) * 2 >= len(labels))
    # The overlap's threshold is fitted on statements that are not reported.
    fitted = random.Random(0).sample(data.training, min(1500, len(data.training)))
    learned = data.views(fitted)
    seen = [
        float(try_programs(one.text, learned[one.table]).statement[STATEMENT.index("row_covers")])
        for one in fitted
    ]
    cut = max(
        np.quantile(seen, np.linspace(0.02, 0.98, 49)),
        key=lambda c: sum((s >= c) == bool(o.label) for s, o in zip(seen, fitted, strict=True)),
    )
    kinds = (("words ask for an operation", True), ("no such word", False))
    return {
        "statements": len(chosen),
        "tables": len(set(groups)),
        "systems": {
            "programs": interval(ours, groups),
            "overlap with the best row": interval(
                [float((c >= cut) == bool(y)) for c, y in zip(covers, labels, strict=True)], groups
            ),
            "majority": interval([float(y == most) for y in labels], groups),
        },
        "slices": {
            name: interval(
                [o for o, own in zip(ours, asks, strict=True) if own is wanted],
                [g for g, own in zip(groups, asks, strict=True) if own is wanted],
            )
            | {"statements": sum(own is wanted for own in asks)}
            for name, wanted in kinds
        },
        "ece": ece(shares, labels),
        "milliseconds": 1e3 * spent / len(chosen),
    }


_OPERATIONS = ("large", "small", "more", "less", "mean", "sum", "only", "all", "none", "majority")


def ece(shares: Sequence[float], labels: Sequence[int]) -> float:
    """Return the calibration error of the likelier answer, in ten bins."""
    sure = np.array([max(s, 1 - s) for s in shares])
    right = np.array([(s > 0.5) == bool(y) for s, y in zip(shares, labels, strict=True)])
    bins = np.minimum((sure * 10).astype(int), 9)
    return float(
        sum(
            abs(sure[bins == b].mean() - right[bins == b].mean()) * (bins == b).mean()
            for b in set(bins.tolist())
        )
    )


def cells(data: Path) -> dict[str, Any]:
    """Choose the cells of FeTaQA's sentences: the share of the highlighted ones within 25."""
    answers = read_fetaqa(data).reported
    chooser = Cells.open()
    groups = [answer.page for answer in answers]
    ours, overlap = [], []
    start = time.process_time()
    for answer in answers:
        chosen = chooser.choose([answer.text], [answer.view()])[0]
        ours.append(len({(c.row, c.column) for c in chosen} & answer.gold) / len(answer.gold))
    spent = time.process_time() - start
    for answer in answers:
        places, rows = cell_features(answer.text, answer.view())
        weight = rows[:, FEATURES.index("cell_weight")]
        best = np.argsort(-weight, kind="stable")[:CELLS]
        overlap.append(len({places[at] for at in best} & answer.gold) / len(answer.gold))
    return {
        "sentences": len(answers),
        "systems": {
            "network": interval(ours, groups),
            "shared words": interval(overlap, groups),
        },
        "milliseconds": 1e3 * spent / len(answers),
    }


def found(data: Path, tabfact: TabFact, limit: int) -> dict[str, Any]:
    """Find the right table among all: for FeTaQA's sentences and TabFact's statements."""
    entries = list(read_tables(data))
    index = Tables.of(entries)
    asked = {
        "FeTaQA": [
            (answer.text, fetaqa_key(answer.page, answer.section, answer.rows), answer.page)
            for answer in read_fetaqa(data / "tables").reported
        ],
        "TabFact": [(one.text, one.table, one.table) for one in tabfact.reported],
    }
    results: dict[str, Any] = {"tables": len(entries), "sets": {}}
    for name, questions in asked.items():
        drawn = random.Random(0).sample(questions, min(limit, len(questions)))
        groups = [group for _, _, group in drawn]
        start = time.process_time()
        right: dict[str, list[float]] = {"network": [], "shared words": []}
        for text, key, _ in drawn:
            # What is described comes in the order of the baseline: by shared rare words.
            numbers, rows = index.describe(text)
            ranked = [one.key for one in index.ranked(numbers, rows, 3)]
            right["network"].append(float(key in ranked))
            plain = [entries[number].key for number in numbers[:3]]
            right["shared words"].append(float(key in plain))
        spent = time.process_time() - start
        systems = {system: interval(own, groups) for system, own in right.items()}
        results["sets"][name] = {
            "claims": len(drawn),
            "systems": systems,
            "milliseconds": 1e3 * spent / len(drawn),
        }
    return results


def speed() -> dict[str, float]:
    """Time a table of 1,000 × 40: its view, and the programs of a claim."""
    chance = random.Random(1)
    rows = [[f"measure {c}" for c in range(40)]]
    rows += [
        [f"name {r}", chance.choice(("won", "lost"))]
        + [f"{chance.random():.3f}" for _ in range(38)]
        for r in range(1000)
    ]
    claim = "name 7 won more than 3 times and has the highest measure 5, above name 9 by 2"
    start = time.process_time()
    view = TableView.of_rows(rows)
    tried = try_programs(claim, view)
    first = time.process_time() - start
    whole, run = [], []
    for _ in range(20):
        start = time.process_time()
        try_programs(claim, view)
        whole.append(time.process_time() - start)
        runner = Runner(view)
        start = time.process_time()
        for one in tried.candidates:
            runner.run(one.program)
        run.append(time.process_time() - start)
    return {
        "programs": len(tried.candidates),
        "first_ms": 1e3 * first,
        "claim_ms": 1e3 * float(np.median(whole)),
        "run_ms": 1e3 * float(np.median(run)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--json", type=Path, default=RESULTS / "table_reasoning.json")
    parser.add_argument("--limit", type=int, help="only so many statements, for a quick try")
    parser.add_argument("--searched", type=int, default=500, help="claims of each set to search")
    parser.add_argument("--write-docs", action="store_true")
    given = parser.parse_args()
    system = system_facts()
    tabfact = read_tabfact(given.data / "tables")
    results: dict[str, Any] = {"system": system}
    results["statements"] = statements(tabfact, given.limit)
    results["cells"] = cells(given.data / "tables")
    results["speed"] = speed()
    results["found"] = found(given.data, tabfact, given.searched)
    results["musts"] = [msgspec.to_builtins(must) for must in table_musts(results)]
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_bytes(msgspec.json.format(msgspec.json.encode(results), indent=1) + b"\n")
    print_musts(results["musts"])
    if given.write_docs:
        write_docs()


if __name__ == "__main__":
    main()
