"""Compare `Hops` with `Ranked` on FEVER's claims:
python benchmarks/hops_fever.py DATA --corpus DIR.

DATA is the data folder; the corpus is built from its introductions. Asked are claims of fever/dev
on pages that nothing is trained or tuned on: --most that need several pages and as many others,
drawn by a fixed seed. A claim counts if one complete set of gold pages is among the first pages.
Intervals redraw claims by page.
"""

import argparse
import random
from pathlib import Path
from typing import Any

import msgspec

from feverfew.corpus import Corpus
from feverfew.lab.train.datasets import is_tuning
from feverfew.retrieve import Hops, Ranked, Retriever
from measure import RESULTS, system_facts, write_json
from quality import DEPTHS, Question, print_recall, questions, recalls


def chosen(data: Path, most: int) -> list[Question]:
    """Draw claims that need several pages, and as many others."""
    fair = [q for q in questions(data) if q.unseen and not is_tuning(q.claim.group)]
    random.Random(5).shuffle(fair)
    several = [question for question in fair if not question.one_page][:most]
    others = [question for question in fair if question.one_page][:most]
    return [question for pair in zip(several, others, strict=False) for question in pair]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--most", type=int, default=300, help="claims of each sort")
    parser.add_argument("--json", type=Path, default=RESULTS / "hops_fever.json")
    given = parser.parse_args()
    corpus = Corpus.open(given.corpus)
    asked = chosen(given.data, given.most)
    systems: dict[str, Retriever] = {"hops": Hops.open(corpus), "ranked": Ranked.open(corpus)}
    answers = {
        name: [
            [candidate.title for candidate in system.retrieve([q.claim.text], max(DEPTHS))[0]]
            for q in asked
        ]
        for name, system in systems.items()
    }
    results: dict[str, Any] = msgspec.to_builtins(
        {"system": system_facts(), "pages": len(corpus), "recall": recalls(asked, answers)}
    )
    write_json(given.json, results)
    print_recall(results["recall"])


if __name__ == "__main__":
    main()
