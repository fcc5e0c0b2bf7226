"""Time the scorers on synthetic claims: python benchmarks/score.py."""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from feverfew.readers.claims import read_claims
from feverfew.readers.predictions import read_predictions
from feverfew.score import TASKS, bootstrap, fever_score, paired_bootstrap, summarise

T = TypeVar("T")
LABELS = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")


def make(folder: Path, claims: int) -> tuple[Path, Path, Path]:
    """Write gold labels and two systems' predictions, shaped like FEVER's."""
    dice = random.Random(0)
    gold, a, b = (folder / name for name in ("gold.jsonl", "a.jsonl", "b.jsonl"))
    with gold.open("w") as gold_file, a.open("w") as a_file, b.open("w") as b_file:
        for number in range(claims):
            label = dice.choice(LABELS)
            sets = [
                [[number, number, f"Page_{dice.randrange(500)}", dice.randrange(12)]]
                * dice.choice((1, 1, 1, 2))
                for _ in range(dice.choice((1, 1, 2, 3)))
            ]
            if label == "NOT ENOUGH INFO":
                sets = [[[number, None, None, None]]]
            text = " ".join(["word"] * dice.randint(5, 14))
            row = {"id": number, "label": label, "claim": text, "evidence": sets}
            gold_file.write(json.dumps(row) + "\n")
            for file, skill in ((a_file, 0.8), (b_file, 0.78)):
                said = label if dice.random() < skill else dice.choice(LABELS)
                evidence = [e[2:] for e in dice.choice(sets) if e[2] and dice.random() < skill]
                while len(evidence) < 5:
                    evidence.append([f"Page_{dice.randrange(500)}", dice.randrange(12)])
                row = {"id": number, "predicted_label": said, "predicted_evidence": evidence}
                file.write(json.dumps(row) + "\n")
    return gold, a, b


def timed(what: str, work: Callable[[], T]) -> T:
    """Print the time by the clock and of the processor, which matters on a busy machine."""
    start, busy = time.perf_counter(), sum(os.times()[:4])
    result = work()
    spent, busy = time.perf_counter() - start, sum(os.times()[:4]) - busy
    print(f"{what:<50}{spent:7.2f} s by the clock, {busy:5.2f} s of a processor")
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=int, default=20_000)
    parser.add_argument("--samples", type=int, default=10_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        gold, a, b = make(Path(folder), options.claims)
        claims = timed("read claims", lambda: tuple(read_claims(gold, "fever")))
        said = timed("read predictions", lambda: tuple(read_predictions(a, "fever")))
        other = tuple(read_predictions(b, "fever"))
        sheet = timed("FEVER@5, all five figures", lambda: fever_score(claims, said))
        second = fever_score(claims, other)
        samples = options.samples
        timed(f"{samples:,} bootstrap samples", lambda: bootstrap(sheet, samples=samples))
        timed(
            f"{samples:,} paired bootstrap samples",
            lambda: paired_bootstrap(sheet, second, samples=samples),
        )
        timed(
            "labels, retrieval, slices, intervals: everything",
            lambda: summarise(TASKS["fever"], claims, said, samples=samples),
        )
        code = "from feverfew.cli.main import main; main()"
        command = [sys.executable, "-c", code, "score", "fever", str(gold), str(a), "--json"]
        quick = [*command, "--samples", "0", "--slices", ""]
        timed("the command, scores and retrieval only", lambda: run(quick))
        timed("the command, everything", lambda: run(command))


def run(command: list[str]) -> None:
    subprocess.run(command, check=True, capture_output=True)


if __name__ == "__main__":
    main()
