"""Ask FEVER's claims of `Hops` and `Ranked`: python benchmarks/hops_fever.py DATA --corpus DIR.

DATA is the folder with wiki/ and fever/; the corpus is built from its introductions. Claims are
those of fever/dev on pages that nothing is trained on or tuned by; --most that need several pages,
and as many others, drawn by a fixed seed. A claim counts if one complete gold set of pages is among
the first. Intervals redraw claims by page.
"""

import argparse
import os
import random
from pathlib import Path
from typing import Any

import msgspec

from feverfew.corpus import Corpus
from feverfew.judge import Encoder
from feverfew.lab.train.splits import is_tuning
from feverfew.models.network import Network
from feverfew.retrieve import Hops, Ranked
from feverfew.retrieve.hops import MULTIHOP_FEATURES
from measure import system_facts
from quality import DEPTHS, Question, questions, recalls
from tables import RESULTS


def chosen(data: Path, most: int) -> list[Question]:
    """Draw claims that need several pages and as many others, taking turns."""
    fair = [q for q in questions(data) if q.unseen and not is_tuning(q.claim.group)]
    random.Random(5).shuffle(fair)
    several = [question for question in fair if not question.one_page][:most]
    others = [question for question in fair if question.one_page][:most]
    return [question for pair in zip(several, others, strict=False) for question in pair]


def opened(corpus: Corpus, weights: Path | None) -> Hops:
    """Open Hops with the shipped networks, or with others."""
    if weights is None:
        return Hops.open(corpus)
    rankers = list(Network.load(weights, MULTIHOP_FEATURES).values())
    return Hops(corpus, Ranked.open(corpus), rankers, Encoder.shipped())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--most", type=int, default=300, help="claims of each sort")
    parser.add_argument("--weights", type=Path, help="other networks than the shipped ones")
    parser.add_argument("--json", type=Path, default=RESULTS / "hops_fever.json")
    given = parser.parse_args()
    corpus = Corpus.open(given.corpus)
    asked = chosen(given.data, given.most)
    systems = {"hops": opened(corpus, given.weights), "ranked": Ranked.open(corpus)}
    answers: dict[str, list[list[str]]] = {name: [] for name in systems}
    for question in asked:
        for name, system in systems.items():
            found = system.retrieve([question.claim.text], max(DEPTHS))[0]
            answers[name].append([candidate.title for candidate in found])
    results: dict[str, Any] = msgspec.to_builtins(
        {
            "system": system_facts(),
            "nice": os.nice(0),
            "pages": len(corpus),
            "recall": recalls(asked, answers),
        }
    )
    given.json.write_bytes(msgspec.json.format(msgspec.json.encode(results), indent=1) + b"\n")
    for name, part in results["recall"].items():
        for system, found in part["systems"].items():
            print(f"{name}, {part['claims']} claims, {system:<7}", *(
                f"@{k} {100 * f['value']:.1f} ({100 * f['low']:.1f}–{100 * f['high']:.1f})"
                for k, f in found.items()
            ))  # fmt: skip


if __name__ == "__main__":
    main()
