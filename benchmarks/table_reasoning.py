"""Measure programs over tables and the choice of cells:
python benchmarks/table_reasoning.py --data DIR.

DIR holds `tables/` (TabFact, FeTaQA). Reported are only tables and pages that training did not use
(`lab.train.datasets` splits them). Intervals redraw statements by table, sentences by page. The
baselines run on the same claims.
"""

import argparse
import random
import time
from pathlib import Path
from typing import Any

import numpy as np

from feverfew.lab.train.datasets import TabFact, read_fetaqa, read_tabfact
from feverfew.tables.evidence import CELLS, FEATURES, Cells, cell_features
from feverfew.tables.execute import Runner
from feverfew.tables.programs import STATEMENT, Scorer, try_programs
from feverfew.tables.view import TableView
from measure import RESULTS, ece, interval, system_facts, write_json
from outcomes import draw
from targets import print_targets, table_targets
from write_docs import write_docs


def statements(data: TabFact, most: int) -> dict[str, Any]:
    """Judge TabFact's statements by programs, by the majority, and by overlap with a row."""
    chosen = draw(data.reported, most, lambda statement: statement.table)
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
        "ece": ece([max(share, 1 - share) for share in shares], ours),
        "milliseconds": 1e3 * spent / len(chosen),
    }


_OPERATIONS = ("large", "small", "more", "less", "mean", "sum", "only", "all", "none", "majority")


def cells(data: Path, most: int) -> dict[str, Any]:
    """Choose the cells of FeTaQA's sentences: the share of the gold ones within 25."""
    answers = draw(read_fetaqa(data).reported, most, lambda answer: answer.page)
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


def speed() -> dict[str, float]:
    """Time a table of 1,000 × 40: its view, and the programs for a claim."""
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
    parser.add_argument("--most", type=int, default=10_000, help="claims of each set")
    parser.add_argument("--write-docs", action="store_true")
    given = parser.parse_args()
    system = system_facts()
    tabfact = read_tabfact(given.data / "tables")
    results: dict[str, Any] = {"system": system}
    results["statements"] = statements(tabfact, given.most)
    results["cells"] = cells(given.data / "tables", given.most)
    results["speed"] = speed()
    write_json(given.json, results)
    print_targets(table_targets(results))
    if given.write_docs:
        write_docs()


if __name__ == "__main__":
    main()
